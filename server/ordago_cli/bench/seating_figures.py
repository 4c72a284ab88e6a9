"""How the figures of ``ordago bench seating`` are shown."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table

from ordago_bench.seating.figures import GiftFigures
from ordago_bench.seating.simulated_ladder import SeatingFigures

_HEADINGS: Final = (
    *("bots", "way", "tables", "waited s", "p99", "most", "opponents", "most of one"),
    *("Elo apart", "p90", "bits", "error", "seats off", "house", "CPU µs"),
)


def print_seating(found: Sequence[SeatingFigures], gifts: Sequence[GiftFigures]) -> None:
    """Print the figures of ladders, a line each, and what gifts come to."""
    table = Table(box=None, pad_edge=False)
    for heading in _HEADINGS:
        table.add_column(heading, justify="left" if heading == "way" else "right", no_wrap=True)
    for figures in found:
        table.add_row(*_row(figures))
    console = Console(width=140)
    console.print(table)
    for gift in gifts:
        console.print(
            f"two accomplices among {gift.bots} bots: {gift.met:.1%} of the pairings of the one are with the other's "
            f"account, whose gifts are worth {gift.gained:+.0f} Elo",
            highlight=False,
        )


def _row(figures: SeatingFigures) -> list[str]:
    return [
        f"{figures.bots:,}",
        figures.way,
        f"{figures.tables:,}",
        f"{figures.waited_median_s:.1f}",
        f"{figures.waited_p99_s:.1f}",
        f"{figures.waited_most_s:.1f}",
        f"{figures.opponents:.0%}",
        f"{figures.most_of_one:.0%}",
        f"{figures.difference_median:.0f}",
        f"{figures.difference_p90:.0f}",
        f"{figures.bits:.3f}",
        f"{figures.error:.0f}",
        f"{figures.seats_off:.1f}",
        f"{figures.house:.1%}",
        f"{figures.cpu_us:.0f}",
    ]
