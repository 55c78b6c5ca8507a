"""Steps in words and pictures: names and sentences in both languages, links where they should be."""

from xml.etree import ElementTree as ET

import pytest

from engine.sudoku.rating import Language, Step, explain, pictures
from engine.sudoku.rating.techniques import NAMES
from engine.sudoku.rating.words import chinese_name

pytestmark = pytest.mark.small

# Made for this; the second needs cell and region chains, the third is "AI Escargot" by A. Inkala.
EASY = ".2.8...94.3.2..1.59...6..3...9......76..4...921..874..1..72...8..2......68..9...."
CHAINS = "9..6..7.4...7.8.....8..3.9...7..41.2.2.3............65.......5..1....6.36.5..29.."
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


def test_every_technique_has_a_chinese_name_of_its_own() -> None:
    assert len({chinese_name(name) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize(
    ("technique", "chinese"),
    [
        ("hidden-single", "隐性唯一数(1.2):第2宫中9只剩一个位置:r2c6=9"),
        ("pointing", "宫区块(2.6):第2宫中的4都落在第3行(r3c4 r3c6):r3c2<>4、r3c3<>4"),
    ],
)
def test_steps_in_chinese(technique: str, chinese: str) -> None:
    step = next(step for step in explain(EASY).steps if step.technique == technique)
    assert step.text(Language.CHINESE) == chinese


def test_only_the_text_depends_on_the_language() -> None:
    one, two = (explain(CHAINS).as_json(language) for language in Language)
    for first, second in zip(one["steps"], two["steps"], strict=True):
        assert first.pop("text") != second.pop("text")
    assert one == two


@pytest.mark.parametrize("puzzle", [CHAINS, HARD])
def test_links_lead_from_what_is_supposed_to_the_conclusion(puzzle: str) -> None:
    steps = [step for step in explain(puzzle, 9.0).steps if "forcing-chains" in step.technique]
    assert steps
    for step in steps:
        starts = {one for one, _ in step.links} - {two for _, two in step.links}
        assert starts == supposed(step)
        ends = {two[:2] for _, two in step.links}
        proved = step.place or step.remove[0]
        refuted = step.chain[1][:2] if len(step.chain) > 1 else proved
        assert refuted in ends


def supposed(step: Step) -> set[tuple[int, int, bool]]:
    """What the links must begin with, from the pattern alone."""
    if "contradiction" in step.technique or "nishio" in step.technique:
        return {step.chain[0]}
    if "double" in step.technique:
        cell, digit, _ = step.chain[0]
        return {(cell, digit, True), (cell, digit, False)}
    begun = {(cell, digit, True) for cell in step.cells for digit in step.digits}
    return begun - ({(*step.place, True)} if step.place else set()) if step.place in {node[:2] for node in begun} else begun


def test_a_cycle_closes_and_a_chain_runs_through_its_nodes() -> None:
    for step in explain(CHAINS).steps:
        if step.chain and "forcing-chains" not in step.technique:
            pairs = list(zip(step.chain, step.chain[1:], strict=False))
            closed = [(step.chain[-1], step.chain[0])] if "cycle" in step.technique else []
            assert list(step.links) == pairs + closed
            assert all(one[2] != two[2] for one, two in step.links)


@pytest.mark.parametrize("language", list(Language))
def test_pictures_show_every_candidate_and_arrow(language: Language) -> None:
    explanation = explain(CHAINS)
    drawn = [ET.fromstring(document) for document in pictures(explanation, language)]
    assert len(drawn) == len(explanation.steps)
    for number, (root, step) in enumerate(zip(drawn, explanation.steps, strict=True), start=1):
        title, board = root
        assert title.text == f"{number}. {step.text(language)}"
        tags = [element.tag.rpartition("}")[2] for element in board]
        squares = [e for e in board if e.tag.endswith("rect") and e.get("width") == "18"]
        assert len(squares) == len(step.remove)
        assert tags.count("path") == 10 + 2 * len(step.links)
