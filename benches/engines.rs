//! Measures engines on instances of growing sizes, to see how time scales.
//!
//! `cargo bench --bench engines -- ships` runs the benchmarks of one problem. Instances come from fixed seeds. The time
//! to read them is not measured.

use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::DynInstance;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// A family of instances, the parameter that sets their size, and the engines to measure.
struct Series {
    problem: &'static str,
    family: &'static str,
    engines: &'static str,
    params: &'static [(&'static str, &'static str)],
    /// Rules that differ from the judge's rules.
    rules: &'static [(&'static str, &'static str)],
    /// The name of the parameter that sets the size.
    key: &'static str,
    sizes: &'static [u32],
    /// The number of instances of each size.
    seeds: u64,
}

const SERIES: &[Series] = &[
    Series {
        problem: "flip",
        family: "solvable",
        engines: "search:algebra,search:first-row",
        params: &[],
        rules: &[],
        key: "n",
        sizes: &[4, 6, 8, 10, 12],
        seeds: 8,
    },
    Series {
        problem: "flip",
        family: "solvable",
        engines: "search:algebra,search:elimination",
        params: &[],
        rules: &[("goal", "any")],
        key: "n",
        sizes: &[250, 500, 1000, 2000, 4000],
        seeds: 1,
    },
    Series {
        problem: "flip",
        family: "solvable",
        engines: "search:algebra",
        params: &[],
        rules: &[("goal", "any")],
        key: "n",
        sizes: &[8000, 16_000],
        seeds: 1,
    },
    // On boards of these sizes, the null spaces have 2, 8, 16, 20 and 32 dimensions.
    Series {
        problem: "flip",
        family: "black",
        engines: "search:algebra",
        params: &[],
        rules: &[("target", "white")],
        key: "n",
        sizes: &[5, 9, 19, 30, 39],
        seeds: 1,
    },
    Series {
        problem: "flip",
        family: "solvable",
        engines: "search:algebra,search:elimination",
        params: &[],
        rules: &[("stencil", "king"), ("goal", "any")],
        key: "n",
        sizes: &[16, 32, 64, 128],
        seeds: 1,
    },
    Series {
        problem: "flip",
        family: "solvable",
        engines: "search:bfs,sat:presses/xor=*",
        params: &[],
        rules: &[],
        key: "n",
        sizes: &[2, 3, 4, 5],
        seeds: 4,
    },
    Series {
        problem: "ships",
        family: "random",
        engines: "search:cover,sat:owner",
        params: &[("reveal", "0.5")],
        rules: &[],
        key: "n",
        sizes: &[6, 8, 10, 12, 16],
        seeds: 8,
    },
    Series {
        problem: "ships",
        family: "hard",
        engines: "search:cover,sat:owner",
        params: &[("hidden", "0.5")],
        rules: &[],
        key: "n",
        sizes: &[8, 10, 12, 16, 24],
        seeds: 8,
    },
    Series {
        problem: "ships",
        family: "contradictory",
        engines: "search:cover,sat:owner",
        params: &[("hits", "13")],
        rules: &[],
        key: "n",
        sizes: &[8, 10, 12, 16, 24],
        seeds: 8,
    },
    Series {
        problem: "ships",
        family: "hard",
        engines: "search:cover,sat:owner",
        params: &[("hidden", "0.5")],
        rules: &[("fleet", "pentominoes"), ("mirror", "yes")],
        key: "n",
        sizes: &[9, 10, 12, 16],
        seeds: 4,
    },
    Series {
        problem: "ships",
        family: "packed",
        engines: "search:cover,sat:owner",
        params: &[],
        rules: &[("fleet", "one-sided-pentominoes")],
        key: "n",
        sizes: &[10, 11, 12, 16],
        seeds: 4,
    },
    Series {
        problem: "spot",
        family: "random",
        engines: "search:zobrist,search:canonical,search:rotate-all",
        params: &[],
        rules: &[],
        key: "n",
        sizes: &[5, 10, 20, 30, 50],
        seeds: 8,
    },
    Series {
        problem: "spot",
        family: "random",
        engines: "sat:toggles/amo=*",
        params: &[],
        rules: &[],
        key: "n",
        sizes: &[2, 3, 4, 5],
        seeds: 4,
    },
];

fn engines(criterion: &mut Criterion) {
    let registry = counterpoint::standard();
    for series in SERIES {
        // All names in `SERIES` are known, so nothing is skipped.
        let Ok(problem) = registry.find(series.problem) else { continue };
        let rules: Vec<_> = series.rules.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        let Ok(settings) = Settings::new(problem.rules(), &rules, &|name| Err(name.into())) else {
            continue;
        };
        let rules: String = rules.iter().map(|(key, value)| format!(" {key}={value}")).collect();
        let Ok(specs) = spec::resolve(problem.engines(), &SolverRegistry::built_in(), series.engines) else {
            continue;
        };
        let mut group = criterion.benchmark_group(format!("{}/{}{rules}", series.problem, series.family));
        group.sample_size(10);
        for &size in series.sizes {
            let given = series.params.iter().copied().chain([(series.key, "")]);
            let params: Vec<(String, String)> = given
                .map(|(k, v)| (k.to_owned(), if v.is_empty() { size.to_string() } else { v.to_owned() }))
                .collect();
            let instances: Vec<Box<dyn DynInstance>> = (1..=series.seeds)
                .filter_map(|seed| problem.generate(&settings, series.family, &params, seed).ok())
                .collect();
            group.throughput(Throughput::Elements(instances.len() as u64));
            for engine in &specs {
                // One session for all instances, as in `judge`, because an engine keeps its tables from one instance to
                // the next.
                let Ok(mut session) = problem.start(engine) else { continue };
                let mut solve =
                    |instance: &dyn DynInstance| match session.solve(instance, &mut Budget::unlimited()) {
                        Outcome::Decided(answer) => answer.outcome().len(),
                        _ => 0,
                    };
                group.bench_with_input(
                    BenchmarkId::new(engine.to_string(), size),
                    &instances,
                    |bench, instances| {
                        bench.iter(|| {
                            instances.iter().map(|instance| solve(black_box(&**instance))).sum::<usize>()
                        });
                    },
                );
            }
        }
        group.finish();
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
