"""Order of equal ships instead of counting: conflicts of CaDiCaL on n + 1 hits and n single cells.

The plain formula is the pigeonhole principle: each hit has a ship, no ship has two hits, and each ship has a hit. The
ordered one adds that ship s lies before ship s + 1. Equal ships can be named in this order, so a fleet fits in one formula
if it fits in the other. Nothing is counted.

    python3 ordered.py [N ...]

Needs the program `cadical`. Prints a line for each n: the conflicts with the plain and with the ordered formula.
"""

import itertools
import re
import subprocess
import sys


def formula(n, is_ordered):
    """Clauses for n + 1 hits and n ships. The variable at(s, h) says that ship s covers hit h."""
    hits, ships = range(n + 1), range(n)

    def at(s, h):
        return s * (n + 1) + h + 1

    clauses = [[at(s, h) for s in ships] for h in hits] + [[at(s, h) for h in hits] for s in ships]
    clauses += [[-at(s, g), -at(s, h)] for s in ships for g, h in itertools.combinations(hits, 2)]
    if is_ordered:
        clauses += [[-at(s, h), -at(s + 1, g)] for s in ships[:-1] for h in hits for g in hits if g <= h]
    return n * (n + 1), clauses


def conflicts(variables, clauses):
    """The conflicts that CaDiCaL needs. The formula is unsatisfiable."""
    lines = [f"p cnf {variables} {len(clauses)}"] + [" ".join(map(str, clause)) + " 0" for clause in clauses]
    found = subprocess.run(["cadical"], input="\n".join(lines), capture_output=True, text=True, check=False)
    assert found.returncode == 20, found.stdout
    return int(re.search(r"^c conflicts: +(\d+)", found.stdout, re.M).group(1))


for size in map(int, sys.argv[1:] or ["4", "5", "6", "7", "8"]):
    print(f"n = {size}: {conflicts(*formula(size, False)):,} plain, {conflicts(*formula(size, True)):,} ordered", flush=True)
