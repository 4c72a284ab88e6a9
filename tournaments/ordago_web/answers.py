"""What is sent in answer to a call: JSON, a file, or a problem as RFC 9457 has it."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from google.protobuf import json_format
from google.protobuf.message import Message

JSON: Final = "application/json"
PROBLEM_JSON: Final = "application/problem+json"
OCTETS: Final = "application/octet-stream"

_STATUSES: Final[Mapping[str, HTTPStatus]] = {
    "INVALID_ARGUMENT": HTTPStatus.BAD_REQUEST,
    "UNAUTHENTICATED": HTTPStatus.UNAUTHORIZED,
    "PERMISSION_DENIED": HTTPStatus.FORBIDDEN,
    "NOT_FOUND": HTTPStatus.NOT_FOUND,
    # A server that does not have the service has no ladder.
    "UNIMPLEMENTED": HTTPStatus.NOT_FOUND,
    "FAILED_PRECONDITION": HTTPStatus.CONFLICT,
    "RESOURCE_EXHAUSTED": HTTPStatus.TOO_MANY_REQUESTS,
    "UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
    "DEADLINE_EXCEEDED": HTTPStatus.GATEWAY_TIMEOUT,
}


class Problem(NamedTuple):
    """Why there is no answer."""

    status: HTTPStatus
    sentence: str

    def json(self) -> bytes:
        """Return it as the body of a response."""
        told = {"type": "about:blank", "title": self.status.phrase, "status": self.status, "detail": self.sentence}
        return json_bytes(told)


def http_status(status: str) -> HTTPStatus:
    """Return the status of HTTP for one of gRPC, by its name: what is no fault of the request is one of the server."""
    return _STATUSES.get(status, HTTPStatus.BAD_GATEWAY)


def answer_json(answer: Message) -> bytes:
    """Return a message as JSON: fields by their names there, and those that are empty too, but for absent ones.

    Numbers are numbers, bytes Base64, values of enums their names.
    """
    return json_bytes(json_format.MessageToDict(answer, always_print_fields_with_no_presence=True))


def json_bytes(value: Mapping[str, object]) -> bytes:
    """Return a value as JSON in UTF-8, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
