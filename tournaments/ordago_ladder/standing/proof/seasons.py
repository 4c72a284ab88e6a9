"""Verification of a ladder's other published files: the standings of its seasons, and the ladder file."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from ordago.scene import Sentence
from ordago_ladder.folder import LadderFolder
from ordago_ladder.pages.claims import Basis, Claim
from ordago_ladder.publication.files import UnreadableError, names_in, read_file
from ordago_ladder.standing.publication.published import PublishedEpoch
from ordago_ladder.standing.ratings import CareerResult
from ordago_ladder.standing.seasons.careers import Bot, SeasonCareers
from ordago_ladder.standing.seasons.names import called, is_called, objection_to
from ordago_ladder.standing.seasons.standing import MOST_STANDING_BYTES, StandingError, StandingHeader, read_header
from ordago_ladder.standing.settings import LadderFileError, StandingSettings, parse_ladder
from ordago_ladder.verification.findings import Finding, as_sentence
from ordago_ladder.verification.published import left_over


class PlayedEpoch(NamedTuple):
    """The part of a verified epoch that standings depend on."""

    number: int
    season: str
    """The label of its season."""
    anchors: Mapping[str, float]
    """The anchors that its season began with, in Elo, by name."""
    ended: Sequence[int]
    """The time of each of its results in seconds since 1970, in the order of the ledger."""
    revealed: bool
    results: Sequence[CareerResult] | None
    """The same results, from its records; ``None`` unless all of these could be replayed."""
    bots: Mapping[int, Bot]


class StandingCheck:
    """One verification of a standing. Call ``take`` for each epoch of the ladder in order, then ``findings``."""

    def __init__(
        self, name: str, header: StandingHeader, *, digest: bytes, again: Callable[[], bytes], settled: bool
    ) -> None:
        """Prepare to verify a standing.

        Args:
            name: the name of its file, for findings.
            header: its season and its epochs.
            digest: the SHA-256 of the file.
            again: reads the file again, to locate a difference.
            settled: require that it counts whole, revealed epochs only, as the standings in ``seasons`` do.
        """
        self.name = name
        self._digest = digest
        self._again = again
        self.season = header.season
        self._counts = dict(header.epochs)
        self._ordered = list(self._counts) == sorted(self._counts) and len(self._counts) == len(header.epochs)
        self.settled = settled
        self._careers: SeasonCareers | None = None
        self._taken: set[int] = set()
        self._latest = 0
        """The time of the latest result that it counts."""
        self._first_left = math.inf
        """The time of the earliest result that it leaves out."""
        self._unseen = ""
        """The reason why some counted results cannot be checked; empty if all can."""
        self._missed = 0
        """The first revealed epoch that it should count and does not; 0 for none."""

    @property
    def last(self) -> int:
        """The last epoch that it counts; 0 for none."""
        return max(self._counts, default=0)

    def take(self, epoch: PlayedEpoch) -> Iterator[str]:
        """Compare the standing with the next epoch, and yield what is wrong."""
        # One epoch may be missing: a server may be killed after it publishes a revealed epoch and before the standing.
        if self.settled and epoch.revealed and self._missed:
            yield f"It leaves out epoch {self._missed}, although epoch {epoch.number} was revealed later."
            self._missed = 0
        if epoch.season != self.season:
            if epoch.number in self._counts:
                yield f"It counts epoch {epoch.number}, which is of the season {epoch.season!r}."
            return
        self._taken.add(epoch.number)
        count, results = self._counts.get(epoch.number, 0), len(epoch.ended)
        if self.settled and epoch.number <= self.last and count < results:
            yield f"It leaves out {results - count} of {results} results of epoch {epoch.number}."
        if epoch.revealed and count > results:
            yield f"It counts {count} results of epoch {epoch.number}, which has {results}."
        if epoch.revealed and epoch.number > self.last:
            self._missed = self._missed or epoch.number
        self._note_times(epoch.ended[:count], epoch.ended[count:])
        if epoch.number in self._counts:
            self._rate(epoch, count)

    def _note_times(self, counted: Sequence[int], left: Sequence[int]) -> None:
        if counted:
            self._latest = max(self._latest, counted[-1])
        if left:
            self._first_left = min(self._first_left, left[0])

    def _rate(self, epoch: PlayedEpoch, count: int) -> None:
        if self._unseen:
            return
        if count > len(epoch.ended):
            self._unseen = f"it counts results of epoch {epoch.number} that the ledger here does not have"
        elif epoch.results is None:
            missing = "whose records are not all there" if epoch.revealed else "which is not revealed"
            self._unseen = f"it rests on epoch {epoch.number}, {missing}"
        else:
            self._careers = self._careers or SeasonCareers(self.season, anchors=epoch.anchors)
            self._careers.add(epoch.number, epoch.results[:count], epoch.bots)

    def findings(self) -> Iterator[str]:
        """Yield what else is wrong, after the last epoch."""
        if not self._ordered:
            yield "Its epochs are not in ascending order."
        if beyond := sorted(self._counts.keys() - self._taken):
            self._unseen = f"it counts epoch {beyond[0]}, which is not here"
        elif not self._taken:
            self._unseen = "no epoch of this season is here"
        if not self.settled and self._first_left < self._latest:
            yield "It leaves out results that are earlier than others that it counts."
        if not self._unseen:
            # A standing that counts nothing has no ratings, so that its anchors do not matter.
            text = (self._careers or SeasonCareers(self.season, anchors={})).standing().text
            if hashlib.sha256(text).digest() != self._digest:
                yield f"It does not follow from the results that it counts{self._difference(text)}."

    def _difference(self, made: bytes) -> str:
        """Return where it first differs from the recomputed standing, as the end of a sentence; empty if unknown."""
        try:
            where = _first_difference(json.loads(self._again()), json.loads(made))
        except (UnreadableError, ValueError, RecursionError):
            return ""
        return f": {where} is another" if where else ", as it is written"

    def claim(self) -> Claim:
        """Return its claim, which holds if there are no findings."""
        what = f"{self.name}, the standing in the season {self.season!r} by {self._counted()}"
        if not self._unseen:
            return Claim(Basis.PROVED, Sentence(f"{what}, follows from these byte for byte, and from nothing else."))
        later = "" if self.settled else "; a copy of it can be checked against the ladder later, with --standing"
        return Claim(Basis.WORD, Sentence(f"{what}: {self._unseen}{later}."))

    def _counted(self) -> str:
        results, first = sum(self._counts.values()), min(self._counts, default=0)
        epochs = f"epoch {first}" if first == self.last else f"epochs {first} to {self.last}"
        return f"{results} {'result' if results == 1 else 'results'}" + (f" of {epochs}" if self._counts else "")


def _first_difference(one: object, other: object) -> str | None:
    """Return the dotted path to the first difference; empty if it is the whole, ``None`` if there is none."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(str(key), value, other[key]) for key, value in one.items()]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(str(at), *both) for at, both in enumerate(zip(one, other, strict=True))]
    else:
        return None if one == other else ""
    for key, mine, theirs in pairs:
        where = _first_difference(mine, theirs)
        if where is not None:
            return f"{key}.{where}".rstrip(".")
    return None


