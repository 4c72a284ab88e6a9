"""The collector of cycles, in a process that serves: how seldom it looks at what stays for good."""

import gc


def let_modules_be() -> None:
    """Take what is there now out of what the collector looks at, once all is imported.

    It looks at all that has lived for long in one go, and everything else waits meanwhile. Of a server that plays 256
    matches half are modules, and without them the longest such wait is half as long.
    """
    gc.collect()
    gc.freeze()
