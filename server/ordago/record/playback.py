"""A recorded match, played entry by entry by the rules, for those that want what its seats saw."""

from collections.abc import Hashable, Sequence

from ordago import v1
from ordago.game import CHANCE, Event, Outcome
from ordago.record.opening import UnplayableError, opening
from ordago.wire.codec import NoSuchActionError


class Playback:
    """A match that the entries of its record play. Events and outcome of the record are not looked at.

    Attributes:
        game: the game.
        options: its options, complete.
        state: the state before the next entry.
        concessions: the seats that concede.
    """

    def __init__(self, record: v1.MatchRecord) -> None:
        """Begin the match.

        Raises:
            UnplayableError: the rules cannot play it.
        """
        self.game, self.options, self.state, self.concessions = opening(record)

    def play(self, entry: v1.RecordEntry) -> Sequence[Event[Hashable]]:
        """Play an entry, and return the events that follow from it by the rules.

        Raises:
            UnplayableError: the rules do not allow it.
        """
        if entry.HasField("shuffle"):
            return self.state.supply(self._shuffled(entry.shuffle))
        if entry.HasField("choice"):
            events = self.state.apply(self.action(entry.choice))
            self.concessions.note(entry.choice.seat, concedes=entry.choice.concede)
            return events
        return ()

    def action(self, choice: v1.RecordedChoice) -> Hashable:
        """Return the action of a choice that is due and legal.

        Raises:
            UnplayableError: it is not.
        """
        self.check_turn(choice.seat)
        try:
            action: Hashable = self.game.codec.action_from(choice.action)
        except NoSuchActionError as error:
            raise UnplayableError(f"The choice is not an action: {error}") from None
        if violation := self.state.check(action):
            raise UnplayableError(f"The choice breaks the rule {violation.rule}: {violation.sentence}")
        return action

    def check_turn(self, seat: int) -> None:
        """Check that a seat is to act.

        Raises:
            UnplayableError: it is not.
        """
        if seat != self.state.actor:
            raise UnplayableError(f"Seat {seat} chose, but was not to act.")

    def outcome(self) -> Outcome:
        """Return the outcome after the last entry.

        Raises:
            UnplayableError: the match is not over.
        """
        outcome = self.concessions.outcome(self.state)
        if outcome is None:
            raise UnplayableError("The entries end before the match does.")
        return outcome

    def _shuffled(self, shuffle: v1.RecordedShuffle) -> tuple[int, ...]:
        cards = tuple(shuffle.cards)
        if self.state.actor != CHANCE or tuple(sorted(cards)) != self.state.shuffle_due().cards:
            raise UnplayableError("A shuffle is not due there, or does not contain exactly the cards to shuffle.")
        return cards
