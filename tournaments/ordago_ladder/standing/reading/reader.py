"""Answers to the queries of the ladder API, from a ladder's store and its ratings."""

import math
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple, TypeAlias, TypeVar

from ordago import v1
from ordago.chance import commitment
from ordago.record.epochs import link_before, secret_of
from ordago.store.errors import NotFoundError, PageTokenError, StoreRefusedError, Why
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import EpochRow, LadderMatch, LadderResult, MatchFilter, PlayerRow
from ordago_ladder.standing.publication.tallies import Tallies, Tally
from ordago_ladder.standing.ratings import StandingRating, StandingRatings
from ordago_ladder.standing.reading.faults import NO_FAULT, fault_asked, faults_in, seats_of, went_wrong
from ordago_ladder.standing.reading.figures import bot_figures, bot_times, head_to_head
from ordago_ladder.standing.reading.messages import (
    course_message,
    epoch_message,
    figures_message,
    match_message,
    player_message,
    rating_message,
    season_message,
)
from ordago_ladder.standing.seasons.names import by_season, called
from ordago_ladder.standing.seasons.standing import SeasonArchive

RowT = TypeVar("RowT")
Place: TypeAlias = tuple[float, int]
"""The sort key of a row: its value, and its number to tell rows of equal value apart."""

MOST_ROWS: Final = 500
_USUAL_ROWS: Final = 100
"""The contract states both (``page_size``)."""
_PLACE: Final = struct.Struct(">dI")
"""A place as bytes. Its page token is their hexadecimal form, so that any 24 digits are a token of every list."""


class PageAsked(NamedTuple):
    """A request for a page of rows."""

    size: int
    """The most rows; 0 for the usual number."""
    token: str
    """The token from the page before; empty for the first page."""

    @property
    def rows(self) -> int:
        """The most rows, within the limits."""
        return min(self.size or _USUAL_ROWS, MOST_ROWS)


def page_of(rows: Iterable[RowT], asked: PageAsked, *, place_of: Callable[[RowT], Place]) -> tuple[list[RowT], str]:
    """Return a page of rows, and the token of the next page; empty if there is none.

    Rows come ascending by ``place_of``. A token names the last row of its page, so rows that appear or vanish before it
    shift nothing.

    Raises:
        PageTokenError: the token did not come from a page.
    """
    after = _place_of(asked.token) if asked.token else None
    behind = (row for row in rows if after is None or place_of(row) > after)
    page = list(islice(behind, asked.rows + 1))
    more = len(page) > asked.rows
    page = page[: asked.rows]
    return page, _token(place_of(page[-1])) if more else ""


def _token(place: Place) -> str:
    return _PLACE.pack(*place).hex()


def _place_of(token: str) -> Place:
    try:
        place: Place = _PLACE.unpack(bytes.fromhex(token))
    except (ValueError, struct.error):
        raise PageTokenError("The page token is not one of this list: begin with the first page.") from None
    return place


_MOST_MEETINGS: Final = 5_000
"""The newest matches of two bots that their head-to-head counts: that takes about 50 ms."""
_MOST_MATCHES: Final = 2_000
"""The newest matches of a bot that its statistics count."""
_MOST_FAULTS: Final = 100
_USUAL_FAULTS: Final = 50
"""The contract states both. A page may read a record for each row, which takes a millisecond or more."""
_MOST_TIMED: Final = 40
"""The newest matches whose decision times are counted: fewer, since each record has to be read."""


