//! The constraint encodings over growing numbers of literals, into a sink that only counts.

use counterpoint_encodings::{ExactlyOne, Lit, Parity, Sink, Tally, Totalizer};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// One benchmark for each number of literals; throughput is clauses.
fn series(criterion: &mut Criterion, name: &str, sizes: &[usize], encode: &dyn Fn(&mut Tally, &[Lit])) {
    let mut group = criterion.benchmark_group("encodings");
    group.sample_size(20);
    for &n in sizes {
        let mut tally = Tally::default();
        let lits: Vec<Lit> = (0..n).map(|_| tally.new_var().pos_lit()).collect();
        encode(&mut tally, &lits);
        group.throughput(Throughput::Elements(tally.n_clauses()));
        group.bench_with_input(BenchmarkId::new(name, n), &lits, |bench, lits| {
            bench.iter(|| {
                let mut tally = Tally::default();
                encode(&mut tally, black_box(lits));
                tally.n_clauses()
            });
        });
    }
    group.finish();
}

fn encodings(criterion: &mut Criterion) {
    for kind in ExactlyOne::ALL {
        series(criterion, kind.name(), &[16, 64, 256, 1024], &|sink, lits| kind.encode(sink, lits));
    }
    for (name, kind) in Parity::NAMES {
        let sizes: &[usize] = if kind == Parity::Direct { &[4, 8, 12, 16] } else { &[16, 64, 256, 1024] };
        series(criterion, name, sizes, &|sink, lits| kind.encode(sink, lits, true));
    }
    series(criterion, "totalizer", &[16, 64, 256, 1024], &|sink, lits| drop(Totalizer::new(sink, lits)));
}

criterion_group!(benches, encodings);
criterion_main!(benches);
