"""What a bot knows of its match from the beginning."""

from dataclasses import dataclass

from ordago import v1
from ordago_bot.cards import GameCards, game_cards


@dataclass(frozen=True, slots=True)
class Match:
    """One match, seen from one seat."""

    start: v1.MatchStart
    """All that the server said of it."""

    @property
    def match_id(self) -> str:
        """Its name among all matches."""
        return self.start.match_id

    @property
    def game(self) -> str:
        """The short name of the game, for instance ``mittlere``."""
        return self.start.game

    @property
    def options(self) -> v1.GameOptions:
        """What the game is played with, for instance ``options.mittlere.deals``."""
        return self.start.options

    @property
    def clock(self) -> v1.ClockTerms:
        """The time that each seat has."""
        return self.start.clock

    @property
    def faults(self) -> v1.FaultTerms:
        """What comes of faults."""
        return self.start.faults

    @property
    def seed(self) -> bytes:
        """The seed of the bot's own chance, which ``Bot.random`` draws from."""
        return self.start.seed

    @property
    def seat(self) -> int:
        """The seat of the bot, from 0."""
        return self.start.seat

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.start.players)

    @property
    def players(self) -> tuple[v1.Player, ...]:
        """Who sits where, in order."""
        return tuple(self.start.players)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, in the order of their seats."""
        return tuple(player.name for player in self.start.players)

    @property
    def partners(self) -> tuple[int, ...]:
        """The other seats of the bot's side, ascending; none where everybody plays for himself."""
        return tuple(seat for seat in self._others() if self._side(seat) == self._side(self.seat))

    @property
    def partner(self) -> int | None:
        """The one other seat of the bot's side; ``None`` where there is none, or are several."""
        partners = self.partners
        return partners[0] if len(partners) == 1 else None

    @property
    def opponents(self) -> tuple[int, ...]:
        """The seats of all other sides, ascending."""
        return tuple(seat for seat in self._others() if self._side(seat) != self._side(self.seat))

    @property
    def cards(self) -> GameCards:
        """The cards of the game, and what they are worth.

        Raises:
            LookupError: this SDK does not know the game.
        """
        return game_cards(self.game)

    def name_of(self, seat: int) -> str:
        """Return what the player of a seat is called."""
        return self.start.players[seat].name

    def seat_after(self, seat: int) -> int:
        """Return the seat whose turn is next after that of another."""
        return (seat + 1) % self.seats

    def _others(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat != self.seat]

    def _side(self, seat: int) -> int:
        return self.start.players[seat].side
