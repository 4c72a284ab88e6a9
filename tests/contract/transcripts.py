"""Golden transcripts: what was said in whole sessions with a server of a version, as files, played at one of today."""

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import trio
from contract.dialogues import Dialogue, play_dialogue
from contract.later import contract_of, differences_of_all
from contract.stage import Act, Setting, Stage
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError

from ordago import v1

GOLDEN = Path(__file__).parent / "golden"
CONTRACT = GOLDEN / "contract.binpb"
"""The descriptors of the version that the transcripts are of."""
_FRAMES = {"says": v1.PlayRequest, "hears": v1.PlayResponse}
Through = Callable[[bytes], bytes]
"""What a later server makes of a frame."""


class Transcript(NamedTuple):
    """What was said in some sessions."""

    shows: str
    script: str
    """The dialogue that it was recorded from."""
    setting: Setting
    speakers: tuple[str, ...]
    acts: tuple[Act, ...]


async def record(shows: str, dialogue: Dialogue, folder: Path) -> Transcript:
    """Play a dialogue and return all that was said in it."""
    acts = await play_dialogue(dialogue, folder)
    return Transcript(shows, dialogue.text, dialogue.setting, tuple(sorted(set(dialogue.speakers))), acts)


def written(transcript: Transcript) -> str:
    """Return the text of a file: frames as bytes, and beside them as protobuf's JSON for people; an act in a line."""
    setting = {**transcript.setting._asdict(), "values": dict(transcript.setting.values)}
    head = {
        "shows": transcript.shows,
        "script": transcript.script.splitlines(),
        "setting": setting,
        "speakers": transcript.speakers,
    }
    acts = ",\n".join(json.dumps(_told(act), ensure_ascii=False, separators=(",", ":")) for act in transcript.acts)
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "acts": [\n{acts}\n]}}\n'


def _told(act: Act) -> dict[str, Any]:
    do, who, what = act
    if isinstance(what, bytes) and what == bytes(len(what)):
        return {"do": do, "who": who, "zeros": len(what)}
    if isinstance(what, bytes):
        return {"do": do, "who": who, "bytes": base64.b64encode(what).decode(), "messages": _messages(do, what)}
    return {"do": do, "who": who, "what": what}


def _messages(do: str, frame: bytes) -> list[Any]:
    try:
        told = MessageToDict(_FRAMES[do].FromString(frame), preserving_proto_field_name=True)
    except DecodeError:
        return []
    return list(told.get("messages", []))


def read(file: Path) -> Transcript:
    """Return the transcript of a file."""
    told = json.loads(file.read_text(encoding="utf-8"))
    setting = Setting(**{**told["setting"], "names": tuple(told["setting"]["names"])})
    acts = tuple((act["do"], act["who"], _what(act)) for act in told["acts"])
    return Transcript(told["shows"], "\n".join(told["script"]) + "\n", setting, tuple(told["speakers"]), acts)


def _what(act: dict[str, Any]) -> bytes | str | int:
    if "zeros" in act:
        return bytes(act["zeros"])
    return base64.b64decode(act["bytes"]) if "bytes" in act else act["what"]


async def problems(transcript: Transcript, folder: Path, *, through: Through = bytes) -> list[str]:
    """Let a server of today take part in the sessions of a transcript; return how it breaks what clients rely on.

    Args:
        transcript: what was said.
        folder: where the server keeps its accounts, if it asks for tokens.
        through: what another server would make of each frame of this one.
    """
    async with trio.open_nursery() as nursery:
        stage = Stage(transcript.setting, nursery, speakers=transcript.speakers, folder=folder)
        found = await _Again(stage, transcript, through).play()
        nursery.cancel_scope.cancel()
    return found


class _Again:
    """Sessions that are played again."""

    def __init__(self, stage: Stage, transcript: Transcript, through: Through) -> None:
        self._stage = stage
        self._transcript = transcript
        self._contract = contract_of(CONTRACT)
        self._through = through
        self._names: dict[str, str] = {}
        """What the names of sessions and their tokens are called now."""

    async def play(self) -> list[str]:
        """Do one thing after the other, and compare what is heard until the next."""
        acts = self._transcript.acts
        for begin, end in _steps(acts):
            done = len(self._stage.acts)
            await self._do(*acts[begin])
            wrong = list(self._compared(acts[begin + 1 : end], self._stage.acts[done:]))
            if wrong:
                return [f"{self._transcript.shows} After act {begin + 1}, {acts[begin][0]}: {one}" for one in wrong]
        return []

    async def _do(self, do: str, who: str, what: Any) -> None:
        if do == "comes":
            self._stage.connect(who, self._stage.token if what == "$token" else what)
        elif do == "says":
            await self._stage.says(who, self._by_todays_names(what))
        else:
            await getattr(self._stage, do)(*(argument for argument in (who, what) if argument != ""))

    def _by_todays_names(self, frame: bytes) -> bytes:
        """Return a frame with the names of sessions that this server gave in place of those of the transcript."""
        try:
            request = v1.PlayRequest.FromString(frame)
        except DecodeError:
            return frame
        for message in request.messages:
            resume = message.hello.resume
            if resume.session_id in self._names:
                resume.session_id, resume.resume_token = (
                    self._names[resume.session_id],
                    self._names[resume.resume_token],
                )
                return request.SerializeToString()
        return frame

    def _compared(self, earlier: Sequence[Act], later: Sequence[Act]) -> Iterator[str]:
        for who in sorted({who for do, who, _ in (*earlier, *later) if do in ("hears", "ended")}):
            one, other = ([(do, what) for do, whose, what in acts if whose == who] for acts in (earlier, later))
            said, says = (self._contract.messages(_frames(acts)) for acts in (one, [*self._passed(other)]))
            self._note_names(said, says)
            for sentence in differences_of_all(said, says):
                yield f"{who} is told otherwise, {sentence}"
            if (ends := _endings(one)) != (now := _endings(other)):
                yield f"the stream of {who} ended with {ends or 'nothing'}, and now with {now or 'nothing'}"

    def _passed(self, acts: Sequence[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
        for do, what in acts:
            yield do, self._through(what) if do == "hears" else what

    def _note_names(self, earlier: Sequence[Any], later: Sequence[Any]) -> None:
        for one, other in zip(earlier, later, strict=False):
            for name in ("session_id", "resume_token"):
                self._names[getattr(one.welcome, name)] = getattr(other.welcome, name)
        self._names.pop("", None)


def _steps(acts: Sequence[Act]) -> Iterator[tuple[int, int]]:
    """Yield where each thing that is done stands, and where the next one does."""
    done = [number for number, act in enumerate(acts) if act[0] not in ("hears", "ended")]
    yield from zip(done, [*done[1:], len(acts)], strict=True)


def _frames(acts: Sequence[tuple[str, Any]]) -> list[bytes]:
    return [what for do, what in acts if do == "hears"]


def _endings(acts: Sequence[tuple[str, Any]]) -> str:
    return ", ".join(what for do, what in acts if do == "ended")
