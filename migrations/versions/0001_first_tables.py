"""The first tables: jobs and their chunks, and the results of the three families."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True)


def upgrade() -> None:
    op.create_table(
        "job",
        sa.Column("id", KEY, nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("params", JSON, nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("engine_version", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("stage_labels", sa.JSON(), nullable=False),
        sa.Column("chunk_count", sa.Integer(), nullable=False),
        sa.Column("chunks_done", sa.Integer(), nullable=False),
        sa.Column("chunks_quarantined", sa.Integer(), nullable=False),
        sa.Column("items_expected", sa.BigInteger(), nullable=False),
        sa.Column("items_done", sa.BigInteger(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("max_attempts", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=200)),
        sa.Column("request_digest", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double()),
        sa.Column("finished_at", sa.Double()),
        sa.Column("summary", JSON),
        sa.Column("digest", sa.String(length=32)),
        sa.Column("error", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_job_idempotency_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_job_kind"), "job", ["kind"])
    op.create_index(op.f("ix_job_state"), "job", ["state"])

    op.create_table(
        "peg_board",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("shape_hash", sa.String(length=32), nullable=False),
        sa.Column("holes", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_peg_board")),
        sa.UniqueConstraint("name", "shape_hash", name=op.f("uq_peg_board_name_shape_hash")),
    )
    op.create_index(op.f("ix_peg_board_name"), "peg_board", ["name"])

    op.create_table(
        "ring_position",
        sa.Column("id", KEY, nullable=False),
        sa.Column("canonical", sa.String(length=120), nullable=False),
        sa.Column("state", sa.String(length=120), nullable=False),
        sa.Column("lower_bound", sa.Integer(), nullable=False),
        sa.Column("best_clicks", sa.Integer()),
        sa.Column("optimal_clicks", sa.Integer()),
        sa.Column("origin", JSON),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ring_position")),
        sa.UniqueConstraint("canonical", name=op.f("uq_ring_position_canonical")),
    )
    op.create_index(op.f("ix_ring_position_best_clicks"), "ring_position", ["best_clicks"])
    op.create_index(op.f("ix_ring_position_lower_bound"), "ring_position", ["lower_bound"])
    op.create_index(op.f("ix_ring_position_optimal_clicks"), "ring_position", ["optimal_clicks"])

    op.create_table(
        "sudoku",
        sa.Column("id", KEY, nullable=False),
        sa.Column("canonical", sa.String(length=81), nullable=False),
        sa.Column("puzzle", sa.String(length=81), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("solution", sa.String(length=81)),
        sa.Column("solutions_found", sa.Integer(), nullable=False),
        sa.Column("clues", sa.Integer(), nullable=False),
        sa.Column("automorphisms", sa.Integer()),
        sa.Column("minimal", sa.Boolean()),
        sa.Column("symmetry", sa.String(length=20)),
        sa.Column("sampling", sa.String(length=20)),
        sa.Column("weight", sa.Double()),
        sa.Column("er", sa.Double()),
        sa.Column("ep", sa.Double()),
        sa.Column("ed", sa.Double()),
        sa.Column("bound", sa.Boolean()),
        sa.Column("level", sa.String(length=20)),
        sa.Column("score", sa.Integer()),
        sa.Column("rater", sa.String(length=40)),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sudoku")),
        sa.UniqueConstraint("canonical", name=op.f("uq_sudoku_canonical")),
    )
    op.create_index(op.f("ix_sudoku_clues"), "sudoku", ["clues"])
    op.create_index(op.f("ix_sudoku_er"), "sudoku", ["er"])
    op.create_index(op.f("ix_sudoku_level"), "sudoku", ["level"])
    op.create_index(op.f("ix_sudoku_status"), "sudoku", ["status"])

    op.create_table(
        "worker",
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("host", sa.String(length=120), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("engine_version", sa.String(length=40), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("last_seen", sa.Double(), nullable=False),
        sa.Column("restarts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker")),
    )
    op.create_table(
        "artifact",
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("path", sa.String(length=400), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("media_type", sa.String(length=80), nullable=False),
        sa.Column("job_id", KEY),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_artifact_job_id_job"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_artifact")),
    )
    op.create_table(
        "chunk",
        sa.Column("id", KEY, nullable=False),
        sa.Column("job_id", KEY, nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("items_expected", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.Double(), nullable=False),
        sa.Column("dispatched_at", sa.Double()),
        sa.Column("lease_token", sa.String(length=32)),
        sa.Column("lease_until", sa.Double()),
        sa.Column("worker", sa.String(length=120)),
        sa.Column("engine_version", sa.String(length=40)),
        sa.Column("started_at", sa.Double()),
        sa.Column("finished_at", sa.Double()),
        sa.Column("progress_done", sa.BigInteger(), nullable=False),
        sa.Column("progress_total", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=False),
        sa.Column("result_items", sa.Integer(), nullable=False),
        sa.Column("result_digest", sa.String(length=32)),
        sa.Column("summary", JSON),
        sa.Column("last_error", sa.Text()),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_chunk_job_id_job"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chunk")),
        sa.UniqueConstraint("job_id", "stage", "index", name=op.f("uq_chunk_job_id_stage_index")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_chunk_job_state", "chunk", ["job_id", "state", "stage", "index"])
    op.create_index(
        "ix_chunk_queued",
        "chunk",
        ["dispatched_at"],
        sqlite_where=sa.text("state = 'queued'"),
        postgresql_where=sa.text("state = 'queued'"),
    )
    op.create_index(
        "ix_chunk_running",
        "chunk",
        ["lease_until"],
        sqlite_where=sa.text("state = 'running'"),
        postgresql_where=sa.text("state = 'running'"),
    )

    op.create_table(
        "job_item",
        sa.Column("job_id", KEY, nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("chunk_index", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("family", sa.String(length=20), nullable=False),
        sa.Column("table_name", sa.String(length=40), nullable=False),
        sa.Column("row_id", sa.BigInteger(), nullable=False),
        sa.Column("is_new", sa.Boolean(), nullable=False),
        sa.Column("detail", JSON),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_item_job_id_job"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job_id", "stage", "chunk_index", "ordinal", name=op.f("pk_job_item")),
    )
    op.create_index("ix_job_item_row", "job_item", ["table_name", "row_id"])

    op.create_table(
        "peg_solution",
        sa.Column("id", KEY, nullable=False),
        sa.Column("board_id", KEY, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("rank", sa.BigInteger()),
        sa.Column("finish", sa.Integer(), nullable=False),
        sa.Column("jumps", sa.Text(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("shortest", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["peg_board.id"], name=op.f("fk_peg_solution_board_id_peg_board"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_peg_solution")),
        sa.UniqueConstraint("board_id", "start", "jumps", name=op.f("uq_peg_solution_board_id_start_jumps")),
    )
    op.create_index("ix_peg_solution_finish", "peg_solution", ["board_id", "start", "finish", "moves"])
    op.create_index("ix_peg_solution_rank", "peg_solution", ["board_id", "start", "rank"])

    op.create_table(
        "ring_solution",
        sa.Column("id", KEY, nullable=False),
        sa.Column("position_id", KEY, nullable=False),
        sa.Column("method", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=120), nullable=False),
        sa.Column("moves", sa.Text()),
        sa.Column("clicks", sa.Integer()),
        sa.Column("lower_bound", sa.Integer(), nullable=False),
        sa.Column("optimal", sa.Boolean(), nullable=False),
        sa.Column("nodes", sa.BigInteger()),
        sa.Column("seconds", sa.Double()),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["position_id"], ["ring_position.id"], name=op.f("fk_ring_solution_position_id_ring_position"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ring_solution")),
        sa.UniqueConstraint("position_id", "method", name=op.f("uq_ring_solution_position_id_method")),
    )
    op.create_index(op.f("ix_ring_solution_clicks"), "ring_solution", ["clicks"])
    op.create_index(op.f("ix_ring_solution_optimal"), "ring_solution", ["optimal"])

    op.create_table(
        "sudoku_technique",
        sa.Column("sudoku_id", KEY, nullable=False),
        sa.Column("technique", sa.String(length=40), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sudoku_id"], ["sudoku.id"], name=op.f("fk_sudoku_technique_sudoku_id_sudoku"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sudoku_id", "technique", name=op.f("pk_sudoku_technique")),
    )
    op.create_index(op.f("ix_sudoku_technique_technique"), "sudoku_technique", ["technique"])

    op.create_table(
        "chunk_event",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("job_id", KEY, nullable=False),
        sa.Column("chunk_id", KEY),
        sa.Column("event", sa.String(length=24), nullable=False),
        sa.Column("worker", sa.String(length=120)),
        sa.Column("detail", sa.Text()),
        sa.ForeignKeyConstraint(["chunk_id"], ["chunk.id"], name=op.f("fk_chunk_event_chunk_id_chunk"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_chunk_event_job_id_job"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chunk_event")),
    )
    op.create_index("ix_chunk_event_job", "chunk_event", ["job_id", "id"])

    op.create_table(
        "peg_enumeration",
        sa.Column("id", KEY, nullable=False),
        sa.Column("board_id", KEY, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("positions", sa.BigInteger(), nullable=False),
        sa.Column("solutions_text", sa.String(length=60), nullable=False),
        sa.Column("min_moves", sa.Integer()),
        sa.Column("figures", JSON, nullable=False),
        sa.Column("graph_digest", sa.String(length=32)),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["peg_board.id"], name=op.f("fk_peg_enumeration_board_id_peg_board"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["graph_digest"], ["artifact.digest"], name=op.f("fk_peg_enumeration_graph_digest_artifact"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_peg_enumeration")),
        sa.UniqueConstraint("board_id", "start", name=op.f("uq_peg_enumeration_board_id_start")),
    )


def downgrade() -> None:
    # Indexes go with their tables.
    for table in (
        "peg_enumeration",
        "chunk_event",
        "sudoku_technique",
        "ring_solution",
        "peg_solution",
        "job_item",
        "chunk",
        "artifact",
        "worker",
        "sudoku",
        "ring_position",
        "peg_board",
        "job",
    ):
        op.drop_table(table)
