"""Finds the job kinds and families: every `engine/<family>/jobs.py` that defines `KINDS` and `FAMILY`.

Kinds from elsewhere come in by `add_modules`: a module with a tuple `KINDS`, and a `FAMILY` if it brings a family of its own.
"""

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import engine
from engine.errors import UnknownNameError
from engine.jobs import JobKind, Record


@dataclass(frozen=True, slots=True)
class Family:
    """One puzzle family: its name, and how stored records of it are checked again."""

    name: str
    title: str
    verify: Callable[[Iterable[Record]], Iterator[str | None]]
    """For each record, None if it holds when recomputed (replay, re-prove, re-count), else what is wrong with it."""


_added: list[str] = []


def add_modules(names: Iterable[str]) -> None:
    """Add the kinds and families of the modules called `names`; adding one twice changes nothing.

    Raises `UnknownNameError` if one cannot be imported or has no `KINDS`.
    """
    for name in names:
        if name in _added:
            continue
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            raise UnknownNameError(f"module {name!r} with extra job kinds cannot be imported: {error}") from error
        if not hasattr(module, "KINDS"):
            raise UnknownNameError(f"module {name!r} defines no KINDS, so it brings no job kinds")
        _added.append(name)
        for cached in (_modules, kinds, families):
            cached.cache_clear()


@cache
def _modules() -> Sequence[Any]:
    packages = sorted(m.name for m in pkgutil.iter_modules(engine.__path__) if m.ispkg)
    own = [name for name in (f"engine.{package}.jobs" for package in packages) if importlib.util.find_spec(name)]
    return [importlib.import_module(name) for name in [*own, *_added]]


@cache
def kinds() -> dict[str, JobKind[Any]]:
    """Return all job kinds by name, in name order."""
    found = {kind.name: kind for module in _modules() for kind in module.KINDS}
    return dict(sorted(found.items()))


@cache
def families() -> dict[str, Family]:
    """Return all families by name, in name order."""
    return {module.FAMILY.name: module.FAMILY for module in _modules() if hasattr(module, "FAMILY")}


def kind(name: str) -> JobKind[Any]:
    """Return the kind called `name`; raise `UnknownNameError`, which lists the kinds, if there is none."""
    try:
        return kinds()[name]
    except KeyError:
        raise UnknownNameError(f"no job kind {name!r}; kinds: {', '.join(kinds())}") from None
