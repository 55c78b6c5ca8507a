"""Steps in words, English and Chinese."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from engine.sudoku.grid import cell_name
from engine.sudoku.rating import techniques as t

if TYPE_CHECKING:
    from engine.sudoku.rating.explanation import Candidate, Nested, Node, Step


class Language(StrEnum):
    """A language that steps can be told in."""

    ENGLISH = "en"
    CHINESE = "zh"


FISH: Final = frozenset(t.NAMES[code] for code in (t.X_WING, t.SWORDFISH, t.JELLYFISH))


def sentence(step: "Step", language: Language) -> str:
    """Return one line: technique, rating, why, and what follows, e.g. `pointing (2.6): 4 of block 1 lies in ...: r7c3<>4`."""
    effects = [*([placed(step.place)] if step.place else []), *crossed(step.remove)]
    inside = len(step.nested)
    if language is Language.CHINESE:
        with_nested = f",其中嵌套{inside}条链" if inside else ""
        return f"{chinese_name(step.technique)}({step.rating:.1f}):{_chinese(step)}{with_nested}:{'、'.join(effects)}"
    with_nested = f", with {inside} nested chain{'s' if inside > 1 else ''}" if inside else ""
    return f"{step.technique} ({step.rating:.1f}): {_english(step)}{with_nested}: {', '.join(effects)}"


def nested_lines(step: "Step", language: Language) -> list[str]:
    """Return one line for each chain nested in a step: its nodes and what it proves, numbered as in the picture."""
    chinese = language is Language.CHINESE
    arrow, join, label = (" → ", "、", "嵌套链") if chinese else (" -> ", ", ", "nested chain")
    lines = []
    for number, chain in enumerate(step.nested, start=1):
        proves = join.join(map(node_name, chain.proves))
        lines.append(f"{label} {number}: {_course(chain, arrow, chinese=chinese)}: {proves}")
    return lines


def _course(chain: "Nested", arrow: str, *, chinese: bool) -> str:
    """Tell the nodes of a nested chain or cycle in order; of nested suppositions only where they begin, and how many links."""
    links = chain.links
    if all(one[1] == two[0] for one, two in pairwise(links)):
        return arrow.join(map(node_name, [links[0][0], *(two for _, two in links)]))
    reached = {two for _, two in links}
    starts = " ".join(node_name(node) for node in dict.fromkeys(one for one, _ in links) if node not in reached)
    return f"由{starts}出发,共{len(links)}步推理" if chinese else f"each of {starts} leads to it in {len(links)} links"


def placed(candidate: "Candidate") -> str:
    """Return e.g. `r1c2=4`."""
    return f"{cell_name(candidate[0])}={candidate[1]}"


def crossed(candidates: "Sequence[Candidate]") -> list[str]:
    """Return e.g. `r1c2<>4` for each candidate."""
    return [f"{cell_name(cell)}<>{digit}" for cell, digit in candidates]


def node_name(node: "Node") -> str:
    """Return `r1c2=4` for a candidate that is on, `r1c2<>4` for one that is off."""
    cell, digit, on = node
    return f"{cell_name(cell)}{'=' if on else '<>'}{digit}"


Words = dict[str, str]


def _kind(step: "Step") -> str:  # a table of cases
    """Return which sentence tells the step."""
    name = step.technique
    if name == "hidden-single":
        return "last digit" if step.rating < 1.1 else "one place"  # 1.0 is the last empty cell
    if "forcing-chains" in name:
        return next((kind for kind in ("cell", "region", "double") if f"{kind}-" in name), "contradiction")
    if name in FISH:
        return "fish"
    tests: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("naked single", "naked-single".__eq__),
        ("locked", lambda name: name.endswith(("pointing", "claiming"))),
        ("hidden set", lambda name: "hidden" in name),
        ("naked set", lambda name: name.startswith("naked")),
        ("loop", lambda name: name.startswith("unique")),
        ("grave", lambda name: name.startswith("bug")),
        ("aligned", lambda name: name.startswith("aligned")),
    )
    return next((kind for kind, fits in tests if fits(name)), "chain" if step.chain else "wing")


ENGLISH: Final[Words] = {
    "last digit": "{digits} is the last digit in {house}",
    "one place": "{digits} has one place left in {house}",
    "naked single": "{cells} has one candidate left",
    "locked": "{digits} of {house} lies in {others} ({cells})",
    "fish": "{digits} of {house} lies in {others}",
    "hidden set": "{digits} of {house} have only the places {cells}",
    "naked set": "{cells} of {house} hold only {digits}",
    "loop": "{cells} hold a loop that cannot be of two digits alone ({digits}{inside})",
    "grave": "{cells} keep the candidates from all coming in twos ({digits}{inside})",
    "aligned": "{cells} have no possible {tuple} of digits with {digits}",
    "chain": "{chain}",
    "wing": "{cells} hold {digits}",
    "cell": "each of {digits} in {cells} leads to it",
    "region": "each place of {digits} in {house} leads to it",
    "double": "{supposed} leads to it, and so does its opposite",
    "contradiction": "{supposed} leads to {refuted}",
}
CHINESE: Final[Words] = {
    "last digit": "{house}只缺{digits}",
    "one place": "{house}中{digits}只剩一个位置",
    "naked single": "{cells}只剩一个候选数",
    "locked": "{house}中的{digits}都落在{others}({cells})",
    "fish": "{house}中的{digits}都落在{others}",
    "hidden set": "{house}中的{digits}只能填在{cells}",
    "naked set": "{house}中的{cells}只含{digits}",
    "loop": "{cells}构成环,不可只剩两个数字,否则有两个解({digits}{inside})",
    "grave": "{cells}必须保留多余候选数,否则全盘候选数成双({digits}{inside})",
    "aligned": "{cells}没有任何可行的{tuple}含有{digits}",
    "chain": "{chain}",
    "wing": "{cells}只含{digits}",
    "cell": "{cells}的候选数{digits}逐一推出同一结论",
    "region": "{house}中{digits}的每个位置都推出同一结论",
    "double": "{supposed}成立与否都推出同一结论",
    "contradiction": "若{supposed},则{refuted}",
}


def _english(step: "Step") -> str:
    house = ", ".join(step.houses)
    return _filled(
        step,
        ENGLISH,
        " -> ",
        house=house,
        digits=", ".join(map(str, step.digits)),
        others=", ".join(step.others),
        inside=f" in {house}" if house else "",
        tuple="pair" if "pair" in step.technique else "triple",
        refuted="{cell} being {digit} and not being {digit}",
    )


def _chinese(step: "Step") -> str:
    house = "、".join(map(_chinese_house, step.houses))
    return _filled(
        step,
        CHINESE,
        " → ",
        house=house,
        digits="、".join(map(str, step.digits)),
        others="、".join(map(_chinese_house, step.others)),
        inside=f",{house}" if house else "",
        tuple="数对" if "pair" in step.technique else "三数组",
        refuted="{cell}既是{digit}又不是{digit},矛盾",
    )


def _filled(step: "Step", sentences: Words, arrow: str, *, refuted: str, **words: str) -> str:
    """Return the sentence for a step, filled with a language's own words and with what reads alike in all."""
    cell, digit = _refuted(step)
    return sentences[_kind(step)].format(
        cells=" ".join(map(cell_name, step.cells)),
        chain=arrow.join(map(node_name, step.chain)),
        supposed=node_name(step.chain[0]) if step.chain else "",
        refuted=refuted.format(cell=cell, digit=digit),
        **words,
    )


