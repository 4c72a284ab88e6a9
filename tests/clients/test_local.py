"""Bots against each other without a server."""

import logging
import re
import subprocess
import sys
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar

import pytest
import trio
import trio.lowlevel

from ordago import v1
from ordago.game import OptionError
from ordago.games import UnknownGameError, find_game, game_names
from ordago.record import faults_of, replay
from ordago_bot import Bot, cards, play_locally
from ordago_bot.house.baselines import DefaultBot, RandomBot
from ordago_bot.house.solid import SolidBot
from ordago_bot.local import RefusedError

SIMPLE = Path(__file__).parents[2] / "clients/python/bots/simple.py"


def simple() -> Any:
    spec = spec_from_file_location("simple", SIMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_house_bot_plays_by_its_default_settings() -> None:
    [as_it_is], [written_out] = (
        play_locally([solid, RandomBot, RandomBot], "mittlere", options={"deals": 3})
        for solid in (SolidBot, partial(SolidBot, worlds=4, noise=0))
    )
    assert as_it_is.scores == written_out.scores


@pytest.mark.parametrize("game", game_names())
def test_every_game_is_played_to_its_end_by_its_rules(game: str) -> None:
    seats = find_game(game).rules.seat_counts[0]
    [match] = play_locally([RandomBot] * seats, game)
    assert len(match.scores) == len(match.placings) == seats
    assert min(match.placings) == 1
    replay(match.record)
    assert not any(faults_of(match.record))


def test_the_same_seed_plays_the_same_matches_and_another_seed_plays_others() -> None:
    def played(seed: object) -> list[tuple[tuple[int, ...], bytes]]:
        matches = play_locally([RandomBot] * 3, "mittlere", options={"deals": 3}, seed=seed, matches=3)
        return [(match.scores, match.record.SerializeToString(deterministic=True)) for match in matches]

    assert played("a") == played("a")
    assert played("a") != played("b")


def test_bots_take_turns_at_the_seats_with_the_same_cards() -> None:
    matches = list(play_locally([DefaultBot, RandomBot, RandomBot], "mittlere", options={"deals": 3}, matches=4))
    assert [match.seats for match in matches] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    first_deals = [next(entry for entry in match.record.entries if entry.HasField("shuffle")) for match in matches]
    assert first_deals[0] == first_deals[1] == first_deals[2] != first_deals[3]
    assert len({match.record.match_id for match in matches}) == 4
    named = [[seat.name for seat in match.record.seats] for match in matches]
    assert [names.index("DefaultBot 1") for names in named[:3]] == [0, 1, 2]


def test_scores_are_in_the_order_of_the_bots() -> None:
    class Watching(RandomBot):
        ends: ClassVar[list[tuple[int, v1.MatchEnd]]] = []

        def ended(self, end: v1.MatchEnd) -> None:
            self.ends.append((self.match.seat, end))

    matches = list(play_locally([Watching, RandomBot, RandomBot], "mittlere", options={"deals": 3}, matches=3))
    assert [match.scores[0] for match in matches] == [end.outcome.scores[seat] for seat, end in Watching.ends]


def test_what_cannot_be_played_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="Mittlere Jass is played by 3, not by 2: name a bot for each seat"):
        play_locally([RandomBot] * 2, "mittlere")
    with pytest.raises(UnknownGameError, match="mittlere"):
        play_locally([RandomBot] * 3, "mitlere")
    with pytest.raises(OptionError, match="deals"):
        play_locally([RandomBot] * 3, "mittlere", options={"deal": 3})


class Stubborn(Bot):
    """Answers by what is no legal action, until it is refused."""

    def choose(self, _decision: v1.Decision) -> Any:
        return v1.Answer(legal_action=9999)


def test_an_answer_that_is_refused_is_told_to_the_bot_and_to_its_author(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "ordago_bot"):
        [match] = play_locally([Stubborn, DefaultBot, DefaultBot], "mittlere", options={"deals": 3})
    assert re.fullmatch("match [0-9a-f]+, decision 1: refused: .* [(]answer[)]", caplog.messages[0])
    refusals = [entry.choice.broken_rules for entry in match.record.entries if entry.choice.broken_rules]
    assert refusals, "the record tells it too"


