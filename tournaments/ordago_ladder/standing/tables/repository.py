"""The ladder as its server reads and writes it: every call of the store during play, for worker threads."""

from collections import Counter
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
from ordago.store.ladder.lanes import Lane
from ordago.store.ladder.lines import player_entry, seating_entry
from ordago.store.ladder.queries import MOST_MATCHES, LadderQueries
from ordago.store.ladder.rows import EpochRow, FinishedMatch, LadderMatch, PlayerRow, SeatingRow
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.beginning import begin_epoch_after
from ordago_ladder.standing.epoch_settings import EpochSettings, parse_epoch_settings
from ordago_ladder.standing.terms import ladder_match_terms


class Sitter(NamedTuple):
    """The identity of a player at a table."""

    name: str
    version: str
    account: str
    """The account of the bot; empty for a house bot, and on a server without accounts."""
    house: bool

    @property
    def met_as(self) -> str:
        """The account under which meetings are counted; ``bot NAME`` if there is none, and empty for a house bot."""
        return "" if self.house else self.account or f"bot {self.name}"


class Brought(NamedTuple):
    """A player at a seat, with what its bot sent when it connected."""

    sitter: Sitter
    build: str
    nonce: bytes
    sdk: str = ""


class EpochSize(NamedTuple):
    """The current size of an epoch."""

    matches: int
    """The number of matches that began in it."""
    ledger_bytes: int
    """The length of its ledger."""


class BegunMatch(NamedTuple):
    """A match that the ledger has, so that it may be played."""

    terms: MatchTerms
    players: tuple[int, ...]
    """The player at each seat."""
    head: Head
    """The head of the ledger of its epoch, with this match."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The part of an epoch that its matches depend on."""

    begin: EpochBegin
    settings: EpochSettings
    secret: bytes = field(repr=False)


