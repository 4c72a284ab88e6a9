"""A gallery of broken bots: each case fails with a bot that does wrong just that, and says what came.

``gallery/bot.py`` does all that is asked of it, but for the case that it is told. So a case that cannot fail is found.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.figures import Size

from ordago_doctor import Checkup, Finding, Mark, Practice, shipped_cases

BOT = Path(__file__).parent / "gallery" / "bot.py"
CASES = {case.name: case for case in shipped_cases()}
AT_ONCE = 6
PARAMETERS = {
    "memory": {"decisions": 900, "at_once": 16, "growth_mib": 20.0, "most_mib": 1024.0},
    "pace": {"decisions": 2, "at_once": 2, "most_ms": 200},
}
"""What is asked of some, so that a bot which does it wrong is found sooner."""
ILLEGAL = "its answer is illegal (answer): there is no legal action 10000"
CAME_AGAIN = "it opened another connection"
STAYED_AWAY = "the bot did not connect"
STAYED = "its process had not ended after 10 s"
CAME: dict[str, str] = {
    "absurd-numbers": "its process had ended with the exit code 1",
    "asked-twice": "it gave another answer: legal_action",
    "bad-address": "its process had not ended after",
    "batches": "its frames held 1.0 answers each",
    "conceded": "its process had ended with the exit code 1",
    "default-whole": "without its unknown field",
    "draining": "the bot's connection was lost",
    "empty-frame": "its process had ended with the exit code 1",
    "ended-without-goodbye": STAYED_AWAY,
    "event-notice": "its process had ended with the exit code 1",
    "first-decision": "it sent nothing within",
    "forfeited": "it sent nothing within",
    "goodbye": "its process ended with the exit code 5, not 0",
    "goodbye-for-good": CAME_AGAIN,
    "goodbye-for-now": STAYED_AWAY,
    "half-open": STAYED_AWAY,
    "hello": "its nonce has 3 bytes, not 16 to 64",
    "hello-refused": CAME_AGAIN,
    "hostile-words": "its process had ended with the exit code 1",
    "hostile-words-shown": r"it printed '\x1b]0;doctor'",
    "hung-up": "its process had ended with the exit code -1",
    "in-place": "its process had ended with the exit code 1",
    "input-ends": "its process had not ended after 5 s",
    "large-frame": "the bot's connection was lost",
    # Where nothing is due or, from a process that is slow, in place of the next answer.
    "last-strike": "choice {match_handle: 1 number: 1 answer",
    "lost-after-answer": "it gave another answer: legal_action",
    "lost-before-decision": "there is no resume",
    "lost-before-welcome": "resume is",
    "lost-while-thinking": "it sent nothing within",
    "many-matches": "it sent nothing within",
    "memory": "it grew from",
    "nonces": "two processes sent the same nonce, 6e6e6e6e",
    "not-allowed": CAME_AGAIN,
    "open-amounts": "and none was given",
    "open-extras": "there is no extra 99",
    "open-picks": "cards are to be picked from a group, not",
    "output-full": "the bot's connection was lost",
    "output-unread": "the bot's connection was lost",
    "pace": "a decision took",
    "patience": "it reconnected after",
    "proxies": STAYED_AWAY,
    "refusal-told": "it did not print 'this token was revoked yesterday'",
    "refused": "it repeated the refused answer: legal_action",
    "resume-earlier": "it sent nothing within",
    "resume-match-over": "its process had ended with the exit code 1",
    "resume-names": "resume.matches is [], not [{",
    "resume-refused": STAYED_AWAY,
    "resume-refused-twice": CAME_AGAIN,
    "rest": "s of CPU time in 2 s in which nothing was asked",
    "same-again": "and then with",
    "server-closed": CAME_AGAIN,
    "server-full": "had to wait at least 750 ms",
    "server-not-there": STAYED_AWAY,
    "server-restarted": STAYED_AWAY,
    "server-stalls": "its process had ended with the exit code 1",
    "stale": "choice.match_handle is 77, not 1",
    "superseded": CAME_AGAIN,
    "tacit-acceptance": "it sent nothing within",
    "thoughts": "its answers have no thought_ms",
    "tls": STAYED_AWAY,
    "tls-expired": STAYED,
    "tls-mutual": STAYED_AWAY,
    "tls-not-spoken": STAYED,
    "tls-off": STAYED_AWAY,
    "tls-other-names": STAYED,
    "tls-strange": "it connected without TLS",
    "tls-strange-told": STAYED,
    "tls-untold": STAYED,
    "token": "metadata.authorization is missing",
    "token-kept": "it printed 'doctor-token-6f1d'",
    "token-refused": CAME_AGAIN,
    "told-to-leave": "its process had not ended after 5 s",
    "told-to-stop": "its process had ended with the exit code -15",
    "too-late": "its process had ended with the exit code 1",
    "unix-socket": "its process had ended with the exit code 1",
    "unknown-field": "its process had ended with the exit code 1",
    "unknown-message": "its process had ended with the exit code 1",
    "unknown-value": "its process had ended with the exit code 1",
    "void-match": "its process had ended with the exit code 1",
} | {name: ILLEGAL for name, case in CASES.items() if case.exercise == "matches"}
QUICK = sorted(name for name, case in CASES.items() if not case.slow)


def examined(name: str) -> Finding:
    """Return what the doctor finds by a case with a bot that does it wrong."""
    case = CASES[name]
    if name in PARAMETERS:
        case = case.model_copy(update={"parameters": PARAMETERS[name]})
    practice = Practice((sys.executable, str(BOT), name), patience_seconds=1.5, start_seconds=8.0)
    return Checkup(practice, [case], lanes=1, slow=True, report=lambda _case, _finding: None).run()[case.name]


@pytest.mark.slow
def test_a_bot_that_notices_no_half_open_connection_is_found(size: Size) -> None:
    """It takes a minute, and so it is left to the long form."""
    if size(0, 1):
        assert CAME["half-open"] in examined("half-open").came


@pytest.fixture(scope="module")
def findings() -> dict[str, Finding]:
    """What is found with each bot of the gallery; it is waited for several of them at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(QUICK, pool.map(examined, QUICK), strict=True))


def test_there_is_a_broken_bot_for_each_case() -> None:
    assert set(CAME) == set(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_broken_bot_is_found(findings: dict[str, Finding], name: str) -> None:
    finding = findings[name]
    assert finding.mark is Mark.FAILED, finding
    assert CAME[name] in finding.came, finding
