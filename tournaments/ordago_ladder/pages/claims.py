"""The claims that a published event proves, or does not prove, as ``ordago verify`` prints and the page shows them.

They are a function of the event and its ledger. A claim is proved only if ``ordago verify`` finds no problem: a page
that calls itself proved is no evidence.
"""

from collections.abc import Iterator
from enum import Enum, unique
from typing import TYPE_CHECKING, Final, NamedTuple

from ordago.scene import Sentence, sentence

if TYPE_CHECKING:  # processes that verify records import this module alone
    from ordago.record.ledgers.event import Ledger
    from ordago_ladder.settings.settings import Settings


@unique
class Basis(Enum):
    """The basis of a claim."""

    PROVED = "proved"
    """The published folder: anyone can recompute it."""
    RECEIPTS = "rests on receipts"
    """The receipts that any one entrant has stored."""
    WORD = "rests on the organiser's word"

    @property
    def words(self) -> Sentence:
        """The heading for claims with this basis."""
        return _HEADINGS[self]


_HEADINGS: Final = {
    Basis.PROVED: sentence("Proved"),
    Basis.RECEIPTS: sentence("Rests on receipts"),
    Basis.WORD: sentence("Rests on the organiser's word"),
}


class Claim(NamedTuple):
    """A claim that an event makes by being published."""

    basis: Basis
    said: Sentence

    @property
    def sentence(self) -> str:
        """The claim in English."""
        return self.said.written()


OF_ALL_FILES: Final = sentence("Ladder, tables and this page follow from the results, each file byte for byte.")
"""The claim that does not hold where another version of Ordago made the pages."""


def claims_of(settings: "Settings", ledger: "Ledger") -> tuple[Claim, ...]:
    """Return the claims of an event: proved ones first, those on the organiser's word last."""
    proved = _proved_at_the_end(settings, ledger) if ledger.end else _proved_before_the_end(ledger)
    return (
        *(Claim(Basis.PROVED, said) for said in (*_proved_always(), *proved)),
        *(Claim(Basis.RECEIPTS, said) for said in _by_receipts()),
        *(Claim(Basis.WORD, said) for said in _by_word(settings, ledger)),
    )


def _proved_always() -> Iterator[Sentence]:
    yield sentence("Every open record was played by the rules of its game; its score follows from its choices.")
    yield sentence("Charged times, strikes, faults and forfeits agree with the terms of the event.")
    yield sentence("Each suspended entrant had forfeited the number of matches that the event allows, in ledger order.")
    yield OF_ALL_FILES


def _proved_before_the_end(ledger: "Ledger") -> Iterator[Sentence]:
    yield from _proved_of_parts(ledger)
    yield sentence("Nothing more yet: deals and schedule can be proved when the secret is revealed.")


def _proved_of_parts(ledger: "Ledger") -> Iterator[Sentence]:
    if len(ledger.parts) > 1:
        yield sentence(
            "Each further part of the event has a secret that was committed to after the previous part was over, "
            "and nonces that came after that."
        )


def _proved_at_the_end(settings: "Settings", ledger: "Ledger") -> Iterator[Sentence]:
    yield sentence(
        "Every shuffle comes from the secret, which was committed to together with games, terms and entrants, and from "
        "the nonces of the entrants at the table."
    )
    yield from _proved_of_parts(ledger)
    if ledger.beacon:
        yield sentence("Every shuffle comes from the value of the beacon, too.")
    if ledger.restorations:
        yield sentence("After each restoration from a backup, every shuffle comes from the value in its entry, too.")
    yield sentence("Every match in the schedule of this event file has one result, and there are no others.")
    if ledger.gone:
        yield sentence(
            "Only matches of {names} are missing, which were suspended or withdrew before they ended.",
            names=", ".join(sorted(ledger.gone)),
        )
    if ledger.changes:
        yield sentence(
            "The event file changed as the ledger says, and no match that was due before was dropped for it."
        )
    if settings.event.secret is not None:
        yield sentence("But the secret is in the event file: anyone who had read it could know the cards.")


def _by_receipts() -> Iterator[Sentence]:
    yield sentence(
        "That commitment and ledger are the ones the entrants saw and were not rewritten later: that no match was "
        "dropped, replaced or repeated, and that the event was not run twice with the better run published."
    )
    yield sentence("That an entrant made the choices recorded for it: the receipt of a match names its record.")


def _by_word(settings: "Settings", ledger: "Ledger") -> Iterator[Sentence]:
    yield sentence(
        "Everything that rests on receipts, where only the organiser has any. An organiser who starts all bots can "
        "play and publish anything; only running the same bots again can contradict it."
    )
    yield sentence("That an entrant's bot matches the event file: its command, and its unpublished environment.")
    yield sentence(
        "How long bots took, and what went wrong between decisions: connections, crashes, malformed messages."
    )
    if settings.event.beacon is None:
        yield sentence(
            "That no entrant colludes with the organiser: with the secret and the other nonces an entrant could "
            "choose its own nonce, and so the deals. A public beacon prevents that; this event has none."
        )
    else:
        yield sentence("That the beacon's value is the one its source published: compare it there.")
    yield from _of_this_event(settings, ledger)


def _of_this_event(settings: "Settings", ledger: "Ledger") -> Iterator[Sentence]:
    absent = dict.fromkeys(entrant.name for entrant in ledger.checked_in if not entrant.nonce)
    if absent:
        yield sentence(
            "That {names} did not connect when the event began, and so contributed no nonce to the deals, not even to "
            "those of matches after their late arrival.",
            names=", ".join(absent),
        )
    if ledger.fewer_processes:
        yield sentence(
            "That {names} connected with fewer processes than the event file says.",
            names=", ".join(ledger.fewer_processes),
        )
    if ledger.changes:
        yield sentence(
            "Why the event file changed when it did, not earlier or later, and that its times are right: {times}.",
            times=", ".join(change.time for change in ledger.changes),
        )
    if ledger.restorations:
        yield sentence(
            "Why the event was restored from a backup, which results it lost, that its times are right and that its "
            "values were drawn by chance, not chosen for their deals: {times}.",
            times=", ".join(restoration.time for restoration in ledger.restorations),
        )
    if ledger.closing is not None:
        yield sentence("That the event was closed at the time in its file, not earlier or later.")
    if ledger.voids:
        if len(ledger.voids) == 1:
            yield sentence("Why an attempt at a match was void, and was played again with other deals.")
        else:
            yield sentence(
                "Why {attempts} attempts were void, and were played again with other deals.", attempts=len(ledger.voids)
            )
    if any(entrant.env for entrant in settings.entrants):
        named = [entrant.name for entrant in settings.entrants if entrant.env]
        yield sentence("The values of the extra environment variables of {names}.", names=", ".join(named))
