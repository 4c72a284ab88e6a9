"""Matches that people play, without a browser: by the messages that one gets, and the answers that one sends."""

import json
from random import Random

import pytest
import trio
from support.people import ORIGIN, OWNER, Person, ThinkingHere, by_default, wish
from support.play_site import opened_play

from ordago.chance import commitment
from ordago.match.audit import audit
from ordago.record.verify import verify
from ordago_web.play.answers import read_answer
from ordago_web.play.human_match import ClosedDecisionError
from ordago_web.play.human_match import Person as PersonThere
from ordago_web.play.sessions import FullError
from ordago_web.play.thinking import ThinkingFailedError
from ordago_web.play.waiting_table import Guest
from ordago_web.play.wishes import played_games

pytestmark = pytest.mark.virtual_time
TABLES = [(game.name, seats) for game in played_games() for seats in game.rules.seat_counts]


def sit(sessions, game="mittlere", *, owner=OWNER, origin=ORIGIN, **fields):
    return sessions.open(wish(game, **fields), Guest(PersonThere(owner, origin), str))


async def told_until(human_match, event, last=None):
    """Return what is told up to an event."""
    told = []
    async for message in human_match.listen(last, beat_seconds=60):
        told.append(message)
        if message is not None and message.event == event:
            return told
    raise AssertionError(f"no {event} was told")


async def decision_of(human_match):
    told = await told_until(human_match, "decision")
    return json.loads(told[-1].data)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
async def test_a_match_is_played_to_its_end_by_any_legal_answers(game, seats):
    async with opened_play() as sessions:
        for seat in range(1, seats + 1):
            human_match = sit(sessions, game, seat=seat, players=str(seats))
            end = await Person(human_match, seed=seat).play()
            assert list(human_match.record.outcome.scores) == end["scores"]
            assert list(human_match.record.outcome.placings) == end["placings"]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
async def test_the_default_is_told_as_an_answer_that_is_taken(game, seats):
    async with opened_play() as sessions:
        person = Person(sit(sessions, game, players=str(seats)), choose=by_default)
        await person.play()
        assert person.refused == []
        assert all(told["default"]["words"] for event, told in person.told if event == "decision")


async def test_the_record_proves_the_deals_and_holds_to_the_rules_of_the_referee():
    async with opened_play() as sessions:
        human_match = sit(sessions)
        told_before = human_match.terms.deals.commitment
        end = await Person(human_match).play()
        assert verify(human_match.record) == []
        assert audit(human_match.record).problems == ()
        assert commitment(bytes.fromhex(end["secret"])) == told_before == human_match.record.commitment


async def test_the_patches_of_the_steps_lead_to_the_scene_that_is_shown_anew():
    async with opened_play() as sessions:
        human_match = sit(sessions)
        person = Person(human_match)
        await person.play()
        _, whole = person.told[0]
        scene = whole["scene"]
        for event, told in person.told:
            if event == "step":
                scene = patched(scene, told["patch"])
        [again, _] = await told_until(human_match, "end")
        assert json.loads(again.data)["scene"] == scene


def patched(target, patch):
    if not isinstance(patch, dict):
        return patch
    kept = {name: value for name, value in (target if isinstance(target, dict) else {}).items() if name not in patch}
    return kept | {name: patched((target or {}).get(name), value) for name, value in patch.items() if value is not None}


async def test_who_comes_again_is_shown_the_table_as_it_is_with_the_open_decision():
    async with opened_play() as sessions:
        human_match = sit(sessions)
        first = await decision_of(human_match)
        scene, decision = await told_until(human_match, "decision")
        assert json.loads(decision.data) == first
        assert scene.number == decision.number - 1, "who lost the connection between the two is told the second"
        assert [message.event for message in await told_until(human_match, "decision", scene.number)] == ["decision"]


async def test_who_missed_some_messages_is_told_those():
    async with opened_play() as sessions:
        human_match = sit(sessions)
        before = (await told_until(human_match, "decision"))[-1]
        human_match.answer(read_answer(by_default(json.loads(before.data), Random())))
        told = await told_until(human_match, "decision", before.number)
        assert [message.number for message in told] == list(range(before.number + 1, told[-1].number + 1))
        assert {message.event for message in told[:-1]} == {"step"}


