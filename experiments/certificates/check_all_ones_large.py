"""Checks that the presses in certificates of `study flip all-ones` are the fewest, where the null space is large.

`check_all_ones.py` enumerates all solutions, so it ends at a null space of about 20 dimensions. This script does the same for
more dimensions (42 for n = 65) by branch and bound. It shares no code with Counterpoint.

    python3 check_all_ones_large.py FILE [N ...]

Without N, it checks the boards of FILE that `check_all_ones.py` leaves out. It needs numpy.

The solutions are one solution plus all null vectors. Let V be the space of null vectors that vanish on the middle
row, or of all if n is even. On V, the value of a square is a linear functional; squares with the same functional are a group. In
one coset of V, let a(g) be the sum over group g of +1 for each square that is not pressed and -1 for each that is. The
greatest number of squares minus twice the number of presses in this coset is the greatest sum of all a(g) with signs, where a vector
of V changes the signs of the groups whose functional is 1 there. It is at most the sum of |a(g)|. The vectors of a basis are decided one after
another. If a vector is decided, groups that only it tells apart become one, whose number is the sum or the difference of both, so the
bound becomes smaller; where it is too small, the search turns back. The mirror image of a board maps cosets to cosets, so of two such
cosets one is enough.
"""

import json
import sys

import numpy as np

from check_all_ones import as_number, check, null_space, rows_from

# The binary logarithm of the number of cosets that are bounded together, and how many numbers are computed together: as many
# as fit the processor's cache.
BATCH = 10
TOGETHER = 1 << 17


def eliminated(vectors, mask):
    """A basis of the same space in two parts: vectors that are independent on the bits of mask, and vectors that vanish there."""
    pivots, inside = {}, []
    for vector in vectors:
        while vector & mask:
            lead = (vector & mask).bit_length()
            if lead not in pivots:
                pivots[lead] = vector
                break
            vector ^= pivots[lead]
        else:
            inside.append(vector)
    return list(pivots.values()), inside


