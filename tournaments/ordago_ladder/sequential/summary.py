"""Summary of a comparison, in figures and in sentences."""

from typing import NamedTuple

from ordago_ladder.sequential.hypotheses import MOST_ELO, Conclusion
from ordago_ladder.sequential.set_sequence import SETS_IN_A_ROW, SetSequence
from ordago_ladder.sequential.strength import StrengthEstimate, fixed_strength, sequential_strength, sets_left

_FEW_SETS = 5
"""With fewer sets there is no estimate of the length of the test."""


class Summary(NamedTuple):
    """The progress of a comparison, with estimates."""

    course: SetSequence
    strength: StrengthEstimate
    sets_left: int | None
    """The expected number of further sets; ``None`` where it is unknown, or without hypotheses."""
    fixed_sets: int | None
    """The number of sets of a fixed test with the same error rates; ``None`` with few sets, or without hypotheses."""

    @property
    def sets_saved(self) -> int | None:
        """``fixed_sets`` minus the sets played; negative if more were needed, ``None`` without a conclusion."""
        if self.fixed_sets is None or self.course.conclusion is Conclusion.UNDECIDED:
            return None
        return self.fixed_sets - self.course.sets

    @property
    def as_json(self) -> dict[str, object]:
        """The summary as a JSON object."""
        course, bounds = self.course, self.course.hypotheses and self.course.hypotheses.bounds
        return {
            "conclusion": course.conclusion.value,
            "over": course.over,
            "broken": course.broken,
            "sets": course.sets,
            "matches": course.matches,
            "score": course.scores.mean,
            "elo": self.strength.elo,
            "elo_low": self.strength.low,
            "elo_high": self.strength.high,
            "superiority": self.strength.superiority,
            "llr": course.ratio if bounds else None,
            "llr_lower": bounds.lower if bounds else None,
            "llr_upper": bounds.upper if bounds else None,
            "hypotheses": course.hypotheses._asdict() if course.hypotheses else None,
            "sets_left": self.sets_left,
            "fixed_sets": self.fixed_sets,
            "sets_saved": self.sets_saved,
            "set_scores": {str(score): count for score, count in course.scores.counts},
            "forfeits": {name: course.forfeits[name] for name in course.names},
            "faults": {name: course.faults[name] for name in course.names},
        }


def summary_of(course: SetSequence) -> Summary:
    """Return the summary of a comparison."""
    hypotheses, scores = course.hypotheses, course.scores
    if hypotheses is None or not scores.sets:
        return Summary(course, fixed_strength(scores), None, None)
    known = not course.over and scores.sets >= _FEW_SETS
    left = min(sets_left(scores, hypotheses, course.ratio), course.most_sets - scores.sets) if known else None
    return Summary(
        course,
        sequential_strength(scores, hypotheses, course.ratio),
        left,
        hypotheses.fixed_sets(scores.variance) if scores.sets >= _FEW_SETS else None,
    )


def verdict_of(course: SetSequence) -> str:
    """Return the outcome of a comparison, in one sentence."""
    candidate, hypotheses = course.names[0], course.hypotheses
    if course.broken is not None:
        return f"{course.broken} forfeited in {SETS_IN_A_ROW} sets in a row: read its output"
    if hypotheses is None:
        return f"all {course.sets} sets played" if course.over else f"{course.sets} of {course.most_sets} sets"
    match course.conclusion:
        case Conclusion.STRONGER:
            return f"{candidate} is stronger: elo1={hypotheses.elo1:g} is accepted"
        case Conclusion.NOT_STRONGER:
            return f"{candidate} is not stronger: elo0={hypotheses.elo0:g} is accepted"
    return f"undecided after {course.sets} of at most {course.most_sets} sets"


def rows_of(summary: Summary) -> list[tuple[str, str]]:
    """Return the lines of the summary for people, as label and text."""
    course, strength = summary.course, summary.strength
    rows = [("sets", f"{course.sets} of at most {course.most_sets}, {course.matches} matches")]
    if course.sets:
        rows += [
            ("score", f"{100 * course.scores.mean:.1f} %"),
            ("Elo", _elo(strength)),
            ("stronger at all", _share(strength.superiority)),
        ]
    if course.hypotheses is not None:
        bounds = course.hypotheses.bounds
        rows.append(("LLR", f"{course.ratio:+.2f}, from {bounds.lower:.2f} to {bounds.upper:.2f}"))
    if summary.sets_left is not None:
        rows.append(("sets to come", f"about {summary.sets_left}"))
    if summary.sets_saved is not None:
        rows.append(
            (
                "sets saved",
                f"{summary.sets_saved} of the {summary.fixed_sets} of a fixed test with the same error rates",
            )
        )
    return [*rows, *_conduct(course)]


def _conduct(course: SetSequence) -> list[tuple[str, str]]:
    return [
        (name, f"{course.forfeits[name]} matches forfeited, {course.faults[name]} default answers")
        for name in course.names
        if course.faults[name] or course.forfeits[name]
    ]


def _elo(strength: StrengthEstimate) -> str:
    ends = strength.low > -MOST_ELO, strength.high < MOST_ELO
    match ends:
        case True, True:
            interval = f"({strength.low:+.1f} to {strength.high:+.1f})"
            return f"{strength.elo:+.1f} ± {strength.half_length:.1f} {interval}"
        case True, False:
            return f"at least {strength.low:+.1f}"
        case False, True:
            return f"at most {strength.high:+.1f}"
    return "not known yet"


def _share(likelihood: float) -> str:
    if likelihood > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if likelihood < 0.001 else f"{100 * likelihood:.1f} %"