def test_a_bot_that_fails_is_told_at_which_decision() -> None:
    class Lost(RandomBot):
        def choose(self, decision: v1.Decision) -> Any:
            if decision.number == 3:
                raise ValueError("no idea")
            return super().choose(decision)

    with pytest.raises(ValueError, match=r"^no idea\nmatch [0-9a-f]+, decision 3: the bot failed: no idea$"):
        list(play_locally([DefaultBot, Lost, DefaultBot], "mittlere"))


def test_an_answer_that_is_refused_ends_a_strict_match() -> None:
    with pytest.raises(RefusedError, match="decision 1: refused: there is no legal action 9999"):
        list(play_locally([Stubborn, DefaultBot, DefaultBot], "mittlere", strict=True))


class Later(Bot):
    """Thinks under trio."""

    async def choose(self, decision: v1.Decision) -> Any:
        await trio.lowlevel.checkpoint()
        return decision.default_answer


class Threaded(DefaultBot):
    """Asks for threads."""

    threads = 4


def test_asynchronous_bots_and_those_that_ask_for_threads_play_as_others_do() -> None:
    def scores(bot: type[Bot]) -> list[tuple[int, ...]]:
        matches = play_locally([bot, RandomBot, RandomBot], "mittlere", options={"deals": 3}, matches=2)
        return [match.scores for match in matches]

    assert scores(Later) == scores(Threaded) == scores(DefaultBot)


def test_what_a_bot_raises_is_not_hidden() -> None:
    class Failing(Bot):
        def choose(self, _decision: v1.Decision) -> Any:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(play_locally([Failing] * 3, "mittlere"))


def test_no_network_is_loaded_for_it() -> None:
    program = "import sys, ordago_bot; ordago_bot.play_locally; sys.exit(not {'grpc', 'trio'}.isdisjoint(sys.modules))"
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603 - ours


@pytest.mark.slow
def test_simple_beats_random() -> None:
    """Over 20 sets of cards, each played from all three seats."""
    bots = [simple().Simple, simple().Simple, RandomBot]
    matches = list(play_locally(bots, "mittlere", options={"deals": 6}, matches=60))
    first, second, random = (sum(match.scores[bot] for match in matches) for bot in range(3))
    assert random < 0 < min(first, second)


def view(trick: list[v1.Card], trump: v1.Suit = v1.SUIT_UNSPECIFIED) -> v1.MittlereView:
    return v1.MittlereView(trick=trick, trump=v1.MittlereTrump(suit=trump) if trump else None)


C, H = v1.SUIT_CLUBS, v1.SUIT_HEARTS


@pytest.mark.parametrize(
    ("trick", "trump", "legal", "chosen"),
    [
        ("", 0, "A♣ 6♦ 6♣", "6♣"),  # it leads the lowest, of equal height that with the least code
        ("", C, "6♣ A♦ K♥", "K♥"),  # trumps are dear
        ("K♦", 0, "A♦ 10♦ 6♦", "10♦"),  # it loses what counts most
        ("6♦", 0, "A♦ 10♦ 7♦", "7♦"),  # all take: the cheapest
        ("6♦", 0, "A♣ 6♥", "6♥"),  # whichever it plays becomes trump and takes
        ("A♦ 6♣", C, "10♦ 9♣ A♥", "A♥"),  # a trump lies there: the ace is lost and counts more than the ten
        ("A♦ J♣", C, "9♣ 8♣", "9♣"),  # under the jack the nine of trumps is lost, and counts 14
        ("6♦ K♦", H, "6♥ A♦ 9♦", "9♦"),  # the second card was the best
    ],
)
def test_simple_plays_as_it_should(trick: str, trump: int, legal: str, chosen: str) -> None:
    for order in permutations(legal.split()):
        said = simple().choice(view([cards.card_of(s) for s in trick.split()], trump), [*map(cards.card_of, order)])
        assert cards.sign(said) == chosen
