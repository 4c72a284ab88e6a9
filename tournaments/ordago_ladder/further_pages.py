"""The pages of an event that say more than its first one: how likely who is better, who met whom, how it came about."""

from collections.abc import Mapping
from typing import Final

from ordago.record.ledger import Ledger
from ordago_ladder.charts import HEIGHT, WIDTH, charts_of
from ordago_ladder.course import meetings, stages
from ordago_ladder.facts import happenings, void_reasons
from ordago_ladder.ladder import Ladder
from ordago_ladder.match_pages import listing_of
from ordago_ladder.rendering import template
from ordago_ladder.superiority import MOST_COLUMNS, superiority_of
from ordago_ladder.variance import matches_saved

FURTHER_PAGES: Final = ("likelihoods.html", "meetings.html", "course.html")


def further_pages(ladder: Ladder, ledger: Ledger) -> Mapping[str, str]:
    """Return the pages by their names."""
    texts = (_likelihoods(ladder), _meetings(ladder), _course(ladder, ledger))
    return dict(zip(FURTHER_PAGES, texts, strict=True))


def _likelihoods(ladder: Ladder) -> str:
    return template("likelihoods").render(
        heading=ladder.event.heading, several=len(ladder.games) > 1, superiority=superiority_of(ladder.overall)
    )


def _meetings(ladder: Ladder) -> str:
    names = [line.entrant for line in ladder.overall.lines]
    return template("meetings").render(
        heading=ladder.event.heading,
        titles={game.name: game.title for game in ladder.games},
        too_many=len(names) > MOST_COLUMNS,
        meetings=[] if len(names) > MOST_COLUMNS else list(meetings(ladder.results, names)),
    )


def _course(ladder: Ladder, ledger: Ledger) -> str:
    return template("course").render(
        heading=ladder.event.heading,
        ladder=ladder,
        charts=charts_of(stages(ladder.settings, ladder.results)),
        width=WIDTH,
        height=HEIGHT,
        savings=matches_saved(ladder.results),
        titles={game.name: game.title for game in ladder.games},
        happenings=happenings(ledger),
        voids=void_reasons(ledger, ladder.results),
        listing_of=listing_of,
    )
