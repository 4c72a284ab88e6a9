"""From before events had ledgers: what is proved of an event rests on its ledger, so only an empty store goes on."""

from alembic import op
from sqlalchemy import Boolean, CheckConstraint, Column, Integer, LargeBinary, String, Text, text

from ordago.store.errors import StoreError

revision = "3"
down_revision = None


def upgrade() -> None:
    """Make the tables that changed anew.

    Raises:
        StoreError: an event was begun in the old ones.
    """
    name = op.get_bind().scalar(text("SELECT name FROM event"))
    if name is not None:
        raise StoreError(
            f"The database holds {name!r} from before events had ledgers, without which nothing can be proved of it: "
            "look at it with the Ordago that wrote it, or run the event anew in another folder."
        )
    op.drop_table("event")
    op.drop_table("entrants")
    op.create_table(
        "event",
        Column("id", Integer, CheckConstraint("id = 1"), primary_key=True, autoincrement=False),
        Column("name", String, nullable=False),
        Column("settings", Text, nullable=False),
        Column("identity", String, nullable=False),
        Column("secret", LargeBinary, nullable=False),
        Column("finished", Boolean, nullable=False),
    )
    op.create_table(
        "entrants",
        Column("name", String, primary_key=True),
        Column("position", Integer, nullable=False, unique=True),
        Column("nonce", LargeBinary),
        Column("version", String, nullable=False),
        Column("build", String, nullable=False),
    )
    op.create_table(
        "ledger",
        Column("position", Integer, primary_key=True, autoincrement=False),
        Column("line", Text, nullable=False),
    )
