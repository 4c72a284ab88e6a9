"""The filter of system calls that isolated bots run under, for Linux on x86-64 and ARM-64.

It is a BPF program. It refuses calls with an error, so that a bot can go on without them: calls that affect other
processes or clocks, leave marks on files that several bots may read, use a network, take memory that the sampler does
not see, or open parts of the kernel that a card player has no use for.
"""

import errno
import platform
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Final, NamedTuple

# The numbers of the system calls that the filter names, from the Linux kernel's tables.
# fmt: off
X86_64: Final = {
    "acct": 163, "add_key": 248, "adjtimex": 159, "bpf": 321, "cachestat": 451, "chmod": 90, "chown": 92,
    "chroot": 161, "clock_adjtime": 305, "clock_settime": 227, "clone": 56, "clone3": 435, "delete_module": 176,
    "fadvise64": 221, "fanotify_init": 300, "fanotify_mark": 301, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452,
    "fchown": 93, "fchownat": 260, "fcntl": 72, "file_setattr": 469, "finit_module": 313, "flock": 73,
    "fremovexattr": 199, "fsconfig": 431, "fsetxattr": 190, "fsmount": 432, "fsopen": 430, "fspick": 433,
    "futimesat": 261, "init_module": 175, "inotify_add_watch": 254, "inotify_init": 253, "inotify_init1": 294,
    "io_uring_enter": 426, "io_uring_register": 427, "io_uring_setup": 425, "ioctl": 16, "ioperm": 173, "iopl": 172,
    "ioprio_set": 251, "kcmp": 312, "kexec_file_load": 320, "kexec_load": 246, "keyctl": 250, "lchown": 94,
    "listmount": 458, "lookup_dcookie": 212, "lremovexattr": 198, "lsetxattr": 189, "memfd_create": 319,
    "memfd_secret": 447, "migrate_pages": 256, "mincore": 27, "mmap": 9, "modify_ldt": 154, "mount": 165,
    "mount_setattr": 442, "move_mount": 429, "move_pages": 279, "mq_getsetattr": 245, "mq_notify": 244, "mq_open": 240,
    "mq_timedreceive": 243, "mq_timedsend": 242, "mq_unlink": 241, "msgctl": 71, "msgget": 68, "msgrcv": 70,
    "msgsnd": 69, "name_to_handle_at": 303, "open": 2, "open_by_handle_at": 304, "open_tree": 428,
    "open_tree_attr": 467, "openat": 257, "openat2": 437, "perf_event_open": 298, "personality": 135,
    "pidfd_getfd": 438, "pivot_root": 155, "preadv2": 327, "prlimit64": 302, "process_madvise": 440,
    "process_mrelease": 448, "process_vm_readv": 310, "process_vm_writev": 311, "ptrace": 101, "quotactl": 179,
    "quotactl_fd": 443, "reboot": 169, "removexattr": 197, "removexattrat": 466, "request_key": 249,
    "sched_setaffinity": 203, "sched_setattr": 314, "sched_setparam": 142, "sched_setscheduler": 144, "semctl": 66,
    "semget": 64, "semop": 65, "semtimedop": 220, "setns": 308, "setpriority": 141, "settimeofday": 164,
    "setxattr": 188, "setxattrat": 463, "shmat": 30, "shmctl": 31, "shmdt": 67, "shmget": 29, "socket": 41,
    "socketpair": 53, "statmount": 457, "swapoff": 168, "swapon": 167, "syslog": 103, "umount2": 166, "unshare": 272,
    "uselib": 134, "userfaultfd": 323, "utime": 132, "utimensat": 280, "utimes": 235, "vhangup": 153,
}
ARM_64: Final = {
    "acct": 89, "add_key": 217, "adjtimex": 171, "bpf": 280, "cachestat": 451, "chroot": 51, "clock_adjtime": 266,
    "clock_settime": 112, "clone": 220, "clone3": 435, "delete_module": 106, "fadvise64": 223, "fanotify_init": 262,
    "fanotify_mark": 263, "fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "fchown": 55, "fchownat": 54, "fcntl": 25,
    "file_setattr": 469, "finit_module": 273, "flock": 32, "fremovexattr": 16, "fsconfig": 431, "fsetxattr": 7,
    "fsmount": 432, "fsopen": 430, "fspick": 433, "init_module": 105, "inotify_add_watch": 27, "inotify_init1": 26,
    "io_uring_enter": 426, "io_uring_register": 427, "io_uring_setup": 425, "ioctl": 29, "ioprio_set": 30, "kcmp": 272,
    "kexec_file_load": 294, "kexec_load": 104, "keyctl": 219, "listmount": 458, "lookup_dcookie": 18,
    "lremovexattr": 15, "lsetxattr": 6, "memfd_create": 279, "memfd_secret": 447, "migrate_pages": 238, "mincore": 232,
    "mmap": 222, "mount": 40, "mount_setattr": 442, "move_mount": 429, "move_pages": 239, "mq_getsetattr": 185,
    "mq_notify": 184, "mq_open": 180, "mq_timedreceive": 183, "mq_timedsend": 182, "mq_unlink": 181, "msgctl": 187,
    "msgget": 186, "msgrcv": 188, "msgsnd": 189, "name_to_handle_at": 264, "open_by_handle_at": 265, "open_tree": 428,
    "open_tree_attr": 467, "openat": 56, "openat2": 437, "perf_event_open": 241, "personality": 92, "pidfd_getfd": 438,
    "pivot_root": 41, "preadv2": 286, "prlimit64": 261, "process_madvise": 440, "process_mrelease": 448,
    "process_vm_readv": 270, "process_vm_writev": 271, "ptrace": 117, "quotactl": 60, "quotactl_fd": 443,
    "reboot": 142, "removexattr": 14, "removexattrat": 466, "request_key": 218, "sched_setaffinity": 122,
    "sched_setattr": 274, "sched_setparam": 118, "sched_setscheduler": 119, "semctl": 191, "semget": 190, "semop": 193,
    "semtimedop": 192, "setns": 268, "setpriority": 140, "settimeofday": 170, "setxattr": 5, "setxattrat": 463,
    "shmat": 196, "shmctl": 195, "shmdt": 197, "shmget": 194, "socket": 198, "socketpair": 199, "statmount": 457,
    "swapoff": 225, "swapon": 224, "syslog": 116, "umount2": 39, "unshare": 97, "userfaultfd": 282, "utimensat": 88,
    "vhangup": 58,
}


