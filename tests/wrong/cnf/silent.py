# Wrong: prints that there is a model, but no model.
import sys

from dpll import read, solve

_, clauses = read()
found = solve(clauses) is not None
print("s SATISFIABLE" if found else "s UNSATISFIABLE")
sys.exit(10 if found else 20)
