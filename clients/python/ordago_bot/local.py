"""Matches between bots within this process, without server, network or clock; for experiments and training."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import isawaitable
from types import MappingProxyType
from typing import Final, NamedTuple

from ordago import v1
from ordago.chance import keyed_name
from ordago.games import find_game
from ordago.match import (
    Acceptance,
    FaultTerms,
    MatchTerms,
    Message,
    PlayedOut,
    Question,
    Reply,
    SeatTerms,
    Step,
    TimeTerms,
    single_match_terms,
)
from ordago.match import Match as Referee
from ordago_bot import events
from ordago_bot.bot import BotFactory, answer_of
from ordago_bot.seat import Failure, Seat, stop

_NO_OPTIONS: Final[Mapping[str, object]] = MappingProxyType({})
_TIME: Final = TimeTerms(decision_ms=60_000)
"""The time limit that the bots are shown. It is not enforced, since no clock runs."""
_NEVER_FORFEITED: Final = FaultTerms(forfeit_after=0)


class RefusedError(Exception):
    """An answer broke the rules of the game, in a match that is played strictly."""


class LocalMatch(NamedTuple):
    """A match that was played in this process."""

    seats: tuple[int, ...]
    """The seat of each bot, in the order in which the bots were given."""
    scores: tuple[int, ...]
    """The score of each bot, in the same order."""
    placings: tuple[int, ...]
    """The place of each bot, from 1, in the same order; equal ones share it."""
    record: v1.MatchRecord
    """The record of the match, as a server would write it."""


def play_locally(
    bots: Sequence[BotFactory],
    game: str,
    *,
    options: Mapping[str, object] = _NO_OPTIONS,
    seed: object = 0,
    matches: int = 1,
    strict: bool = False,
) -> Iterator[LocalMatch]:
    """Play matches one after the other with the referee of the server; each begins when the iterator is advanced.

    The bots rotate: with n bots, n matches in a row deal the same cards and put each bot once on every seat; then
    other cards are dealt. All chance comes from the seed, so the same call plays the same matches, as long as the bots
    take theirs from ``Bot.random`` alone. Decisions are made one at a time, even by bots that are asynchronous or ask
    for threads.

    Args:
        bots: the bot classes, one for each seat.
        game: the short name of the game, for instance ``mittlere``.
        options: the options that differ from their defaults, for instance ``{"deals": 6}``.
        seed: the source of the cards and of the bots' own chance; its ``str`` is used.
        matches: the number of matches.
        strict: True to raise at the first answer that is refused, as a test wants it.

    Raises:
        UnknownGameError: there is no such game.
        OptionError: the game has no such option, or does not allow the value.
        ValueError: the game is not played by this number of bots.
        RefusedError: an answer was refused, and ``strict`` is true.
    """
    rules = find_game(game).rules
    if len(bots) not in rules.seat_counts:
        counts = " or ".join(map(str, rules.seat_counts))
        raise ValueError(f"{rules.title} is played by {counts}, not by {len(bots)}: name a bot for each seat")
    rules.options(options)
    return _matches(bots, game, options, str(seed), matches, strict=strict)


def _matches(
    bots: Sequence[BotFactory], game: str, options: Mapping[str, object], seed: str, matches: int, *, strict: bool
) -> Iterator[LocalMatch]:
    for number in range(matches):
        deals, turn = divmod(number, len(bots))
        seats = tuple((bot + turn) % len(bots) for bot in range(len(bots)))
        terms = _terms(bots, game, options, f"{seed}|{deals}", seats)
        yield _played(terms, bots, seats, strict=strict)


def _terms(
    bots: Sequence[BotFactory], game: str, options: Mapping[str, object], deals: str, seats: Sequence[int]
) -> MatchTerms:
    secret = keyed_name(b"", "local", deals, size=32)
    names = {seat: f"{_name(bots[bot])} {bot + 1}" for bot, seat in enumerate(seats)}
    terms = single_match_terms(
        game=find_game(game),
        options=options,
        seats=[SeatTerms(names[seat]) for seat in range(len(seats))],
        secret=secret,
        event="local",
        nonces={},
        time=_TIME,
        faults=_NEVER_FORFEITED,
    )
    # All seatings share the cards, but each bot gets other random numbers in each.
    seeded = (replace(seat, seed=keyed_name(secret, "seed", *seats, at)) for at, seat in enumerate(terms.seats))
    return replace(terms, match_id=keyed_name(secret, "match", *seats).hex(), seats=tuple(seeded))


def _name(factory: BotFactory) -> str:
    return getattr(factory, "__name__", "bot")


def _played(terms: MatchTerms, bots: Sequence[BotFactory], seats: Sequence[int], *, strict: bool) -> LocalMatch:
    players = {seat: _Player(bots[bot], strict=strict) for bot, seat in enumerate(seats)}
    played = _course(terms, [players[seat] for seat in range(len(seats))])
    outcome = played.ends[0].outcome
    return LocalMatch(
        seats=tuple(seats),
        scores=tuple(outcome.scores[seat] for seat in seats),
        placings=tuple(outcome.placings[seat] for seat in seats),
        record=played.record.message,
    )


def _course(terms: MatchTerms, players: Sequence["_Player"]) -> PlayedOut:
    """Play a match to its end: pass the referee's messages to the players and their replies back."""
    referee = Referee(terms)
    _tell(players, referee.begin())
    step = referee.step(None)
    while step.played_out is None:
        _tell(players, step)
        step = referee.step(None if step.question is None else players[step.question.seat].reply(step.question))
    _tell(players, step)
    for player, end in zip(players, step.played_out.ends, strict=True):
        player.end(end)
    return step.played_out