_MOST_FILE_BYTES: Final = 1 << 20
"""``MOST_CHARACTERS`` of a ladder file, at most four bytes each in UTF-8."""


class _Terms(NamedTuple):
    """The terms of an epoch, for comparison with later ones and with the ladder file."""

    number: int
    season: str
    """Its name in ledgers."""
    settings: str
    anchors: Mapping[str, float]

    @classmethod
    def of(cls, epoch: PublishedEpoch) -> "_Terms":
        return cls(epoch.number, epoch.begin.season, epoch.settings.text, epoch.settings.anchors)

    def fits(self, file: StandingSettings) -> bool:
        """Return True if a ladder file gives these terms."""
        return (file.ladder.season, file.of_epoch().text) == (self.season, self.settings)


class SeasonsProof:
    """One verification of the other files. Call ``files``, then ``take`` for each epoch in order, then ``findings``."""

    def __init__(self, folder: LadderFolder, kept: Sequence[Path]) -> None:
        """Prepare to verify a published folder, and standings of it that were saved elsewhere (``kept``)."""
        self._folder = folder
        self._kept = kept
        self._standings: list[StandingCheck] = []
        self._seasons: dict[str, _Terms] = {}
        """The first terms of each season, by its name in ledgers."""
        self._revealed: set[str] = set()
        """The labels of the seasons with a revealed epoch."""
        self._newest: list[_Terms] = []
        """The terms of the last two epochs."""
        self._stated_by_file: _Terms | None = None
        """The terms of the epoch that the ladder file matches."""

    def files(self) -> Iterator[Finding]:
        """Read the standings, and yield what is wrong with each on its own."""
        folder = self._folder
        if folder.seasons.is_dir() and not folder.seasons.is_symlink():
            for name in filter(is_called, names_in(folder.seasons)):
                yield from self._read(folder.season_standing(name), f"seasons/{name}/ladder.json", of=name)
        yield from self._read(folder.standing, folder.standing.name)
        for path in self._kept:
            yield from self._read(path, str(path), kept=True)

    def _read(self, path: Path, name: str, *, of: str = "", kept: bool = False) -> Iterator[Finding]:
        if not kept and not path.is_symlink() and not path.exists():
            return
        try:
            data = read_file(path, most=MOST_STANDING_BYTES, follow=kept)
            header = read_header(data)
        except StandingError as error:
            yield Finding(name, str(error))
            return
        except UnreadableError as error:
            if kept:
                raise
            yield Finding(name, as_sentence(str(error)))
            return
        if of and header.season != of:
            yield Finding(name, f"It is the standing of the season {header.season!r}.")
        # Only the digest is stored: there may be many standings, and each may be large.
        digest = hashlib.sha256(data).digest()
        again = partial(read_file, path, most=MOST_STANDING_BYTES, follow=kept)
        self._standings.append(StandingCheck(name, header, digest=digest, again=again, settled=bool(of)))

    def anchors_of(self, epoch: PublishedEpoch) -> Mapping[str, float]:
        """Return the anchors that the season of an epoch began with."""
        return self._seasons.get(epoch.begin.season, _Terms.of(epoch)).anchors

    def take(self, epoch: PublishedEpoch, played: PlayedEpoch) -> Iterator[Finding]:
        """Compare the next epoch with earlier ones and with the standings, and yield what is wrong."""
        terms, season = _Terms.of(epoch), epoch.begin.season
        if not self._newest or season != self._newest[-1].season:
            objection = objection_to(season, earlier=self._seasons)
            if objection is not None:
                yield epoch.in_ledger(f"entry 0: The epoch cannot belong to its season: {objection}.")
        first = self._seasons.setdefault(season, terms)
        if terms.anchors != first.anchors:
            yield epoch.in_ledger(f"The anchors are not those of epoch {first.number}, with which its season began.")
        self._newest = [*self._newest[-1:], terms]
        if played.revealed:
            self._revealed.add(played.season)
        for standing in self._standings:
            yield from (Finding(standing.name, sentence) for sentence in standing.take(played))

    def findings(self) -> Iterator[Finding]:
        """Yield what else is wrong, after the last epoch."""
        for standing in self._standings:
            yield from (Finding(standing.name, sentence) for sentence in standing.findings())
        yield from self._name_findings()
        yield from self._file_findings()

    def _name_findings(self) -> Iterator[Finding]:
        folder, parts = self._folder, {self._folder.standing.name, f"{self._folder.standing.name}.part"}
        if folder.seasons.is_symlink() or folder.seasons.exists():
            known = {called(season) for season in self._seasons}
            yield from left_over(folder.seasons, known, prefix="seasons/")
            for name in sorted(known):
                if (folder.seasons / name).exists():
                    yield from left_over(folder.seasons / name, parts, prefix=f"seasons/{name}/")

    def _file_findings(self) -> Iterator[Finding]:
        file = self._folder.file
        if not file.is_symlink() and not file.exists():
            return
        try:
            settings = parse_ladder(read_file(file, most=_MOST_FILE_BYTES).decode(), source=file.name)
        except (UnreadableError, UnicodeDecodeError) as error:
            yield Finding(file.name, as_sentence(str(error)))
        except LadderFileError as error:
            yield Finding(file.name, as_sentence(error.problems[0]))
        else:
            self._stated_by_file = next((terms for terms in self._newest[::-1] if terms.fits(settings)), None)
            if self._stated_by_file is None:
                yield Finding(file.name, "Neither the newest epoch nor the one before it began with its contents.")

    def claims(self) -> Iterator[Claim]:
        """Yield the claims of the other files."""
        yield from (standing.claim() for standing in self._standings)
        for season in sorted(self._revealed - {standing.season for standing in self._standings if standing.settled}):
            yield Claim(Basis.WORD, Sentence(f"The standings of the season {season!r}: they are not published."))
        if self._stated_by_file is not None:
            what = f"epoch {self._stated_by_file.number} is committed to: games, terms, season and anchors"
            yield Claim(Basis.PROVED, Sentence(f"ladder.toml says what {what}."))
            yield Claim(Basis.WORD, Sentence("The rest of ladder.toml: title, delay, lengths, the house bots."))
