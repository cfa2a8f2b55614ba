"""Prints scipy.json: data sets with values computed by SciPy, NumPy and plain definitions.

    python statistics/tests/by_scipy.py > statistics/tests/scipy.json

A row of a data set is [limit, score, ...]. A score is the seconds of a solved run, false for an unsolved run, or null
if the engine was not run. Random values have bounds in place of a value: see `ends`.
"""

import itertools
import json
import math
import platform
from fractions import Fraction

import numpy as np
import scipy
from scipy import stats

RNG = np.random.default_rng(2011)
OURS = 20_000  # resamples that the test draws
THEIRS = 200_000  # resamples that scipy draws
CROSSING = 4_000  # resamples of a crossover, on both sides
SIGMAS = 5


# --- data ---------------------------------------------------------------------------------------------------


def draw(n, engines, limit, grid, holes):
    """A data set of `n` instances. The times on an instance share its difficulty and are rounded to `grid`. Times beyond
    the limit are unsolved, and the proportion `holes` of the runs is missing."""
    hard = RNG.lognormal(1.0, 1.5, (n, 1))
    times = hard * RNG.lognormal(0.0, 0.8, (n, engines))
    rows = []
    for row in times:
        cells = [float(max(grid, round(t / grid) * grid)) for t in row]
        cells = [round(t, 6) if t < limit else False for t in cells]
        cells = [None if RNG.random() < holes else t for t in cells]
        rows.append([limit] + cells)
    return rows


def data():
    sets = {}
    for n in [1, 2, 3, 5, 8, 20, 60, 300]:
        sets[f"fine {n}"] = draw(n, 3, 1000.0, 0.001, 0.0)
        sets[f"ties and limits {n}"] = draw(n, 4, 8.0, 0.5, 0.0)
    for n in [8, 20, 60]:
        sets[f"mostly unsolved {n}"] = draw(n, 3, 1.0, 0.125, 0.0)
        sets[f"holes {n}"] = draw(n, 5, 20.0, 0.25, 0.3)
    sets["all equal"] = [[10.0, 2.5, 2.5, 2.5] for _ in range(5)]
    sets["equal differences"] = [[10.0, i + 1.0, i + 0.5] for i in range(6)]
    sets["nothing solved"] = [[10.0, False, False] for _ in range(4)]
    sets["one-sided"] = [[50.0, i * i + 1.0, 0.5] for i in range(6)]
    sets["a circle"] = [[9.0, 1.0, 2.0, 3.0], [9.0, 3.0, 1.0, 2.0], [9.0, 2.0, 3.0, 1.0]]
    sets["two limits"] = draw(9, 3, 4.0, 0.5, 0.1) + draw(9, 3, 16.0, 0.5, 0.1)
    sets["strangers"] = [[9.0, 1.0, 2.0, None, None], [9.0, None, None, 1.0, False], [9.0, None, None, False, None]]
    return sets


def par(limit, score, k):
    return k * limit if score is False else score


def differences(rows):
    return np.array([par(r[0], r[1], 2) - par(r[0], r[2], 2) for r in rows if None not in r[1:3]])


# --- two engines --------------------------------------------------------------------------------------------


def wilcoxon(d):
    d = d[d != 0]
    n = len(d)
    ranks = stats.rankdata(abs(d)) if n else np.array([])
    plus, minus = float(ranks[d > 0].sum()), float(ranks[d < 0].sum())
    ties = n > len(np.unique(abs(d)))
    if n == 0:
        p, by = 1.0, "nothing"
    elif n > 50:
        p, by = stats.wilcoxon(d, method="asymptotic").pvalue, "scipy asymptotic"
    elif not ties:
        p, by = stats.wilcoxon(d, method="exact").pvalue, "scipy exact"
    elif n <= 18:
        method = stats.PermutationMethod(n_resamples=2**n + 1, batch=1 << 14)
        p, by = stats.wilcoxon(d, method=method).pvalue, "scipy permutation"
    else:
        # The generating function of the doubled ranks, in integers of any size.
        counts = [1]
        for r in (int(2 * r) for r in ranks):
            longer = counts + [0] * r
            counts = [longer[s] + (counts[s - r] if s >= r else 0) for s in range(len(longer))]
        least = int(2 * min(plus, minus))
        p, by = float(min(Fraction(1), Fraction(2 * sum(counts[: least + 1]), 2**n))), "generating function"
    return dict(n=n, zeros=0, w_plus=plus, w_minus=minus, p=float(p), exact=n <= 50, by=by)


