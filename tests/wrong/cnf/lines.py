# Wrong: takes a line without literals for the end of the formula's text, and so ignores empty clauses.
from dpll import read, solve, write

n, clauses = read()
write(n, solve([clause for clause in clauses if clause]))
