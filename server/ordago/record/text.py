"""A record as text for people."""

import textwrap
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

from ordago import v1
from ordago.cards import NO_CARD, signs
from ordago.game import Outcome, OutcomeReason
from ordago.games import UnknownGameError, find_game
from ordago.names import visible
from ordago.record.replay import Problem, Replay, replay
from ordago.record.result import faults_of, forfeits_of, strikes_of
from ordago.scene import Scene, Section, Sentence, Stage, Telling, sentence
from ordago.wire.slots import content_of

Translate: TypeAlias = Callable[[str], str]
_REASONS: Final = {
    OutcomeReason.DEALS_PLAYED: sentence("All deals were played."),
    OutcomeReason.TARGET_REACHED: sentence("The target was reached."),
    OutcomeReason.CAP_REACHED: sentence("A limit of the rules ended the match."),
}
_CLOCK: Final = {
    "decision_ms": sentence("decision {seconds} s"),
    "bank_ms": sentence("bank {seconds} s"),
    "increment_ms": sentence("increment {seconds} s"),
    "lag_credit_ms": sentence("lag credit {seconds} s"),
    "lag_bank_ms": sentence("lag bank {seconds} s"),
    "disconnect_bank_ms": sentence("disconnect bank {seconds} s"),
}
_MS_A_SECOND: Final = 1000
_WIDTH: Final = 118
_TITLE_WIDTH: Final = len("Bargain 3")


def tell(
    record: v1.MatchRecord, *, replayed: Replay | None = None, with_proof: bool = True, translate: Translate = str
) -> Iterator[str]:
    """Describe a match line by line: its terms and players, its events, and its end.

    An incorrect record is described as far as the rules can play it, and its first problem is named.

    Args:
        record: the match.
        replayed: the result of replaying it, if known.
        with_proof: say also what proves the deals.
        translate: translates the English texts.
    """
    players = players_of(record)
    replayed = replayed or replay(record)
    yield from tell_setting(record, players, translate)
    if with_proof:
        digest, secret = record.commitment.hex(), record.secret.hex()
        committed = (
            sentence("Commitment to the deals: {digest}") if digest else sentence("Commitment to the deals: none")
        )
        revealed = sentence("Secret: {secret}") if secret else sentence("Secret: not revealed in this record")
        yield committed.filled(digest=digest).written(translate)
        yield revealed.filled(secret=secret).written(translate)
    if replayed.events:
        yield ""
        game = find_game(record.game)
        stage = game.staging.begin(players=players, options=game.codec.options_from(record.options))
        yield from tell_events(replayed.events, stage, players=players, translate=translate)
    yield ""
    yield from _ending(replayed, players, translate)
    yield from _fault_lines(record, players, translate)


def tell_events(
    events: Iterable[Hashable], stage: Stage[Any], *, players: Sequence[str], translate: Translate = str
) -> Iterator[str]:
    """Describe a match line by line, with a paragraph for each part of a deal.

    Args:
        events: the events, from the first of the match or of a deal on.
        stage: a new stage, which describes them.
        players: the names of the players, in order of seats.
        translate: translates the English texts.
    """
    paragraph = _Paragraph(translate)
    dealt: Scene | None = None
    is_first = True
    for event in events:
        telling = stage.apply(event)
        if telling.deals:
            dealt = stage.scene()
        if telling.sentence is None:
            continue
        if telling.mark is not None or dealt is not None:
            yield from paragraph.end()
        if dealt is not None:
            yield from _dealt(dealt, players, translate)
            dealt = None
        if telling.mark is not None and telling.mark.section is Section.DEAL:
            yield from [] if is_first else [""]
            words = sentence("{title}: {told}", title=telling.mark.title, told=telling.sentence)
            yield words.written(translate)
            is_first = False
        else:
            paragraph.add(telling)
    yield from paragraph.end()
    yield from _dealt(dealt, players, translate) if dealt is not None else ()


class _Paragraph:
    """The description of a part of a deal, after its title."""

    def __init__(self, translate: Translate) -> None:
        self._translate = translate
        self._title = ""
        self._sentences: list[str] = []
        self._goes_on = False
        """True if a clause can follow."""

    def add(self, telling: Telling) -> None:
        assert telling.sentence is not None
        if telling.mark is not None:
            self._title = telling.mark.title.written(self._translate)
        if telling.brief is not None and self._goes_on:
            self._sentences[-1] = f"{self._sentences[-1].removesuffix('.')}, {telling.brief.written(self._translate)}."
        else:
            self._sentences.append(telling.sentence.written(self._translate))
        self._goes_on = telling.brief is not None

    def end(self) -> Iterator[str]:
        """Write it, and begin the next."""
        first = f"  {self._title:{_TITLE_WIDTH}}  "
        yield from textwrap.wrap(
            " ".join(self._sentences),
            _WIDTH,
            initial_indent=first,
            subsequent_indent=" " * len(first),
            break_on_hyphens=False,
        )
        self._title, self._sentences, self._goes_on = "", [], False


