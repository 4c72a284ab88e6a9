"""What is shown to people of the description of the calls."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class Parameter(NamedTuple):
    """What a call takes."""

    name: str
    kind: str
    in_path: bool
    told: str


class Property(NamedTuple):
    """A field of an answer."""

    name: str
    kind: str
    schema: str
    """The name of its schema, which is told of by itself. Empty: it is plain."""
    told: str


class Schema(NamedTuple):
    """What a part of an answer is made of."""

    name: str
    told: str
    properties: Sequence[Property]
    values: Sequence[str]
    """What it may be, if it is one of some words."""


class Operation(NamedTuple):
    """A call."""

    path: str
    anchor: str
    told: str
    parameters: Sequence[Parameter]
    answer: str
    """The name of the schema of its answer. Empty: a file."""


class Operations(NamedTuple):
    """All calls, and what their answers are made of."""

    calls: Sequence[Operation]
    schemas: Sequence[Schema]


def operations(description: dict[str, Any]) -> Operations:
    """Return what a description of OpenAPI says of its calls."""
    root = description["servers"][0]["url"]
    return Operations(
        calls=[_operation(root + path, item["get"]) for path, item in description["paths"].items()],
        schemas=[_schema(name, schema) for name, schema in description["components"]["schemas"].items()],
    )


def _operation(path: str, told: dict[str, Any]) -> Operation:
    content = told["responses"]["200"]["content"].get("application/json")
    return Operation(
        path=path,
        anchor=told["operationId"],
        told=told["description"],
        parameters=[
            Parameter(one["name"], one["schema"]["type"], one["in"] == "path", one["description"])
            for one in told["parameters"]
        ],
        answer=_name(content["schema"]) if content else "",
    )


def _schema(name: str, schema: dict[str, Any]) -> Schema:
    properties = [_property(field, told) for field, told in schema.get("properties", {}).items()]
    return Schema(name, schema["description"], properties, schema.get("enum", ()))


def _property(name: str, told: dict[str, Any]) -> Property:
    element = told.get("items", told)
    kind = element.get("type", "")
    if element.get("contentEncoding"):
        kind = element["contentEncoding"]
    return Property(
        name, f"list of {kind}".strip() if "items" in told else kind, _name(element), told.get("description", "")
    )


def _name(schema: dict[str, Any]) -> str:
    name: str = schema.get("$ref", "").rpartition("/")[2]
    return name
