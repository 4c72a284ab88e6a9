"""Exercises: the code of cases that a script cannot express."""

import inspect
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final

from ordago import v1
from ordago.games import find_game, game_names
from ordago.names import is_shown_name, nearest, quoted
from ordago.protocol import TACIT_ACCEPTANCE
from ordago_doctor.bot_under_test import BotUnderTest
from ordago_doctor.case import Case, CaseError
from ordago_doctor.findings import LeftOutError, ProblemError
from ordago_doctor.messages import brief, short
from ordago_doctor.play import Answered, PracticeServer
from ordago_doctor.script import game_of
from ordago_doctor.table import Table

Figures = Mapping[str, float]
Exercise = Callable[..., Figures]

_MS_A_SECOND: Final = 1000
_LEAST_NONCE_BYTES: Final = 16
_MOST_NONCE_BYTES: Final = 64
"""The contract states both (``Hello.nonce``)."""
_QUIET_SECONDS: Final = 0.2
"""The silence by which a bot shows that it waits for the Welcome."""
_SAME_SEED: Final = 2026
"""Any fixed number."""
_TABLES_OF_A_GAME: Final = 40
"""The limit of matches of each game in which the wanted part has to come up."""
_OPEN_AT_ONCE: Final = 16


def greeting(bot: BotUnderTest) -> Figures:
    """Check the first Hello, and that the bot waits for the Welcome."""
    began = time.monotonic()
    hello = bot.meet(bot.practice.start_seconds)
    seconds = time.monotonic() - began
    if problems := list(_hello_problems(hello)):
        raise ProblemError("; ".join(problems))
    if (said := bot.keeps_silent(_QUIET_SECONDS)) is not None:
        raise ProblemError(f"it did not wait for the Welcome: {short(said)}")
    bot.welcome()
    return {"start_ms": round(seconds * _MS_A_SECOND)}


def _hello_problems(hello: v1.Hello) -> Iterator[str]:
    if not hello.min_version <= 1 <= hello.max_version:
        yield f"it speaks versions {hello.min_version} to {hello.max_version} of the contract, not 1"
    if not _LEAST_NONCE_BYTES <= len(hello.nonce) <= _MOST_NONCE_BYTES:
        yield f"its nonce has {len(hello.nonce)} bytes, not {_LEAST_NONCE_BYTES} to {_MOST_NONCE_BYTES}"
    for what in (hello.bot.name, hello.bot.version, hello.bot.build):
        if what and not is_shown_name(what):
            yield f"{quoted(what)} is not a valid name: it takes up to 64 printable characters"
    if not hello.bot.name:
        yield "it has no name in bot.name"
    if hello.HasField("resume"):
        yield "its first Hello has a resume"
    if hello.games and not set(hello.games) & set(game_names()):
        yield f"all games that it plays are unknown: {', '.join(map(quoted, hello.games))}"


def matches(
    bot: BotUnderTest, *, game: str, players: int, rounds: int = 1, options: Mapping[str, object] | None = None
) -> Figures:
    """Play ``rounds`` matches of a game in each seat of the bot, all at once, by the real rules."""
    bot.ensure_open()
    if bot.hello.games and game not in bot.hello.games:
        raise LeftOutError(f"the bot does not play {game}")
    handles = count(bot.handles + 1)
    tables = [
        Table(game, seats=players, seat=seed % players, seed=seed, handle=next(handles), options=options)
        for seed in range(players * rounds)
    ]
    answers = list(_played(bot, PracticeServer(bot, tables, at_once=len(tables))))
    return {"decisions": len(answers)}


def crowd(bot: BotUnderTest, *, at_once: int, decisions: int) -> Figures:
    """Play this many decisions of each of many matches at once."""
    bot.ensure_open()
    answers = list(_played(bot, PracticeServer(bot, _tables(bot, at_once), at_once=at_once, longest=decisions)))
    return {"decisions": len(answers), "decisions_per_frame": round(_per_frame(answers), 1)}


def tacit_acceptance(bot: BotUnderTest, *, at_once: int) -> Figures:
    """Play matches without a reply to legal answers, with a bot that asks for that."""
    hello = bot.meet(bot.practice.start_seconds)
    if TACIT_ACCEPTANCE not in hello.capabilities:
        raise LeftOutError(f"the bot does not ask for {TACIT_ACCEPTANCE}")
    bot.welcome(capabilities=[TACIT_ACCEPTANCE])
    server = PracticeServer(bot, _tables(bot, at_once), at_once=at_once, is_tacit=True)
    return {"decisions": len(list(_played(bot, server)))}


