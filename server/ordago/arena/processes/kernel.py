"""System calls by which a process confines itself: Landlock, the filter of system calls, capabilities.

It is part of the start program (``die_with_parent``): it imports nothing of Ordago, and little else.
"""

import ctypes
import os
import sys

# From linux/prctl.h, linux/capability.h, linux/securebits.h, linux/seccomp.h and linux/landlock.h.
SET_PARENT_DEATH_SIGNAL = 1
_SET_SECCOMP = 22
_FILTER_MODE = 2
_DROP_BOUNDING_CAPABILITY = 24
_SET_SECURE_BITS = 28
_ROOT_IS_NOBODY_FOR_GOOD = 0x2F
SET_CHILD_SUBREAPER = 36
_SET_NO_NEW_PRIVILEGES = 38
_CAPABILITIES_VERSION = 0x20080522
CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MOVE, TRUNCATE, _CONTROL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_MAKE_DEVICE, _MAKE_SOCKET, _MAKE_BLOCK_DEVICE = 1 << 6, 1 << 9, 1 << 11
_ALL_RIGHTS = (1 << 16) - 1
_RIGHTS_TO_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | _CONTROL_DEVICE
RIGHTS_TO_WRITE = _ALL_RIGHTS & ~(_MAKE_DEVICE | _MAKE_SOCKET | _MAKE_BLOCK_DEVICE | _CONTROL_DEVICE)
_BIND_AND_CONNECT = 0b11
LAST_SOCKET = "ORDAGO_LAST_SOCKET"
"""The variable that tells a program to call ``make_no_more_sockets`` before it starts the bot."""
_SCOPE_ABSTRACT_SOCKETS, _SCOPE_SIGNALS = 0b01, 0b10

# Files in /proc that programs read about themselves. The others reveal the network or other processes: "smaps" shows
# which pages of a file another process has mapped.
_OF_ITSELF = ("auxv", "cgroup", "cmdline", "comm", "fd", "limits", "maps", "mountinfo", "mounts")
_STATES_OF_ITSELF = ("stat", "statm", "status")


class RefusedError(Exception):
    """The kernel refused a call."""


def shut_in(rules: "tuple[tuple[str, int], ...]", scratch: str, *, makes_socket: bool) -> None:
    """Confine this process to the paths of the rules, its scratch folder and its own entries in ``/proc``.

    It also loses TCP, signals and abstract sockets to the outside, and all capabilities.

    Args:
        rules: paths, with the Landlock rights to them.
        scratch: the path of the scratch folder; empty for none.
        makes_socket: True to permit sockets in the scratch folder, until ``make_no_more_sockets``.

    Raises:
        RefusedError: the kernel refuses it.
    """
    ruleset = _ruleset(_ALL_RIGHTS, _BIND_AND_CONNECT, _SCOPE_ABSTRACT_SOCKETS | _SCOPE_SIGNALS)
    for path, rights in rules:
        _allow(ruleset, path, rights)
    if scratch:
        _allow(ruleset, scratch, RIGHTS_TO_WRITE | (_MAKE_SOCKET if makes_socket else 0))
    for name in _OF_ITSELF + _STATES_OF_ITSELF:
        _allow(ruleset, f"/proc/{os.getpid()}/{name}", READ_FILE | LIST)
    _enter(ruleset)
    drop_capabilities()


def make_no_more_sockets() -> None:
    """Prevent this process and its descendants from making sockets in the file system.

    Landlock does not keep bots from connecting to sockets whose paths they know, so two of them could talk.

    Raises:
        RefusedError: the kernel refuses it.
    """
    ruleset = _ruleset(_MOVE | _MAKE_SOCKET, 0, 0)
    _allow_moving(ruleset)
    _enter(ruleset)


def keep_signals_in(parent: int) -> None:
    """Prevent this process and its descendants from sending signals to any other process.

    Args:
        parent: a process outside, by which this is checked.

    Raises:
        RefusedError: the kernel does not prevent it.
    """
    ruleset = _ruleset(_MOVE, 0, _SCOPE_SIGNALS)
    _allow_moving(ruleset)
    _enter(ruleset)
    try:
        os.kill(parent, 0)
    except PermissionError:
        return
    raise RefusedError("the kernel does not keep signals apart")


def _ruleset(files: int, network: int, scopes: int) -> int:
    attributes = b"".join(part.to_bytes(8, sys.byteorder) for part in (files, network, scopes))
    return call(CREATE_RULESET, attributes, len(attributes), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Add rights to a path to a ruleset; a path that does not exist is skipped."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # It was removed meanwhile, or this machine does not have it.
    if os.fstat(descriptor).st_mode & 0o170000 != 0o040000:
        rights &= _RIGHTS_TO_A_FILE
    rule = rights.to_bytes(8, sys.byteorder) + descriptor.to_bytes(4, sys.byteorder)
    call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    os.close(descriptor)


def _allow_moving(ruleset: int) -> None:
    # Landlock denies moving files even where a ruleset does not handle it, so it has to be granted.
    _allow(ruleset, "/", _MOVE)


def _enter(ruleset: int) -> None:
    control(_SET_NO_NEW_PRIVILEGES, 1)
    call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def drop_capabilities() -> None:
    """Give up all capabilities for good.

    Raises:
        RefusedError: the kernel refuses it.
    """
    drop_bounding_set()
    library.prctl(_SET_SECURE_BITS, _ROOT_IS_NOBODY_FOR_GOOD, 0, 0, 0)
    header = _CAPABILITIES_VERSION.to_bytes(4, sys.byteorder) + bytes(4)
    if library.capset(header, bytes(24)) != 0:
        raise RefusedError(os.strerror(ctypes.get_errno()))


def drop_bounding_set() -> None:
    """Give up the capabilities that root would get back by starting a program."""
    for number in range(64):
        library.prctl(_DROP_BOUNDING_CAPABILITY, number, 0, 0, 0)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def filter_system_calls(instructions: bytes) -> None:
    """Let the kernel apply a filter to all system calls from now on, for good.

    Args:
        instructions: the filter, 8 bytes for each instruction.

    Raises:
        RefusedError: the kernel refuses it.
    """
    program = _Program(len(instructions) // 8, instructions)
    control(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program))


library = ctypes.CDLL(None, use_errno=True)
"""The C library, for calls to the kernel."""


def control(*arguments: object) -> None:
    """Call ``prctl``.

    Raises:
        RefusedError: the kernel refuses it.
    """
    padded = [_word(argument) for argument in (*arguments, 0, 0, 0, 0)[:5]]
    if library.prctl(*padded) != 0:
        raise RefusedError(os.strerror(ctypes.get_errno()))


def call(number: int, *arguments: object) -> int:
    """Make a system call for which the C library may have no function, and return its result.

    Raises:
        RefusedError: the kernel refuses it.
    """
    result = int(library.syscall(ctypes.c_long(number), *map(_word, arguments)))
    if result < 0:
        raise RefusedError(os.strerror(ctypes.get_errno()))
    return result


def _word(argument: object) -> object:
    # The functions are variadic, and the kernel reads whole words: a plain int would be passed as half a word.
    return ctypes.c_ulong(argument) if isinstance(argument, int) else argument
