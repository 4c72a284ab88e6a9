import csv
import io
import json
import re
from collections.abc import Callable
from random import Random

import pytest
from support.ledgers import beginning
from support.markup import Page
from support.times import times_of

from ordago.chance import commitment, event_commitment
from ordago.record import FaultCount, SeatForfeit, StrikeCount
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import read_ledger
from ordago.store import MatchResult
from ordago_ladder.pages import page as page_module
from ordago_ladder.pages.assets import asset_names
from ordago_ladder.pages.page import page_names
from ordago_ladder.publication.exports import ladder_csv, ladder_json, ladder_pgn
from ordago_ladder.rating.ladder import Ladder, SecretError, build_ladder
from ordago_ladder.rating.results import pairings
from ordago_ladder.schedule.conduct import Conduct
from ordago_ladder.settings.settings import Settings

SECRET = bytes(range(32))
STRENGTHS = {"a": 1800.0, "b": 1600.0, "c": 1500.0, "d": 1200.0}
TERMS = 'title = "A <title> & more"\nrepetitions = 2'
LEDGER = read_ledger(chained([beginning(secret=SECRET, entrants="abcd")]))


def ladder_pages(ladder: Ladder) -> dict[str, str]:
    """Return the pages of a ladder, beside which nothing is claimed. An open match is as long as its place says."""
    shown = [played for played in ladder.results if played.planned.set_key in ladder.complete_sets]
    times = {
        played.match.match_id: times_of(len(played.planned.entrants), decisions=9 + played.planned.row)
        for played in shown
    }
    return dict(page_module.ladder_pages(ladder, LEDGER, (), times))


def ladder_page(ladder: Ladder) -> str:
    return ladder_pages(ladder)["index.html"]


@pytest.fixture
def event(make_event: Callable[..., Settings]) -> Settings:
    return make_event([("trio", 3), ("pairs", 4)], entrants=4, terms=TERMS)


@pytest.fixture
def results(event: Settings, make_results: Callable[..., list[MatchResult]]) -> list[MatchResult]:
    played = make_results(event, STRENGTHS)
    row, first = next((row, match) for row, match in enumerate(played) if match.planned.game == "trio")
    faults = ((FaultCount("illegal", 1), FaultCount("too_late", 2)), (), ())
    played[row] = first._replace(result=first.result._replace(faults=faults, forfeits=(SeatForfeit(0, "too_late"),)))
    return played


@pytest.fixture
def struck(event: Settings, results: list[MatchResult]) -> Ladder:
    """The same ladder, with strikes in the first match of all."""
    first, *others = results
    strikes = ((StrikeCount("follow_suit", 2),), *first.result.strikes[1:-1], (StrikeCount("answer", 1),))
    again = [first._replace(result=first.result._replace(strikes=strikes)), *others]
    return build_ladder(event, again, secret_digest=commitment(SECRET), secret=SECRET, versions={"a": "1.2"})


@pytest.fixture
def ladder(event: Settings, results: list[MatchResult]) -> Ladder:
    return build_ladder(event, results, secret_digest=commitment(SECRET), secret=SECRET, versions={"a": "1.2"})


