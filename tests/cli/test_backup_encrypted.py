"""Backups that the machine which makes them cannot read."""

import json
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pyrage import x25519
from support.commands import assert_told, ordago

from ordago.store import StoreError
from ordago.store.accounts.accounts import Accounts
from ordago.store.encryption import decrypt, encrypt, recipients

DAMAGED = "is damaged or not complete: use another backup"
CHUNK_BYTES = 65_536
"""The contents are encrypted in pieces, each of which is whole by itself."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server with an account. It is not changed."""
    folder = tmp_path_factory.mktemp("data")
    assert ordago("token", "create", "--account", "ana", "--scope", "play", "--data", folder).exit_code == 0
    return folder


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A secret key, in a file as age-keygen writes it."""
    return kept(x25519.Identity.generate(), tmp_path_factory.mktemp("keys") / "identity")


@pytest.fixture(scope="module")
def content(data: Path, identity: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a backup for its owner."""
    file = tmp_path_factory.mktemp("backups") / "monday.backup"
    assert_told(ordago("backup", file, "--data", data, "--encrypt-to", public(identity)), 0, "accounts.sqlite")
    return file.read_bytes()


@pytest.fixture
def file(content: bytes, tmp_path: Path) -> Path:
    """A copy of that backup, to be damaged."""
    (tmp_path / "monday.backup").write_bytes(content)
    return tmp_path / "monday.backup"


def kept(key: x25519.Identity, file: Path) -> Path:
    file.write_text(f"# created: 2026-11-29T20:00:00Z\n# public key: {key.to_public()}\n{key}\n")
    return file


def public(identity: Path) -> str:
    return identity.read_text().split()[6]


def found_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_owner_of_any_key_restores_it_and_nobody_else_reads_a_name_in_it(
    data: Path, identity: Path, tmp_path: Path
) -> None:
    other, file = kept(x25519.Identity.generate(), tmp_path / "other"), tmp_path / "monday.backup"
    keys = ("--encrypt-to", public(identity), "--encrypt-to", public(other))
    told = json.loads(ordago("backup", file, "--data", data, *keys, "--json").stdout)
    assert told == {"contents": ["accounts.sqlite"], "bytes": file.stat().st_size}
    content = file.read_bytes()
    assert content.startswith(b"age-encryption.org/v1\n")
    assert not [known for known in (b"accounts", b"backup.json") if known in content]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for number, key in enumerate((identity, other)):
        folder = tmp_path / f"restored{number}"
        assert_told(ordago("restore", file, "--data", folder, "--identity", key), 0, "accounts.sqlite")
        with Accounts.open(folder / "accounts.sqlite") as accounts:
            assert len(accounts.tokens()) == 1
        assert found_in(folder) == ["accounts.sqlite"]


