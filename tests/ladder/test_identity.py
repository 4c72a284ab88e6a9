"""Which event a file describes: what changes its digests, and what does not."""

import pytest
from support.event_texts import MINIMAL, with_entrant, with_game, with_terms

from ordago_ladder.event_file.file import parse_event, without_environment
from ordago_ladder.settings.identity import identity_of, settings_digest

DIGEST_OF_OLD = "8410442e96ed9e4e17d82f4210490795f3e632f58ea91eb675c7392c7e1af763"


@pytest.mark.parametrize(
    "same",
    [
        with_terms('title = "Other"\nparallel = 3\nstart_timeout = 3.5\nattempts = 0'),
        with_terms('overall = "games"') + "[anchors]\nalpha = 1700\n",
        with_game('name = "trio"\nseats = 3\noptions.deals = 12'),
        MINIMAL.replace('house = "random"', 'house = "random"\ntime_odds = 1'),
        MINIMAL.replace("\"./bot --level 'very high'\"", '["./bot", "--level", "very high"]'),
    ],
)
def test_the_digest_ignores_what_does_not_change_the_matches(same: str) -> None:
    for digest in (settings_digest, identity_of):
        assert digest(parse_event(same)) == digest(parse_event(MINIMAL))


@pytest.mark.parametrize(
    "other",
    [
        MINIMAL.replace('"small"', '"other"'),
        with_terms("repetitions = 2"),
        with_terms("duplicates = false"),
        with_terms("decision_ms = 5"),
        with_terms("strikes = 1"),
        with_terms("bank_ms = 1"),
        with_terms("increment_ms = 1"),
        with_terms("lag_credit_ms = 1"),
        with_terms("lag_bank_ms = 1"),
        with_terms("disconnect_bank_ms = 0"),
        with_terms("forfeit_after = 0"),
        with_terms("suspend_after = 0"),
        with_terms(f'secret = "{"00" * 32}"'),
        with_game('name = "trio"\noptions.deals = 3'),
        with_game('name = "crowd"'),
        with_entrant('name = "d"\nhouse = "random"'),
        MINIMAL.replace("very high", "low"),
        MINIMAL.replace("very high'\"", "very high'\"\nrules = true"),
        MINIMAL.replace('house = "random"', 'house = "default"'),
        MINIMAL.replace('house = "random"', 'house = "random"\ntime_odds = 2'),
        MINIMAL.replace('house = "random"', 'house = "random"\nenv = { A = "1" }'),
        with_terms('beacon = { source = "drand quicknet", round = 7 }'),
        MINIMAL.replace('house = "random"', 'house = "random"\nversion = "1"'),
    ],
)
def test_the_digest_tells_events_apart(other: str) -> None:
    for digest in (settings_digest, identity_of):
        assert digest(parse_event(other)) != digest(parse_event(MINIMAL))


def test_the_published_digest_knows_no_values_of_the_environment() -> None:
    """The event file is published without them, and whoever reads it has to find the same digest."""
    first, second = (MINIMAL.replace('house = "random"', f'house = "random"\nenv = {{ A = "{a}" }}') for a in "12")
    assert settings_digest(parse_event(first)) == settings_digest(parse_event(second))
    assert settings_digest(parse_event(first)) == settings_digest(parse_event(without_environment(first)))
    assert identity_of(parse_event(first)) != identity_of(parse_event(second))


@pytest.mark.parametrize(
    ("terms", "games", "entrants"),
    [
        ('format = "swiss"\nrounds = 3', "", ""),
        ('format = "swiss"\nrounds = 4', "", ""),
        ('format = "open"\nsets_wanted = 5', "", ""),
        ('format = "open"\nhalf_width = 5', "", ""),
        ('format = "open"\nuntil = 2027-01-31T18:00:00Z', "", ""),
        ('format = "gauntlet"', "", "newcomer = true"),
        ('format = "knockout"', "", ""),
        ('format = "double-elimination"', "", ""),
        ("", "", "processes = 6"),
    ],
)
def test_what_decides_who_plays_belongs_to_the_digests(terms: str, games: str, entrants: str) -> None:
    """An organiser cannot commit to one format and play another."""
    text = with_terms(terms).replace('name = "trio"', f'name = "trio"\n{games}') + entrants
    assert settings_digest(parse_event(text)) != settings_digest(parse_event(MINIMAL))
    assert identity_of(parse_event(text)) != identity_of(parse_event(MINIMAL))


@pytest.mark.parametrize("key", ["advance = 2", "play_offs = 3", "skip_decided = false"])
def test_each_key_of_a_knockout_belongs_to_the_digests(key: str) -> None:
    without, given = (parse_event(with_terms(f'format = "knockout"\n{keys}')) for keys in ("", key))
    assert settings_digest(without) != settings_digest(given)


@pytest.mark.parametrize("key", ['final = "round-robin"', "final_repetitions = 2", "play_offs = 3"])
def test_each_key_of_a_league_belongs_to_the_digests(key: str) -> None:
    fourth = '[[entrant]]\nname = "delta"\nhouse = "random"\n'
    league = 'format = "league"\ngroups = 1\nadvance = 3\n'
    without, given = (parse_event(with_terms(league + keys) + fourth) for keys in ("", key))
    assert settings_digest(without) != settings_digest(given)


@pytest.mark.parametrize("form", ["knockout", "double-elimination"])
def test_the_order_that_seeds_belongs_to_the_digests(form: str) -> None:
    """An organiser that has seen who checked in cannot draw the bracket anew by moving sections."""
    text = with_terms(f'format = "{form}"')
    head, *entrants = text.split("[[entrant]]")
    moved = "[[entrant]]".join([head, *entrants[::-1]])
    assert settings_digest(parse_event(text)) != settings_digest(parse_event(moved))


def test_the_digest_of_an_event_that_knows_no_later_keys_stays() -> None:
    """It was published before there were any: keys that a knockout has are left out where they have no value."""
    assert settings_digest(parse_event(MINIMAL)).hex() == DIGEST_OF_OLD


def test_duplicates_belong_to_the_digests_however_they_come_about() -> None:
    def digest_of(event: str, of_trio: str = "", of_lone: str = "") -> bytes:
        games = f'name = "trio"\n{of_trio}\n[[game]]\nname = "lone"\n{of_lone}'
        return settings_digest(parse_event(with_terms(event).replace('name = "trio"', games)))

    both = digest_of("duplicates = true")
    one = digest_of("")
    none = digest_of("duplicates = false")
    assert len({both, one, none}) == 3
    assert digest_of("", of_lone="duplicates = true") == both
    assert digest_of("duplicates = true", of_lone="duplicates = false") == one
    assert digest_of("duplicates = false", of_trio="duplicates = true") == one
    assert digest_of("", of_trio="duplicates = false") == none


def test_a_default_that_is_written_out_changes_nothing() -> None:
    text = with_terms('format = "round-robin"\nprocesses = 2').replace('"trio"', '"trio"\npartners = "one"')
    assert settings_digest(parse_event(text)) == settings_digest(parse_event(MINIMAL))