class TestValue:
    def test_the_order_of_the_results_does_not_matter(
        self, event: Settings, results: list[MatchResult], ladder: Ladder
    ) -> None:
        shuffled = Random(1).sample(results, len(results))
        again = build_ladder(event, shuffled, secret_digest=commitment(SECRET), secret=SECRET, versions={"a": "1.2"})
        assert again == ladder

    def test_the_secret_comes_with_the_last_match(self, event: Settings, results: list[MatchResult]) -> None:
        running = build_ladder(event, results[:-1], secret_digest=commitment(SECRET), secret=SECRET)
        finished = build_ladder(event, results, secret_digest=commitment(SECRET), secret=SECRET)
        assert (running.finished, running.secret) == (False, None)
        assert (finished.finished, finished.secret) == (True, SECRET)

    def test_another_secret_is_refused(self, event: Settings) -> None:
        with pytest.raises(SecretError):
            build_ladder(event, [], secret_digest=commitment(SECRET), secret=bytes(32))

    def test_lines_count_what_happened(self, ladder: Ladder, results: list[MatchResult]) -> None:
        trio = ladder.by_game[0]
        played = [result for result in results if result.planned.game == "trio"]
        for line in trio.lines:
            mine = [result for result in played if line.entrant in result.planned.entrants]
            assert line.matches == len(mine)
            assert sum(line.placings) == len(mine)
            assert line.placings[0] == sum(result.placing(line.entrant) == 1 for result in mine)
            assert line.mean_score == sum(result.score(line.entrant) for result in mine) / len(mine)
            assert line.tally.pairings == 2 * len(mine)

    def test_faults_and_forfeits_are_counted(self, ladder: Ladder, results: list[MatchResult]) -> None:
        guilty = next(result.planned.entrants[0] for result in results if result.result.forfeits)
        assert {line.entrant: line.conduct for line in ladder.overall.lines} == {
            name: (Conduct((("illegal", 1), ("too_late", 2)), (("too_late", 1),)) if name == guilty else Conduct())
            for name in STRENGTHS
        }

    @pytest.mark.slow
    def test_who_forfeits_too_much_is_suspended(
        self, make_event: Callable[..., Settings], results: list[MatchResult]
    ) -> None:
        """It depends on the results alone."""
        guilty = next(result.planned.entrants[0] for result in results if result.result.forfeits)
        for suspend_after, suspended in ((1, {guilty}), (2, set()), (0, set())):
            terms = f"{TERMS}\nsuspend_after = {suspend_after}"
            event = make_event([("trio", 3), ("pairs", 4)], entrants=4, terms=terms)
            ladder = build_ladder(event, results, secret_digest=commitment(SECRET))
            assert {entrant.name for entrant in ladder.entrants if entrant.suspended} == suspended
            assert ("suspended after" in ladder_pages(ladder)["entrants.html"]) == bool(suspended)

    def test_the_overall_ladder_has_all_games(self, ladder: Ladder) -> None:
        overall, trio, pairs = (
            {line.entrant: line.matches for line in standings.lines} for standings in (ladder.overall, *ladder.by_game)
        )
        assert overall == {name: trio[name] + pairs[name] for name in STRENGTHS}

    def test_a_single_game_has_one_ladder(self, make_event: Callable[..., Settings]) -> None:
        single = build_ladder(make_event(), [], secret_digest=b"")
        assert single.by_game == (single.overall,)

    def test_the_crosstable_has_two_sides(self, ladder: Ladder) -> None:
        table = ladder.overall.crosstable
        for row in range(len(table)):
            assert table[row][row] is None
            for column in range(row):
                one, other = table[row][column], table[column][row]
                assert one is not None
                assert other is not None
                assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)

    def test_equal_ratings_share_a_rank(self, event: Settings) -> None:
        empty = build_ladder(event, [], secret_digest=commitment(SECRET))
        assert [line.rank for line in empty.overall.lines] == [1, 1, 1, 1]

    def test_the_event_file_has_the_last_word_on_versions(self, make_event: Callable[..., Settings]) -> None:
        entrants = build_ladder(make_event(entrants=3), [], secret_digest=b"", versions={"a": "2", "b": "3"}).entrants
        assert [entrant.version for entrant in entrants] == ["2", "3", ""]


