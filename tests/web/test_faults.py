"""The faults of an author's bots: on the account page, as files, and as JSON; and what others try to see of them."""

import re

import pytest
from support.site import Answer, Visitor

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_bot.asked import Asked
from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.pages import Pages
from ordago_web.site import site

TOKEN = "ordago_anas-own-token"  # noqa: S105 - it is good nowhere
MATCH = "ab" * 16
REFUSED = v1.RefusedAnswer(
    answer=v1.Answer(legal_action=9), refused=v1.Refused(number=3, rule="answer", sentence="<b>no 9</b>", strikes=1)
)
FAULT = v1.BotFault(
    match_id=MATCH, bot="<b>sota", ended=1_800_000_000, seat=1, decision=3, fault=v1.FAULT_TOO_LATE, refusals=[REFUSED]
)
FORFEIT = v1.BotFault(match_id=MATCH, bot="sota", decision=3, fault=v1.FAULT_TOO_LATE, forfeited=True)
FILE = f"/account/faults/{MATCH}/3.jsonl"


class Accounts:
    """A server of accounts with one author."""

    def __init__(self, *faults: v1.BotFault) -> None:
        self.answers = {
            v1.WhoAmIRequest: v1.WhoAmIResponse(account=v1.Account(name="ana")),
            v1.ListTokensRequest: v1.ListTokensResponse(),
            v1.ListBotsRequest: v1.ListBotsResponse(),
            v1.ListFaultsRequest: v1.ListFaultsResponse(faults=faults, next_page_token="ab" * 12),
            v1.GetFaultRequest: v1.GetFaultResponse(fault=FAULT, decision=v1.Decision(number=3)),
        }
        self.asked: list[tuple[str, object]] = []

    def ask(self, token: str, request, _answer):
        self.asked.append((token, request))
        if token != TOKEN:
            raise CallError("UNAUTHENTICATED", "no such token")
        return self.answers[type(request)]


class Ladder:
    """A ladder that is read with the token of the site, and would answer anything."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def ask(self, request, answer):
        self.asked.append(request)
        return answer()


def visitor_of(accounts: Accounts, ladder: Ladder | None = None) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), accounts=accounts, ladder=LadderSource(ladder or Ladder()))))


async def signed_in(visitor: Visitor) -> Answer:
    csrf = re.search(r'name="csrf" value="([0-9a-f]+)"', (await visitor.get("/account")).text)
    assert csrf
    await visitor.post("/account/sign-in", {"csrf": csrf[1], "token": TOKEN})
    return await visitor.get("/account")


async def test_the_account_page_lists_them():
    page = await signed_in(visitor_of(Accounts(FAULT, FORFEIT)))
    assert f'href="{FILE}?bot=%3Cb%3Esota"' in page.text
    assert "answer: &lt;b&gt;no 9&lt;/b&gt;" in page.text
    assert "&lt;b&gt;sota" in page.text
    assert "too late" in page.text
    assert 'href="/account?faults=abababababababababababab#faults"' in page.text
    assert page.headers["cache-control"] == "private, no-store"


async def test_the_next_page_is_asked_for():
    accounts = Accounts(FAULT)
    visitor = visitor_of(accounts)
    await signed_in(visitor)
    await visitor.get("/account?faults=" + "ab" * 12)
    assert accounts.asked[-1] == (TOKEN, v1.ListFaultsRequest(page_size=20, page_token="ab" * 12))


async def test_a_decision_is_downloaded_as_lines_for_a_test():
    visitor = visitor_of(Accounts(FAULT))
    await signed_in(visitor)
    file = await visitor.get(FILE)
    assert file.headers["content-disposition"] == f'attachment; filename="{MATCH}-3.jsonl"'
    assert file.headers["cache-control"] == "private, no-store"
    first, last = map(Asked.from_json, file.body.splitlines())
    assert (first.answer, last.refused) == (REFUSED.answer, REFUSED.refused)


async def test_a_visitor_gets_the_same_bytes_whether_there_are_faults_or_not():
    seen = []
    for faults in ((), (FAULT, FORFEIT)):
        accounts, ladder = Accounts(*faults), Ladder()
        visitor = visitor_of(accounts, ladder)
        answers = [await visitor.get(path) for path in (FILE, "/authors/ana", "/bots/sota", "/api/v1/faults")]
        seen.append([(answer.status, re.sub(r'value="[0-9a-f]+"', "", answer.text)) for answer in answers])
        assert [status for status, _ in seen[-1]][::3] == [401, 401]
        assert not any(isinstance(request, v1.ListFaultsRequest) for request in ladder.asked), "by the site's own token"
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ordago_guessed", "Basic x", "Bearer ä", "Bearer " + "x" * 500]
)
async def test_json_is_for_the_holder_of_a_token(header: str):
    visitor = visitor_of(Accounts(FAULT))
    assert (await visitor.get("/api/v1/faults", authorization=header)).status == 401


async def test_json_answers_the_author_and_is_kept_by_no_cache():
    accounts = Accounts(FAULT)
    answer = await visitor_of(accounts).get("/api/v1/faults?bot=sota&pageSize=5", authorization=f"Bearer {TOKEN}")
    assert answer.json()["faults"][0]["decision"] == 3
    assert answer.headers["cache-control"] == "private, no-store"
    assert accounts.asked == [(TOKEN, v1.ListFaultsRequest(bot="sota", page_size=5))]


async def test_a_session_is_no_token_for_json():
    """A page of another site could otherwise read them with the cookie of the author."""
    visitor = visitor_of(Accounts(FAULT))
    await signed_in(visitor)
    assert (await visitor.get("/api/v1/faults")).status == 401


@pytest.mark.parametrize("path", ["/account/faults/%00/1.jsonl", "/account/faults/x/99999999999999999999.jsonl"])
async def test_guessed_files_are_no_failure_of_the_site(path: str):
    visitor = visitor_of(Accounts(FAULT))
    await signed_in(visitor)
    assert (await visitor.get(path)).status in (200, 404)
