"""Files with a token: one line of printable ASCII, perhaps between white space. ``clients/vectors`` has test cases."""

from pathlib import Path
from typing import Final

_LONGEST_BYTES: Final = 8192
"""No token that grpc can send in its metadata is longer."""
_WHITE_SPACE: Final = b" \t\r\n"
_MARK_OF_UTF_8: Final = b"\xef\xbb\xbf"
_MARKS_OF_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


class TokenFileError(Exception):
    """A file has no token that could be sent. The message gives the reason, and never quotes the file."""


def read_token(path: Path) -> str:
    """Read the token in a file, which may be a pipe.

    Raises:
        OSError: the file cannot be read.
        TokenFileError: it has no token that could be sent.
    """
    with path.open("rb") as file:
        return parse_token(file.read(_LONGEST_BYTES + 1))


def parse_token(contents: bytes) -> str:
    """Return the token in the contents of a file.

    Raises:
        TokenFileError: there is none that could be sent.
    """
    if contents.startswith(_MARKS_OF_UTF_16) or 0 in contents:
        raise TokenFileError("it is in UTF-16")
    if contents.startswith(_MARK_OF_UTF_8):
        raise TokenFileError("it begins with a byte-order mark")
    token = contents.strip(_WHITE_SPACE)
    if not token:
        raise TokenFileError("it has no token")
    if len(contents) > _LONGEST_BYTES:
        raise TokenFileError(f"it is longer than {_LONGEST_BYTES} bytes")
    if b"\n" in token or b"\r" in token:
        raise TokenFileError("it has more than one line")
    if not is_token(token.decode("latin-1")):
        raise TokenFileError("it has a character that no token has")
    return token.decode()


def is_token(text: str) -> bool:
    """Return True for printable ASCII without spaces. grpc refuses to send anything else, at every attempt."""
    return all("!" <= sign <= "~" for sign in text)
