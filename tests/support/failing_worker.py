"""A worker whose server fails in the first attempt at each match: ``python -m support.failing_worker DESCRIPTOR``."""

import sys
from typing import Any

import trio

from ordago.arena.play import MatchFailedError, UntoldMatch, play_untold
from ordago.match import MatchTerms
from ordago_ladder.run import playing
from ordago_ladder.workers import worker


async def _fail_first(terms: MatchTerms, *arguments: Any, **options: Any) -> UntoldMatch:
    if terms.attempt == 0:
        raise MatchFailedError("the server failed in a match") from ZeroDivisionError("planted")
    return await play_untold(terms, *arguments, **options)


if __name__ == "__main__":
    playing.play_untold = _fail_first  # type: ignore[assignment]
    trio.run(worker._main, int(sys.argv[1]))
