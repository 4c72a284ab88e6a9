"""A PostgreSQL server of one's own: on a Unix socket in a folder of its own, for as long as the tests run."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import URL, create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

PASSWORD: Final = "not to be shown"  # noqa: S105 - for nothing but tests
_USER: Final = "ordago"
_PATIENCE_SECONDS: Final = 60
# Nothing here has to outlive a power cut. An order of letters as people have it differs from that of SQLite.
_INITDB: Final = ("--no-sync", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en", "--locale=C")
_SETTINGS: Final = ("listen_addresses=", "fsync=off", "shared_buffers=16MB", "max_connections=40", "autovacuum=off")


def programs() -> Path | None:
    """Return the folder of the newest PostgreSQL of Debian."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class Server:
    """A server, which the tests start, kill and stop as they like."""

    def __init__(self, folder: Path, bin_folder: Path) -> None:
        """Make its files, in a folder that is its own."""
        self.folder = folder
        self._bin = bin_folder
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count()
        password = folder / "password"
        password.write_text(PASSWORD)
        if os.getuid() == 0:
            # It refuses to run as root.
            self._owner = next(one for one in pwd.getpwall() if one.pw_name in ("postgres", "nobody"))
            for path in (folder, password):
                os.chown(path, self._owner.pw_uid, self._owner.pw_gid)
        made = self._popen("initdb", "--auth=scram-sha-256", f"--username={_USER}", f"--pwfile={password}", *_INITDB)
        assert made.wait() == 0, (folder / "log").read_text()

    def _popen(self, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
        as_user = {}
        if os.getuid() == 0:
            as_user = {"user": self._owner.pw_uid, "group": self._owner.pw_gid, "extra_groups": []}
        with (self.folder / "log").open("ab") as log:
            command = [str(self._bin / program), "-D", str(self.folder / "data"), *arguments]
            return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, **as_user)  # noqa: S603 - ours

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not self._answers():
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            if self._process is None or self._process.poll() is not None:
                # What was killed leaves processes behind that have to end first.
                self._process = self._popen("postgres", "-k", str(self.folder), *settings)
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it, by letting it end connections first, or by whatever signal."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()

    def processes(self) -> list[int]:
        """Return its processes, that of each connection among them."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        return [self._process.pid, *map(int, children.split())]

    def url(self, schema: str = "public", *, password: str | None = PASSWORD, database: str = "postgres") -> str:
        """Return the URL of a schema."""
        query = {"host": str(self.folder), "options": f"-csearch_path={schema}"}
        url = URL.create("postgresql", _USER, password, database=database, query=query)
        return url.render_as_string(hide_password=False)

    def place(self) -> str:
        """Make a schema, and return its URL."""
        schema = f"s{next(self._numbers)}"
        self.execute(f"CREATE SCHEMA {schema}")
        return self.url(schema)

    def execute(self, *statements: str) -> None:
        """Carry out statements."""
        execute(self.url(), *statements)

    def _answers(self) -> bool:
        with suppress(OperationalError):
            self.execute("SELECT 1")
            return True
        return False


def execute(place: str | Path, *statements: str) -> None:
    """Carry out statements in a database of either kind, each for itself."""
    url = str(place).replace("postgresql:", "postgresql+psycopg:") if "://" in str(place) else f"sqlite:///{place}"
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server that runs."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    bin_folder = programs()
    if bin_folder is None:
        pytest.skip("PostgreSQL is not installed")
    # Its socket needs a short path, in a folder that its user may go into.
    folder = Path(tempfile.mkdtemp(prefix="ordago-pg-", dir="/tmp"))
    server = None
    try:
        server = Server(folder, bin_folder)
        server.start()
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder)
