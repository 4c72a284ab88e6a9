"""Conformance files: matches as JSON lines, against which a port of a game's rules can be checked."""

from ordago_cli.game.conformance.lines import FORMAT as FORMAT
from ordago_cli.game.conformance.lines import Plan as Plan
from ordago_cli.game.conformance.lines import lines as lines
