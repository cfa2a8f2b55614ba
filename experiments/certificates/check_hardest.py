"""Checks certificates of `study flip hardest`, written without looking at the Rust code.

    python3 check_hardest.py flip-hardest-one-colour-18.json flip-hardest-either-scaled.json ...

For each board of a file:
* If it names k and n0: n + 1 = k (n0 + 1), and elimination finds the same nullity for n and n0. Then the null vectors of
  n x n are mirrored copies of those of n0 x n0 (`paper-notes.md`, "The hardest board").
* The board needs the claimed number of presses: all characters are tried. Either "rows" lists presses that solve it, or
  "sums" describes them by their kinds.
* No board needs more: `two_levels`, `branches` or `cases`, all for the kinds of n0 x n0. If there are too many cases, the bound from
  above stays open, and the script says so.

The exit status is 0 if all claims but such bounds hold, 1 if a claim does not, and 2 if a file is no such certificate.

Sets of squares and linear forms are Python integers. A long integer is also a vector: each of its bytes is a number.
"""

import json
import os
import sys
from collections import defaultdict

CASES = 2_000_000  # `cases` gives up after so many nodes


def parity(x):
    return bin(x).count("1") % 2


def solve(n):
    """Light chasing on n x n: a basis of the null space, and presses that turn all squares, as lists of rows of bits."""
    one = 1 << n  # the constant of an affine form in the presses of the first row
    rows = [[0] * n, [1 << c for c in range(n)]]
    for _ in range(n):
        x, above = rows[-1], rows[-2]
        near = [x[c] ^ (x[c - 1] if c else 0) ^ (x[c + 1] if c + 1 < n else 0) for c in range(n)]
        rows.append([one ^ near[c] ^ above[c] for c in range(n)])
    pivots = {}
    for form in rows.pop():
        for bit, pivot in pivots.items():
            if form >> bit & 1:
                form ^= pivot
        low = form & (one - 1)
        if low:
            bit = low.bit_length() - 1
            for other in pivots:
                if pivots[other] >> bit & 1:
                    pivots[other] ^= form
            pivots[bit] = form
        elif form:
            raise ValueError(f"{n}x{n}: no presses turn all squares")
    board = lambda values: [[parity(form & values) for form in row] for row in rows[1:]]
    start = one | sum(1 << bit for bit, pivot in pivots.items() if pivot & one)
    null = []
    for free in set(range(n)) - set(pivots):
        first = 1 << free | sum(1 << bit for bit, pivot in pivots.items() if pivot >> free & 1)
        null.append(board(first))
    return null, board(start)


def kinds_of(n, k, n0, null, everything):
    """For each square of n x n, the basis vectors that contain it, as bits; `everything` is the last vector, or None."""
    period = 2 * (n0 + 1)

    def original(line):
        line %= period
        return line if line < n0 else None if line in (n0, period - 1) else 2 * n0 - line

    keys = {}
    for r in range(n):
        for c in range(n):
            i, j = original(r), original(c)
            inside = i is not None and j is not None
            key = sum(vector[i][j] << b for b, vector in enumerate(null)) if inside else 0
            keys[r, c] = key | (everything[r][c] << len(null) if everything else 0)
    return keys


def greatest(sums, dimensions):
    """The greatest value of the spectrum, by the fast transform."""
    values = [0] * (1 << dimensions)
    for t, a in sums.items():
        values[t] += a
    for b in range(dimensions):
        for i in range(1 << dimensions):
            if not i >> b & 1:
                low, high = values[i], values[i | 1 << b]
                values[i], values[i | 1 << b] = low + high, low - high
    return max(values)


def cases(counts, chain, bound):
    """Whether no sums a(t) have a spectrum of at most `bound`; None after too many nodes.

    Subspaces grow along the chain. The slack is bound - sum of a(t) chi(t) over a subspace; it is never negative.
    """
    place, span = {0: 0}, [0]
    for level, key in enumerate(chain):
        for t in list(span):
            place[t ^ key] = place[t] | 1 << level
            span.append(t ^ key)
    assert len(place) == 1 << len(chain)
    levels = [[] for _ in chain]
    for t in counts:
        at = place[t]
        level = at.bit_length() - 1
        levels[level].append((at ^ 1 << level, counts[t]))
    for level in levels:
        level.sort(key=lambda kind: -(kind[1] % 2))
    nodes = 0

    def values(count):
        most = min(count, bound)
        most -= (count - most) % 2
        return range(most, -most - 1, -2)

    def grow(level, slack):
        if level == len(levels):
            return True
        odd = sum(count % 2 for _, count in levels[level])
        if sum(s * s for s in slack) < odd * len(slack):
            return False
        return assign(level, 0, slack, [0] * len(slack), False)

    def assign(level, i, slack, sums, signed):
        nonlocal nodes
        nodes += 1
        if nodes > CASES:
            raise TimeoutError
        if i == len(levels[level]):
            return grow(level + 1, [s - g for s, g in zip(slack, sums)] + [s + g for s, g in zip(slack, sums)])
        at, count = levels[level][i]
        rest = sum(max(values(c), default=0) for _, c in levels[level][i + 1 :])
        for a in values(count):
            if a < 0 and not signed:
                continue
            new = [g + (-a if parity(c & at) else a) for c, g in enumerate(sums)]
            if all(abs(g) <= s + rest for g, s in zip(new, slack)):
                if assign(level, i + 1, slack, new, signed or a != 0):
                    return True
        return False

    try:
        return not grow(0, [bound])
    except TimeoutError:
        return None


