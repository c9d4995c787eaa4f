"""The tables of release 0.1.0, which had no migrations: functions, and what happened to them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table("schema_version", sa.Column("version", sa.Integer, primary_key=True))
    op.execute("INSERT INTO schema_version (version) VALUES (1)")
    op.create_table(
        "functions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("apply_order", sa.Integer, nullable=False, unique=True),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("issue", sa.Text, nullable=False),
        sa.Column("docstring", sa.Text, nullable=False),
        sa.Column("has_detect", sa.Boolean, nullable=False),
        sa.Column("contract", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("promoted_at", sa.Text, nullable=False),
        sa.Column("content_sha256", sa.Text, nullable=False),
        sa.UniqueConstraint("name", "version"),
    )
    op.create_index("ix_functions_sha256", "functions", ["sha256"])
    op.create_table(
        "events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("function_id", sa.Integer, sa.ForeignKey("functions.id"), nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_index("ix_events_function_id", "events", ["function_id"])
