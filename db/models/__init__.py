"""All models; importing this package fills `Base.metadata`."""

from db.models.base import Base
from db.models.jobs import Artifact, Chunk, ChunkEvent, ChunkState, Job, JobItem, JobState, Worker
from db.models.pegs import PegBoard, PegEnumeration, PegSolution
from db.models.rings import RingPosition, RingSolution
from db.models.sudoku import Sudoku, SudokuTechnique, Technique

__all__ = [
    "Artifact",
    "Base",
    "Chunk",
    "ChunkEvent",
    "ChunkState",
    "Job",
    "JobItem",
    "JobState",
    "PegBoard",
    "PegEnumeration",
    "PegSolution",
    "RingPosition",
    "RingSolution",
    "Sudoku",
    "SudokuTechnique",
    "Technique",
    "Worker",
]
