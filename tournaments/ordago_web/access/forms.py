"""What browsers send with a form."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

_MOST_FIELDS: Final = 64
_KIND: Final = "application/x-www-form-urlencoded"
EXPIRED: Final = "The page was too old, or came from elsewhere: load it again, and try once more."


async def form_of(request: Request) -> Mapping[str, str]:
    """Return the fields of a form, the last one of each name.

    Raises:
        HTTPException: it is none.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != _KIND:
        raise HTTPException(400, "This is no form.")
    text = (await request.body()).decode(errors="replace")
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise HTTPException(400, "This form has too many fields.") from None
