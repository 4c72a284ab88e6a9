"""Steps by which a process of root becomes one of an unprivileged user, and can still read what is root's.

The event of an organiser who is root lies in folders of root, which another user may not even enter. So the process
first gets a **view**: a file system of its own, in which the kernel shows what belongs to root as if it belonged to the
other user (an idmapped mount), and notes what that user makes there as root's. Only files change their owner by it; for
whatever else asks who somebody is, ``/proc/sys`` and ``/sys`` among it, the process is the other user.

It is part of the start program (``die_with_parent``): it imports nothing of Ordago, and little else.
"""

import ctypes
import os
import stat

if __package__:
    from ordago.arena.processes.kernel import RefusedError, call, drop_bounding_set, library
else:  # in the start program
    from kernel import RefusedError, call, drop_bounding_set, library  # type: ignore[import-not-found,no-redef]

# From linux/sched.h, linux/mount.h and linux/fcntl.h. The numbers of the calls are the same on all processors.
_NEW_MOUNTS = 0x00020000
_FOLLOW, _ALL_BELOW = 1 << 19, 1 << 14
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_COPY, _CLOSE_ON_EXEC, _RECURSIVE, _EMPTY_PATH = 1, 0o2000000, 0x8000, 0x1000
_FROM_EMPTY_PATH = 4
_MAPPED = 0x00100000
_HERE = -100 & (2**64 - 1)


def enter_view(namespace: int, places: "tuple[str, ...]") -> None:
    """Show this process, and what it starts, what is root's in some places as if it were another user's.

    What lies on a file system that cannot do so, as that of a network may be, stays as it is.

    Args:
        namespace: the descriptor of a user namespace that maps root to the other user.
        places: the real paths that matter.
    """
    _checked(library.unshare(_NEW_MOUNTS))
    # What the machine unmounts later is unmounted here, too; nothing that happens here is seen there.
    _checked(library.mount(None, b"/", None, ctypes.c_ulong(_FOLLOW | _ALL_BELOW), None))
    attributes = b"".join(part.to_bytes(8, "little") for part in (_MAPPED, 0, 0, namespace))
    for point in _mount_points():
        if any(_holds(point, place) or _holds(place, point) for place in places):
            _map(point, attributes)


def step_down(user: int) -> None:
    """Make this process one of another user, without any right of root's, for good.

    The pipes that it inherited become that user's, since some programs open them anew by their paths.
    """
    for name in os.listdir("/proc/self/fd"):
        _hand_over(int(name), user)
    drop_bounding_set()
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _hand_over(descriptor: int, user: int) -> None:
    try:
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            os.fchown(descriptor, user, user)
    except OSError:
        return  # It is the one by which they were listed.


def _mount_points() -> "list[str]":
    """Return where something is mounted; what lies in something else comes after it."""
    with open("/proc/self/mountinfo", "rb") as file:
        points = [line.split()[4] for line in file]
    return list(dict.fromkeys(os.fsdecode(point.decode("unicode_escape").encode("latin-1")) for point in points))


def _holds(folder: str, path: str) -> bool:
    return folder == "/" or path == folder or path.startswith(folder + "/")


def _map(point: str, attributes: bytes) -> None:
    """Put a view of what is mounted somewhere in its place, with all that is mounted below."""
    path = ctypes.c_char_p(os.fsencode(point))
    try:
        tree = call(_OPEN_TREE, _HERE, path, _COPY | _RECURSIVE | _CLOSE_ON_EXEC)
    except RefusedError:
        return  # It cannot be reached, and so is of no use to anybody here.
    try:
        call(_MOUNT_SETATTR, tree, b"", _EMPTY_PATH, attributes, len(attributes))
    except RefusedError:
        os.close(tree)
        return
    call(_MOVE_MOUNT, tree, b"", _HERE, path, _FROM_EMPTY_PATH)
    if point == "/":
        os.fchdir(tree)
        os.chroot(".")
    os.close(tree)


def _checked(result: int) -> None:
    if result != 0:
        raise RefusedError(os.strerror(ctypes.get_errno()))
