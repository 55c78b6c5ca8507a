"""The command line: `puzzlemill`."""