class TestJson:
    def test_it_is_the_same_byte_for_byte(self, event: Settings, results: list[MatchResult], ladder: Ladder) -> None:
        again = build_ladder(
            event, results[::-1], secret_digest=commitment(SECRET), secret=SECRET, versions={"a": "1.2"}
        )
        assert ladder_json(again).encode() == ladder_json(ladder).encode()

    def test_keys_ascend_and_figures_are_rounded(self, ladder: Ladder) -> None:
        text = ladder_json(ladder)
        content = json.loads(text)
        assert text == json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        assert all(len(figure) <= 4 for figure in re.findall(r"\.(\d+)", text))
        assert re.search(r"-0\.0+\b", text) is None

    def test_it_holds_the_event_and_its_results(self, ladder: Ladder, results: list[MatchResult]) -> None:
        content = json.loads(ladder_json(ladder))
        assert content["event"]["title"] == "A <title> & more"
        assert content["event"]["secret_in_event_file"] is False
        assert content["games"][0]["options"] == {"deals": 12}
        assert content["secret"] == SECRET.hex()
        digests = commitment(SECRET), ladder.settings_digest
        assert (content["secret_digest"], content["settings_digest"]) == tuple(digest.hex() for digest in digests)
        assert content["commitment"] == event_commitment(*digests).hex()
        assert content["state"] == {"finished": True, "planned": len(results), "played": len(results)}
        assert [match["row"] for match in content["matches"]] == list(range(len(results)))
        assert content["overall"]["ladder"][0]["entrant"] == "a"
        assert set(content["by_game"]) == {"trio", "pairs"}
        assert set(content["overall"]["crosstable"]["a"]) == {"b", "c", "d"}
        superiority = content["overall"]["superiority"]
        assert [row[place] for place, row in enumerate(superiority)] == [None] * 4
        assert superiority[0][1] == content["overall"]["ladder"][0]["above_next"]
        assert {line["entrant"] for line in content["equal_games"]["ladder"]} == set("abcd")
        assert set(content["by_game"]["trio"]["ladder"][0]["points_per_deal"]) == {"value", "low", "high"}
        assert content["entrants"][0] == {"name": "a", "version": "1.2", "suspended": False}

    def test_it_says_what_went_wrong(self, ladder: Ladder, results: list[MatchResult]) -> None:
        content = json.loads(ladder_json(ladder))
        row, guilty = next(
            (result.planned.row, result.planned.entrants[0]) for result in results if result.result.forfeits
        )
        [line] = [line for line in content["overall"]["ladder"] if line["entrant"] == guilty]
        assert (line["faults"], line["faults_by_cause"]) == (3, {"illegal": 1, "too_late": 2})
        assert (line["forfeits"], line["forfeits_by_cause"]) == (1, {"too_late": 1})
        assert content["matches"][row]["faults"] == [{"illegal": 1, "too_late": 2}, {}, {}]
        assert content["matches"][row]["forfeits"] == [{"seat": 0, "fault": "too_late"}]
        assert content["matches"][row]["attempt"] == 0

    def test_how_bots_are_started_is_nobodys_business(self, ladder: Ladder) -> None:
        assert "./a" not in ladder_json(ladder)
        assert not re.search(r"(?<!\.)\./a", "".join(ladder_pages(ladder).values()))


class TestOtherExports:
    def test_csv_has_a_line_for_each_ladder_and_entrant(self, ladder: Ladder) -> None:
        rows = list(csv.DictReader(io.StringIO(ladder_csv(ladder))))
        assert [row["ladder"] for row in rows] == ["overall"] * 4 + ["trio"] * 4 + ["pairs"] * 4
        assert (rows[0]["entrant"], rows[0]["version"], rows[0]["mean_score"]) == ("a", "1.2", "")
        assert float(rows[0]["low"]) < float(rows[0]["elo"]) < float(rows[0]["high"])

    def test_strikes_are_told_by_their_rules_where_there_were_any(self, struck: Ladder, ladder: Ladder) -> None:
        """Of an event without any, each export is what it was before strikes were told."""
        planned = struck.results[0].planned
        content = json.loads(ladder_json(struck))
        assert content["matches"][0]["strikes"] == [{"follow_suit": 2}, {}, {}, {"answer": 1}]
        lines = {line["entrant"]: line for line in content["overall"]["ladder"]}
        first, last = lines[planned.entrants[0]], lines[planned.entrants[-1]]
        assert (first["strikes"], first["strikes_by_rule"]) == (2, {"follow_suit": 2})
        assert (last["strikes"], last["strikes_by_rule"]) == (1, {"answer": 1})
        assert sum("strikes" in line for line in lines.values()) == 2
        rows = list(csv.DictReader(io.StringIO(ladder_csv(struck))))
        overall = {row["entrant"]: row["strikes"] for row in rows if row["ladder"] == "overall"}
        assert sorted(overall.values()) == ["0", "0", "1", "2"]
        assert overall[planned.entrants[0]] == "2"
        assert [line.rpartition(",")[0] for line in ladder_csv(struck).splitlines()] == ladder_csv(ladder).splitlines()
        assert '"strikes_by_rule"' not in ladder_json(ladder)
        assert ladder_pgn(struck) == ladder_pgn(ladder)

    def test_csv_has_a_column_for_each_cause(self, ladder: Ladder, results: list[MatchResult]) -> None:
        guilty = next(result.planned.entrants[0] for result in results if result.result.forfeits)
        rows = csv.DictReader(io.StringIO(ladder_csv(ladder)))
        row = next(row for row in rows if row["entrant"] == guilty)
        assert (row["faults"], row["faults_illegal"], row["faults_too_late"], row["faults_crashed"]) == tuple("3120")
        assert (row["forfeits"], row["forfeits_too_late"], row["forfeits_illegal"], row["suspended"]) == tuple("1100")

    @pytest.mark.parametrize("version", ["=1+1", "+1", "-1", "@SUM(A1)"])
    def test_no_version_is_a_formula_in_csv(self, make_event: Callable[..., Settings], version: str) -> None:
        ladder = build_ladder(make_event(entrants=3), [], secret_digest=b"", versions={"a": version})
        versions = {row["version"] for row in csv.DictReader(io.StringIO(ladder_csv(ladder)))}
        assert versions == {f"'{version}", ""}

    def test_pgn_has_a_game_for_each_rated_pairing(self, ladder: Ladder, results: list[MatchResult]) -> None:
        games = ladder_pgn(ladder).strip().split("\n\n[Event")
        rated = [(played, pairing) for played in results for pairing in pairings([played]) if pairing.rated]
        assert len(games) == len(rated) == len(list(pairings(results))) - 1
        for game, (played, pairing) in zip(games, rated, strict=True):
            result = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}[pairing.half_points]
            assert f'[White "{pairing.kind.first[0]}"]\n[Black "{pairing.kind.second[0]}"]\n[Result "{result}"]' in game
            assert f'[Variant "{played.planned.game.title()}"]\n[Set "{played.planned.set_key}"]' in game
            assert game.endswith(f'"{"time forfeit" if played.result.forfeits else "normal"}"]\n\n{result}')


