"""Starts a command that dies with its parent, with all that it starts in turn: ``main(PLAN)``.

The runner does not start bots itself but this program, since doing the same between fork and exec in the runner would
run Python code in a copy of a process with threads. ``PLAN`` is the descriptor of a file with all that it has to know,
as ``Cell.plan`` writes it. It asks the kernel for the parent-death signal, makes sure that the parent is still there,
spreads over the processors again where the runner keeps to one, and takes on the limits. Then it either becomes
bubblewrap, at whose end the kernel ends all that is inside; or it stays as the **keeper** of the bot, which it starts
behind Landlock and a filter of system calls, if so planned, and ends whatever the bot has left when that ends, when the
runner says so, or when the runner is gone. Where the kernel is no Linux it becomes the command, and the end of the
standard input is what tells a bot that it is alone.

It imports nothing of Ordago, and little else, so that it starts quickly.
"""

import ctypes
import errno
import marshal
import os
import resource
import signal
import sys
import time

TYPE_CHECKING = False  # typing takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Plan = dict[str, Any]  # what was marshalled

_EXIT_CANNOT_START = 127
FILTER_MARK = "FILTER"
"""Stands in a wrapper for the number of the descriptor that the filter of system calls is read from."""
_LINUX = sys.platform == "linux"

# From linux/prctl.h, linux/capability.h, linux/securebits.h, linux/seccomp.h and linux/landlock.h.
_SET_PARENT_DEATH_SIGNAL = 1
_SET_SECCOMP = 22
_FILTER_MODE = 2
_DROP_BOUNDING_CAPABILITY = 24
_SET_SECURE_BITS = 28
_ROOT_IS_NOBODY_FOR_GOOD = 0x2F
_SET_CHILD_SUBREAPER = 36
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
_SCOPE_ABSTRACT_SOCKETS, _SCOPE_SIGNALS = 0b01, 0b10

# What programs read of themselves. What else stands there tells of the network and of others: "smaps" which pages of
# a file somebody else has mapped.
_OF_ITSELF = ("auxv", "cgroup", "cmdline", "comm", "fd", "limits", "maps", "mountinfo", "mounts")
_STATES_OF_ITSELF = ("stat", "statm", "status")

_MOST_SECONDS_TO_END_ALL = 10
"""Whoever is not isolated could go on forking; the run waits for nobody for ever."""

_WAKES_KEEPER = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class _RefusedError(Exception):
    """The kernel did not do what it was asked for."""


def main(descriptor: int) -> None:
    """Start the command of the plan that is in a file."""
    with open(descriptor, "rb") as file:
        plan = marshal.load(file)  # noqa: S302 - the runner wrote it a moment ago
    try:
        _start(plan)
    except (OSError, _RefusedError) as error:
        _give_up(plan, error)


def _start(plan: "Plan") -> None:
    if plan["processors"]:
        os.sched_setaffinity(0, plan["processors"])
    if not _LINUX:
        _become(plan["command"])
    if plan["wrapper"]:
        _die_with(plan["parent"], signal.SIGKILL)
        _take_on_limits(plan["rlimits"])
        _become((*_with_filter(plan["wrapper"], plan["system_calls"]), *plan["command"]))
    signal.pthread_sigmask(signal.SIG_BLOCK, _WAKES_KEEPER)
    _die_with(plan["parent"], signal.SIGTERM)
    _keep(plan)


def _die_with(parent: int, death_signal: int) -> None:
    _control(_SET_PARENT_DEATH_SIGNAL, death_signal)
    if os.getppid() != parent:
        sys.exit(_EXIT_CANNOT_START)


def _become(command: "tuple[str, ...]") -> None:
    """Become a command. ``os.execvp`` does so too, but reads files of Python's first, which a bot may not have."""
    refusal: OSError = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    within = [""] if "/" in command[0] else [f"{folder}/" for folder in os.environ.get("PATH", os.defpath).split(":")]
    for folder in within:
        try:
            os.execv(folder + command[0], command)  # noqa: S606 - the organiser's own command
        except (FileNotFoundError, NotADirectoryError):
            continue
        except PermissionError as error:
            refusal = error
    raise refusal


def _with_filter(wrapper: "tuple[str, ...]", system_calls: bytes) -> "tuple[str, ...]":
    outlet, inlet = os.pipe()
    os.write(inlet, system_calls)
    os.close(inlet)
    os.set_inheritable(outlet, True)  # noqa: FBT003 - it takes no name
    return tuple(str(outlet) if word == FILTER_MARK else word for word in wrapper)


