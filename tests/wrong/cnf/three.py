# Wrong: reads only the first three literals of a clause.
from dpll import read, solve, write

n, clauses = read()
write(n, solve([clause[:3] for clause in clauses]))
