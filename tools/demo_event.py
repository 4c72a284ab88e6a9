"""Write the event file of ``make demo``, with the built bots of other languages as additional entrants."""

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from foreign_clients import CLIENTS, ROOT, Client, say

from ordago.arena.processes.isolation.choice import NoIsolationError, isolation_here
from ordago_ladder.event_file.file import parse_event


def reason_to_stay_away(client: Client) -> str:
    """Return the reason why a client cannot be started; empty if it can."""
    if not client.built.exists():
        return "it is not built; make clients builds it"
    if shutil.which(client.command[0]) is None:
        return f"there is no program {client.command[0]!r} on this machine"
    return ""


def with_clients(event: str, clients: Sequence[Client]) -> str:
    """Return the text of an event with clients as additional entrants. Its number of sets stays the same."""
    if not clients:
        return event
    # Each combination of entrants gets its own event name, and thereby its own folder.
    name = "-".join([parse_event(event).event.name, *(client.folder.name for client in clients)])
    renamed = re.sub(r"^name = .*$", f'name = "{name}"', event, count=1, flags=re.MULTILINE)
    return renamed + "".join(map(_entrant, clients))


def _entrant(client: Client) -> str:
    words = ", ".join(f'"{word}"' for word in _from_its_folder(client))
    # A fixed nonce makes the event reproducible.
    nonce = client.name.encode().hex().ljust(32, "0")
    start = f'folder = "{client.folder.relative_to(ROOT)}"\ncommand = [{words}]\n'
    return f'\n[[entrant]]\nname = "{client.name}"\n{start}env = {{ ORDAGO_NONCE = "{nonce}" }}\n'


def _from_its_folder(client: Client) -> Iterator[str]:
    """Yield the words of its command, with paths relative to its working folder, the only one that it may read."""
    for word in client.command:
        path = ROOT / word
        yield str(path.relative_to(client.folder)) if path.is_relative_to(client.folder) else word


def for_this_machine(event: str) -> str:
    """Return the text of an event without isolation if this machine supports none, since all its bots are our own."""
    try:
        with isolation_here():
            return event
    except NoIsolationError as error:
        say(f"its bots are not isolated, since they are ours: {error}")
    return re.sub(r"^\[event\]$", '[event]\nisolation = "none"', event, count=1, flags=re.MULTILINE)


def main() -> None:
    """Write the event of the first argument, with the clients that can be started, to the second."""
    source, target = map(Path, sys.argv[1:])
    reasons = {client.name: reason_to_stay_away(client) for client in CLIENTS}
    for name, reason in reasons.items():
        say(f"{name} does not take part: {reason}" if reason else f"{name} takes part")
    event = for_this_machine(source.read_text(encoding="utf-8"))
    event = with_clients(event, [client for client in CLIENTS if not reasons[client.name]])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"# Written by tools/demo_event.py from {source}.\n{event}", encoding="utf-8")


if __name__ == "__main__":
    main()
