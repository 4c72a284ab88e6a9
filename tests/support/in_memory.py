"""Events of house bots played in memory: the same matches as over a network, by the same terms, choice for choice."""

from collections.abc import Sequence

from support.players import FakePlayer, play_match

from ordago import v1
from ordago.record import result_of
from ordago.store import Entrant, IssuedMatch, MatchResult, PlannedMatch
from ordago_bot.bot import BotFactory
from ordago_bot.house import HOUSE_BOTS
from ordago_bot.seat import Seat
from ordago_ladder.matches.terms import match_terms
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.settings import Settings


class BotPlayer(FakePlayer):
    """A seat that a bot plays."""

    def __init__(self, factory: BotFactory) -> None:
        super().__init__(lambda decision, _refusals: self._seat.decide(decision, seconds=0.0).choice.answer)
        self._factory = factory

    def begin(self, start: v1.MatchStart) -> None:
        self._seat = Seat(start, self._factory)

    def _hear(self, message: object) -> None:
        """Keep nothing: nobody asks."""


def play_event(settings: Settings, matches: Sequence[PlannedMatch]) -> list[MatchResult]:
    """Play some matches of an event whose secret and nonces stand in its file."""
    entrants = {entrant.name: _entrant(entrant) for entrant in settings.entrants}
    factories = {entrant.name: _factory(entrant) for entrant in settings.entrants}
    secret = settings.event.secret
    assert secret is not None
    results = []
    for planned in matches:
        terms = match_terms(planned, settings=settings, secret=secret, entrants=entrants)
        record = play_match(terms, [BotPlayer(factories[name]) for name in planned.entrants])
        results.append(MatchResult(IssuedMatch(planned, terms.match_id), result_of(record)))
    return results


def _entrant(entrant: EntrantSettings) -> Entrant:
    return Entrant(entrant.name, nonce=bytes.fromhex(dict(entrant.env)["ORDAGO_NONCE"]))


def _factory(entrant: EntrantSettings) -> BotFactory:
    assert entrant.house is not None
    bot = HOUSE_BOTS[entrant.house]
    defaults = {name: setting.default for name, setting in bot.settings.items()}
    return bot.load({**defaults, **{name: int(value) for name, value in entrant.settings}})
