# Correct: prints no values of variables that do not matter, as MiniSat does for variables in no clause.
import sys

from dpll import read, solve

_, clauses = read()
model = solve(clauses)
print("s UNSATISFIABLE" if model is None else "s SATISFIABLE")
if model is not None:
    print("v", *model, 0)
sys.exit(20 if model is None else 10)
