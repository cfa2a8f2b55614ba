"""Makes the tree of a certificate of `study flip hardest` whose boards have the proof "branches".

    python3 make_branches.py 16 6 tree.json

The tree shows that no sums of the kinds of 16 x 16, whatever their numbers of squares, have a spectrum of at most 6. It is
the member "branches" of `flip-hardest-one-colour-branches.json`. Needs numpy and highspy; takes two minutes. Another
version of HiGHS may give another tree. Nobody has to trust this script: `counterpoint check` and `check_hardest.py` verify
the tree with integers. Beside the size of the tree, the script prints subspaces that consist of kinds and 0.

Branch and bound: the linear program looks for sums within their ranges that violate the conditions as little as possible. If
they must violate one, the dual solution contains the weights of a leaf. Otherwise, the ranges are split at a sum that is
not allowed. Several are tried, and the one after which both programs are violated most is taken.
"""

import json
import sys
from itertools import combinations

import highspy
import numpy as np

TRIED = 12  # how many splits are tried
SCALES = (6, 12, 24, 60, 120, 360, 1_000, 3_000, 10_000, 100_000, 1_000_000)


def parity(x):
    return bin(x).count("1") % 2


def kinds(n):
    """The number of squares and the first square of each kind, by light chasing."""
    full = (1 << n) - 1

    def rows(first):
        above, row, found = 0, first, []
        for _ in range(n + 1):
            found.append(row)
            above, row = row, row ^ (row << 1 & full) ^ row >> 1 ^ above
        return found

    pivots, null = {}, []
    for k in range(n):
        below, first = rows(1 << k)[n], 1 << k
        for pivot, (form, of) in pivots.items():
            if below >> pivot & 1:
                below, first = below ^ form, first ^ of
        if below:
            pivots[below.bit_length() - 1] = below, first
        else:
            null.append(rows(first)[:n])
    count, square = {}, {}
    for r in range(n):
        for c in range(n):
            t = sum((vector[r] >> c & 1) << k for k, vector in enumerate(null))
            if t:
                count[t] = count.get(t, 0) + 1
                square.setdefault(t, (r + 1, c + 1))
    return len(null), count, square


def span(vectors):
    """For each sum of some of these vectors, which ones they are; None if they are dependent."""
    place = {0: 0}
    for k, t in enumerate(vectors):
        if t in place:
            return None
        place.update({u ^ t: at | 1 << k for u, at in list(place.items())})
    return place


def subspaces(points):
    """Subspaces of dimension 4 that consist of points and 0, each with one that no earlier subspace contains."""
    left, found = set(points), []
    while left:
        t = min(left)
        near = [u for u in points if u ^ t in points]
        spans = (span((t,) + others) for others in combinations(near, 3))
        whole = next((set(s) - {0} for s in spans if s and set(s) - {0} <= set(points)), {t})
        found.append(sorted(whole))
        left -= whole
    return found


class Program:
    """Minimises the greatest violation of the conditions Σ a(t) χ(t) ≤ bound."""

    def __init__(self, signs, bound):
        count = signs.shape[1]
        self.columns = np.arange(count, dtype=np.int32)
        self.solver = highspy.Highs()
        self.solver.setOptionValue("output_flag", False)
        self.solver.setOptionValue("presolve", "off")
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = count + 1, len(signs)
        lp.col_cost_ = np.append(np.zeros(count), 1.0)
        lp.col_lower_ = np.full(count + 1, -100.0)
        lp.col_upper_ = np.full(count + 1, highspy.kHighsInf)
        lp.row_lower_ = np.full(len(signs), -highspy.kHighsInf)
        lp.row_upper_ = np.full(len(signs), float(bound))
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        rows = np.hstack([signs, -np.ones((len(signs), 1))])
        lp.a_matrix_.start_ = np.arange(0, rows.size + 1, count + 1)
        lp.a_matrix_.index_ = np.tile(np.arange(count + 1), len(signs))
        lp.a_matrix_.value_ = rows.ravel()
        self.solver.passModel(lp)

    def solve(self, low, high):
        """The violation, the sums, and the weights of the conditions."""
        self.solver.changeColsBounds(len(self.columns), self.columns, low, high)
        self.solver.run()
        solution = self.solver.getSolution()
        violation = self.solver.getInfo().objective_function_value
        return violation, np.array(solution.col_value[:-1]), -np.array(solution.row_dual)


def main():
    n, bound = int(sys.argv[1]), int(sys.argv[2])
    dimension, count, square = kinds(n)
    order = sorted(count, key=lambda t: square[t])
    first = []
    for t in order:
        if count[t] % 2 and span(first + [t]):
            first.append(t)
    if len(first) < dimension:
        sys.exit("the odd kinds are dependent")
    for members in subspaces(set(order)):
        print(f"{len(members)} kinds, {sum(count[t] % 2 for t in members)} odd: {members}")
    order = first + [t for t in order if t not in first]
    place = span(first)
    signs = np.array([[1 - 2 * parity(place[t] & chi) for t in order] for chi in range(1 << dimension)])
    odd = np.array([count[t] % 2 for t in order])
    high = np.array([bound - (bound - o) % 2 for o in odd], dtype=float)
    low = -high
    low[:dimension] = odd[:dimension]
    program = Program(signs, bound)

    def leaf(low, high, weights):
        """Integer weights of characters that contradict the conditions."""
        for scale in SCALES:
            whole = np.round(np.maximum(weights, 0) * scale).astype(int)
            sums = -(whole @ signs)
            if bound * whole.sum() + np.maximum(sums * low.astype(int), sums * high.astype(int)).sum() < 0:
                return [[int(chi), int(whole[chi])] for chi in np.nonzero(whole)[0]]
        sys.exit("no integer weights contradict the conditions")

    def split(i, at, low, high):
        below, above = high.copy(), low.copy()
        below[i], above[i] = at, at + 2
        return (low, below), (above, high)

    tree, stack = [], [(low, high)]
    while stack:
        low, high = stack.pop()
        violation, sums, weights = program.solve(low, high)
        if violation > 1e-5:
            tree.append(leaf(low, high, weights))
            continue
        steps = (sums - odd) / 2
        distance = np.abs(steps - np.round(steps))
        distance[low == high] = 0
        best = None
        for i in np.argsort(-distance - 0.001 * odd)[:TRIED]:
            if distance[i] < 1e-6:
                continue
            at = 2 * np.floor(steps[i]) + odd[i]
            violations = [min(max(program.solve(*case)[0], -9), 1) + 9 for case in split(i, at, low, high)]
            score = 4 * min(violations) + max(violations)
            if best is None or score > best[0]:
                best = score, int(i), at
        if best is None:
            sys.exit("these sums exist")
        _, i, at = best
        tree.append([i, int(at)])
        stack += reversed(split(i, at, low, high))
    print(f"{len(tree)} nodes")
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        json.dump({"squares": [square[t] for t in order], "tree": tree}, out, separators=(",", ":"))


main()
