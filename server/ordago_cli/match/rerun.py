"""``ordago rerun``: a recorded match once more, with the same deals and other bots."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from ordago import v1
from ordago.chance import commitment, keyed_name
from ordago.match import DealTerms, MatchTerms, SeatTerms, recorded_terms
from ordago.record.opening import UnplayableError, opening
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.match.play import bots_option, play_matches, record_option, results_as_json
from ordago_cli.match.records import read_match, unplayable, written_secret
from ordago_cli.options.outputs import force_option

_LEDGER: Final = "ledger.jsonl"


@click.command(epilog="Example: ordago rerun out/friday/records/ID.record --bot 'cmd:python my_bot.py' --bot …")
@click.argument("file", type=click.Path(path_type=Path))
@bots_option
@click.option("--secret", metavar="HEX", help="Secret of the deals, if it was revealed elsewhere.")
@record_option
@force_option
@results_as_json
def rerun(
    file: Path, bots: tuple[str, ...], secret: str | None, record: Path | None, *, force: bool, as_json: bool
) -> None:
    """Play the match of a record FILE once more, with the same deals, seats and clocks and the bots that you name.

    The deals follow from a secret, which an event reveals when it ends and a ladder at the end of an epoch. It is found
    in the ledger of the published folder that the record lies in.
    """
    before = read_match(file)
    try:
        game = opening(before).game
    except UnplayableError as error:
        raise unplayable(file, error) from None
    again = _Again(before, _secret_of(before, file, written_secret(secret)))
    play_matches(game, lambda names, **_: again.terms(names), bots, record=record, force=force, as_json=as_json)


@dataclass(frozen=True)
class _Again:
    """A recorded match that is played once more."""

    record: v1.MatchRecord
    secret: bytes

    def terms(self, names: Sequence[str]) -> MatchTerms:
        """Return the terms of the match for bots of these names."""
        seats = tuple(SeatTerms(name, seed=self._seed(seat)) for seat, name in enumerate(names))
        deals = DealTerms.of(self.secret, self.record.deal_seed, revealed=True)
        return recorded_terms(self.record, seats=seats, deals=deals)

    def _seed(self, seat: int) -> bytes:
        """Return the seed that the bot at a seat had, so that a bot that plays by it plays as before."""
        # An event derives it from the match as well; a match by itself has a secret of its own.
        of_match = () if self.record.secret else (self.record.match_id,)
        return keyed_name(self.secret, "seed", *of_match, seat)


def _secret_of(record: v1.MatchRecord, file: Path, written: bytes | None) -> bytes:
    if written is not None and commitment(written) != record.commitment:
        raise CommandError("--secret: the deals of this match come from another secret", exit_code=EXIT_USAGE)
    known = filter(None, (written, record.secret, *_revealed_near(file)))
    found = next((secret for secret in known if commitment(secret) == record.commitment), None)
    if found is None:
        sentence = (
            f"{file}: the secret of its deals is neither in it nor in a {_LEDGER} beside its folder; an event reveals "
            "it at its end, a ladder at the end of the epoch: download the folder then, or give --secret"
        )
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
    return found


def _revealed_near(file: Path) -> Iterator[bytes]:
    """Yield the secrets that are revealed in the ledgers of the folder of a record, and of the one above."""
    for folder in file.absolute().parents[:2]:
        try:
            with (folder / _LEDGER).open(encoding="utf-8") as lines:
                yield from _revealed_in(lines)
        except (OSError, UnicodeDecodeError):
            continue


def _revealed_in(lines: Iterable[str]) -> Iterator[bytes]:
    for line in lines:
        try:
            yield bytes.fromhex(json.loads(line)["secret"])
        except (ValueError, TypeError, KeyError, RecursionError):
            continue
