"""The process that answers requests to the rules, one after the other, until its service ends.

It is apart from the service so that nothing in a request can hurt more than its own call: the service ends a process
that takes too long or too much memory, and starts another.
"""

import logging
import resource
import sys
from multiprocessing.connection import Connection
from typing import Final

from ordago.search.answers import Answers
from ordago.search.requests import RequestError, Why

ANSWERED: Final = b"\0"
"""The first byte of an answer. That of a refusal is its ``Why``, and a sentence follows."""
MOST_MEMORY_BYTES: Final = 1 << 30
"""The address space of a process. It takes a tenth of it for the largest requests; a forged card could take 256 MB."""
_LOG: Final = logging.getLogger("ordago.rules")


def main() -> None:
    """Answer what comes over the socket whose number is the argument. The first message is the secret of the states."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    with Connection(int(sys.argv[1])) as connection:
        try:
            answers = Answers(connection.recv_bytes())
            while True:
                call, request = connection.recv_bytes(), connection.recv_bytes()
                connection.send_bytes(answered(answers, call.decode(), request))
        except (EOFError, BrokenPipeError):
            """The service has ended."""


def answered(answers: Answers, call: str, request: bytes) -> bytes:
    """Return the answer to a call, or the reason why there is none, as ``ANSWERED`` says."""
    try:
        return ANSWERED + answers.calls[call](request)
    except RequestError as error:
        return _refused(error.why, str(error))
    except MemoryError:
        return _refused(Why.TOO_LARGE, "the call takes too much memory: ask for less in one call")
    except Exception as error:  # noqa: BLE001 - a forged view that passed the first checks, or a mistake in the rules
        _LOG.exception("a call failed")
        what = f"the rules failed ({type(error).__name__}: {error})"
        return _refused(Why.FAILED, f"{what}: the view is none that a server sent, or there is a mistake in the rules")


def _refused(why: Why, sentence: str) -> bytes:
    return bytes((why,)) + sentence.encode(errors="replace")


if __name__ == "__main__":
    main()
