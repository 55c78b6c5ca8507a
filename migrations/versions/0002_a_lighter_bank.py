"""A sudoku costs a third of the writing: narrower tables for its techniques and items, and no index entry that nobody asks for.

Techniques move into the puzzle's row; the table by technique keeps numbers alone, in the order in which they are looked up.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True)
RATED = sa.text("er IS NOT NULL")
ODD = sa.text("status <> 'unique'")

ITEM_KEY = ("job_id", "stage", "chunk_index", "ordinal")


def item_columns() -> list[sa.Column[Any]]:
    """Return the columns of `job_item` after the job's."""
    return [
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("chunk_index", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("family", sa.String(length=20), nullable=False),
        sa.Column("table_name", sa.String(length=40), nullable=False),
        sa.Column("row_id", sa.BigInteger(), nullable=False),
        sa.Column("is_new", sa.Boolean(), nullable=False),
        sa.Column("detail", JSON),
    ]


def on_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def upgrade() -> None:
    op.create_table(
        "technique",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_technique")),
        sa.UniqueConstraint("name", name=op.f("uq_technique_name")),
    )
    op.execute("INSERT INTO technique (name) SELECT DISTINCT technique FROM sudoku_technique ORDER BY technique")
    op.add_column("sudoku", sa.Column("techniques", JSON))
    techniques = (
        "json_group_object(technique, count) FROM (SELECT technique, count FROM sudoku_technique WHERE sudoku_id = sudoku.id "
        "ORDER BY technique)"
        if on_sqlite()
        else "coalesce(json_object_agg(technique, count ORDER BY technique), '{}') FROM sudoku_technique "
        "WHERE sudoku_id = sudoku.id"
    )
    op.execute(f"UPDATE sudoku SET techniques = (SELECT {techniques}) WHERE er IS NOT NULL")  # noqa: S608  # texts of ours
    op.drop_index("ix_sudoku_technique_technique", "sudoku_technique")
    _set_aside("sudoku_technique")
    op.create_table(
        "sudoku_technique",
        sa.Column("technique_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("sudoku_id", KEY, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("technique_id", "sudoku_id", name=op.f("pk_sudoku_technique")),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO sudoku_technique (technique_id, sudoku_id) SELECT id, sudoku_id FROM old_sudoku_technique "
        "JOIN technique ON name = technique ORDER BY id, sudoku_id"
    )
    op.drop_table("old_sudoku_technique")

    op.drop_index("ix_job_item_row", "job_item")
    if on_sqlite():
        _set_aside("job_item")
        op.create_table(
            "job_item",
            sa.Column("job_id", KEY, autoincrement=False, nullable=False),
            *item_columns(),
            sa.PrimaryKeyConstraint(*ITEM_KEY, name=op.f("pk_job_item")),
            sqlite_with_rowid=False,
        )
        _take_back_items()
    else:
        op.drop_constraint("fk_job_item_job_id_job", "job_item", type_="foreignkey")
        op.alter_column("sudoku", "canonical", type_=sa.String(length=81, collation="C"))

    for name in ("status", "er", "level"):
        op.drop_index(f"ix_sudoku_{name}", "sudoku")
        where = ODD if name == "status" else RATED
        op.create_index(f"ix_sudoku_{name}", "sudoku", [name], sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    for name in ("status", "er", "level"):
        op.drop_index(f"ix_sudoku_{name}", "sudoku")
        op.create_index(f"ix_sudoku_{name}", "sudoku", [name])

    if on_sqlite():
        _set_aside("job_item")
        op.create_table(
            "job_item",
            sa.Column("job_id", KEY, nullable=False),
            *item_columns(),
            sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_item_job_id_job"), ondelete="CASCADE"),
            sa.PrimaryKeyConstraint(*ITEM_KEY, name=op.f("pk_job_item")),
        )
        _take_back_items()
    else:
        op.create_foreign_key("fk_job_item_job_id_job", "job_item", "job", ["job_id"], ["id"], ondelete="CASCADE")
        op.alter_column("sudoku", "canonical", type_=sa.String(length=81, collation="default"))
    op.create_index("ix_job_item_row", "job_item", ["table_name", "row_id"])

    op.drop_table("sudoku_technique")
    op.create_table(
        "sudoku_technique",
        sa.Column("sudoku_id", KEY, nullable=False),
        # Wider than it was: names longer than 40 characters may have been stored since.
        sa.Column("technique", sa.String(length=100), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sudoku_id"], ["sudoku.id"], name=op.f("fk_sudoku_technique_sudoku_id_sudoku"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sudoku_id", "technique", name=op.f("pk_sudoku_technique")),
    )
    uses, number = ("json_each", "value") if on_sqlite() else ("json_each_text", "CAST(value AS integer)")
    op.execute(
        f"INSERT INTO sudoku_technique (sudoku_id, technique, count) SELECT sudoku.id, uses.key, {number} FROM sudoku, "  # noqa: S608  # the same
        f"{uses}(sudoku.techniques) AS uses"
    )
    op.create_index("ix_sudoku_technique_technique", "sudoku_technique", ["technique"])
    op.drop_column("sudoku", "techniques")
    op.drop_table("technique")


def _set_aside(table: str) -> None:
    """Rename a table and, on PostgreSQL, its key, so that a new one can have their names."""
    op.rename_table(table, f"old_{table}")
    if not on_sqlite():
        op.execute(f"ALTER TABLE old_{table} RENAME CONSTRAINT pk_{table} TO pk_old_{table}")


def _take_back_items() -> None:
    names = ", ".join((ITEM_KEY[0], *(column.name for column in item_columns())))
    op.execute(f"INSERT INTO job_item ({names}) SELECT {names} FROM old_job_item ORDER BY {', '.join(ITEM_KEY)}")  # noqa: S608  # the same
    op.drop_table("old_job_item")
