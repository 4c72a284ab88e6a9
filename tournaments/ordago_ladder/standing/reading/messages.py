"""Messages of the ladder API, built from rows of the store and from ratings."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ordago import v1
from ordago.games import UnknownGameError, find_game
from ordago.match import FaultTerms, TimeTerms
from ordago.record.head import Head
from ordago.store.ladder.rows import EpochRow, LadderMatch, PlayerRow
from ordago_ladder.standing.publication.tallies import Tally
from ordago_ladder.standing.ratings import Moment, StandingRating
from ordago_ladder.standing.seasons.names import called


def ladder_description(
    *,
    title: str,
    games: Iterable[tuple[str, int, Mapping[str, object]]],
    time: TimeTerms,
    faults: FaultTerms,
    delay_seconds: int,
    epoch_seconds: int,
    challenge_matches: int = 0,
) -> v1.GetLadderResponse:
    """Return the part of a ladder's description that its file determines.

    Args:
        title: its name for people.
        games: the short name of each game, its number of seats, and values of its options.
        time: the time of each seat of a match.
        faults: the limits on faults.
        delay_seconds: the delay of the events that spectators of running matches see.
        epoch_seconds: the length of an epoch.
        challenge_matches: the most matches of challenges that an account may begin in 24 hours.
    """
    return v1.GetLadderResponse(
        title=title,
        games=[_game_message(*game) for game in sorted(games, key=lambda game: game[0])],
        clock=time.message(),
        faults=faults.message(),
        delay_seconds=delay_seconds,
        epoch_seconds=epoch_seconds,
        challenge_matches=challenge_matches,
    )


def _game_message(name: str, seats: int, options: Mapping[str, object]) -> v1.LadderGame:
    game = find_game(name)
    complete = game.codec.options(game.rules.options(options))
    return v1.LadderGame(game=name, rules_version=game.rules.version, seats=seats, options=complete)


def player_message(player: PlayerRow, *, current: bool) -> v1.LadderPlayer:
    """Return a player as a message. The store does not know ``current``; the ratings do."""
    return v1.LadderPlayer(
        player=player.player,
        name=player.name,
        version=player.version,
        build=player.build,
        account=player.account,
        house=player.house,
        current=current,
        first_seen=player.first_seen,
        predecessor=player.predecessor or 0,
        sdk=player.sdk,
    )


def rating_message(rating: StandingRating) -> v1.Rating:
    """Return a rating as a message."""
    return v1.Rating(
        elo=rating.elo, low=rating.low, high=rating.high, matches=rating.matches, provisional=rating.provisional
    )


def figures_message(tally: Tally, *, of_one_game: bool) -> v1.StandingFigures:
    """Return scores, faults and forfeits as a message. Mean scores are set for one game only: games do not compare."""
    message = v1.StandingFigures(faults=tally.faults, forfeits=tally.forfeits)
    if of_one_game:
        message.mean_score = tally.scored / tally.matches
        if tally.deals:
            message.mean_deal_score = tally.scored / tally.deals
    return message


def course_message(moments: Iterable[Moment]) -> v1.GetRatingCourseResponse:
    """Return the history of a rating as a message."""
    points = [
        v1.RatingPoint(at=moment.ended, elo=moment.elo, low=moment.low, high=moment.high, matches=moment.matches)
        for moment in moments
    ]
    return v1.GetRatingCourseResponse(points=points)


def epoch_message(row: EpochRow, head: Head, *, secret_digest: bytes, link: bytes) -> v1.Epoch:
    """Return an epoch as a message, with its link if that is revealed."""
    return v1.Epoch(
        epoch=row.epoch,
        began=row.began,
        settings_digest=bytes.fromhex(row.settings_digest),
        secret_digest=secret_digest,
        link=link if row.revealed else b"",
        matches=row.matches,
        results=row.results,
        voids=row.voids,
        pruned=row.pruned,
        ledger_length=head.length,
        ledger_head=head.digest,
        season=called(row.season),
    )


def season_message(epochs: Sequence[EpochRow], *, ended: int) -> v1.Season:
    """Return a season as a message.

    Args:
        epochs: all of its epochs, ascending.
        ended: the time of its end, in seconds since 1970; 0 while it runs.
    """
    return v1.Season(
        name=called(epochs[0].season),
        first_epoch=epochs[0].epoch,
        last_epoch=epochs[-1].epoch,
        began=epochs[0].began,
        ended=ended,
        matches=sum(epoch.results for epoch in epochs),
    )


def match_message(
    match: LadderMatch, epoch: EpochRow, *, player_of: Callable[[int], PlayerRow], lane: str = ""
) -> v1.LadderMatch:
    """Return a match of an epoch as a message of the server with a lane."""
    seating, outcome = match.seating, match.outcome
    message = v1.LadderMatch(
        match_id=seating.match_id,
        game=seating.game,
        epoch=seating.epoch,
        number=seating.number,
        stage=_stage(match),
        seats=_seats(match, player_of),
        begun=seating.begun,
        void_reason=match.void or "",
        unrated=seating.unrated,
        lane=match.lane if match.lane != lane else "",
    )
    if outcome is not None:
        message.ended, message.record_digest = outcome.ended, outcome.record_digest
        message.record_open = epoch.revealed and not epoch.pruned
    return message


def _stage(match: LadderMatch) -> v1.MatchStage:
    if match.running:
        return v1.MATCH_STAGE_RUNNING
    return v1.MATCH_STAGE_VOID if match.outcome is None else v1.MATCH_STAGE_OVER


def _seats(match: LadderMatch, player_of: Callable[[int], PlayerRow]) -> list[v1.LadderSeat]:
    players = [player_of(number) for number in match.seating.players]
    seats = [
        v1.LadderSeat(player=player.player, name=player.name, version=player.version, account=player.account, side=side)
        for player, side in zip(players, sides_of(match.seating.game, len(players)), strict=True)
    ]
    if match.outcome is not None:
        result = match.outcome.result
        for seat, placing, score in zip(seats, result.placings, result.scores, strict=True):
            seat.placing, seat.score = placing, score
        for forfeit in result.forfeits:
            seats[forfeit.seat].forfeited = True
    return seats


def sides_of(game: str, seats: int) -> tuple[int, ...]:
    """Return the side of each seat. In a game that this version lacks each seat is a side of its own."""
    try:
        return find_game(game).rules.sides(seats)
    except UnknownGameError:
        return tuple(range(seats))