@pytest.mark.parametrize("last", [10**9, -5])
async def test_who_names_a_message_that_never_was_is_shown_the_table(last):
    async with opened_play() as sessions:
        human_match = sit(sessions)
        await decision_of(human_match)
        assert [message.event for message in await told_until(human_match, "decision", last)] == ["scene", "decision"]


async def test_an_illegal_answer_is_refused_in_words_and_asked_again_as_often_as_it_comes():
    async with opened_play() as sessions:
        human_match = sit(sessions)
        decision = await decision_of(human_match)
        number, offers = decision["number"], len(decision["offers"])
        for _ in range(200):
            violation = human_match.answer(read_answer(json.dumps({"decision": number, "action": offers + 1}).encode()))
            assert violation.sentence == f"there is no legal action {offers + 1}; they are numbered 1 to {offers}"
        await Person(human_match).play()
        assert not any(entry.choice.broken_rules for entry in human_match.record.entries)


async def test_a_decision_is_answered_once():
    async with opened_play() as sessions:
        human_match = sit(sessions)
        decision = await decision_of(human_match)
        answer = read_answer(by_default(decision, Random()))
        assert human_match.answer(answer) is None
        with pytest.raises(ClosedDecisionError):
            human_match.answer(answer)
        await decision_of(human_match)
        with pytest.raises(ClosedDecisionError):
            human_match.answer(answer)


async def test_a_match_that_nobody_plays_ends_with_a_sentence_and_is_forgotten():
    async with opened_play(idle_seconds=1800, kept_seconds=3600) as sessions:
        human_match = sit(sessions)
        await decision_of(human_match)
        began = trio.current_time()
        end = json.loads((await told_until(human_match, "end"))[-1].data)
        assert end == {"sentence": "The match ended because nobody was playing. It does not count."}
        assert trio.current_time() - began == pytest.approx(1800)
        assert sessions.find(human_match.terms.match_id, owner=OWNER) is human_match
        await trio.sleep(3700)
        assert sessions.find(human_match.terms.match_id, owner=OWNER) is None


async def test_who_leaves_ends_the_match_whoever_is_to_play():
    class Slow(ThinkingHere):
        async def answer(self, question):
            await trio.sleep(5)
            return await super().answer(question)

    async with opened_play(Slow()) as sessions:
        for seat in (1, 2):
            human_match = sit(sessions, seat=seat)
            await trio.sleep(1)
            human_match.give_up()
            end = json.loads((await told_until(human_match, "end"))[-1].data)
            assert end == {"sentence": "You left the table."}
        assert sessions.of_owner(OWNER) == []


async def test_nobody_finds_the_match_of_another():
    async with opened_play() as sessions:
        human_match = sit(sessions)
        assert sessions.find(human_match.terms.match_id, owner="another session") is None
        assert sessions.find("0" * 32, owner=OWNER) is None
        assert sessions.find(human_match.terms.match_id, owner=OWNER) is human_match
        assert sessions.of_owner("another session") == []


async def test_one_address_does_not_take_all_tables_and_all_addresses_not_all_of_the_machine():
    async with opened_play(matches=3, of_origin=2) as sessions:
        mine = [sit(sessions) for _ in range(2)]
        with pytest.raises(FullError, match="2 matches are already running from your address: finish one"):
            sit(sessions, owner="another session")
        sit(sessions, origin="192.0.2.1")
        with pytest.raises(FullError, match="All tables are taken"):
            sit(sessions, origin="192.0.2.2")
        mine[0].give_up()
        await trio.testing.wait_all_tasks_blocked()
        sit(sessions)


