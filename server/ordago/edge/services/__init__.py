"""Services of a standing server besides play: its ladder, matches, events and accounts."""

from ordago.edge.services.ladder import ladder_services
from ordago.edge.services.ladder_handlers import LadderReader

__all__ = ["LadderReader", "ladder_services"]
