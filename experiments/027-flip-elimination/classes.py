"""How many different formulas the unsolvable boards of this experiment give, and how well lines fit the medians.

Whether presses solve a board depends only on the parities of the board on the null vectors. If two boards have
the same parities, they differ by presses, so the formula of one becomes that of the other by negating variables. This
script counts the classes of boards with equal parities, and says for n = 14 in how many classes the median ratio of two engines lies
within the bounds of hypotheses E6 to E10 and E13. It also fits lines to the logarithms of the median conflicts, at the registered sizes, and
gives two 95 % intervals of each slope: from the distances of the medians to the line (Student's t), which takes into
account that the points may not lie on a line, and by a bootstrap that draws formulas instead of boards.

Last, it compares two laws, 2^(a·n) and n^b, at the registered sizes and over all sizes, where an engine has conflicts. For each law it prints a or b,
and the sum of the squared distances of the logarithms to base 2 from the best curve.

    python3 classes.py [PROGRAM]        # PROGRAM is counterpoint by default

Needs only Python 3 and the program.
"""

import csv
import io
import math
import random
import statistics
import subprocess
import sys

SEEDS = {4: 100, 5: 100, 9: 100, 11: 100, 14: 100, 16: 20, 19: 14}
# The registered sizes of the exponents.
FITTED = (9, 11, 14, 16)
# The 97.5 % quantiles of Student's t distribution with one and with two degrees of freedom.
STUDENT = {1: 12.706, 2: 4.303}


def chased(n, first):
    """Rows of presses from the first one, such that all squares but those of the last row stay as they are."""
    full, rows, above = (1 << n) - 1, [first], 0
    for _ in range(n):
        row = rows[-1]
        rows.append(row ^ (row << 1 & full) ^ (row >> 1) ^ above)
        above = row
    return rows


def null_vectors(n):
    """A basis of the null space; a vector is a list of rows."""
    pivots, found = {}, []
    for k in range(n):
        first = 1 << k
        below = chased(n, first)[n]
        while below and below.bit_length() in pivots:
            other = pivots[below.bit_length()]
            below, first = below ^ other[0], first ^ other[1]
        if below:
            pivots[below.bit_length()] = (below, first)
        else:
            found.append(chased(n, first)[:n])
    return found


def parities(program, n, seed, null):
    """The parities of the black squares on the null vectors, and of the white ones: a board has two targets."""
    command = [program, "generate", "flip", "impossible", f"n={n}", "--seed", str(seed)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    board = [line for line in text.split() if set(line) <= set("bw")]
    assert len(board) == n
    black = [sum((square == "b") << c for c, square in enumerate(row)) for row in board]
    return tuple(sum((a & b).bit_count() for a, b in zip(black, vector)) % 2 for vector in null)


def fit(points):
    """The slope of the least-squares line, and the sum of the squared distances from it."""
    xs, ys = zip(*points)
    mean_x, mean_y = statistics.mean(xs), statistics.mean(ys)
    a = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x in xs)
    return a, sum((y - mean_y - a * (x - mean_x)) ** 2 for x, y in points)


def half_interval(points):
    """Half the length of the interval of the slope, by Student's t."""
    mean_x = statistics.mean(x for x, _ in points)
    freedom = len(points) - 2
    return STUDENT[freedom] * math.sqrt(fit(points)[1] / freedom / sum((x - mean_x) ** 2 for x, _ in points))


def logarithms(medians):
    """The sizes and the logarithms of the medians that are neither zero nor beyond the limit."""
    return [(n, math.log2(median)) for n, median in medians.items() if 0 < median < math.inf]


def resampled(conflicts, classes):
    """The interval of the slope, if formulas are drawn with replacement. `conflicts` gives those of a board by size and seed."""
    draw, slopes = random.Random(1), []
    for _ in range(2000):
        medians = {}
        for n in FITTED:
            drawn = draw.choices(classes[n], k=len(classes[n]))
            medians[n] = statistics.median(conflicts[n, seed] for seeds in drawn for seed in seeds)
        points = logarithms(medians)
        if len(points) > 1:
            slopes.append(fit(points)[0])
    slopes.sort()
    return slopes[len(slopes) // 40], slopes[len(slopes) - 1 - len(slopes) // 40]


def compare(records, classes):
    """The classes of n = 14 in which the median ratio is within the bounds of a hypothesis."""
    times = {(row["engine"], int(row["seed"])): float(row["cpu_s"]) for row in records if row["params_n"] == "14"}
    native = "sat:presses/xor=native@cryptominisat"
    for above, below, least, most in [
        ("sat:presses", native, 100, math.inf),
        ("sat:presses@batsat", native, 100, math.inf),
        ("sat:presses@cadical", native, 100, math.inf),
        ("sat:presses@kissat", native, 100, math.inf),
        ("sat:presses@cryptominisat", native, 100, math.inf),
        ("sat:presses@kissat", "sat:presses@cadical", 1 / 2.5, 2.5),
    ]:
        medians = [statistics.median(times[above, seed] / times[below, seed] for seed in seeds) for seeds in classes]
        inside = sum(least < median < most for median in medians)
        print(f"  {above} over {below}: within {least:g} and {most:g} for {inside} of {len(medians)} formulas")


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "counterpoint"
    text = subprocess.run([program, "status", "027", "--records", "csv"], capture_output=True, text=True, check=True).stdout
    records = list(csv.DictReader(io.StringIO(text)))
    classes = {}
    for n, count in SEEDS.items():
        null = null_vectors(n)
        of_parities = {}
        for seed in range(26001, 26001 + count):
            of_parities.setdefault(parities(program, n, seed, null), []).append(seed)
        classes[n] = list(of_parities.values())
        print(f"n = {n}, dimension {len(null)}: {count} boards, {len(classes[n])} formulas", flush=True)
        if n == 14:
            compare(records, classes[n])
    print("exponents at the registered sizes, ± by the distances from the line, and with formulas drawn:")
    laws = []
    for engine in ("", "@batsat", "@cadical", "@kissat", "@cryptominisat"):
        rows = [row for row in records if row["engine"] == f"sat:presses{engine}"]
        of = lambda row: float(row["work_conflicts"] or 0) if row["verdict"] == "decided" else math.inf
        conflicts = {(int(row["params_n"]), int(row["seed"])): of(row) for row in rows}
        of_size = lambda n: [value for (size, _), value in conflicts.items() if size == n]
        medians = {n: statistics.median(of_size(n)) for n in SEEDS}
        points = logarithms({n: medians[n] for n in FITTED})
        low, high = resampled(conflicts, classes)
        sizes = ", ".join(str(n) for n, _ in points)
        print(f"  sat:presses{engine}: {fit(points)[0]:.3g} ± {half_interval(points):.2g}, {low:.3g} to {high:.3g} (n = {sizes})")
        for points in (points, logarithms(medians)):
            (a, from_a), (b, from_b) = fit(points), fit([(math.log2(n), y) for n, y in points])
            sizes = ", ".join(str(n) for n, _ in points)
            laws.append(f"  sat:presses{engine}: {a:.3g}, {from_a:.3g} and {b:.3g}, {from_b:.3g} (n = {sizes})")
    print("2^(a·n) and n^b, each with the squared distances:", *laws, sep="\n")


if __name__ == "__main__":
    main()
