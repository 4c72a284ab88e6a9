"""Pages while the server of the ladder does not answer: they show what it told last, and say so."""

from typing import Any

import pytest
from support.lively_ladder import lively_ladder
from support.served_site import ReadHere
from support.site import Visitor

from ordago.edge.services.client import CallError
from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.pages import Pages
from ordago_web.site import site

NOTICE = "The ladder's server does not answer."


class Server(ReadHere):
    away = False

    def ask(self, request: Any, answer: Any) -> Any:
        if self.away:
            raise CallError("UNAVAILABLE", "no answer")
        return super().ask(request, answer)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/bots/Anna", "/matches", "/likelihoods"])
async def test_a_page_says_that_it_is_of_before_until_the_server_is_back(tmp_path, path):
    seconds = 0.0
    with lively_ladder(tmp_path) as reader:
        server = Server(reader)
        source = LadderSource(server, clock=lambda: seconds)
        pages = Pages(is_away=lambda: source.away_since is not None)
        visitor = Visitor(site(AppContext(pages=pages, ladder=source)))
        before = (await visitor.get(path)).text
        assert NOTICE not in before
        server.away, seconds = True, 30.0
        told = (await visitor.get(path)).text
        assert NOTICE in told
        assert told.partition("<h1")[2] == before.partition("<h1")[2]
        server.away, seconds = False, 32.0
        assert NOTICE not in (await visitor.get(path)).text
        server.away, seconds = True, 500.0
        assert (await visitor.get(path)).status == 503
