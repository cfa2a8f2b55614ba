"""Prints what the paper quotes as commands of LaTeX; called by `build` in the root of the repository.

The argument is a file with the records of experiment 024.
"""

import csv
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
items = (f"\\item[{hypothesis['name']}] {escaped(hypothesis['text'])}" for hypothesis in spec["hypothesis"])
command("statements", "\n".join(["\\begin{description}\\small", *items, "\\end{description}"]))

# How many times as long placements with counting take as the search, by solver: the medians on both families.
times = {}
for row in csv.DictReader(open(sys.argv[1])):
    if row["cpu_s"]:
        times[row["family"], row["engine"], row["seed"]] = float(row["cpu_s"])
for name, engine in (("Varisat", "sat:placement"), ("Kissat", "sat:placement@kissat")):
    medians = []
    for family in ("contradictory", "hard"):
        ratios = (time / times[family, "search:cover", seed] for (of, by, seed), time in times.items() if (of, by) == (family, engine))
        medians.append(f"{statistics.median(ratios):.0f}")
    command(f"ratio{name}", " and ".join(medians))
