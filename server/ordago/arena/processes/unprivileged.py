"""Steps by which a process of root becomes one of an unprivileged user, and can still read root's files.

The event of an organiser who runs as root lies in folders of root, which another user may not even enter. So the
process first gets a **view**: mounts of its own (idmapped), in which the kernel shows files of root as if they belonged
to the other user, and stores files that this user makes there as root's. This changes the owners of files only: to
every other check, in ``/proc/sys`` and ``/sys`` among others, the process is the other user.

It is part of the start program (``die_with_parent``): it imports nothing of Ordago, and little else.
"""

import ctypes
import os
import stat

if __package__:
    from ordago.arena.processes.kernel import RefusedError, call, drop_bounding_set, library
else:  # in the start program
    from kernel import RefusedError, call, drop_bounding_set, library  # type: ignore[import-not-found,no-redef]

# From linux/sched.h, linux/mount.h and linux/fcntl.h. The call numbers are the same on all architectures.
_NEW_MOUNTS = 0x00020000
_FOLLOW, _ALL_BELOW = 1 << 19, 1 << 14
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_COPY, _CLOSE_ON_EXEC, _RECURSIVE, _EMPTY_PATH = 1, 0o2000000, 0x8000, 0x1000
_FROM_EMPTY_PATH = 4
_MAPPED = 0x00100000
_HERE = -100 & (2**64 - 1)


def enter_view(namespace: int, places: "tuple[str, ...]") -> None:
    """Show root's files in some places to this process and its descendants as if they were another user's.

    File systems that do not support this, as those of a network may not, stay as they are.

    Args:
        namespace: the descriptor of a user namespace that maps root to the other user.
        places: the real paths that matter.

    Raises:
        RefusedError: the kernel refuses mounts of its own.
    """
    _checked(library.unshare(_NEW_MOUNTS))
    # Later unmounts on the machine take effect here, too, but no change here takes effect there.
    _checked(library.mount(None, b"/", None, ctypes.c_ulong(_FOLLOW | _ALL_BELOW), None))
    attributes = b"".join(part.to_bytes(8, "little") for part in (_MAPPED, 0, 0, namespace))
    for point in _mount_points():
        if any(_holds(point, place) or _holds(place, point) for place in places):
            _map(point, attributes)


def step_down(user: int) -> None:
    """Make this process another user's, without any capability of root, for good.

    Inherited pipes become that user's, since some programs reopen them by their paths.
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
        return  # The descriptor of the listing itself, which is closed by now.


def _mount_points() -> "list[str]":
    """Return all mount points, each after those that contain it."""
    with open("/proc/self/mountinfo", "rb") as file:
        points = [line.split()[4] for line in file]
    return list(dict.fromkeys(os.fsdecode(point.decode("unicode_escape").encode("latin-1")) for point in points))


def _holds(folder: str, path: str) -> bool:
    return folder == "/" or path == folder or path.startswith(folder + "/")


def _map(point: str, attributes: bytes) -> None:
    """Replace a mount, with all that is mounted below it, by an idmapped copy."""
    path = ctypes.c_char_p(os.fsencode(point))
    try:
        tree = call(_OPEN_TREE, _HERE, path, _COPY | _RECURSIVE | _CLOSE_ON_EXEC)
    except RefusedError:
        return  # It cannot be reached, so no bot can use it either.
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
