"""Options made from a parameter model: every simple type, help with default and example, errors that name the option."""

from enum import StrEnum
from typing import Literal

import click
import pytest
from pydantic import Field, field_validator, model_validator

from engine.jobs import InputKind, Params
from frontends.cli.options import options_of, params_of
from frontends.cli.output import CliError, Exit


class Shape(StrEnum):
    ROUND = "round"
    SQUARE = "square"


class Everything(Params):
    board: str = Field(default="triangle-15", description="The board.")
    count: int = Field(default=10, ge=1, description="How many.", examples=[1000])
    share: float = Field(default=0.5, description="Which part.")
    rate: bool = Field(default=True, description="Whether to rate.")
    shape: Shape = Field(default=Shape.ROUND, description="Which shape.")
    mode: Literal["all", "shortest"] = Field(default="all", description="Which ones.")
    max_clicks: int | None = Field(default=None, description="No further than this.")
    er: str | None = Field(default=None, description="Difficulty.", examples=["3.0..4.5"])
    technique: list[str] = Field(default=[], description="Required technique.")

    @field_validator("er")
    @classmethod
    def _range(cls, value):
        if value is not None and ".." not in value:
            raise ValueError(f"{value!r} is not a range; write A..B")
        return value

    @model_validator(mode="after")
    def _whole(self):
        if self.count == 13:
            raise ValueError("13 is unlucky")
        return self


class FakeKind:
    name = "fake.everything"
    family = "fake"
    summary = "Try every type."
    params_model = Everything

    def __init__(self, kind=InputKind.BOARD):
        self.input = kind


def parse(*args, kind=None):
    command = click.Command("x", params=list(options_of(kind or FakeKind())), callback=lambda **given: given)
    return command.main(list(args), standalone_mode=False)


def params(*args):
    return params_of(FakeKind(), parse(*args))


def test_nothing_given_leaves_the_models_defaults():
    assert params() == Everything()


def test_every_type():
    made = params(
        "--count=3", "--share=0.25", "--no-rate", "--shape=square", "--mode=shortest",
        "--max-clicks=20", "--er=3.0..4.5", "--technique=x-wing", "--technique=xy-wing",
    )  # fmt: skip
    assert made == Everything(
        count=3,
        share=0.25,
        rate=False,
        shape=Shape.SQUARE,
        mode="shortest",
        max_clicks=20,
        er="3.0..4.5",
        technique=["x-wing", "xy-wing"],
    )


def test_the_board_is_an_argument_and_no_option():
    assert "--board" not in {name for option in options_of(FakeKind()) for name in option.opts}
    assert "--board" in {name for option in options_of(FakeKind(InputKind.NONE)) for name in option.opts}


def test_help_has_description_default_and_example():
    helps = {option.name: option.help for option in options_of(FakeKind())}
    assert helps["count"] == "How many  [default: 10]  [e.g. 1000]"
    assert helps["er"] == "Difficulty  [e.g. 3.0..4.5]"
    assert helps["rate"] == "Whether to rate  [default: yes]"
    assert helps["shape"] == "Which shape  [default: round]"
    assert helps["technique"] == "Required technique (may be repeated)"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--count=0"], r"--count: Input should be greater than or equal to 1 \(got 0\)"),
        (["--er=3"], r"--er: '3' is not a range; write A\.\.B"),
        (["--count=13"], "13 is unlucky"),
    ],
)
def test_what_the_model_refuses_names_the_option(args, message):
    with pytest.raises(CliError, match=message) as caught:
        params(*args)
    assert caught.value.exit_code == Exit.USAGE


@pytest.mark.parametrize("args", [["--shape=oval"], ["--count=many"], ["--nope=1"]])
def test_what_click_refuses_is_a_usage_error(args):
    with pytest.raises(click.UsageError):
        params(*args)
