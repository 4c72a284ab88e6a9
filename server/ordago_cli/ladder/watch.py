"""``ordago watch``: a running match in words."""

import json
from collections.abc import Hashable, Iterator

import click

from ordago import v1
from ordago.edge.services.client import MatchClient
from ordago.game import Outcome, OutcomeReason
from ordago.games import UnknownGameError, find_game
from ordago.names import visible
from ordago.record.text import players_of, tell_events, tell_forfeits, tell_outcome, tell_setting
from ordago.record.watched import watched_heading
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_UNFINISHED, CommandError
from ordago_cli.options.asking import Asked, as_values, asks
from ordago_cli.terminal.streams import output_is_lost


@click.command(epilog="Example: ordago watch 5c0f23… with a match that ordago matches --running names")
@click.argument("match")
@asks
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line per response.")
def watch(asked: Asked[MatchClient], match: str, *, as_json: bool) -> None:
    """Follow a MATCH of a server's ladder in words, from its beginning, as spectators see it."""
    with asked(MatchClient) as client:
        responses = client.listen(v1.WatchMatchRequest(match_id=match), v1.WatchMatchResponse)
        lines = (json.dumps(as_values(each)) for each in responses) if as_json else Telling().lines(responses)
        for line in lines:
            click.echo(line)
            if output_is_lost():
                return


class Telling:
    """A watched match in words."""

    def __init__(self) -> None:
        """Begin before the first response."""
        self._end: v1.WatchedEnd | None = None

    def lines(self, responses: Iterator[v1.WatchMatchResponse]) -> Iterator[str]:
        """Yield the lines of a match, each as soon as it is complete.

        Raises:
            CommandError: a response cannot be understood, or the stream ends too early.
        """
        first = next(responses, v1.WatchMatchResponse())
        record = watched_heading(first.start)
        players = players_of(record)
        yield from tell_setting(record, players)
        if first.start.delay_seconds:
            yield f"Shown with a delay of {first.start.delay_seconds} s."
        yield ""
        try:
            game = find_game(record.game)
            stage = game.staging.begin(players=players, options=game.codec.options_from(record.options))
            yield from tell_events(self._events(responses, record.game), stage, players=players)
        except UnknownGameError as error:
            raise CommandError(f"{error}; a newer version of Ordago may know it", exit_code=EXIT_OUTSIDE) from None
        except (LookupError, ValueError) as error:
            sentence = "the server sent a message that this version of Ordago does not understand; install a newer one"
            raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
        yield ""
        yield from self._ending(record, players)

    def _events(self, responses: Iterator[v1.WatchMatchResponse], game: str) -> Iterator[Hashable]:
        event_of = find_game(game).codec.event_from
        for response in responses:
            yield from map(event_of, response.events)
            if response.HasField("end"):
                self._end = response.end

    def _ending(self, record: v1.MatchRecord, players: list[str]) -> Iterator[str]:
        if self._end is None:
            raise CommandError("the server closed the stream before the match ended", exit_code=EXIT_UNFINISHED)
        if not self._end.HasField("outcome"):
            yield f"The match is void: {visible(self._end.sentence)}"
            return
        outcome = self._end.outcome
        reason = OutcomeReason(outcome.reason)
        yield from tell_outcome(Outcome(reason, tuple(outcome.scores), tuple(outcome.placings)), players)
        record.entries.extend(v1.RecordEntry(forfeit=forfeit) for forfeit in self._end.forfeits)
        yield from tell_forfeits(record, players)