def batches(bot: BotUnderTest, *, at_once: int, decisions: int, least: float) -> Figures:
    """Check that the answers to one frame come in few frames."""
    figures = crowd(bot, at_once=at_once, decisions=decisions)
    if figures["decisions_per_frame"] < least:
        raise ProblemError(f"its frames held {figures['decisions_per_frame']} answers each, on average")
    return figures


def open_parts(bot: BotUnderTest, *, part: str, decisions: int) -> Figures:
    """Ask for decisions with extras, or with actions that have an open part, in all games of the bot."""
    bot.ensure_open()
    kinds = [kind for kind in _PARTS[part] if not bot.hello.games or kind[0] in bot.hello.games]
    if not kinds:
        raise LeftOutError(f"no game that the bot plays has decisions with {part}")
    tables = list(_tables_with(bot, kinds))
    asked = {table.handle: table.decision for table in tables}
    found = 0
    for answered in _played(bot, PracticeServer(bot, tables, at_once=_OPEN_AT_ONCE)):
        found += _has(asked[answered.handle], part)
        asked[answered.handle] = tables[answered.handle - tables[0].handle].decision
        if found >= decisions:
            break
    if not found:
        raise LeftOutError(f"as the bot plays, no decision with {part} came up in {len(tables)} matches")
    return {"decisions": found}


def _tables_with(bot: BotUnderTest, kinds: Sequence[tuple[str, Mapping[str, object]]]) -> Iterator[Table]:
    handles = count(bot.handles + 1)
    for seed in range(_TABLES_OF_A_GAME):
        for name, options in kinds:
            seats = find_game(name).rules.seat_counts[0]
            yield Table(name, seats=seats, seat=seed % seats, seed=seed, handle=next(handles), options=options)


_PARTS: Final[Mapping[str, tuple[tuple[str, Mapping[str, object]], ...]]] = {
    "amounts": (("mus", {}), ("mitigati", {})),
    "picks": (("mus", {}), ("mitigati", {}), ("taihe", {})),
    "extras": (("mus", {"signals": "partner"}),),
}


def _has(decision: v1.Decision | None, part: str) -> bool:
    if decision is None:
        return False
    if part == "extras":
        return bool(decision.extras)
    return any(action.HasField("amount") if part == "amounts" else action.picks for action in decision.actions)


def pace(bot: BotUnderTest, *, decisions: int, at_once: int, most_ms: int) -> Figures:
    """Measure the time for a decision, alone and among many."""
    bot.ensure_open()
    alone = _times_ms(bot, decisions, 1)
    among = _times_ms(bot, decisions, at_once)
    figures = {
        **{f"alone_{name}_ms": value for name, value in _summary(alone).items()},
        **{f"of_{at_once}_{name}_ms": value for name, value in _summary(among).items()},
    }
    if max(alone) > most_ms:
        raise ProblemError(f"a decision took {max(alone):.0f} ms with nothing else to do, more than {most_ms} ms")
    return figures


def _times_ms(bot: BotUnderTest, decisions: int, at_once: int) -> list[float]:
    server = PracticeServer(bot, _tables(bot), at_once=at_once)
    times = []
    for answered in _played(bot, server):
        times.append(answered.seconds * _MS_A_SECOND)
        if len(times) == decisions:
            break
    return times


def _summary(times_ms: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times_ms, n=100)
    return {"p50": round(cuts[49], 1), "p99": round(cuts[98], 1), "max": round(max(times_ms), 1)}


def memory(bot: BotUnderTest, *, decisions: int, at_once: int, growth_mib: float, most_mib: float) -> Figures:
    """Check that the memory of the bot and its children stays bounded as decisions go on."""
    process = bot.started()
    bot.ensure_open()
    begin = last = 0.0
    server = PracticeServer(bot, _tables(bot), at_once=at_once)
    for number, _ in enumerate(_played(bot, server), start=1):
        if number == decisions // 3:
            begin = process.memory_mib
        if number == decisions:
            last = process.memory_mib
            break
    figures = {"decisions": decisions, "mib_after_a_third": round(begin), "mib_at_the_end": round(last)}
    if last - begin > growth_mib:
        raise ProblemError(
            f"it grew from {begin:.0f} to {last:.0f} MiB between decision {decisions // 3} and {decisions}"
        )
    if last > most_mib:
        raise ProblemError(f"it takes {last:.0f} MiB, and an event allows {most_mib:.0f} by default")
    return figures


