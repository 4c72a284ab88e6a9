"""A real match in which a bot is tested: it has one seat, and the other seats play at random."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from ordago import v1
from ordago.chance import keyed_name
from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago.match import Acceptance, FaultTerms, Match, MatchTerms, Question, Reply, SeatTerms, Step, TimeTerms
from ordago.match import single_match_terms as terms_of
from ordago_bot.bot import complete

_FEWEST: Final = ("deals", "rounds")
"""Options that are set to their minimum to make a match short."""
_MOST_DEALS: Final = 4
_MOST: Final = "games"
"""An option that scripts set to its maximum: one lost bet may end a game, but must not end the match of a script."""
_FAULTS: Final = FaultTerms(strikes=3, forfeit_after=0)


class Table:
    """One match of a game, with the rules and referee of a server."""

    def __init__(
        self,
        game: str,
        *,
        seats: int,
        seat: int,
        seed: int,
        handle: int,
        serial: int = 0,
        options: Mapping[str, object] | None = None,
    ) -> None:
        """Begin a match.

        Args:
            game: the short name of the game.
            seats: the number of players.
            seat: the seat of the bot.
            seed: determines everything but the choices of the bot.
            handle: the handle of the match.
            serial: the number of the match in the session, from which its id is derived; 0 uses the handle.
            options: options of the game. Others are set so that the match is short.
        """
        self.handle = handle
        self.game = game
        self.decision: v1.Decision | None = None
        """The open decision of the bot; ``None`` when the match is over."""
        self.end: v1.MatchEnd | None = None
        """The end of the match; ``None`` while it goes on."""
        self._seat, self._chance = seat, Random(seed)
        terms = _terms(find_game(game), seats, seed, options or {})
        named = replace(terms, match_id=keyed_name(b"doctor", "match", serial or handle).hex())
        self._match = Match(named)
        self.start = v1.MatchStart()
        """The start of the match, for the bot."""
        self._heard: list[v1.Refused | v1.Accepted] = []
        """The replies to the last answer of the bot."""
        self._hear(self._match.begin())
        self._advance(None)

    def answer(self, answer: v1.Answer, *, thought_ms: int | None = None) -> list[v1.Refused | v1.Accepted]:
        """Answer the open decision for the bot, and play on until its next one or the end of the match.

        Return the replies to the bot. An illegal answer is refused, and its decision stays open until the last strike.
        """
        self._heard = []
        self._advance(Reply(answer.SerializeToString(), 0.0, thought_ms=thought_ms))
        return self._heard

    def _advance(self, reply: Reply | None) -> None:
        """Play on until the bot has a decision or the match is over."""
        step = self._step(reply)
        while step.played_out is None and not self._is_at_the_bot(step.question):
            answer = None if step.question is None else self._by_chance(step.question)
            step = self._step(None if answer is None else Reply(answer.SerializeToString(), 0.0))
        if step.played_out is not None:
            self.decision = None
            self.end = step.played_out.ends[self._seat]
            self.end.match_handle = self.handle

    def _step(self, reply: Reply | None) -> Step:
        step = self._match.step(reply)
        self._hear(step)
        return step

    def _hear(self, step: Step) -> None:
        """Note the messages for the bot."""
        for seat, sent in step.messages:
            if seat == self._seat:
                message = sent.message() if isinstance(sent, Acceptance) else sent
                message.match_handle = self.handle
                if isinstance(message, v1.MatchStart):
                    self.start = message
                else:
                    assert not isinstance(message, v1.Forfeited), "nobody forfeits here"
                    self._heard.append(message)

    def _is_at_the_bot(self, question: Question | None) -> bool:
        if question is None or question.seat != self._seat:
            return False
        if not question.again:
            self.decision = question.message()
            self.decision.match_handle = self.handle
        return True

    def _by_chance(self, question: Question) -> v1.Answer:
        decision = question.message()
        # Parts that are legal one by one may break a rule together, so a refused answer is followed by the default.
        return (
            decision.default_answer if question.again else complete(self._chance.choice(decision.actions), self._chance)
        )


class ScriptTable:
    """A match of a script, which can return to any decision and judge answers to it."""

    def __init__(self, game: str, *, handle: int, serial: int) -> None:
        """Begin a match; ``handle`` identifies it within its case, ``serial`` within its session."""
        self._game = game
        self._handle = handle
        self._serial = serial
        self._answers: dict[int, v1.Answer] = {}
        self.start = self._anew().start
        """The start of the match, for the bot."""

    def decision(self, number: int) -> v1.Decision:
        """Return a decision, given the answers before it. Unanswered decisions get their default answers.

        Raises:
            ValueError: the match has no such decision.
        """
        decision = self._up_to(number).decision
        if decision is None:
            raise ValueError(f"this match of {self._game} has no decision {number}")
        return decision

    def refusal_of(self, number: int, answer: v1.Answer) -> v1.Refused | None:
        """Return the refusal of an answer by the referee; ``None`` if it is legal."""
        first = self._up_to(number).answer(answer)[0]
        return first if isinstance(first, v1.Refused) else None

    def take(self, number: int, answer: v1.Answer) -> None:
        """Set the answer to a decision for the rest of the match."""
        self._answers[number] = answer

    def _anew(self) -> Table:
        seats = find_game(self._game).rules.seat_counts[0]
        options = {spec.name: spec.max for spec in find_game(self._game).rules.option_specs if spec.name == _MOST}
        return Table(
            self._game,
            seats=seats,
            seat=0,
            seed=self._handle,
            handle=self._handle,
            serial=self._serial,
            options=options,
        )

    def _up_to(self, number: int) -> Table:
        table = self._anew()
        while table.decision is not None and table.decision.number < number:
            table.answer(self._answers.get(table.decision.number, table.decision.default_answer))
        return table


def _terms(game: AnyGame, seats: int, seed: int, options: Mapping[str, object]) -> MatchTerms:
    shortened = {spec.name: spec.min for spec in game.rules.option_specs if spec.name in _FEWEST}
    if any(spec.name == "max_deals" for spec in game.rules.option_specs):
        shortened["max_deals"] = _MOST_DEALS
    return terms_of(
        game=game,
        options={**shortened, **options},
        seats=[SeatTerms(f"seat-{number}") for number in range(seats)],
        secret=keyed_name(b"doctor", str(seed), size=32),
        event="doctor",
        nonces={},
        time=TimeTerms(),
        faults=_FAULTS,
    )
