"""Starts a command that dies with its parent, with all that it starts in turn: ``main(PLAN)``.

The runner does not start bots itself but this program, since doing the same between fork and exec in the runner would
run Python code in a copy of a process with threads. ``PLAN`` is the descriptor of a file with all that it has to know,
as ``Cell.plan`` writes it. It asks the kernel for the parent-death signal, makes sure that the parent is still there,
spreads over the processors again where the runner keeps to one, takes on the limits, and steps down to the user of bots
where the runner is root (``unprivileged``). Then it either becomes
bubblewrap, at whose end the kernel ends all that is inside; or it stays as the **keeper** of the bot, which it starts
behind Landlock and a filter of system calls, if so planned, and ends whatever the bot has left when that ends, when the
runner says so, or when the runner is gone. Where the kernel is no Linux it becomes the command, and the end of the
standard input is what tells a bot that it is alone.

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
else:  # in the start program, which finds the modules beside it alone
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

    Plan = dict[str, Any]  # what was marshalled

_EXIT_CANNOT_START = 127
FILTER_MARK = "FILTER"
"""Stands in a wrapper for the number of the descriptor that the filter of system calls is read from."""
STATUS_MARK = "STATUS"
"""Stands in a wrapper for the number of the descriptor that it tells by that the command has run."""
STANDS = b"exit-code"
"""Is told through the status descriptor as soon as all is prepared and the command itself is to start, or, by
bubblewrap, when it has ended. Where it is not told, the command has never run, and is not to blame. It is the word that
bubblewrap uses."""
_LINUX = sys.platform == "linux"

_MOST_SECONDS_TO_END_ALL = 10
"""Whoever is not isolated could go on forking; the run waits for nobody for ever."""

_WAKES_KEEPER = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main(descriptor: int) -> None:
    """Start the command of the plan that is in a file."""
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


def _with_descriptors(plan: "Plan") -> "tuple[str, ...]":
    outlet, inlet = os.pipe()
    os.write(inlet, plan["system_calls"])
    os.close(inlet)
    os.set_inheritable(outlet, True)  # noqa: FBT003 - it takes no name
    numbers = {FILTER_MARK: str(outlet), STATUS_MARK: str(plan["status"])}
    return tuple(numbers.get(word, word) for word in plan["wrapper"])


def _tell_that_it_stands(plan: "Plan") -> None:
    """Tell that what happens from now on is the command's doing."""
    os.write(plan["status"], STANDS)
    # The command has none of it.
    os.close(plan["status"])


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
    control(SET_CHILD_SUBREAPER, 1)
    confined = plan["rules"] is not None
    # In the view root could make nothing, and behind Landlock it could not make the view.
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
        # Signals to its group are not for the keeper.
        os.setsid()
        _take_on_limits(plan["rlimits"])
        _step_down(plan)
        # The kernel forgets it when somebody else takes over the process.
        _die_with(keeper, signal.SIGKILL)
        if plan["folder"]:
            os.chdir(plan["folder"])
        if scratch:
            os.environ["HOME"] = os.environ["TMPDIR"] = scratch
        if plan["rules"] is not None:
            shut_in(plan["rules"], scratch)
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
