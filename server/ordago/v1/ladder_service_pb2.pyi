from ordago.v1 import announcement_pb2 as _announcement_pb2
from ordago.v1 import clock_pb2 as _clock_pb2
from ordago.v1 import decision_pb2 as _decision_pb2
from ordago.v1 import faults_pb2 as _faults_pb2
from ordago.v1 import games_pb2 as _games_pb2
from ordago.v1 import match_pb2 as _match_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ChallengeStage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHALLENGE_STAGE_UNSPECIFIED: _ClassVar[ChallengeStage]
    CHALLENGE_STAGE_WAITING: _ClassVar[ChallengeStage]
    CHALLENGE_STAGE_PLAYING: _ClassVar[ChallengeStage]
    CHALLENGE_STAGE_OVER: _ClassVar[ChallengeStage]
CHALLENGE_STAGE_UNSPECIFIED: ChallengeStage
CHALLENGE_STAGE_WAITING: ChallengeStage
CHALLENGE_STAGE_PLAYING: ChallengeStage
CHALLENGE_STAGE_OVER: ChallengeStage

class GetLadderRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetLadderResponse(_message.Message):
    __slots__ = ("name", "title", "games", "clock", "faults", "delay_seconds", "epoch", "epoch_seconds", "anchor", "settings_digest", "began", "matches", "running", "season", "rated", "challenge_matches")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    DELAY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    EPOCH_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ANCHOR_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    BEGAN_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_MATCHES_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    games: _containers.RepeatedCompositeFieldContainer[LadderGame]
    clock: _clock_pb2.ClockTerms
    faults: _faults_pb2.FaultTerms
    delay_seconds: int
    epoch: int
    epoch_seconds: int
    anchor: bytes
    settings_digest: bytes
    began: int
    matches: int
    running: int
    season: str
    rated: int
    challenge_matches: int
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., games: _Optional[_Iterable[_Union[LadderGame, _Mapping]]] = ..., clock: _Optional[_Union[_clock_pb2.ClockTerms, _Mapping]] = ..., faults: _Optional[_Union[_faults_pb2.FaultTerms, _Mapping]] = ..., delay_seconds: _Optional[int] = ..., epoch: _Optional[int] = ..., epoch_seconds: _Optional[int] = ..., anchor: _Optional[bytes] = ..., settings_digest: _Optional[bytes] = ..., began: _Optional[int] = ..., matches: _Optional[int] = ..., running: _Optional[int] = ..., season: _Optional[str] = ..., rated: _Optional[int] = ..., challenge_matches: _Optional[int] = ...) -> None: ...

class GetStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatusResponse(_message.Message):
    __slots__ = ("troubles", "announcements", "bots", "running", "epoch", "published_at")
    TROUBLES_FIELD_NUMBER: _ClassVar[int]
    ANNOUNCEMENTS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_AT_FIELD_NUMBER: _ClassVar[int]
    troubles: _containers.RepeatedScalarFieldContainer[str]
    announcements: _containers.RepeatedCompositeFieldContainer[_announcement_pb2.Announcement]
    bots: int
    running: int
    epoch: int
    published_at: int
    def __init__(self, troubles: _Optional[_Iterable[str]] = ..., announcements: _Optional[_Iterable[_Union[_announcement_pb2.Announcement, _Mapping]]] = ..., bots: _Optional[int] = ..., running: _Optional[int] = ..., epoch: _Optional[int] = ..., published_at: _Optional[int] = ...) -> None: ...

class LadderGame(_message.Message):
    __slots__ = ("game", "rules_version", "seats", "options")
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    game: str
    rules_version: int
    seats: int
    options: _games_pb2.GameOptions
    def __init__(self, game: _Optional[str] = ..., rules_version: _Optional[int] = ..., seats: _Optional[int] = ..., options: _Optional[_Union[_games_pb2.GameOptions, _Mapping]] = ...) -> None: ...

class Rating(_message.Message):
    __slots__ = ("elo", "low", "high", "matches", "provisional")
    ELO_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    elo: float
    low: float
    high: float
    matches: int
    provisional: bool
    def __init__(self, elo: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., matches: _Optional[int] = ..., provisional: bool = ...) -> None: ...

