"""What is known of strengths: how somebody comes into it, how it fades, and what evidence makes of it."""

import numpy as np
import pytest

from ordago_ladder.standing.ratings.evidence import Evidence, evidence_of, meetings
from ordago_ladder.standing.ratings.posterior import Beginning, Posterior
from ordago_ladder.standing.ratings.values import CareerResult, Counted

SEATS = [Beginning(("mittlere", side), 0.0, 1.0) for side in range(3)]


def believed() -> Posterior:
    """Return what is known of three players, the third a new version of the second, and of the seats of a game."""
    players = [Beginning(1, 0.5, 0.0), Beginning(2, -0.5, 2.0), Beginning(3, 0.0, 0.25, predecessor=2)]
    return Posterior.of_nothing().joined([*players, *SEATS])


def evidence(*tables: tuple[tuple[int, ...], tuple[int, ...]], forfeits: tuple[int, ...] = ()) -> Evidence:
    results = [CareerResult("mittlere", players, placings, forfeits, 0) for players, placings in tables]
    return evidence_of(meetings(Counted(result, frozenset()) for result in results))


TABLES = (((1, 2, 3), (1, 2, 3)), ((3, 1, 2), (1, 2, 2)), ((2, 3, 1), (3, 1, 2)))


def test_a_version_begins_where_the_one_before_is_and_hangs_together_with_it() -> None:
    belief = believed()
    second, third = belief.places[2], belief.places[3]
    assert belief.mean[third] == belief.mean[second] == -0.5
    assert belief.covariance[third, third] == 2.25
    assert belief.covariance[second, third] == belief.covariance[third, second] == 2.0


def test_change_alone_tells_players_apart_and_change_together_does_not() -> None:
    before, after = believed(), believed().walked([2, 3], alone=0.5, together=0.25)
    second, third = after.places[2], after.places[3]
    changed = after.covariance - before.covariance
    assert (changed[second, second], changed[third, third], changed[second, third]) == (0.75, 0.75, 0.25)
    assert not changed[after.places[1]].any()


def test_who_goes_leaves_what_is_known_of_others() -> None:
    before, after = believed(), believed().without([2])
    assert list(after.places) == [key for key in before.places if key != 2]
    assert after.covariance[after.places[3], after.places[3]] == 2.25


def test_the_maximum_is_that_of_the_posterior() -> None:
    """Written with the inverse of the covariance, the slopes of the posterior are zero where it was found."""
    prior = believed().walked([1], alone=1e-3, together=0.0)
    told = evidence(*TABLES)
    posterior = prior.after(told)
    order = [prior.places[key] for key in told.keys]
    inverse = np.linalg.inv(prior.covariance)
    slopes = told.slopes(posterior.mean[order]) - (inverse @ (posterior.mean - prior.mean))[order]
    assert slopes == pytest.approx(np.zeros(6), abs=1e-6)
    information = inverse.copy()
    information[np.ix_(order, order)] += told.information(posterior.mean[order])
    assert posterior.covariance == pytest.approx(np.linalg.inv(information), abs=1e-8)


def test_who_is_known_exactly_stays_where_he_is() -> None:
    posterior = believed().after(evidence(*TABLES * 20))
    place = posterior.places[1]
    assert posterior.mean[place] == pytest.approx(0.5, abs=1e-12)
    assert posterior.covariance[place] == pytest.approx(np.zeros(6), abs=1e-12)


def test_evidence_narrows_what_is_known_of_those_who_did_not_play() -> None:
    """What is learnt of the third player says something of the second, whose new version he is."""
    prior = believed()
    posterior = prior.after(evidence(((3, 1, 1), (1, 2, 2))))
    second = prior.places[2]
    assert posterior.mean[second] > prior.mean[second]
    assert posterior.covariance[second, second] < prior.covariance[second, second]


def test_a_pairing_at_a_large_table_tells_less_than_one_alone() -> None:
    """Those of a table of three have their players in common; a forfeit is lost to both others, but only once."""
    three, forfeited = evidence(TABLES[0]), evidence(TABLES[0], forfeits=(2,))
    assert three.blocks[0].weights.tolist() == [0.75] * 3
    assert forfeited.blocks[0].weights.tolist() == [0.5] * 2
    assert forfeited.blocks[0].wins.tolist() == [1.0] * 2


def test_two_who_met_too_often_say_nothing_more_of_each_other() -> None:
    result = CareerResult("mittlere", (3, 1, 2), (1, 2, 3), (), 0)
    [block] = evidence_of(meetings([Counted(result, frozenset({(1, 3)}))])).blocks
    assert block.weights.tolist() == [0.0, 0.75, 0.75]
