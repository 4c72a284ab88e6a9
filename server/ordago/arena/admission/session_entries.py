"""Sessions: how they are named and resumed, and what a journal holds of them."""

import secrets
from typing import Final

from ordago import v1
from ordago.arena.admission.authenticator import Admission
from ordago.arena.admission.greeting import owner_of
from ordago.arena.bot import Identity, Session
from ordago.fingerprint import fingerprint
from ordago.journal.v1 import JournaledSession

_SESSION_ID_BYTES: Final = 12
"""96 bits: no two sessions ever have one name. It is no secret."""
_RESUME_TOKEN_BYTES: Final = 24
"""192 bits: nobody guesses it, however often he may try."""


def new_token() -> tuple[bytes, str]:
    """Return the digest of a new token that resumes a session, and the token, which is told to the bot alone."""
    token = secrets.token_urlsafe(_RESUME_TOKEN_BYTES)
    return fingerprint(token), token


def new_session() -> tuple[Session, str]:
    """Return a new session, and the token that resumes it."""
    digest, token = new_token()
    return Session(secrets.token_hex(_SESSION_ID_BYTES), digest), token


def session_entry(session: Session, identity: Identity, admission: Admission) -> JournaledSession:
    """Return what a journal holds of a session."""
    return JournaledSession(
        session_id=session.id,
        token_digest=session.token_digest,
        bot=v1.Software(name=identity.name, version=identity.version, build=identity.build),
        nonce=identity.nonce,
        games=sorted(identity.games),
        max_open_decisions=identity.max_open_decisions,
        max_matches=identity.max_matches,
        matches_in_all=identity.matches_in_all,
        account=admission.account,
        account_token_digest=admission.fingerprint,
        last_match_handle=session.last_handle,
    )


def session_of(entry: JournaledSession) -> Session:
    """Return the session of a journal."""
    return Session(entry.session_id, entry.token_digest, entry.last_match_handle)


def identity_of(entry: JournaledSession) -> Identity:
    """Return who the bot of a session of a journal is."""
    return Identity(
        name=entry.bot.name,
        version=entry.bot.version,
        build=entry.bot.build,
        nonce=entry.nonce,
        games=frozenset(entry.games),
        max_open_decisions=entry.max_open_decisions,
        max_matches=entry.max_matches,
        matches_in_all=entry.matches_in_all,
        # Of an address the journal knows nothing; so such a bot has an owner of its own, whom nobody pushes out.
        owner=owner_of(entry.account, f"session {entry.session_id}"),
        account=entry.account,
    )
