"""Ordago, a game-server engine for card games with hidden information.

The layers, from the lowest to the highest; each knows only those above it in this list::

    cards, game, chance     what all games share                                            (pure)
    games                   one folder a game: rules, words; the codec to the wire          (pure)
    session                 one bot connection as a machine without I/O                     (pure)
    record                  what a match was; digest, verify                                (pure)
    match                   one match: referee, clocks, faults                              (trio)
    store                   results and schedules in SQL
    arena                   who is connected, who waits, which matches run                  (trio)
    edge                    grpc.aio in a thread of its own
    bench, cli, web         what people start

``ordago.v1`` holds the generated messages of the contract.
"""

import os
from typing import Final

from ordago.build import settle

IS_COMPILED: Final = settle(os.path.dirname(__file__))
"""True if the compiled modules run instead of their sources."""