def ends(distribution, weights, z0, a, noise):
    """Bounds for both ends of a resampled BCa interval. BCa defines the proportions at which the ends are quantiles. These
    proportions are widened twice: by SIGMAS standard errors of the bias, then by SIGMAS standard errors of an empirical
    proportion.
    """
    order = np.argsort(distribution)
    distribution, cumulative = distribution[order], np.cumsum(weights[order]) / weights.sum()
    # A proportion s of the resamples is below the mean. The standard error of s is sqrt(s (1 - s) / B), where 1 / B is
    # `noise`. Divided by the density at z0, it is the standard error of z0.
    s = stats.norm.cdf(z0)
    off = SIGMAS * math.sqrt(s * (1 - s) * noise) / stats.norm.pdf(z0)

    def share(alpha, bias):
        z = bias + stats.norm.ppf(alpha)
        return stats.norm.cdf(bias + z / (1 - a * z))

    bounds = []
    for alpha in [0.025, 0.975]:
        low, high = share(alpha, z0 - off), share(alpha, z0 + off)
        low -= SIGMAS * math.sqrt(low * (1 - low) * noise)
        high += SIGMAS * math.sqrt(high * (1 - high) * noise)
        at = np.searchsorted(cumulative, [max(low, 0), min(high, 1)])
        bounds.append([float(distribution[min(i, len(distribution) - 1)]) for i in at])
    return bounds


def bootstrap(d):
    n = len(d)
    if n < 2:
        return None
    mean = float(d.mean())
    if (d == d[0]).all():
        return dict(mean=mean, low=[mean, mean], high=[mean, mean], bca=False, by="definition")
    centred = d - mean
    a = (centred**3).sum() / (6 * (centred**2).sum() ** 1.5)
    if n <= 8:
        # All resamples: every multiset, weighted by its number of orders.
        drawn = list(itertools.combinations_with_replacement(range(n), n))
        counts = np.array([np.bincount(m, minlength=n) for m in drawn])
        weights = np.array([math.factorial(n) / math.prod(map(math.factorial, map(int, c))) for c in counts])
        distribution, noise, by = counts @ d / n, 1 / OURS, "all resamples"
    else:
        found = stats.bootstrap((d,), np.mean, n_resamples=THEIRS, method="BCa", rng=7, batch=10_000)
        distribution, noise, by = found.bootstrap_distribution, 1 / OURS + 1 / THEIRS, "scipy BCa"
        weights = np.ones(THEIRS)
    slack = 1e-12 * abs(d).max()
    below, up_to = weights[distribution < mean - slack].sum(), weights[distribution <= mean + slack].sum()
    z0 = stats.norm.ppf((below + up_to) / (2 * weights.sum()))
    low, high = ends(distribution, weights, z0, a, noise)
    if by == "scipy BCa":
        interval = found.confidence_interval
        assert low[0] <= interval.low <= low[1] and high[0] <= interval.high <= high[1], (low, high, interval)
    return dict(mean=mean, low=low, high=high, bca=True, by=by)


