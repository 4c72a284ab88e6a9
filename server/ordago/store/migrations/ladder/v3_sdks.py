"""Players tell what they were built with. Of those that are there it is not known."""

from alembic import op
from sqlalchemy import Column, String

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Make the column."""
    op.add_column("players", Column("sdk", String, nullable=False, server_default=""))