class LadderPlayer(_message.Message):
    __slots__ = ("player", "name", "version", "build", "account", "house", "current", "first_seen", "predecessor", "sdk")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    BUILD_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEEN_FIELD_NUMBER: _ClassVar[int]
    PREDECESSOR_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    player: int
    name: str
    version: str
    build: str
    account: str
    house: bool
    current: bool
    first_seen: int
    predecessor: int
    sdk: str
    def __init__(self, player: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., build: _Optional[str] = ..., account: _Optional[str] = ..., house: bool = ..., current: bool = ..., first_seen: _Optional[int] = ..., predecessor: _Optional[int] = ..., sdk: _Optional[str] = ...) -> None: ...

class ListStandingsRequest(_message.Message):
    __slots__ = ("game", "current_only", "provisional", "house", "account", "name_part", "page_size", "page_token", "season")
    GAME_FIELD_NUMBER: _ClassVar[int]
    CURRENT_ONLY_FIELD_NUMBER: _ClassVar[int]
    PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    NAME_PART_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    game: str
    current_only: bool
    provisional: bool
    house: bool
    account: str
    name_part: str
    page_size: int
    page_token: str
    season: str
    def __init__(self, game: _Optional[str] = ..., current_only: bool = ..., provisional: bool = ..., house: bool = ..., account: _Optional[str] = ..., name_part: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., season: _Optional[str] = ...) -> None: ...

