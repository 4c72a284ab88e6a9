"""How databases of older versions become those of today, step by step, by alembic.

Each folder here holds the steps of one kind of content, each of which is named by the version that it leads to. A step
stands as it was written: it says what tables were then, and never imports what they are now.
"""

from pathlib import Path

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

_HERE = Path(__file__).parent


def steps_of(content: str) -> ScriptDirectory:
    """Return the steps of one kind of content."""
    folder = str(_HERE / content)
    return ScriptDirectory(folder, version_locations=[folder])


def migrate(connection: Connection, content: str, *, version: int) -> None:
    """Take the steps from a version to that of today. Who calls notes where that led, in the same transaction.

    Raises:
        StoreError: what the database holds cannot be brought into tables of today.
    """
    due = [step for step in steps_of(content).walk_revisions() if int(step.revision) > version]
    with Operations.context(MigrationContext.configure(connection)):
        for step in reversed(due):
            step.module.upgrade()
