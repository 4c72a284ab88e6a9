"""A Sphinx directive that lists the keys of a section of a file, from its pydantic model."""

import inspect
import json
import re
from datetime import datetime
from importlib import import_module
from typing import Any, Final, Literal, get_args, get_origin

from docutils import nodes
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

_HEAD: Final = "| key | takes | default | what it says |\n|---|---|---|---|\n"
_KINDS: Final = {int: "a whole number", float: "a number", bool: "`true` or `false`", str: "a text"}
_BOUNDS: Final = {"ge": "from {}", "gt": "over {}", "le": "to {}", "lt": "under {}"}


def table_of(model: type[BaseModel]) -> str:
    """Return the keys of a section as a table in Markdown."""
    return _HEAD + "".join(_row(model, name, field) for name, field in model.model_fields.items())


def _row(model: type[BaseModel], name: str, field: FieldInfo) -> str:
    text = " ".join((_docstring(model, name) or field.description or "").split())
    # TOML has no None: such a key is left out.
    text = re.sub(r"`*None`*( in the file)?(?=[:,])", "Left out", text.replace("``", "`"))
    cells = (f"`{field.alias or name}`", _takes(field), _default(field), text.replace("|", "\\|"))
    return f"| {' | '.join(cells)} |\n"


def _docstring(model: type[BaseModel], name: str) -> str:
    """Return the docstring below a field of a model or of one of its bases; empty if there is none."""
    for each in inspect.getmro(model):
        found = ModuleAnalyzer.for_module(each.__module__).find_attr_docs() if issubclass(each, BaseModel) else {}
        if (each.__name__, name) in found:
            return "\n".join(found[each.__name__, name])
    return ""


def _takes(field: FieldInfo) -> str:
    bounds = [text.format(f"{value:,}") for text, value in _bounds(field)]
    return " ".join([_kind(field.annotation), *bounds])


def _bounds(field: FieldInfo) -> list[tuple[str, Any]]:
    return [
        (text, getattr(part, name)) for part in field.metadata for name, text in _BOUNDS.items() if hasattr(part, name)
    ]


def _kind(annotation: Any) -> str:  # noqa: ANN401 - an annotation may be anything
    if annotation in _KINDS:
        return _KINDS[annotation]
    if get_origin(annotation) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(annotation))
    if hasattr(annotation, "__metadata__"):
        return _kind(annotation.__origin__)
    if annotation is datetime:
        return "a time"
    if get_origin(annotation) is tuple:
        return "a table" if get_origin(get_args(annotation)[0]) is tuple else "a list"
    inner = [each for each in get_args(annotation) if each is not type(None)]
    return _kind(inner[0]) if len(inner) == 1 else "a text"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    return "" if field.default in (None, (), {}, "") else f"`{json.dumps(field.default, default=str)}`"


class Keys(SphinxDirective):
    """``{keys} module.Model``: the table of a model."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        module, _, name = self.arguments[0].rpartition(".")
        self.env.note_dependency(inspect.getfile(import_module(module)))
        return self.parse_text_to_nodes(table_of(getattr(import_module(module), name)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive to Sphinx."""
    app.add_directive("keys", Keys)
    return {"parallel_read_safe": True}
