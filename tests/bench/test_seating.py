"""Simulated ladders: the same for the same seed, and what they are to show shows."""

import json
from random import Random

import pytest
from click.testing import CliRunner

from ordago_bench.seating.figures import GiftFigures, measure_gifts, measure_rush, measure_seating
from ordago_bench.seating.simulated_ladder import WAYS, SeatingFigures
from ordago_bench.seating.simulated_strengths import MEAN, Rated, play
from ordago_cli.bench.command import print_seating
from ordago_cli.program import program
from ordago_ladder.standing.seating import LONE_SECONDS, Kind

PAIR = Kind("mitaines", (0, 1))
PARTNERS = Kind("mus", (0, 1, 0, 1))


def measured(*, way: str = "ladder", seed: int = 1, bots: int = 40, kind: Kind = PAIR) -> SeatingFigures:
    return measure_seating(kind=kind, bots=bots, matches=20, seed=seed, way=way)._replace(cpu_us=0.0)


@pytest.mark.parametrize("way", WAYS)
def test_the_same_seed_is_the_same_ladder(way: str) -> None:
    assert measured(way=way) == measured(way=way) != measured(way=way, seed=2)


@pytest.mark.slow
def test_the_rule_gives_more_opponents_and_fairer_seats_than_chance_and_the_nearest() -> None:
    ladder, *rivals = (measured(way=way, bots=100) for way in WAYS)
    for rival in rivals:
        assert ladder.opponents > rival.opponents
        assert ladder.most_of_one < rival.most_of_one
        assert ladder.seats_off < rival.seats_off / 2
    assert ladder.waited_most_s <= LONE_SECONDS + 1e-6
    assert ladder.bits > rivals[0].bits, "a match tells more than one by chance"


def test_partners_are_measured_too() -> None:
    figures = measured(kind=PARTNERS)
    assert figures.waited_most_s <= LONE_SECONDS + 1e-6
    assert figures.error < 300, "less than before anything was played"


@pytest.mark.slow
def test_accomplices_are_found_together_in_a_quarter_of_their_matches_at_most() -> None:
    gifts = measure_gifts(kind=PAIR, bots=4, seeds=[1])
    assert 0 < gifts.met <= 0.25


def test_what_is_given_away_is_gained() -> None:
    taker, giver = (Rated(name, name, MEAN) for name in ("taker", "giver"))
    told = [play([[taker], [giver]], Random(number), loser=giver) for number in range(10)]
    assert taker.elo - MEAN == pytest.approx(MEAN - giver.elo)
    assert taker.elo > MEAN + 100
    assert all(bits > 0 for bits in told)


@pytest.mark.slow
def test_the_command_prints_what_a_program_can_read() -> None:
    arguments = ["bench", "seating", "--bots", "6", "--matches", "4", "--ladders", "1", "--json"]
    told = json.loads(CliRunner().invoke(program, arguments, catch_exceptions=False).stdout)
    assert [(line["way"], line["tables"]) for line in told["seating"]] == [(way, 12) for way in WAYS]
    assert [line["bots"] for line in told["gifts"]] == [4, 10]
    assert told["rush_us"] > 0


def test_figures_are_shown_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    print_seating([measured(bots=10)], [GiftFigures(bots=4, met=0.125, gained=30.0)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["bots", "way", "tables"]
    assert lines[1].split()[:3] == ["10", "ladder", "100"]
    assert lines[2].startswith("two colluding bots among 4: 12.5% of the pairings")
    assert lines[2].endswith("+30 Elo")


def test_a_number_of_seats_that_a_game_has_not_is_told_in_one_sentence() -> None:
    result = CliRunner().invoke(program, ["bench", "seating", "--game", "mus", "--seats", "3"])
    assert result.exit_code == 2
    assert result.output == "ordago: mus is not played by 3; --seats takes one of: 4\n"


def test_all_who_wait_at_once_are_seated() -> None:
    assert measure_rush(kind=PAIR, bots=50, seed=1) > 0
