"""Benchmarks: each a command that prints a table; run them with `puzzlemill bench NAME`."""
