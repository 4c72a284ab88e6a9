import sys
from pathlib import Path

import pytest
from support.copies import pickled
from support.event_texts import MINIMAL, with_entrant, with_game, with_terms

from ordago.match import FaultTerms, TimeTerms
from ordago_ladder.entrants.launch import launch_command
from ordago_ladder.event_file.file import EventFileError, parse_event, read_event, without_environment
from ordago_ladder.matches.terms import fault_terms, own_times, time_terms


def problems_of(text: str) -> tuple[str, ...]:
    with pytest.raises(EventFileError) as caught:
        parse_event(text)
    return caught.value.problems


def test_what_is_not_written_has_a_default() -> None:
    settings = parse_event(MINIMAL)
    assert settings.event.heading == "small"
    assert settings.duplicate_games == settings.games
    assert settings.event.secret is None
    assert settings.games[0].seats == 3
    assert settings.games[0].options == (("deals", 12),)


def test_a_whole_event_is_read() -> None:
    terms = f'title = "A title"\nrepetitions = 4\nduplicates = false\nsecret = "{"0A" * 32}"\nstart_timeout = 5'
    settings = parse_event(
        with_terms(terms).replace('name = "trio"', 'name = "crowd"\nseats = 4\noptions.deals = 6')
        + '[[entrant]]\nname = "d"\nhouse = "house:solid"\nsettings = { worlds = 8 }\nenv = { B = "2", A = "1" }'
    )
    assert settings.event.heading == "A title"
    assert settings.event.secret == b"\x0a" * 32
    assert (settings.games[0].seats, settings.games[0].options) == (4, (("deals", 6),))
    assert settings.games[0].sides == (0, 1, 2, 3)
    assert settings.entrants[3].house == "solid"
    assert settings.entrants[3].env == (("A", "1"), ("B", "2"))


def test_what_a_match_is_played_under_comes_from_the_file() -> None:
    event = parse_event(
        with_terms(
            "decision_ms = 1\nbank_ms = 2\nincrement_ms = 3\nlag_credit_ms = 4\nlag_bank_ms = 5\n"
            "disconnect_bank_ms = 6\nstrikes = 7\nforfeit_after = 8"
        )
    ).event
    assert time_terms(event) == TimeTerms(
        decision_ms=1, bank_ms=2, increment_ms=3, lag_credit_ms=4, lag_bank_ms=5, disconnect_bank_ms=6
    )
    assert fault_terms(event) == FaultTerms(strikes=7, forfeit_after=8)
    defaults = parse_event(MINIMAL).event
    assert time_terms(defaults) == TimeTerms(decision_ms=1_000, disconnect_bank_ms=5_000)
    assert fault_terms(defaults) == FaultTerms(strikes=3, forfeit_after=10)
    assert (defaults.suspend_after, defaults.attempts) == (10, 3)


@pytest.mark.parametrize(
    ("odds", "milliseconds"),
    [(0.5, (500, 2, 2)), (2, (2_000, 6, 8)), (0.0104, (10, 0, 0)), (0.01, (10, 0, 0)), (100, (100_000, 300, 400))],
)
def test_the_odds_of_an_entrant_multiply_its_time_to_think(odds: float, milliseconds: tuple[int, int, int]) -> None:
    terms = "bank_ms = 3\nincrement_ms = 4\nlag_credit_ms = 5\ndisconnect_bank_ms = 6"
    settings = parse_event(with_terms(terms).replace('house = "random"', f'house = "random"\ntime_odds = {odds}'))
    decision_ms, bank_ms, increment_ms = milliseconds
    wanted = TimeTerms(decision_ms, bank_ms, increment_ms, lag_credit_ms=5, disconnect_bank_ms=6)
    assert own_times(settings) == {"alpha": wanted}


