"""What the house would have played, asked for from a replay and shown in it, whatever the server says."""

import json
import re
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect
from support.browser import violations
from web.replays import at, part, record_of

from ordago_ladder.pages.assets import asset_files
from ordago_ladder.pages.rendering import template
from ordago_ladder.showing.match_page import replay_values


class FakeAnalyst:
    """A server of a page that gives who asks for the analysis one answer after the other, and then its last again."""

    def __init__(self, folder: Path, answers: list[object]) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(SimpleHTTPRequestHandler):
            def __init__(self, *args, **kwargs) -> None:
                super().__init__(*args, directory=str(folder), **kwargs)

            # A browser that finds a connection ended which it wanted to use again says so in the console.
            protocol_version = "HTTP/1.1"

            def log_message(self, *_) -> None:
                """Say nothing."""

            def answer(self) -> None:
                asked.append(self.command)
                body = json.dumps(answers.pop(0) if len(answers) > 1 else answers[0]).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = answer  # noqa: N815 - the name that the library wants

            def do_GET(self) -> None:
                if self.path == "/analysis":
                    self.answer()
                else:
                    super().do_GET()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/match.html"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def served(tmp_path):
    """Begins servers, and ends them."""
    record = record_of("mittlere-3")
    values = replay_values(record, root="/", record_link="/", back="/", analysis="/analysis")
    (tmp_path / "match.html").write_text(template("told").render(assets="/assets/", **values), encoding="utf-8")
    for name, content in asset_files([record.game]).items():
        path = tmp_path / name.replace("faces-jass", "assets/faces/jass")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    servers = []

    def begin(*answers: object) -> FakeAnalyst:
        servers.append(FakeAnalyst(tmp_path, list(answers)))
        return servers[-1]

    yield begin
    for server in servers:
        server.close()


def choices_of(record):
    return [place for place, entry in enumerate(record.entries) if entry.HasField("choice")]


def test_the_house_is_asked_and_its_verdicts_are_shown(visit, served):
    first, second, third, *_ = choices_of(record_of("mittlere-3"))
    worse = {"best": "Play 10♥", "cost": 0.126, "error": 0.05, "unit": "points", "dear": True, "better": [{}]}
    dear = {**worse, "entry": second, "best": "Play <b>", "cost": 0.031, "unit": "chance to win the game"}
    alike = {"best": "x", "cost": 0, "unit": "points", "dear": False}
    done = {
        "state": "done",
        "choices": {
            str(first): worse,
            str(second): dear,
            str(third): alike,
        },
        "dearest": [dear, {"entry": first, **worse}, {"entry": 99999, **worse}],
    }
    server = served({"state": "unasked"}, {"state": "working", "done": 1, "of": 4}, done)
    page = visit(server.address)
    part(page, "costs").get_by_role("button").click()
    expect(part(page, "costs").get_by_role("progressbar")).to_be_visible()
    expect(part(page, "analysis")).to_contain_text("1 of 4 decisions")
    expect(part(page, "analysis")).to_contain_text("The costliest choices")
    assert server.asked == ["GET", "POST", "GET"]
    assert part(page, "analysis").locator("li").count() == 2, "of a choice that there is not nothing is shown"
    page.keyboard.press("ArrowRight")
    expect(part(page, "verdict")).to_have_text("The house: Play 10♥, better by 0.13 ± 0.05 points.")
    part(page, "analysis").locator("a").first.click()
    expect(part(page, "verdict")).to_have_text(
        "The house: Play <b>, better by 3.1 ± 5.0 % of the chance to win the game."
    )
    assert violations(page) == []
    page.keyboard.press("ArrowRight")
    expect(part(page, "verdict")).to_have_text("The house would play the same.")
    page.keyboard.press("End")
    expect(part(page, "verdict")).to_be_hidden()


@pytest.mark.parametrize(
    "answer", [{"state": "failed", "sentence": "No time."}, {"state": "done", "choices": {}, "dearest": []}]
)
def test_that_nothing_came_of_it_is_told(visit, served, answer):
    page = visit(served(answer).address)
    expect(part(page, "analysis").locator("p").first).to_be_visible()
    assert page.get_by_role("button", name="house").count() == 0
    expect(part(page, "costs")).to_be_hidden()


def done_with(*costs: float, unit: str = "points") -> tuple[list[int], dict[str, object]]:
    """Return the entries of choices here and there, and an analysis that finds them to cost so much."""
    entries = choices_of(record_of("mittlere-3"))[::25][: len(costs)]
    verdicts = {
        str(entry): {"best": "Play 10♥", "cost": cost, "error": 0.1, "unit": unit, "dear": cost > 1, "better": [{}]}
        for entry, cost in zip(entries, costs, strict=True)
    }
    return entries, {"state": "done", "choices": verdicts, "dearest": []}


def test_costs_are_drawn_over_the_slider_and_lead_to_their_moments(visit, served):
    _, done = done_with(2, 0, 0, 3, -0.5, 1.5)
    page = visit(served(done).address)
    chart = part(page, "costs").get_by_role("img")
    expect(chart).to_have_attribute(
        "aria-label", re.compile(r"points.*1 .*: 3\.50 points; 2 .*: 2\.50 points; 3 .*: 0\.00")
    )
    lines = chart.locator("polyline")
    assert lines.count() == 3
    marks = part(page, "costs").locator("a")
    assert [mark.inner_text() for mark in marks.all()] == ["◆", "◆", "◆"], "one that was no costly choice has none"
    assert [mark.get_attribute("title")[-16:] for mark in marks.all()] == [
        f"−{cost} ± 0.10 points"[-16:] for cost in ("2.00", "3.00", "1.50")
    ]
    marks.nth(1).click()
    expect(part(page, "verdict")).to_have_text("The house: Play 10♥, better by 3.00 ± 0.10 points.")
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 4)
    last = int(part(page, "slider").get_attribute("max") or 0)
    assert abs(at(page) - last / 2) <= 1
    assert chart.locator(".cursor").get_attribute("x1") == str(at(page))
    assert violations(page) == []


def test_keys_lead_from_one_costly_choice_to_the_next(visit, served):
    _, done = done_with(2, 0, 3, 0, 1.5)
    page = visit(served(done).address)
    expect(part(page, "costs").locator("a")).to_have_count(3)
    steps = []
    for key in ("m", "m", "m", "m", "Shift+M", "Shift+M", "Shift+M"):
        page.keyboard.press(key)
        steps.append(at(page))
    one, two, three = steps[:3]
    assert 0 < one < two < three
    assert steps[3:] == [three, two, one, one]


def test_units_that_cannot_be_added_are_not(visit, served):
    _, done = done_with(2, 3, 4, unit="value of the hand")
    page = visit(served(done).address)
    expect(part(page, "analysis").locator("p")).to_be_visible()
    expect(part(page, "costs")).to_be_hidden()


@pytest.mark.parametrize("verdicts", [{"x": {}}, {"99999": {"cost": 1, "unit": "points", "dear": True}}])
def test_a_verdict_on_nothing_is_not_drawn(visit, served, verdicts):
    page = visit(served({"state": "done", "choices": verdicts, "dearest": []}).address)
    expect(part(page, "analysis").locator("p")).to_be_visible()
    expect(part(page, "costs")).to_be_hidden()
