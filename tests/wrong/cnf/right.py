# Correct.
from dpll import read, solve, write

n, clauses = read()
write(n, solve(clauses))