def _refuted(step: "Step") -> tuple[str, int]:
    """Return the cell and digit of the contradiction, if the step is one."""
    if len(step.chain) > 1:
        cell, digit, _ = step.chain[1]
        return cell_name(cell), digit
    return "", 0


def _chinese_house(house: str) -> str:
    kind, number = house.split()
    return f"第{number}{ {'block': '宫', 'column': '列', 'row': '行'}[kind] }"


_NAMES: Final[Words] = {
    "hidden-single": "隐性唯一数",
    "direct-pointing": "直接宫区块",
    "direct-claiming": "直接行列区块",
    "direct-hidden-pair": "直接隐性数对",
    "naked-single": "显性唯一数",
    "direct-hidden-triplet": "直接隐性三数组",
    "pointing": "宫区块",
    "claiming": "行列区块",
    "naked-pair": "显性数对",
    "x-wing": "二阶鱼(X-Wing)",
    "hidden-pair": "隐性数对",
    "naked-triplet": "显性三数组",
    "swordfish": "三阶鱼(剑鱼)",
    "hidden-triplet": "隐性三数组",
    "xy-wing": "XY翼",
    "xyz-wing": "XYZ翼",
    "naked-quad": "显性四数组",
    "jellyfish": "四阶鱼(水母)",
    "hidden-quad": "隐性四数组",
    "aligned-pair-exclusion": "数对排除",
    "bidirectional-x-cycle": "双向X环",
    "bidirectional-y-cycle": "双向Y环",
    "bidirectional-cycle": "双向环",
    "forcing-x-chain": "X强制链",
    "forcing-chain": "强制链",
    "turbot-fish": "多宝鱼",
    "aligned-triplet-exclusion": "三数组排除",
    "nishio-forcing-chains": "尼肖强制链",
    "cell-forcing-chains": "单元格强制链",
    "region-forcing-chains": "区域强制链",
    "dynamic-contradiction-forcing-chains": "动态矛盾强制链",
    "dynamic-double-forcing-chains": "动态双向强制链",
    "dynamic-cell-forcing-chains": "动态单元格强制链",
    "dynamic-region-forcing-chains": "动态区域强制链",
}
_SUFFIXES: Final[Words] = {
    "": "",
    "-plus": "(+)",
    "-plus-forcing-chains": "(+强制链)",
    "-plus-multiple-forcing-chains": "(+多重强制链)",
    "-plus-dynamic-forcing-chains": "(+动态强制链)",
}


def chinese_name(technique: str) -> str:
    """Return the Chinese name of a technique."""
    if technique in _NAMES:
        return _NAMES[technique]
    parts = technique.split("-")
    if technique.startswith("unique-rectangle"):
        return f"唯一矩形第{parts[-1]}型"
    if technique.startswith("unique-loop"):
        return f"{parts[2]}格唯一环第{parts[-1]}型"
    if technique.startswith("bug"):
        return f"全双值致死(BUG)第{parts[-1]}型"
    stem, _, suffix = technique.partition("-plus")
    return _NAMES[stem] + _SUFFIXES[f"-plus{suffix}"]


def joined(lines: Iterable[str]) -> str:
    """Return numbered lines."""
    return "\n".join(f"{number:3}. {line}" for number, line in enumerate(lines, start=1))