def test_nothing_unencrypted_is_written_beside_it(
    data: Path, identity: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of backups may be on another machine."""
    backups, seen = tmp_path / "backups", []
    backups.mkdir()

    def watched(source: Path, target: Path, owners: Sequence[Any]) -> None:
        seen.append((source.is_relative_to(data), [path.read_bytes() for path in backups.iterdir()]))
        encrypt(source, target, owners)

    monkeypatch.setattr("ordago.store.backup.encrypt", watched)
    before = found_in(data)
    ordago("backup", backups / "monday.backup", "--data", data, "--encrypt-to", public(identity))
    assert seen == [(True, [b""])]
    assert (found_in(backups), found_in(data)) == (["monday.backup"], before)


def test_keys_and_identities_may_stand_in_the_environment(
    data: Path, identity: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "monday.backup"
    monkeypatch.setenv("ORDAGO_ENCRYPT_TO", f"{public(identity)} {x25519.Identity.generate().to_public()}")
    assert_told(ordago("backup", file, "--data", data), 0)
    assert file.read_bytes().startswith(b"age-")
    monkeypatch.setenv("ORDAGO_IDENTITY", str(identity))
    assert_told(ordago("restore", file, "--data", tmp_path / "restored"), 0)


def test_a_backup_that_is_not_encrypted_needs_no_identity(data: Path, tmp_path: Path) -> None:
    ordago("backup", tmp_path / "monday.zip", "--data", data)
    missing = tmp_path / "missing"
    assert_told(ordago("restore", tmp_path / "monday.zip", "--data", tmp_path / "new", "--identity", missing), 0)


def test_what_opens_it_is_said_in_a_sentence(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "restored"
    other = kept(x25519.Identity.generate(), tmp_path / "other")
    told = f"ordago: {file} is encrypted: name the file of its secret key with --identity"
    assert_told(ordago("restore", file, "--data", folder), 3, told)
    told = f"ordago: {file} is not encrypted for a key in {other}: name the identity that it was made for"
    assert_told(ordago("restore", file, "--data", folder, "--identity", other), 3, told)
    missing = tmp_path / "missing"
    assert_told(ordago("restore", file, "--data", folder, "--identity", missing), 3, f"{missing}: No such file")
    assert found_in(folder) == []


@pytest.mark.parametrize("text", ["", "# a comment\n", "AGE-SECRET-KEY-1XYZ\n", "\x00\xff" * 99, "age1public\n"])
def test_no_message_quotes_what_stands_in_a_file_that_is_no_identity(file: Path, tmp_path: Path, text: str) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text(text)
    result = ordago("restore", file, "--data", tmp_path / "restored", "--identity", wrong)
    assert_told(result, 3, f"ordago: {wrong} is not an identity: name a file that age-keygen wrote")
    assert "SECRET" not in result.output


def test_a_secret_key_in_place_of_a_public_one_is_refused_and_not_quoted(data: Path, tmp_path: Path) -> None:
    for key in (str(x25519.Identity.generate()), "age1nothing", ""):
        result = ordago("backup", tmp_path / "monday.backup", "--data", data, "--encrypt-to", key)
        assert_told(result, 2, "--encrypt-to", "takes a public key as age-keygen prints it")
        assert "SECRET" not in result.output
    assert not (tmp_path / "monday.backup").exists()


def test_cut_off_anywhere_it_restores_nothing(file: Path, identity: Path, tmp_path: Path) -> None:
    whole, folder = file.read_bytes(), tmp_path / "restored"
    for length in (22, 100, 300, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        told = f"ordago: {file} {DAMAGED}"
        assert_told(ordago("restore", file, "--data", folder, "--identity", identity), 3, told)
        assert found_in(folder) == []


def test_pieces_that_are_missing_at_the_end_are_missed(identity: Path, tmp_path: Path) -> None:
    plain, file = tmp_path / "plain", tmp_path / "monday.backup"
    plain.write_bytes(bytes(3 * CHUNK_BYTES))
    encrypt(plain, file, recipients([public(identity)]))
    file.write_bytes(file.read_bytes()[: -(CHUNK_BYTES + 16)])
    told = ordago("restore", file, "--data", tmp_path / "restored", "--identity", identity)
    assert_told(told, 3, f"ordago: {file} {DAMAGED}")


def test_a_changed_byte_anywhere_restores_nothing(file: Path, identity: Path, tmp_path: Path) -> None:
    whole, folder = file.read_bytes(), tmp_path / "restored"
    # In the first line, in the key, in its seal, in the contents, and at the end.
    for at in (20, 60, 120, 280, 1000, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        result = ordago("restore", file, "--data", folder, "--identity", identity)
        assert_told(result, 3, f"ordago: {file} is ")
        assert found_in(folder) == []


def test_anything_else_that_is_encrypted_is_no_backup(file: Path, identity: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("a letter")
    encrypt(plain, file, recipients([public(identity)]))
    told = f"ordago: {file} is not a backup, or it is damaged: use another one"
    assert_told(ordago("restore", file, "--data", tmp_path / "restored", "--identity", identity), 3, told)


def test_a_full_disk_is_named(identity: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, file = tmp_path / "plain", tmp_path / "monday.backup"
    plain.write_bytes(bytes(CHUNK_BYTES))
    with pytest.raises(StoreError, match="The backup cannot be encrypted: No space left on device"):
        encrypt(plain, Path("/dev/full"), recipients([public(identity)]))
    encrypt(plain, file, recipients([public(identity)]))
    monkeypatch.setattr("ordago.store.encryption.private_file", lambda _: None)
    with pytest.raises(StoreError, match=f"^{file} cannot be decrypted: No space left on device"):
        decrypt(file, Path("/dev/full"), identity=identity)


def test_it_replaces_an_encrypted_file_only_by_force(file: Path, data: Path, identity: Path) -> None:
    """Nobody can tell whether that is a backup."""
    before, key = file.read_bytes(), ("--encrypt-to", public(identity))
    told = f"{file} exists and is not an unencrypted backup: name another file, or replace it with --force"
    assert_told(ordago("backup", file, "--data", data, *key), 3, told)
    assert file.read_bytes() == before
    assert_told(ordago("backup", file, "--data", data, *key, "--force"), 0)
    assert file.read_bytes() != before


def test_without_the_library_a_sentence_says_what_to_install(
    file: Path, data: Path, identity: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, told = public(identity), "Encrypted backups need pyrage: pip install 'ordago[encryption]'"
    monkeypatch.setitem(sys.modules, "pyrage", None)
    assert_told(ordago("backup", tmp_path / "new", "--data", data, "--encrypt-to", key), 2, told)
    assert_told(ordago("restore", file, "--data", tmp_path / "restored", "--identity", identity), 3, told)
    assert_told(ordago("backup", tmp_path / "new", "--data", data), 0)