# From linux/audit.h, linux/filter.h and linux/seccomp.h.
_LOAD: Final = 0x20
_AND: Final = 0x54
_JUMP_IF_EQUAL: Final = 0x15
_JUMP_IF_AT_LEAST: Final = 0x35
_RETURN: Final = 0x06
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000
_KILL: Final = 0x80000000
_NUMBER_OFFSET: Final = 0
_MACHINE_OFFSET: Final = 4
_ARGUMENTS_OFFSET: Final = 16
_ALL_BITS: Final = 0xFFFFFFFF
_FOREIGN_NUMBERS: Final = 0x40000000
"""The first number of the x32 system calls on x86-64, which the table does not contain."""

_AF_UNIX: Final = 1
_NEW_NAMESPACES: Final = 0x7E020000 | 0x00000080
_SHARED_AND_ANONYMOUS: Final = 0x01 | 0x20
_LOCKS: Final = (5, 6, 7, 36, 37, 38)
_LEASES_NOTICES_AND_PIPES: Final = (1024, 1025, 1026, 1031)
_HINTS_ON_FILES: Final = (1036, 1038)
_OF_TERMINALS_AND_DESCRIPTORS: Final = (0x5401, 0x540F, 0x5410, 0x5411, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x5452)
_ONLY_FROM_MEMORY: Final = 0x08
_UNNAMED_FILE: Final = 0x00400000


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor architecture."""

    mark: int
    """The kernel's constant for it, from linux/audit.h."""
    numbers: dict[str, int]
    """The numbers of its system calls."""


