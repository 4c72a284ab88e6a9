"""Write the bytes of the frames into the transcripts of ``clients/transcripts``, or check that they are up to date.

A transcript is written by hand, with its frames in protobuf's JSON form. Not every language can read that, so the bytes
are added. A message given as ``{"raw": "hexadecimal"}`` is one that current stubs do not know.
"""

import argparse
import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf.json_format import ParseDict

from ordago import v1
from ordago.wire.fields import delimited, tag

FOLDER: Final = Path(__file__).parents[1] / "clients/transcripts"
_MESSAGES: Final = tag(v1.PlayRequest, "messages")
"""The tag of a message, the same in both kinds of frames."""


def with_bytes(transcript: dict[str, Any]) -> dict[str, Any]:
    """Return a transcript with the bytes of its frames."""
    return {**transcript, "steps": [_step(step) for step in transcript["steps"]]}


def _step(step: dict[str, Any]) -> dict[str, Any]:
    kinds = {"frame": v1.ServerMessage, "sends": v1.BotMessage}
    frames = {key: _frame(step[key], kind) for key, kind in kinds.items() if step.get(key)}
    return {**step, **frames}


def _frame(frame: dict[str, Any], kind: type[v1.ServerMessage | v1.BotMessage]) -> dict[str, Any]:
    content = b"".join(_serialized(message, kind) for message in frame["messages"])
    return {"messages": frame["messages"], "bytes": base64.b64encode(content).decode()}


def _serialized(message: dict[str, Any], kind: type[v1.ServerMessage | v1.BotMessage]) -> bytes:
    content = bytes.fromhex(message["raw"]) if "raw" in message else ParseDict(message, kind()).SerializeToString()
    return delimited(_MESSAGES, content)


def files() -> Iterator[tuple[Path, str]]:
    """Yield each transcript with the text that it should have."""
    for path in sorted(FOLDER.glob("*.json")):
        transcript = with_bytes(json.loads(path.read_text(encoding="utf-8")))
        yield path, text_of(transcript)


def text_of(transcript: dict[str, Any]) -> str:
    """Return the text of a transcript, with a line for each message and each line of the log."""
    head = [f"  {_json(key)}: {_json(value)},\n" for key, value in transcript.items() if key != "steps"]
    steps = ",\n".join(map(_step_text, transcript["steps"]))
    return "".join(["{\n", *head, f'  "steps": [\n{steps}\n  ]\n}}\n'])


def _step_text(step: dict[str, Any]) -> str:
    parts = [f"{_json(key)}: {_frame_text(value)}" for key, value in step.items() if _is_frame(value)]
    parts += [f'"log": {_lines_text(step["log"])}'] if "log" in step else []
    rest = {key: value for key, value in step.items() if key != "log" and not _is_frame(value)}
    return "    {" + ",\n     ".join([_json(rest)[1:-1], *parts]) + "}"


def _lines_text(log: list[Any]) -> str:
    return "[" + ",".join(f"\n       {_json(line)}" for line in log) + "]"


def _is_frame(value: object) -> bool:
    return isinstance(value, dict) and "messages" in value


def _frame_text(frame: dict[str, Any]) -> str:
    messages = ",\n       ".join(map(_json, frame["messages"]))
    return f'{{"messages": [\n       {messages}],\n      "bytes": {_json(frame["bytes"])}}}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    for path, text in files():
        if not check:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name}: its bytes are not those of its messages; make proto writes them anew")


if __name__ == "__main__":
    main()
