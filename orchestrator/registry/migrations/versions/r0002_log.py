"""The log of signed envelopes.

Release 0.1.0 did not refuse `INSERT OR REPLACE` either; `triggers` does, and makes them again after every migration.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "log_entries",
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("envelope", sa.Text, nullable=False),
        sa.Column("checkpoint", sa.Text, nullable=False),
    )