def _take_on_limits(rlimits: "tuple[tuple[int, int], ...]") -> None:
    if rlimits:
        # Where memory runs out all the same, it is not the server that the kernel ends.
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    for number, amount in rlimits:
        _, most = resource.getrlimit(number)
        amount = amount if most == resource.RLIM_INFINITY else min(amount, most)
        resource.setrlimit(number, (amount, amount))


# The keeper.


def _keep(plan: "Plan") -> None:
    _control(_SET_CHILD_SUBREAPER, 1)
    confined = plan["rules"] is not None
    if confined:
        _keep_signals_in(plan["parent"])
    scratch = _make_scratch(plan["scratch"])
    keeper = os.getpid()
    bot = os.fork()
    if bot == 0:
        _become_bot(plan, keeper, scratch)
    os.closerange(0, 1)
    os.closerange(3, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") > 0 else 4096)
    status = _wait_for(bot)
    status = _end_all(bot, status, confined=confined)
    _remove(scratch)
    _end_like(status)


def _wait_for(bot: int) -> "int | None":
    """Wait until the bot has ended, or the runner is gone or wants it to end; return how it ended, if it did."""
    while signal.sigwait(_WAKES_KEEPER) == signal.SIGCHLD:
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == bot:
                return status
            if process == 0:
                break
    return None


def _end_all(bot: int, status: "int | None", *, confined: bool) -> "int | None":
    """Kill all that descends from the keeper, and wait for it: orphans become its children."""
    started = time.monotonic()
    while time.monotonic() - started < _MOST_SECONDS_TO_END_ALL:
        _kill_within() if confined else _kill_descendants()
        patience = 0
        try:
            while (ended := os.waitpid(-1, patience))[0]:
                status = ended[1] if ended[0] == bot else status
                patience = os.WNOHANG
        except ChildProcessError:
            return status
    print("what the bot has started multiplies faster than it can be ended", file=sys.stderr)  # noqa: T201 - to its log
    return status


def _kill_within() -> None:
    """Kill all that this process may send signals to, in one step that no fork can slip through."""
    _kill(-1)


def _kill_descendants() -> None:
    """Kill all that descends from this process, ahead of what forks all the time.

    A parent is killed before its children are looked for: with a deadly signal under way it forks no more. Only the
    family is looked at, since a fork takes less time than looking at all the processes of a machine.
    """
    children_of = _children_of if os.path.exists("/proc/thread-self/children") else _seen_by_parents()
    found = children_of(os.getpid())
    while found:
        process = found.pop()
        _kill(process)
        found += children_of(process)


def _children_of(process: int) -> "list[int]":
    """Return the children of a process; none if it has ended meanwhile, and they are the keeper's."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    except OSError:
        return found
    return found


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return  # There is nobody, or it ended by itself just now.


def _seen_by_parents() -> "Callable[[int], list[int]]":
    """Look at all processes, for a kernel that does not know whose children they are."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(name))
    return lambda process: children.get(process, [])


def _end_like(status: "int | None") -> None:
    """End as the bot did, so that whoever waits for this process learns it."""
    if status is not None and os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    os._exit(_EXIT_CANNOT_START if status is None else os.WEXITSTATUS(status))


def _make_scratch(folder: str) -> str:
    """Make a folder that only whoever is told of it finds, and return its path."""
    if not folder:
        return ""
    path = f"{folder}/{os.getpid()}-{os.urandom(16).hex()}"
    os.mkdir(path, 0o700)
    return path


def _remove(scratch: str) -> None:
    try:
        _empty([scratch] if scratch else [])
    except OSError:
        return  # What is left goes with the folder that it is in.


def _empty(folders: "list[str]") -> None:
    """Remove folders with all that is in them.

    Folders in them are moved to where the first is: the bot may have made them so deep that no path is long enough,
    and such that nobody may enter.
    """
    above, moved = "".join(folders[:1]), 0
    while folders:
        folder = folders.pop()
        os.chmod(folder, 0o700)
        for entry in [*os.scandir(folder)]:
            if entry.is_dir(follow_symlinks=False):
                moved += 1
                folders.append(f"{above}.{moved}")
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, folders[-1])
            else:
                os.unlink(entry.path)
        os.rmdir(folder)


# The bot.


