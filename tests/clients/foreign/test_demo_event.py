"""The event of ``make demo`` takes in the bots in other languages that can be started."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import demo_event
import pytest
from demo_event import for_this_machine, reason_to_stay_away, with_clients
from foreign_clients import CLIENTS, ROOT, Client

from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.run.estimate import estimate

DEMO = (ROOT / "tournaments" / "events" / "demo.toml").read_text(encoding="utf-8")


def test_clients_become_entrants_and_the_event_does_not_grow() -> None:
    before, after = parse_event(DEMO), parse_event(with_clients(DEMO, CLIENTS))
    entrants = {entrant.name: entrant for entrant in after.entrants}
    assert list(entrants)[: len(before.entrants)] == [entrant.name for entrant in before.entrants]
    for client in CLIENTS:
        entrant = entrants[client.name]
        assert ROOT / entrant.folder == client.folder, "they may read no other"
        assert client.folder / (entrant.command or ())[-1] == client.built
    assert len({entrant.env for entrant in after.entrants}) == len(entrants), "nonces of their own"
    assert estimate(after).matches == estimate(before).matches
    assert after.event.name not in {before.event.name, parse_event(with_clients(DEMO, CLIENTS[:1])).event.name}


def test_without_clients_the_event_is_as_it_was() -> None:
    assert with_clients(DEMO, []) == DEMO


def test_where_bots_cannot_be_isolated_the_demonstration_is_played_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere() -> None:
        raise NoIsolationError("there is nothing")

    monkeypatch.setattr(demo_event, "isolation_here", nullcontext)
    assert for_this_machine(DEMO) == DEMO
    monkeypatch.setattr(demo_event, "isolation_here", nowhere)
    assert parse_event(for_this_machine(DEMO)).event.isolation == "none"
    assert "not isolated, since they are ours: there is nothing" in capsys.readouterr().out


def test_a_client_that_is_not_built_stays_away(tmp_path: Path) -> None:
    built = tmp_path / "bot"
    client: Client = replace(CLIENTS[0], built=built, command=("no-such-program",))
    assert "make clients" in reason_to_stay_away(client)
    built.touch()
    assert "no-such-program" in reason_to_stay_away(client)
    assert not reason_to_stay_away(replace(client, command=("/bin/sh",)))
