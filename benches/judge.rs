//! Measures Spot's judge on growing texts, and a lower bound on its time: the time of splitting the same bytes into
//! tokens.
//!
//! Run it with `cargo bench --bench judge`. Throughput is measured in bytes. The group `lines` compares ways to read a
//! move.

use counterpoint::engine::Budget;
use counterpoint::erased::{DynProblem, JudgeJob};
use counterpoint::input::{Source, short};
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::error::Error;
use std::hint::black_box;

/// The numbers of games in the texts. Each game has N = 50 and about 767 bytes.
const GAMES: [usize; 4] = [20, 200, 2_000, 20_000];
/// The maximum number of games for the slow baseline `rotate-all`.
const MAX_ROTATED: usize = 200;

/// A text of `games` seeded games. The first 50 differ; then they repeat.
fn text(spot: &dyn DynProblem, settings: &Settings, games: usize) -> Result<String, String> {
    let seeds = (0..games.min(50) as u64).map(|seed| {
        let instance = spot.generate(settings, "random", &[("n".to_owned(), "50".to_owned())], seed)?;
        Ok(instance.text().trim_end_matches(spot.info().separators.end).to_owned())
    });
    let distinct = seeds.collect::<Result<Vec<_>, String>>()?;
    Ok(distinct.iter().cycle().take(games).map(String::as_str).collect::<String>()
        + spot.info().separators.end)
}

fn judge(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let registry = counterpoint::standard();
    let spot = registry.find("spot")?;
    let settings = Settings::new(spot.rules(), &[], &|name| Err(name.into()))?;
    let engines = spec::resolve(
        spot.engines(),
        &SolverRegistry::built_in(),
        "search:zobrist,search:canonical,search:rotate-all",
    )?;
    let mut group = criterion.benchmark_group("spot/judge");
    group.sample_size(10);
    for games in GAMES {
        let text = text(spot, &settings, games)?;
        group.throughput(Throughput::Bytes(text.len() as u64));
        for engine in engines.iter().filter(|e| e.name != "rotate-all" || games <= MAX_ROTATED) {
            group.bench_with_input(BenchmarkId::new(engine.to_string(), text.len()), &text, |bench, text| {
                bench.iter(|| {
                    let job = JudgeJob {
                        settings: &settings,
                        engine,
                        source: Source::from_text("games", black_box(text)),
                        budget: &Budget::unlimited,
                        warn: &|_| {},
                        running: &|_| {},
                    };
                    let mut out = Vec::new();
                    let ended = spot.judge(job, &mut out);
                    (ended.is_ok(), out.len())
                });
            });
        }
        group.bench_with_input(BenchmarkId::new("tokens only", text.len()), &text, |bench, text| {
            bench.iter(|| black_box(text).split_ascii_whitespace().map(str::len).sum::<usize>());
        });
    }
    group.finish();
    Ok(())
}

/// Reads the numbers and the sign of a line byte by byte, with the obvious loop.
fn by_bytes(text: &[u8]) -> Option<([u32; 2], u8, usize)> {
    let (mut numbers, mut at) = ([0; 2], 0);
    for number in &mut numbers {
        let start = at;
        while let digit @ b'0'..=b'9' = *text.get(at)? {
            *number = *number * 10 + u32::from(digit - b'0');
            at += 1;
        }
        if at == start || at > start + 2 || text[at] != b' ' {
            return None;
        }
        at += 1;
    }
    (*text.get(at + 1)? == b'\n').then_some((numbers, text[at], at + 2))
}

fn lines(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let registry = counterpoint::standard();
    let spot = registry.find("spot")?;
    let settings = Settings::new(spot.rules(), &[], &|name| Err(name.into()))?;
    // All games differ, because in repeated text the branch predictor learns the lengths of the numbers.
    let game = |seed| -> Result<String, String> {
        Ok(spot.generate(&settings, "random", &[("n".to_owned(), "50".to_owned())], seed)?.text())
    };
    let text = (0..4_000).map(game).collect::<Result<String, String>>()?;
    let moves: String = text.lines().filter(|line| line.len() > 2).map(|line| format!("{line}\n")).collect();
    let mut group = criterion.benchmark_group("lines");
    group.throughput(Throughput::Bytes(moves.len() as u64));
    group.bench_function("eight bytes at a time", |bench| {
        bench.iter(|| {
            let (mut rest, mut sum) = (black_box(&moves).as_bytes(), 0);
            while let Some(line) = short::triple(rest) {
                sum += line.numbers.map(u32::from).iter().sum::<u32>() + u32::from(line.byte);
                rest = &rest[line.length..];
            }
            sum
        });
    });
    group.bench_function("byte by byte", |bench| {
        bench.iter(|| {
            let (mut rest, mut sum) = (black_box(&moves).as_bytes(), 0);
            while let Some((numbers, sign, length)) = by_bytes(rest) {
                sum += numbers[0] + numbers[1] + u32::from(sign);
                rest = &rest[length..];
            }
            sum
        });
    });
    group.bench_function("tokens of a source", |bench| {
        bench.iter(|| {
            let mut source = Source::from_text("moves", black_box(&moves));
            let mut sum = 0;
            while let Ok(Some(line)) = source.next_nonblank() {
                sum += line.tokens().map(|token| token.number().unwrap_or(1)).sum::<u32>();
            }
            sum
        });
    });
    group.finish();
    Ok(())
}

fn all(criterion: &mut Criterion) {
    for run in [judge, lines] {
        if let Err(error) = run(criterion) {
            // Only a name that the library does not know can cause an error.
            panic!("{error}");
        }
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
