# Wrong: has room for one sign of each variable in a clause, and keeps the last one.
from dpll import read, solve, write

n, clauses = read()
write(n, solve([list({abs(lit): lit for lit in clause}.values()) for clause in clauses]))
