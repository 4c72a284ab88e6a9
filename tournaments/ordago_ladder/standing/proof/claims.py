"""The claims that ``ordago verify`` prints for a standing ladder, each with its basis: proof, receipts, or word."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ordago.scene import Sentence
from ordago_ladder.pages.claims import Basis, Claim
from ordago_ladder.standing.publication.published import PublishedEpoch


class EpochSummary(NamedTuple):
    """A summary of a verified epoch: all that its claims need."""

    number: int
    anchor: str
    revealed: bool
    records: bool
    """True if its records are there, or it has no results."""
    matches: int
    results: int
    voids: int
    unrated: int
    """The number of unrated matches."""

    @classmethod
    def of(cls, epoch: PublishedEpoch, *, records: bool) -> "EpochSummary":
        """Return the summary of an epoch. ``records`` is True if its records are there."""
        ledger = epoch.ledger
        unrated = sum(seating.unrated for seating in ledger.seatings.values())
        counts = len(ledger.seatings), len(ledger.results), len(ledger.voids), unrated
        return cls(epoch.number, epoch.begin.anchor, ledger.end is not None, records or not ledger.results, *counts)


def claims_of_epochs(epochs: Sequence[EpochSummary], *, other_claims: Sequence[Claim] = ()) -> tuple[Claim, ...]:
    """Return the claims about epochs, each with its basis: proved first, the organiser's word last.

    Args:
        epochs: the verified epochs, ascending.
        other_claims: claims about the other published files.
    """
    if not epochs:
        return ()
    return (
        *(Claim(Basis.PROVED, Sentence(sentence)) for sentence in _proved(epochs)),
        *(claim for claim in other_claims if claim.basis is Basis.PROVED),
        *(Claim(Basis.RECEIPTS, Sentence(sentence)) for sentence in _by_receipts()),
        *(Claim(Basis.WORD, Sentence(sentence)) for sentence in _by_word(epochs)),
        *(claim for claim in other_claims if claim.basis is Basis.WORD),
        Claim(Basis.WORD, Sentence("Other files in the folder besides the epochs: they were not checked.")),
    )


def _proved(epochs: Sequence[EpochSummary]) -> Iterator[str]:
    if len(epochs) > 1:
        yield (
            f"Epochs {epochs[0].number} to {epochs[-1].number} follow one another without a gap; each names the head "
            "of the previous ledger at its beginning, with all matches that were seated until then."
        )
    yield "Each ledger is a chain in a possible order; matches are numbered without gaps."
    yield "Nobody sat at a table twice, nor two bots of one account at a rated one, as the ledgers name accounts."
    revealed = [epoch for epoch in epochs if epoch.revealed]
    if revealed:
        yield from _proved_of_revealed(revealed)
    for epoch in epochs:
        if not epoch.revealed:
            over = epoch.results + epoch.voids
            yield (
                f"Epoch {epoch.number} is not revealed: {over} of {epoch.matches} matches are over; deals and records "
                "can be proved when it is."
            )


def _proved_of_revealed(revealed: Sequence[EpochSummary]) -> Iterator[str]:
    yield f"Revealed epochs: {_ranges(revealed)}. The link of each leads back to the anchor {revealed[0].anchor}."
    matches, results = sum(epoch.matches for epoch in revealed), sum(epoch.results for epoch in revealed)
    yield (
        f"Of the {matches} matches seated in them, {results} have a result; the others are void. The name of each "
        "follows from secret and number."
    )
    if not any(epoch.records and epoch.results for epoch in revealed):
        return
    yield (
        "Every shuffle in a record follows from the secret, the number of the match and the nonces of those at the "
        "table, which the ledger had before it began."
    )
    if unrated := sum(epoch.unrated for epoch in revealed):
        yield f"{unrated} of the matches were unrated before their first card; no standing counts them."
    yield (
        "Every record was played by the rules of its game, under the settings of its epoch; its score follows from "
        "its choices, and charged times, strikes, faults and forfeits agree with these settings."
    )


def _ranges(epochs: Sequence[EpochSummary]) -> str:
    """Return the ascending numbers of epochs as text, with consecutive ones as one range."""
    ranges: list[list[int]] = []
    for epoch in epochs:
        if ranges and epoch.number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [epoch.number]
        else:
            ranges.append([epoch.number])
    return ", ".join(" to ".join(map(str, ends)) for ends in ranges)


def _by_receipts() -> Iterator[str]:
    yield "That the anchor is the one published before the first match: compare it with the one you saw then."
    yield (
        "That each ledger is the one published during play, and not one of two: that no match was left out, or added "
        "later. A copy from then, or a bot's receipts, can be checked against its first lines. No later ledger names "
        "the results of matches that were still running when the next epoch began."
    )
    yield "That a bot made the choices recorded for it."


def _by_word(epochs: Sequence[EpochSummary]) -> Iterator[str]:
    yield (
        "Who was seated with whom, and when: the organiser knows the secret and the nonces, and so the cards of a "
        "table before seating anyone at it."
    )
    yield "That each account belongs to one author, and that no author knew a secret before it was revealed."
    yield "How long bots took, when a match ended, and what went wrong between decisions."
    without = [epoch for epoch in epochs if epoch.revealed and not epoch.records]
    if without:
        yield (
            f"What was played in epochs {_ranges(without)}: their records are missing. Anyone who kept one can still "
            "prove it."
        )
    voids = sum(epoch.voids for epoch in epochs)
    if voids:
        yield f"Why {'a match was' if voids == 1 else f'{voids} matches were'} void."
