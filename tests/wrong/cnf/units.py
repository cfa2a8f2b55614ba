# Wrong: ignores clauses of one literal.
from dpll import read, solve, write

n, clauses = read()
write(n, solve([clause for clause in clauses if len(clause) != 1]))