def test_an_entrant_whose_odds_change_nothing_has_the_time_of_the_event() -> None:
    text = with_terms("decision_ms = 1")
    for odds in ("1", "1.2", "0.01"):
        settings = parse_event(text.replace('house = "random"', f'house = "random"\ntime_odds = {odds}'))
        assert own_times(settings) == {}, "a decision takes a millisecond at least"


def test_settings_travel_to_other_processes() -> None:
    settings = parse_event(MINIMAL)
    assert pickled(settings) == settings


def test_the_secret_is_not_shown() -> None:
    assert "0a0a" not in repr(parse_event(with_terms(f'secret = "{"0a" * 32}"')))


def test_launch_commands() -> None:
    settings = parse_event(with_entrant('name = "d"\nhouse = "solid"\nsettings = { worlds = 8 }'))
    house = (sys.executable, "-m", "ordago_bot")
    assert [launch_command(entrant) for entrant in settings.entrants] == [
        (*house, "random"),
        ("./bot", "--level", "very high"),
        ("./bot", "two words"),
        (*house, "solid", "--worlds", "8"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("[event]\nname = ", "line 2, column 8: invalid TOML: Invalid value", id="toml"),
        pytest.param('a = """', "line 1, column 8: invalid TOML: Unterminated string", id="toml at the end"),
        pytest.param(
            with_entrant('name = "d"\ncomand = "x"'),
            "[[entrant]] 4: unknown key 'comand'; did you mean 'command'?",
            id="unknown key",
        ),
        pytest.param(
            with_terms("repetition = 3"),
            "[event]: unknown key 'repetition'; did you mean 'repetitions'?",
            id="unknown key of the event",
        ),
        pytest.param(
            with_terms('overall = "seats"'),
            "[event]: 'overall' takes \"pairings\" or \"games\", not 'seats'",
            id="overall",
        ),
        pytest.param(
            MINIMAL + "[anchors]\ndelta = 1700",
            "[anchors]: there is no entrant 'delta'; there are: alpha, beta, gamma",
            id="unknown anchor",
        ),
        *(
            pytest.param(
                f"{MINIMAL}[anchors]\nalpha = {elo}",
                f"an anchor takes its rating, -10,000 to 10,000, not alpha = {shown}",
                id=f"anchor {elo}",
            )
            for elo, shown in (("nan", "nan"), ("-inf", "-inf"), ("1e300", "1e+300"), ("true", "True"), ('"9"', "'9'"))
        ),
        pytest.param(
            f"anchors = 3{MINIMAL}",
            "'anchors' takes a table: [anchors] and below it NAME = RATING, not 3",
            id="anchors as a number",
        ),
        pytest.param(
            with_terms("zzz = 3").replace("[event]", "[events]\n[event]"),
            "unknown section [events]; the sections are [event], [limits], [anchors], [[announce]], [[game]] and "
            "[[entrant]]",
            id="unknown section",
        ),
        pytest.param(
            MINIMAL.replace('name = "alpha"\n', ""),
            "[[entrant]] 1: the key 'name' is missing; add it",
            id="missing key",
        ),
        pytest.param(
            with_terms('decision_ms = "fast"'),
            "[event]: 'decision_ms' takes a whole number, not 'fast'",
            id="wrong type",
        ),
        pytest.param(
            with_terms("duplicates = 1"), "[event]: 'duplicates' takes true or false, not 1", id="wrong boolean"
        ),
        pytest.param(
            with_terms("repetitions = 0"),
            "[event]: 'repetitions' takes a number of at least 1, not 0",
            id="below the range",
        ),
        pytest.param(
            with_terms("strikes = 1000"),
            "[event]: 'strikes' takes a number of at most 100, not 1000",
            id="above the range",
        ),
        pytest.param(
            with_terms('secret = "0a"'),
            "[event]: 'secret' takes 32 bytes as 64 hexadecimal digits in quotes",
            id="short secret",
        ),
        pytest.param(
            MINIMAL.replace('"small"', '"A small one"'),
            "[event]: 'name' takes small letters, digits and hyphens, 64 at most, not 'A small one'",
            id="no slug",
        ),
        pytest.param(with_game('name = "tri"'), "[[game]] 1: there is no game 'tri'", id="unknown game"),
        pytest.param(with_game('name = "trio"\nseats = 5'), "[[game]] 1: 'seats' takes 3, not 5", id="wrong seats"),
        pytest.param(
            with_game('name = "trio"\noptions.deals = 4'),
            "[[game]] 1: option 'deals' takes a multiple of 3",
            id="option that the rules refuse",
        ),
        pytest.param(
            with_game('name = "trio"\noptions.dealz = 3'),
            "[[game]] 1: there is no option 'dealz'; the options are: deals",
            id="unknown option",
        ),
        pytest.param(
            with_game('name = "trio"\n[[game]]\nname = "trio"'),
            "[[game]] 2: the name 'trio' is taken by [[game]] 1; choose another",
            id="doubled game",
        ),
        pytest.param(
            with_game('name = "crowd"\nseats = 5'),
            "[[game]] 1: crowd with 5 seats takes 5 entrants a table, and there are 3; add an [[entrant]]",
            id="too few entrants",
        ),
        pytest.param(
            with_entrant('name = "beta"\nhouse = "random"'),
            "[[entrant]] 4: the name 'beta' is taken by [[entrant]] 2; choose another",
            id="doubled entrant",
        ),
        pytest.param(
            with_entrant('name = "d|e"\nhouse = "random"'),
            "[[entrant]] 4: 'name' takes letters, digits, spaces and . _ + -, 64 at most, "
            "beginning with a letter or a digit, not 'd|e'",
            id="separator in a name",
        ),
        pytest.param(
            with_entrant('name = "d"\nhouse = "sold"'),
            "[[entrant]] 4: there is no house bot 'sold'; did you mean 'solid'?",
            id="unknown house bot",
        ),
        pytest.param(
            with_entrant('name = "d"\nhouse = "solid"\nsettings = { words = 3 }'),
            "[[entrant]] 4: the house bot 'solid' has no setting 'words'; did you mean 'worlds'?",
            id="unknown setting",
        ),
        pytest.param(
            with_entrant('name = "d"\nhouse = "random"\nsettings = { words = 3 }'),
            "[[entrant]] 4: the house bot 'random' has no setting 'words'; there are none",
            id="setting of a bot without settings",
        ),
        pytest.param(
            with_entrant('name = "d"\nhouse = "solid"\nsettings = { worlds = 0 }'),
            "[[entrant]] 4: 'worlds' takes a whole number from 1 to 256, not 0",
            id="setting out of range",
        ),
        pytest.param(
            with_entrant('name = "d"'),
            "[[entrant]] 4: an entrant is a house bot, a command or remote, and this one is none of them; write "
            "'house', 'command' or 'remote = true'",
            id="no start",
        ),
        pytest.param(
            with_entrant('name = "d"\nhouse = "random"\ncommand = "x"'),
            "[[entrant]] 4: an entrant is a house bot, a command or remote, and this one is more than one of them; "
            "write 'house', 'command' or 'remote = true'",
            id="two starts",
        ),
        pytest.param(
            with_entrant('name = "d"\ncommand = "a \'b"'),
            "[[entrant]] 4: 'command' has an open quote; close it, or write a backslash before it",
            id="open quote",
        ),
        pytest.param(
            with_entrant('name = "d"\ncommand = ""'),
            "[[entrant]] 4: 'command' takes at least one word, not ''",
            id="empty command",
        ),
        pytest.param(
            with_entrant('name = "d"\ncommand = "x"\nenv = { LEVEL = 3 }'),
            "[[entrant]] 4: 'env' takes texts in quotes; write LEVEL = \"3\"",
            id="number in the environment",
        ),
        pytest.param(
            with_entrant('name = "d"\ncommand = "x"\nsettings = { worlds = 3 }'),
            "[[entrant]] 4: 'settings' is for house bots; put the arguments into 'command'",
            id="settings of a command",
        ),
        pytest.param(
            with_entrant('name = "d"\nhouse = "random"\ntime_odds = 0'),
            "[[entrant]] 4: 'time_odds' takes a number of at least 0.01, not 0",
            id="no time",
        ),
        pytest.param(
            with_entrant('name = "d"\nhouse = "random"\ntime_odds = "2:1"'),
            "[[entrant]] 4: 'time_odds' takes a number, not '2:1'",
            id="odds as a text",
        ),
        pytest.param(
            with_terms("bank_ms = 80_000_000").replace('house = "random"', 'house = "random"\ntime_odds = 1.5'),
            "[[entrant]] 1: 'time_odds' makes its bank_ms 120000000, and 86400000 is the most; write a smaller one",
            id="odds for more than a day",
        ),
        pytest.param(
            with_terms("conceding = true"),
            "[event]: 'conceding' is for games of two sides, and none of these can be conceded; remove it",
            id="conceding among three",
        ),
        pytest.param("event = 3", "'event' is a section of its own; begin it with the line [event]", id="no section"),
        pytest.param("", "there is no [event]; add one", id="empty file"),
        pytest.param(
            MINIMAL.replace("[[game]]", "[game]"),
            "'game' is a section of its own; begin it with the line [[game]]",
            id="one bracket",
        ),
    ],
)
def test_each_error_is_one_clear_sentence(text: str, problem: str) -> None:
    assert problem in problems_of(text)