def _become_bot(plan: "Plan", keeper: int, scratch: str) -> None:
    try:
        _die_with(keeper, signal.SIGKILL)
        # Signals to its group are not for the keeper.
        os.setsid()
        _take_on_limits(plan["rlimits"])
        if plan["folder"]:
            os.chdir(plan["folder"])
        if scratch:
            os.environ["HOME"] = os.environ["TMPDIR"] = scratch
        if plan["rules"] is not None:
            _shut_in(plan["rules"], scratch)
            _filter_system_calls(plan["system_calls"])
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _WAKES_KEEPER)
        _become(plan["command"])
    except (OSError, _RefusedError) as error:
        _give_up(plan, error)


def _give_up(plan: "Plan", error: Exception) -> None:
    sentence = f"cannot start {plan['command'][0]!r}: {getattr(error, 'strerror', None) or error}"
    print(sentence, file=sys.stderr, flush=True)  # noqa: T201 - goes to the bot's log
    os._exit(_EXIT_CANNOT_START)


def _shut_in(rules: "tuple[tuple[str, int], ...]", scratch: str) -> None:
    """Let this process reach what the rules say, its scratch folder and itself, and nothing else."""
    ruleset = _ruleset(_ALL_RIGHTS, _BIND_AND_CONNECT, _SCOPE_ABSTRACT_SOCKETS | _SCOPE_SIGNALS)
    for path, rights in rules:
        _allow(ruleset, path, rights)
    if scratch:
        _allow(ruleset, scratch, RIGHTS_TO_WRITE)
    for name in _OF_ITSELF + _STATES_OF_ITSELF:
        _allow(ruleset, f"/proc/{os.getpid()}/{name}", READ_FILE | LIST)
    _enter(ruleset)
    _drop_capabilities()


def _keep_signals_in(parent: int) -> None:
    """Make sure that neither this process nor what it starts can send a signal to anybody else."""
    ruleset = _ruleset(_MOVE, 0, _SCOPE_SIGNALS)
    # Of all rights this one is lost wherever it is not given.
    _allow(ruleset, "/", _MOVE)
    _enter(ruleset)
    try:
        os.kill(parent, 0)
    except PermissionError:
        return
    raise _RefusedError("the kernel does not keep signals apart")


def _ruleset(files: int, network: int, scopes: int) -> int:
    attributes = b"".join(part.to_bytes(8, sys.byteorder) for part in (files, network, scopes))
    return _call(CREATE_RULESET, attributes, len(attributes), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Add a rule about a path."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # It is gone since it was looked for, or never was on this machine.
    if os.fstat(descriptor).st_mode & 0o170000 != 0o040000:
        rights &= _RIGHTS_TO_A_FILE
    rule = rights.to_bytes(8, sys.byteorder) + descriptor.to_bytes(4, sys.byteorder)
    _call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    os.close(descriptor)


def _enter(ruleset: int) -> None:
    _control(_SET_NO_NEW_PRIVILEGES, 1)
    _call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _drop_capabilities() -> None:
    """Give up what root may do beyond others, for good."""
    for number in range(64):
        _library.prctl(_DROP_BOUNDING_CAPABILITY, number, 0, 0, 0)
    _library.prctl(_SET_SECURE_BITS, _ROOT_IS_NOBODY_FOR_GOOD, 0, 0, 0)
    header = _CAPABILITIES_VERSION.to_bytes(4, sys.byteorder) + bytes(4)
    if _library.capset(header, bytes(24)) != 0:
        raise _RefusedError(os.strerror(ctypes.get_errno()))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _filter_system_calls(instructions: bytes) -> None:
    program = _Program(len(instructions) // 8, instructions)
    _control(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program))


_library = ctypes.CDLL(None, use_errno=True)


def _control(*arguments: object) -> None:
    padded = [_word(argument) for argument in (*arguments, 0, 0, 0, 0)[:5]]
    if _library.prctl(*padded) != 0:
        raise _RefusedError(os.strerror(ctypes.get_errno()))


def _call(number: int, *arguments: object) -> int:
    result = int(_library.syscall(ctypes.c_long(number), *map(_word, arguments)))
    if result < 0:
        raise _RefusedError(os.strerror(ctypes.get_errno()))
    return result


def _word(argument: object) -> object:
    # The functions take any number of arguments, of which the kernel reads whole words.
    return ctypes.c_ulong(argument) if isinstance(argument, int) else argument
