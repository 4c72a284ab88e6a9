"""Challenges on the account page, and what others try to make an author challenge."""

import re

import pytest
from support.site import Answer, Visitor

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.pages import Pages
from ordago_web.site import site

TOKEN = "ordago_anas-own-token"  # noqa: S105 - it is good nowhere
MATCH = "ab" * 16
WAITING = v1.Challenge(
    bot="<b>sota", chosen="ben", game="mus", matches=2, stage=v1.CHALLENGE_STAGE_WAITING, match_ids=[MATCH], made=1
)
OVER = v1.Challenge(
    bot="as", chosen="ben", game="mus", matches=2, stage=v1.CHALLENGE_STAGE_OVER, reason="It was <i>withdrawn</i>."
)
FORM = {"bot": "sota", "chosen": "ben", "game": "mus", "matches": "4"}
CHANGES = ("/account/challenges", "/account/challenges/withdraw", "/account/bots/challenges")


class Accounts:
    """A server of accounts with one author, who has made some challenges."""

    def __init__(self, *challenges: v1.Challenge, refusing: str = "") -> None:
        self.refusing = refusing
        bots = [v1.AccountBot(name="sota", takes_challenges=True), v1.AccountBot(name="as")]
        self.answers = {
            v1.WhoAmIRequest: v1.WhoAmIResponse(account=v1.Account(name="ana")),
            v1.ListTokensRequest: v1.ListTokensResponse(),
            v1.ListBotsRequest: v1.ListBotsResponse(bots=bots),
            v1.ListFaultsRequest: v1.ListFaultsResponse(),
            v1.ListChallengesRequest: v1.ListChallengesResponse(challenges=challenges),
        }
        self.changes: list[object] = []

    def ask(self, token: str, request, answer):
        if token != TOKEN:
            raise CallError("UNAUTHENTICATED", "no such token")
        if type(request) in self.answers:
            return self.answers[type(request)]
        self.changes.append(request)
        if self.refusing:
            raise CallError("PERMISSION_DENIED", self.refusing)
        return answer()


class Ladder:
    """A ladder with a bot that takes challenges, and one that does not."""

    def __init__(self, *, a_day: int = 24) -> None:
        self.a_day = a_day

    def ask(self, request, answer):
        if isinstance(request, v1.GetLadderRequest):
            return v1.GetLadderResponse(challenge_matches=self.a_day, games=[v1.LadderGame(game="mus")])
        if isinstance(request, v1.GetBotRequest):
            versions = [v1.BotVersion(player=v1.LadderPlayer(player=1, name=request.name))]
            return v1.GetBotResponse(versions=versions, takes_challenges=request.name == "ben")
        if isinstance(request, v1.ListMatchesRequest):
            seats = [v1.LadderSeat(name="ben")]
            return v1.ListMatchesResponse(matches=[v1.LadderMatch(match_id=MATCH, seats=seats, unrated=True)])
        return answer()


def visitor_of(accounts: Accounts, ladder: Ladder | None = None) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), accounts=accounts, ladder=LadderSource(ladder or Ladder()))))


async def signed_in(visitor: Visitor) -> str:
    """Sign in, and return the CSRF token of the author's forms."""
    await visitor.post("/account/sign-in", {"csrf": csrf_of(await visitor.get("/account")), "token": TOKEN})
    return csrf_of(await visitor.get("/account"))


def csrf_of(page: Answer) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', page.text)
    assert found
    return found[1]


async def test_the_account_page_lists_challenges_with_their_matches() -> None:
    visitor = visitor_of(Accounts(WAITING, OVER))
    await signed_in(visitor)
    page = await visitor.get("/account")
    assert f'href="/matches/{MATCH}"' in page.text
    assert "&lt;b&gt;sota" in page.text
    assert "&lt;i&gt;withdrawn&lt;/i&gt;" in page.text
    assert 'action="/account/challenges/withdraw"' in page.text
    assert 'action="/account/challenges"' not in page.text, "one at a time"


async def test_a_bot_page_leads_to_a_filled_form() -> None:
    visitor = visitor_of(Accounts(OVER))
    bot = await visitor.get("/bots/ben")
    assert 'href="/account?challenge=ben#challenges"' in bot.text
    assert bot.headers["cache-control"] == "no-cache", "the page is the same for all visitors"
    assert "challenge=" not in (await visitor.get("/bots/other")).text
    await signed_in(visitor)
    page = await visitor.get('/account?challenge="><script>')
    assert '<input name="chosen" value="&#34;&gt;&lt;script&gt;"' in page.text


async def test_an_author_challenges_withdraws_and_consents() -> None:
    accounts = Accounts()
    visitor = visitor_of(accounts)
    csrf = await signed_in(visitor)
    answers = [
        await visitor.post("/account/challenges", {"csrf": csrf, **FORM}),
        await visitor.post("/account/challenges/withdraw", {"csrf": csrf}),
        await visitor.post("/account/bots/challenges", {"csrf": csrf, "bot": "as", "takes": "yes"}),
        await visitor.post("/account/bots/challenges", {"csrf": csrf, "bot": "sota", "takes": "no"}),
    ]
    assert [answer.status for answer in answers] == [303] * 4
    assert accounts.changes == [
        v1.ChallengeBotRequest(bot="sota", chosen="ben", game="mus", matches=4),
        v1.WithdrawChallengeRequest(),
        v1.SetBotChallengesRequest(bot="as", takes_challenges=True),
        v1.SetBotChallengesRequest(bot="sota", takes_challenges=False),
    ]


@pytest.mark.parametrize("matches", ["", "0", "11", "x", "1e1", "٣", "9" * 9_999])
async def test_a_number_that_cannot_be_is_refused_here(matches: str) -> None:
    accounts = Accounts()
    visitor = visitor_of(accounts)
    csrf = await signed_in(visitor)
    answer = await visitor.post("/account/challenges", {"csrf": csrf, **FORM, "matches": matches})
    assert (answer.status, accounts.changes) == (422, [])


async def test_a_refusal_is_shown() -> None:
    visitor = visitor_of(Accounts(refusing="The bot <ben> takes no challenges."))
    answer = await visitor.post("/account/challenges", {"csrf": await signed_in(visitor), **FORM})
    assert (answer.status, "&lt;ben&gt;" in answer.text) == (422, True)


@pytest.mark.parametrize("place", CHANGES)
async def test_no_other_page_challenges_in_the_name_of_an_author(place: str) -> None:
    accounts = Accounts()
    visitor = visitor_of(accounts)
    csrf = await signed_in(visitor)
    assert (await visitor.post(place, {"csrf": "0" * len(csrf), **FORM})).status == 403
    assert (await visitor.post(place, FORM)).status == 403
    assert (await visitor_of(accounts).post(place, {"csrf": csrf, **FORM})).status == 403
    assert not accounts.changes


async def test_a_ladder_without_challenges_shows_none() -> None:
    visitor = visitor_of(Accounts(OVER), Ladder(a_day=0))
    await signed_in(visitor)
    assert "challenges" not in (await visitor.get("/account")).text


async def test_unrated_matches_are_marked() -> None:
    assert ">unrated<" in (await visitor_of(Accounts()).get("/matches")).text
