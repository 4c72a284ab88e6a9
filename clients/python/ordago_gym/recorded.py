"""The decisions of a recorded match as an environment would have put them, to learn from what others played."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ordago import v1
from ordago.game import CHANCE, FINISHED
from ordago.record.opening import UnplayableError
from ordago.record.playback import Playback
from ordago.record.verify import name_problems
from ordago_gym.encoding import Decision, Encoding, encoding_with
from ordago_gym.table import Gains, match_rewards


class RecordedStep(NamedTuple):
    """An id that a seat chose, and the decision that it belongs to."""

    deal: int
    """The deal, counted from 0."""
    seat: int
    """The seat, from 0."""
    number: int
    """The decision of the seat in the match, from 1."""
    decision: Decision
    """The decision as the seat was told it, with the ids of it that the seat had chosen before."""
    action: int
    """The id."""
    own: bool
    """False if the server took the default action for the seat."""


class RecordedMatch:
    """A match of a record, with the rewards of all seats known from the beginning.

    Attributes:
        record: the record.
        encoding: the encoding of its game.
        deal_rewards: the points that each seat gained, for each deal that was played to its end.
        match_rewards: the reward of each seat for its placing, from -1 to 1.
    """

    def __init__(self, record: v1.MatchRecord) -> None:
        """Play a match by the rules. Events and outcome of the record are not looked at: verification does that.

        Raises:
            EncodingError: the game has no encoding.
            UnplayableError: the rules do not allow it, or a name is one that no bot can have.
        """
        self.record: Final = record
        playback = Playback(record)
        for problem in name_problems(record):
            raise UnplayableError(problem.sentence)
        options = playback.game.codec.options_from(playback.options)
        self.encoding: Final[Encoding] = encoding_with(record.game, seats=len(record.seats), options=options)
        self.deal_rewards: Final[Sequence[list[float]]] = list(self._gains(playback))
        sides = playback.game.rules.sides(len(record.seats))
        self.match_rewards: Final = match_rewards(playback.outcome().placings, sides)

    def _gains(self, playback: Playback) -> Iterator[list[float]]:
        gains = Gains(playback.game, seats=len(self.record.seats))
        for entry in self.record.entries:
            if entry.HasField("shuffle") and playback.state.actor == CHANCE:
                due = playback.state.shuffle_due()
                if not due.shuffle and due.deal:
                    yield gains.take(playback.state)
            playback.play(entry)
        if playback.state.actor == FINISHED:
            yield gains.take(playback.state)

    def steps(self) -> Iterator[RecordedStep]:
        """Yield the ids that say what the seats chose, in order."""
        playback, deal, encoding = Playback(self.record), 0, self.encoding
        memories, numbers = [encoding.memory() for _ in self.record.seats], [0] * len(self.record.seats)
        for entry in self.record.entries:
            state = playback.state
            if entry.HasField("shuffle"):
                deal = state.shuffle_due().deal
            elif entry.HasField("choice"):
                seat, own = entry.choice.seat, not entry.choice.fault
                numbers[seat] += 1
                asked = encoding.decision(state.view(seat), state.legal_actions(), state.extras(), memories[seat])
                for part in encoding.ids(asked, playback.action(entry.choice)):
                    yield RecordedStep(deal, seat, numbers[seat], asked, part, own)
                    asked = asked._replace(parts=(*asked.parts, part))
            playback.play(entry)
