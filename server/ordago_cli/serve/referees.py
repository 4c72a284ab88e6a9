"""Where the referees of a server are: in its own process, or in others beside it."""

from ordago.arena.referees.crew import Crew, RefereesFailedError
from ordago.journal import MatchJournal
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.errors import EXIT_SERVER, CommandError


def crew_of(processes: int, telemetry: Telemetry, journal: MatchJournal) -> Crew | None:
    """Return so many processes of referees, of which none runs yet; nothing where the server is the referee."""
    return Crew(processes, telemetry, journal=journal) if processes else None


async def keep_up_crew(crew: Crew) -> None:
    """Keep processes of referees running until it is cancelled.

    Raises:
        CommandError: they end, one after the other.
    """
    try:
        await crew.run()
    except* RefereesFailedError as group:
        sentence = f"{group.exceptions[0]}; what they wrote last stands above. Start it again, without --processes"
        raise CommandError(sentence, exit_code=EXIT_SERVER) from group
