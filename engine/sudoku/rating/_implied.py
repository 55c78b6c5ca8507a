"""What static links imply, by bit sets: whether a chain or cycle exists at all, and which cells and regions lead to something.

Every link runs both ways: if p on makes q off, q on makes p off; if q off makes p on, p off makes q on. So the implications of
one grid are closed under contraposition, and what they prove can be read off their transitive closure:

- A forcing chain from p exists if and only if p on implies p off, or p off implies p on.
- Whatever a cycle removes has such a chain as well. Let x see the on-node p and the off-node q of the cycle. x on makes p off,
  which leads all the way round the cycle backwards and makes q on, which makes x off.
- If there is no such chain, no supposition leads to a contradiction, and all that follows from it is found whatever the order.

The searches themselves, in their order and with their lengths, are made only for what is left.
"""

from typing import Final

from engine._jit import kernel
from engine.sudoku.rating._links import C_DIGITS, C_IMPLIED, C_OFF_TO_ON, C_ON, C_STRONG, C_SWEEP, C_TRY, C_WEAK, link
from engine.sudoku.rating._search import CELLS, REGIONS, S_ASKED, S_WANTED
from engine.sudoku.rating._single import TRY_CYCLE, TRY_OFF, TRY_ON
from engine.sudoku.rating._state import BOARD, CAND, PLACE, lowest
from engine.sudoku.rating._tables import ALL, HOUSE_OF, HOUSES, LOW, PEER_WORDS, POP, POSITION, Words

BITS: Final = 60
MOST_WORDS: Final = 13
ROW: Final = 2 * MOST_WORDS
# Scratch.
I_NUMBER: Final = 0  # 729: number of each candidate that is present, -1 for the others
I_CANDIDATE: Final = 729  # 729: the candidates by number
I_COUNT: Final = 1458  # how many there are
I_SHARED: Final = 1459  # 26: what all rows in hand have in common
I_ROWS: Final = I_SHARED + ROW  # 729 * 26: for each the candidates that are on, then those that are off, if it is on
I_STEPS: Final = I_ROWS + 729 * ROW  # 729 * 26: for each the candidates that are on two links later, then those that see it
I_LINKED: Final = I_STEPS + 729 * ROW  # how many candidates have strong links: they come first
I_FRONT: Final = I_LINKED + 1  # 13 each: the nodes of a layer, of the next one, all so far, and those where a chain ends
I_NEXT: Final = I_FRONT + MOST_WORDS
I_SEEN: Final = I_NEXT + MOST_WORDS
I_TARGETS: Final = I_SEEN + MOST_WORDS
I_LENGTH: Final = I_TARGETS + MOST_WORDS
I_SIZE: Final = I_LENGTH + 1


