"""``ordago serve``: casual tables for bots from outside."""

from ordago_cli.serve.command import serve

__all__ = ["serve"]
