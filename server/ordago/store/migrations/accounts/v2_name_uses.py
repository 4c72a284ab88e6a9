"""When bots were seen last is kept, for which some databases of version 1 have a table already."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, String

revision = "2"
down_revision = None


def upgrade() -> None:
    """Make the table of what names were used when."""
    op.create_table(
        "name_uses",
        Column("bot_key", String, ForeignKey("bots.key"), primary_key=True),
        Column("last_seen_at", BigInteger, nullable=False),
        if_not_exists=True,
    )
