"""A record as text for people."""

import textwrap
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Final

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

_REASONS: Final = {
    OutcomeReason.DEALS_PLAYED: "All deals were played.",
    OutcomeReason.TARGET_REACHED: "The target was reached.",
    OutcomeReason.CAP_REACHED: "A limit of the rules ended the match.",
}
_MS_A_SECOND: Final = 1000
_WIDTH: Final = 118
_TITLE_WIDTH: Final = len("Bargain 3")


def tell(record: v1.MatchRecord, *, replayed: Replay | None = None, with_proof: bool = True) -> Iterator[str]:
    """Describe a match line by line: its terms and players, its events, and its end.

    An incorrect record is described as far as the rules can play it, and its first problem is named.

    Args:
        record: the match.
        replayed: the result of replaying it, if known.
        with_proof: say also what proves the deals.
    """
    players = players_of(record)
    replayed = replayed or replay(record)
    yield from tell_setting(record, players)
    if with_proof:
        yield f"Commitment to the deals: {record.commitment.hex() or 'none'}"
        yield f"Secret: {record.secret.hex() or 'not revealed in this record'}"
    if replayed.events:
        yield ""
        game = find_game(record.game)
        stage = game.staging.begin(players=players, options=game.codec.options_from(record.options))
        yield from tell_events(replayed.events, stage, players=players)
    yield ""
    yield from _ending(replayed, players)
    yield from _fault_lines(record, players)


def tell_events(events: Iterable[Hashable], stage: Stage[Any], *, players: Sequence[str]) -> Iterator[str]:
    """Describe a match line by line, with a paragraph for each part of a deal.

    Args:
        events: the events, from the first of the match or of a deal on.
        stage: a new stage, which describes them.
        players: the names of the players, in order of seats.
    """
    paragraph = _Paragraph()
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
            yield from _dealt(dealt, players)
            dealt = None
        if telling.mark is not None and telling.mark.section is Section.DEAL:
            yield from [] if is_first else [""]
            yield f"{telling.mark.title.written()}: {telling.sentence.written()}"
            is_first = False
        else:
            paragraph.add(telling)
    yield from paragraph.end()
    yield from _dealt(dealt, players) if dealt is not None else ()


class _Paragraph:
    """The description of a part of a deal, after its title."""

    def __init__(self) -> None:
        self._title = ""
        self._sentences: list[str] = []
        self._goes_on = False
        """True if a clause can follow."""

    def add(self, telling: Telling) -> None:
        assert telling.sentence is not None
        if telling.mark is not None:
            self._title = telling.mark.title.written()
        if telling.brief is not None and self._goes_on:
            self._sentences[-1] = f"{self._sentences[-1].removesuffix('.')}, {telling.brief.written()}."
        else:
            self._sentences.append(telling.sentence.written())
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


def _dealt(scene: Scene, players: Sequence[str]) -> Iterator[str]:
    """List the visible hands, and the open cards on the table."""
    held = [(player, seat.hand) for player, seat in zip(players, scene.seats, strict=True)]
    lying = [(group.title.written() if group.title else "", group) for group in scene.table]
    seen = [(name, group.cards) for name, group in [*held, *lying] if group.cards and NO_CARD not in group.cards]
    width = max((len(name) for name, _ in seen), default=0)
    yield from ["", *(f"  {name:{width}}  {signs(cards)}" for name, cards in seen), ""] if seen else ()


def players_of(record: v1.MatchRecord) -> list[str]:
    """Return the names of the players for descriptions of a match, in order of seats."""
    return [visible(seat.name) or f"seat {number}" for number, seat in enumerate(record.seats, 1)]


def tell_setting(record: v1.MatchRecord, players: Sequence[str]) -> Iterator[str]:
    """Describe the match: its ID, its terms and its players."""
    again = f", attempt {record.attempt + 1}" if record.attempt else ""
    yield f"Match {visible(record.match_id)}{again}"
    yield ", ".join([_title(record), *_options(record.options), *_clock(record.clock)])
    for number, (player, seat) in enumerate(zip(players, record.seats, strict=True), 1):
        version = f", version {visible(seat.version)}" if seat.version else ""
        own = ", ".join(_clock(seat.clock))
        yield f"  seat {number}: {player}{version}{f', {own}' if own else ''}"


def _title(record: v1.MatchRecord) -> str:
    try:
        return find_game(record.game).rules.title
    except UnknownGameError:
        return f"An unknown game, {visible(record.game)!r}"


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


def _clock(clock: v1.ClockTerms) -> Iterator[str]:
    for field, value in clock.ListFields():
        yield f"{field.name.removesuffix('_ms').replace('_', ' ')} {value / _MS_A_SECOND:g} s"


def _ending(replayed: Replay, players: Sequence[str]) -> Iterator[str]:
    if replayed.outcome is not None:
        yield from tell_outcome(replayed.outcome, players)
    if replayed.problems:
        yield _problem_line(replayed.problems[0])


def tell_outcome(outcome: Outcome, players: Sequence[str]) -> Iterator[str]:
    """Describe the outcome of a match."""
    yield _REASONS.get(outcome.reason) or conceded(outcome, players).written()
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


def _fault_lines(record: v1.MatchRecord, players: Sequence[str]) -> Iterator[str]:
    for player, faults in zip(players, faults_of(record), strict=True):
        if faults:
            counts = ", ".join(f"{fault.replace('_', ' ')} {decisions}" for fault, decisions in faults)
            yield f"Default actions for {player}: {counts}"
    for player, strikes in zip(players, strikes_of(record), strict=True):
        if strikes:
            counts = ", ".join(f"{visible(rule)} {answers}" for rule, answers in strikes)
            yield f"Refused answers of {player}: {counts}"
    yield from tell_forfeits(record, players)


def tell_forfeits(record: v1.MatchRecord, players: Sequence[str]) -> Iterator[str]:
    """List the forfeits of a match."""
    for seat, fault in forfeits_of(record):
        yield f"{players[seat]} forfeited the match: {fault.replace('_', ' ')}"
