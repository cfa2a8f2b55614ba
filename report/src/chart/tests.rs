//! Tests of charts on a few records made by hand: ties, limits, wrong answers, unsupported runs, a single run.

use super::{Chart, End, Line, Point, Rim, Scale, Series, Shape, Variant, all, chart, csv, overview};
use crate::dataset::Dataset;
use crate::errors::ChartError;
use crate::record::{Check, Findings, Limits, Record, Records, Verdict};
use crate::spec::{Figure, Kind};

/// How a run ends. `In(s)` means that the run is solved in `s` seconds.
#[derive(Clone, Copy)]
enum Ends {
    In(f64),
    AtLimit,
    Wrong,
    Unsupported,
}
use Ends::{AtLimit, In, Unsupported, Wrong};

const LIMIT_S: f64 = 10.0;

fn record(engine: &str, n: u64, seed: u64, ends: Ends) -> Record {
    let (verdict, check, cpu_s) = match ends {
        In(time) => (Verdict::Decided, Some(Check::Checked), Some(time)),
        AtLimit => (Verdict::Limit, None, Some(LIMIT_S)),
        Wrong => (Verdict::Decided, Some(Check::Wrong), Some(0.5)),
        Unsupported => (Verdict::Unsupported, None, None),
    };
    Record {
        key: format!("{engine} {n} {seed}"),
        family: "f".to_owned(),
        params: [("n".to_owned(), n.into())].into_iter().collect(),
        seed,
        instance_hash: format!("{n} {seed}"),
        engine: engine.to_owned(),
        side: engine.split(':').next().unwrap().to_owned(),
        repetition: 1,
        limits: Limits { cpu_s: Some(LIMIT_S), ..Limits::default() },
        findings: Findings { verdict: Some(verdict), check, cpu_s, ..Findings::default() },
        ..Record::default()
    }
}

/// The records of some rows. A row has an engine, a size, and the ends of the runs with the seeds 1, 2, and so on.
fn records(rows: &[(&str, u64, &[Ends])]) -> Vec<Record> {
    let of = |(engine, n, ends): &(&str, u64, &[Ends])| -> Vec<Record> {
        (1..).zip(*ends).map(|(seed, ends)| record(engine, *n, seed, *ends)).collect()
    };
    rows.iter().flat_map(of).collect()
}

fn build(records: &[Record], figure: &Figure) -> Result<Chart, ChartError> {
    chart(&Dataset::new(Records::from_iter(records).iter(), &[]), figure)
}

fn of(records: &[Record], kind: Kind) -> Chart {
    build(records, &Figure::of(kind)).unwrap()
}

fn xy(series: &Series) -> Vec<(f64, f64)> {
    series.points.iter().map(|point| (point.x, point.y)).collect()
}

fn ends(series: &Series) -> Vec<End> {
    series.points.iter().map(|point| point.end).collect()
}

const A: &str = "search:a";
const B: &str = "sat:b";

/// At size 1, the search is ahead; at size 2, it reaches limits.
fn both() -> Vec<Record> {
    records(&[
        (A, 1, &[In(1.0), In(1.0), In(3.0)]),
        (A, 2, &[In(8.0), AtLimit, AtLimit]),
        (B, 1, &[In(2.0), In(4.0), In(4.0)]),
        (B, 2, &[In(2.0), In(5.0), Unsupported]),
    ])
}

#[test]
fn quantiles_count_solved_runs() {
    let chart = of(&both(), Kind::Quantile);
    let [a, b, best] = &chart.panels[0].series[..] else { panic!("expected three series") };
    assert_eq!(xy(a), [(1.0, 1.0), (2.0, 1.0), (3.0, 3.0), (4.0, 8.0)]);
    assert_eq!(xy(b), [(1.0, 2.0), (2.0, 2.0), (3.0, 4.0), (4.0, 4.0), (5.0, 5.0)]);
    assert_eq!((best.name.as_str(), best.style, best.variant), ("virtual best", 2, Variant::Second));
    assert_eq!(xy(best), [(1.0, 1.0), (2.0, 1.0), (3.0, 2.0), (4.0, 3.0), (5.0, 5.0)]);
    assert_eq!(best.points[2].label, "f n=2 seed 1: sat:b");
    assert_eq!(
        chart.notes,
        [
            "The largest share of runs is solved by sat:b (5 of 5).",
            "1 run is left out: its engine does not support the instance."
        ]
    );
    // If an engine has two runs of one instance, there is no virtual best.
    let mut twice = both();
    twice.push(Record { repetition: 2, key: "again".to_owned(), ..twice[0].clone() });
    assert_eq!(of(&twice, Kind::Quantile).panels[0].series.len(), 2);
}

