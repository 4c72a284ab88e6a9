"""Split a command that is started without a shell, and refuse syntax that only a shell would understand."""

import re
import shlex
from collections.abc import Sequence
from typing import Final

_QUOTED: Final = re.compile(r"""\\(.)|'[^']*'|"((?:\\.|[^"\\])*)\"""", re.DOTALL)
_SHELL: Final = "no shell reads commands"
_BY_SHELL: Final = "or run a shell: sh -c '…'"
_VARIABLE: Final = re.compile(r"\$[A-Za-z_0-9{(@*#?$!'\"-]\w*|`")
_OPERATOR: Final = re.compile(r"\|\||&&|[0-9]*[<>]+|[|&;()\n]")
_PATTERN: Final = re.compile(r"\S*(?:[*?]|\[[^\s\]]+\])\S*")
_BRACES: Final = re.compile(r"\S*\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}\S*")
_COMMENT: Final = re.compile(r"(?<!\S)#\S*")
_HOME: Final = re.compile(r"(?<!\S)~\S*")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*\+?=")
_BUILT_IN: Final = frozenset(
    (
        *(".", "alias", "case", "cd", "declare", "eval", "exec", "export", "for", "function", "if", "local", "pushd"),
        *("set", "shopt", "source", "trap", "ulimit", "umask", "unset", "until", "while", "{", "[[", "!"),
    )
)
"""Shell built-ins. Even where programs have these names, they change nothing for the bot."""


class NoCommandError(ValueError):
    """A text that cannot be run as a command. The message says what is wrong, and what to write instead."""


def command_words(text: str) -> tuple[str, ...]:
    """Return the words of a command, split at spaces and quoted as in a shell.

    Raises:
        NoCommandError: a quote is open, or the text needs a shell.
    """
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        raise NoCommandError("has an open quote; close it, or write a backslash before it") from None
    check_program(words)
    bare = _QUOTED.sub(_without_quotes, text).strip()
    _refuse(_COMMENT.search(bare), "leave the comment out, or put quotes around it")
    _refuse(_HOME.search(bare), "write the folder in full")
    _refuse(_VARIABLE.search(bare), "write the value itself,", _BY_SHELL)
    _refuse(_OPERATOR.search(bare), "put quotes around what belongs to an argument,", _BY_SHELL)
    _refuse(_PATTERN.search(bare) or _BRACES.search(bare), "write each name, put quotes around it,", _BY_SHELL)
    return words


def check_program(words: Sequence[str]) -> None:
    """Check that the first word of a command can be a program.

    Raises:
        NoCommandError: only a shell understands it.
    """
    first = words[0] if words else ""
    if _ASSIGNMENT.match(first):
        name, _, value = first.partition("=")
        advice = (
            f'set it by env = {{ {name} = "{value}" }} in an event file, or begin with the program env: env {first} …'
        )
        raise NoCommandError(f"begins with {first!r}, and {_SHELL}: {advice}")
    if first in _BUILT_IN:
        instead = "set 'folder' in an event file" if first in ("cd", "pushd") else "leave it out"
        raise NoCommandError(f"begins with {first!r}, and {_SHELL}: {instead}, {_BY_SHELL}")
    if first.startswith(("~", "$")):
        raise NoCommandError(f"begins with {first!r}, and {_SHELL}: write the path in full")


def _without_quotes(quoted: re.Match[str]) -> str:
    """Return the part of a quotation that a shell would still expand: variables between double quotes."""
    inside = re.sub(r"\\.", "_", quoted[2] or "", flags=re.DOTALL)
    return "_" + "".join(_VARIABLE.findall(inside))


def _refuse(found: re.Match[str] | None, *advice: str) -> None:
    if found is not None:
        what = "a line break" if found[0] == "\n" else repr(found[0])
        raise NoCommandError(f"holds {what}, and {_SHELL}: {' '.join(advice)}")
