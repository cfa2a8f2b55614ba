#!/usr/bin/env python3
"""Solves an OPB file with Exact (pip install exact): `python3 exact_opb.py [OPTION=VALUE ...] FILE [proof=FILE]`.

Prints the lines of the pseudo-Boolean competition, and ends with 10, 20 or 30 as its solvers do. Variables that no
line mentions are false. `proof=FILE` writes a proof in the format of VeriPB, version 1.1. Other options are Exact's.
"""

import os
import re
import sys
import tempfile
from exact import Exact

arguments = sys.argv[1:]
options = dict(word.split("=", 1) for word in arguments if re.match("[a-z-]+=", word))
[path] = [word for word in arguments if not re.match("[a-z-]+=", word)]
proof = options.pop("proof", None)
if proof:
    # Exact writes NAME.proof, and NAME.formula, which is not needed.
    logs = tempfile.TemporaryDirectory()
    os.symlink(os.path.abspath(proof), os.path.join(logs.name, "exact.proof"))
    os.symlink(os.devnull, os.path.join(logs.name, "exact.formula"))
    options |= {"proof-log": os.path.join(logs.name, "exact"), "proof-assumptions": "0"}
solver, declared, objective = Exact(list(options.items())), set(), None
if proof:
    # A proof calls the variables x1, x2, ... in the order in which they are declared here.
    header = re.match(r"\* #variable= *(\d+)", open(path).readline())
    for name in (f"x{number}" for number in range(1, int(header[1]) + 1)):
        solver.addVariable(name)
        declared.add(name)
for line in open(path):
    words = line.split()
    if not words or words[0].startswith("*"):
        continue
    words.remove(";")
    goal = words[0] == "min:"
    end = len(words) if goal else len(words) - 2
    terms = [(int(words[i]), words[i + 1]) for i in range(int(goal), end, 2)]
    for name in sorted({name for _, name in terms} - declared):
        solver.addVariable(name)
        declared.add(name)
    if goal:
        objective = terms
    else:
        bound = int(words[-1])
        solver.addConstraint(terms, True, bound, words[-2] == "=", bound)
if objective:
    solver.setObjective(objective)
state = solver.runFull(objective is not None)
for name, value in solver.getStats():
    if name in ("conflicts", "decisions", "propagations", "restarts"):
        print(f"c {name}: {value:.0f}")
if state == "UNSAT" and not solver.hasSolution():
    print("s UNSATISFIABLE")
    sys.exit(20)
if not solver.hasSolution():
    print("s UNKNOWN")
    sys.exit(0)
names = sorted(declared, key=lambda name: int(name[1:]))
values = solver.getLastSolutionFor(names)
print("v", *(name if value else "-" + name for name, value in zip(names, values)))
if objective is None:
    print("s SATISFIABLE")
    sys.exit(10)
print("o", sum(weight * values[names.index(name)] for weight, name in objective))
print("s OPTIMUM FOUND")
sys.exit(30)
