"""The proof of what a ladder publishes beside its epochs: the standings of its seasons, and the ladder file."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from ordago.scene import Sentence
from ordago_ladder.pages.claims import Basis, Claim
from ordago_ladder.publication.reading import UnreadableError, names_in, read_file
from ordago_ladder.standing.folder import LadderFolder
from ordago_ladder.standing.publication.published import PublishedEpoch
from ordago_ladder.standing.seasons.check import PlayedEpoch, StandingCheck
from ordago_ladder.standing.seasons.names import called, is_called, objection_to
from ordago_ladder.standing.seasons.standing import MOST_STANDING_BYTES, StandingError, read_header
from ordago_ladder.standing.settings import LadderFileError, StandingSettings, parse_ladder
from ordago_ladder.verification.findings import Finding, as_sentence
from ordago_ladder.verification.names import left_over

_MOST_FILE_BYTES: Final = 1 << 20


class _Terms(NamedTuple):
    """What is kept of an epoch that was looked at."""

    number: int
    season: str
    """Its name in ledgers."""
    settings: str
    anchors: Mapping[str, float]

    @classmethod
    def of(cls, epoch: PublishedEpoch) -> "_Terms":
        return cls(epoch.number, epoch.begin.season, epoch.settings.text, epoch.settings.anchors)

    def fits(self, file: StandingSettings) -> bool:
        """Say whether a ladder file says this."""
        return (file.ladder.season, file.of_epoch().text) == (self.season, self.settings)


class SeasonsProof:
    """One verification of what stands beside the epochs, which it is shown in their order."""

    def __init__(self, folder: LadderFolder, kept: Sequence[Path]) -> None:
        """Take what stands in a folder, and standings that somebody kept."""
        self._folder = folder
        self._kept = kept
        self._standings: list[StandingCheck] = []
        self._seasons: dict[str, _Terms] = {}
        """How each season began, by its name in ledgers."""
        self._revealed: set[str] = set()
        """The seasons of which an epoch is revealed, as they are called."""
        self._newest: list[_Terms] = []
        """The last two epochs."""
        self._told_by_file: _Terms | None = None
        """The epoch that the ladder file tells of."""

    def files(self) -> Iterator[Finding]:
        """Read the standings, and yield what is wrong with them for themselves."""
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
        # It is not kept: there may be many, and each may be large.
        digest = hashlib.sha256(data).digest()
        again = partial(read_file, path, most=MOST_STANDING_BYTES, follow=kept)
        self._standings.append(StandingCheck(name, header, digest=digest, again=again, settled=bool(of)))

    def anchors_of(self, epoch: PublishedEpoch) -> Mapping[str, float]:
        """Return the anchors that the season of an epoch began with."""
        return self._seasons.get(epoch.begin.season, _Terms.of(epoch)).anchors

    def take(self, epoch: PublishedEpoch, played: PlayedEpoch) -> Iterator[Finding]:
        """Look at the next epoch, and yield what is wrong with it beside those before, and with standings by it."""
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
        """Yield what is wrong once all epochs were looked at."""
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
            self._told_by_file = next((terms for terms in self._newest[::-1] if terms.fits(settings)), None)
            if self._told_by_file is None:
                yield Finding(file.name, "Neither the newest epoch nor the one before it began with what it says.")

    def claims(self) -> Iterator[Claim]:
        """Yield what stands beside the epochs claims."""
        yield from (standing.claim() for standing in self._standings)
        for season in sorted(self._revealed - {standing.season for standing in self._standings if standing.settled}):
            yield Claim(
                Basis.WORD, Sentence(f"Who stood where in the season {season!r}: no standing of it is published.")
            )
        if self._told_by_file is not None:
            what = f"epoch {self._told_by_file.number} is committed to: games, terms, season and anchors"
            yield Claim(Basis.PROVED, Sentence(f"ladder.toml says what {what}."))
            yield Claim(
                Basis.WORD, Sentence("What else stands in ladder.toml: title, delay, lengths, the bots of the house.")
            )
