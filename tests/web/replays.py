"""Pages of matches on the disk, as an event publishes them, and what tests ask of them."""

from pathlib import Path

from playwright.sync_api import Page

from ordago import v1
from ordago.record import read_record
from ordago_ladder.pages.assets import asset_files
from ordago_ladder.showing.match_page import match_page

CORPUS = Path(__file__).parents[1] / "corpus"


def record_of(name: str) -> v1.MatchRecord:
    """Return a record of the corpus."""
    return read_record((CORPUS / f"{name}.record").read_bytes())


def written(folder: Path, record: v1.MatchRecord) -> str:
    """Write the page of a match with all that it needs, and return its address."""
    files = {f"told/{record.match_id}.html": match_page(record).encode(), **asset_files([record.game])}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return (folder / f"told/{record.match_id}.html").as_uri()


def part(page: Page, name: str):
    """Return a part of a replay."""
    return page.locator(f'[data-part="{name}"]')


def at(page: Page) -> int:
    """Return the number of the step that is shown."""
    return int(part(page, "slider").input_value())


def deal(page: Page) -> int:
    """Return the number of the deal that is shown, from 0."""
    return int(part(page, "deals").input_value())


def told(page: Page) -> str:
    """Return the words of the step that is shown."""
    return part(page, "now").locator("b").inner_text()


def cards(page: Page, seat: int, zone: str = "hand") -> list[str]:
    """Return the faces that lie before a seat, by their numbers."""
    found = page.locator(f'[data-seat="{seat}"] [data-zone="{zone}"] .card')
    return found.evaluate_all("cards => cards.map(card => card.dataset.card)")
