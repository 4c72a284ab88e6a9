"""Listeners to the progress of a run."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # workers import this module without the rating code
    from ordago_ladder.rating.ladder import Ladder


class EventListener(Protocol):
    """A listener that a run reports its progress to."""

    def began(self, *, played: int, planned: int) -> None:
        """Matches begin: ``planned`` in all, of which ``played`` are over from an earlier run.

        An event in rounds calls it once for each round.
        """

    def played(self, number: int) -> None:
        """``number`` more results were committed."""

    def standings(self, ladder: "Ladder") -> None:
        """New standings were computed."""

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Check-in goes on: the remote entrants that are ``here``, and those that are ``missing``.

        A value of ``missing`` names the processes that the entrant lacks; it is empty where all of them are missing.
        """

    def noted(self, sentence: str) -> None:
        """Report a fact about the run that the organiser may want to know."""

    def warned(self, sentence: str) -> None:
        """Report an event that the organiser should know of."""


class Unwatched:
    """A listener that ignores everything: a base for listeners that need only some of the calls."""

    def began(self, *, played: int, planned: int) -> None:
        """Ignore it."""

    def played(self, number: int) -> None:
        """Ignore it."""

    def standings(self, ladder: "Ladder") -> None:
        """Ignore it."""

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Ignore it."""

    def noted(self, sentence: str) -> None:
        """Ignore it."""

    def warned(self, sentence: str) -> None:
        """Ignore it."""
