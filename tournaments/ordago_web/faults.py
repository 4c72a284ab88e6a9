"""What went wrong with the bots of an author, as its account page lists it."""

from collections.abc import Sequence
from typing import NamedTuple

from ordago import v1
from ordago.names import visible
from ordago.record import fault_name
from ordago_web.ladder.places import Link, Time, bot_link, match_place, place_with, time_of


class FaultRow(NamedTuple):
    """A decision that went wrong, or a forfeit."""

    at: Time | None
    """The end of the match."""
    bot: Link
    match: str
    """The address of the match."""
    seat: int
    """From 1."""
    decision: int
    refusals: Sequence[str]
    """The rule and the sentence of each refused answer."""
    fault: str
    """The fault in words; empty if an answer was good in the end."""
    forfeited: bool
    place: str
    """The address of the decision as a file; empty if there is none."""


class FaultTable(NamedTuple):
    """A page of what went wrong."""

    rows: Sequence[FaultRow]
    older: str
    """The address of the next page; empty if this is the last."""


def fault_table(answer: v1.ListFaultsResponse) -> FaultTable:
    """Return the table of an answer."""
    older = place_with("/account", faults=answer.next_page_token) + "#faults" if answer.next_page_token else ""
    return FaultTable([_row(fault) for fault in answer.faults], older)


def _row(fault: v1.BotFault) -> FaultRow:
    refused = [each.refused for each in fault.refusals]
    return FaultRow(
        at=time_of(fault.ended),
        bot=bot_link(fault.bot),
        match=match_place(fault.match_id),
        seat=fault.seat + 1,
        decision=fault.decision,
        refusals=[visible(f"{one.rule}: {one.sentence}" if one.sentence else one.rule) for one in refused],
        fault=fault_name(fault.fault).replace("_", " ") if fault.fault else "",
        forfeited=fault.forfeited,
        place=place_with(f"/account/faults/{fault.match_id}/{fault.decision}.jsonl", bot=fault.bot)
        if fault.decision
        else "",
    )