def medians(d):
    x, found = np.sort(d), []
    n = len(x)
    for level in [0.5, 0.95, 0.99]:
        # The k-th value from either end, for the largest k with enough coverage.
        ks = [k for k in range(1, (n + 1) // 2 + 1) if 1 - 2 * stats.binom.cdf(k - 1, n, 0.5) >= level - 1e-12]
        k = max(ks, default=1)
        low, high = float(x[k - 1]), float(x[n - k])
        coverage = float(1 - 2 * stats.binom.cdf(k - 1, n, 0.5))
        # SciPy's interval is NaN if the sample is too small.
        theirs = stats.quantile_test(x, q=0, p=0.5).confidence_interval(level)
        if not math.isnan(theirs.low):
            assert (theirs.low, theirs.high) == (low, high), (n, level, theirs, low, high)
            by = "scipy quantile_test"
        else:
            by = "binomial"
        found.append(dict(level=level, low=low, high=high, coverage=coverage, by=by))
    return found


# --- portfolios ---------------------------------------------------------------------------------------------


def worth(limit, score, kind):
    if score is None or score is False:
        return 0.0
    return 1.0 if kind == "solved" else 2 * limit - score


def portfolio(rows, kind):
    engines = range(len(rows[0]) - 1)

    def of(members):
        return sum(max([worth(r[0], r[1 + e], kind) for e in members], default=0.0) for r in rows)

    shapley = []
    for e in engines:
        rest, total = [o for o in engines if o != e], 0.0
        for size in range(len(rest) + 1):
            weight = 1 / (len(engines) * math.comb(len(rest), size))
            total += weight * sum(of(s + (e,)) - of(s) for s in itertools.combinations(rest, size))
        shapley.append(total)
    marginal = [of(engines) - of([o for o in engines if o != e]) for e in engines]
    return dict(value=of(engines), marginal=marginal, shapley=shapley)


def engine(rows, e):
    column = [(r[0], r[1 + e]) for r in rows if r[1 + e] is not None]
    times = [math.inf if s is False else s for _, s in column]
    solved = sum(s is not False for _, s in column)
    mean = lambda k: float(np.mean([par(l, s, k) for l, s in column])) if column else None
    median = float(np.median(times)) if 2 * solved > len(times) else None
    return dict(solved=solved, par2=mean(2), par10=mean(10), median=median)


def bests(rows):
    virtual, sums = [], []
    for r in rows:
        times = [s for s in r[1:] if s is not None and s is not False]
        virtual.append(min(times) if times else None if all(s is None for s in r[1:]) else False)
    for e in range(len(rows[0]) - 1):
        scores = [(r[0], False if r[1 + e] is None else r[1 + e]) for r in rows if set(r[1:]) != {None}]
        sums.append((sum(par(l, s, 2) for l, s in scores), -sum(s is not False for _, s in scores), e))
    return dict(virtual=virtual, single=min(sums)[2])


# --- ranking ------------------------------------------------------------------------------------------------


def ranking(rows, absolute, relative, noise):
    engines = range(len(rows[0]) - 1)
    table = [[[0, 0, 0] for _ in engines] for _ in engines]
    for r, a, b in itertools.product(rows, engines, engines):
        s, t = r[1 + a], r[1 + b]
        if a == b or s is None or t is None:
            continue
        gap = (s or 0) - (t or 0)
        tied = abs(gap) <= absolute or abs(gap) <= relative * max(s, t) or gap * gap <= noise * (s + t)
        if s is False or t is False:
            outcome = 2 if s is t else 0 if t is False else 1
        else:
            outcome = 2 if tied else 0 if gap < 0 else 1
        table[a][b][outcome] += 1
    above = [[a == b or (sum(m) > 0 and m[0] >= m[1]) for b, m in enumerate(row)] for a, row in enumerate(table)]
    for k, i, j in itertools.product(engines, repeat=3):
        above[i][j] = above[i][j] or (above[i][k] and above[k][j])
    groups = {tuple(j for j in engines if above[i][j] and above[j][i]) for i in engines}
    rank = {}
    # A group with more engines above it comes later.
    for group in sorted(groups, key=lambda g: sum(above[i][g[0]] for i in engines)):
        higher = [rank[other] for other in rank if above[other[0]][group[0]]]
        rank[group] = 1 + max(higher, default=0)
    p = [[stats.binomtest(m[0], m[0] + m[1]).pvalue if m[0] + m[1] else 1.0 for m in row] for row in table]
    listed = [[place, list(group)] for group, place in rank.items()]
    return dict(margin=[absolute, relative, noise], matches=table, groups=sorted(listed), p=p)


# --- sizes --------------------------------------------------------------------------------------------------


def root(x, a, y, b):
    """The zero of the line from (x, a) to (y, b). If a or b is infinite, the zero in the limit."""
    if math.isinf(a) or math.isinf(b):
        return y if math.isinf(a) else x
    return x + (y - x) * abs(a) / (abs(a) + abs(b))


def crossing(sizes):
    """d(x) and its changes: an independent, plain version of statistics/src/crossover.rs."""
    points = []
    for x, pairs in sizes:
        low, high = [], []
        for limit, s, t in pairs:
            if s is False and t is False:
                continue
            ratio = math.log10(limit if s is False else s) - math.log10(limit if t is False else t)
            low.append(-math.inf if t is False else ratio)
            high.append(math.inf if s is False else ratio)
        points.append((x, float(np.median(low)), float(np.median(high))) if low else (x, None, None))
    changes, last = [], None
    for x, low, high in points:
        sign = 0 if low is None else -1 if high < 0 else 1 if low > 0 else 0
        if sign == 0:
            continue
        if last is not None and last[0] != sign:
            zeros = [y for y, l, h in points if last[1] < y < x and l == 0 and h == 0]
            # The four combinations of the possible extremes at the two sizes.
            at = zeros or [root(last[1], a, x, b) for a in last[2:] for b in (low, high)]
            changes.append([last[1], x, min(at), max(at), sign])
        last = (sign, x, low, high)
    return points, changes


def crossover(sizes):
    points, changes = crossing(sizes)
    places = []
    for _ in range(CROSSING):
        drawn = [(x, [pairs[i] for i in RNG.integers(0, len(pairs), len(pairs))]) for x, pairs in sizes]
        places += [found[-1][2:4] for found in [crossing(drawn)[1]] if found]
    share = len(places) / CROSSING
    # The factor 1 / CROSSING, the share of one resample, keeps the variance above 0 if the share is 0 or 1.
    off = SIGMAS * math.sqrt(max(share * (1 - share), 1 / CROSSING) * 2 / CROSSING)
    shares = [share - off, share + off]
    interval = None
    # With fewer than 100 crossovers, the interval is too uncertain for a comparison.
    if len(places) >= 100:
        interval = []
        for s, ends in [(0.025, [p[0] for p in places]), (0.975, [p[1] for p in places])]:
            off = SIGMAS * math.sqrt(s * (1 - s) * 2 / len(places))
            interval.append([float(q) for q in np.quantile(ends, [max(s - off, 0), min(s + off, 1)])])
    show = lambda v: v if v is None or math.isfinite(v) else str(v)
    return dict(
        sizes=[dict(x=x, pairs=pairs) for x, pairs in sizes],
        points=[[show(low), show(high)] for _, low, high in points],
        changes=changes, crossing=shares, interval=interval,
    )


def curves():
    def size(x, n, slopes, limit):
        pairs = []
        for _ in range(n):
            luck = RNG.normal(0, 0.4)
            times = [10 ** (base + slope * x + luck + RNG.normal(0, 0.25)) for base, slope in slopes]
            pairs.append([limit] + [round(t, 6) if t < limit else False for t in times])
        return x, pairs

    xs = [4.0, 6.0, 8.0, 10.0, 12.0]
    return {
        "clear": [size(x, 21, [(-3, 0.4), (-1, 0.15)], 1e6) for x in xs],
        "limits": [size(x, 20, [(-3, 0.45), (-1, 0.2)], 30.0) for x in xs],
        "tight limits": [size(x, 15, [(-3, 0.45), (-0.9, 0.2)], 5.0) for x in xs],
        "parallel": [size(x, 9, [(-3, 0.3), (-2.9, 0.3)], 1e6) for x in xs],
        "one ahead": [size(x, 9, [(-3, 0.2), (-1, 0.3)], 100.0) for x in xs],
        "single instances": [size(x, 1, [(-3, 0.4), (-1, 0.15)], 1e6) for x in xs],
        "zeros": [(1.0, [[9.0, 1.0, 2.0]]), (2.0, [[9.0, 1.0, 1.0]]), (4.0, [[9.0, 2.0, 2.0]]), (5.0, [[9.0, 2.0, 1.0]])],
        "too hard": [(1.0, [[9.0, False, False]] * 3), (2.0, [[9.0, False, False]])],
    }


def growth(points):
    found = stats.linregress([x for x, _ in points], np.log2([y for _, y in points]))
    return dict(points=points, slope=found.slope, intercept=found.intercept, r_squared=found.rvalue**2)


# --- all ----------------------------------------------------------------------------------------------------


def of_set(name, rows):
    d = differences(rows)
    found = wilcoxon(d)
    found["zeros"] = int((d == 0).sum())
    engines = range(len(rows[0]) - 1)
    shares = [0.0, 0.05, 0.25, 0.5, 0.9, 1.0]
    return dict(
        name=name, rows=rows, wilcoxon=found, bootstrap=bootstrap(d),
        quantiles=[[p, float(np.quantile(d, p))] for p in shares], medians=medians(d),
        engines=[engine(rows, e) for e in engines], bests=bests(rows),
        solved=portfolio(rows, "solved"), saved=portfolio(rows, "saved"),
        rankings=[ranking(rows, *m) for m in [(0, 0, 0), (0.5, 0, 0), (0, 0.25, 0), (0, 0, 1.0)]],
    )


def holm(p):
    m, p = len(p), np.array(p)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(1, np.maximum.accumulate((m - np.arange(m)) * p[order]))
    return dict(p=p.tolist(), adjusted=adjusted.tolist())


def main():
    sets = [of_set(name, rows) for name, rows in data().items()]
    ps = [[s["wilcoxon"]["p"] for s in sets], [0.01, 0.01, 0.01], [0.04], [0.2, 0.001, 0.2, 0.03, 1.0]]
    ps += [np.round(RNG.random(n) ** 3, 4).tolist() for n in [2, 7, 40]]
    lines = [[[float(x), round(float(2 ** (1.1 * x - 9) * RNG.lognormal(0, s)), 6)] for x in range(4, 4 + n)]
             for n, s in [(2, 0.3), (3, 0.0), (5, 0.5), (12, 1.0)]]
    versions = dict(scipy=scipy.__version__, numpy=np.__version__, python=platform.python_version())
    parts = dict(
        versions=[versions], resamples=[OURS, CROSSING], sets=sets, holm=[holm(p) for p in ps],
        growth=[growth(points) for points in lines], crossover=[dict(name=n, **crossover(c)) for n, c in curves().items()],
    )
    # One data set per line, so that diffs are readable.
    text = [f'"{k}": [\n' + ",\n".join(json.dumps(v, allow_nan=False) for v in part) + "\n]" for k, part in parts.items()]
    print("{\n" + ",\n".join(text) + "\n}")


main()
