"""Challenges: unrated matches that authors ask for, of one of their bots against a bot that they choose.

They wait in memory, at one server: a restart forgets them, while matches that have begun go on. How many an account has
begun is counted in the ladder, over all of its servers. The author of a challenged bot has
agreed. The bot gets rated matches first and rests from challenges after each of their matches, so that nobody keeps a
rival from being rated.
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from threading import Lock
from typing import Final, NamedTuple, TypeAlias

from ordago import v1
from ordago.arena.bot import Bot
from ordago.names import MAX_NAME_LENGTH, name_key, quoted
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import BotOwner, Holder
from ordago.store.errors import StoreError, StoreRefusedError, Why
from ordago_ladder.standing.seating import Kind

_USUAL_MATCHES: Final = 2
"""Each bot sits in both seats once."""
_MOST_MATCHES: Final = 10
_LISTED: Final = 20
"""The contract states these three."""
_DAY_SECONDS: Final = 24 * 3_600
_WAIT_SECONDS: Final = 3_600
"""The longest wait for two bots, which the contract states: a bot that has left must not block its author for ever."""
_REST_SECONDS: Final = 60
"""The rest of a challenged bot after each match. A match takes about 20 s, so that three quarters of the time of a bot
that plays one match at once are left for rated matches, however many accounts challenge it."""
_WITHDRAWN: Final = "It was withdrawn."
_NOT_SEATED: Final = "The two bots and enough house bots could not be seated for an hour."
_FAILED: Final = "The server could not begin a match."
_AWAY: Final = "The server could not ask if the bot still takes challenges."
_BotKey: TypeAlias = tuple[str, str]
"""The key of a bot's name, and its account."""


@dataclass(slots=True, eq=False)
class Challenge:
    """A challenge that is not over. Only ``Challenges`` changes it."""

    account: str
    owner: str
    """The account of the chosen bot; empty for a house bot."""
    since: float
    """The time since when it waits for its next match."""
    shown: v1.Challenge
    """The challenge as its author sees it, now or later."""


class ChallengeTable(NamedTuple):
    """A table whose unrated match begins."""

    challenge: Challenge
    seats: tuple[Bot | str, ...]
    """The bots, in order of seats; house bots by their names."""