#[test]
fn scatters_pair_instances_that_both_support() {
    let chart = of(&both(), Kind::Scatter);
    let points = &chart.panels[0].series[0].points;
    let found: Vec<_> = points.iter().map(|point| (point.x, point.y, point.end, point.rim)).collect();
    let measured = |x, y| (x, y, End::Measured, None);
    assert_eq!(
        found,
        [
            measured(1.0, 2.0),
            measured(1.0, 4.0),
            measured(3.0, 4.0),
            measured(8.0, 2.0),
            (LIMIT_S, 5.0, End::Limit, Some(Rim::X))
        ]
    );
    assert_eq!(
        chart.notes[..2],
        [
            "Of 5 instances 2 are below the diagonal (sat:b ahead), 3 above (search:a ahead).",
            "Limit reached by search:a alone on 1, by sat:b alone on 0, by both on 0."
        ]
    );
    assert_eq!(
        chart.panels[0].guides.iter().map(|guide| guide.line).collect::<Vec<_>>(),
        [Line::Diagonal(1.0), Line::Diagonal(10.0), Line::Diagonal(0.1)]
    );
    let turned = Figure { engines: vec![B.to_owned(), A.to_owned()], ..Figure::of(Kind::Scatter) };
    assert_eq!(build(&both(), &turned).unwrap().panels[0].x.label, "CPU time of sat:b");
}

