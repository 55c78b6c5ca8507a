"""Chains nested in a step: told below it, drawn in it, and each one a chain indeed."""

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from engine.sudoku.rating import Explanation, Language, check, explain, pictures
from engine.sudoku.solve import solve

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
"""By A. Inkala; ER 10.5: it needs chains nested in dynamic chains."""


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    return explain(ESCARGOT)


def test_some_steps_have_nested_chains_and_all_steps_hold(explanation: Explanation) -> None:
    nesting = [step for step in explanation.steps if step.nested]
    assert nesting
    assert all(step.technique.count("forcing-chains") == 2 for step in nesting)
    solution = solve(ESCARGOT).solution
    assert solution is not None
    assert check(explanation, solution) is None


def test_links_of_a_nested_chain_follow_from_one_another(explanation: Explanation) -> None:
    chains = [chain for step in explanation.steps for chain in step.nested]
    for chain in chains:
        assert chain.proves
        for (_, end), (start, _) in pairwise(chain.links):
            assert end == start
        for (cell, digit, on), (other, another, then) in chain.links:
            assert on != then  # links of a chain go from on to off and from off to on
            assert (cell == other) != (digit == another)
            assert cell == other or any(a == b for a, b in zip(houses(cell), houses(other), strict=True))


def houses(cell: int) -> tuple[int, int, int]:
    return cell // 9, cell % 9, cell // 27 * 3 + cell % 9 // 3


def test_what_nested_chains_prove_the_step_goes_on_from(explanation: Explanation) -> None:
    for step in explanation.steps:
        starts = {one for one, _ in step.links}
        for chain in step.nested:
            assert starts & set(chain.proves) or set(chain.proves) <= {two for _, two in step.links}


def test_text_and_json_have_every_nested_chain(explanation: Explanation) -> None:
    chains = sum(len(step.nested) for step in explanation.steps)
    assert sum("nested chain " in line for line in explanation.text().splitlines() if line.startswith("       ")) == chains
    assert explanation.text(Language.CHINESE).count("嵌套链") == chains
    steps = explanation.as_json()["steps"]
    assert [[len(chain["links"]) for chain in step["nested"]] for step in steps] == [
        [len(chain.links) for chain in step.nested] for step in explanation.steps
    ]


def test_nested_chains_have_arrows_of_their_own(explanation: Explanation) -> None:
    drawn = list(pictures(explanation))
    for step, svg in zip(explanation.steps, drawn, strict=True):
        root = ET.fromstring(svg)
        violet = [element for element in root.iter() if element.get("stroke") == "#8e3fb0"]
        assert bool(violet) == bool(step.nested)