MACHINES: Final = {"x86_64": Machine(0xC000003E, X86_64), "aarch64": Machine(0xC00000B7, ARM_64)}


class Rule(NamedTuple):
    """A system call to refuse: always, or by the value of one argument."""

    call: str
    argument: int | None = None
    """The number of the argument, from 0; only its lower 32 bits count. ``None`` to refuse the call always."""
    mask: int = _ALL_BITS
    """The bits of the argument that count."""
    values: tuple[int, ...] = ()
    """The values for which the call is refused."""
    unless: bool = False
    """True to refuse the call for all other values instead."""
    error: int = errno.EPERM
    """The error number that the caller gets."""


_ALWAYS: Final = (
    # Access to other processes.
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_getfd"),
    *("sched_setscheduler", "sched_setparam", "sched_setattr", "setpriority", "ioprio_set"),
    *("migrate_pages", "move_pages"),
    # Marks on files that several bots may read: locks, modes and times, watches, pages in memory.
    *("flock", "inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init", "fanotify_mark"),
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "futimesat", "utimensat", "file_setattr", "mincore", "cachestat", "fadvise64"),
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr"),
    *("removexattrat", "name_to_handle_at", "open_by_handle_at"),
    # Messages and memory outside of files and processes.
    *("shmget", "shmat", "shmctl", "shmdt", "semget", "semctl", "semop", "semtimedop", "msgget", "msgctl", "msgsnd"),
    *("msgrcv", "mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr"),
    *("add_key", "request_key", "keyctl", "memfd_create", "memfd_secret"),
    # The kernel and the machine.
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "personality"),
    *("mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "open_tree", "open_tree_attr", "move_mount"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "statmount", "listmount", "quotactl", "quotactl_fd"),
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "modify_ldt", "syslog", "acct"),
    *("iopl", "ioperm", "swapon", "swapoff", "reboot", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex"),
    *("lookup_dcookie", "vhangup", "uselib"),
)
RULES: Final = (
    *map(Rule, _ALWAYS),
    Rule("socket", 0, values=(_AF_UNIX,), unless=True, error=errno.EAFNOSUPPORT),
    Rule("socketpair", 0, values=(_AF_UNIX,), unless=True, error=errno.EAFNOSUPPORT),
    Rule("clone", 0, mask=_NEW_NAMESPACES, values=(0,), unless=True),
    # Their arguments are in memory, where no filter sees them. Programs fall back to older calls.
    Rule("clone3", error=errno.ENOSYS),
    Rule("openat2", error=errno.ENOSYS),
    Rule("fcntl", 1, values=(*_LOCKS, *_LEASES_NOTICES_AND_PIPES, *_HINTS_ON_FILES)),
    # Some file systems have ioctls that put marks on files opened only for reading.
    Rule("ioctl", 1, values=_OF_TERMINALS_AND_DESCRIPTORS, unless=True, error=errno.ENOTTY),
    Rule("preadv2", 5, mask=_ONLY_FROM_MEMORY, values=(0,), unless=True, error=errno.EOPNOTSUPP),
    # Only for the process itself (0), not for the limits and processors of others.
    Rule("prlimit64", 0, values=(0,), unless=True),
    Rule("sched_setaffinity", 0, values=(0,), unless=True),
    # Anonymous shared memory and files without a name: it cannot be seen which process has how much of them.
    Rule("mmap", 3, mask=_SHARED_AND_ANONYMOUS, values=(_SHARED_AND_ANONYMOUS,)),
    Rule("openat", 2, mask=_UNNAMED_FILE, values=(_UNNAMED_FILE,), error=errno.EOPNOTSUPP),
    Rule("open", 1, mask=_UNNAMED_FILE, values=(_UNNAMED_FILE,), error=errno.EOPNOTSUPP),
)

