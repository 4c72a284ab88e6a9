"""Strikes have a table of their own, which some databases of version 3 have already."""

from alembic import op
from sqlalchemy import JSON, Column, ForeignKey, String

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make the table of strikes."""
    op.create_table(
        "strikes",
        Column("match_id", String, ForeignKey("results.match_id"), primary_key=True),
        Column("strikes", JSON, nullable=False),
        if_not_exists=True,
    )
