"""Two people in browsers of their own who meet at a table by its link, and play there to the end."""

from typing import Any

from support.play_browser import WHAT_CAN_BE_CLICKED, looks

MOST_CLICKS = 400
OWN_TURN = "#play-turn[data-own]:not([data-waits])"

CORNER: Any = {"x": 4, "y": 12}
"""The part of a card that is seen in a small hand too, where the next one lies over its middle."""


def test_two_meet_by_a_link_and_play_a_match(visit, site):
    host = visit(f"{site}/play?game=mittlere")
    host.evaluate("localStorage.setItem('ordago.pace', 'none')")
    host.get_by_label("Your name").fill("Ana")
    host.locator("select[data-opponent]").nth(0).select_option("friend")
    host.locator("select[data-opponent]").nth(1).select_option("chance")
    host.get_by_role("button", name="Deal the cards").click()
    link = host.locator("#waiting-link").inner_text()
    assert looks(host, "friends-host") == [([], 0)] * 2
    friend = visit(link, width=390)
    friend.evaluate("localStorage.setItem('ordago.pace', 'none')")
    assert looks(friend, "friends-friend") == [([], 0)] * 2
    friend.get_by_label("Your name").fill("Ben")
    friend.get_by_role("button", name="Sit down").click()
    for page in (host, friend):
        page.wait_for_url("**/play/*")
    clicks = {host: 0, friend: 0}
    while host.locator("#play-end").is_hidden():
        page = next((page for page in clicks if page.locator(OWN_TURN).is_visible()), None)
        if page is None:
            host.wait_for_timeout(20)
            continue
        page.locator(WHAT_CAN_BE_CLICKED).first.click(position=CORNER)
        clicks[page] += 1
        assert sum(clicks.values()) < MOST_CLICKS
    assert all(clicks.values()), "both played"
    for page in (host, friend):
        page.wait_for_selector("#play-end:not([hidden])")
        assert page.locator("#play-scores tr").count() == 3
        assert {"Ana", "Ben"} <= set(page.locator("#play-scores").inner_text().split())
