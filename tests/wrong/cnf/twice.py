# Wrong: removes literals that occur twice in a clause, because it toggles them.
from dpll import read, solve, write


def toggled(clause):
    found = set()
    for lit in clause:
        found ^= {lit}
    return sorted(found)


n, clauses = read()
write(n, solve([toggled(clause) for clause in clauses]))
