"""Alembic migrations: one head, for SQLite and PostgreSQL alike."""
