"""What each match of a standing ladder is played under: a pure function of its epoch's ledger, settings and secret."""

from collections.abc import Mapping

from ordago.games import find_game
from ordago.match import DealTerms, MatchTerms
from ordago.record.ledgers.ladder import EpochBegin, PlayerEntry, SeatingEntry, ladder_deal_seed
from ordago_ladder.matches.terms import fault_terms, seat_terms, time_terms
from ordago_ladder.standing.epoch_settings import EpochSettings


def ladder_match_terms(
    seating: SeatingEntry,
    *,
    begin: EpochBegin,
    players: Mapping[int, PlayerEntry],
    settings: EpochSettings,
    secret: bytes,
) -> MatchTerms:
    """Return what a match is played under.

    Args:
        seating: who sits where, as the ledger has it before the match begins.
        begin: how its epoch began.
        players: those who came in, by number.
        settings: those of the epoch.
        secret: the secret of the epoch, ``LinkChain.secret``. It is not in the terms for anybody to see: the record
            has no secret, and the ledger of the epoch reveals it at its end.

    Raises:
        EpochSettingsError: the game is not played in this epoch.
    """
    game = find_game(seating.game)
    seated = [players[seat.player] for seat in seating.seats]
    seed = ladder_deal_seed(begin, seating, [player.name for player in seated])
    return MatchTerms(
        match_id=seating.match_id,
        game=game,
        options=game.rules.options(dict(settings.game_named(seating.game).options)),
        seats=seat_terms(seating.match_id, seated, secret=secret),
        deals=DealTerms.of(secret, seed, revealed=False),
        time=time_terms(settings),
        faults=fault_terms(settings),
    )
