"""A formula in CNF: adds variables and clauses, and prints the formula as DIMACS."""
import itertools


class Formula:
    def __init__(self):
        self.count, self.names, self.clauses = 0, [], []

    def var(self, name=None):
        self.count += 1
        if name:
            self.names.append((self.count, name))
        return self.count

    def add(self, *lits):
        self.clauses.append(lits)

    def exactly_one(self, lits):
        self.add(*lits)
        self.at_most_one(lits)

    def at_most_one(self, lits):
        for a, b in itertools.combinations(lits, 2):
            self.add(-a, -b)

    def parity(self, lits, odd):
        """Adds the clauses that say that the number of true literals is odd, or even."""
        for signs in itertools.product([1, -1], repeat=len(lits)):
            # A clause forbids the values that make all its literals false.
            if signs.count(-1) % 2 != odd:
                self.add(*(sign * lit for sign, lit in zip(signs, lits)))

    def show(self):
        for var, name in self.names:
            print("c varname", var, name)
        print("p cnf", self.count, len(self.clauses))
        for clause in self.clauses:
            print(*clause, 0)
