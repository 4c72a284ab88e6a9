"""The services of a standing ladder that tell of it: ``LadderService`` and ``MatchService``."""

from ordago.edge.services.offer import ladder_services
from ordago.edge.services.reader import BadRequestError, LadderReader, NotOpenError, NotThereError, ReaderError

__all__ = ["BadRequestError", "LadderReader", "NotOpenError", "NotThereError", "ReaderError", "ladder_services"]
