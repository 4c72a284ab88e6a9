"""The services of a standing ladder that tell of it: ``LadderService`` and ``MatchService``."""

from ordago.edge.services.ladder import ladder_services
from ordago.edge.services.ladder_handlers import LadderReader

__all__ = ["LadderReader", "ladder_services"]