def determinism(bot: BotUnderTest, *, decisions: int) -> Figures:
    """Play a match twice, the second time in a new process and among others: the answers have to be equal."""
    bot.started()
    bot.ensure_open()
    first = _answers_to_the_same(bot, decisions, beside=0)
    with BotUnderTest(bot.practice, bot.start) as other:
        other.ensure_open()
        second = _answers_to_the_same(other, decisions, beside=1)
    for number, (one, another) in enumerate(zip(first, second, strict=False), start=1):
        if one != another:
            raise ProblemError(f"decision {number} was answered with {brief(one)} and then with {brief(another)}")
    return {"decisions": len(first)}


def _answers_to_the_same(bot: BotUnderTest, decisions: int, *, beside: int) -> list[v1.Answer]:
    """Return the answers in a fixed match, while ``beside`` others run."""
    game, handle = game_of(bot.hello), bot.handles + 1
    seats = find_game(game).rules.seat_counts[0]
    tables = [
        Table(game, seats=seats, seat=0, seed=_SAME_SEED + number, handle=handle + number)
        for number in range(beside + 1)
    ]
    answers = _played(bot, PracticeServer(bot, tables, at_once=beside + 1))
    return [answered.answer for answered in answers if answered.handle == handle][:decisions]


def nonces(bot: BotUnderTest) -> Figures:
    """Check that two processes send different nonces."""
    bot.started()
    first = bot.meet(bot.practice.start_seconds).nonce
    with BotUnderTest(bot.practice, bot.start) as other:
        if other.meet(bot.practice.start_seconds).nonce == first:
            raise ProblemError(f"two processes sent the same nonce, {first.hex()}")
    return {}


def rest(bot: BotUnderTest, *, seconds: float, most_cpu_seconds: float) -> Figures:
    """Check that the idle bot takes hardly any processor time."""
    process = bot.started()
    bot.ensure_open()
    time.sleep(1.0)
    before = process.cpu_seconds
    time.sleep(seconds)
    used = process.cpu_seconds - before
    if used > most_cpu_seconds:
        raise ProblemError(f"it took {used:.2f} s of CPU time in {seconds:g} s in which nothing was asked")
    return {"cpu_ms": round(used * _MS_A_SECOND)}


def thoughts(bot: BotUnderTest) -> Figures:
    """Check that the bot reports thinking times, and none longer than the answer took."""
    bot.ensure_open()
    answers = list(_played(bot, PracticeServer(bot, _tables(bot, 1), at_once=1)))
    if any(answered.thought_ms is None for answered in answers):
        raise ProblemError("its answers have no thought_ms")
    for answered in answers:
        if (answered.thought_ms or 0) > answered.seconds * _MS_A_SECOND + 1:
            took_ms = answered.seconds * _MS_A_SECOND
            raise ProblemError(
                f"it reports a thinking time of {answered.thought_ms} ms, and the whole answer took {took_ms:.0f} ms"
            )
    return {"decisions": len(answers)}


def _tables(bot: BotUnderTest, number: int | None = None) -> Iterator[Table]:
    """Yield matches of the usual game: this many, or without end."""
    game, handles = game_of(bot.hello), count(bot.handles + 1)
    seats = find_game(game).rules.seat_counts[0]
    for seed in count() if number is None else range(number):
        yield Table(game, seats=seats, seat=seed % seats, seed=seed, handle=next(handles))


def _played(bot: BotUnderTest, server: PracticeServer) -> Iterator[Answered]:
    """Yield the answers; afterwards end the open matches, even if the caller stops early."""
    try:
        yield from server.play()
    finally:
        if bot.open:
            server.leave()
            bot.forget()


def _per_frame(answers: list[Answered]) -> float:
    return len(answers) / len({answered.frame for answered in answers})


EXERCISES: Final[Mapping[str, Exercise]] = {
    exercise.__name__.replace("_", "-"): exercise
    for exercise in (
        *(greeting, matches, crowd, tacit_acceptance, batches, open_parts),
        *(pace, memory, determinism, nonces, rest, thoughts),
    )
}


def check_exercise(case: Case) -> None:
    """Check that the exercise of a case exists and takes its parameters.

    Raises:
        CaseError: it does not.
    """
    if not case.exercise:
        return
    if case.exercise not in EXERCISES:
        raise CaseError(
            f"{case.name}: there is no exercise {case.exercise!r}; {nearest(case.exercise, list(EXERCISES))}"
        )
    try:
        inspect.signature(EXERCISES[case.exercise]).bind(None, **case.parameters)
    except TypeError as error:
        raise CaseError(f"{case.name}: the exercise {case.exercise}: {error}") from None