class LadderRepository:
    """The store of a ladder, as the server that plays its matches uses it.

    The methods block, and are called in worker threads, several at once. Each may raise ``StoreFailedError`` while the
    database fails; a later call may succeed.
    """

    def __init__(self, store: LadderStore, queries: LadderQueries, *, now: Callable[[], float]) -> None:
        """Use a store in which the ladder has begun, and a clock of seconds since 1970, UTC."""
        self._store = store
        self._queries = queries
        self._now = now
        self._chain = queries.ladder().chain
        self._players: dict[Sitter, PlayerRow] = {}
        self._versions: dict[tuple[str, str], list[int]] = {}
        """The player numbers of each bot's versions, by name and account, newest first."""
        self._learnt = 0
        """The number up to which all players are known."""
        self.learn_players()
        self._epochs: dict[int, Epoch] = {}
        self._epoch_of: dict[str, int] = {}
        """The epochs of the running matches, by match id."""
        self._beginning = Lock()
        """Held while a match is entered: its holder sees all running matches in ``_epoch_of``."""
        self._carried: set[str] = set()
        """The ids of the matches of an earlier server that go on."""
        self._doubtful = False
        """True if a failed call may have entered a match whose id never came back."""
        self._measured = _Measured(0, 0, 0)
        """The measured part of the newest epoch's ledger."""

    def epoch(self, number: int) -> Epoch:
        """Return an epoch, which has to have begun."""
        if number not in self._epochs:
            self._epochs[number] = self._read(number)
        return self._epochs[number]

    def _read(self, number: int) -> Epoch:
        begin = read_epoch([next(self._queries.ledger(number))]).begin
        assert begin is not None
        settings = parse_epoch_settings(self._queries.settings(begin.settings_digest))
        return Epoch(begin, settings, self._chain.secret(number))

    def begin_match(self, game: str, seats: Sequence[Brought], *, challenger: str = "") -> BegunMatch:
        """Enter a match in the ledger, and return its terms.

        A challenger is the account that asked for the match, which is unrated; empty for a rated one.

        Raises:
            StoreError: these players cannot sit at one table.
        """
        players = [self._player(seat) for seat in seats]
        with self._beginning:
            try:
                seating = self._store.begin_match(
                    game=game,
                    players=[player.player for player in players],
                    nonces=[seat.nonce for seat in seats],
                    begun=int(self._now()),
                    challenger=challenger,
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

    def learn_players(self) -> None:
        """Read the players that other servers of the ladder have entered."""
        for player in self._queries.players(after=self._learnt):
            self._know(player)
            self._learnt = player.player

    def _know(self, player: PlayerRow) -> None:
        self._players[Sitter(player.name, player.version, player.account, player.house)] = player
        key = player.name, player.account
        # Another list, since other threads read the old one meanwhile.
        self._versions[key] = sorted({*self._versions.get(key, ()), player.player}, reverse=True)

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
        """Return the number of a player; ``None`` if it is not cached. It does not query the database."""
        known = self._players.get(sitter)
        return None if known is None else known.player

    def versions_of(self, sitter: Sitter) -> Sequence[int]:
        """Return the numbers of a player and of its earlier versions, newest first. It does not query the database."""
        player, versions = self.player_of(sitter), self._versions.get((sitter.name, sitter.account), [])
        return versions if player is None else [number for number in versions if number <= player]

    def secret_of(self, match_id: str) -> bytes:
        """Return the secret from which the deals of a match are derived.

        Raises:
            StoreError: the match never began.
        """
        number = self._epoch_of[match_id] = self._queries.match(match_id).seating.epoch
        return self.epoch(number).secret

    def commit(self, records: Sequence[FinishedRecord]) -> Mapping[str, tuple[bytes, Head]]:
        """Commit the results of matches. Return, by match, the digest of its record and the head of its ledger.

        Raises:
            StoreError: one of the matches cannot have its result.
        """
        finished = [_finished(record, ended=int(self._now())) for record in records]
        heads = self._store.commit_results(finished)
        return {match.match_id: (match.record_digest, heads[self._epoch_of.pop(match.match_id)]) for match in finished}

    def void(self, match_id: str, reason: str) -> Head:
        """Enter a match as void, and return the head of its ledger.

        Raises:
            StoreError: the match has a result.
        """
        head = self._store.void(match_id, reason=reason)
        self._epoch_of.pop(match_id, None)
        return head

    def can_go_on(self, match_id: str) -> bool:
        """Return True if the ledger has a match, and it is not void."""
        try:
            return self._queries.match(match_id).void is None
        except NotFoundError:
            return False

    def recent(self, most: int) -> list[tuple[str, list[Sitter]]]:
        """Return game and seats of the latest rated matches, ``most`` of them at most, earliest first."""
        matches: list[LadderMatch] = []
        token = ""
        while len(matches) < most:
            page = self._queries.matches(token=token, size=MOST_MATCHES)
            matches += (match for match in page.matches if not match.seating.unrated)
            token = page.next_token
            if not token:
                break
        self.learn_players()
        sitters = {player.player: sitter for sitter, player in self._players.items()}
        seatings = [match.seating for match in reversed(matches[:most])]
        return [(seating.game, [sitters[player] for player in seating.players]) for seating in seatings]

    def void_unless(self, carried: Iterable[str], reason: str) -> list[SeatingRow]:
        """Void all running matches of this server that are not carried on, and return them."""
        self._carried = set(carried)
        # The server may have had another lane, or none, when it began them.
        self._store.adopt(self._carried)
        return self._void_all_but(self._carried, reason)

    def settle_doubts(self, reason: str) -> list[SeatingRow]:
        """Void the matches that a failed call entered although its caller was never told; return them."""
        if not self._doubtful:
            return []
        with self._beginning:
            lost = self._void_all_but({*self._carried, *self._epoch_of}, reason)
            self._doubtful = False
        return lost

    def _void_all_but(self, known: AbstractSet[str], reason: str) -> list[SeatingRow]:
        lost = [seating for seating in self._store.running() if seating.match_id not in known]
        for seating in lost:
            self._store.void(seating.match_id, reason=reason)
        return lost

    def ping(self, *, by_writing: bool) -> None:
        """Wait until the database accepts a write; with ``by_writing``, also make one, which changes nothing."""
        self._store.ping(by_writing=by_writing)

    def waited_seconds(self) -> float:
        """Return the seconds that a thread has waited for the database by now. Safe in any thread."""
        return max(self._store.waited_seconds, self._queries.waited_seconds)

    def newest_epoch(self) -> tuple[int, float]:
        """Return the number of the newest epoch, and its age in seconds."""
        newest = self._queries.epochs()[-1]
        return newest.epoch, max(0.0, self._now() - newest.began)

    def epochs(self) -> Sequence[EpochRow]:
        """Return the epochs with their counts, which differ once any server of the ladder has written."""
        return self._queries.epochs()

    def lost_lanes(self) -> Sequence[Lane]:
        """Return the lanes that have running matches, but no server at the moment."""
        return [lane for lane in self._store.other_lanes() if self._store.is_free(lane)]

    def give_up(self, lane: Lane, *, reason: str) -> Sequence[SeatingRow]:
        """Void the matches of a lane that has no server, and return them."""
        return self._store.give_up(lane, reason=reason)

    def note_sessions(self, changed: Mapping[tuple[str, str], int], *, anew: bool) -> None:
        """Note how many sessions bots have here, for the other servers; see ``LadderStore``."""
        self._store.note_sessions(changed, anew=anew)

    def sessions_elsewhere(self) -> Mapping[str, Counter[str]]:
        """Return the numbers of sessions at the other servers, by account and name of the bot."""
        return self._store.sessions_elsewhere()

    def challenges_begun(self, account: str, since: float) -> int:
        """Return the number of matches of challenges that an account began since a time, at any server."""
        return self._queries.challenges_begun(account, since=since)

    def newest_size(self) -> EpochSize:
        """Return the size of the newest epoch. Only one thread at a time may call it."""
        newest = self._queries.epochs()[-1]
        known = self._measured if self._measured.epoch == newest.epoch else _Measured(newest.epoch, 0, 0)
        lines, size = self._queries.ledger_size(newest.epoch, since=known.lines)
        self._measured = _Measured(newest.epoch, known.lines + lines, known.ledger_bytes + size)
        return EpochSize(newest.matches, self._measured.ledger_bytes)

    def begin_epoch(self, *, after: int) -> None:
        """Begin the epoch after one, unless another server of the ladder has done so meanwhile."""
        begin_epoch_after(after, self._store, self._queries, began=int(self._now()))

    def reveal_what_is_over(self) -> list[int]:
        """Reveal, in order, the earlier epochs that have no running match, and return their numbers."""
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
    """The length of the first lines of a ledger."""

    epoch: int
    lines: int
    ledger_bytes: int


def _finished(record: FinishedRecord, *, ended: int) -> FinishedMatch:
    played = played_match(record)
    return FinishedMatch(
        record.match_id, played.result, played.record, played.record_digest, ended, refusals=record.refusals
    )
