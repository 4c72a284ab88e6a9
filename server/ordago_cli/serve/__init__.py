"""``ordago serve``: casual tables or a ladder for bots that connect from outside, and ``ordago web``."""

from ordago_cli.serve.command import serve

__all__ = ["serve"]