@kernel
def imply(g: Words, c: Words, r: Words) -> bool:
    """Compute the closure and mark what each candidate is worth as the source of a search; tell whether any is."""
    c[C_SWEEP] = 2
    c[C_DIGITS] = ALL
    link(g, c)
    # Those with strong links first: they are all that can be made on.
    count = 0
    linked = 0
    for turn in range(2):
        for s in range(729):
            if turn == 0:
                r[I_NUMBER + s] = -1
                c[C_TRY + s] = 0
            if g[CAND + s // 9] >> (s % 9) & 1 and (c[C_STRONG + 4 * s] < 0) == (turn == 1):
                r[I_NUMBER + s] = count
                r[I_CANDIDATE + count] = s
                count += 1
        if turn == 0:
            linked = count
    r[I_COUNT] = count
    words = (count + BITS - 1) // BITS
    for n in range(count):
        first_steps(g, c, r, n, words)
    r[I_LINKED] = linked
    on_words = (linked + BITS - 1) // BITS
    for n in range(count):
        for i in range(on_words):
            r[I_STEPS + ROW * n + i] = r[I_ROWS + ROW * n + i]
            r[I_STEPS + ROW * n + MOST_WORDS + i] = r[I_ROWS + ROW * n + MOST_WORDS + i]
    for k in range(linked):
        word = I_ROWS + k // BITS
        bit = k % BITS
        source = I_ROWS + ROW * k
        for n in range(linked):
            if r[word + ROW * n] >> bit & 1 and n != k:
                take_over(r, I_ROWS + ROW * n, source, on_words, words)
    for n in range(linked, count):
        at = I_ROWS + ROW * n
        for i in range(on_words):
            rest = r[at + i]
            # What these lead to is in their rows already.
            k = BITS * i
            while rest:
                if rest & 1 and k < linked:
                    take_over(r, at, I_ROWS + ROW * k, on_words, words)
                rest >>= 1
                k += 1
    c[C_IMPLIED] = mark_sources(c, r, words)
    return bool(c[C_IMPLIED])


@kernel
def take_over(r: Words, at: int, source: int, on_words: int, words: int) -> None:
    """Add one row to another."""
    for i in range(on_words):
        r[at + i] |= r[source + i]
    for i in range(MOST_WORDS, MOST_WORDS + words):
        r[at + i] |= r[source + i]


@kernel
def first_steps(g: Words, c: Words, r: Words, n: int, words: int) -> None:
    """Enter what a candidate makes off, and what these make on."""
    at = I_ROWS + ROW * n
    for i in range(words):
        r[at + i] = 0
        r[at + MOST_WORDS + i] = 0
    r[at + n // BITS] |= 1 << (n % BITS)
    p = r[I_CANDIDATE + n]
    cell = p // 9
    d = p % 9
    rest = g[CAND + cell] & ~(1 << d)
    while rest:
        k = r[I_NUMBER + 9 * cell + LOW[rest]]
        r[at + MOST_WORDS + k // BITS] |= 1 << (k % BITS)
        rest &= rest - 1
    for i in range(3):
        rest = PEER_WORDS[cell, i] & g[BOARD + 3 * d + i]
        while rest:
            k = r[I_NUMBER + 9 * (27 * i + lowest(rest)) + d]
            r[at + MOST_WORDS + k // BITS] |= 1 << (k % BITS)
            rest &= rest - 1
    for i in range(c[C_WEAK + p], c[C_WEAK + p + 1]):
        for j in range(C_STRONG + 4 * c[i], C_STRONG + 4 * c[i] + 4):
            if c[j] < 0:
                break
            k = r[I_NUMBER + c[j]]
            r[at + k // BITS] |= 1 << (k % BITS)


@kernel
def mark_sources(c: Words, r: Words, words: int) -> bool:
    """Mark the candidates that imply their opposite or are implied by it, and those that a useful cycle can go through."""
    for i in range(words):
        r[I_SHARED + i] = 0
    found = False
    for n in range(r[I_COUNT]):
        p = r[I_CANDIDATE + n]
        at = I_ROWS + ROW * n
        if r[at + MOST_WORDS + n // BITS] >> (n % BITS) & 1:
            c[C_TRY + p] |= TRY_ON
            found = True
            # A cycle that removes p is seen by p, so p on makes all its on-nodes off.
            for i in range(words):
                r[I_SHARED + i] |= r[at + MOST_WORDS + i]
        for j in range(C_STRONG + 4 * p, C_STRONG + 4 * p + 4):
            if c[j] < 0:
                break
            if r[I_ROWS + ROW * r[I_NUMBER + c[j]] + n // BITS] >> (n % BITS) & 1:
                c[C_TRY + p] |= TRY_OFF
                found = True
    for n in range(r[I_COUNT]):
        if r[I_SHARED + n // BITS] >> (n % BITS) & 1:
            c[C_TRY + r[I_CANDIDATE + n]] |= TRY_CYCLE
    return found


@kernel
def measure(c: Words, r: Words) -> int:
    """Measure the shortest chains of the candidates that have one; return the length of the shortest of all.

    C_ON and C_OFF_TO_ON get the number of nodes from the candidate on to off, and from off to on; 0 where there is none, or
    where it is longer than another that was measured before.
    """
    best = 2 * int(r[I_COUNT])
    for n in range(r[I_COUNT]):
        p = r[I_CANDIDATE + n]
        c[C_ON + p] = 0
        c[C_OFF_TO_ON + p] = 0
        if c[C_TRY + p] & TRY_ON:
            for i in range(MOST_WORDS):
                r[I_FRONT + i] = r[I_STEPS + ROW * n + i]
                r[I_NEXT + i] = r[I_STEPS + ROW * n + MOST_WORDS + i]
            r[I_LENGTH] = 4
            c[C_ON + p] = layers(r, best)
            if c[C_ON + p]:
                best = min(best, int(c[C_ON + p]))
        if c[C_TRY + p] & TRY_OFF:
            for i in range(MOST_WORDS):
                r[I_FRONT + i] = 0
                r[I_NEXT + i] = 0
            for j in range(C_STRONG + 4 * p, C_STRONG + 4 * p + 4):
                if c[j] < 0:
                    break
                k = r[I_NUMBER + c[j]]
                r[I_FRONT + k // BITS] |= 1 << (k % BITS)
            r[I_NEXT + n // BITS] = 1 << (n % BITS)
            r[I_LENGTH] = 2
            c[C_OFF_TO_ON + p] = layers(r, best)
            if c[C_OFF_TO_ON + p]:
                best = min(best, int(c[C_OFF_TO_ON + p]))
    return best


@kernel
def next_layer(r: Words, words: int) -> bool:
    """Replace the layer in I_FRONT by the next one; False if there is none."""
    for i in range(words):
        r[I_NEXT + i] = 0
    for k in range(r[I_LINKED]):
        if r[I_FRONT + k // BITS] >> (k % BITS) & 1:
            for i in range(words):
                r[I_NEXT + i] |= r[I_STEPS + ROW * k + i]
    more = 0
    for i in range(words):
        r[I_FRONT + i] = r[I_NEXT + i] & ~r[I_SEEN + i]
        r[I_SEEN + i] |= r[I_NEXT + i]
        more |= r[I_FRONT + i]
    return more != 0


@kernel
def layers(r: Words, best: int) -> int:
    """Return after how many nodes a search from a first layer meets the targets; 0 if that is more than `best`, or never.

    The layer is in I_FRONT, the targets are in I_NEXT, and a chain that ends from the first layer has I_LENGTH nodes.
    """
    length = int(r[I_LENGTH])
    words = (r[I_LINKED] + BITS - 1) // BITS
    for i in range(words):
        r[I_SEEN + i] = r[I_FRONT + i]
        r[I_TARGETS + i] = r[I_NEXT + i]
    while length <= best:
        met = 0
        for i in range(words):
            met |= r[I_FRONT + i] & r[I_TARGETS + i]
        if met:
            return length
        if not next_layer(r, words):
            return 0
        length += 2
    return 0


@kernel
def ask(g: Words, r: Words, s: Words) -> bool:
    """Mark the cells and regions whose candidates all lead to the same, and these candidates' runs; tell whether there are any.

    Only for a grid without chains and cycles; only cells with more than two candidates are looked at, and regions whose first
    place is in such a cell, as in the search itself.
    """
    found = False
    for cell in range(81):
        m = g[CAND + cell]
        if POP[m] <= 2:
            continue
        open_shared(r)
        for d in range(9):
            if m >> d & 1:
                share(r, 9 * cell + d)
        if any_shared(r):
            found = True
            s[S_ASKED + cell] = 1
            for d in range(9):
                if m >> d & 1:
                    s[S_WANTED + 2 * (9 * cell + d) + 1] = 1
        for t in range(3):
            house = HOUSE_OF[cell, t]
            for d in range(9):
                where = g[PLACE + house * 9 + d]
                if m >> d & 1 == 0 or LOW[where] != POSITION[cell, t]:
                    continue
                open_shared(r)
                for i in range(9):
                    if where >> i & 1:
                        share(r, 9 * HOUSES[house, i] + d)
                if any_shared(r):
                    found = True
                    s[S_ASKED + REGIONS - CELLS + 9 * house + d] = 1
                    for i in range(9):
                        if where >> i & 1:
                            s[S_WANTED + 2 * (9 * HOUSES[house, i] + d) + 1] = 1
    return found


@kernel
def open_shared(r: Words) -> None:
    """Start what all rows have in common: for no rows, everything."""
    for i in range(ROW):
        r[I_SHARED + i] = -1


@kernel
def share(r: Words, candidate: int) -> None:
    """Narrow it to what one more candidate implies."""
    at = I_ROWS + ROW * r[I_NUMBER + candidate]
    for i in range((r[I_COUNT] + BITS - 1) // BITS):
        r[I_SHARED + i] &= r[at + i]
        r[I_SHARED + MOST_WORDS + i] &= r[at + MOST_WORDS + i]


@kernel
def any_shared(r: Words) -> bool:
    """Tell whether anything is left of it."""
    left = 0
    for i in range((r[I_COUNT] + BITS - 1) // BITS):
        left |= r[I_SHARED + i] | r[I_SHARED + MOST_WORDS + i]
    return left != 0
