"""Sudoku: solve, generate, bring to canonical form, rate."""
