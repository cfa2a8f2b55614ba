# Wrong: prints only the variables that are true.
import sys

from dpll import read, solve

_, clauses = read()
model = solve(clauses)
print("s UNSATISFIABLE" if model is None else "s SATISFIABLE")
if model is not None:
    print("v", *(lit for lit in model if lit > 0), 0)
sys.exit(20 if model is None else 10)
