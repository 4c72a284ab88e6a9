"""All that a server keeps about an account, gathered by several calls into one JSON value."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from google.protobuf import json_format
from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.client import CallError

_MOST_FAULT_PAGES: Final = 10
"""A thousand faults. The server answers twenty such calls at a stroke."""
_FAULTS_A_PAGE: Final = 100

Ask: TypeAlias = Callable[[Message, type[Any]], Any]
"""Makes the call of a request, and returns its answer of a type."""


def gathered(account: str, ask: Ask, *, ask_ladder: Ask | None) -> dict[str, Any]:
    """Return what is kept of an account, with the field names of the contract.

    Args:
        account: its name; empty for that of the token.
        ask: asks the accounts.
        ask_ladder: asks the ladder; ``None`` if it cannot be asked, so that no faults are gathered.

    Raises:
        CallError: a call failed, other than for want of a ladder.
    """
    request = v1.ExportAccountRequest(account=account)
    answer = ask(request, v1.ExportAccountResponse)
    kept = _values(answer)
    while answer.next_page_token:
        request.page_token = answer.next_page_token
        answer = ask(request, v1.ExportAccountResponse)
        kept["entries"] += _values(answer)["entries"]
    del kept["next_page_token"]
    if ask_ladder is not None:
        kept["faults"] = _faults(answer.account.name, ask_ladder)
    return kept


def _faults(account: str, ask: Ask) -> list[Any]:
    """Return the newest faults of the bots of an account; empty if the server has no ladder."""
    request = v1.ListFaultsRequest(account=account, page_size=_FAULTS_A_PAGE)
    faults: list[Any] = []
    try:
        for _ in range(_MOST_FAULT_PAGES):
            answer = ask(request, v1.ListFaultsResponse)
            faults += _values(answer)["faults"]
            request.page_token = answer.next_page_token
            if not request.page_token:
                break
    except CallError as error:
        if error.status != "UNIMPLEMENTED":
            raise
    return faults


def _values(message: Message) -> dict[str, Any]:
    values: dict[str, Any] = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return values
