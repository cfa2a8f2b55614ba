"""Prints what the paper quotes as commands of LaTeX; called by `build` in the root of the repository.

The argument is a folder with the records of the experiments that are quoted, as `NUMBER.csv`.
"""

import csv
import math
import pathlib
import re
import statistics
import sys
import tomllib

spec = tomllib.load(open("experiments/hypotheses.toml", "rb"))
verdicts = {row["hypothesis"]: row["verdict"] for row in csv.DictReader(open("experiments/hypotheses.csv"))}


def escaped(text):
    """A text of the hypotheses, in which code stands between backticks and a power is written as ^(...)."""
    text = re.sub(r"([%&#_])", r"\\\1", " ".join(text.split()))
    text = re.sub(r"`([^`]*)`", r"\\texttt{\1}", text)
    return re.sub(r"(\d+)\^\(([^)]*)\)", r"$\1^{\2}$", text).replace("×", r"$\times$")


def command(name, text):
    print(f"\\newcommand{{\\{name}}}{{{text}}}")


command("claim", escaped(spec["claim"]))
for verdict in ("supported", "refuted", "undecided"):
    names = [name for name, found in verdicts.items() if found == verdict]
    number = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}.get(len(names), str(len(names)))
    command(f"hypotheses{verdict.capitalize()}", number)
    if names:
        command(f"hypotheses{verdict.capitalize()}Names", " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])))
command("hypothesesMeasured", sum(verdict != "not measured" for verdict in verdicts.values()))
for name, groups in (("known", "CE"), ("open", "TS")):
    group = [verdict for hypothesis, verdict in verdicts.items() if hypothesis[0] in groups]
    command(f"{name}All", len(group))
    command(f"{name}Supported", group.count("supported"))
items = (f"\\item[{hypothesis['name']}] {escaped(hypothesis['text'])}" for hypothesis in spec["hypothesis"])
command("statements", "\n".join(["\\begin{description}\\small", *items, "\\end{description}"]))



def records(number, engine=".*", **conditions):
    """The records of an experiment, of engines that match a pattern, with these values in these columns."""
    with open(pathlib.Path(sys.argv[1], f"{number}.csv"), newline="") as file:
        rows = [row for row in csv.DictReader(file) if re.fullmatch(engine, row["engine"])]
    return [row for row in rows if all(row[column] == value for column, value in conditions.items())]


def solved(rows):
    return sum(row["verdict"] == "decided" and row["check"] == "checked" for row in rows)


# How many times as long placements with counting take as the search, by solver: the medians on both families.
for name, engine in (("Varisat", "sat:placement"), ("Kissat", "sat:placement@kissat")):
    medians = []
    for family in ("contradictory", "hard"):
        search = {row["seed"]: float(row["cpu_s"]) for row in records("024", "search:cover", family=family)}
        ratios = [float(row["cpu_s"]) / search[row["seed"]] for row in records("024", engine, family=family)]
        medians.append(f"{statistics.median(ratios):.0f}")
    command(f"ratio{name}", " and ".join(medians))

# Without counting: five learners on contradictory boards, and two where a fleet fits.
learners = "sat:placement/leaders=no(@batsat|@cadical|@kissat|@cryptominisat)?"
uncounted = records("024", learners, family="contradictory")
command("uncountedSolved", solved(uncounted))
command("uncountedRuns", len(uncounted))
# Some of these boards have a fleet. `sat:owner` decides all of them.
family = records("024", "sat:owner", family="contradictory")
contradictory = {row["seed"] for row in family if row["outcome"] == "no-fleet"}
command("fifteenContradictory", len(contradictory))
command("uncountedFits", solved([row for row in uncounted if row["seed"] not in contradictory]))
none = [row for row in uncounted if row["seed"] in contradictory]
command("uncountedNone", solved(none))
command("uncountedNoneRuns", len(none))
for name, engine in (("Varisat", "sat:placement/leaders=no"), ("Kissat", "sat:placement/leaders=no@kissat")):
    command(f"uncountedHard{name}", solved(records("024", engine, family="hard")))
command("uncountedHardRuns", len(records("024", "sat:placement/leaders=no", family="hard")))

# The variables of counting without its bound.
for name, solver in (("Varisat", ""), ("Kissat", "@kissat")):
    command(f"named{name}", solved(records("034", f"sat:placement/leaders=named{solver}")))

# Eighteen pentominoes on 12×12.
small = records("025", "sat:owner@kissat", params_n="12")
command("tailKissat", f"{solved(small)} of {len(small)}")
large = records("025", "sat:owner@kissat", params_n="16")
command("tailKissatLarge", f"{solved(large)} of {len(large)}")

# CryptoMiniSat with clauses at n = 16.
conflicts = [int(row["work_conflicts"]) for row in records("027", "sat:presses@cryptominisat", params_n="16")]
command("eliminatesFrom", f"{min(conflicts):,}")
command("eliminatesTo", f"{max(conflicts):,}")

# Twelve consecutive unknown moves on 12×12: answers, and those that the checker closed, without and with proofs.
block = records("026", family="block", params_n="12")
answers = lambda engine: sum(row["verdict"] == "decided" for row in block if row["engine"] == engine)
solvers = [f"sat:toggles/distinct=lazy{solver}" for solver in ("", "@kissat", "@cadical")]
command("blockRecords", len({row["seed"] for row in block}))
command("blockAnsweredBySat", min(map(answers, solvers)))
command("blockAnsweredBySearch", answers("search:fill"))
command("blockClosed", solved([row for row in block if row["engine"] == solvers[0]]))
small = {row["seed"]: row for row in records("026", "search:fill", family="block", params_n="10")}
ratios = [float(row["cpu_s"]) / float(small[row["seed"]]["cpu_s"]) for row in records("026", solvers[0], family="block", params_n="10")]
command("blockSmall", f"{statistics.median(ratios):.0f}")
command("blockProved", solved(records("033", "sat:toggles/distinct=lazy")))

# Pigeonholes in several orders of each formula: slopes by least squares, as in reports, and medians of conflicts.
orders = lambda encoding, solver, **more: records("035", f"sat:{encoding}/amo=pairwise/leaders=no{solver}", **more)
work = lambda rows: statistics.median(int(row["work_conflicts"]) for row in rows)
slopes = []
for solver in ("", "@batsat", "@cadical", "@kissat", "@unfactored"):
    by_size = {n: work(orders("placement", solver, params_length="1", params_ships=str(n))) for n in range(3, 10)}
    mean = statistics.mean(by_size)
    over = sum((n - mean) ** 2 for n in by_size)
    slopes.append(sum((n - mean) * math.log2(conflicts) for n, conflicts in by_size.items()) / over)
command("pigeonsLeast", f"{min(slopes):.2f}")
command("pigeonsMost", f"{max(slopes):.2f}")
for name, solver in (("factored", "@kissat"), ("unfactored", "@unfactored")):
    nine = orders("placement", solver, params_length="1", params_ships="9")
    command(f"{name}Median", f"{work(nine):,}")
    command(f"{name}First", f"{work([row for row in nine if row['shuffle'] == '0']):,}")
for encoding in ("owner", "placement"):
    command(f"{encoding}sDominoes", f"{work(orders(encoding, '', params_length='2', params_ships='6')):,}")
