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

    @classmethod
    def of(cls, epoch: PublishedEpoch, *, records: bool) -> "EpochSummary":
        """Return the summary of an epoch. ``records`` is True if its records are there."""
        ledger = epoch.ledger
        counts = len(ledger.seatings), len(ledger.results), len(ledger.voids)
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
        Claim(Basis.WORD, Sentence("What else stands in the folder beside the epochs: it was not looked at.")),
    )


def _proved(epochs: Sequence[EpochSummary]) -> Iterator[str]:
    if len(epochs) > 1:
        yield (
            f"Epochs {epochs[0].number} to {epochs[-1].number} follow one another without a gap; each names the head "
            "of the ledger before, as that was when it began, with all matches that were seated until then."
        )
    yield "Each ledger is a chain in an order that can be; matches are numbered without gaps."
    yield "Nobody sat at a table twice, nor two bots of one account, as the ledgers name accounts."
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
        f"Of {matches} matches that were seated in them {results} have a result; the others are void. The name of each "
        "follows from secret and number."
    )
    if not any(epoch.records and epoch.results for epoch in revealed):
        return
    yield (
        "Every shuffle in a record follows from the secret, the number of the match and the nonces of those at the "
        "table, which the ledger had before it began."
    )
    yield (
        "Every record was played by the rules of its game, under the settings of its epoch; its score follows from its "
        "choices, and charged times, strikes, faults and forfeits are such as those allow."
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
    yield "That the anchor is the one that was published before the first match: compare it with what you saw then."
    yield (
        "That each ledger is the one that was told of and published while it was played, and not one of two: that no "
        "match was left out, or put in later. A copy of it from then, or a bot's receipts, are checked against "
        "its first lines. No later ledger names what became of matches that still ran when the next epoch began."
    )
    yield "That the choices of a bot are those that it made."


def _by_word(epochs: Sequence[EpochSummary]) -> Iterator[str]:
    yield (
        "Who was seated with whom, and when: the organiser knows the secret and the nonces, and so the cards of a "
        "table before he seats anybody at it."
    )
    yield "That an account is one author's, and that no author was told a secret before it was revealed."
    yield "What time a bot took, when a match ended, and what went wrong between two decisions."
    without = [epoch for epoch in epochs if epoch.revealed and not epoch.records]
    if without:
        yield f"What was played in epochs {_ranges(without)}: no records are there. Who kept one can still prove it."
    voids = sum(epoch.voids for epoch in epochs)
    if voids:
        yield f"Why {'a match was' if voids == 1 else f'{voids} matches were'} void."