#[test]
fn crossovers_have_medians_intervals_and_limits() {
    let chart = of(&both(), Kind::Crossover);
    let panel = &chart.panels[0];
    assert_eq!((panel.x.label.as_str(), panel.x.scale), ("n", Scale::Linear));
    let [a, b] = &panel.series[..] else { panic!("expected two series") };
    assert_eq!((xy(a), ends(a)), (vec![(1.0, 1.0), (2.0, LIMIT_S)], vec![End::Measured, End::Limit]));
    assert_eq!((a.points[0].low, a.points[0].high), (Some(1.0), Some(3.0)));
    assert_eq!(a.points[1].label, "2 of 3 reached a limit");
    // The median of two values is their mean.
    assert_eq!(xy(b), [(1.0, 4.0), (2.0, 3.5)]);
    // Ratios at size 1: 1/2, 1/4, 3/4; at 2: 4 and at least 2, so the crossover is not known as a single point.
    assert!(panel.guides.is_empty());
    assert_eq!(chart.notes[0], "Between n = 1 and 1.4 sat:b gets ahead of search:a.");
    let solved = records(&[
        (A, 1, &[In(1.0), In(1.0), In(3.0)]),
        (A, 2, &[In(8.0), In(8.0), In(8.0)]),
        (B, 1, &[In(2.0), In(4.0), In(4.0)]),
        (B, 2, &[In(2.0), In(2.0), In(2.0)]),
    ]);
    let known = of(&solved, Kind::Crossover);
    let [guide] = &known.panels[0].guides[..] else { panic!("expected a guide") };
    // The median ratio changes from 1/2 to 4.
    assert!(matches!(guide.line, Line::Upright { at, .. } if (at - 4.0 / 3.0).abs() < 1e-9), "{guide:?}");
    assert_eq!(guide.label, "n* = 1.33");
    // Instances that only one side supports are not compared.
    let ahead = records(&[
        (A, 1, &[In(1.0)]),
        (A, 2, &[Unsupported]),
        (A, 3, &[In(1.0)]),
        (B, 1, &[In(2.0)]),
        (B, 2, &[In(2.0)]),
        (B, 3, &[In(2.0)]),
    ]);
    let said = &of(&ahead, Kind::Crossover).notes[0];
    assert_eq!(said, "search:a is ahead of sat:b at every size where both are known.");
    // Nodes and conflicts cannot be compared.
    let mut counted = solved;
    for run in &mut counted {
        run.findings.work.insert("nodes".to_owned(), run.seed);
    }
    let by_work = Figure { y: Some("work".to_owned()), ..Figure::of(Kind::Crossover) };
    let chart = build(&counted, &by_work).unwrap();
    assert_eq!(chart.panels[0].series.len(), 2);
    assert!(chart.panels[0].guides.is_empty() && chart.notes.is_empty(), "{:?}", chart.notes);
    // The work of an engine that does not count it is unknown, not 0.
    counted.iter_mut().filter(|run| run.side == "sat").for_each(|run| run.findings.work.clear());
    for kind in [Kind::Crossover, Kind::Quantile] {
        let chart = build(&counted, &Figure { kind, ..by_work.clone() }).unwrap();
        let names = chart.panels[0].series.iter().map(|series| &*series.name);
        assert_eq!(names.collect::<Vec<_>>(), [A]);
        assert_eq!(
            chart.notes.last().unwrap(),
            &"Left out because they do not count nodes and conflicts: sat:b."
        );
    }
    let named = Figure { kind: Kind::Scatter, engines: vec![A.to_owned(), B.to_owned()], ..by_work.clone() };
    assert_eq!(build(&counted, &named).unwrap_err(), "sat:b does not count nodes and conflicts");
    // An engine that reports the counter in another record had 0 here.
    let last = counted.iter_mut().rfind(|run| run.side == "sat").unwrap();
    last.findings.work.insert("conflicts".to_owned(), 5);
    let chart =
        build(&counted, &Figure { y: Some("conflicts".to_owned()), ..Figure::of(Kind::Crossover) }).unwrap();
    assert_eq!(chart.panels[0].series.iter().map(|series| &*series.name).collect::<Vec<_>>(), [B]);
    assert_eq!(chart.panels[0].series[0].points[0].y, 0.0);
    // If the upper end of an interval is an unsolved run, it is drawn at the limit.
    let open = of(&records(&[(A, 1, &[In(1.0), In(2.0), AtLimit]), (A, 2, &[In(3.0)])]), Kind::Crossover);
    let points = &open.panels[0].series[0].points;
    assert_eq!((points[0].y, points[0].high), (2.0, Some(LIMIT_S)));
    assert_eq!(points[0].label, "1 of 3 reached a limit");
    assert_eq!((points[1].low, points[1].high), (Some(3.0), Some(3.0)));
}

#[test]
fn encodings_separate_building_and_solving() {
    let mut runs = records(&[(A, 1, &[In(1.0)]), (B, 1, &[In(2.0), In(4.0)]), (B, 2, &[AtLimit, In(6.0)])]);
    for (i, run) in runs.iter_mut().enumerate().skip(1) {
        run.findings.work.insert("clauses".to_owned(), 100 * i as u64);
        run.findings.build_cpu_s = Some(0.25);
        run.findings.solve_cpu_s = run.findings.cpu_s.map(|s| s - 0.25);
    }
    let chart = of(&runs, Kind::Encodings);
    let [building, solving] = &chart.panels[..] else { panic!("expected two panels") };
    assert_eq!((building.title.as_str(), solving.title.as_str()), ("building", "solving"));
    assert_eq!(building.series.len(), 1);
    assert_eq!(xy(&building.series[0]), [(150.0, 0.25), (350.0, 0.25)]);
    assert_eq!(xy(&solving.series[0]), [(150.0, 2.75), (350.0, LIMIT_S)]);
    assert_eq!(ends(&solving.series[0]), [End::Measured, End::Limit]);
    assert_eq!(solving.series[0].points[1].label, "n 2, 1 of 2 reached a limit");
    let none = build(&both(), &Figure::of(Kind::Encodings));
    assert_eq!(none.unwrap_err(), "no run with a size has a formula");
}

