"""Frames and messages, written as briefly as they are meant."""

from typing import Any

from ordago import v1
from ordago.protocol import BotBody, Received, ReceivedChoice, ServerBody

NONCE = bytes(range(16))


def from_bot(*bodies: BotBody) -> bytes:
    """Return a frame from a bot, made by protobuf and not by the machine under test."""
    return v1.PlayRequest(messages=[_wrapped(v1.BotMessage, body) for body in bodies]).SerializeToString()


def from_server(*bodies: ServerBody) -> bytes:
    """Return a frame from a server, made by protobuf and not by the machine under test."""
    return v1.PlayResponse(messages=[_wrapped(v1.ServerMessage, body) for body in bodies]).SerializeToString()


def body_of(message: Received | v1.ServerMessage) -> Any:
    """Return what a message says."""
    if isinstance(message, ReceivedChoice):
        answer = v1.Answer.FromString(message.answer)
        return v1.Choice(
            match_handle=message.match_handle, number=message.number, answer=answer, thought_ms=message.thought_ms
        )
    return getattr(message, message.WhichOneof("body") or "no body")


def _wrapped(outer: type[Any], body: object) -> Any:
    kind = next(field.name for field in outer.DESCRIPTOR.fields if field.message_type is type(body).DESCRIPTOR)  # type: ignore[attr-defined]
    message = outer()
    getattr(message, kind).CopyFrom(body)
    getattr(message, kind).SetInParent()
    return message


def hello(**fields: Any) -> v1.Hello:
    """Return the greeting of a bot that plays everything, some fields as given."""
    greeting = {"min_version": 1, "max_version": 1, "nonce": NONCE, "bot": v1.Software(name="fake")}
    return v1.Hello(**{**greeting, **fields})


def choice(handle: int, number: int, legal_action: int = 1) -> v1.Choice:
    """Return the choice of a legal action."""
    return v1.Choice(match_handle=handle, number=number, answer=v1.Answer(legal_action=legal_action))
