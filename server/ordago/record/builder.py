"""How a record comes about: entry by entry, while the match is played."""

from collections.abc import Sequence
from typing import Final, cast

from ordago import v1
from ordago.game import Outcome, Shuffle
from ordago.games.folder import AnyGame

FORMAT_VERSION: Final = 1
"""The version of the format that is written here."""


class RecordBuilder:
    """Writes the record of one match while it is played."""

    def __init__(
        self,
        *,
        match_id: str,
        game: AnyGame,
        options: v1.GameOptions,
        seats: Sequence[v1.RecordSeat],
        clock: v1.ClockTerms,
        commitment: bytes,
        deal_seed: str,
        attempt: int = 0,
        secret: bytes = b"",
    ) -> None:
        """Begin with what is known before the first shuffle.

        Args:
            match_id: the name of the match for ever.
            game: the game that is played.
            options: the options of the match, complete.
            seats: who plays, in order of seats.
            clock: the time that each seat has.
            commitment: the SHA-256 of the secret, 32 bytes.
            deal_seed: the seed text of the shuffles.
            attempt: how often the match was begun anew.
            secret: the secret, where the record is to reveal it.
        """
        self._record = v1.MatchRecord(
            format_version=FORMAT_VERSION,
            match_id=match_id,
            attempt=attempt,
            game=game.name,
            rules_version=game.rules.version,
            options=options,
            seats=seats,
            clock=clock,
            commitment=commitment,
            secret=secret,
            deal_seed=deal_seed,
        )
        self._new_entry = self._record.entries.add

    def shuffled(self, due: Shuffle, cards: Sequence[int]) -> None:
        """Record the outcome of a shuffle, in dealing order."""
        shuffle = self._new_entry().shuffle
        shuffle.deal = due.deal
        shuffle.shuffle = due.shuffle
        # A card of the engine is the number of the card in the contract.
        shuffle.cards.extend(cast(Sequence[v1.Card], cards))

    def chosen(
        self,
        seat: int,
        action: v1.Action,
        *,
        charged_ms: int,
        strikes: int = 0,
        fault: v1.Fault = v1.FAULT_UNSPECIFIED,
    ) -> None:
        """Record what a seat did.

        Args:
            seat: the seat.
            action: the action, complete. It is copied.
            charged_ms: the time that was charged, in milliseconds.
            strikes: how many answers were refused before.
            fault: why the default action was taken; unspecified where the action is the bot's own.
        """
        choice = self._new_entry().choice
        choice.seat = seat
        choice.action.CopyFrom(action)
        choice.charged_ms = charged_ms
        choice.strikes = strikes
        choice.fault = fault

    def happened(self, *events: v1.Event) -> None:
        """Record events in order, each with all that anybody could see of it. They are copied."""
        for event in events:
            self._new_entry().event.CopyFrom(event)

    def finish(self, outcome: Outcome) -> v1.MatchRecord:
        """Return the record of the match, which ended so."""
        self._record.outcome.CopyFrom(outcome_message(outcome))
        return self._record


def outcome_message(outcome: Outcome) -> v1.Outcome:
    """Return the message of an outcome."""
    # The reasons have the same numbers in the engine and in the contract.
    reason = cast(v1.OutcomeReason, outcome.reason.value)
    return v1.Outcome(reason=reason, scores=outcome.scores, placings=outcome.placings)
