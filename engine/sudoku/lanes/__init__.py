"""Sixteen sudokus solved in lockstep by one vector program: the lanes.

Layout. For each digit and band (three rows) one 27-bit word holds where in the band the digit may still go, bit 9 * row +
column:

    bit 26 .. 18   bit 17 .. 9    bit 8 .. 0
    row 2          row 1          row 0         each: column 8 .. 0

A puzzle is 27 such words. Two puzzles share one unsigned 64-bit element (bits 0..26 and 32..58), eight elements make one
512-bit vector, so that one instruction serves sixteen puzzles, the lanes. All vectors sit in one flat array at constant
offsets, which is what lets the compiler prove that nothing overlaps and vectorise; seen as unsigned 32-bit it is [word][lane].

One pass over the words (`propagate`) does, in every lane at once: naked singles and the removal of placed digits, locked
candidates in all rows, columns and boxes, hidden singles. Between passes scalar code (`search`) looks after each lane that is
stuck (branch), dead (take back the last branch) or done (next puzzle), so that lanes never wait for each other.

Modules: `layout` (offsets), `words` (what one 27-bit word can tell), `propagate` (the pass), `lane` (loading, storing, taking
back), `branch` (where to guess), `search` (the driver), `bits` (two machine instructions).

Since sixteen puzzles advance together, what counts is passes and the scalar work between them, not single deductions: a lane
guesses as soon as a pass brings no new single, and the guess is chosen with some care (see `branch`).
"""