class ListStandingsResponse(_message.Message):
    __slots__ = ("standings", "next_page_token")
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    standings: _containers.RepeatedCompositeFieldContainer[Standing]
    next_page_token: str
    def __init__(self, standings: _Optional[_Iterable[_Union[Standing, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Standing(_message.Message):
    __slots__ = ("rank", "player", "rating", "figures")
    RANK_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    FIGURES_FIELD_NUMBER: _ClassVar[int]
    rank: int
    player: LadderPlayer
    rating: Rating
    figures: StandingFigures
    def __init__(self, rank: _Optional[int] = ..., player: _Optional[_Union[LadderPlayer, _Mapping]] = ..., rating: _Optional[_Union[Rating, _Mapping]] = ..., figures: _Optional[_Union[StandingFigures, _Mapping]] = ...) -> None: ...

class StandingFigures(_message.Message):
    __slots__ = ("mean_score", "mean_deal_score", "faults", "forfeits")
    MEAN_SCORE_FIELD_NUMBER: _ClassVar[int]
    MEAN_DEAL_SCORE_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    mean_score: float
    mean_deal_score: float
    faults: int
    forfeits: int
    def __init__(self, mean_score: _Optional[float] = ..., mean_deal_score: _Optional[float] = ..., faults: _Optional[int] = ..., forfeits: _Optional[int] = ...) -> None: ...

class GetBotRequest(_message.Message):
    __slots__ = ("name", "season")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    season: str
    def __init__(self, name: _Optional[str] = ..., season: _Optional[str] = ...) -> None: ...

class GetBotResponse(_message.Message):
    __slots__ = ("versions", "takes_challenges")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    TAKES_CHALLENGES_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[BotVersion]
    takes_challenges: bool
    def __init__(self, versions: _Optional[_Iterable[_Union[BotVersion, _Mapping]]] = ..., takes_challenges: bool = ...) -> None: ...

class BotVersion(_message.Message):
    __slots__ = ("player", "ratings")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    player: LadderPlayer
    ratings: _containers.RepeatedCompositeFieldContainer[GameRating]
    def __init__(self, player: _Optional[_Union[LadderPlayer, _Mapping]] = ..., ratings: _Optional[_Iterable[_Union[GameRating, _Mapping]]] = ...) -> None: ...

class GameRating(_message.Message):
    __slots__ = ("game", "rating")
    GAME_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    game: str
    rating: Rating
    def __init__(self, game: _Optional[str] = ..., rating: _Optional[_Union[Rating, _Mapping]] = ...) -> None: ...

class GetRatingCourseRequest(_message.Message):
    __slots__ = ("player", "game", "season")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    player: int
    game: str
    season: str
    def __init__(self, player: _Optional[int] = ..., game: _Optional[str] = ..., season: _Optional[str] = ...) -> None: ...

class GetRatingCourseResponse(_message.Message):
    __slots__ = ("points",)
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedCompositeFieldContainer[RatingPoint]
    def __init__(self, points: _Optional[_Iterable[_Union[RatingPoint, _Mapping]]] = ...) -> None: ...

class RatingPoint(_message.Message):
    __slots__ = ("at", "elo", "low", "high", "matches")
    AT_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    at: int
    elo: float
    low: float
    high: float
    matches: int
    def __init__(self, at: _Optional[int] = ..., elo: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., matches: _Optional[int] = ...) -> None: ...

class GetHeadToHeadRequest(_message.Message):
    __slots__ = ("first", "second", "first_version", "second_version", "season")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    FIRST_VERSION_FIELD_NUMBER: _ClassVar[int]
    SECOND_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    first: str
    second: str
    first_version: str
    second_version: str
    season: str
    def __init__(self, first: _Optional[str] = ..., second: _Optional[str] = ..., first_version: _Optional[str] = ..., second_version: _Optional[str] = ..., season: _Optional[str] = ...) -> None: ...

class GetHeadToHeadResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[HeadToHead]
    def __init__(self, games: _Optional[_Iterable[_Union[HeadToHead, _Mapping]]] = ...) -> None: ...

class HeadToHead(_message.Message):
    __slots__ = ("game", "first_ahead", "second_ahead", "level", "partners")
    GAME_FIELD_NUMBER: _ClassVar[int]
    FIRST_AHEAD_FIELD_NUMBER: _ClassVar[int]
    SECOND_AHEAD_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    PARTNERS_FIELD_NUMBER: _ClassVar[int]
    game: str
    first_ahead: int
    second_ahead: int
    level: int
    partners: int
    def __init__(self, game: _Optional[str] = ..., first_ahead: _Optional[int] = ..., second_ahead: _Optional[int] = ..., level: _Optional[int] = ..., partners: _Optional[int] = ...) -> None: ...

class GetBotFiguresRequest(_message.Message):
    __slots__ = ("name", "version", "season")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    season: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., season: _Optional[str] = ...) -> None: ...

class GetBotFiguresResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[BotFigures]
    def __init__(self, games: _Optional[_Iterable[_Union[BotFigures, _Mapping]]] = ...) -> None: ...

class BotFigures(_message.Message):
    __slots__ = ("game", "matches", "seats", "others", "faults", "strikes", "forfeits", "times")
    GAME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    game: str
    matches: int
    seats: _containers.RepeatedCompositeFieldContainer[SeatFigures]
    others: _containers.RepeatedCompositeFieldContainer[OpponentFigures]
    faults: _containers.RepeatedCompositeFieldContainer[FaultFigures]
    strikes: int
    forfeits: int
    times: TimeFigures
    def __init__(self, game: _Optional[str] = ..., matches: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[SeatFigures, _Mapping]]] = ..., others: _Optional[_Iterable[_Union[OpponentFigures, _Mapping]]] = ..., faults: _Optional[_Iterable[_Union[FaultFigures, _Mapping]]] = ..., strikes: _Optional[int] = ..., forfeits: _Optional[int] = ..., times: _Optional[_Union[TimeFigures, _Mapping]] = ...) -> None: ...

class TimeFigures(_message.Message):
    __slots__ = ("matches", "decisions", "mean_ms", "longest_ms")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MEAN_MS_FIELD_NUMBER: _ClassVar[int]
    LONGEST_MS_FIELD_NUMBER: _ClassVar[int]
    matches: int
    decisions: int
    mean_ms: float
    longest_ms: int
    def __init__(self, matches: _Optional[int] = ..., decisions: _Optional[int] = ..., mean_ms: _Optional[float] = ..., longest_ms: _Optional[int] = ...) -> None: ...

class SeatFigures(_message.Message):
    __slots__ = ("seat", "matches", "mean_score", "pairings")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MEAN_SCORE_FIELD_NUMBER: _ClassVar[int]
    PAIRINGS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    matches: int
    mean_score: float
    pairings: PairingFigures
    def __init__(self, seat: _Optional[int] = ..., matches: _Optional[int] = ..., mean_score: _Optional[float] = ..., pairings: _Optional[_Union[PairingFigures, _Mapping]] = ...) -> None: ...

class OpponentFigures(_message.Message):
    __slots__ = ("name", "pairings")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAIRINGS_FIELD_NUMBER: _ClassVar[int]
    name: str
    pairings: PairingFigures
    def __init__(self, name: _Optional[str] = ..., pairings: _Optional[_Union[PairingFigures, _Mapping]] = ...) -> None: ...

class PairingFigures(_message.Message):
    __slots__ = ("ahead", "behind", "level", "partners")
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    BEHIND_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    PARTNERS_FIELD_NUMBER: _ClassVar[int]
    ahead: int
    behind: int
    level: int
    partners: int
    def __init__(self, ahead: _Optional[int] = ..., behind: _Optional[int] = ..., level: _Optional[int] = ..., partners: _Optional[int] = ...) -> None: ...

class FaultFigures(_message.Message):
    __slots__ = ("fault", "decisions")
    FAULT_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    fault: str
    decisions: int
    def __init__(self, fault: _Optional[str] = ..., decisions: _Optional[int] = ...) -> None: ...

class ListEpochsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEpochsResponse(_message.Message):
    __slots__ = ("epochs", "next_page_token")
    EPOCHS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    epochs: _containers.RepeatedCompositeFieldContainer[Epoch]
    next_page_token: str
    def __init__(self, epochs: _Optional[_Iterable[_Union[Epoch, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Epoch(_message.Message):
    __slots__ = ("epoch", "began", "settings_digest", "secret_digest", "link", "matches", "results", "voids", "pruned", "ledger_length", "ledger_head", "season")
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    BEGAN_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SECRET_DIGEST_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    VOIDS_FIELD_NUMBER: _ClassVar[int]
    PRUNED_FIELD_NUMBER: _ClassVar[int]
    LEDGER_LENGTH_FIELD_NUMBER: _ClassVar[int]
    LEDGER_HEAD_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    began: int
    settings_digest: bytes
    secret_digest: bytes
    link: bytes
    matches: int
    results: int
    voids: int
    pruned: bool
    ledger_length: int
    ledger_head: bytes
    season: str
    def __init__(self, epoch: _Optional[int] = ..., began: _Optional[int] = ..., settings_digest: _Optional[bytes] = ..., secret_digest: _Optional[bytes] = ..., link: _Optional[bytes] = ..., matches: _Optional[int] = ..., results: _Optional[int] = ..., voids: _Optional[int] = ..., pruned: bool = ..., ledger_length: _Optional[int] = ..., ledger_head: _Optional[bytes] = ..., season: _Optional[str] = ...) -> None: ...

class ListSeasonsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSeasonsResponse(_message.Message):
    __slots__ = ("seasons", "next_page_token")
    SEASONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    seasons: _containers.RepeatedCompositeFieldContainer[Season]
    next_page_token: str
    def __init__(self, seasons: _Optional[_Iterable[_Union[Season, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Season(_message.Message):
    __slots__ = ("name", "first_epoch", "last_epoch", "began", "ended", "matches")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FIRST_EPOCH_FIELD_NUMBER: _ClassVar[int]
    LAST_EPOCH_FIELD_NUMBER: _ClassVar[int]
    BEGAN_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    name: str
    first_epoch: int
    last_epoch: int
    began: int
    ended: int
    matches: int
    def __init__(self, name: _Optional[str] = ..., first_epoch: _Optional[int] = ..., last_epoch: _Optional[int] = ..., began: _Optional[int] = ..., ended: _Optional[int] = ..., matches: _Optional[int] = ...) -> None: ...

class ListFaultsRequest(_message.Message):
    __slots__ = ("account", "bot", "page_size", "page_token")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    account: str
    bot: str
    page_size: int
    page_token: str
    def __init__(self, account: _Optional[str] = ..., bot: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListFaultsResponse(_message.Message):
    __slots__ = ("faults", "next_page_token")
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    faults: _containers.RepeatedCompositeFieldContainer[BotFault]
    next_page_token: str
    def __init__(self, faults: _Optional[_Iterable[_Union[BotFault, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class BotFault(_message.Message):
    __slots__ = ("match_id", "game", "bot", "version", "ended", "seat", "decision", "fault", "sentence", "forfeited", "refusals", "played", "charged_ms", "away_ms")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    AWAY_MS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    bot: str
    version: str
    ended: int
    seat: int
    decision: int
    fault: _faults_pb2.Fault
    sentence: str
    forfeited: bool
    refusals: _containers.RepeatedCompositeFieldContainer[RefusedAnswer]
    played: _games_pb2.Action
    charged_ms: int
    away_ms: int
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., bot: _Optional[str] = ..., version: _Optional[str] = ..., ended: _Optional[int] = ..., seat: _Optional[int] = ..., decision: _Optional[int] = ..., fault: _Optional[_Union[_faults_pb2.Fault, str]] = ..., sentence: _Optional[str] = ..., forfeited: bool = ..., refusals: _Optional[_Iterable[_Union[RefusedAnswer, _Mapping]]] = ..., played: _Optional[_Union[_games_pb2.Action, _Mapping]] = ..., charged_ms: _Optional[int] = ..., away_ms: _Optional[int] = ...) -> None: ...

class RefusedAnswer(_message.Message):
    __slots__ = ("seat", "answer", "refused")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    answer: _decision_pb2.Answer
    refused: _match_pb2.Refused
    def __init__(self, seat: _Optional[int] = ..., answer: _Optional[_Union[_decision_pb2.Answer, _Mapping]] = ..., refused: _Optional[_Union[_match_pb2.Refused, _Mapping]] = ...) -> None: ...

class GetFaultRequest(_message.Message):
    __slots__ = ("account", "bot", "match_id", "decision")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    account: str
    bot: str
    match_id: str
    decision: int
    def __init__(self, account: _Optional[str] = ..., bot: _Optional[str] = ..., match_id: _Optional[str] = ..., decision: _Optional[int] = ...) -> None: ...

class GetFaultResponse(_message.Message):
    __slots__ = ("fault", "start", "decision")
    FAULT_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    fault: BotFault
    start: _match_pb2.MatchStart
    decision: _decision_pb2.Decision
    def __init__(self, fault: _Optional[_Union[BotFault, _Mapping]] = ..., start: _Optional[_Union[_match_pb2.MatchStart, _Mapping]] = ..., decision: _Optional[_Union[_decision_pb2.Decision, _Mapping]] = ...) -> None: ...

class Challenge(_message.Message):
    __slots__ = ("bot", "chosen", "game", "matches", "stage", "match_ids", "made", "reason")
    BOT_FIELD_NUMBER: _ClassVar[int]
    CHOSEN_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    MATCH_IDS_FIELD_NUMBER: _ClassVar[int]
    MADE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    bot: str
    chosen: str
    game: str
    matches: int
    stage: ChallengeStage
    match_ids: _containers.RepeatedScalarFieldContainer[str]
    made: int
    reason: str
    def __init__(self, bot: _Optional[str] = ..., chosen: _Optional[str] = ..., game: _Optional[str] = ..., matches: _Optional[int] = ..., stage: _Optional[_Union[ChallengeStage, str]] = ..., match_ids: _Optional[_Iterable[str]] = ..., made: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class ChallengeBotRequest(_message.Message):
    __slots__ = ("bot", "chosen", "game", "matches")
    BOT_FIELD_NUMBER: _ClassVar[int]
    CHOSEN_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    bot: str
    chosen: str
    game: str
    matches: int
    def __init__(self, bot: _Optional[str] = ..., chosen: _Optional[str] = ..., game: _Optional[str] = ..., matches: _Optional[int] = ...) -> None: ...

class ChallengeBotResponse(_message.Message):
    __slots__ = ("challenge",)
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    challenge: Challenge
    def __init__(self, challenge: _Optional[_Union[Challenge, _Mapping]] = ...) -> None: ...

class ListChallengesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListChallengesResponse(_message.Message):
    __slots__ = ("challenges",)
    CHALLENGES_FIELD_NUMBER: _ClassVar[int]
    challenges: _containers.RepeatedCompositeFieldContainer[Challenge]
    def __init__(self, challenges: _Optional[_Iterable[_Union[Challenge, _Mapping]]] = ...) -> None: ...

class WithdrawChallengeRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WithdrawChallengeResponse(_message.Message):
    __slots__ = ("challenge",)
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    challenge: Challenge
    def __init__(self, challenge: _Optional[_Union[Challenge, _Mapping]] = ...) -> None: ...
