"""Write openapi.json, the description of the calls under /api/v1/, from the contract and its comments, or check it.

``make reference``, ``make proto`` and ``make drift`` run it in the environment of the project, which has buf.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import reference
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, FileDescriptor

from ordago.v1 import ladder_service_pb2, match_service_pb2
from ordago_web.answers import JSON, OCTETS, PROBLEM_JSON
from ordago_web.api import API_ROOT, CALLS, ApiCall
from ordago_web.parameters import MOST_CHARACTERS, PAGE_PARAMETER, PAGE_PATTERN, TEXT_PATTERN

PLACE: Final = reference.ROOT / "tournaments" / "ordago_web" / "openapi.json"
Json: TypeAlias = dict[str, Any]

_ABOUT: Final = """\
Everything that a standing ladder tells, as JSON: the calls of LadderService and MatchService, made by GET.

Names of fields are those of the contract in camel case. All fields stand in an answer, the empty ones too, but for
those that are called absent. Numbers are numbers; bytes are Base64; values of enums are their names; times are whole
seconds since 1970, UTC. A list comes by pages: an answer with a nextPageToken goes on where the same call is made with
it as pageToken. Answers have an ETag, so whoever asks again with If-None-Match is told that nothing has changed (304).
Where there is no answer, there is a problem as RFC 9457 has it, with a sentence."""
_ANY: Final = "google.protobuf.Any"
_BASE64: Final = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
_PLAIN: Final[Mapping[int, Json]] = {
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64", "pattern": _BASE64},
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_DOUBLE: {"type": "number"},
    FieldDescriptor.TYPE_UINT32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptor.TYPE_INT32: {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1},
    FieldDescriptor.TYPE_SINT32: {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1},
}
_PROBLEM: Final[Json] = {
    "description": "Why there is no answer.",
    "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_PROBLEM_SCHEMA: Final[Json] = {
    "type": "object",
    "description": "Why there is no answer, as RFC 9457 has it.",
    "properties": {
        "type": {"type": "string", "description": "Always about:blank."},
        "title": {"type": "string", "description": "The status in words."},
        "status": {"type": "integer", "description": "The status."},
        "detail": {"type": "string", "description": "What is wrong, and what would be right, in a sentence."},
    },
    "required": ["type", "title", "status", "detail"],
}


class Contract:
    """The contract with its comments."""

    def __init__(self) -> None:
        """Read the comments."""
        self._comments: dict[str, str] = {}
        for file in reference.built():
            self._comments.update(_comments(file))

    def comment(self, full_name: str) -> str:
        """Return the comment on an element of the contract, in one line."""
        return " ".join(self._comments.get(full_name, "").split())

    def description(self) -> Json:
        """Return the OpenAPI description of all calls."""
        return {
            "openapi": "3.1.1",
            "info": {"title": "A ladder of Ordago", "version": "1", "description": _ABOUT},
            "servers": [{"url": API_ROOT}],
            "paths": {call.path: {"get": self._operation(call)} for call in CALLS},
            "components": {
                "schemas": self._schemas(),
                "responses": {"Problem": _PROBLEM},
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }

    def _operation(self, call: ApiCall) -> Json:
        comment = self.comment(f"{_service_of(call)}.{call.method}")
        fields = call.request.DESCRIPTOR.fields
        return {
            **({"security": [{"token": []}]} if call.with_token else {}),
            "operationId": call.method[0].lower() + call.method[1:],
            "tags": [_service_of(call).rpartition(".")[2]],
            "summary": f"{comment.partition('. ')[0].rstrip('.')}.",
            "description": comment,
            "parameters": [self._parameter(field, in_path=field.json_name in call.path_fields) for field in fields],
            "responses": {
                "200": {"description": self.comment(call.answer.DESCRIPTOR.full_name), "content": _content(call)},
                "304": {"description": "It is as it was when whoever asks was given its ETag."},
                "default": {"$ref": "#/components/responses/Problem"},
            },
        }

    def _parameter(self, field: FieldDescriptor, *, in_path: bool) -> Json:
        schema = dict(_PLAIN[field.type])
        if schema["type"] == "string":
            schema["maxLength"] = MOST_CHARACTERS
            schema["pattern"] = PAGE_PATTERN if field.json_name == PAGE_PARAMETER else TEXT_PATTERN
        return {
            "name": field.json_name,
            "in": "path" if in_path else "query",
            "required": in_path,
            "description": self.comment(field.full_name),
            "schema": schema,
        }

    def _schemas(self) -> Json:
        found: dict[str, Descriptor | EnumDescriptor] = {}
        for call in CALLS:
            if not call.raw:
                found.update(_kinds_in(call.answer.DESCRIPTOR))
        return {name: self._schema(found[name]) for name in sorted(found)} | {"Problem": _PROBLEM_SCHEMA}

    def _schema(self, kind: Descriptor | EnumDescriptor) -> Json:
        if kind.full_name == _ANY:
            text = "A message of a game that is not of this contract, with its kind as @type."
            return {"type": "object", "description": text, "properties": {"@type": {"type": "string"}}}
        described = {"description": self.comment(kind.full_name)}
        if isinstance(kind, EnumDescriptor):
            return {"type": "string", **described, "enum": [value.name for value in kind.values]}
        return {
            "type": "object",
            **described,
            "properties": {field.json_name: self._property(field) for field in kind.fields},
            "required": [field.json_name for field in kind.fields if not field.has_presence],
        }

    def _property(self, field: FieldDescriptor) -> Json:
        kind = field.message_type or field.enum_type
        schema = {"$ref": f"#/components/schemas/{kind.name}"} if kind else _PLAIN[field.type]
        described = {"description": self.comment(field.full_name)}
        return {**described, "type": "array", "items": schema} if field.is_repeated else {**described, **schema}


def _content(call: ApiCall) -> Json:
    if call.raw:
        return {OCTETS: {}}
    return {JSON: {"schema": {"$ref": f"#/components/schemas/{call.answer.DESCRIPTOR.name}"}}}


def _service_of(call: ApiCall) -> str:
    """Return the full name of the service that has a call."""
    files: tuple[FileDescriptor, ...] = (ladder_service_pb2.DESCRIPTOR, match_service_pb2.DESCRIPTOR)
    services = (service for file in files for service in file.services_by_name.values())
    return next(service.full_name for service in services if call.method in service.methods_by_name)


def _kinds_in(kind: Descriptor) -> dict[str, Descriptor | EnumDescriptor]:
    """Return a message and all messages and enums that it contains, by name."""
    found: dict[str, Descriptor | EnumDescriptor] = {kind.name: kind}
    for field in () if kind.full_name == _ANY else kind.fields:
        if field.enum_type:
            found[field.enum_type.name] = field.enum_type
        elif field.message_type and field.message_type.name not in found:
            found.update(_kinds_in(field.message_type))
    return found


def _comments(file: reference.File) -> Iterator[tuple[str, str]]:
    """Yield the comments of a file, each with the full name of its element."""
    # Field numbers in descriptor.proto: messages 4, their fields 2; enums 5; services 6, their methods 2.
    kinds = [(4, one, one.field) for one in file.proto.message_type]
    kinds += [(5, one, ()) for one in file.proto.enum_type]
    kinds += [(6, one, one.method) for one in file.proto.service]
    counts: dict[int, int] = {}
    for place, kind, parts in kinds:
        number = counts[place] = counts.get(place, -1) + 1
        name = f"{reference.PACKAGE}.{kind.name}"
        yield name, file.comments[place, number]
        for at, part in enumerate(parts):
            yield f"{name}.{part.name}", file.comments[place, number, 2, at]


def written() -> str:
    """Return the text of the file."""
    return json.dumps(Contract().description(), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    if not parser.parse_args().check:
        PLACE.write_text(written(), encoding="utf-8")
    elif not PLACE.exists() or PLACE.read_text(encoding="utf-8") != written():
        sys.exit("openapi.json is not what the contract says; make reference writes it anew")


if __name__ == "__main__":
    main()
