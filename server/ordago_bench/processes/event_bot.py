"""An instant bot for an event, which connects as the runner's environment says, and plays many matches at once."""

import asyncio
import os
import sys
from pathlib import Path

from ordago_bench.latency import Latencies
from ordago_bench.processes.instant_bot import InstantBot, play
from ordago_bench.processes.worker import Tally

if __name__ == "__main__":
    bot = InstantBot(matches=int(sys.argv[1]), tally=Tally(), latencies=Latencies())
    token = Path(os.environ["ORDAGO_TOKEN_FILE"]).read_text(encoding="utf-8")
    asyncio.run(play(bot, os.environ["ORDAGO_ADDRESS"], token=token))
