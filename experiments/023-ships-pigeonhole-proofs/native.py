#!/usr/bin/env python3
"""Sizes of Exact's cutting-planes proofs of the boards of experiment 022 with dominoes, from the engine's own linear constraints.

    python3 experiments/023-ships-pigeonhole-proofs/native.py COUNTERPOINT

Run it in the repository's folder. It needs the Python module exact. For each board, `encode --format opb` writes the
formula of `sat:placement/leaders=no`, in which "at most one" is one inequality; Exact refutes it and writes a proof;
`check` verifies the proof against the formula. Prints one line of CSV for each board. (The records of the experiment
have the sizes of proofs from the checker's formula, in which "at most one" is written as pairs.)
"""

import subprocess
import sys
import tempfile
from pathlib import Path

counterpoint, fleets = sys.argv[1], Path("experiments/022-ships-pigeonhole/fleets")
engine = "sat:placement/leaders=no"


def run(command, statuses=(0,)):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode in statuses, (command, done.stdout)
    return done.stdout


print("ships,constraints,proof_bytes,proof_steps")
for ships in range(3, 8):
    with tempfile.TemporaryDirectory() as folder:
        board, answer = Path(folder, "board.txt"), Path(folder, "answer")
        fleet = ["-r", f"fleet={fleets}/{ships}-dominoes.txt"]
        board.write_text(run([counterpoint, "generate", "ships", "pigeonhole", *fleet, "--seed", "1"]))
        run([counterpoint, "solve", "ships", str(board), *fleet, "--save", str(answer)])
        Path(answer, "formula.cnf").unlink()
        opb, proof = Path(answer, "formula.opb"), Path(answer, "proof.pbp")
        run([counterpoint, "encode", "ships", str(board), *fleet, "-e", engine, "--format", "opb", "-o", str(opb)])
        run(["python3", "examples/python/exact_opb.py", "inp-atmostone=0", str(opb), f"proof={proof}"], (20,))
        verdict = run([counterpoint, "check", str(answer), "--work-limit", "0"], (0, 3))
        assert "proved for another formula" in verdict, verdict
        steps = proof.read_text().splitlines()
        constraints = [line for line in opb.read_text().splitlines() if line.endswith(";")]
        print(f"{ships},{len(constraints)},{proof.stat().st_size},{len(steps)}", flush=True)
