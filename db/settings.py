"""All settings, from the environment (`PUZZLEMILL_*`), a `.env` file, or the command line (which wins)."""

from pathlib import Path
from typing import Annotated

from platformdirs import user_data_path
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Where things are kept and how patient the service is. Durations are in seconds."""

    model_config = SettingsConfigDict(env_prefix="PUZZLEMILL_", env_file=".env", extra="ignore", frozen=True)

    data_dir: Annotated[Path, Field(description="Folder for the embedded database, the spool, artifacts and tables.")] = Field(
        default_factory=lambda: user_data_path("puzzlemill", appauthor=False)
    )
    database_url: Annotated[str | None, Field(description="SQLAlchemy URL; default: SQLite in the data folder.")] = None
    broker_url: Annotated[str | None, Field(description="Celery broker URL; default: a file spool in the data folder.")] = None

    lease_seconds: Annotated[float, Field(gt=0, description="How long a claimed chunk is safe without a heartbeat.")] = 30.0
    dispatch_deadline: Annotated[float, Field(gt=0, description="A queued chunk is published again after this.")] = 30.0
    sweep_seconds: Annotated[float, Field(gt=0, description="How often the keeper looks for expired leases.")] = 2.0
    dispatch_seconds: Annotated[float, Field(gt=0, description="How often the keeper publishes due chunks.")] = 0.2
    slot_window: Annotated[int, Field(ge=1, description="Chunks kept in the broker for each worker slot.")] = 3
    time_limit: Annotated[float, Field(gt=0, description="Hard limit of one chunk, a backstop: its process is killed.")] = (
        3600.0
    )
    max_tasks_per_child: Annotated[int, Field(ge=1, description="Chunks a worker process computes before it is replaced.")] = (
        500
    )
    slots: Annotated[int | None, Field(ge=1, description="Worker processes; default: one a core.")] = None
    extra_kinds: Annotated[str, Field(description="Modules with more job kinds, comma separated (`KINDS`, `FAMILY`).")] = ""

    @property
    def embedded_database(self) -> bool:
        """Whether the database is the default SQLite file in the data folder."""
        return self.database_url is None

    @property
    def embedded_broker(self) -> bool:
        """Whether the broker is the default file spool in the data folder."""
        return self.broker_url is None

    def effective_database_url(self) -> str:
        """Return the database URL, with psycopg 3 as the driver of a plain `postgresql://` (or `postgres://`) one."""
        if self.database_url is None:
            return f"sqlite:///{self.data_dir / 'puzzlemill.db'}"
        for plain in ("postgresql://", "postgres://"):
            if self.database_url.startswith(plain):
                return "postgresql+psycopg://" + self.database_url.removeprefix(plain)
        return self.database_url

    def effective_broker_url(self) -> str:
        """Return the broker URL: Celery's `filesystem://` transport unless one was given."""
        return self.broker_url or "filesystem://"

    @property
    def extra_kind_modules(self) -> tuple[str, ...]:
        """The names of the modules in `extra_kinds`."""
        return tuple(name.strip() for name in self.extra_kinds.split(",") if name.strip())

    @property
    def spool_dir(self) -> Path:
        """The folder of the embedded broker's messages."""
        return self.data_dir / "spool"

    @property
    def artifact_dir(self) -> Path:
        """The folder of files too big for rows, named by content hash."""
        return self.data_dir / "artifacts"
