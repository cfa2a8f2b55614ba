#!/usr/bin/env python3
"""Solves an OPB file with CP-SAT (pip install ortools): `python3 cp_sat_opb.py [OPTION=VALUE ...] FILE`.

Prints the lines of the pseudo-Boolean competition, and ends with 10, 20 or 30 as its solvers do. Options are numeric
parameters of CP-SAT, such as `random_seed=1`. One thread searches, and `linearization_level=2` is the default, with which
CP-SAT adds up linear constraints.
"""

import re
import sys
from ortools.sat.python import cp_model

arguments = sys.argv[1:]
options = dict(word.split("=", 1) for word in arguments if re.match(r"\w+=\d+$", word))
[path] = [word for word in arguments if not re.match(r"\w+=\d+$", word)]

model, variables = cp_model.CpModel(), {}


def literal(name):
    """The variable of `x3`, or the negation of it for `~x3`."""
    number = int(name.lstrip("~x"))
    if number not in variables:
        variables[number] = model.new_bool_var(f"x{number}")
    return ~variables[number] if name.startswith("~") else variables[number]


for line in open(path):
    words = line.split()
    if not words or words[0].startswith("*"):
        continue
    words.remove(";")
    goal = words[0] == "min:"
    end = len(words) if goal else len(words) - 2
    total = sum(int(words[i]) * literal(words[i + 1]) for i in range(int(goal), end, 2))
    if goal:
        model.minimize(total)
    elif words[-2] == "=":
        model.add(total == int(words[-1]))
    else:
        model.add(total >= int(words[-1]))

solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
solver.parameters.linearization_level = 2
for name, value in options.items():
    setattr(solver.parameters, name, int(value))
state = solver.solve(model)
print(f"c conflicts: {solver.num_conflicts}")
if state == cp_model.INFEASIBLE:
    print("s UNSATISFIABLE")
    sys.exit(20)
if state not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
    print("s UNKNOWN")
    sys.exit(0)
optimum = model.has_objective() and state == cp_model.OPTIMAL
if model.has_objective():
    print(f"o {int(solver.objective_value)}")
print("s OPTIMUM FOUND" if optimum else "s SATISFIABLE")
print("v", *(("" if solver.value(variable) else "-") + f"x{number}" for number, variable in sorted(variables.items())))
sys.exit(30 if optimum else 10)
