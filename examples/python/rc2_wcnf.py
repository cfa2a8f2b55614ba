#!/usr/bin/env python3
"""Solves a WCNF file with RC2 (pip install --pre python-sat): `python3 rc2_wcnf.py FILE`.

Reads the format of the MaxSAT Evaluation of 2022 and prints its lines.
"""

import sys
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

formula = WCNF()
for line in open(sys.argv[1]):
    words = line.split()
    if words and words[0] == "h":
        formula.append([int(word) for word in words[1:-1]])
    elif words and words[0] != "c":
        formula.append([int(word) for word in words[1:-1]], weight=int(words[0]))
with RC2(formula) as solver:
    model = solver.compute()
    if model is None:
        print("s UNSATISFIABLE")
        sys.exit(20)
    print(f"o {solver.cost}")
    print("s OPTIMUM FOUND")
    print("v", *(lit for lit in model if abs(lit) <= formula.nv), 0)
    sys.exit(30)
