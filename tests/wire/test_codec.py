"""What a game gets from the codec that it need not write."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple, get_type_hints

import pytest

from ordago import v1
from ordago.game import OptionKind, OptionSpec
from ordago.games import find_game
from ordago.games.taihe.pack import PACK
from ordago.games.taihe.rules import RULES
from ordago.games.taihe.values import ActionKind, EventKind, TaiheAction, TaiheEvent, TaiheOptions, TaiheView
from ordago.wire.codec import NoSuchActionError
from ordago.wire.fields import delimited, varint
from ordago.wire.mirror import DriftError
from ordago.wire.mirror_codec import MirrorCodec

TYPES: Mapping[str, Any] = {"options": TaiheOptions, "view": TaiheView, "action": TaiheAction, "event": TaiheEvent}


def codec_of(rules: Any = RULES, **changes: Any) -> MirrorCodec[Any, Any, Any, Any]:
    return MirrorCodec(rules, pack=PACK, **{**TYPES, **changes})


@pytest.mark.parametrize("name", TYPES)
def test_a_type_that_drifts_is_refused_at_once(name: str) -> None:
    hints = get_type_hints(TYPES[name])
    drifted = NamedTuple("Drifted", [*hints.items(), ("anything", int)])  # type: ignore[misc] # made for the test
    with pytest.raises(DriftError, match=r"Drifted has a field 'anything' that ordago.v1.Taihe"):
        codec_of(**{name: drifted})


def test_a_game_without_messages_is_refused() -> None:
    with pytest.raises(DriftError, match=r"ordago.v1.GameOptions has no arm for the game 'unheardof'"):
        codec_of(SimpleNamespace(name="unheardof", title="Unheard Of", option_specs=()))


@pytest.mark.parametrize(
    "spec",
    [
        OptionSpec("deals", OptionKind.INTEGER, default=3, sentence="", min=0, max=9),
        OptionSpec("deals", OptionKind.INTEGER, default=3, sentence=""),
        OptionSpec("deals", OptionKind.INTEGER, default=3, sentence="", choices=(0, 3)),
        OptionSpec("deals", OptionKind.BOOLEAN, default=True, sentence=""),
    ],
)
def test_an_option_whose_zero_would_be_taken_for_its_default_is_refused(spec: OptionSpec) -> None:
    rules = SimpleNamespace(name=RULES.name, title=RULES.title, option_specs=(spec,))
    with pytest.raises(DriftError, match=r"TaiheOptions.deals has to be optional: zero is not its default"):
        codec_of(rules)


@pytest.mark.parametrize(
    ("said", "sentence", "field"),
    [
        (v1.TaiheAction(), "0 is no kind of Taihe A Bao; there are PASS, DECLARE, ASK, GIVE_BACK, PLAY.", "kind"),
        (v1.TaiheAction(kind=5, cards=[2]), "2♣ is no card of Taihe A Bao.", "cards"),  # type: ignore[arg-type,list-item]
        (v1.TaiheAction(kind=3, card=200), "Card 200 is no card of Taihe A Bao.", "card"),  # type: ignore[arg-type]
    ],
)
def test_without_sentences_of_its_own_a_game_still_says_what_is_wrong(
    said: v1.TaiheAction, sentence: str, field: str
) -> None:
    with pytest.raises(NoSuchActionError) as caught:
        codec_of().action_from(v1.Action(taihe=said))
    assert (str(caught.value), caught.value.field) == (sentence, field)


def test_own_sentences_are_looked_at_first_and_in_their_order() -> None:
    said = v1.TaiheAction(kind=99, card=200, cards=[300])  # type: ignore[arg-type,list-item]
    for unknown, field in (({}, "kind"), ({"cards": "no {found}", "kind": "{found}?"}, "cards")):
        with pytest.raises(NoSuchActionError) as caught:
            codec_of(unknown=unknown).action_from(v1.Action(taihe=said))
        assert caught.value.field == field


def test_messages_of_equal_actions_and_events_are_made_once() -> None:
    codec = find_game("taihe").codec
    action, event = TaiheAction(ActionKind.PASS), TaiheEvent(EventKind.PASSED, seat=1)
    assert codec.action(action) is codec.action(action._replace())
    assert codec.event(event) is codec.event(event._replace())


def test_an_action_is_known_again_by_its_bytes() -> None:
    codec = find_game("taihe").codec
    play = TaiheAction(ActionKind.PLAY, cards=tuple(PACK[:3]))
    message = codec.action(play)
    assert codec.action_from(v1.Action.FromString(message.SerializeToString())) is codec.action_from(message)
    assert codec.action_from(message) == play


def test_what_a_bot_puts_beside_an_action_is_not_kept() -> None:
    """A bot may fill a frame with fields that nobody knows, thousands of times: no memory is for that."""
    codec = find_game("taihe").codec
    play = TaiheAction(ActionKind.PLAY, cards=tuple(PACK[:3]))
    unknown = delimited(varint(15_000 << 3 | 2), bytes(100))
    padded = v1.Action.FromString(codec.serialized_action(play) + unknown)
    assert len(padded.SerializeToString()) > 100, "it comes in with what is unknown"
    assert codec.action_from(padded) == codec.action_from(padded) == play
    assert codec.action_from(padded) is not codec.action_from(padded)


def test_an_action_that_there_is_not_is_refused_each_time() -> None:
    codec = find_game("taihe").codec
    for _ in range(2):
        with pytest.raises(NoSuchActionError):
            codec.action_from(v1.Action(taihe=v1.TaiheAction()))
