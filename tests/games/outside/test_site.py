"""A person plays the game of another package on the site, by its rules and before its table."""

from pathlib import Path

import pytest
from web.play.test_play_over_http import Guest, opened

from ordago.record import from_file_bytes
from ordago.record.verify import verify

pytestmark = pytest.mark.virtual_time


@pytest.mark.slow
async def test_a_person_plays_it_to_its_end_with_its_rules_beside(highcard: Path) -> None:  # noqa: ARG001 - it has to be there
    async with opened() as site:
        guest = Guest(site)
        page = await guest.get("/play?game=highcard")
        assert "The highest card takes the trick" in page.text
        assert "/docs/rules/highcard" not in page.text
        assert "/docs/rules/mus" in (await guest.get("/play?game=mus")).text
        fields = {"game": "highcard", "length": "default", "players": "3"}
        sat = await guest.sit(**fields)
        assert sat.status == 303, sat.text
        assert "Play" in str((await guest.decision())["offers"])
        await guest.play_on()
        record = await guest.get(f"{guest.place}/record")
        assert verify(from_file_bytes(record.body)) == []
        assert "data-part=" in (await guest.get(f"{guest.place}/replay")).text
