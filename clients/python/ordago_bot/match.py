"""Facts of a match that a bot knows from the start."""

from dataclasses import dataclass

from ordago import v1
from ordago_bot.cards import GameCards, game_cards


@dataclass(frozen=True, slots=True)
class Match:
    """One match, seen from one seat."""

    start: v1.MatchStart
    """The announcement of the match, as the server sent it."""

    @property
    def match_id(self) -> str:
        """The unique name of the match."""
        return self.start.match_id

    @property
    def game(self) -> str:
        """The short name of the game, for instance ``mittlere``."""
        return self.start.game

    @property
    def options(self) -> v1.GameOptions:
        """The options of the game, for instance ``options.mittlere.deals``."""
        return self.start.options

    @property
    def clock(self) -> v1.ClockTerms:
        """The time that each seat has, in milliseconds."""
        return self.start.clock

    @property
    def faults(self) -> v1.FaultTerms:
        """The number of refused answers to a decision, and of faults in a match, that are too many."""
        return self.start.faults

    @property
    def seed(self) -> bytes:
        """The seed of ``Bot.random``."""
        return self.start.seed

    @property
    def seat(self) -> int:
        """The seat of the bot, from 0."""
        return self.start.seat

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.start.players)

    @property
    def players(self) -> tuple[v1.Player, ...]:
        """The players, in the order of their seats."""
        return tuple(self.start.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in the order of their seats."""
        return tuple(player.name for player in self.start.players)

    @property
    def partners(self) -> tuple[int, ...]:
        """The other seats of the bot's side, ascending; empty in games without sides."""
        return tuple(seat for seat in self._others() if self._side(seat) == self._side(self.seat))

    @property
    def partner(self) -> int | None:
        """The only other seat of the bot's side; ``None`` if there is none or more than one."""
        partners = self.partners
        return partners[0] if len(partners) == 1 else None

    @property
    def opponents(self) -> tuple[int, ...]:
        """The seats of all other sides, ascending."""
        return tuple(seat for seat in self._others() if self._side(seat) != self._side(self.seat))

    @property
    def cards(self) -> GameCards:
        """The cards of the game and their values.

        Raises:
            LookupError: this SDK does not know the game.
        """
        return game_cards(self.game)

    def name_of(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        return self.start.players[seat].name

    def seat_after(self, seat: int) -> int:
        """Return the next seat in the order of play: the last one is followed by seat 0."""
        return (seat + 1) % self.seats

    def _others(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat != self.seat]

    def _side(self, seat: int) -> int:
        return self.start.players[seat].side
