"""The ladder as one page for people: no scripts, nothing loaded from elsewhere, readable on a phone and on paper."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from ordago.record.ledger import Ledger
from ordago_ladder import figures
from ordago_ladder.claims import Basis, Claim
from ordago_ladder.ladder import Ladder, Standing, Standings, Tally
from ordago_ladder.settings import EventSettings

_MOST_TICKS: Final = 5
"""The numbers below more of them would run into each other on a phone."""
_TICK_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Axis(NamedTuple):
    """The axis on which intervals are drawn."""

    low: float
    high: float
    ticks: tuple[int, ...]

    def position(self, elo: float) -> str:
        """Return the place of a rating on the axis, as a CSS length."""
        return f"{100 * (elo - self.low) / (self.high - self.low):.2f}%"


class Section(NamedTuple):
    """The part of the page that shows one ladder."""

    anchor: str
    heading: str
    standings: Standings
    axis: Axis
    versions: dict[str, str]
    places: int
    """How many placings there are."""

    @property
    def notices(self) -> list[str]:
        """What a reader must know before comparing ratings."""
        return _notices(self.standings)


def ladder_page(ladder: Ladder, ledger: Ledger, claims: Sequence[Claim]) -> str:
    """Return the page of a ladder.

    Args:
        ladder: the ladder.
        ledger: the ledger of its event.
        claims: what is proved by it, and what is not.
    """
    return _template().render(
        ladder=ladder,
        ledger=ledger,
        claims={basis: [claim.sentence for claim in claims if claim.basis is basis] for basis in Basis},
        sections=_sections(ladder),
        game_titles={game.name: game.title for game in ladder.games},
        faults=sum(line.conduct.faults for line in ladder.overall.lines),
        causes=_causes(ladder.overall),
        rules=sorted({rule for line in ladder.overall.lines for rule, _ in line.conduct.broken_rules}),
        times=_times(ladder.event),
        begun_anew=sum(played.match.attempt > 0 for played in ladder.results),
        suspended=[entrant.name for entrant in ladder.entrants if entrant.suspended],
        complete_sets=ladder.complete_sets,
        shade=_shade,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("ordago_ladder"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    filters = (figures.likelihood, figures.ordinal, figures.percent, figures.seconds, figures.signed, figures.whole)
    environment.filters.update({write.__name__: write for write in filters})
    return environment.get_template("index.html.jinja")


def _sections(ladder: Ladder) -> list[Section]:
    """Return a section for each ladder. The overall ladder of a single game would only repeat it."""
    named = [(game.name, game.title, standings) for game, standings in zip(ladder.games, ladder.by_game, strict=True)]
    if len(named) > 1:
        named.insert(0, ("overall", "All games", ladder.overall))
    return [
        Section(
            anchor=anchor,
            heading=heading,
            standings=standings,
            axis=_axis(standings.lines),
            versions={entrant.name: entrant.version for entrant in ladder.entrants},
            places=max((len(line.placings) for line in standings.lines), default=0),
        )
        for anchor, heading, standings in named
    ]


def _causes(standings: Standings) -> list[str]:
    """Return the faults that occurred, ascending by their short names."""
    counts = (count for line in standings.lines for count in (*line.conduct.decisions, *line.conduct.matches))
    return sorted({cause for cause, _ in counts})


def _times(event: EventSettings) -> list[str]:
    """Return what may be said of the times beside those for each decision."""
    told = {
        "in the bank for a match": event.bank_ms,
        "more after each decision": event.increment_ms,
        "of lag forgiven in a decision": min(event.lag_credit_ms, event.lag_bank_ms),
        "to come back in a match": event.disconnect_bank_ms,
    }
    return [f"{figures.seconds(milliseconds)} {what}" for what, milliseconds in told.items() if milliseconds]


def _axis(lines: Sequence[Standing]) -> Axis:
    low = min(line.rating.low for line in lines)
    high = max(line.rating.high for line in lines)
    margin = 0.04 * (high - low) + 1
    low, high = low - margin, high + margin
    step = next((step for step in _TICK_STEPS if (high - low) / step <= _MOST_TICKS), _TICK_STEPS[-1])
    first = math.ceil(low / step) * step
    return Axis(low, high, tuple(range(first, math.floor(high) + 1, step)))


def _notices(standings: Standings) -> list[str]:
    if not any(line.matches for line in standings.lines):
        return ["Nothing has been played yet."]
    groups, tiers = standings.connectivity.groups, standings.connectivity.tiers
    if len(groups) > 1:
        listed = "; ".join(", ".join(group) for group in groups)
        return [f"These groups have not met, so that ratings cannot be compared between them: {listed}."]
    if len(tiers) > 1:
        listed = "; ".join(", ".join(tier) for tier in tiers)
        unknown = "how far they are apart is not known from the results"
        return [f"Between these groups one side has won everything, so that {unknown}: {listed}."]
    return []


def _shade(tally: Tally) -> str:
    """Return the style of a cell of the crosstable: the farther from even, the stronger its colour."""
    score = tally.score
    if score is None:
        return ""
    colour = "win" if score >= 0.5 else "loss"
    return f"background: color-mix(in srgb, var(--{colour}) {abs(score - 0.5) * 100:.0f}%, transparent)"
