"""The tables of the accounts' database."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, LargeBinary, MetaData, String, Table

from ordago.store.database import Schema

accounts_metadata = MetaData()

accounts_version = Table(
    "accounts_version", accounts_metadata, Column("version", Integer, primary_key=True, autoincrement=False)
)

# Times are whole seconds since 1970, UTC. Tokens are stored only as fingerprints, codes of invitations only as SHA-256.

# Names that a person cannot tell apart have the same key.
accounts = Table(
    "accounts",
    accounts_metadata,
    Column("name", String, primary_key=True),
    Column("key", String, nullable=False, index=True),
    Column("roles", String, nullable=False),
    Column("most_bots", Integer, nullable=False),
    Column("most_tokens", Integer, nullable=False),
    Column("most_sessions", Integer, nullable=False),
    Column("most_names", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("banned_at", BigInteger),
    Column("ban_reason", String, nullable=False),
    # Empty unless the account was deleted. Its row stays: the name belongs to nobody else, and a ban is not forgotten.
    Column("pseudonym", String, nullable=False),
)

invitations = Table(
    "invitations",
    accounts_metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("roles", String, nullable=False),
    Column("account", String, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)

tokens = Table(
    "tokens",
    accounts_metadata,
    Column("id", String, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False, unique=True),
    Column("account", String, nullable=False),
    Column("scopes", String, nullable=False),
    Column("bot", String, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger),
    Column("last_used_at", BigInteger),
    Column("revoked_at", BigInteger),
)

bots = Table(
    "bots",
    accounts_metadata,
    Column("key", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("account", String, nullable=False),
    Column("claimed_at", BigInteger, nullable=False),
    # Null if no bot has connected under the name since it was claimed.
    Column("last_seen_at", BigInteger),
    Column("takes_challenges", Boolean, nullable=False),
)

builds = Table(
    "builds",
    accounts_metadata,
    Column("bot_key", String, ForeignKey(bots.c.key), primary_key=True),
    Column("version", String, primary_key=True),
    Column("build", String, primary_key=True),
    Column("first_seen_at", BigInteger, nullable=False),
)

# Rows are added and never deleted, and change only when an account is deleted, whose pseudonym then takes the place of
# its name. They refer to no other table: whatever becomes of an account, they stay.
account_log = Table(
    "account_log",
    accounts_metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("actor", String, nullable=False, index=True),
    Column("at_folder", Boolean, nullable=False),
    Column("act", String, nullable=False),
    Column("account", String, nullable=False, index=True),
    Column("subject", String, nullable=False),
    Column("detail", String, nullable=False),
    Column("why", String, nullable=False),
)

# Those that are over are dropped when the next one is made, but for the newest: numbers never return.
announcements = Table(
    "announcements",
    accounts_metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("sentence", String, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger),
    Column("pauses_seating", Boolean, nullable=False),
)

ACCOUNTS_SCHEMA: Final = Schema("the accounts of a server", accounts_metadata, accounts_version)
