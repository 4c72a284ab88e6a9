"""Examination of bots in any language against a scripted server, which finds their mistakes before an event does.

A case is data (``case.py``, ``cases/``): the expected behaviour, the reason, the remedy, and a script (``script.py``)
or an exercise (``exercises.py``). ``server.py`` and ``wire.py`` are the doctor's end of a connection,
``bot_under_test.py`` is the bot, ``table.py`` a real match for it, and ``checkup.py`` runs all cases.
"""

from ordago_doctor.bot_under_test import Practice
from ordago_doctor.case import Case, CaseError, Kind, chosen, read_cases, shipped_cases
from ordago_doctor.checkup import Checkup
from ordago_doctor.exercises import check_exercise
from ordago_doctor.findings import Finding, Mark

__all__ = [
    "Case",
    "CaseError",
    "Checkup",
    "Finding",
    "Kind",
    "Mark",
    "Practice",
    "check_exercise",
    "chosen",
    "read_cases",
    "shipped_cases",
]