_LOCKING: Final = frozenset({"flock", "fadvise64"})
_MODE_OF: Final = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2}
_TIMES: Final = frozenset({"utime", "utimes", "futimesat", "utimensat"})
_LENT_TO_OTHERS: Final = 0o6000
"""The setuid and setgid bits, by which a program runs with the rights of its owner or group."""


class Lenience(Enum):
    """The leniency of the filter."""

    BOT = auto()
    """All rules, for a bot."""
    LOCKS = auto()
    """Locks on files are allowed, which compilers take, for a build."""
    MODES = auto()
    """Modes and times of files, too. The sandbox has to restrict that to files that the build may write to."""


def rules_for(lenience: Lenience) -> tuple[Rule, ...]:
    """Return the rules of a leniency."""
    if lenience is Lenience.BOT:
        return RULES
    rules = [_leaving_locks(rule) for rule in RULES if rule.call not in _LOCKING]
    if lenience is Lenience.MODES:
        rules = [_leaving_modes(rule) for rule in rules if rule.call not in _TIMES]
    return tuple(rules)


def _leaving_locks(rule: Rule) -> Rule:
    return rule._replace(values=_LEASES_NOTICES_AND_PIPES) if rule.call == "fcntl" else rule


def _leaving_modes(rule: Rule) -> Rule:
    if rule.call not in _MODE_OF:
        return rule
    return Rule(rule.call, _MODE_OF[rule.call], mask=_LENT_TO_OTHERS, values=(0,), unless=True)


@cache
def system_calls(lenience: Lenience = Lenience.BOT) -> bytes:
    """Return the filter for this machine, as the kernel reads it; empty if its architecture is not known."""
    machine = MACHINES.get(platform.machine())
    return assembled(machine, rules_for(lenience)) if machine is not None else b""


def assembled(machine: Machine, rules: Sequence[Rule] = RULES) -> bytes:
    """Return the filter for an architecture, as the kernel reads it."""
    return b"".join(_instruction(*step) for step in _steps(machine, rules))


def _instruction(code: int, jump_if: int, jump_else: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, jump_if, jump_else, value)


_Step = tuple[int, int, int, int]


def _steps(machine: Machine, rules: Sequence[Rule]) -> Iterator[_Step]:
    yield (_LOAD, 0, 0, _MACHINE_OFFSET)
    yield (_JUMP_IF_EQUAL, 1, 0, machine.mark)
    yield (_RETURN, 0, 0, _KILL)
    yield (_LOAD, 0, 0, _NUMBER_OFFSET)
    yield (_JUMP_IF_AT_LEAST, 0, 1, _FOREIGN_NUMBERS)
    yield (_RETURN, 0, 0, _KILL)
    for rule in rules:
        # Each architecture lacks calls that others have.
        if rule.call in machine.numbers:
            block = list(_block(rule))
            yield (_JUMP_IF_EQUAL, 0, len(block), machine.numbers[rule.call])
            yield from block
    yield (_RETURN, 0, 0, _ALLOW)


def _block(rule: Rule) -> Iterator[_Step]:
    """Yield the steps that allow or refuse a call of this rule; they never go on to the next rule."""
    refuse = (_RETURN, 0, 0, _REFUSE | rule.error)
    if rule.argument is None:
        yield refuse
        return
    yield (_LOAD, 0, 0, _ARGUMENTS_OFFSET + 8 * rule.argument)
    yield (_AND, 0, 0, rule.mask)
    last = len(rule.values) - 1
    for number, value in enumerate(rule.values):
        yield (_JUMP_IF_EQUAL, last - number, 1 if number == last else 0, value)
    allow = (_RETURN, 0, 0, _ALLOW)
    yield from (allow, refuse) if rule.unless else (refuse, allow)