#[test]
fn heat_maps_have_the_hardest_instances_on_top() {
    let runs = records(&[(A, 1, &[In(3.0), AtLimit, In(1.0)]), (B, 1, &[Wrong, AtLimit, In(2.0)])]);
    let chart = of(&runs, Kind::Heat);
    let panel = &chart.panels[0];
    assert_eq!(panel.x.bands, [A, B]);
    assert_eq!(panel.y.bands, ["f n=1 seed 3", "f n=1 seed 1", "f n=1 seed 2"]);
    let cells: Vec<_> = panel.series[0].points.iter().map(|p| (p.x, p.y, p.value, p.end)).collect();
    let (ten, measured, limit) = (Some(LIMIT_S), End::Measured, End::Limit);
    assert_eq!(
        cells,
        [
            (0.0, 0.0, Some(1.0), measured),
            (1.0, 0.0, Some(2.0), measured),
            (0.0, 1.0, Some(3.0), measured),
            (1.0, 1.0, ten, End::Wrong),
            (0.0, 2.0, ten, limit),
            (1.0, 2.0, ten, limit)
        ]
    );
    assert_eq!(chart.notes[0], "1 of 3 instances are solved by no engine.");
    let facet = Figure { facet: Some("n".to_owned()), ..Figure::of(Kind::Heat) };
    assert_eq!(build(&runs, &facet).unwrap_err(), "a heat map has one panel; remove `facet`");
}

#[test]
fn spreads_compare_runs_that_should_be_alike() {
    let mut runs = Vec::new();
    for (i, ends) in [In(1.0), In(2.0), In(3.0), In(8.0), AtLimit].into_iter().enumerate() {
        runs.push(Record { shuffle: i as u32, key: i.to_string(), ..record(A, 1, 1, ends) });
    }
    // This instance has no median, because half of its runs are unsolved.
    runs.push(record(A, 1, 2, In(1.0)));
    runs.push(Record { shuffle: 1, key: "x".to_owned(), ..record(A, 1, 2, AtLimit) });
    let chart = of(&runs, Kind::Spread);
    let [points, boxes] = &chart.panels[0].series[..] else { panic!("expected two series") };
    let third = |x: f64| x / 3.0;
    assert_eq!(xy(points).iter().map(|p| p.1).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 8.0, 10.0].map(third));
    assert_eq!(ends(points)[4], End::Limit);
    assert_eq!(boxes.shape, Shape::Boxes);
    let [quartiles] = &boxes.points[..] else { panic!("expected a box") };
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(close(quartiles.low.unwrap(), third(2.0)) && close(quartiles.y, third(3.0)), "{quartiles:?}");
    assert!(close(quartiles.high.unwrap(), third(8.0)), "{quartiles:?}");
    assert_eq!(
        chart.notes[0],
        "The largest factor between two runs of one instance is 8 (search:a, f n=1 seed 1)."
    );
    // Without repetitions, the instances of the largest size are compared.
    let seeds = of(&both(), Kind::Spread);
    assert_eq!(seeds.title, "CPU time at n 2");
    assert_eq!(seeds.panels[0].series[0].points.len(), 3);
}

