"""Telemetry of a seat. A module of its own, so that it can be compiled: it is called for each decision."""

import logging
from typing import final

from ordago import v1
from ordago.record import fault_name
from ordago.telemetry.counters import Counters

_logger = logging.getLogger(__name__)


@final
class SeatTelemetry:
    """Telemetry of one seat of one match. Its methods are called for each decision."""

    __slots__ = ("_game", "_reported", "_where")

    def __init__(self, counters: Counters, where: dict[str, object], game: str) -> None:
        """Use ``BotTelemetry.seat``."""
        self._game = counters.game(game)
        self._where = where
        self._reported: set[v1.Fault] = set()

    def asked(self) -> None:
        """A decision was put to the seat."""
        self._game.asked += 1

    def refused(self) -> None:
        """An answer broke a rule."""
        self._game.refused += 1

    def closed(self, charged_ms: int, fault: v1.Fault) -> None:
        """A decision was closed, by a fault if there is one."""
        self._game.charged_ms.add(charged_ms)
        if fault:
            self._fault(fault)

    def _fault(self, fault: v1.Fault) -> None:
        self._game.faults[fault] += 1
        # The first of a kind in a match is logged; a bot that is gone causes one for each decision.
        if fault not in self._reported:
            self._reported.add(fault)
            _logger.info("fault", extra={**self._where, "fault": fault_name(fault)})

    def forfeited(self, fault: v1.Fault) -> None:
        """The seat was forfeited."""
        self._game.forfeits[fault] += 1
        _logger.warning("seat forfeited", extra={**self._where, "fault": fault_name(fault)})
