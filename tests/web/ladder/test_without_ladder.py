"""A site that shows folders alone, and no ladder."""

from support.site import Visitor

from ordago_web.context import AppContext
from ordago_web.pages import Pages
from ordago_web.site import site


async def test_it_has_no_page_of_a_ladder():
    visitor = Visitor(site(AppContext(pages=Pages())))
    assert (await visitor.get("/matches")).status == 404
    problem = await visitor.get("/api/v1/ladder")
    assert (problem.status, problem.json()["detail"]) == (404, "This site shows no ladder.")
