"""What a greeting says: who comes, what is wrong with it, and what else may keep a bot outside."""

from typing import Final, Self

from ordago import v1
from ordago.arena.admission.authenticator import Admission, Refusal
from ordago.arena.bot import Identity
from ordago.arena.connection import Status
from ordago.chance import MAX_NONCE_BYTES, MIN_NONCE_BYTES
from ordago.fingerprint import fingerprint
from ordago.names import MAX_NAME_LENGTH

MAX_OPEN_DECISIONS: Final = 1024
"""How many decisions may be open at a bot at once."""


class Unwelcome(Exception):  # noqa: N818 - it is a decision of the server, no error of it
    """The bot cannot come in."""

    def __init__(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """Say how its connection ends, why, and when it is worth while to come again, if it is."""
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.retry_after_ms = retry_after_ms

    @classmethod
    def by(cls, refusal: Refusal) -> Self:
        """Return what a refusal says."""
        return cls(refusal.status, refusal.sentence, retry_after_ms=refusal.retry_after_ms)


def check(refusal: Refusal | None) -> None:
    """Let a bot in that nothing stands against.

    Raises:
        Unwelcome: something does.
    """
    if refusal is not None:
        raise Unwelcome.by(refusal)


def check_hello(hello: v1.Hello) -> None:
    """Check what is the same for all who let bots in.

    Raises:
        Unwelcome: the greeting cannot be.
    """
    if not MIN_NONCE_BYTES <= len(hello.nonce) <= MAX_NONCE_BYTES:
        sentence = f"the nonce has {len(hello.nonce)} bytes; {MIN_NONCE_BYTES} to {MAX_NONCE_BYTES} are due"
        raise Unwelcome(Status.FAILED_PRECONDITION, sentence)
    texts = (hello.bot.name, hello.bot.version, hello.bot.build)
    if max(map(len, texts)) > MAX_NAME_LENGTH:
        sentence = f"the bot's name, version and build may have {MAX_NAME_LENGTH} characters each"
        raise Unwelcome(Status.FAILED_PRECONDITION, sentence)
    # They are shown to people, in terminals, logs and pages; what cannot be seen there can only do harm.
    if not all(text.isprintable() for text in texts):
        sentence = (
            "the bot's name, version and build may have printable characters only, and no space but the plain one"
        )
        raise Unwelcome(Status.FAILED_PRECONDITION, sentence)


def hello_key(token: str | None, hello: v1.Hello) -> bytes:
    """Return what a process is known by that says Hello with a token."""
    return fingerprint(f"{token}|{hello.nonce.hex()}|{hello.bot.name}")


def owner_of(account: str, stand_in: str) -> str:
    """Return whose a bot is: an account's, or, where none is known, that of a stand-in, an address for instance."""
    return f"account {account}" if account else stand_in


def identity_by(
    hello: v1.Hello, admission: Admission, games: frozenset[str], *, max_matches: int, origin: str
) -> Identity:
    """Return who a bot is, and what it takes on.

    Args:
        hello: what it says.
        admission: by what leave it comes in.
        games: the games that it plays here.
        max_matches: how many matches it may play at once.
        origin: where its connection comes from.
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
    """Return what a bot was built with. That is only told to people: what they cannot read is left out, not refused."""
    name = hello.sdk.name
    return name if name.isprintable() and len(name) <= MAX_NAME_LENGTH else ""
