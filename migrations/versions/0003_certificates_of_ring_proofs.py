"""What a proof of the five rings rests on is kept beside it: bounds refuted, nodes, tables with their hashes."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ring_solution", sa.Column("certificate", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    op.drop_column("ring_solution", "certificate")
