"""The thesis benchmark and its picture."""

from xml.etree import ElementTree as ET

from ringkit import FIVE, random_states

from bench import rings_thesis
from bench._plot import histogram_svg
from bench._rings import known_optima
from bench._spread import spread

SVG = "{http://www.w3.org/2000/svg}"


def test_what_it_reports(tmp_path):
    path = tmp_path / "states.txt"
    path.write_text("\n".join(state.text for state in random_states(6)))
    result = rings_thesis.run(path, repeats=1).as_json()
    assert result["items"] == 6
    assert sum(result["thesis"]["distribution"].values()) == 6
    assert list(result["steps"]) == ["fill the rings", "pair the beads", "bring the pairs home"]
    means = sum(step["mean"] for step in result["steps"].values())
    assert abs(means - result["thesis"]["mean"]) < 0.01
    assert result["beam of 10,000"]["mean"] < result["thesis"]["mean"]


def test_spread():
    values = spread([1, 3])
    assert values == {
        "mean": 2.0,
        "mean_within": 1.96,
        "sd": 1.414,
        "min": 1,
        "max": 3,
        "distribution": {"1": 1, "2": 0, "3": 1},
    }
    assert spread([]) == {"mean": None}


def test_the_picture_has_a_bar_for_each_number():
    drawn = ET.fromstring(histogram_svg("a < b", "clicks", {"x & y": [3, 3, 4], "none": [], "z": [12]}))
    bars = [bar for bar in drawn.iter(f"{SVG}rect") if bar.get("fill-opacity")]
    assert len(bars) == 3
    heights = [float(bar.get("height")) for bar in bars]
    assert abs(heights[0] - 2 * heights[1]) < 0.2
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert "a < b" in texts
    assert "x & y: mean 3.3" in texts


def test_a_picture_of_nothing_is_a_picture():
    assert ET.fromstring(histogram_svg("empty", "clicks", {})).tag == f"{SVG}svg"


def test_the_picture_of_states():
    drawn = rings_thesis.picture(random_states(3), {FIVE.solved: 0})
    assert "thesis, step 1 alone: mean" in drawn
    assert "optimum (1 states): mean 0.0" in drawn
    assert "optimum" not in rings_thesis.picture(random_states(1), {})


def test_the_comparison_with_the_optimum(tmp_path):
    near = FIVE.solved.after(FIVE.parse_moves("D R1 R2' D'"))
    path = tmp_path / "optima.csv"
    path.write_text(f"state,optimum,moves\n{near},4,D R2 R1' D'\n{FIVE.solved},0,\n")
    found = rings_thesis.comparison(known_optima(path, "optimum"))
    assert found["best"]["mean"] == found["optimum"]["mean"] == 2
    assert found["best_above_optimum"]["max"] == 0
    assert found["thesis"]["mean"] >= 2
