"""Detect from the output of a failed build whether a requirement is missing on this machine, and which.

A language is often only partly installed: a compiler without a library, an SDK that is too old, a package manager
without a network. A list of programs does not show that, but the messages of the tools do. They are listed here.
"""

import re
from collections.abc import Sequence
from typing import Final

_PROGRAM: Final = "there is no program {what!r} on this machine"
_LIBRARY: Final = "{what} is not installed on this machine"
_NO_COMPILER: Final = "there is no C++ compiler on this machine"
_TOO_OLD: Final = "it needs {what}, and what is on this machine is older"
_PACKAGES: Final = "its packages cannot be fetched from here"
_NPM_CODES: Final = (
    "ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT"
)

# Output is searched with all white space as single spaces, since some tools break lines anywhere.
_WORDS: Final[Sequence[tuple[str, str]]] = (
    # CMake, compilers and linkers. A missing header of the project itself is a bug in the project.
    (r'Could not find a package configuration file provided by "(?P<what>[^"]+)"', _LIBRARY),
    (r"find_package for module (?P<what>\w+) called with REQUIRED, but CMAKE_DISABLE", _LIBRARY),
    (r"CMake Error at \S+ \(message\): Could NOT find (?P<what>\w+)", _LIBRARY),
    (r"but it set (?P<what>\w+)_FOUND to FALSE", _LIBRARY),
    (r"fatal error: (?P<what>(?!ordago/)\S+): No such file or directory [\d |]*# ?include <", _LIBRARY),
    (r"cannot find -l(?P<what>[\w+.-]+)", _LIBRARY),
    (r"No CMAKE_CXX_COMPILER could be found|CMAKE_CXX_COMPILER not set", _NO_COMPILER),
    (r"is not a full path to an existing compiler|Could not find compiler set in", _NO_COMPILER),
    (
        r"feature \"cxx_std_20\" is not known|unrecognized command-line option .-std=c\+\+20",
        "it needs a compiler for C++20",
    ),
    (r"(?P<what>CMake [\d.]+) or higher is required", _TOO_OLD),
    (r"unable to find a build program corresponding to", "there is no program 'make' on this machine"),
    # Go.
    (r"requires (?P<what>go ?>= ?[\d.]+\w*)", _TOO_OLD),
    (r"module requires (?P<what>Go [\d.]+)", _TOO_OLD),
    (r"invalid go version '(?P<what>[\d.]+)'", "it needs Go {what}, and what is on this machine is older"),
    (r"(?:download|toolchain) (?P<what>go[\d.]+).{0,80}: toolchain not available", _TOO_OLD),
    (r"module lookup disabled by GOPROXY=off", _PACKAGES),
    (r"\bGet \"https?://[^\"]+\": (?:dial|net/http|context|proxyconnect|read) ", _PACKAGES),
    (r"go: .{0,200}: (?:dial tcp|unexpected EOF|read tcp)", _PACKAGES),
    # Node.js.
    (r"(?P<what>EBADENGINE)", "it needs a newer Node.js than that on this machine"),
    (rf"npm (?:error|ERR!) (?:code|errno|network) (?:{_NPM_CODES})", _PACKAGES),
    # Cargo and rustc.
    (r"requires (?P<what>rustc [\d.]+)", _TOO_OLD),
    (r"feature `edition2024` is required|older than the `2024` edition", "it needs a newer cargo"),
    (r"lock file version .{0,40} (?:was found|requires)", "it needs a newer cargo"),
    (r"could not execute process `(?P<what>[\w-]+)", _PROGRAM),
    (r"rustup could not choose a version|no default toolchain", "rustup has no toolchain on this machine"),
    (r"linker `(?P<what>[^`]+)` not found", _PROGRAM),
    (r"failed to find tool \"(?P<what>[^\"]+)\"", _PROGRAM),
    (r"Could not resolve host|failed to (?:download|fetch) (?:from )?`", _PACKAGES),
    (r"--offline was specified|you're using offline mode", _PACKAGES),
    (r"failed to query replaced source registry|spurious network error", _PACKAGES),
    # Maven and the JDK.
    (r"No compiler is provided in this environment", "there is a Java here that only runs programs: it needs a JDK"),
    (r"JAVA_HOME environment variable is not defined correctly", "JAVA_HOME does not name a JDK"),
    (r"(?:release version|invalid (?:target|source) release:?) (?P<what>\d+)", "it needs Java {what}"),
    (r"UnsupportedClassVersionError", "it needs a newer Java than that on this machine"),
    (r"Could not transfer artifact|failed to transfer from|in offline mode", _PACKAGES),
    # pip.
    (r"Failed to establish a new connection|Could not fetch URL", _PACKAGES),
    # Shells, and shebang lines of scripts.
    (r"(?:\bsh|\bbash|\bdash): (?:line )?(?:\d+: )?(?P<what>[\w.+-]+): (?:command )?not found", _PROGRAM),
    (r"env: [‘'\"]?(?P<what>[\w.+-]+)[’'\"]?: No such file or directory", _PROGRAM),
)


def what_is_missing(printed: str) -> str:
    """Return the missing requirement of a failed command, as the end of a sentence; empty for another failure.

    Args:
        printed: the complete output of the command.
    """
    text = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", printed).split())
    for words, sentence in _WORDS:
        if found := re.search(words, text):
            return sentence.format(**found.groupdict())
    return ""
