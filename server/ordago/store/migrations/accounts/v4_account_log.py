"""What was done to accounts, by whom, when and why is kept. Nothing is known of what was done before."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Integer, String

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make the table of the log."""
    op.create_table(
        "account_log",
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("at", BigInteger, nullable=False),
        Column("actor", String, nullable=False),
        Column("at_folder", Boolean, nullable=False),
        Column("act", String, nullable=False),
        Column("account", String, nullable=False),
        Column("subject", String, nullable=False),
        Column("detail", String, nullable=False),
        Column("why", String, nullable=False),
    )
    op.create_index("ix_account_log_account", "account_log", ["account"])
    op.create_index("ix_account_log_actor", "account_log", ["actor"])