class TestPage:
    def test_each_is_whole_and_loads_nothing_but_its_assets(self, event: Settings, ladder: Ladder) -> None:
        pages = ladder_pages(ladder)
        assert list(pages) == page_names(event, [played.planned for played in ladder.results])
        for name, text in pages.items():
            page = Page(text)
            assert page.open == []
            assert "style" not in {tag for tag, _ in page.tags} | {
                name for _, attributes in page.tags for name in attributes
            }
            root = "../" * name.count("/")
            for _, attributes in page.tags:
                loaded = attributes.get("src") or (attributes.get("rel") and attributes["href"])
                assert not loaded or loaded.removeprefix(root) in asset_names([])
            assert "http" not in text
            assert "url(" not in text

    def test_titles_are_text(self, ladder: Ladder) -> None:
        assert "<h1>A &lt;title&gt; &amp; more</h1>" in ladder_page(ladder)

    def test_every_match_leads_to_its_record_and_to_where_it_is_told(
        self, ladder: Ladder, results: list[MatchResult]
    ) -> None:
        links = [
            attributes["href"] for tag, attributes in Page(ladder_pages(ladder)["matches/1.html"]).tags if tag == "a"
        ]
        expected = [
            path
            for result in results
            for path in (f"../told/{result.match.match_id}.html", f"../records/{result.match.match_id}.record")
        ]
        assert [link for link in links if "told/" in str(link) or "records/" in str(link)] == expected

    def test_a_record_is_open_when_its_set_is_played(self, event: Settings, results: list[MatchResult]) -> None:
        """The first set are the first two matches; of the second one is played."""
        assert [result.planned.set_key for result in results[:4]] == ["pairs|a,b|0"] * 2 + ["pairs|c,d|0"] * 2
        page = ladder_pages(build_ladder(event, results[:3], secret_digest=commitment(SECRET)))["matches/1.html"]
        for path in ("told/{}.html", "records/{}.record"):
            linked = [result.planned.row for result in results if path.format(result.match.match_id) in page]
            assert linked == [0, 1]

    def test_anchors_are_named(self, make_event: Callable[..., Settings]) -> None:
        bound = build_ladder(make_event(terms="[anchors]\nc = 1200\n"), [], secret_digest=commitment(SECRET))
        assert "Ratings are anchored to the known ones of c (1200)." in ladder_page(bound)

    def test_headings_of_tables_say_what_they_head(self, ladder: Ladder) -> None:
        tags = [tag for page in ladder_pages(ladder).values() for tag in Page(page).tags]
        assert all(attributes.get("scope") in {"row", "col"} for tag, attributes in tags if tag == "th")

    @pytest.mark.slow
    def test_faults_stand_in_a_table_of_their_own(self, event: Settings, ladder: Ladder) -> None:
        page = ladder_pages(ladder)["entrants.html"]
        table = page.partition('<h2 id="faults">')[2].partition("</table>")[0]
        assert "<td>1</td>\n<td>2 (1)</td>" in table
        listed = ladder_pages(ladder)["matches/1.html"]
        assert "illegal 1,</i>" in listed
        assert "too late 2</i>" in listed
        clean = ladder_pages(build_ladder(event, [], secret_digest=commitment(SECRET)))["entrants.html"]
        assert "Nothing went wrong" in clean

    @pytest.mark.slow
    def test_strikes_stand_in_a_table_of_their_own(self, struck: Ladder, ladder: Ladder) -> None:
        table = ladder_pages(struck)["entrants.html"].partition('<h2 id="strikes">')[2].partition("</table>")[0]
        assert "<code>answer</code></th>" in table
        assert "<code>follow_suit</code></th>" in table
        assert "<td>0</td>\n<td>2</td>\n<td>2</td>" in table
        assert "<td>1</td>\n<td>0</td>\n<td>1</td>" in table
        assert "strikes" not in ladder_pages(ladder)["entrants.html"]

    def test_a_match_that_was_begun_anew_is_told(self, event: Settings, results: list[MatchResult]) -> None:
        again = [results[0]._replace(match=results[0].match._replace(attempt=1)), *results[1:]]
        first, second = (
            ladder_pages(build_ladder(event, played, secret_digest=commitment(SECRET))) for played in (again, results)
        )
        assert "The server failed in 1 of the matches" in first["index.html"]
        assert "started again with other deals" in first["matches/1.html"]
        assert "started again" not in second["matches/1.html"]
        assert "The server failed" not in second["index.html"]

    def test_times_are_told_where_they_are_not_those_of_each_decision(
        self, make_event: Callable[..., Settings]
    ) -> None:
        terms = "bank_ms = 60_000\nincrement_ms = 100\nlag_credit_ms = 50\nlag_bank_ms = 500\ndisconnect_bank_ms = 0"
        page = ladder_page(build_ladder(make_event(terms=terms), [], secret_digest=commitment(SECRET)))
        told = (
            "60 s of reserve time per match, 0.1 s added after each decision, 0.05 s of lag allowed per decision</li>"
        )
        assert told in page.replace("\N{NO-BREAK SPACE}", " ")

    @pytest.mark.slow
    def test_the_secret_is_shown_at_the_end(self, event: Settings, ladder: Ladder) -> None:
        running = build_ladder(event, ladder.results[:3], secret_digest=commitment(SECRET), secret=SECRET)
        assert "secret revealed, verified" in ladder_page(ladder)
        assert "verified" not in ladder_page(running)
        proved, unproved = ladder_pages(ladder)["proof.html"], ladder_pages(running)["proof.html"]
        assert SECRET.hex() in proved
        assert SECRET.hex() not in "".join(ladder_pages(running).values())
        assert "revealed when the last match is played" in unproved
        assert "ordago verify DIR" in proved

    def test_a_single_game_has_a_single_ladder(self, make_event: Callable[..., Settings], ladder: Ladder) -> None:
        single = build_ladder(make_event(), [], secret_digest=commitment(SECRET))
        assert "All games" not in ladder_page(single)
        assert "All games" in ladder_page(ladder)

    @pytest.mark.parametrize(
        ("terms", "sentence"),
        [
            ("", "The same deals are played in every seating of a table, so"),
            ("duplicates = false", "Duplicates are off at this event"),
            (f'secret = "{SECRET.hex()}"', "This is a demonstration"),
        ],
    )
    def test_what_weakens_fairness_is_said(
        self, make_event: Callable[..., Settings], terms: str, sentence: str
    ) -> None:
        begun = build_ladder(make_event(terms=terms), [], secret_digest=commitment(SECRET))
        pages = ladder_pages(begun)
        assert sentence in pages["proof.html"]
        assert SECRET.hex() not in "".join(pages.values()) + ladder_json(begun)

    def test_ratings_that_cannot_be_compared_are_named(self, event: Settings, results: list[MatchResult]) -> None:
        nothing, little = (
            ladder_page(build_ladder(event, results[:count], secret_digest=commitment(SECRET))) for count in (0, 4)
        )
        assert "Nothing has been played yet." in nothing
        assert "These groups have not met" in little
