"""Forms and other bodies that pages get. Their size is limited before any page reads them."""

from collections.abc import Mapping
from contextlib import aclosing
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ordago.scene import english, sentence

MOST_FIELDS: Final = 64
"""More than any form has, but for that of an event."""
EXPIRED: Final = sentence("The page was outdated or came from another site: reload it and try again.").words
_KIND: Final = "application/x-www-form-urlencoded"


async def form_of(request: Request, *, most_fields: int = MOST_FIELDS) -> Mapping[str, str]:
    """Parse a form; of fields with the same name, the last one counts.

    Raises:
        HTTPException: the content type is not that of a form, or there are too many fields.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != _KIND:
        raise HTTPException(HTTPStatus.BAD_REQUEST, english("The request is not a form of this site."))
    text = (await request.body()).decode(errors="replace")
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=most_fields))
    except ValueError:
        raise HTTPException(HTTPStatus.BAD_REQUEST, english("This form has too many fields.")) from None


async def read_body(request: Request, most: int) -> bytes:
    """Read a body that is shorter than others.

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
