"""The services of a standing ladder that tell of it: ``LadderService`` and ``MatchService``."""

from ordago.edge.services.ladder_handlers import LadderReader
from ordago.edge.services.offer import ladder_services

__all__ = ["LadderReader", "ladder_services"]
