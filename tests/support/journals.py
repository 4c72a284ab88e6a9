"""What stands in a journal, as tests write it and read it again."""

from pathlib import Path

from ordago import v1
from ordago.journal import Journal
from ordago.journal.v1 import JournaledMatch, JournaledSeat, JournaledSession


def entry(seat: int, charged_ms: int = 0) -> bytes:
    choice = v1.RecordedChoice(seat=seat, charged_ms=charged_ms)
    return v1.MatchRecord(entries=[v1.RecordEntry(choice=choice)]).SerializeToString()


def match(match_id: str, *handles: int) -> JournaledMatch:
    seats = [JournaledSeat(session_id=f"s{seat}", match_handle=handle) for seat, handle in enumerate(handles)]
    return JournaledMatch(record=v1.MatchRecord(match_id=match_id, secret=b"s" * 32), seats=seats)


def session(number: int) -> JournaledSession:
    return JournaledSession(session_id=f"s{number}", token_digest=b"d" * 32, games=["mus", "taihe"])


def alive(path: Path) -> tuple[list[JournaledSession], list[JournaledMatch]]:
    journal = Journal(path)
    journal.close()
    return journal.sessions, journal.matches


def seats_of(found: JournaledMatch) -> list[int]:
    return [kept.choice.seat for kept in found.record.entries]


def alive_in_a_copy(path: Path) -> list[JournaledMatch]:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    return alive(copy)[1]
