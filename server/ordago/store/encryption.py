"""Encryption of backups for the owners of age keys (https://age-encryption.org), by the library ``pyrage``.

The machine that makes backups has only public keys, so it cannot read them afterwards. Anybody can encrypt for a public
key: an encrypted backup does not prove who made it.
"""

import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from ordago.files import private_file
from ordago.store.errors import StoreError

_BEGINNING: Final = b"age-encryption.org/"


def is_encrypted(file: Path) -> bool:
    """Return True if a file is encrypted. Anything but a regular file is not: opening a pipe would block."""
    if not stat.S_ISREG(file.stat().st_mode):
        return False
    with file.open("rb") as opened:
        return opened.read(len(_BEGINNING)) == _BEGINNING


def recipients(public_keys: Iterable[str]) -> list[Any]:
    """Return the owners of public keys, for ``encrypt``.

    Raises:
        ValueError: one is no public key; the message says what to write. It never quotes a key, which may be secret.
    """
    pyrage = _library()
    try:
        return [pyrage.x25519.Recipient.from_str(key) for key in public_keys]
    except pyrage.RecipientError:
        raise ValueError("takes a public key as age-keygen prints it: age1…") from None


def encrypt(source: Path, target: Path, owners: Sequence[Any]) -> None:
    """Encrypt a file, so that each of these owners can read it."""
    pyrage = _library()
    try:
        pyrage.encrypt_file(str(source), str(target), owners)
    except (pyrage.EncryptError, OSError) as error:
        raise StoreError(f"The backup cannot be encrypted: {error}.") from None


def decrypt(source: Path, target: Path, *, identity: Path) -> None:
    """Decrypt a file into a new one for its owner alone, by a file of secret keys as ``age-keygen`` writes it.

    Raises:
        StoreError: no key fits, the file is damaged, or the disk is full; what stands in the new file is not whole.
        OSError: the secret keys cannot be read.
    """
    keys, pyrage = _secret_keys(identity), _library()
    private_file(target)
    try:
        pyrage.decrypt_file(str(source), str(target), keys)
    except (pyrage.DecryptError, OSError) as error:
        if "No matching keys" in str(error):
            what = f"is not encrypted for a key in {identity}: name the identity that it was made for"
        elif "(os error" in str(error):
            what = f"cannot be decrypted: {error}"
        else:
            what = "is damaged or not complete: use another backup"
        raise StoreError(f"{source} {what}.") from None


def _secret_keys(file: Path) -> list[Any]:
    pyrage = _library()
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    try:
        keys = [pyrage.x25519.Identity.from_str(line) for line in lines if line.strip() and line[0] != "#"]
    except pyrage.IdentityError:
        keys = []
    if not keys:
        raise StoreError(f"{file} is not an identity: name a file that age-keygen wrote.")
    return keys


def _library() -> Any:  # noqa: ANN401 - it has no types
    try:
        import pyrage
    except ImportError:
        raise StoreError("Encrypted backups need pyrage: pip install 'ordago[encryption]'.") from None
    return pyrage
