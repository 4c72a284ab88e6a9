"""Warnings of a server about its environment: file permissions and the limit of open files."""

import resource
from collections.abc import Iterator
from pathlib import Path

from ordago.edge.server import OWN_FILES
from ordago.games import refused_games
from ordago_cli.serve.certificates import Warned, others_who_read, warnings_of_certificate
from ordago_cli.serve.settings import ServeSettings


def raise_file_limit() -> int:
    """Raise the limit of open files of this process to its maximum, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def warnings_of(settings: ServeSettings) -> Iterator[Warned]:
    """Yield the warnings that do not prevent a start."""
    tls = settings.entrance.tls(settings.address)
    if tls is not None:
        yield from warnings_of_certificate(tls)
    if settings.uses_data or settings.entrance.asks_for_tokens:
        yield from _of_data(settings.entrance.data)
    yield from _of_files(settings.entrance.bounds.max_connections)
    yield from _of_games()


def _of_games() -> Iterator[Warned]:
    return (Warned("games", sentence) for sentence in refused_games())


def _of_data(data: Path) -> Iterator[Warned]:
    if data.is_dir() and (who := others_who_read(data)):
        yield Warned("data", f"{who} can read {data}, which contains accounts and secrets of matches: chmod 700")


def _of_files(connections: int) -> Iterator[Warned]:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + OWN_FILES
    if most != resource.RLIM_INFINITY and most < needed:
        sentence = (
            f"the limit of open files is {most}, and {connections} connections need {needed}: raise it (ulimit -n)"
        )
        yield Warned("files", sentence)
