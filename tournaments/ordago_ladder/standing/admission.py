"""Who comes in to a ladder: names stand in deals, ledgers and lists, so they have to be plain, and nobody else's."""

from collections.abc import Iterable

from ordago import v1
from ordago.arena.admission.authenticator import Admission, LastingAuthenticator, Refusal
from ordago.arena.connection import Status
from ordago.journal.v1 import JournaledSession
from ordago.names import PLAIN_NAME, composed, is_plain_name, misleads, quoted, skeleton


class LadderAuthenticator:
    """Lets those in whom another authenticator lets in, if they have names that a ladder can show."""

    def __init__(self, authenticator: LastingAuthenticator, *, taken: Iterable[str]) -> None:
        """Ask another authenticator first. Nobody gets a name that could be taken for one of some others."""
        self._authenticator = authenticator
        self._taken = {skeleton(name) for name in taken}

    def recognise(self, token: str | None) -> str:
        """Return what a token is called that is good."""
        return self._authenticator.recognise(token)

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:
        """Return the leave that a token gives a bot, if its name can stand on the ladder."""
        admission = self._authenticator.admit(token, bot)
        if isinstance(admission, Refusal):
            return admission
        return self._objection_to(admission.name or bot.name) or admission

    def review(self, admission: Admission) -> Refusal | None:
        """Return why a leave is not good any more, or ``None`` if it is."""
        return self._authenticator.review(admission)

    def readmit(self, session: JournaledSession) -> Admission:
        """Return the leave of a session that began before."""
        return self._authenticator.readmit(session)

    def _objection_to(self, name: str) -> Refusal | None:
        if not name:
            return Refusal(Status.FAILED_PRECONDITION, "bots on a ladder are known by their names: give it one")
        if name != composed(name) or not is_plain_name(name) or misleads(name):
            sentence = f"a name on a ladder has {PLAIN_NAME}, and letters of one alphabet: {quoted(name)} cannot be one"
            return Refusal(Status.FAILED_PRECONDITION, sentence)
        if skeleton(name) in self._taken:
            sentence = f"the name {name!r} is that of a bot of the house, or looks like it; give this bot another one"
            return Refusal(Status.PERMISSION_DENIED, sentence)
        return None
