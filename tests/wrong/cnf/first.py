# Wrong: ignores the first clause.
from dpll import read, solve, write

n, clauses = read()
write(n, solve(clauses[1:]))
