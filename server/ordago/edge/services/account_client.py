"""The other end of ``AccountService``."""

from ordago.edge.services.accounts import ACCOUNT_SERVICE
from ordago.edge.services.client import CallError, Client, call_name

__all__ = ["AccountClient", "CallError", "call_name"]


class AccountClient(Client):
    """Asks for accounts."""

    service = ACCOUNT_SERVICE
    absent = "has no accounts: it is to be started with --tokens"
