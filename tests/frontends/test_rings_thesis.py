"""`puzzlemill rings thesis`: each step named, with its clicks and the state after it."""

from ringkit import FIVE

from engine.rings.model import State

STATE = "44012230412000224311232311100443343"


def test_three_steps_as_json(invoke):
    ran = invoke("rings", "thesis", STATE, "--json")
    assert ran.code == 0
    assert [(step["step"], step["name"]) for step in ran.json["steps"]] == [
        (1, "fill the rings"),
        (2, "pair the beads"),
        (3, "bring the pairs home"),
    ]
    state = State(STATE)
    for step in ran.json["steps"]:
        moves = FIVE.parse_moves(step["moves"])
        assert len(moves) == step["clicks"]
        state = state.after(moves)
        assert state.text == step["state"]
    assert state.is_solved
    assert ran.json["moves"].split() == [move for step in ran.json["steps"] for move in step["moves"].split()]
    assert ran.json["moves"] == invoke("rings", "solve", STATE, "--method", "thesis", "--json").json["moves"]


def test_three_steps_for_people(invoke):
    ran = invoke("rings", "thesis", STATE)
    assert ran.out.count("step ") == 3
    assert "step 1, fill the rings:" in ran.out
    assert "(nothing to do)" in invoke("rings", "thesis", FIVE.solved.text).out


def test_bad_lines_are_named_and_the_others_done(invoke):
    ran = invoke("rings", "thesis", "-", "--json", stdin=f"12\n{STATE}\n")
    assert ran.code == 2
    assert "line 1" in ran.err
    assert len(ran.lines) == 1
