"""Parts of bots that search: a tree over imagined deals, deals by their likelihood, and a budget of time.

The rules draw the deals (``possible_states`` of a game) and play them on. docs/searching.md shows a whole bot.
"""

from ordago_bot.search.budget import Budget
from ordago_bot.search.inference import likely, resampled
from ordago_bot.search.tree import Playout, Search

__all__ = ["Budget", "Playout", "Search", "likely", "resampled"]
