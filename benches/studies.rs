//! Measures studies on growing sizes, and simple baselines on the sizes for which they end in reasonable time.
//!
//! `cargo bench --bench studies -- ships` runs the benchmarks of one problem. Ships on 9×9 and Spot on 5×5 take
//! minutes.

use counterpoint::board::{Group, Size};
use counterpoint::engine::Budget;
use counterpoint::problems::ships::Fleet;
use counterpoint::problems::ships::study::automaton::Automaton;
use counterpoint::problems::ships::study::count::empty_board;
use counterpoint::problems::ships::study::{placements, plain, sets};
use counterpoint::problems::spot::study::class_graph;
use counterpoint::problems::spot::study::implicit::ImplicitGraph;
use counterpoint::problems::spot::study::matching::{Side, maximum};
use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use petgraph::algo::maximum_matching;
use petgraph::visit::NodeIndexable;
use std::hint::black_box;

/// Width, height, and whether plain enumeration is fast enough to be included.
const COUNTED: &[(u32, u32, bool)] =
    &[(4, 8, true), (5, 7, true), (6, 6, true), (7, 7, false), (8, 8, false), (9, 9, false)];
const SETS: &[(u32, u32)] = &[(5, 6), (4, 8), (5, 7), (6, 6)];
/// The maximum side for Spot's baselines: a stored graph, and petgraph's matching.
const MAX_STORED: u32 = 4;

fn ships(criterion: &mut Criterion) {
    let fleet = Fleet::standard();
    let automaton = |size| Automaton::new(&empty_board(size), &fleet).ok();
    let mut group = criterion.benchmark_group("ships/placements");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for &(w, h, plain_ends) in COUNTED {
        let size = Size::new(w, h);
        let count = |size| automaton(size).map(|a| placements::placements(&a, &mut Budget::unlimited()));
        group.bench_function(BenchmarkId::new("sweep", size), |bench| bench.iter(|| count(black_box(size))));
        if plain_ends {
            let count = |size| plain::count(size, &fleet, &mut Budget::unlimited());
            group.bench_function(BenchmarkId::new("plain", size), |bench| {
                bench.iter(|| count(black_box(size)));
            });
        }
    }
    group.finish();
    let mut group = criterion.benchmark_group("ships/sets");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for &(w, h) in SETS {
        let size = Size::new(w, h);
        let count = |size| automaton(size).map(|a| sets::sets(&a, &mut Budget::unlimited()));
        group.bench_function(BenchmarkId::new("lists", size), |bench| bench.iter(|| count(black_box(size))));
    }
    group.finish();
}

fn spot(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("spot/classes");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for n in 2..=5 {
        let build = |n| ImplicitGraph::new(n, Group::C4);
        group.bench_function(BenchmarkId::new("implicit", n), |bench| bench.iter(|| build(black_box(n))));
        if n <= MAX_STORED {
            let build = |n| class_graph::graph(n, Group::C4);
            group.bench_function(BenchmarkId::new("stored", n), |bench| bench.iter(|| build(black_box(n))));
        }
    }
    group.finish();
    let mut group = criterion.benchmark_group("spot/matching");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for n in 2..=5 {
        let Ok(graph) = ImplicitGraph::new(n, Group::C4) else { continue };
        let side = |node| if graph.is_even(graph.from_index(node)) { Side::Left } else { Side::Right };
        group.bench_function(BenchmarkId::new("hopcroft-karp", n), |bench| {
            bench
                .iter(|| maximum(black_box(&graph), side, &mut Budget::unlimited()).map(|found| found.len()));
        });
        if n <= MAX_STORED {
            group.bench_function(BenchmarkId::new("petgraph", n), |bench| {
                bench.iter(|| maximum_matching(black_box(&graph)).len());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, ships, spot);
criterion_main!(benches);
