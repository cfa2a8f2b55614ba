//! Measures how long it takes to write clauses: single constraints of growing length into a sink that only counts, and
//! the formulas of growing boards as DIMACS text in memory.

use counterpoint::erased::DynInstance;
use counterpoint::errors::Unsupported;
use counterpoint::export::{self, Format, Formula, Head};
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{self, EngineSpec};
use counterpoint_encodings::{
    AtMostOne, Bounds, Cardinality, Count, Linear, Lit, Parity, Relation, Sink, Tally,
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// One benchmark for each number of literals. Throughput is measured in clauses.
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
    for kind in AtMostOne::ALL {
        series(criterion, kind.name(), &[16, 64, 256, 1024], &|sink, lits| kind.exactly_one(sink, lits));
    }
    for (kind, name) in Parity::ALL.into_iter().zip(Parity::NAMES) {
        let sizes: &[usize] = if kind == Parity::Direct { &[4, 8, 12, 16] } else { &[16, 64, 256, 1024] };
        series(criterion, name, sizes, &|sink, lits| kind.encode(sink, lits, true));
    }
    for kind in Cardinality::ALL {
        let count = |sink: &mut Tally, lits: &[Lit]| drop(Count::new(kind, sink, lits, 16, Bounds::Upper));
        series(criterion, &format!("{kind} to 16"), &[16, 64, 256, 1024], &count);
    }
    series(criterion, "linear", &[16, 64, 256], &|sink, lits| {
        let terms: Vec<(i64, Lit)> = (1..).zip(lits.iter().copied()).collect();
        let bound = (lits.len() * lits.len() / 4) as i64;
        sink.linear(&Linear { terms: &terms, relation: Relation::AtMost, bound });
    });
}

/// The formula of a generated instance, encoded by one engine.
struct Encoding {
    instance: Box<dyn DynInstance>,
    engine: EngineSpec,
}

impl Formula for Encoding {
    fn clauses(&self, sink: &mut dyn Sink) -> Result<(), Unsupported> {
        self.instance.formula(&self.engine, sink)
    }
}

/// Formulas of growing boards as DIMACS. Throughput is measured in bytes.
fn files(criterion: &mut Criterion) {
    let registry = counterpoint::standard();
    let mut group = criterion.benchmark_group("files");
    group.sample_size(20);
    for (problem, family, given, engine) in [
        ("ships", "random", ("reveal", "0"), "sat:owner"),
        ("ships", "random", ("reveal", "0"), "sat:placement"),
        ("flip", "solvable", ("press", "0.5"), "sat:presses/xor=cut4"),
    ] {
        for n in [8, 16, 24, 32] {
            let problem = registry.find(problem).expect("a problem");
            let settings = Settings::new(problem.rules(), &[], &|_| Err("no files".into()));
            let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
            let params = [pair("n", &n.to_string()), pair(given.0, given.1)];
            let instance =
                problem.generate(&settings.expect("defaults"), family, &params, 1).expect("an instance");
            let engine = spec::resolve(problem.engines(), &SolverRegistry::built_in(), engine)
                .expect("an engine")
                .remove(0);
            let encoding = Encoding { instance, engine };
            let mut text = Vec::new();
            let write = |text: &mut Vec<u8>| {
                export::write(Format::Cnf, &Head::default(), &encoding, text).expect("a formula")
            };
            write(&mut text);
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(BenchmarkId::new(encoding.engine.to_string(), n), |bench| {
                bench.iter(|| {
                    text.clear();
                    write(black_box(&mut text))
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, encodings, files);
criterion_main!(benches);
