#!/bin/sh
# Unsolvable n×n boards through elimination and every parity encoding; n = 14 takes about two minutes.
set -eu
cd "$(dirname "$0")"
cargo build -q --release
run=../../target/release/counterpoint
for n in 4 5 9 11 14; do
    "$run" generate flip random n="$n" --seed 1 --count 5 |
        "$run" compare flip -r goal=any -e 'search:algebra,sat:presses/xor=*@*' > "results/n$n.txt"
done
