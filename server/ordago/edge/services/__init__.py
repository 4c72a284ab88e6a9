"""The services of a standing ladder that tell of it: ``LadderService`` and ``MatchService``."""

from ordago.edge.services.offer import ladder_services
from ordago.edge.services.reader import LadderReader

__all__ = ["LadderReader", "ladder_services"]
