"""A correct textbook solver, whose parts the wrong programs of this folder use or replace."""
import sys


def read():
    """The number of variables and the clauses of the formula on standard input."""
    n, clauses, clause = 0, [], []
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["p"]:
            n = int(words[2])
        elif words[:1] != ["c"]:
            for number in map(int, words):
                if number == 0:
                    clauses.append(clause)
                    clause = []
                else:
                    clause.append(number)
    return n, clauses


def simplified(clauses, lit):
    """The clauses once this literal is true."""
    return [[other for other in clause if other != -lit] for clause in clauses if lit not in clause]


def solve(clauses):
    """The true literals of a model, or None. Variables that do not matter are missing."""
    true = []
    while clauses:
        shortest = min(clauses, key=len)
        if not shortest:
            return None
        if len(shortest) > 1:
            for lit in (shortest[0], -shortest[0]):
                rest = solve(simplified(clauses, lit))
                if rest is not None:
                    return true + [lit] + rest
            return None
        true.append(shortest[0])
        clauses = simplified(clauses, shortest[0])
    return true


def write(n, model):
    """Prints the answer with values of all variables, and ends with the status that stands for it."""
    if model is None:
        print("s UNSATISFIABLE")
        sys.exit(20)
    print("s SATISFIABLE")
    print("v", *(var if var in model else -var for var in range(1, n + 1)), 0)
    sys.exit(10)
