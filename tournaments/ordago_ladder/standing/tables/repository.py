"""What a server writes of its ladder, and reads of it to play: every call of the store, for worker threads."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from ordago.match import MatchTerms
from ordago.record import FinishedRecord
from ordago.record.head import Head
from ordago.record.ledgers.ladder import EpochBegin, read_epoch
from ordago.store import played_match
from ordago.store.errors import NotFoundError, StoreFailedError
from ordago.store.ladder.lines import player_entry, seating_entry
from ordago.store.ladder.queries import MOST_MATCHES, LadderQueries
from ordago.store.ladder.rows import FinishedMatch, LadderMatch, PlayerRow, SeatingRow
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.epoch_settings import EpochSettings, parse_epoch_settings
from ordago_ladder.standing.terms import ladder_match_terms


class Sitter(NamedTuple):
    """Who sits down at a table."""

    name: str
    version: str
    account: str
    """Whose bot it is; empty of a house bot, and where no accounts are asked for."""
    house: bool

    @property
    def met_as(self) -> str:
        """The account by which others know whether they met him; where none is known, his name; empty of the house."""
        return "" if self.house else self.account or f"bot {self.name}"


class Brought(NamedTuple):
    """Who sits at a seat, and what he brought."""

    sitter: Sitter
    build: str
    nonce: bytes
    sdk: str = ""


class EpochSize(NamedTuple):
    """How much an epoch holds by now."""

    matches: int
    """How many matches began in it."""
    ledger_bytes: int
    """How long its ledger is."""


class BegunMatch(NamedTuple):
    """A match that is entered, and may be played."""

    terms: MatchTerms
    players: tuple[int, ...]
    """The player at each seat."""
    head: Head
    """How far the ledger of its epoch has come with it."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """An epoch, as far as its matches depend on it."""

    begin: EpochBegin
    settings: EpochSettings
    secret: bytes = field(repr=False)


class LadderRepository:
    """The store of a ladder, to whoever plays its matches.

    Its methods are synchronous, may take a while, and are called in worker threads, several at once. Each may raise
    ``StoreFailedError`` where the database fails for now.
    """

    def __init__(self, store: LadderStore, queries: LadderQueries, *, now: Callable[[], float]) -> None:
        """Use a store that is begun, and a clock of seconds since 1970, UTC."""
        self._store = store
        self._queries = queries
        self._now = now
        self._chain = queries.ladder().chain
        self._players: dict[Sitter, PlayerRow] = {}
        self._versions: dict[tuple[str, str], list[int]] = {}
        """The versions of each bot, by name and account, the newest first."""
        for player in queries.players():
            self._know(player)
        self._epochs: dict[int, Epoch] = {}
        self._epoch_of: dict[str, int] = {}
        """The epochs of the matches that run."""
        self._beginning = Lock()
        """Whoever has it knows which matches run: none is entered meanwhile."""
        self._carried: set[str] = set()
        """The matches of an earlier server that go on."""
        self._doubtful = False
        """Whether a match may have been entered of which nobody here heard."""
        self._measured = _Measured(0, 0, 0)
        """How far the ledger of the newest epoch was measured."""

    def epoch(self, number: int) -> Epoch:
        """Return an epoch that has begun."""
        if number not in self._epochs:
            self._epochs[number] = self._read(number)
        return self._epochs[number]

    def _read(self, number: int) -> Epoch:
        begin = read_epoch([next(self._queries.ledger(number))]).begin
        assert begin is not None
        settings = parse_epoch_settings(self._queries.settings(begin.settings_digest))
        return Epoch(begin, settings, self._chain.secret(number))

    def begin_match(self, game: str, seats: Sequence[Brought]) -> BegunMatch:
        """Enter a match, and return what it is played under.

        Raises:
            StoreError: these cannot sit at one table.
        """
        players = [self._player(seat) for seat in seats]
        with self._beginning:
            try:
                seating = self._store.begin_match(
                    game=game,
                    players=[player.player for player in players],
                    nonces=[seat.nonce for seat in seats],
                    begun=int(self._now()),
                )
            except StoreFailedError:
                self._doubtful = True
                raise
            self._epoch_of[seating.match_id] = seating.epoch
        return BegunMatch(self._terms(seating, players), seating.players, self._queries.head(seating.epoch))

    def _player(self, seat: Brought) -> PlayerRow:
        if seat.sitter not in self._players:
            seen = int(self._now())
            self._know(self._store.enter_player(**seat.sitter._asdict(), build=seat.build, seen=seen, sdk=seat.sdk))
        return self._players[seat.sitter]

    def _know(self, player: PlayerRow) -> None:
        self._players[Sitter(player.name, player.version, player.account, player.house)] = player
        self._versions.setdefault((player.name, player.account), []).insert(0, player.player)

    def _terms(self, seating: SeatingRow, players: Iterable[PlayerRow]) -> MatchTerms:
        epoch = self.epoch(seating.epoch)
        return ladder_match_terms(
            seating_entry(seating),
            begin=epoch.begin,
            players={player.player: player_entry(player) for player in players},
            settings=epoch.settings,
            secret=epoch.secret,
        )

    def player_of(self, sitter: Sitter) -> int | None:
        """Return the number of a player, as far as he is known here; it asks nobody."""
        known = self._players.get(sitter)
        return None if known is None else known.player

    def versions_of(self, sitter: Sitter) -> Sequence[int]:
        """Return the numbers of a player and of the versions before him, the newest first; it asks nobody."""
        player, versions = self.player_of(sitter), self._versions.get((sitter.name, sitter.account), [])
        return versions if player is None else [number for number in versions if number <= player]

    def secret_of(self, match_id: str) -> bytes:
        """Return the secret that the deals of a match come from.

        Raises:
            StoreError: it never began.
        """
        number = self._epoch_of[match_id] = self._queries.match(match_id).seating.epoch
        return self.epoch(number).secret

    def commit(self, records: Sequence[FinishedRecord]) -> Mapping[str, tuple[bytes, Head]]:
        """Commit what was played, and return for each match the digest of its record, and how far the ledger has come.

        Raises:
            StoreError: one of them cannot have this result.
        """
        finished = [_finished(record, ended=int(self._now())) for record in records]
        heads = self._store.commit_results(finished)
        return {match.match_id: (match.record_digest, heads[self._epoch_of.pop(match.match_id)]) for match in finished}

    def void(self, match_id: str, reason: str) -> Head:
        """Enter that a match is void.

        Raises:
            StoreError: it has a result.
        """
        head = self._store.void(match_id, reason=reason)
        self._epoch_of.pop(match_id, None)
        return head

    def can_go_on(self, match_id: str) -> bool:
        """Say whether a match was entered, and is not void."""
        try:
            return self._queries.match(match_id).void is None
        except NotFoundError:
            return False

    def recent(self, most: int) -> list[tuple[str, list[Sitter]]]:
        """Return game and seats of the matches that began last, the earliest first."""
        matches: list[LadderMatch] = []
        token = ""
        while len(matches) < most:
            page = self._queries.matches(token=token, size=MOST_MATCHES)
            matches += page.matches
            token = page.next_token
            if not token:
                break
        sitters = {player.player: sitter for sitter, player in self._players.items()}
        seatings = [match.seating for match in reversed(matches[:most])]
        return [(seating.game, [sitters[player] for player in seating.players]) for seating in seatings]

    def void_unless(self, carried: Iterable[str], reason: str) -> list[str]:
        """Enter that all matches are void that run and are not carried on, and return their names."""
        self._carried = set(carried)
        return self._void_all_but(self._carried, reason)

    def settle_doubts(self, reason: str) -> list[str]:
        """Enter that those matches are void that were entered though the database failed; return their names."""
        if not self._doubtful:
            return []
        with self._beginning:
            lost = self._void_all_but({*self._carried, *self._epoch_of}, reason)
            self._doubtful = False
        return lost

    def _void_all_but(self, known: AbstractSet[str], reason: str) -> list[str]:
        lost = [seating.match_id for seating in self._store.running() if seating.match_id not in known]
        for match_id in lost:
            self._store.void(match_id, reason=reason)
        return lost

    def ping(self, *, by_writing: bool) -> None:
        """Wait until something could be written, whether something is to be or not."""
        self._store.ping(by_writing=by_writing)

    def waited_seconds(self) -> float:
        """Return for how long a thread has waited for the database. Any thread may ask."""
        return max(self._store.waited_seconds, self._queries.waited_seconds)

    def newest_epoch(self) -> tuple[int, float]:
        """Return the number of the newest epoch, and for how many seconds it has lasted."""
        newest = self._queries.epochs()[-1]
        return newest.epoch, max(0.0, self._now() - newest.began)

    def newest_size(self) -> EpochSize:
        """Return how much the newest epoch holds. One thread at a time asks."""
        newest = self._queries.epochs()[-1]
        known = self._measured if self._measured.epoch == newest.epoch else _Measured(newest.epoch, 0, 0)
        lines, size = self._queries.ledger_size(newest.epoch, since=known.lines)
        self._measured = _Measured(newest.epoch, known.lines + lines, known.ledger_bytes + size)
        return EpochSize(newest.matches, self._measured.ledger_bytes)

    def begin_epoch(self) -> int:
        """Begin the next epoch, and return its number."""
        number = self._queries.epochs()[-1].epoch + 1
        self._store.begin_epoch(number, began=int(self._now()))
        self.epoch(number)
        return number

    def reveal_what_is_over(self) -> list[int]:
        """Reveal the epochs of which no match runs any more, one after the other, and return their numbers."""
        revealed = []
        for epoch in self._queries.epochs()[:-1]:
            if not epoch.revealed:
                if epoch.matches > epoch.results + epoch.voids:
                    break
                self._store.reveal(epoch.epoch)
                self._epochs.pop(epoch.epoch, None)
                revealed.append(epoch.epoch)
        return revealed


class _Measured(NamedTuple):
    """How long a part of a ledger is, from its beginning."""

    epoch: int
    lines: int
    ledger_bytes: int


def _finished(record: FinishedRecord, *, ended: int) -> FinishedMatch:
    played = played_match(record)
    return FinishedMatch(record.match_id, played.result, played.record, played.record_digest, ended)
