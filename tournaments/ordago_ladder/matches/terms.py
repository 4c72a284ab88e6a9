"""Commitment of an event, and terms of its matches.

All are pure functions of the event, its secret, the nonces, and the values of beacon and restorations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Final

from pydantic import BaseModel

from ordago.chance import commitment, event_commitment, keyed_name, seed_text
from ordago.games import find_game
from ordago.match import TERM_BOUNDS, DealTerms, FaultTerms, MatchTerms, SeatTerms, TimeTerms
from ordago.record.ledgers.event import BeginEntry
from ordago.record.ledgers.ladder import PlayerEntry
from ordago.store import Entrant, PlannedMatch
from ordago_ladder.settings.identity import settings_digest
from ordago_ladder.settings.sections import SCALED_BY_ODDS
from ordago_ladder.settings.settings import Settings

_OF_ALL: Final = "*"
"""The key among the nonces of the bytes that are mixed into all deals. No entrant can have this name."""


def begin_entry(settings: Settings, *, secret: bytes) -> BeginEntry:
    """Return the first entry of an event's ledger."""
    digests = commitment(secret), settings_digest(settings)
    return BeginEntry(
        event=settings.event.name,
        commitment=event_commitment(*digests).hex(),
        secret_digest=digests[0].hex(),
        settings_digest=digests[1].hex(),
        entrants=tuple(entrant.name for entrant in settings.entrants),
        beacon=settings.event.beacon,
    )


def match_id_of(planned: PlannedMatch, *, secret: bytes) -> str:
    """Return the permanent ID of a match, which stays the same over all attempts.

    Without the secret it reveals neither set nor seating.
    """
    return keyed_name(secret, "match", planned.set_key, planned.seating).hex()


def deal_seed_of(
    planned: PlannedMatch, *, event: str, nonces: Mapping[str, bytes], mixed_in: bytes = b"", attempt: int = 0
) -> str:
    """Return the seed text of the deals of a match. All seatings of a set share it in their first attempt.

    Args:
        planned: the match.
        event: the name of the event.
        nonces: the nonces of the entrants by name.
        mixed_in: the values of beacon and restorations, as ``mixed_in`` of the ledger has them.
        attempt: the number of earlier attempts at the match.
    """
    of_table = {entrant: nonces[entrant] for entrant in planned.entrants}
    return seed_text(
        game=planned.game,
        event=event,
        nonces=of_table | ({_OF_ALL: mixed_in} if mixed_in else {}),
        repetition=planned.repetition,
        attempt=attempt,
    )


def match_terms(
    planned: PlannedMatch,
    *,
    settings: Settings,
    secret: bytes,
    entrants: Mapping[str, Entrant],
    mixed_in: bytes = b"",
    attempt: int = 0,
) -> MatchTerms:
    """Return the terms of a match of the schedule.

    Args:
        planned: the match.
        settings: the event.
        secret: the secret of the event.
        entrants: the entrants by name, with nonce, version and build from their check-in.
        mixed_in: the values of beacon and restorations, as ``mixed_in`` of the ledger has them.
        attempt: the number of earlier attempts at the match.
    """
    game = find_game(planned.game)
    match_id = match_id_of(planned, secret=secret)
    nonces = {name: entrant.nonce or b"" for name, entrant in entrants.items()}
    seed = deal_seed_of(planned, event=settings.event.name, nonces=nonces, mixed_in=mixed_in, attempt=attempt)
    seats = seat_terms(match_id, [entrants[entrant] for entrant in planned.entrants], secret=secret)
    own = own_times(settings)
    return MatchTerms(
        match_id=match_id,
        game=game,
        options=game.rules.options(dict(settings.game_named(planned.game).options)),
        seats=tuple(replace(seat, time=own.get(seat.name)) for seat in seats),
        deals=DealTerms.of(secret, seed, revealed=False),
        attempt=attempt,
        time=time_terms(settings.event),
        faults=fault_terms(settings.event),
        conceding=settings.event.conceding,
    )


def seat_terms(match_id: str, players: Sequence[Entrant | PlayerEntry], *, secret: bytes) -> tuple[SeatTerms, ...]:
    """Return the seats of a match with their seeds, for players in order of seats."""
    return tuple(
        SeatTerms(player.name, player.version, player.build, seed=keyed_name(secret, "seed", match_id, seat))
        for seat, player in enumerate(players)
    )


def time_terms(section: BaseModel) -> TimeTerms:
    """Return the time limits of a match from settings with a field for each of them."""
    return TimeTerms(**{field.name: getattr(section, field.name) for field in fields(TimeTerms)})


def own_times(settings: Settings) -> dict[str, TimeTerms]:
    """Return the time limits of each entrant whose odds make them different from those of the event, by name."""
    usual = time_terms(settings.event)
    odds = {entrant.name: entrant.time_odds for entrant in settings.entrants if entrant.time_odds != 1}
    times = {name: _scaled(usual, factor) for name, factor in odds.items()}
    return {name: time for name, time in times.items() if time != usual}


def _scaled(time: TimeTerms, odds: float) -> TimeTerms:
    scaled = {term: max(TERM_BOUNDS[term].least, round(getattr(time, term) * odds)) for term in SCALED_BY_ODDS}
    return replace(time, **scaled)


def fault_terms(section: BaseModel) -> FaultTerms:
    """Return the fault rules of a match from settings with a field for each of them."""
    return FaultTerms(**{field.name: getattr(section, field.name) for field in fields(FaultTerms)})
