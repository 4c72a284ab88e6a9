from ordago import v1
from ordago.record import FaultCount, StrikeCount, faults_of, strikes_of, tell


def test_a_match_reads_from_who_played_to_how_it_ended(played: v1.MatchRecord):
    lines = list(tell(played))
    assert lines[:5] == [
        "Match 00000000000000000000000000000001",
        "Mittlere Jass, deals 3, decision 10 s",
        "  seat 1: ana, version 1.0",
        "  seat 2: beñat, version 1.0",
        "  seat 3: chloé, version 1.0",
    ]
    assert "Secret: not revealed in this record" in lines
    assert sum(line.startswith("Deal ") for line in lines) == 3
    ending = lines.index("All deals were played.")
    by_placing = sorted(zip(played.outcome.placings, ("ana", "beñat", "chloé"), played.outcome.scores, strict=True))
    assert lines[ending + 1 : ending + 4] == [f"  {place}. {name} {score}" for place, name, score in by_placing]


def test_options_are_told_in_the_words_of_the_command_line(record: v1.MatchRecord):
    record.game = "mus"
    record.options.mus.ruleset, record.options.mus.signals = v1.MUS_RULESET_FEDERATION, v1.MUS_SIGNALS_OFF
    record.options.mus.max_deals = 7
    assert list(tell(record))[1] == "Mus, ruleset federation, max_deals 7, signals off, decision 10 s"
    record.options.mus.ruleset = 99  # type: ignore[assignment]  # of a contract that is newer than this
    assert list(tell(record))[1] == "Mus, ruleset 99, max_deals 7, signals off, decision 10 s"
    record.options.mitigati.ranking = v1.MITIGATI_RANKING_PIEDMONT
    assert "ranking piedmont" in list(tell(record))[1]


def test_an_attempt_and_a_revealed_secret_are_told(record: v1.MatchRecord, secret: bytes):
    record.attempt, record.secret = 1, secret
    lines = list(tell(record))
    assert lines[0] == "Match 00000000000000000000000000000001, attempt 2"
    assert f"Secret: {secret.hex()}" in lines


def test_faults_are_told_by_player(record: v1.MatchRecord):
    told = [line for line in tell(record) if line.startswith("Default actions for")]
    late = sum(entry.choice.fault == v1.FAULT_TOO_LATE for entry in record.entries)
    assert late
    assert late == sum(int(line.rsplit(" ", 1)[1]) for line in told)
    assert all("too late" in line for line in told)


def test_a_record_that_is_wrong_is_told_up_to_there(record: v1.MatchRecord):
    whole = list(tell(record))
    del record.entries[60:]
    lines = list(tell(record))
    assert lines[:20] == whole[:20]
    assert "Problem with the record: The entries end before the match does." in lines


def test_a_game_that_is_not_installed_is_named_and_not_told(record: v1.MatchRecord):
    record.game = "tarocchi"
    lines = list(tell(record))
    assert "An unknown game, 'tarocchi', deals 3, decision 10 s" in lines
    assert any(line.startswith("Problem with the record: It cannot be played: there is no game") for line in lines)


def test_nothing_at_all_can_be_told_too():
    lines = list(tell(v1.MatchRecord()))
    assert lines[:2] == ["Match ", "An unknown game, ''"]


def test_a_name_cannot_play_tricks_on_a_terminal(record: v1.MatchRecord):
    record.seats[0].name = "\x1b[2Jana\nben"
    record.seats[1].name = ""
    lines = list(tell(record))
    assert all(line.isprintable() for line in lines)
    assert lines[2].startswith("  seat 1: \\x1b[2Jana")
    assert lines[3] == "  seat 2: seat 2, version 1.0"


def test_strikes_are_told_by_the_rules_that_were_broken(record: v1.MatchRecord):
    choices = [entry.choice for entry in record.entries if entry.HasField("choice") and entry.choice.seat == 1]
    for choice, rules in zip(choices, (["follow_suit", "answer"], ["follow_suit"]), strict=False):
        choice.broken_rules.extend(rules)
    assert strikes_of(record)[1] == (StrikeCount("answer", 1), StrikeCount("follow_suit", 2))
    assert f"Refused answers of {record.seats[1].name}: answer 1, follow_suit 2" in list(tell(record))


def test_strikes_whose_rules_were_not_noted_are_not_told(record: v1.MatchRecord):
    """As in records from before they were."""
    next(entry.choice for entry in record.entries if entry.HasField("choice")).strikes = 2
    assert not any(strikes_of(record))
    assert not any("Refused" in line for line in tell(record))


def test_faults_are_counted_by_seat_and_by_name(record: v1.MatchRecord):
    def choice(seat: int, fault: int) -> v1.RecordEntry:
        entry = v1.RecordEntry(choice=v1.RecordedChoice(seat=seat))
        entry.choice.fault = fault
        return entry

    del record.entries[:]
    record.entries.extend(choice(*pair) for pair in [(0, 4), (0, 4), (0, 2), (1, 0), (2, 77), (9, 4)])
    record.entries.add(event=v1.Event())
    assert faults_of(record) == (
        (FaultCount("illegal", 1), FaultCount("too_late", 2)),
        (),
        (FaultCount("fault_77", 1),),
    )
