"""Peg solitaire: boards, exhaustive enumeration, solutions by index, fewest moves."""
