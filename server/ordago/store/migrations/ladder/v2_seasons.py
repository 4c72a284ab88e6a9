"""Epochs belong to seasons. Those that are there belong to the one without a name."""

from alembic import op
from sqlalchemy import Column, String

revision = "2"
down_revision = None


def upgrade() -> None:
    """Make the columns."""
    for table in ("ladder", "epochs"):
        op.add_column(table, Column("season", String, nullable=False, server_default=""))
