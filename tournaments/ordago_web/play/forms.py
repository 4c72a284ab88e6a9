"""Forms and other bodies that the pages of play get."""

from collections.abc import Mapping
from contextlib import aclosing
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ordago.scene import english, sentence

_MOST_FORM_BYTES: Final = 8192
"""More than the form of a new match takes: a few names and numbers."""
_MOST_FIELDS: Final = 64
"""More than any form of the site has."""
EXPIRED: Final = sentence("The page was outdated: choose again.").words


async def read_body(request: Request, most: int) -> bytes:
    """Read the body of a request.

    Raises:
        HTTPException: it is too long.
    """
    body = b""
    async with aclosing(request.stream()) as parts:
        async for part in parts:
            body += part
            if len(body) > most:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, english("The request is too long."))
    return body


async def read_form(request: Request) -> Mapping[str, str]:
    """Read the fields of a form.

    Raises:
        HTTPException: it is too long, or no form.
    """
    text = (await read_body(request, _MOST_FORM_BYTES)).decode(errors="replace")
    try:
        return dict(parse_qsl(text, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise HTTPException(HTTPStatus.BAD_REQUEST, english("The request is not a form of this site.")) from None
