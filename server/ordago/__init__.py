"""Ordago, a game-server engine for card games with hidden information.

The layers, from the lowest to the highest; each knows only those above it in this list::

    cards, game, chance     the common part of all games                                    (pure)
    wire                    serialized messages, joined from parts                          (pure)
    games                   a folder for each game: its rules, its words                    (pure)
    protocol                one bot connection as a machine without I/O                     (pure)
    record                  records of matches: digest, replay, verification                (pure)
    match                   one match: referee, clocks, faults                              (pure)
    store                   results, schedules and accounts in SQL
    journal                 the state that survives a restart, in a file
    telemetry               counters, and lines of the log
    arena                   connected bots and running matches                              (trio)
    edge                    grpc.aio in a thread of its own

``ordago.v1`` holds the generated messages of the contract.
"""

import os
from typing import Final

from ordago.build import settle

IS_COMPILED: Final = settle(os.path.dirname(__file__))
"""True if the compiled modules run instead of their sources."""
