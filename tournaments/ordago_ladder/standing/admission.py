"""Admission to a ladder: names appear in deals, ledgers and lists, so they have to be plain and unmistakable."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from ordago import v1
from ordago.arena.admission.authenticator import Admission, LastingAuthenticator, Refusal
from ordago.arena.connection import Status
from ordago.journal.v1 import JournaledSession
from ordago.names import PLAIN_NAME, composed, is_plain_name, misleads, quoted, skeleton


class LadderAuthenticator:
    """An authenticator that also refuses names that a ladder cannot show, and counts sessions at its other servers."""

    def __init__(
        self,
        authenticator: LastingAuthenticator,
        *,
        taken: Iterable[str],
        elsewhere: Callable[[str], Counter[str]] = lambda _account: Counter(),
    ) -> None:
        """Prepare to admit bots.

        Args:
            authenticator: checks tokens; it is asked first.
            taken: names, such as those of house bots, that no bot may have or imitate.
            elsewhere: returns the sessions of an account at other servers of the ladder, by names of bots.
        """
        self._authenticator = authenticator
        self._elsewhere = elsewhere
        self._taken = {skeleton(name) for name in taken}

    def recognise(self, token: str | None) -> str:
        """Return the name of a valid token."""
        return self._authenticator.recognise(token)

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:
        """Return the admission of a bot by its token, or a refusal of its token or its name."""
        admission = self._authenticator.admit(token, bot)
        if isinstance(admission, Refusal):
            return admission
        objection = self._objection_to(admission.name or bot.name)
        if objection is not None or admission.share is None:
            return objection or admission
        return replace(admission, share=admission.share._replace(elsewhere=self._elsewhere(admission.account)))

    def review(self, admission: Admission) -> Refusal | None:
        """Return a refusal if an admission is not valid any more, else ``None``."""
        return self._authenticator.review(admission)

    def readmit(self, session: JournaledSession) -> Admission:
        """Return the admission of a session that an earlier server began."""
        return self._authenticator.readmit(session)

    def _objection_to(self, name: str) -> Refusal | None:
        if not name:
            return Refusal(Status.FAILED_PRECONDITION, "a ladder requires a bot name: set one")
        if name != composed(name) or not is_plain_name(name) or misleads(name):
            sentence = f"a name on a ladder has {PLAIN_NAME}, and letters of one alphabet: {quoted(name)} cannot be one"
            return Refusal(Status.FAILED_PRECONDITION, sentence)
        if skeleton(name) in self._taken:
            sentence = f"the name {name!r} is that of a house bot, or looks like it; give this bot another one"
            return Refusal(Status.PERMISSION_DENIED, sentence)
        return None
