"""A Sphinx directive that lists the fields of the encoding of a game."""

import inspect
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from ordago_gym import encoding_of
from ordago_gym.fields import table_of


class Fields(SphinxDirective):
    """``{fields} game``: the table of the fields of an observation, with the smallest number of players."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        encoding = encoding_of(self.arguments[0])
        self.env.note_dependency(inspect.getfile(type(encoding)))
        text = f"{encoding.size:,} floats and {encoding.actions:,} ids, with {encoding.seats} players.\n\n"
        return self.parse_text_to_nodes(text + table_of(encoding.layout))


def setup(app: Any) -> dict[str, bool]:  # noqa: ANN401 - Sphinx's application
    """Add the directive to Sphinx."""
    app.add_directive("fields", Fields)
    return {"parallel_read_safe": True}