class Challenges:
    """The challenges of a ladder. Calls of authors come from other threads than those of the tables."""

    def __init__(
        self,
        kinds: Iterable[Kind],
        *,
        houses: Collection[str],
        a_day: int,
        begun: Callable[[str, float], int],
        now: Callable[[], float] = time.time,
    ) -> None:
        """Begin with none.

        Args:
            kinds: the kinds of tables that are played.
            houses: the names of the house bots.
            a_day: the most matches that an account may begin in 24 hours.
            begun: returns how many an account has begun since a time; it queries the ladder.
            now: returns the time, in seconds since 1970, UTC.
        """
        self.accounts: Accounts | None = None
        """The accounts, to be set before the first call; ``None`` for no challenges."""
        self._kinds = {kind.game: kind for kind in kinds}
        self._houses = houses
        self._a_day = a_day
        self._begun = begun
        self._now = now
        self._lock = Lock()
        self._last: dict[str, deque[v1.Challenge]] = {}
        """The last challenges of each account, newest first."""
        self._open: dict[str, Challenge] = {}
        """The challenge of each account that is not over, in the order in which they came."""
        self._rests: dict[str, float] = {}
        """The time until which no challenge seats a chosen bot, by the key of its name."""

    # Calls of authors

    def challenge(self, request: v1.ChallengeBotRequest, by: Holder) -> v1.ChallengeBotResponse:
        """Make a challenge.

        Raises:
            StoreRefusedError: it cannot be made, or the chosen bot does not take it.
        """
        account, now = by.account.name, self._now()
        self._check(request, by)
        owner, left = self._consenting(account, request.bot, request.chosen), self._left(account)
        shown = v1.Challenge(bot=request.bot, chosen=request.chosen, game=request.game, made=int(now))
        shown.matches, shown.stage = request.matches or _USUAL_MATCHES, v1.CHALLENGE_STAGE_WAITING
        with self._lock:
            if account in self._open:
                raise StoreRefusedError(
                    Why.STATE, "The account has an open challenge: wait for its end, or withdraw it."
                )
            if shown.matches > left:
                raise StoreRefusedError(Why.LIMIT, self._too_many(left))
            self._last.setdefault(account, deque(maxlen=_LISTED)).appendleft(shown)
            self._open[account] = Challenge(account, owner, now, shown)
            return v1.ChallengeBotResponse(challenge=shown)

    def list_challenges(self, _request: v1.ListChallengesRequest, by: Holder) -> v1.ListChallengesResponse:
        """List the last challenges of an account, or of the bot that its token is bound to."""
        with self._lock:
            last = self._last.get(by.account.name, ())
            return v1.ListChallengesResponse(challenges=[one for one in last if by.token.bot in ("", one.bot)])

    def withdraw(self, _request: v1.WithdrawChallengeRequest, by: Holder) -> v1.WithdrawChallengeResponse:
        """End the open challenge of an account, or of the bot that its token is bound to.

        Raises:
            StoreRefusedError: none is open.
        """
        with self._lock:
            mine = self._open.get(by.account.name)
            if mine is None or by.token.bot not in ("", mine.shown.bot):
                raise StoreRefusedError(Why.UNKNOWN, "No challenge of the account is open.")
            self._end(mine, _WITHDRAWN)
            return v1.WithdrawChallengeResponse(challenge=mine.shown)

    def takes(self, name: str) -> bool:
        """Return True if any account may challenge a bot. It queries the accounts, and is False while they are away."""
        if not self._a_day or self.accounts is None or name in self._houses:
            return bool(self._a_day) and self.accounts is not None
        try:
            owner = self._owner(name)
        except StoreError:
            return False
        return owner is not None and owner.takes_challenges

    def _check(self, request: v1.ChallengeBotRequest, by: Holder) -> None:
        if not self._a_day or self.accounts is None:
            raise StoreRefusedError(Why.STATE, "This ladder takes no challenges.")
        if by.token.bot not in ("", request.bot):
            raise StoreRefusedError(Why.NOT_PERMITTED, f"The token is for the bot {by.token.bot!r} only: use another.")
        if request.game not in self._kinds:
            raise StoreRefusedError(Why.UNFIT, f"The ladder has {', '.join(self._kinds)}, not {quoted(request.game)}.")
        if request.matches > _MOST_MATCHES:
            raise StoreRefusedError(Why.UNFIT, f"A challenge has at most {_MOST_MATCHES} matches.")
        if max(len(request.bot), len(request.chosen)) > MAX_NAME_LENGTH:
            raise StoreRefusedError(Why.UNKNOWN, "No bot has so long a name.")
        if name_key(request.bot) == name_key(request.chosen):
            raise StoreRefusedError(Why.UNFIT, "A bot cannot challenge itself: choose another one.")

    def _consenting(self, account: str, bot: str, chosen: str) -> str:
        """Return the account of a chosen bot that takes the challenge of an account's bot; empty for a house bot.

        Raises:
            StoreRefusedError: the bot is not the account's, or the chosen one does not take it.
        """
        own = self._owner(bot)
        if own is None or own.account != account:
            raise StoreRefusedError(Why.UNKNOWN, f"The account has no bot {quoted(bot)}.")
        if chosen in self._houses:
            return ""
        owner = self._owner(chosen)
        if owner is None:
            raise StoreRefusedError(Why.UNKNOWN, f"There is no bot {quoted(chosen)}.")
        if owner.account != account and not owner.takes_challenges:
            raise StoreRefusedError(Why.NOT_PERMITTED, f"The bot {quoted(chosen)} takes no challenges.")
        return owner.account

    def _left(self, account: str) -> int:
        """Return how many more matches an account may begin now."""
        return max(0, self._a_day - self._begun(account, self._now() - _DAY_SECONDS))

    def _too_many(self, left: int) -> str:
        return f"The account may begin {left} more of its {self._a_day} matches of challenges in 24 hours."

    def _owner(self, name: str) -> BotOwner | None:
        return None if self.accounts is None else self.accounts.bot_owner(name, now=self._now())

    # Calls of the tables

    def seat(self, waiting: Iterable[Bot], house: Sequence[str]) -> ChallengeTable | None:
        """Seat the next match of a challenge whose bots wait; ``None`` if there is none.

        Args:
            waiting: the bots from outside with room for a match, in the order in which they came.
            house: the names of the house bots with room for one.
        """
        if not self._open:
            return None
        bots = {(name_key(bot.identity.name), bot.identity.account): bot for bot in waiting}
        with self._lock:
            for one in [one for one in self._open.values() if one.shown.stage == v1.CHALLENGE_STAGE_WAITING]:
                seats = self._seats(one, bots, house)
                if seats is not None:
                    one.shown.stage = v1.CHALLENGE_STAGE_PLAYING
                    return ChallengeTable(one, seats)
                if self._now() > one.since + _WAIT_SECONDS:
                    self._end(one, _NOT_SEATED)
        return None

    def _seats(self, one: Challenge, bots: Mapping[_BotKey, Bot], house: Sequence[str]) -> tuple[Bot | str, ...] | None:
        shown, kind = one.shown, self._kinds[one.shown.game]
        keys = (name_key(shown.bot), one.account), (name_key(shown.chosen), one.owner)
        own, chosen = [bot if bot and shown.game in bot.identity.games else None for bot in map(bots.get, keys)]
        other: Bot | str | None = chosen if one.owner else shown.chosen if shown.chosen in house else None
        others = [name for name in house if name != shown.chosen]
        is_resting = self._rests.get(name_key(shown.chosen), 0.0) > self._now()
        if own is None or other is None or is_resting or len(others) < kind.seats - len(keys):
            return None
        # The first seats of two sides, which the two exchange from match to match.
        pair = (0, next(seat for seat, side in enumerate(kind.sides) if side != kind.sides[0]))
        turn = len(shown.match_ids) % 2
        seated: Mapping[int, Bot | str] = {pair[turn]: own, pair[1 - turn]: other}
        free = iter(others)
        return tuple(seated[seat] if seat in seated else next(free) for seat in range(kind.seats))

    def may_begin(self, one: Challenge) -> bool:
        """Return True if a challenge still stands; it ends otherwise. The accounts and the ladder are queried."""
        reason = _AWAY
        try:
            if self._consenting(one.account, one.shown.bot, one.shown.chosen) != one.owner:
                reason = f"The bot {quoted(one.shown.chosen)} has another author now."
            elif self._left(one.account):
                return True
            else:
                reason = self._too_many(0)
        except StoreRefusedError as error:
            reason = str(error)
        except StoreError:
            """They are away."""
        with self._lock:
            one.shown.reason = reason
        return False

    def began(self, one: Challenge, match_id: str | None) -> None:
        """Note that a match of a challenge has begun; with ``None``, that it could not."""
        with self._lock:
            if match_id is None:
                one.shown.reason = _FAILED
                return
            one.shown.match_ids.append(match_id)
            if one.owner:
                self._rests[name_key(one.shown.chosen)] = inf

    def over(self, one: Challenge) -> None:
        """Note that a match of a challenge is over, or has not begun."""
        with self._lock:
            one.shown.stage, one.since = v1.CHALLENGE_STAGE_WAITING, self._now()
            if one.owner:
                self._rests[name_key(one.shown.chosen)] = one.since + _REST_SECONDS
            if len(one.shown.match_ids) >= one.shown.matches:
                self._end(one, "")
            elif one.shown.reason:
                self._end(one, one.shown.reason)

    def _end(self, one: Challenge, reason: str) -> None:
        """End a challenge, or let it end with the match that is played."""
        one.shown.reason = reason
        if one.shown.stage == v1.CHALLENGE_STAGE_WAITING:
            one.shown.stage = v1.CHALLENGE_STAGE_OVER
            del self._open[one.account]