def _dealt(scene: Scene, players: Sequence[str], translate: Translate) -> Iterator[str]:
    """List the visible hands, and the open cards on the table."""
    held = [(player, seat.hand) for player, seat in zip(players, scene.seats, strict=True)]
    lying = [(group.title.written(translate) if group.title else "", group) for group in scene.table]
    seen = [(name, group.cards) for name, group in [*held, *lying] if group.cards and NO_CARD not in group.cards]
    width = max((len(name) for name, _ in seen), default=0)
    yield from ["", *(f"  {name:{width}}  {signs(cards)}" for name, cards in seen), ""] if seen else ()


def players_of(record: v1.MatchRecord) -> list[str]:
    """Return the names of the players for descriptions of a match, in order of seats."""
    return [visible(seat.name) or f"seat {number}" for number, seat in enumerate(record.seats, 1)]


def tell_setting(record: v1.MatchRecord, players: Sequence[str], translate: Translate = str) -> Iterator[str]:
    """Describe the match: its ID, its terms and its players."""
    number = sentence("Match {id}", id=visible(record.match_id))
    again = [sentence("attempt {number}", number=record.attempt + 1)] if record.attempt else []
    yield _listed([number, *again], translate)
    yield _listed([_title(record), *_options(record.options), *_clock(record.clock)], translate)
    for at, (player, seat) in enumerate(zip(players, record.seats, strict=True), 1):
        own = sentence("seat {number}: {name}", number=at, name=player)
        version = [sentence("version {version}", version=visible(seat.version))] if seat.version else []
        yield f"  {_listed([own, *version, *_clock(seat.clock)], translate)}"


def _listed(parts: Iterable[Sentence | str], translate: Translate) -> str:
    return ", ".join(part.written(translate) if isinstance(part, Sentence) else part for part in parts)


def _title(record: v1.MatchRecord) -> Sentence:
    try:
        return Sentence("{title}").filled(title=find_game(record.game).rules.title)
    except UnknownGameError:
        return sentence("An unknown game, {name}", name=repr(visible(record.game)))


def _options(options: v1.GameOptions) -> Iterator[str]:
    content = content_of(options)
    for field, value in content.ListFields() if content is not None else ():
        yield f"{field.name} {_option_word(field, value)}"


def _option_word(field: FieldDescriptor, value: object) -> str:
    """Return the value of an option as the command line takes it: enums by their words."""
    if isinstance(value, bool):
        return str(value).lower()
    names = {} if field.enum_type is None else {each.number: each.name for each in field.enum_type.values}
    if value not in names:
        return str(value)
    return names[value].removeprefix(names[0].removesuffix("UNSPECIFIED")).lower()


def _clock(clock: v1.ClockTerms) -> Iterator[Sentence]:
    for field, value in clock.ListFields():
        yield _CLOCK[field.name].filled(seconds=f"{value / _MS_A_SECOND:g}")


def _ending(replayed: Replay, players: Sequence[str], translate: Translate) -> Iterator[str]:
    if replayed.outcome is not None:
        yield from tell_outcome(replayed.outcome, players, translate)
    if replayed.problems:
        yield _problem_line(replayed.problems[0])


def tell_outcome(outcome: Outcome, players: Sequence[str], translate: Translate = str) -> Iterator[str]:
    """Describe the outcome of a match."""
    yield (_REASONS.get(outcome.reason) or conceded(outcome, players)).written(translate)
    for placing, player, score in sorted(zip(outcome.placings, players, outcome.scores, strict=True)):
        yield f"  {placing}. {player} {score}"


def conceded(outcome: Outcome, players: Sequence[str]) -> Sentence:
    """Return who conceded a match that ended so."""
    losers = [player for player, placing in zip(players, outcome.placings, strict=True) if placing > 1]
    return sentence("{names} conceded.", names=", ".join(dict.fromkeys(losers)))


def _problem_line(problem: Problem) -> str:
    if problem.by_other_rules:
        return problem.sentence
    where = "the record" if problem.entry is None else f"entry {problem.entry} of the record"
    return f"Problem with {where}: {problem.sentence}"


def _fault_lines(record: v1.MatchRecord, players: Sequence[str], translate: Translate) -> Iterator[str]:
    for player, faults in zip(players, faults_of(record), strict=True):
        if faults:
            counts = ", ".join(f"{_fault(fault).written(translate)} {decisions}" for fault, decisions in faults)
            yield sentence("Default actions for {name}: {counts}", name=player, counts=counts).written(translate)
    for player, strikes in zip(players, strikes_of(record), strict=True):
        if strikes:
            counts = ", ".join(f"{visible(rule)} {answers}" for rule, answers in strikes)
            yield sentence("Refused answers of {name}: {counts}", name=player, counts=counts).written(translate)
    yield from tell_forfeits(record, players, translate)


def tell_forfeits(record: v1.MatchRecord, players: Sequence[str], translate: Translate = str) -> Iterator[str]:
    """List the forfeits of a match."""
    for seat, fault in forfeits_of(record):
        words = sentence("{name} forfeited the match: {fault}", name=players[seat], fault=_fault(fault))
        yield words.written(translate)


def _fault(name: str) -> Sentence:
    # The names of faults are texts of the catalogue.
    return Sentence(name.replace("_", " "))
