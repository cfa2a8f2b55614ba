# Wrong: sets each variable to the value that more clauses want, takes nothing back, and does not look for false clauses.
from dpll import read, write

n, clauses = read()
wanted = [lit for clause in clauses for lit in clause]
write(n, [var if wanted.count(var) >= wanted.count(-var) else -var for var in range(1, n + 1)])
