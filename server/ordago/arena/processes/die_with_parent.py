"""Start a command that dies with its parent, together with all its descendants: ``main(PLAN)``.

The runner starts this program, not the bot itself: the same steps between fork and exec in the runner would run Python
code in a copy of a process with threads. ``PLAN`` is the descriptor of a file with the plan that ``Sandbox.plan``
returns. The program

- asks the kernel for the parent-death signal and makes sure that the parent still lives,
- leaves the processor that the runner may have bound itself to,
- sets the resource limits,
- becomes the user of bots where the runner is root (``unprivileged``).

Then it does one of two things. It becomes bubblewrap; when that ends, the kernel kills everything inside. Or it stays
as the **keeper** of the bot, which it starts, if the plan says so, behind Landlock and a filter of system calls. The
keeper kills all that is left of the bot when the bot ends, when the runner says so, or when the runner is gone. On
systems other than Linux it becomes the command; there a bot notices the end of the runner by the end of its standard
input.

It imports nothing of Ordago, and little else, so that it starts quickly.
"""

import errno
import marshal
import os
import resource
import signal
import sys
import time

if __package__:
    from ordago.arena.processes.kernel import (
        SET_CHILD_SUBREAPER,
        SET_PARENT_DEATH_SIGNAL,
        RefusedError,
        control,
        filter_system_calls,
        keep_signals_in,
        shut_in,
    )
    from ordago.arena.processes.unprivileged import enter_view, step_down
else:  # in the start program, whose path holds this folder instead of the package
    from kernel import (  # type: ignore[import-not-found,no-redef]
        SET_CHILD_SUBREAPER,
        SET_PARENT_DEATH_SIGNAL,
        RefusedError,
        control,
        filter_system_calls,
        keep_signals_in,
        shut_in,
    )
    from unprivileged import enter_view, step_down  # type: ignore[import-not-found,no-redef]

TYPE_CHECKING = False  # typing takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Plan = dict[str, Any]  # as read from the file

_EXIT_CANNOT_START = 127
FILTER_MARK = "FILTER"
"""The placeholder in a wrapper for the descriptor that the filter of system calls is read from."""
STATUS_MARK = "STATUS"
"""The placeholder in a wrapper for the descriptor that it reports the command's status to."""
STANDS = b"exit-code"
"""Written to the status descriptor right before the command starts, or by bubblewrap after it has ended. Without it the
command has never run, and is not to blame. The word is bubblewrap's."""
_LINUX = sys.platform == "linux"

_MOST_SECONDS_TO_END_ALL = 10
"""Seconds to try to kill everything. A bot that is not isolated could fork on forever."""

_WAKES_KEEPER = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main(descriptor: int) -> None:
    """Start the command of the plan in a file, which is read and closed."""
    with open(descriptor, "rb") as file:
        plan = marshal.load(file)  # noqa: S302 - the runner wrote it a moment ago
    try:
        _start(plan)
    except (OSError, RefusedError) as error:
        _give_up(f"cannot prepare the start of {plan['command'][0]!r}", error)


def _start(plan: "Plan") -> None:
    if plan["processors"]:
        os.sched_setaffinity(0, plan["processors"])
    if not _LINUX:
        _tell_that_it_stands(plan)
        _become(plan["command"])
    if plan["wrapper"]:
        _enter_view(plan)
        _take_on_limits(plan["rlimits"])
        _step_down(plan)
        _die_with(plan["parent"], signal.SIGKILL)
        _become((*_with_descriptors(plan), *plan["command"]))
    signal.pthread_sigmask(signal.SIG_BLOCK, _WAKES_KEEPER)
    _die_with(plan["parent"], signal.SIGTERM)
    _keep(plan)


def _enter_view(plan: "Plan") -> None:
    if plan["user"]:
        enter_view(plan["namespace"], plan["places"])
        os.close(plan["namespace"])


def _step_down(plan: "Plan") -> None:
    if plan["user"]:
        step_down(plan["user"])


def _die_with(parent: int, death_signal: int) -> None:
    control(SET_PARENT_DEATH_SIGNAL, death_signal)
    if os.getppid() != parent:
        sys.exit(_EXIT_CANNOT_START)


def _become(command: "tuple[str, ...]") -> None:
    """Become a command. ``os.execvp`` would first read files of Python, which the bot may not be allowed to read."""
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


def _with_descriptors(plan: "Plan") -> "tuple[str, ...]":
    outlet, inlet = os.pipe()
    os.write(inlet, plan["system_calls"])
    os.close(inlet)
    os.set_inheritable(outlet, True)  # noqa: FBT003 - the parameter is positional only
    numbers = {FILTER_MARK: str(outlet), STATUS_MARK: str(plan["status"])}
    return tuple(numbers.get(word, word) for word in plan["wrapper"])


def _tell_that_it_stands(plan: "Plan") -> None:
    """Report that the command is to blame for whatever happens from now on."""
    os.write(plan["status"], STANDS)
    # The command must not inherit it.
    os.close(plan["status"])


