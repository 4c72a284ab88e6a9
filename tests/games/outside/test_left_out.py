"""A package whose game cannot be played is told in a sentence, and keeps nobody from playing all others."""

from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.packages import installed, offering

from ordago.games import _OWN_GAMES, UnknownGameError, find_game, game_names, refused_games

OWN = sorted(_OWN_GAMES)
CASES = {
    "missing": ("missing = not_there:GAME", "No module named 'not_there'"),
    "broken": ("broken = bad_package:GAME", "ZeroDivisionError"),
    "leaving": ("leaving = leaving_package:GAME", "SystemExit"),
    "drifting": ("drifting = drifting_package:GAME", "DriftError"),
    "number": ("number = json:__doc__", "is of the type str, and has to be a Game called 'number'"),
    "other": ("other = json:__doc__", "a letter first, and not 'other'"),
    "../mus": ("../mus = json:__doc__", "a letter first, and not 'other'"),
    "mus": ("mus = json:__doc__", "Ordago has a game of this name"),
    "mine": ("mine = ordago.games.mus:GAME", "is a game called 'mus', and has to be a Game called 'mine'"),
}
MODULES = {
    "bad_package": "1 / 0",
    "leaving_package": "raise SystemExit(3)",
    "drifting_package": "from ordago.wire.mirror import DriftError\nraise DriftError('values and messages differ')",
}


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_played_is_told_and_left_out(tmp_path: Path, name: str) -> None:
    for module, text in MODULES.items():
        (tmp_path / f"{module}.py").write_text(text)
    point, told = CASES[name]
    with installed(offering(tmp_path, dict([point.split(" = ")]), package="bad-game")):
        assert game_names() == OWN
        [sentence] = refused_games()
        assert told in sentence
        assert "of bad-game is left out" in sentence
        assert find_game("mus").rules.title == "Mus"
        if name not in OWN:
            with pytest.raises(UnknownGameError) as caught:
                find_game(name)
            assert str(caught.value) == sentence
        listed = ordago("games")
        assert_told(listed, 0, "mittlere", told)
        assert told in listed.stderr
        assert_told(ordago("games", "mus"), 0, "# Mus")


def test_of_two_packages_with_a_game_of_one_name_none_is_played(tmp_path: Path) -> None:
    first = offering(tmp_path / "first", {"unheardof": "json:__doc__"}, package="one")
    second = offering(tmp_path / "second", {"unheardof": "json:__doc__"}, package="two")
    with installed(first, second):
        [sentence] = refused_games()
    assert "of one and two is left out: all of them offer a game of this name" in sentence


def test_a_server_plays_on_and_says_so_in_its_log(tmp_path: Path) -> None:
    from ordago_cli.serve.outside import _of_games

    with installed(offering(tmp_path, {"missing": "not_there:GAME"}, package="bad-game")):
        [warned] = _of_games()
    assert warned.subject == "games"
    assert "not_there" in warned.sentence