def test_all_problems_are_told_at_once_with_the_source() -> None:
    text = with_terms('strikes = "x"').replace('house = "random"', 'hose = "random"')
    with pytest.raises(EventFileError) as caught:
        parse_event(text, source="x.toml")
    assert str(caught.value).splitlines() == [
        "x.toml: [event]: 'strikes' takes a whole number, not 'x'",
        "x.toml: [[entrant]] 1: unknown key 'hose'; did you mean 'house'?",
    ]


def test_a_wrong_secret_is_not_told() -> None:
    assert "beef" not in "".join(problems_of(with_terms('secret = "beef"')))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(EventFileError, match="cannot be read: No such file"):
        read_event(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    with pytest.raises(EventFileError, match="save it as UTF-8"):
        read_event(tmp_path / "latin.toml")


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(MINIMAL, encoding="utf-8")
    assert read_event(tmp_path / "event.toml") == parse_event(MINIMAL)


@pytest.mark.parametrize(
    ("written", "published"),
    [
        ('env = { A = "hush", B = "hush" } # why', 'env = { A = "", B = "" } # why'),
        ('env.A = "hush"', 'env.A = ""'),
        ('[entrant.env]\nA = """\nhush"""', '[entrant.env]\nA = ""'),
    ],
)
def test_an_event_file_is_published_without_values_of_the_environment(written: str, published: str) -> None:
    """All else of it is left as it is."""
    before, after = "# A cup.\n[[entrant]]\nname = 'a'\n[[entrant]]\n", "\n"
    assert without_environment(before + written + after) == before + published + after


@pytest.mark.parametrize("last", ["", '[[entrant]]\nname = "b"\n'])
def test_an_event_file_is_published_without_announcements(last: str) -> None:
    first = '[event]\nname = "a"\n'
    announced = '[[announce]]\nurl = "https://a.example/hush"\n[[announce]]\nurl = "https://b.example/hush"\n'
    published = without_environment(first + announced + last)
    assert "hush" not in published
    assert published == first + last


@pytest.mark.parametrize(
    "written", ["1", "{ source = 'x' }", "{ source = 'x', round = -1 }", "{ source = '', round = 1 }"]
)
def test_a_beacon_has_a_source_and_a_round(written: str) -> None:
    with pytest.raises(EventFileError, match=r"'beacon' takes a source and a round: beacon = \{ source = "):
        parse_event(with_terms(f"beacon = {written}"))
