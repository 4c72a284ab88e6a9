"""An analysis as JSON, for pages and for programs.

Its keys are ``{"version", "worlds", "game", "deals", "choices", "dearest", "seats"}``. ``choices`` maps the index of
each choice among the entries of the record to ``{"best", "cost", "error", "unit", "dear", "searched"}``. If the house
would have played something else, it adds ``"taken"``, the action taken, and ``"better"``, the best actions, three at
most, each as ``{"words", "worth"}``. ``dearest`` lists three choices at most, each with ``"entry"``, ``"deal"`` and
``"seat"`` besides.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ordago import v1
from ordago_bot.house.analysis import VERSION, Judgement, Opinion, Option
from ordago_bot.house.summary import SeatSummary, Summary, summary_of

_DECIMALS = 4


def analysis_json(record: v1.MatchRecord, opinions: Sequence[Opinion], *, worlds: int) -> dict[str, Any]:
    """Return a finished analysis as JSON."""
    summary = summary_of(record, opinions)
    return {
        "version": VERSION,
        "worlds": worlds,
        "game": record.game,
        "deals": summary.deals,
        "choices": choices_json(opinions),
        "dearest": _dearest(summary),
        "seats": [_seat(seat) for seat in summary.seats],
    }


def choices_json(opinions: Iterable[Opinion]) -> dict[str, Any]:
    """Return the judgements of choices by entry, as a string; choices that were not judged are left out."""
    return {str(opinion.entry): _judgement(opinion) for opinion in opinions if isinstance(opinion, Judgement)}


def _judgement(judgement: Judgement) -> dict[str, Any]:
    judged = {
        "best": judgement.options[0].words,
        "cost": _rounded(judgement.cost),
        "error": None if judgement.error is None else _rounded(judgement.error),
        "unit": judgement.unit.value,
        "dear": judgement.dear,
        "searched": judgement.searched,
    }
    if judgement.like_the_house:
        return judged
    return {**judged, "taken": _option(judgement.taken), "better": [_option(option) for option in judgement.options]}


def _option(option: Option) -> Mapping[str, object]:
    return {"words": option.words, "worth": _rounded(option.worth)}


def _dearest(summary: Summary) -> list[dict[str, Any]]:
    return [
        {"entry": judgement.entry, "deal": judgement.deal, "seat": judgement.seat, **_judgement(judgement)}
        for judgement in summary.dearest
    ]


def _seat(seat: SeatSummary) -> dict[str, Any]:
    costs = [
        {
            "unit": cost.unit.value,
            "choices": cost.choices,
            "per_choice": _rounded(cost.per_choice),
            "per_deal": _rounded(cost.per_deal),
            "error": _rounded(cost.error),
        }
        for cost in seat.costs
    ]
    return {**seat._asdict(), "costs": costs}


def _rounded(number: float) -> float:
    # Adding zero turns a negative zero into a positive one.
    return round(number, _DECIMALS) + 0.0
