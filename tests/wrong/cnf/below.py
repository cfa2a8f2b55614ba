# Wrong: has room for the variables below the last one only, so the last one is missing from its models.
import sys

from dpll import read, solve

n, clauses = read()
model = solve(clauses)
print("s UNSATISFIABLE" if model is None else "s SATISFIABLE")
if model is not None:
    print("v", *(var if var in model else -var for var in range(1, n)), 0)
sys.exit(20 if model is None else 10)
