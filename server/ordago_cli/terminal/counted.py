"""Numbers of things in sentences for people."""


def counted(number: int, of: str) -> str:
    """Return a number of things, given what one of them is called: ``1 record``, ``2 records``."""
    return f"{number} {of}" if number == 1 else f"{number} {of}s"