def bits(vector, count):
    """The bits as an array, bit 0 first."""
    return np.unpackbits(np.frombuffer(vector.to_bytes((count + 7) // 8, "little"), np.uint8), bitorder="little")[:count]


def signs(vector, count):
    """+1 for each bit that is 0, and -1 for each that is 1."""
    return 1 - 2 * bits(vector, count).astype(np.int8)


def products(vectors):
    """The products of all subsets of the vectors of signs, one in a row."""
    found = np.ones((1, vectors.shape[1]), np.int8)
    for vector in vectors:
        found = np.concatenate([found, found * vector])
    return found


def steps_of(groups):
    """How lists of numbers, one for each group, become shorter: for each step, where the numbers of the new list come from. Each step
    decides the sign of one more vector of V, on which half of the groups depend. Of two groups that only this vector tells apart, one
    depends on it; their numbers are added or subtracted. Place 0 of each list holds 0, for groups without a partner."""
    left, steps = list(groups), []
    while any(left):
        values = np.array(left)
        differences, counts = np.unique((values[:, None] ^ values)[np.triu_indices(len(values), 1)], return_counts=True)
        # Differences of the empty functional with others tell those apart from squares in no vector of V.
        step = int(differences[counts.argmax()]) if len(differences) else left[0]
        top = 1 << step.bit_length() - 1
        place = {value: k + 1 for k, value in enumerate(left)}
        left = sorted({min(value, value ^ step) for value in left})
        steps.append((np.array([0] + [place.get(v, 0) for v in left]), np.array([0] + [place.get(v ^ step, 0) for v in left])))
        assert not any(value & top for value in left)
    return steps


def most(lists, steps, enough):
    """The greatest number at the end of the steps, from lists in columns; None if no list leads to `enough` or more."""
    for k, (free, signed) in enumerate(steps):
        count = lists.shape[1]
        if count > 1 and lists.size > TOGETHER:
            found = [most(np.ascontiguousarray(part), steps[k:], enough) for part in np.array_split(lists, 2, axis=1)]
            return max((value for value in found if value is not None), default=None)
        free, signed = lists[free], lists[signed]
        kept = []
        for shorter in (free + signed, free - signed):
            enough_left = np.abs(shorter).sum(axis=0, dtype=np.int16) >= enough
            kept.append(shorter if enough_left.all() else shorter[:, enough_left])
        lists = np.concatenate(kept, axis=1)
        if not lists.size:
            return None
    best = int(lists.sum(axis=0).max())
    return best if best >= enough else None


def mirrored(vector, n):
    """The mirror image of a board, left to right."""
    row = (1 << n) - 1
    return sum(int(f"{vector >> n * r & row:0{n}b}"[::-1], 2) << n * r for r in range(n))


def partners(n, solution, outside, middle):
    """The coset that is the mirror image of each coset. The bits of a number say which vectors of `outside` are added to the solution."""
    leads = {(vector & middle).bit_length(): k for k, vector in enumerate(outside)}

    def number(vector):
        found = 0
        while vector & middle:
            k = leads[(vector & middle).bit_length()]
            vector, found = vector ^ outside[k], found ^ 1 << k
        return found

    images = np.array([number(mirrored(solution, n) ^ solution)], np.int64)
    for vector in outside:
        images = np.concatenate([images, images ^ number(mirrored(vector, n))])
    assert (images[images] == np.arange(len(images))).all()
    return images


def most_unpressed(n, solution, null, enough):
    """The greatest number of squares minus twice the number of presses, of all solutions, if it is at least `enough`; otherwise None.
    Also the numbers of cosets and of those that were searched."""
    squares = n * n
    assert squares < 1 << 15
    middle = ((1 << n) - 1) << n * (n // 2) if n % 2 else 0
    outside, inside = eliminated(null, middle)
    functional = np.zeros(squares, np.int64)
    for k, vector in enumerate(inside):
        functional |= bits(vector, squares).astype(np.int64) << k
    order = np.argsort(functional, kind="stable")
    groups, starts = np.unique(functional[order], return_index=True)
    steps = steps_of([int(group) for group in groups])
    base = signs(solution, squares)[order]
    generators = np.array([signs(vector, squares)[order] for vector in outside], np.int8).reshape(-1, squares)
    inner, outer = products(generators[:BATCH]), generators[BATCH:]
    images = partners(n, solution, outside, middle).reshape(-1, len(inner))
    best, searched = None, 0
    for number in range(1 << len(outer)):
        chosen = base.copy()
        for k, vector in enumerate(outer):
            if number >> k & 1:
                chosen *= vector
        first = images[number] >= number * len(inner) + np.arange(len(inner))
        sums = np.add.reduceat(inner[first] * chosen, starts, axis=1, dtype=np.int16)
        sums = sums[np.abs(sums).sum(axis=1, dtype=np.int16) >= enough]
        searched += len(sums)
        if len(sums):
            found = most(np.concatenate([np.zeros((1, len(sums)), np.int16), sums.T]), steps, enough)
            best = max((value for value in (best, found) if value is not None), default=None)
    return best, 1 << len(outside), searched


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        boards = json.load(file)["boards"]
    chosen = [int(n) for n in sys.argv[2:]]
    for board in boards:
        n, presses = board["n"], board["presses"]
        if not board["least"] or not (n in chosen if chosen else board["nullity"] > 20):
            continue
        assert check(board, 0) == "upper bound; least not checked"
        (first,) = board["rows"]
        solution = as_number(n, rows_from(n, sum(int(digit) << c for c, digit in enumerate(first)), 1))
        null = [as_number(n, rows_from(n, vector, 0)) for vector in null_space(n)]
        # The parity of the presses is that of n, so a better solution has two presses fewer.
        best, cosets, searched = most_unpressed(n, solution, null, n * n - 2 * (presses - 2))
        assert best is None, f"{n}x{n}: {(n * n - best) // 2} presses suffice"
        print(f"{n}x{n}, nullity {board['nullity']}: {presses} presses are the fewest ({searched} of {cosets} cosets searched)", flush=True)


if __name__ == "__main__":
    main()
