"""What a site has, by what it is told."""

from pathlib import Path

from ordago_web.running import navigation, opened_context
from ordago_web.serving.listener import Place
from ordago_web.settings import ServerPlace, SiteSettings

PLACE = Place(address="127.0.0.1:0")
LADDER = ServerPlace(address="unix:/nowhere", ladder=True)


def test_events_are_shown_where_there_may_be_any_or_nothing_else() -> None:
    def titles(settings: SiteSettings) -> set[str]:
        return {destination.place for destination in navigation(settings)}

    assert "/events" not in titles(SiteSettings(place=PLACE, server=LADDER))
    assert "/events" in titles(SiteSettings(place=PLACE))
    assert "/events" in titles(SiteSettings(place=PLACE, server=LADDER, hosted=Path("events")))


async def test_an_event_that_the_server_begins_later_is_shown(tmp_path: Path) -> None:
    settings = SiteSettings(place=PLACE, hosted=tmp_path / "events", plays=False)
    async with opened_context(settings) as house:
        assert house.events is not None
        assert house.events.all() == {}
        (tmp_path / "events" / "friday" / "private").mkdir(parents=True)
        (tmp_path / "events" / "friday" / "index.html").write_text("<p>Friday</p>")
        assert list(house.events.all()) == ["friday"]
        assert house.events.find("friday", "private/event.db") is None
