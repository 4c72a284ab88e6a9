"""The announcements of an event, and their bodies in the forms of chat services.

Nothing in them is secret: the site and the published files say the same. Names of entrants and titles come from
strangers, so each form escapes what its service would take for a mention or a link.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.settings.webhooks import Form, Kind

_MOST_NAMED: Final = 10
"""The most entrants in a sentence: Discord takes 2,000 characters, and nobody reads more in a chat."""
_MARKDOWN: Final = re.compile(r"([\\*_~`|>\[\]()#@:<-])")


class Announcement(NamedTuple):
    """Something that has happened in an event."""

    key: str
    """Tells it from all others of the event. A receiver that gets the same key twice ignores the second."""
    kind: Kind
    """Its subject."""
    sentence: str
    """All of it in words, without the name of the event."""
    facts: Mapping[str, object]
    """The same for programs."""


def check_in_opened(entrants: int) -> Announcement:
    """Return the announcement that remote bots are awaited, ``entrants`` of them."""
    sentence = f"check-in is open; bots are awaited of {_counted(entrants, 'entrant', 'entrants')}"
    return Announcement("check-in", "check-in", sentence, {"entrants": entrants})


def matches_begun(played: int, planned: int) -> Announcement:
    """Return the announcement that more matches begin, after ``played`` of the ``planned`` that are known by now."""
    more = _counted(planned - played, "match begins", "matches begin")
    sentence = f"{more}, after {played:,}" if played else f"the event starts: {more}"
    # When a run ends in the middle of a round, the next one finds the same number of planned matches.
    key = f"matches to {planned}"
    return Announcement(key, "round" if played else "start", sentence, {"played": played, "planned": planned})


def news_of(ladder: Ladder) -> Iterator[Announcement]:
    """Yield the announcements that a ladder gives rise to: suspensions in the order of the file, and the end."""
    for entrant in ladder.entrants:
        if entrant.suspended:
            sentence = f"{entrant.name} is suspended after {ladder.event.suspend_after} forfeited matches"
            yield Announcement(f"suspension of {entrant.name}", "suspension", sentence, {"entrant": entrant.name})
    if ladder.finished:
        yield _ended(ladder)


def _ended(ladder: Ladder) -> Announcement:
    lines = [(line.rank, line.entrant) for line in ladder.overall.lines]
    named = ", ".join(f"{rank}. {name}" for rank, name in lines[:_MOST_NAMED])
    more = f" and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
    sentence = f"the event is over after {_counted(len(ladder.results), 'match', 'matches')}: {named}{more}"
    facts = {"played": len(ladder.results), "ladder": [{"rank": rank, "entrant": name} for rank, name in lines]}
    # An event that has ended may grow, and end again.
    return Announcement(f"end after {len(ladder.results)}", "end", sentence, facts)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def body_of(announcement: Announcement, *, event: str, title: str, form: Form) -> bytes:
    """Return the body of a POST request, JSON in UTF-8, for an event of a name and a title."""
    content: Mapping[str, object]
    if form == "discord":
        text = f"**{_MARKDOWN.sub(_BACKSLASH, title)}**: {_MARKDOWN.sub(_BACKSLASH, announcement.sentence)}"
        content = {"content": text, "allowed_mentions": {"parse": []}}
    elif form == "slack":
        content = {"text": f"{_for_slack(title)}: {_for_slack(announcement.sentence)}"}
    else:
        content = {
            "event": event,
            "title": title,
            "key": announcement.key,
            "kind": announcement.kind,
            "sentence": announcement.sentence,
            **announcement.facts,
        }
    return json.dumps(content, ensure_ascii=False).encode()


_BACKSLASH: Final = r"\\\1"


def _for_slack(text: str) -> str:
    """Return a text in which Slack finds no mention and no link; see its "Escaping text"."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