class StandingReader:
    """Implementation of ``LadderReader`` over a store and ratings. All calls have to come from one thread."""

    def __init__(
        self,
        queries: LadderQueries,
        ratings: Callable[[], StandingRatings],
        seasons: SeasonArchive,
        description: v1.GetLadderResponse,
        tallies: Callable[[], Tallies] = dict,
        *,
        takes_challenges: Callable[[str], bool] = lambda _name: False,
        shown_account: Callable[[str], str] = str,
        lane: str = "",
        now: Callable[[], float] = time.time,
    ) -> None:
        """Prepare to answer queries.

        Args:
            queries: reads the store, by a connection that nothing else uses.
            ratings: returns the current ratings of the running season. It is called in the thread of the reader.
            seasons: the standings of earlier seasons.
            description: the part of the ladder's description that its file determines: title, games, terms, times.
            tallies: returns the scores and faults in the running season. It is called in the same thread.
            takes_challenges: returns True if any account may challenge the bot of a name, in the same thread.
            shown_account: returns the name of an account as strangers may see it.
            lane: the lane of this server; empty for the only one.
            now: returns the time, in seconds since 1970, UTC.
        """
        self._now = now
        self._shown_account = shown_account
        self._lane = lane
        self._takes_challenges = takes_challenges
        self._queries = queries
        self._ratings = ratings
        self._tallies = tallies
        self._seasons = seasons
        self._description = description
        self._players: dict[int, PlayerRow] = {}
        """The players read so far, by number. A player in the store never changes, so this cache needs no update."""

    def get_ladder(self, _request: v1.GetLadderRequest, /) -> v1.GetLadderResponse:
        """Describe the ladder."""
        row, epochs = self._queries.ladder(), self._queries.epochs()
        answer = v1.GetLadderResponse()
        answer.CopyFrom(self._description)
        answer.MergeFrom(
            v1.GetLadderResponse(
                name=row.name,
                epoch=epochs[-1].epoch if epochs else 0,
                season=called(epochs[-1].season) if epochs else "",
                anchor=row.anchor,
                settings_digest=bytes.fromhex(row.settings_digest),
                began=row.began,
                matches=sum(epoch.results for epoch in epochs),
                running=sum(epoch.matches - epoch.results - epoch.voids for epoch in epochs),
                rated=self._ratings().results,
            )
        )
        return answer

    def list_standings(self, request: v1.ListStandingsRequest, /) -> v1.ListStandingsResponse:
        """List the ranked players of a season."""
        game, goes_on = request.game or None, self._goes_on(request.season)
        ratings = self._rated(request.season).of(game).ratings
        tallies = self._tallies() if goes_on else {}
        wanted = (rating for rating in ratings if _is_wanted(rating, self._player(rating.player), request))
        asked = PageAsked(request.page_size, request.page_token)
        page, token = page_of(wanted, asked, place_of=lambda rating: rating.place)
        ranks = _ranks(ratings)
        standings = [
            v1.Standing(
                rank=ranks.get(rating.player, 0),
                player=player_message(self._player(rating.player), current=rating.current),
                rating=rating_message(rating),
                figures=_figures(tallies.get((game, rating.player)), of_one_game=game is not None),
            )
            for rating in page
        ]
        return v1.ListStandingsResponse(standings=standings, next_page_token=token)

    def get_bot(self, request: v1.GetBotRequest, /) -> v1.GetBotResponse:
        """Describe a bot."""
        ratings = self._rated(request.season)
        versions = [self._version(self._shown(player), ratings) for player in reversed(self._bot(request.name))]
        return v1.GetBotResponse(versions=versions, takes_challenges=self._takes_challenges(request.name))

    def _version(self, player: PlayerRow, ratings: StandingRatings) -> v1.BotVersion:
        scales = (("", ratings.overall), *ratings.games)
        found = [(game, rating) for game, scale in scales for rating in scale.ratings if rating.player == player.player]
        return v1.BotVersion(
            player=player_message(player, current=any(rating.current for _, rating in found)),
            ratings=[v1.GameRating(game=game, rating=rating_message(rating)) for game, rating in found],
        )

    def get_rating_course(self, request: v1.GetRatingCourseRequest, /) -> v1.GetRatingCourseResponse:
        """Return the history of a rating."""
        player = self._player(request.player)
        scale = self._rated(request.season).of(request.game or None)
        return course_message(dict(scale.courses).get(player.player, ()))

    def get_head_to_head(self, request: v1.GetHeadToHeadRequest, /) -> v1.GetHeadToHeadResponse:
        """Return the outcomes between two bots."""
        first = _versions(self._bot(request.first), _given(request, "first_version"))
        second = _versions(self._bot(request.second), _given(request, "second_version"))
        met = self._queries.meetings(first, second, epochs=self._within(request.season), most=_MOST_MEETINGS)
        return v1.GetHeadToHeadResponse(games=head_to_head(met, set(first), set(second)))

    def get_bot_figures(self, request: v1.GetBotFiguresRequest, /) -> v1.GetBotFiguresResponse:
        """Return the statistics of a bot."""
        own = _versions(self._bot(request.name), _given(request, "version"))
        newest = self._queries.newest(own, epochs=self._within(request.season), most=_MOST_MATCHES)
        results = [result for result in newest if not result.seating.unrated]
        games = bot_figures(results, set(own), lambda number: self._player(number).name)
        times = bot_times(self._open(results), set(own), self._queries.record)
        for figures in games:
            if figures.game in times:
                figures.times.CopyFrom(times[figures.game])
        return v1.GetBotFiguresResponse(games=games)

    def _open(self, results: Iterable[LadderResult]) -> Iterator[LadderResult]:
        """Yield the newest results whose records are open."""
        epochs = {epoch.epoch for epoch in self._queries.epochs() if epoch.revealed and not epoch.pruned}
        return islice((result for result in results if result.seating.epoch in epochs), _MOST_TIMED)

    def list_epochs(self, request: v1.ListEpochsRequest, /) -> v1.ListEpochsResponse:
        """List the epochs."""
        epochs = self._queries.epochs()[::-1]
        asked = PageAsked(request.page_size, request.page_token)
        page, token = page_of(epochs, asked, place_of=lambda row: (-row.epoch, 0))
        return v1.ListEpochsResponse(epochs=self._epochs(page), next_page_token=token)

    def list_seasons(self, request: v1.ListSeasonsRequest, /) -> v1.ListSeasonsResponse:
        """List the seasons."""
        rows = list(by_season(self._queries.epochs()).values())
        ends = [*(epochs[0].began for epochs in rows[1:]), 0]
        seasons = [season_message(epochs, ended=ended) for epochs, ended in zip(rows, ends, strict=True)][::-1]
        asked = PageAsked(request.page_size, request.page_token)
        page, token = page_of(seasons, asked, place_of=lambda season: (-season.first_epoch, 0))
        return v1.ListSeasonsResponse(seasons=page, next_page_token=token)

    def _season(self, asked: str) -> Sequence[EpochRow]:
        """Return the epochs of a season, or of the running one if none is named; empty before the first epoch."""
        epochs = self._queries.epochs()
        seasons = {called(season): found for season, found in by_season(epochs).items()}
        if asked and asked not in seasons:
            raise NotFoundError(f"There is no season {asked!r} on this ladder.")
        return seasons[asked] if asked else next(reversed(seasons.values()), ())

    def _within(self, season: str) -> tuple[int, int]:
        """Return the first and the last epoch of a season, or of the running one if none is named."""
        epochs = self._season(season)
        return (epochs[0].epoch, epochs[-1].epoch) if epochs else (0, 0)

    def _rated(self, asked: str) -> StandingRatings:
        """Return the ratings of a season, or of the running one if none is named."""
        return self._ratings() if self._goes_on(asked) else self._seasons.standing(asked).ratings

    def _goes_on(self, asked: str) -> bool:
        """Return True if a season is the running one."""
        return not asked or self._season(asked) == self._season("")

    def _epochs(self, rows: Sequence[EpochRow]) -> Iterator[v1.Epoch]:
        """Yield the messages of consecutive epochs, newest first: each link yields the one before it in the chain."""
        link = self._queries.ladder().chain.link(rows[0].epoch) if rows else b""
        for row in rows:
            digest = commitment(secret_of(link))
            yield epoch_message(row, self._queries.head(row.epoch), secret_digest=digest, link=link)
            link = link_before(link)

    def list_matches(self, request: v1.ListMatchesRequest, /) -> v1.ListMatchesResponse:
        """List matches."""
        asked = PageAsked(request.page_size, request.page_token)
        if request.by_end:
            if request != v1.ListMatchesRequest(by_end=True, page_size=request.page_size):
                raise StoreRefusedError(Why.UNFIT, "By their ends all matches are listed: leave filters and token out.")
            return v1.ListMatchesResponse(matches=self._matches(self._queries.latest(size=asked.rows)))
        wanted = MatchFilter(
            game=request.game or None,
            bot=request.bot or None,
            account=self._in_store(request.account) or None,
            epoch=request.epoch or None,
            running=request.running if request.HasField("running") else None,
        )
        page = self._queries.matches(wanted, token=asked.token, size=asked.rows)
        return v1.ListMatchesResponse(matches=self._matches(page.matches), next_page_token=page.next_token)

    def _matches(self, rows: Iterable[LadderMatch]) -> list[v1.LadderMatch]:
        epochs = {epoch.epoch: epoch for epoch in self._queries.epochs()}
        return [
            match_message(match, epochs[match.seating.epoch], player_of=self._player, lane=self._lane) for match in rows
        ]

    def get_match(self, request: v1.GetMatchRequest, /) -> v1.GetMatchResponse:
        """Describe a match."""
        return v1.GetMatchResponse(match=self._matches([self._queries.match(request.match_id)])[0])

    def get_record(self, request: v1.GetRecordRequest, /) -> v1.GetRecordResponse:
        """Return an open record."""
        return v1.GetRecordResponse(file=self._queries.record(request.match_id))

    def record_to_watch(self, match_id: str, /) -> bytes:
        """Return the file of a record that is open, or whose end spectators have seen."""
        # The time of an end is a whole second: the match may have ended just before the next.
        shown = int(self._now()) - self._description.delay_seconds - 1
        return self._queries.record(match_id, ended_by=shown)

    def list_faults(self, request: v1.ListFaultsRequest, /) -> v1.ListFaultsResponse:
        """List what went wrong with the bots of an account. The caller may read them."""
        asked = PageAsked(min(request.page_size or _USUAL_FAULTS, _MOST_FAULTS), request.page_token)
        rows = self._faults(request, before=-_place_of(asked.token)[0] if asked.token else math.inf)
        page, token = page_of(rows, asked, place_of=lambda row: row[0])
        return v1.ListFaultsResponse(faults=[fault for _, fault in page], next_page_token=token)

    def _faults(self, request: v1.ListFaultsRequest, *, before: float) -> Iterator[tuple[Place, v1.BotFault]]:
        """Yield faults with their places, newest first, of no match that began after one of this serial number."""
        own = self._queries.players(bot=request.bot or None, account=request.account)
        kept = {epoch.epoch: epoch.first_serial for epoch in self._queries.epochs() if not epoch.pruned}
        epochs = (min(kept, default=0), max(kept, default=0))
        for result in self._queries.newest([player.player for player in own], epochs=epochs, most=_MOST_MATCHES):
            serial = kept.get(result.seating.epoch, math.inf) + result.seating.number
            if serial <= before and serial != math.inf:
                seats = [(seat, player) for seat, player in seats_of(result, own) if went_wrong(result, seat)]
                found = chain.from_iterable(faults_in(self._queries, result, *seat) for seat in seats)
                for number, fault in enumerate(found):
                    yield (-serial, number), fault

    def get_fault(self, request: v1.GetFaultRequest, /) -> v1.GetFaultResponse:
        """Return a decision that went wrong. The caller may read it."""
        own = self._queries.players(bot=request.bot or None, account=request.account)
        match = self._queries.match(request.match_id)
        if match.outcome is None or {player.player for player in own}.isdisjoint(match.seating.players):
            raise NotFoundError(NO_FAULT)
        return fault_asked(self._queries, match.outcome, *seats_of(match.outcome, own)[0], request.decision)

    def _player(self, number: int) -> PlayerRow:
        if number not in self._players:
            self._players = {player.player: player for player in self._queries.players()}
        try:
            return self._shown(self._players[number])
        except KeyError:
            raise NotFoundError(f"There is no player {number} on this ladder.") from None

    def _shown(self, player: PlayerRow) -> PlayerRow:
        """Return a player with its account as strangers may see it."""
        shown = self._shown_account(player.account)
        return player if shown == player.account else player._replace(account=shown)

    def _in_store(self, shown: str) -> str:
        """Return the account in the store that is shown under a name; of a deleted one, only by its pseudonym."""
        if not shown.startswith("("):
            return shown if self._shown_account(shown) == shown else f"({shown})"
        accounts = {player.account for player in self._queries.players()}
        return next((account for account in accounts if self._shown_account(account) == shown), shown)

    def _bot(self, name: str) -> list[PlayerRow]:
        """Return the versions of a bot, oldest first."""
        players = self._queries.players(bot=name)
        if not players:
            raise NotFoundError(f"There is no bot {name!r} on this ladder.")
        return players