#[test]
fn overviews_have_means_and_tails() {
    let runs = both();
    let (all, rest) = (Records::from_iter(&runs), Records::from_iter(&runs[6..]));
    let (first, second) = (Dataset::new(all.iter(), &[]), Dataset::new(rest.iter(), &[]));
    let experiments = [("one".to_owned(), &first), ("two".to_owned(), &second)];
    let chart = overview::of(&experiments, &Figure::of(Kind::Overview)).unwrap();
    assert_eq!(chart.panels.iter().map(|panel| panel.title.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    let [a, b, a_tail, b_tail] = &chart.panels[0].series[..] else { panic!("expected four series") };
    assert_eq!((a.name.as_str(), a_tail.name.as_str(), a_tail.variant), (A, A, Variant::Second));
    assert_eq!(xy(a), [(1.0, 5.0 / 3.0), (2.0, 28.0 / 3.0)]);
    assert_eq!(ends(a), [End::Measured, End::Limit]);
    assert_eq!(xy(a_tail), [(1.0, 3.0)]);
    assert_eq!((xy(b).len(), xy(b_tail)), (2, vec![(1.0, 4.0), (2.0, 5.0)]));
    // The engine has the same style in both panels, although it is the first one in the second panel.
    assert_eq!(chart.panels[1].series[0].style, b.style);
}

#[test]
fn figures_choose_engines_runs_panels_and_measures() {
    let mut runs = both();
    for (run, nodes) in runs.iter_mut().zip(1..) {
        run.findings.work.insert("nodes".to_owned(), nodes);
    }
    let text = |text: &str| text.to_owned();
    let figure = Figure {
        engines: vec![text(A)],
        only: vec![(text("n"), vec![text("1")])],
        y: Some(text("work")),
        facet: Some(text("seed")),
        ..Figure::of(Kind::Quantile)
    };
    let chart = build(&runs, &figure).unwrap();
    assert_eq!(
        chart.panels.iter().map(|panel| &panel.title).collect::<Vec<_>>(),
        ["seed 1", "seed 2", "seed 3"]
    );
    assert_eq!(xy(&chart.panels[2].series[0]), [(1.0, 3.0)]);
    assert_eq!(chart.panels[0].y.label, "nodes and conflicts");

    let fails = |figure: Figure, expected: &str| {
        let error = build(&runs, &figure).unwrap_err();
        assert!(error.message().contains(expected), "{error}");
    };
    let quantile = || Figure::of(Kind::Quantile);
    fails(Figure { engines: vec![text("search:b")], ..quantile() }, "no record is of engine 'search:b'; ");
    fails(Figure { y: Some(text("tme")), ..quantile() }, "no record has a column 'tme'");
    fails(
        Figure { only: vec![(text("n"), vec![text("7")])], ..quantile() },
        "no run of the figure has n = 7",
    );
    fails(Figure { x: Some(text("engine")), ..Figure::of(Kind::Crossover) }, "'engine' has no numbers");
    fails(Figure { engines: vec![text(A)], ..Figure::of(Kind::Scatter) }, "needs two engines, not 1");
}

#[test]
fn a_single_run_has_few_figures() {
    let kinds = |runs: &[Record]| -> Vec<Kind> {
        let records = Records::from_iter(runs);
        let figures = all(&Dataset::new(records.iter(), &[]));
        figures.into_iter().map(|(figure, _)| figure.kind).collect()
    };
    assert_eq!(kinds(&records(&[(A, 1, &[In(1.0)])])), [Kind::Quantile, Kind::Heat, Kind::Spread]);
    assert_eq!(kinds(&records(&[(A, 1, &[AtLimit])])), [Kind::Heat, Kind::Spread]);
    assert_eq!(kinds(&records(&[(A, 1, &[Unsupported])])), []);
    assert_eq!(kinds(&[]), []);
    let error = build(&records(&[(A, 1, &[In(1.0)])]), &Figure::of(Kind::Crossover)).unwrap_err();
    assert_eq!(error, "no parameter varies, so there are no sizes; name a column as `x`");
}

#[test]
fn points_are_written_unrounded() {
    let mut chart = of(&records(&[(A, 1, &[In(0.1 + 0.2), AtLimit])]), Kind::Heat);
    chart.panels[0].series[0].points.push(Point {
        low: Some(0.5),
        label: "a, b".to_owned(),
        ..Point::default()
    });
    let mut bytes = Vec::new();
    csv(&chart, &mut bytes).unwrap();
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        "panel,series,x,y,low,high,value,end,label\n\
        ,CPU time,search:a,f n=1 seed 1,,,0.30000000000000004,measured,\n\
        ,CPU time,search:a,f n=1 seed 2,,,10,limit,1 of 1 reached a limit\n\
        ,CPU time,search:a,f n=1 seed 1,0.5,,,measured,\"a, b\"\n"
    );
}
