"""``python -m ordago`` is the command ``ordago``."""

from ordago.cli import main

main()
