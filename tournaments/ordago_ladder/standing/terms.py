"""The terms of a ladder match: a pure function of its epoch's ledger, settings and secret."""

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
    """Return the terms of a match.

    Args:
        seating: the seats of the match, as the ledger has them before it begins.
        begin: the first entry of the epoch.
        players: the players of the epoch, by number.
        settings: the settings of the epoch.
        secret: the secret of the epoch, ``LinkChain.secret``. The terms do not reveal it, so the record does not
            either; the ledger of the epoch reveals it at its end.

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
