"""Write docs/reference, all messages of the contract, from the comments of its files, or check that it is up to date.

``make reference``, ``make proto`` and ``make drift`` run it in the environment of the project, which has buf.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
)

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "reference"
PACKAGE = "ordago.v1"
INDEX = "README.md"
_WRITTEN_BY = "<!-- Written by tools/reference.py from the comments of the .proto files: make reference -->"
_INTRODUCTION = """\
# All messages of the contract

What [proto/ordago/v1](../../proto/ordago/v1) says, file by file, with its comments. What follows what, and what happens
when something goes wrong, is told in [protocol.md](../protocol.md); what may change,
in [stability.md](../stability.md). In JSON a field is called as here, in camel case and without underscores:
`match_handle` is `matchHandle`. A field that holds zero, nothing or an empty list is not sent, unless it is optional;
the comments say what that means.
"""
# Field numbers in descriptor.proto, from which the paths of comments are made.
_MESSAGES, _ENUMS, _SERVICES = 4, 5, 6
_FIELDS, _ONEOFS, _VALUES, _METHODS = 2, 8, 2, 2
_WELL_KNOWN = {"google.protobuf.Any": "https://protobuf.dev/reference/protobuf/google.protobuf/#any"}
Place: TypeAlias = tuple[int, ...]


class File(NamedTuple):
    """A file of the contract."""

    proto: FileDescriptorProto
    comments: Mapping[Place, str]
    """The comments, by the path of their element in the descriptor."""
    pages: Mapping[str, str]
    """The link to each message and enum of the contract, by full name."""

    @property
    def name(self) -> str:
        """Its name, for instance ``bot_service``."""
        return Path(self.proto.name).stem

    def comment(self, *path: int) -> str:
        """Return the comment on an element, in one line, with links."""
        return _linked(" ".join(self.comments[path].split()), self)


def built() -> list[File]:
    """Return the files of the contract, as buf reads them."""
    command = (Path(sys.executable).parent / "buf", "build", "proto", "--path", "proto/ordago/v1", "-o", "-")
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)  # noqa: S603 - our own
    files = [file for file in FileDescriptorSet.FromString(ended.stdout).file if file.package == PACKAGE]
    pages = {
        f".{PACKAGE}.{kind}": f"{Path(file.name).stem}.md#{kind.lower()}" for file in files for kind in _kinds(file)
    }
    return [File(file, _comments(file), pages) for file in files]


def _comments(file: FileDescriptorProto) -> Mapping[Place, str]:
    return {tuple(place.path): place.leading_comments for place in file.source_code_info.location}


def written() -> dict[str, str]:
    """Return the pages, by name."""
    files = built()
    return {INDEX: _index(files), **{f"{file.name}.md": _page(file) for file in files}}


def _kinds(file: FileDescriptorProto) -> Iterator[str]:
    for kinds in (file.service, file.message_type, file.enum_type):
        yield from (kind.name for kind in kinds)


def _index(files: list[File]) -> str:
    lines = [_WRITTEN_BY, "", _INTRODUCTION, "| file | what is in it |", "|---|---|"]
    for file in sorted(files, key=lambda file: (not file.proto.service, file.name)):
        kinds = ", ".join(f"[{kind}]({file.name}.md#{kind.lower()})" for kind in _kinds(file.proto))
        lines.append(f"| [{file.name}.proto]({file.name}.md) | {kinds} |")
    return "\n".join(lines) + "\n"


def _page(file: File) -> str:
    parts = [_WRITTEN_BY, f"# {file.name}.proto", f"[All files](README.md) · [source](../../proto/{file.proto.name})"]
    parts += [_service(file, number) for number in range(len(file.proto.service))]
    parts += [_message(file, number, message) for number, message in enumerate(file.proto.message_type)]
    parts += [_enum(file, number, enum) for number, enum in enumerate(file.proto.enum_type)]
    return "\n\n".join(parts) + "\n"


def _service(file: File, number: int) -> str:
    service = file.proto.service[number]
    parts = [f"## {service.name}", f"A service. {file.comment(_SERVICES, number)}"]
    for place, method in enumerate(service.method):
        signature = f"**{method.name}**: {_signature(method, file)}"
        parts += [signature, file.comment(_SERVICES, number, _METHODS, place)]
    return "\n\n".join(parts)


def _signature(method: MethodDescriptorProto, file: File) -> str:
    request, response = (_link(kind, file) for kind in (method.input_type, method.output_type))
    takes = f"a stream of {request}" if method.client_streaming else request
    return f"takes {takes}, returns {f'a stream of {response}' if method.server_streaming else response}."


def _message(file: File, number: int, message: DescriptorProto) -> str:
    parts = [f"## {message.name}", file.comment(_MESSAGES, number)]
    oneofs = [oneof for oneof in range(len(message.oneof_decl)) if not _is_optional(message, oneof)]
    for oneof in oneofs:
        name, comment = message.oneof_decl[oneof].name, file.comment(_MESSAGES, number, _ONEOFS, oneof)
        parts.append(f"At most one of the fields of `{name}` is set. {comment}")
    rows = [
        f"| {field.number} | `{field.name}` | {_type(field, message, file)} "
        f"| {file.comment(_MESSAGES, number, _FIELDS, place)} |"
        for place, field in enumerate(message.field)
    ]
    return "\n\n".join([*parts, _table("| number | field | type | meaning |", rows) if rows else "It has no fields."])


def _is_optional(message: DescriptorProto, oneof: int) -> bool:
    """Return True for a synthetic oneof, which protobuf creates for an optional field."""
    return any(field.proto3_optional and field.oneof_index == oneof for field in message.field)


def _type(field: FieldDescriptorProto, message: DescriptorProto, file: File) -> str:
    plain = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    kind = _link(field.type_name, file) if field.type_name else plain
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"list of {kind}"
    if field.proto3_optional:
        return f"optional {kind}"
    if field.HasField("oneof_index"):
        return f"{kind}, of `{message.oneof_decl[field.oneof_index].name}`"
    return kind


def _enum(file: File, number: int, enum: EnumDescriptorProto) -> str:
    rows = [
        f"| {value.number} | `{value.name}` | {file.comment(_ENUMS, number, _VALUES, place)} |"
        for place, value in enumerate(enum.value)
    ]
    return "\n\n".join([f"## {enum.name}", file.comment(_ENUMS, number), _table("| number | value | meaning |", rows)])


def _table(head: str, rows: list[str]) -> str:
    return "\n".join([head, re.sub(r"[^|]+", "---", head), *rows])


def _link(full_name: str, file: File) -> str:
    name = full_name.removeprefix(f".{PACKAGE}.").lstrip(".")
    page = file.pages.get(full_name) or _WELL_KNOWN[name]
    return f"[{name}]({page.removeprefix(f'{file.name}.md')})"


def _linked(comment: str, file: File) -> str:
    """Return a comment as Markdown, with links to pages and to messages with names in camel case."""
    text = comment.replace("|", "\\|").replace("<", "&lt;")
    text = re.sub(r"\bdocs/([\w/-]+\.md)\b", r"[\1](../\1)", text)

    def link(found: re.Match[str]) -> str:
        full_name = f".{PACKAGE}.{found[0]}"
        return _link(full_name, file) if full_name in file.pages else found[0]

    return re.sub(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b", link, text)


def differences() -> list[str]:
    """Return the names of the pages that are missing, outdated or superfluous."""
    pages = written()
    names = {page.name for page in PAGES.glob("*.md")} | set(pages)
    return sorted(name for name in names if pages.get(name) != _there(PAGES / name))


def _there(page: Path) -> str | None:
    return page.read_text(encoding="utf-8") if page.exists() else None


def replace() -> None:
    """Rewrite all pages."""
    pages = written()
    PAGES.mkdir(exist_ok=True)
    for page in PAGES.glob("*.md"):
        page.unlink()
    for name, text in pages.items():
        (PAGES / name).write_text(text, encoding="utf-8")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    if not parser.parse_args().check:
        replace()
    elif wrong := differences():
        sys.exit(f"docs/reference is not what the contract says; make reference writes it anew: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