def _tell(players: Sequence["_Player"], step: Step) -> None:
    for seat, message in step.messages:
        if not isinstance(message, Acceptance):
            players[seat].tell(message)


class _Player:
    """A bot at one seat, behind the referee's messages."""

    def __init__(self, factory: BotFactory, *, strict: bool) -> None:
        self._factory = factory
        self._strict = strict
        self._seat: Seat
        self._decision = v1.Decision()
        self._refused: v1.Refused | None = None

    def tell(self, message: Message) -> None:
        """Make the bot at the start of the match, and pass on later messages."""
        if isinstance(message, v1.MatchStart):
            self._seat = Seat(message, self._factory)
        elif isinstance(message, v1.Refused):
            self._refuse(message)
        elif isinstance(message, v1.Forfeited):
            self._seat.tell(message)

    def reply(self, question: Question) -> Reply:
        """Ask the bot; 0 seconds are charged."""
        if not question.again:
            self._decision, self._refused = question.message(), None
        return Reply(think_now(self._seat, self._decision, self._refused).SerializeToString(), 0.0)

    def _refuse(self, refused: v1.Refused) -> None:
        """Store the refusal for the next question, and log it for the author."""
        event = events.refused(refused, match_id=self._seat.start.match_id)
        if self._strict:
            raise RefusedError(event.message)
        self._refused = refused
        event.log()

    def end(self, end: v1.MatchEnd) -> None:
        """Notify the bot of the end."""
        self._seat.tell(end)


def think_now(seat: Seat, decision: v1.Decision, refused: v1.Refused | None = None) -> v1.Answer:
    """Let a bot answer here and now, even if it is asynchronous."""
    try:
        chosen = seat.think(decision, refused)
        return answer_of(_awaited(chosen) if isawaitable(chosen) else chosen, decision)
    except Exception as error:  # noqa: BLE001 - an author's code may raise anything
        stop(Failure(seat.start.match_id, error, decision, at_start=False, is_first=True))


def _awaited(chosen: object) -> object:
    """Await a choice and return its result."""
    import trio

    async def wait() -> object:
        return await chosen  # type: ignore[misc]  # the caller has checked that it is awaitable

    return trio.run(wait)
