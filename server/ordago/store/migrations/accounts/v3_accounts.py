"""Accounts have rows of their own, and there are invitations.

Whoever had tokens or names of bots has an account, with the roles that his tokens were made for. Nothing is taken from
those who are there: their limits are what a server bore with from an account before.
"""

import unicodedata

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, LargeBinary, String, column, select, table

revision = "3"
down_revision = "2"

_LIMITS = {"most_bots": 2048, "most_tokens": 2048, "most_sessions": 2048, "most_names": 64}
_tokens = table("tokens", column("account"), column("scopes"), column("created_at"))
_bots = table("bots", column("account"), column("claimed_at"))


def upgrade() -> None:
    """Make the tables, and an account for each name that tokens or bots belong to."""
    accounts = op.create_table(
        "accounts",
        Column("name", String, primary_key=True),
        Column("key", String, nullable=False),
        *(Column(name, Integer, nullable=False) for name in _LIMITS),
        Column("roles", String, nullable=False),
        Column("created_at", BigInteger, nullable=False),
        Column("banned_at", BigInteger),
        Column("ban_reason", String, nullable=False),
    )
    op.create_index("ix_accounts_key", "accounts", ["key"])
    op.create_table(
        "invitations",
        Column("digest", LargeBinary, primary_key=True),
        Column("roles", String, nullable=False),
        Column("account", String, nullable=False),
        Column("created_at", BigInteger, nullable=False),
        Column("expires_at", BigInteger, nullable=False),
        Column("used_at", BigInteger),
    )
    rows = _rows()
    if rows:
        op.bulk_insert(accounts, rows)


def _rows() -> list[dict[str, object]]:
    roles: dict[str, set[str]] = {}
    since: dict[str, int] = {}
    connection = op.get_bind()
    seen = [(row.account, row.scopes, row.created_at) for row in connection.execute(select(_tokens))]
    seen += [(row.account, "", row.claimed_at) for row in connection.execute(select(_bots))]
    for account, scopes, at in seen:
        roles.setdefault(account, set()).update(scopes.split())
        since[account] = min(at, since.get(account, at))
    return [
        {
            "name": name,
            "key": " ".join(unicodedata.normalize("NFKC", name).casefold().split()),
            "roles": " ".join(sorted(roles[name])),
            "created_at": since[name],
            "ban_reason": "",
            **_LIMITS,
        }
        for name in sorted(roles)
    ]