def _given(request: v1.GetHeadToHeadRequest | v1.GetBotFiguresRequest, field: str) -> str | None:
    return getattr(request, field) if request.HasField(field) else None


def _versions(players: Sequence[PlayerRow], version: str | None) -> list[int]:
    found = [player.player for player in players if version in (None, player.version)]
    if not found:
        raise NotFoundError(f"There is no version {version!r} of {players[0].name} on this ladder.")
    return found


def _is_wanted(rating: StandingRating, player: PlayerRow, request: v1.ListStandingsRequest) -> bool:
    return (
        (rating.current or not request.current_only)
        and (not request.HasField("provisional") or rating.provisional is request.provisional)
        and (not request.HasField("house") or player.house is request.house)
        and (not request.account or player.account == request.account)
        and request.name_part.casefold() in player.name.casefold()
    )


def _figures(tally: Tally | None, *, of_one_game: bool) -> v1.StandingFigures | None:
    return None if tally is None else figures_message(tally, of_one_game=of_one_game)


def _ranks(ratings: Sequence[StandingRating]) -> dict[int, int]:
    """Return the ranks of the current players, from 1; equal ratings share a rank."""
    current = [rating for rating in ratings if rating.current]
    first_of: dict[float, int] = {}
    for place, rating in enumerate(current, start=1):
        first_of.setdefault(rating.place[0], place)
    return {rating.player: first_of[rating.place[0]] for rating in current}
