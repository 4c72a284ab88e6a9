"""``python -m ordago`` is the command ``ordago``."""

from ordago_cli import main

main()