async def test_a_new_table_takes_the_place_of_the_one_that_is_abandoned_for_longest():
    async with opened_play(of_origin=3) as sessions:
        shown, first, second = [sit(sessions) for _ in range(3)]
        with shown.shown():
            await trio.sleep(100)
            with second.shown():
                await trio.sleep(50)
            sit(sessions, owner="a neighbour")
            end = json.loads((await told_until(first, "end"))[-1].data)
            assert end == {"sentence": "The match ended: nobody was at this table, and others were waiting."}
            with pytest.raises(FullError, match="3 matches are already running from your address"):
                sit(sessions)
            await trio.sleep(119)
            with pytest.raises(FullError):
                sit(sessions)
            await trio.sleep(1)
            sit(sessions)
            assert not second.is_played
            assert shown.is_played, "a page shows it"


async def test_a_table_at_which_nobody_answers_is_abandoned_though_a_page_shows_it():
    async with opened_play(of_origin=1) as sessions:
        human_match = sit(sessions)
        with human_match.shown():
            for _ in range(3):
                await trio.sleep(599)
                with pytest.raises(FullError):
                    sit(sessions)
                decision = await decision_of(human_match)
                human_match.answer(read_answer(by_default(decision, Random())))
            await decision_of(human_match)
            await trio.sleep(600)
            sit(sessions)
        assert not human_match.is_played


async def test_where_all_tables_are_taken_an_abandoned_one_is_given_up_whosever_it_was():
    async with opened_play(matches=2) as sessions:
        left = sit(sessions, origin="192.0.2.1")
        with sit(sessions, origin="192.0.2.2").shown():
            with pytest.raises(FullError, match="All tables are taken"):
                sit(sessions)
            await trio.sleep(120)
            sit(sessions)
            assert not left.is_played
            with pytest.raises(FullError, match="All tables are taken"):
                sit(sessions)


async def test_of_matches_that_are_over_the_oldest_are_forgotten_where_they_are_many():
    async with opened_play(kept=2) as sessions:
        human_matches = []
        for _ in range(4):
            human_matches.append(sit(sessions))
            human_matches[-1].give_up()
            await trio.sleep(1)
        await trio.sleep(30)
        known = [sessions.find(human_match.terms.match_id, owner=OWNER) is not None for human_match in human_matches]
        assert known == [False, False, True, True]


async def test_who_leaves_many_matches_has_those_of_nobody_else_forgotten():
    async with opened_play(kept=4) as sessions:
        mine = sit(sessions)
        mine.give_up()
        await trio.sleep(1)
        for _ in range(20):
            sit(sessions, owner="a churner", origin="192.0.2.1").give_up()
            await trio.sleep(1)
        await trio.sleep(30)
        assert sessions.find(mine.terms.match_id, owner=OWNER) is mine


async def test_of_many_windows_the_last_ones_are_told():
    async with opened_play() as sessions, trio.open_nursery() as nursery:
        human_match = sit(sessions)
        ended = []

        async def listen(name):
            async for _ in human_match.listen(None, beat_seconds=15):
                pass
            ended.append(name)

        for name in range(5):
            nursery.start_soon(listen, name)
            await trio.testing.wait_all_tasks_blocked()
        assert ended == [0, 1]
        nursery.cancel_scope.cancel()


async def test_silence_is_broken_so_that_a_connection_that_is_gone_is_noticed():
    async with opened_play() as sessions:
        human_match = sit(sessions)
        await decision_of(human_match)
        messages = human_match.listen(None, beat_seconds=15)
        told = [await anext(messages) for _ in range(3)]
        assert [message and message.event for message in told] == ["scene", "decision", None]


async def test_a_process_that_ends_once_is_asked_again_and_one_that_always_does_ends_the_match_alone():
    class Ends(ThinkingHere):
        def __init__(self, times):
            self.times = times

        async def answer(self, question):
            self.times -= 1
            if self.times >= 0:
                raise ThinkingFailedError("the process has ended")
            return await super().answer(question)

    async with opened_play(Ends(1)) as sessions:
        assert "scores" in await Person(sit(sessions)).play()
    async with opened_play(Ends(2)) as sessions:
        assert "The house bot failed" in (await Person(sit(sessions)).play())["sentence"]
        assert "scores" in await Person(sit(sessions)).play()
