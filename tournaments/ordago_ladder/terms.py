"""What each match of an event is played under: a pure function of the event, its secret and the nonces."""

from collections.abc import Mapping

from ordago.chance import SecretDeals, commitment, keyed_name, seed_text
from ordago.games import find_game
from ordago.match import FaultTerms, MatchTerms, SeatTerms, TimeTerms
from ordago.store import Entrant
from ordago_ladder.schedule import PlannedMatch
from ordago_ladder.settings import GameSettings, Settings


def match_id_of(planned: PlannedMatch, *, secret: bytes, attempt: int = 0) -> str:
    """Return the name of a match for ever. Without the secret it tells neither set nor seating."""
    return keyed_name(secret, "match", planned.set_key, planned.seating, attempt).hex()


def deal_seed_of(planned: PlannedMatch, *, event: str, nonces: Mapping[str, bytes], attempt: int = 0) -> str:
    """Return the seed text of the deals of a match. All seatings of a set have the same."""
    return seed_text(
        game=planned.game,
        event=event,
        nonces={entrant: nonces[entrant] for entrant in planned.entrants},
        repetition=planned.repetition,
        attempt=attempt,
    )


def match_terms(
    planned: PlannedMatch,
    *,
    settings: Settings,
    secret: bytes,
    entrants: Mapping[str, Entrant],
) -> MatchTerms:
    """Return what a match of the schedule is played under.

    Args:
        planned: the match.
        settings: the event.
        secret: the secret of the event.
        entrants: the entrants by name, with what they brought when they checked in.
    """
    game = find_game(planned.game)
    match_id = match_id_of(planned, secret=secret)
    nonces = {name: entrant.nonce or b"" for name, entrant in entrants.items()}
    seed = deal_seed_of(planned, event=settings.event.name, nonces=nonces)
    return MatchTerms(
        match_id=match_id,
        game=game,
        options=game.rules.options(dict(game_settings(settings, planned.game).options)),
        seats=tuple(
            SeatTerms(
                name=entrant,
                version=entrants[entrant].version,
                build=entrants[entrant].build,
                seed=keyed_name(secret, "seed", match_id, seat),
            )
            for seat, entrant in enumerate(planned.entrants)
        ),
        deals=SecretDeals(secret, seed),
        commitment=commitment(secret),
        deal_seed=seed,
        time=TimeTerms(decision_ms=settings.event.decision_ms),
        faults=FaultTerms(strikes=settings.event.strikes),
    )


def game_settings(settings: Settings, game: str) -> GameSettings:
    """Return what an event says of one of its games."""
    return next(found for found in settings.games if found.name == game)
