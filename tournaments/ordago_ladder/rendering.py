"""How pages are made of templates: no scripts, nothing loaded from elsewhere, readable on a phone and on paper."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from ordago_ladder import figures


def template(name: str) -> Template:
    """Return the template of a kind of page."""
    return _environment().get_template(f"{name}.html.jinja")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ordago_ladder"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    filters = (figures.likelihood, figures.ordinal, figures.percent, figures.seconds, figures.signed, figures.whole)
    environment.filters.update({write.__name__: write for write in filters})
    return environment
