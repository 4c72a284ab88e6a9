"""Where the referees of a server are: in its own process, or in others beside it."""

from ordago.arena.referees.pool import RefereePool, RefereesFailedError
from ordago.journal import MatchJournal
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.errors import EXIT_SERVER, CommandError


def pool_of(processes: int, telemetry: Telemetry, journal: MatchJournal) -> RefereePool | None:
    """Return so many processes of referees, of which none runs yet; nothing where the server is the referee."""
    return RefereePool(processes, telemetry, journal=journal) if processes else None


async def keep_up_pool(pool: RefereePool) -> None:
    """Keep processes of referees running until it is cancelled.

    Raises:
        CommandError: they end, one after the other.
    """
    try:
        await pool.run()
    except* RefereesFailedError as group:
        sentence = f"{group.exceptions[0]}; what they wrote last stands above. Start it again, without --processes"
        raise CommandError(sentence, exit_code=EXIT_SERVER) from group
