"""Turns a job kind's parameter model into command line options, and what was given back into parameters."""

import types
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

import click
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from engine.jobs import InputKind, JobKind, Params
from frontends.cli.output import CliError, Exit

BOARD_FIELD = "board"
"""The parameter that a kind with `InputKind.BOARD` takes from the command's argument instead of an option."""

LONG_CHOICE = 40
"""Characters from which a list of choices goes into the help text, as it would push all descriptions to the right."""


def option_name(field: str) -> str:
    """Return the option of a parameter: `max_clicks` is `--max-clicks`."""
    return "--" + field.replace("_", "-")


def options_of(kind: JobKind[Any]) -> list[click.Option]:
    """Return one option for each parameter of `kind`, in the model's order; help has description, default and example."""
    return [_option(name, field) for name, field in kind.params_model.model_fields.items() if not _from_argument(kind, name)]


def params_of(kind: JobKind[Any], given: Mapping[str, Any]) -> Params:
    """Make the parameters from the values that were given (None and empty ones left to their defaults).

    Raise `CliError` (exit 2) that names the option and what is wrong with it.
    """
    known = kind.params_model.model_fields
    values = {name: value for name, value in given.items() if name in known and value is not None and value != ()}
    for name, value in values.items():
        if isinstance(value, tuple):
            values[name] = list(value)
    try:
        made = kind.params_model.model_validate(values)
    except ValidationError as error:
        raise CliError("; ".join(_complaint(kind, problem) for problem in error.errors()), Exit.USAGE) from None
    assert isinstance(made, Params)
    return made


def _from_argument(kind: JobKind[Any], field: str) -> bool:
    return kind.input is InputKind.BOARD and field == BOARD_FIELD


def _complaint(kind: JobKind[Any], problem: Mapping[str, Any]) -> str:
    message = str(problem["msg"]).removeprefix("Value error, ")
    location = problem["loc"]
    if not location:
        return message
    field = str(location[0])
    where = field.upper() if _from_argument(kind, field) else option_name(field)
    value = problem.get("input")
    shown = "" if value is None or str(value) in message else f" (got {value!r})"
    return f"{where}: {message}{shown}"


def _option(name: str, field: FieldInfo) -> click.Option:
    flag = option_name(name)
    annotation, many = _plain(field.annotation)
    choices = _choices(annotation)
    listed = len("|".join(choices)) > LONG_CHOICE
    text = _help(field, choices if listed else [])
    if annotation is bool:
        return click.Option([f"{flag}/--no-{flag[2:]}"], default=None, help=text)
    return click.Option(
        [flag, name],
        type=_click_type(annotation),
        multiple=many,
        default=None,
        metavar="NAME" if listed else {int: "N", float: "X"}.get(annotation),
        help=text + (" (may be repeated)" if many else ""),
    )


def _plain(annotation: Any) -> tuple[Any, bool]:
    """Return the type without `| None`, and without `list[...]` together with True if it was one."""
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [a for a in get_args(annotation) if a is not type(None)]
        if len(rest) == 1:
            return _plain(rest[0])
        return str, False  # several types: text, which the model reads
    if get_origin(annotation) in (list, tuple, Sequence):
        return _plain(get_args(annotation)[0])[0], True
    return annotation, False


def _choices(annotation: Any) -> list[str]:
    if get_origin(annotation) is Literal:
        return [str(value) for value in get_args(annotation)]
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [str(member.value) for member in annotation]
    return []


def _click_type(annotation: Any) -> click.ParamType[Any]:
    if choices := _choices(annotation):
        return click.Choice(choices)
    plain: dict[Any, click.ParamType[Any]] = {int: click.INT, float: click.FLOAT}
    return plain.get(annotation, click.STRING)


def _help(field: FieldInfo, choices: Sequence[str]) -> str:
    parts = [(field.description or "").rstrip(".") + (f": {', '.join(choices)}" if choices else "")]
    default = field.get_default(call_default_factory=True, validated_data={})
    if default is not None and default not in ([], (), ""):
        parts.append(f"[default: {_shown(default)}]")
    examples = [_shown(e) for e in field.examples or [] if e != default and not isinstance(e, bool) and str(e) not in choices]
    if examples:
        parts.append(f"[e.g. {', '.join(examples)}]")
    return "  ".join(part for part in parts if part)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, (list, tuple)):
        return ",".join(_shown(item) for item in value)
    return str(value)
