# Wrong: ends with status 0.
from dpll import read, solve, write

n, clauses = read()
try:
    write(n, solve(clauses))
except SystemExit:
    pass