def _take_on_limits(rlimits: "tuple[tuple[int, int], ...]") -> None:
    if rlimits:
        # If the machine runs out of memory all the same, the kernel kills bots before the server.
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    for number, amount in rlimits:
        _, most = resource.getrlimit(number)
        amount = amount if most == resource.RLIM_INFINITY else min(amount, most)
        resource.setrlimit(number, (amount, amount))


# The keeper.


def _keep(plan: "Plan") -> None:
    control(SET_CHILD_SUBREAPER, 1)
    confined = plan["rules"] is not None
    # The order matters: root can make the folder only outside the view, and the view only before Landlock.
    scratch = _make_scratch(plan["scratch"])
    _enter_view(plan)
    if confined:
        keep_signals_in(plan["parent"])
    keeper = os.getpid()
    bot = os.fork()
    if bot == 0:
        _become_bot(plan, keeper, scratch)
    os.closerange(0, 1)
    os.closerange(3, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") > 0 else 4096)
    status = _wait_for(bot)
    status = _end_all(bot, status, confined=confined)
    _step_down(plan)
    _remove(scratch)
    _end_like(status)


def _wait_for(bot: int) -> "int | None":
    """Wait until the bot has ended, or a signal says to end it; return its status, ``None`` if it still runs."""
    while signal.sigwait(_WAKES_KEEPER) == signal.SIGCHLD:
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == bot:
                return status
            if process == 0:
                break
    return None


def _end_all(bot: int, status: "int | None", *, confined: bool) -> "int | None":
    """Kill all descendants of the keeper and reap them, since orphans become its children; return the bot's status."""
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
    print("the bot starts processes faster than they can be killed", file=sys.stderr)  # noqa: T201 - to its log
    return status


def _kill_within() -> None:
    """Kill every process that this one may send signals to, in one step that no fork escapes."""
    _kill(-1)


def _kill_descendants() -> None:
    """Kill all descendants of this process, faster than they can fork.

    A parent is killed before its children are listed: with a deadly signal pending it forks no more. Only descendants
    are listed, since listing all processes of a machine takes longer than a fork.
    """
    children_of = _children_of if os.path.exists("/proc/thread-self/children") else _seen_by_parents()
    found = children_of(os.getpid())
    while found:
        process = found.pop()
        _kill(process)
        found += children_of(process)


def _children_of(process: int) -> "list[int]":
    """Return the children of a process; none if it has ended, since they are the keeper's then."""
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
        return  # It has ended by itself just now, or there is nothing to kill.


def _seen_by_parents() -> "Callable[[int], list[int]]":
    """Scan all processes once, for a kernel without lists of children; return a function that looks them up."""
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
    """End with the exit code or signal of the bot, so that the runner sees it."""
    if status is not None and os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    os._exit(_EXIT_CANNOT_START if status is None else os.WEXITSTATUS(status))


def _make_scratch(folder: str) -> str:
    """Make a private folder with an unguessable name in a folder, and return its path; empty without a folder."""
    if not folder:
        return ""
    path = f"{folder}/{os.getpid()}-{os.urandom(16).hex()}"
    os.mkdir(path, 0o700)
    return path


def _remove(scratch: str) -> None:
    try:
        _empty([scratch] if scratch else [])
    except OSError:
        return  # The runner removes the folder that holds all scratch folders when it ends.


def _empty(folders: "list[str]") -> None:
    """Remove folders with all their contents.

    Subfolders are moved next to the first folder before they are emptied: a bot may have nested them deeper than a path
    can be long. Their modes are set first, since it may have made them inaccessible.
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
        # So that signals to the bot's group do not reach the keeper.
        os.setsid()
        _take_on_limits(plan["rlimits"])
        _step_down(plan)
        # After the change of user, at which the kernel clears the parent-death signal.
        _die_with(keeper, signal.SIGKILL)
        if plan["folder"]:
            os.chdir(plan["folder"])
        if scratch:
            os.environ["HOME"] = os.environ["TMPDIR"] = scratch
        if plan["rules"] is not None:
            shut_in(plan["rules"], scratch, makes_socket=plan["makes_socket"])
            filter_system_calls(plan["system_calls"])
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _WAKES_KEEPER)
        _tell_that_it_stands(plan)
    except (OSError, RefusedError) as error:
        _give_up(f"cannot prepare the start of {plan['command'][0]!r}", error)
    try:
        _become(plan["command"])
    except OSError as error:
        _give_up(f"cannot start {plan['command'][0]!r}", error)


def _give_up(what: str, error: Exception) -> None:
    where = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
    sentence = f"{what}: {where}{getattr(error, 'strerror', None) or error}"
    print(sentence, file=sys.stderr, flush=True)  # noqa: T201 - goes to the bot's log
    os._exit(_EXIT_CANNOT_START)
