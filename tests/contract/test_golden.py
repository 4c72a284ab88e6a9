"""What a server of this version has said, a server of today says to the same bots: golden transcripts, by a rule."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from contract.__main__ import missing
from contract.later import contract_of, differences
from contract.transcripts import CONTRACT, GOLDEN, Through, problems, read, written
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago import v1
from ordago.games import game_names

ROOT = Path(__file__).parents[2]
FILES = sorted(GOLDEN.glob("*.json"))
MATCH = GOLDEN / "mus-1.json"

in_virtual_time = pytest.mark.virtual_time


@in_virtual_time
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_a_server_of_today_satisfies_it(file: Path, tmp_path: Path) -> None:
    assert await problems(read(file), tmp_path) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_people_read_in_it_is_what_its_bytes_say(file: Path) -> None:
    assert written(read(file)) == file.read_text(encoding="utf-8")


def test_every_game_is_played_to_its_end() -> None:
    played = {read(file).setting.game for file in FILES if b"match_end" in file.read_bytes()}
    assert played == set(game_names()), "record one: cd tests && python -m contract"


def test_every_dialogue_was_recorded() -> None:
    assert [dialogue.section for dialogue in missing()] == [], "record them: cd tests && python -m contract"


def test_the_contract_of_today_keeps_what_that_version_had() -> None:
    """Numbers, names, names in JSON, types: no field, no value and no method goes or changes."""
    buf = Path(sys.executable).parent / "buf"
    command = [buf, "breaking", "proto", "--against", CONTRACT]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - it is ours
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr


# A server that is newer


def changing(change: Callable[[v1.ServerMessage], bool | None]) -> Through:
    """Return a server that says the same but for a change in each message; one that is false is left out."""

    def through(frame: bytes) -> bytes:
        response = v1.PlayResponse.FromString(frame)
        kept = [message for message in response.messages if change(message) is not False]
        return v1.PlayResponse(messages=kept).SerializeToString()

    return through


def with_field(frame: bytes) -> bytes:
    """Put a field that nobody knows into all that is said: number 1000, a text."""
    response = v1.PlayResponse.FromString(frame)
    for message in response.messages:
        body = getattr(message, str(message.WhichOneof("body")))
        body.MergeFromString(bytes.fromhex("c23e036e6577"))
        for event in getattr(body, "events", ()):
            getattr(event, str(event.WhichOneof("game"))).MergeFromString(bytes.fromhex("c23e036e6577"))
    return response.SerializeToString()


def with_message(frame: bytes) -> bytes:
    """Say something before and behind it that nobody knows: a body with the number 100."""
    new = bytes.fromhex("0a06a20603") + b"new"
    return new + frame + new


def more_allowed(message: v1.ServerMessage) -> None:
    if message.HasField("welcome"):
        message.welcome.limits.max_frame_bytes = 1 << 20
        message.welcome.limits.messages_per_second = 0
        message.welcome.server.version = "9.0.0"


def other_words(message: v1.ServerMessage) -> None:
    for body in (message.accepted, message.refused, message.goodbye, message.draining, message.forfeited):
        if body.sentence:
            body.sentence = "in other words"


@in_virtual_time
@pytest.mark.parametrize("file", [MATCH, *FILES[:8]], ids=lambda file: file.stem)
@pytest.mark.parametrize(
    "through",
    [with_field, with_message, changing(more_allowed), changing(other_words)],
    ids=["field", "message", "limits", "words"],
)
async def test_a_newer_server_may_add_fields_and_messages_allow_more_and_find_other_words(
    through: Through, file: Path, tmp_path: Path
) -> None:
    assert await problems(read(file), tmp_path, through=through) == []


def fewer_allowed(message: v1.ServerMessage) -> None:
    if message.HasField("welcome"):
        message.welcome.limits.max_frame_bytes //= 2


def no_events(message: v1.ServerMessage) -> None:
    if message.HasField("decision"):
        message.decision.ClearField("events")


def other_order(message: v1.ServerMessage) -> None:
    if message.HasField("decision"):
        actions = list(message.decision.actions)
        message.decision.ClearField("actions")
        message.decision.actions.extend(reversed(actions))


def dearer(message: v1.ServerMessage) -> None:
    if message.HasField("accepted"):
        message.accepted.charged_ms += 1


def no_sentence(message: v1.ServerMessage) -> None:
    if message.HasField("goodbye"):
        message.goodbye.ClearField("sentence")


def one_more(frame: bytes) -> bytes:
    """Say each thing twice."""
    return frame + frame


def without_acceptance(message: v1.ServerMessage) -> bool:
    return not message.HasField("accepted")


@in_virtual_time
@pytest.mark.parametrize(
    ("through", "told"),
    [
        (changing(fewer_allowed), "welcome.limits.max_frame_bytes was 65536 and is 32768"),
        (changing(no_events), "decision.events had 5 entries and has 0"),
        (changing(other_order), "decision.actions[0].id was 1 and is 2"),
        (changing(dearer), "accepted.charged_ms was 20 and is 21"),
        (changing(without_acceptance), "message 1 was accepted and is decision"),
        (changing(no_sentence), "goodbye.sentence was"),
        (one_more, "message 2 was match_start and is welcome"),
    ],
    ids=["limit", "events", "order", "meaning", "message", "sentence", "twice"],
)
async def test_a_newer_server_that_drops_or_changes_something_is_found(
    through: Through, told: str, tmp_path: Path
) -> None:
    [first, *_] = await problems(read(MATCH), tmp_path, through=through)
    assert told in first


# The rule itself


def said() -> list[Any]:
    """Return all that bots are told in all transcripts, as clients of that version see it."""
    contract = contract_of(CONTRACT)
    frames = [what for file in FILES for do, _, what in read(file).acts if do == "hears" and isinstance(what, bytes)]
    return contract.messages(frames)


def set_fields(message: Message) -> Iterator[tuple[Message, FieldDescriptor]]:
    """Yield all fields that are set in a message and in those that it holds."""
    for field, value in message.ListFields():
        yield message, field
        if field.message_type is not None:
            for one in value if field.is_repeated else [value]:
                yield from set_fields(one)


def test_no_field_can_be_dropped_that_was_ever_set() -> None:
    """Each kind of field that occurs in the transcripts is dropped, where it comes first. Only a limit may go."""
    seen: set[str] = set()
    unnoticed: set[str] = set()
    for message in said():
        for field in [field for _, field in set_fields(message) if field.full_name not in seen]:
            seen.add(field.full_name)
            later = type(message).FromString(message.SerializeToString())
            _drop(later, field)
            if not list(differences(message, later, "message")):
                unnoticed.add(field.full_name)
    assert len(seen) > 150
    limits = ("max_frame_bytes", "messages_per_second", "resume_window_ms", "max_frame_messages")
    assert unnoticed == {f"ordago.v1.Limits.{limit}" for limit in limits}, "zero is: no limit"


def _drop(message: Message, dropped: FieldDescriptor) -> None:
    for holder, field in list(set_fields(message)):
        if field.full_name == dropped.full_name:
            holder.ClearField(field.name)


def test_the_files_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in GOLDEN.iterdir()}
    assert max(sizes.values()) < 400_000, json.dumps(sizes)
    assert sum(sizes.values()) < 1_000_000, json.dumps(sizes)
