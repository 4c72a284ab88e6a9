"""Checks of a Hello, and the identity of a bot by it."""

from typing import Final, Self

from ordago import v1
from ordago.arena.admission.authenticator import Admission, Refusal
from ordago.arena.bot import Identity
from ordago.arena.connection import Status
from ordago.chance import MAX_NONCE_BYTES, MIN_NONCE_BYTES
from ordago.fingerprint import fingerprint
from ordago.names import MAX_NAME_LENGTH

MAX_OPEN_DECISIONS: Final = 1024
"""Maximum number of decisions open at a bot at once."""


class Unwelcome(Exception):  # noqa: N818 - it is a decision of the server, no error of it
    """The refusal of a Hello, raised."""

    def __init__(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """Hold the status, the reason, and the milliseconds after which to try again; 0 if that is of no use."""
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.retry_after_ms = retry_after_ms

    @classmethod
    def by(cls, refusal: Refusal) -> Self:
        """Return the exception for a refusal."""
        return cls(refusal.status, refusal.sentence, retry_after_ms=refusal.retry_after_ms)


def check(refusal: Refusal | None) -> None:
    """Raise a refusal, if there is one.

    Raises:
        Unwelcome: there is one.
    """
    if refusal is not None:
        raise Unwelcome.by(refusal)


def check_hello(hello: v1.Hello) -> None:
    """Check the nonce of a Hello, and the texts that the bot gives of itself.

    Raises:
        Unwelcome: one of them is not allowed.
    """
    if not MIN_NONCE_BYTES <= len(hello.nonce) <= MAX_NONCE_BYTES:
        sentence = f"the nonce has {len(hello.nonce)} bytes; {MIN_NONCE_BYTES} to {MAX_NONCE_BYTES} are due"
        raise Unwelcome(Status.FAILED_PRECONDITION, sentence)
    texts = (hello.bot.name, hello.bot.version, hello.bot.build)
    if max(map(len, texts)) > MAX_NAME_LENGTH:
        sentence = f"the bot's name, version and build may have {MAX_NAME_LENGTH} characters each"
        raise Unwelcome(Status.FAILED_PRECONDITION, sentence)
    # Terminals, logs and pages show them: control and invisible characters could forge lines or names there.
    if not all(text.isprintable() for text in texts):
        sentence = (
            "the bot's name, version and build may have printable characters only, and no space but the plain one"
        )
        raise Unwelcome(Status.FAILED_PRECONDITION, sentence)


def hello_key(token: str | None, hello: v1.Hello) -> bytes:
    """Return the key of a process: a digest of its token, nonce and bot name."""
    return fingerprint(f"{token}|{hello.nonce.hex()}|{hello.bot.name}")


def owner_of(account: str, stand_in: str) -> str:
    """Return the key that limits are counted by: the account, or a stand-in such as an address if there is none."""
    return f"account {account}" if account else stand_in


def identity_by(
    hello: v1.Hello, admission: Admission, games: frozenset[str], *, max_matches: int, origin: str
) -> Identity:
    """Return the identity of a bot.

    Args:
        hello: its Hello.
        admission: its admission, whose name and version take precedence.
        games: the games that it plays here.
        max_matches: maximum of matches at once that the server allows.
        origin: the address that its connection comes from.
    """
    return Identity(
        name=admission.name or hello.bot.name or admission.usual_name,
        version=admission.version or hello.bot.version,
        build=hello.bot.build,
        nonce=hello.nonce,
        games=games,
        max_open_decisions=min(hello.max_open_decisions or MAX_OPEN_DECISIONS, MAX_OPEN_DECISIONS),
        max_matches=min(hello.max_matches or max_matches, max_matches),
        matches_in_all=hello.matches_in_all,
        owner=owner_of(admission.account, origin),
        account=admission.account,
        sdk=_sdk_of(hello),
    )


def _sdk_of(hello: v1.Hello) -> str:
    """Return the SDK that a bot reports; empty if the name is too long or unprintable, since it is for display only."""
    name = hello.sdk.name
    return name if name.isprintable() and len(name) <= MAX_NAME_LENGTH else ""