def sum_bytes(numbers):
    """The integer whose bytes are these numbers, which may be negative."""
    plus = int.from_bytes(bytes(max(x, 0) for x in numbers), "little")
    return plus - int.from_bytes(bytes(max(-x, 0) for x in numbers), "little")


def join(space, t):
    return space | {u ^ t for u in space}


def subspaces(points):
    """All subspaces that the points span."""
    found = {frozenset([0])}
    layer = found
    while layer:
        layer = {frozenset(join(s, t)) for s in layer for t in points if t not in s}
        found = found | layer
    return found


def flats(points):
    """All affine subspaces that the points span, with their dimensions."""
    layer, dimension = {frozenset([t]) for t in points}, 0
    while layer:
        for flat in layer:
            yield flat, dimension
        layer = {flat | {u ^ t ^ min(flat) for u in flat} for flat in layer for t in points if t not in flat}
        dimension += 1


def two_levels(counts, images, bound):
    """Whether no sums of kinds with these parities have a spectrum of at most `bound` (paper-notes.md, two levels)."""
    size = 1 << max(counts).bit_length()
    chi = next((x for x in range(1, size) if all(parity(x & t) == m % 2 for t, m in counts.items())), None)
    if chi is None or bound % 2:
        return False
    c = bound // 2
    even = [t for t in counts if counts[t] % 2 == 0]
    odd = [t for t in counts if counts[t] % 2]
    odds, base = set(odd), odd[0]
    every = range(size)  # characters

    # First level: 128 + F - least for each subspace that even kinds span and each of its characters.
    order, span = [], {0}
    while len(order) < len(even):
        rest = [t for t in even if t not in span]
        best = max(rest, key=lambda t: (sum(t ^ u in counts and t ^ u in even for u in span), -t))
        order += sorted(t for t in even if t ^ best in span)
        span = join(span, best)
    even = order
    least, signs = [], []
    complete = [[] for _ in even]
    for space in subspaces(even):
        inside = [t for t in even if t in space]
        if not inside:
            continue
        cosets = defaultdict(int)
        for t in odd:
            cosets[min(t ^ u for u in space)] += 1
        low = 1 if any(m % 2 for m in cosets.values()) else 0
        for pattern in {tuple(-1 if parity(x & t) else 1 for t in inside) for x in every}:
            complete[even.index(inside[-1])].append(len(least))
            least.append(low)
            signs.append(dict(zip(inside, pattern)))
    lanes = range(len(least))
    moves = [sum_bytes([signs[j].get(t, 0) for j in lanes]) for t in even]
    tops = []
    for i in range(len(even)):
        chosen = set(complete[i])
        tops.append(sum_bytes([128 if j in chosen else 0 for j in lanes]))
    found = []

    def halves(values, slack, span):
        i = len(values)
        if i == len(even):
            found.append(tuple(values))
            return
        free = even[i] not in span
        for e in range(0 if free else -c, c + 1):
            after = slack - e * moves[i]
            if after & tops[i] == tops[i]:
                halves(values + [e], after, join(span, even[i]) if e else span)

    # Bytes stay between 0 and 255: |F| is at most c + c · 23.
    halves([], sum_bytes([128 + c - low for low in least]), {0})

    def normal(values):
        sign = {0: 1}
        result = []
        for t, e in zip(even, values):
            if e and t not in sign:
                sign.update({u ^ t: s * (1 if e > 0 else -1) for u, s in list(sign.items())})
            result.append(e * sign[t] if e else 0)
        return tuple(result)

    # Second level: affine subspaces with many odd kinds.
    rich = []
    for flat, dimension in flats(odd):
        members = [t for t in odd if t in flat]
        if dimension and len(members) >= [0, 2, 4, 5][dimension] if dimension < 4 else len(members) >= 2 * dimension:
            rich.append((flat, members))
    chosen, order = set(), []
    while len(order) < len(odd):
        filled = lambda t: sum(len(m) for _, m in rich if t in m and all(u == t or u in chosen for u in m))
        order.append(max((t for t in odd if t not in chosen), key=lambda t: (filled(t), -t)))
        chosen.add(order[-1])
    place = {t: i for i, t in enumerate(order)}
    lanes = []  # (number of odd kinds, last of them, signs of odd kinds, signs of even kinds)
    for flat, members in rich:
        start = members[0]
        direction = [t for t in even if t ^ start in flat]
        seen = set()
        for x in every:
            pattern = tuple(parity(x & (u ^ start)) for u in sorted(flat))
            if pattern not in seen:
                seen.add(pattern)
                sign = lambda t: -1 if parity(x & t) else 1
                odd_signs = {t: sign(t ^ start) for t in members}
                lanes.append((len(members), max(place[t] for t in members), odd_signs, {t: sign(t) for t in direction}))
    ones = sum_bytes([1 for _ in lanes])
    top = ones << 7
    turns = [sum_bytes([lane[2].get(t, 0) for lane in lanes]) for t in order]
    member = [sum_bytes([int(t in lane[2]) for lane in lanes]) for t in order]
    unfinished = [sum_bytes([int(lane[1] > i) for lane in lanes]) for i in range(len(order))]
    nodes = 0

    def extends(values):
        excess = 4 * (c * c + sum(e * e for e in values)) - len(odd)
        if excess < 0:
            return False
        nonzero = {t: e for t, e in zip(even, values) if e}
        slack = []
        for m, _, _, signs in lanes:
            twice_f = 2 * (c - sum(e * signs[t] for t, e in nonzero.items() if t in signs))
            slack.append(128 + m + min(twice_f, m + 2 * (excess // 8)))
        span = {0}
        for t in nonzero:
            span = join(span, t)
        slack = sum_bytes(slack)
        return assign(0, excess, slack, slack, span)

    def assign(i, excess, plus, minus, span):
        nonlocal nodes
        nodes += 1
        if i == len(order):
            return True
        difference = order[i] ^ order[0]
        free = i == 0 or difference not in span
        span = join(span, difference) if free else span
        a = 1
        while a < 2 * c and a * a - 1 <= excess:
            left = excess - (a * a - 1)
            more = 2 * (left // 8) * unfinished[i]
            for b in (a,) if free else (a, -a):
                p = plus - member[i] - b * turns[i]
                m = minus - member[i] + b * turns[i]
                if (p + more) & top == top and (m + more) & top == top and assign(i + 1, left, p, m, span):
                    return True
            a += 2
        return False

    tried = set()
    for values in found:
        if values in tried:
            continue
        e = dict(zip(even, values))
        for image in images:
            moved = {image[t]: e[t] for t in even}
            tried.add(normal([moved[t] for t in even]))
        if extends(values):
            return False
    print(f"    two levels, at most {bound}: {len(found)} lists of even kinds, {nodes} nodes")
    return True


def branches(counts, listed, tree, bound):
    """Requires that the tree excludes all sums with these parities and a spectrum of at most `bound`.

    A node [i, v] distinguishes sums of at most v and of at least v + 2, for the kind of the i-th listed square. Any other
    node lists weights of characters: the combination of their conditions must be negative for all sums in their ranges.
    """
    dimension = max(counts).bit_length()
    first = listed[:dimension]
    place = {0: 0}  # which of the first kinds sum to a kind
    for k, t in enumerate(first):
        place.update({u ^ t: at | 1 << k for u, at in list(place.items())})
    assert len(place) == 1 << dimension, "the first squares are not independent"
    nodes = iter(tree)

    def exclude(ranges):
        node = next(nodes)
        if len(node) == 2 and all(isinstance(number, int) for number in node):
            t, v = listed[node[0]], node[1]
            assert (v - counts[t]) % 2 == 0, "a sum of the wrong parity"
            low, high = ranges[t]
            exclude({**ranges, t: (low, min(high, v))})
            exclude({**ranges, t: (max(low, v + 2), high)})
            return
        assert all(weight >= 0 for _, weight in node), "a negative weight"
        greatest = bound * sum(weight for _, weight in node)
        for t, (low, high) in ranges.items():
            if low > high:
                return
            s = sum(-weight if parity(chi & place[t]) else weight for chi, weight in node)
            greatest += max(-s * low, -s * high)
        assert greatest < 0, "weights that contradict nothing"

    most = {t: bound - (bound - m) % 2 for t, m in counts.items()}
    # Characters change the signs of independent kinds at will.
    exclude({t: (counts[t] % 2 if t in first else -most[t], most[t]) for t in counts})
    assert next(nodes, None) is None, "nodes after the last case"


def board_images(n0, keys):
    """What the symmetries of n0 x n0 do to kinds."""
    maps = [lambda r, c: (r, c), lambda r, c: (n0 - 1 - r, c), lambda r, c: (r, n0 - 1 - c)]
    maps.append(lambda r, c: (n0 - 1 - r, n0 - 1 - c))
    maps += [lambda r, c, f=f: f(c, r) for f in maps]
    return [{keys[r, c]: keys[f(r, c)] for r in range(n0) for c in range(n0)} for f in maps]


def check(board, target, memory):
    n = board["n"]
    k, n0 = board.get("k", 1), board.get("n0", n)
    assert n + 1 == k * (n0 + 1), "n + 1 is not k (n0 + 1)"
    if n0 not in memory:
        memory[n0] = solve(n0)[0]
    null = memory[n0]
    copied, everything = solve(n)
    assert len(copied) == len(null), f"the nullities are {len(copied)} and {len(null)}"
    keys = kinds_of(n, k, n0, null, everything if target == "either" else None)
    dimensions = len(null) + (target == "either")
    counts = defaultdict(int)
    for key in keys.values():
        counts[key] += 1
    fixed = counts.pop(0, 0)
    length = n * n - fixed

    if "rows" in board:
        rows = board["rows"]
        assert len(rows) == n and all(len(row) == n and set(row) <= {"0", "1"} for row in rows), "not n rows of n presses"
        sums, always = defaultdict(int), 0
        for (r, c), key in keys.items():
            is_pressed = rows[r][c] == "1"
            if key:
                sums[key] += -1 if is_pressed else 1
            else:
                always += is_pressed
    else:
        sums, always = {}, fixed
        for r, c, a in board["sums"]:
            key = keys[r - 1, c - 1]
            assert key and key not in sums, "a kind without vectors, or twice"
            sums[key] = a
        for t, count in counts.items():
            assert abs(sums.get(t, 0)) <= count and (count - sums.get(t, 0)) % 2 == 0, "impossible sum"
    needed = always + (length - greatest(sums, dimensions)) // 2
    assert needed == board["presses"], f"the board needs {needed} presses"

    bound = length - 2 * (board["most"] - fixed) - 2
    if bound < 0:
        return True
    if board.get("proof") == "two levels":
        flag = (1 << len(null)) - 1
        own = counts.get(1 << len(null), 0) % 2 if target == "either" else 0
        small = defaultdict(int)
        for t, count in counts.items():
            if t & flag:
                small[t & flag] += count
        name = (n0, bound - own)
        if name not in memory:
            memory[name] = two_levels(dict(small), board_images(n0, kinds_of(n0, 1, n0, null, None)), bound - own)
        assert memory[name], "the two levels do not prove this"
        return True
    if board.get("proof") == "branches":
        listed = [keys[r - 1, c - 1] for r, c in memory["branches"]["squares"]]
        name = (tuple(listed), tuple(sorted((t, count % 2) for t, count in counts.items())), bound)
        if name not in memory:
            branches(counts, listed, memory["branches"]["tree"], bound)
            memory[name] = True
        return True
    chain = [keys[r - 1, c - 1] for r, c in board["chain"]]
    found = cases(counts, chain, bound)
    assert found is not False, "the cases find a harder board"
    return found


def read(file):
    """The certificate in a file; ends the script if it is none."""
    try:
        with open(file, encoding="utf-8") as text:
            certificate = json.load(text)
        known = {"problem": "flip", "question": "hardest", "version": 1, "stencil": "plus", "colours": 2}
        if any(certificate.get(key) != value for key, value in known.items()):
            raise ValueError(f"expected {known}")
        if certificate["target"] not in ("one", "either") or not certificate["boards"]:
            raise ValueError("expected a target and boards")
        return certificate
    except (OSError, ValueError, KeyError, AttributeError) as why:
        print(f"{file}: not a certificate of `study flip hardest`: {why}", file=sys.stderr)
        sys.exit(2)


def main():
    failed = False
    for file in sys.argv[1:]:
        certificate = read(file)
        memory, open_bounds, checked = {"branches": certificate.get("branches")}, [], 0
        for board in certificate["boards"]:
            try:
                if check(board, certificate["target"], memory) is None:
                    open_bounds.append(board["n"])
                checked += 1
            except (AssertionError, KeyError, TypeError, ValueError) as why:
                print(f"{os.path.basename(file)}: FAILED: n = {board.get('n')}: {why}")
                failed = True
        print(f"{file}: {checked} boards hold" + (f"; upper bounds not checked: {open_bounds}" if open_bounds else ""))
    sys.exit(failed)


main()
