//! Plans with `cubes = N`: the records of cubes and of the whole, models, limits, and killed runners.

use crate::experiment::{Experiment, said, wait_until};
use crate::samples::some;
use counterpoint::harness::Set;
use counterpoint::record::{Check, Record, Verdict};
use counterpoint::sha256;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

/// A plan with cubes for a formula.
fn plan(cubes: u32, more: &str, family: &str) -> String {
    format!("problem = \"cnf\"\nengines = [\"sat\"]\ncubes = {cubes}\n{more}\n[[family]]\nname = {family}\n")
}

/// Eight pigeons in seven holes.
const UNSATISFIABLE: &str = "\"pigeonhole\"\npigeons = 8";

pub(crate) fn proved(cubes: u32) -> Experiment {
    Experiment::new(&plan(cubes, "certify = true\nkeep = \"all\"", UNSATISFIABLE))
}

/// The records of cubes, in order of their numbers.
pub(crate) fn cubes(experiment: &Experiment) -> Vec<Record> {
    let set = Set::open(&experiment.results()).unwrap();
    let mut cubes: Vec<Record> = set.cubes().map(|record| record.record()).collect();
    cubes.sort_by_key(Record::cube_number);
    cubes
}

/// The only record of a whole instance.
pub(crate) fn whole(experiment: &Experiment) -> Record {
    let [record] = experiment.records().try_into().unwrap();
    record
}

/// The folder with the proofs.
pub(crate) fn folder(experiment: &Experiment) -> PathBuf {
    experiment.results().join("cubes").join(whole(experiment).key)
}

pub(crate) fn check(experiment: &Experiment) -> Output {
    let mut command = experiment.command("check", &[]);
    let program = command.get_program().to_owned();
    command = std::process::Command::new(program);
    command.arg("check").arg(folder(experiment)).output().unwrap()
}

#[track_caller]
pub(crate) fn assert_says(output: &Output, status: i32, text: &str) {
    assert_eq!(output.status.code(), Some(status), "{}", said(output));
    assert!(said(output).contains(text), "expected {text:?} in:\n{}", said(output));
}

pub(crate) fn cubes_are_solved_and_put_together() {
    let experiment = proved(6);
    let output = experiment.run(&["-j", "2"]);
    let key = whole(&experiment).key;
    assert_says(&output, 0, &format!("cubes of {key}, sat:plain: 6 of 6 refuted\n"));
    assert!(!said(&output).contains("queued again"), "{}", said(&output));
    let (whole, cubes) = (whole(&experiment), cubes(&experiment));
    assert!(whole.is_solved() && whole.findings.outcome.as_deref() == Some("unsatisfiable"), "{whole:?}");
    assert_eq!((whole.cubes, whole.cube.as_deref(), cubes.len()), (Some(6), None, 6));
    // Each cube has a proof in a file of its own, whose hash is in the record.
    for (i, cube) in cubes.iter().enumerate() {
        assert_eq!(cube.cube, Some(format!("{}/6", i + 1)));
        assert_eq!(cube.findings.outcome.as_deref(), Some("refuted"));
        let proof = cube.findings.proof.as_ref().unwrap();
        let bytes = fs::read(folder(&experiment).join(&proof.file)).unwrap();
        assert_eq!((sha256::of(&bytes), bytes.len() as u64), (proof.sha256.clone(), proof.bytes));
        assert!(cube.findings.answer.is_none());
    }
    // Times and counters are summed up.
    let conflicts = |record: &Record| record.findings.work["conflicts"];
    assert_eq!(conflicts(&whole), cubes.iter().map(conflicts).sum::<u64>());
    let cpu_s: f64 = cubes.iter().filter_map(|cube| cube.findings.cpu_s).sum();
    assert!((cpu_s..cpu_s + 1.0).contains(&whole.findings.cpu_s.unwrap()));
    // The engine has one run, and status counts one record.
    let status = experiment.command("status", &[]).output().unwrap();
    assert_says(&status, 0, "1 of 1 runs have records\n");
    let csv = experiment.command("status", &["--records", "csv"]).output().unwrap();
    assert_eq!(said(&csv).lines().count(), 2, "{}", said(&csv));
    let verified = experiment.command("status", &["--verify"]).output().unwrap();
    assert_says(&verified, 0, "verified: 1 answers match their records\n");
    let report = experiment.command("report", &[]).output().unwrap();
    assert_eq!(report.status.code(), Some(0), "{}", said(&report));
    assert_says(&experiment.run(&[]), 0, "all 7 runs of ");
    let repeat = experiment.run(&["--repeat", &key]);
    assert_says(&repeat, 2, "is a part of an instance that is cut into cubes");
    // The answer is checked by the proofs alone.
    let checked = check(&experiment);
    assert_says(&checked, 0, "answer 1: unsatisfiable, checked\n");
    assert_says(&checked, 0, "proved      the formula has no model: cube 6/6\n");
    assert_says(&checked, 0, "proved      the formula has no model: the 6 cubes cover all cases\n");
    // The same plan gives the same cubes, proofs and counters.
    let other = proved(6);
    assert_eq!(other.run(&[]).status.code(), Some(0));
    let essence = |experiment: &Experiment| {
        let cubes = self::cubes(experiment).into_iter();
        cubes.map(|c| (c.key, c.findings.literals, c.findings.proof, c.findings.work)).collect::<Vec<_>>()
    };
    assert_eq!(essence(&other), essence(&experiment));
}

pub(crate) fn the_first_model_ends_all_cubes() {
    let family = "\"planted\"\nn = 60\nratio = 4";
    let experiment = Experiment::new(&plan(16, "certify = true\nkeep = \"all\"", family));
    let output = experiment.run(&[]);
    assert_says(&output, 0, " has a model; ");
    assert_says(&output, 0, " not needed\n");
    let (whole, cubes) = (whole(&experiment), cubes(&experiment));
    assert!(whole.is_solved() && whole.findings.outcome.as_deref() == Some("satisfiable"), "{whole:?}");
    assert!(whole.findings.answer.is_some());
    assert!(cubes.len() < 16, "{}", cubes.len());
    assert_eq!(cubes.iter().filter(|cube| cube.ends_other_cubes()).count(), 1);
    assert!(cubes.iter().all(|cube| cube.findings.verdict == Some(Verdict::Decided)));
    // Nothing is missing.
    let lines = experiment.lines();
    assert_says(&experiment.run(&[]), 0, "all 17 runs of ");
    assert_eq!(experiment.lines(), lines);
}

pub(crate) fn cubes_at_a_limit_are_named() {
    // Each cube is split three times, but its parts reach the limit, too.
    let more = "certify = true\nlimits = { work = 5 }";
    let experiment = Experiment::new(&plan(2, more, UNSATISFIABLE));
    let output = experiment.run(&["-j", "2"]);
    assert_says(&output, 0, "14 split into halves; cube 1.1.1.1/2 reached the work limit, as 15 more\n");
    assert_eq!(cubes(&experiment).len(), 30);
    let whole = whole(&experiment);
    assert_eq!(
        (whole.findings.verdict, whole.findings.limit.as_deref()),
        (Some(Verdict::Limit), Some("work"))
    );
    let reason = whole.findings.reason.unwrap();
    assert!(
        reason.contains("cube 1.1.1.1/2 reached the limit 'work'; 15 more cubes reached a limit"),
        "{reason}"
    );
    // Without proofs, all cubes are refuted, but nothing is checked.
    let experiment = Experiment::new(&plan(6, "", UNSATISFIABLE));
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let findings = self::whole(&experiment).findings;
    assert_eq!((findings.outcome.as_deref(), findings.check), (Some("unsatisfiable"), Some(Check::Open)));
    assert_eq!(
        findings.reason.as_deref(),
        Some("the formula has no model: open: cube 1/6: the plan asks for no proof; 6 more cases are open")
    );
    assert_says(&check(&experiment), 0, "(there is no proof cube-1.drat)\n");
}

pub(crate) fn only_answers_of_one_formula_are_cut_into_cubes() {
    // Looking ahead refutes this formula, so there are no cubes.
    let small = Experiment::new(&plan(4, "certify = true", "\"pigeonhole\"\npigeons = 3"));
    let output = small.run(&[]);
    assert_says(&output, 0, ": looking ahead refutes the formula\n");
    assert!(whole(&small).is_solved());
    assert_says(&check(&small), 0, "proved      the formula has no model: no case is left\n");
    for (problem, engine, family, outcome, reason) in [
        // A board without a solution: the formula decides it.
        ("flip", "sat", "name = \"random\"\nn = 4\nseeds = [1]", Some("impossible"), None),
        ("flip", "sat", "name = \"solvable\"\nn = 4", Some("4 presses"), None),
        // A fleet that fits does not decide a game of Ships.
        ("ships", "sat", "name = \"hard\"\nn = 6", None, Some("a fleet fits; whether a plan uncovers")),
        (
            "ships",
            "sat/adversary=sunflower",
            "name = \"hard\"\nn = 6",
            None,
            Some("with adversary=sunflower, a formula without a model says only"),
        ),
    ] {
        let plan = format!(
            "problem = \"{problem}\"\nengines = [\"{engine}\"]\ncubes = 4\ncertify = true\n[[family]]\n{family}\n"
        );
        let experiment = Experiment::new(&plan);
        let output = experiment.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{problem}: {}", said(&output));
        let findings = whole(&experiment).findings;
        if let Some(reason) = reason {
            assert_eq!(findings.verdict, Some(Verdict::Unsupported), "{problem}: {findings:?}");
            assert!(findings.reason.as_deref().unwrap_or_default().starts_with(reason), "{findings:?}");
        } else {
            assert_eq!(findings.check, Some(Check::Checked), "{problem}: {findings:?}");
            let found = findings.outcome.unwrap();
            assert!(Some(found.as_str()) == outcome || found.ends_with("presses"), "{problem}: {found}");
        }
    }
}

/// The engine's formula of Ships has owners and at-most-one constraints that the checker's formula lacks. So each proof
/// first derives them, for the cubes as well as for the cover.
pub(crate) fn cubes_of_boards_are_proved_from_plain_formulas() {
    // A ship covers at most two of these hits, so seven ships cannot cover all 15.
    let ships = "7 7\nx.x.x.x\n.......\nx.x.x.x\n.......\nx.x.x.x\n.......\nx.x.x..\n0 0\n";
    // A draw is possible, so the formula has a model, and the other endings stay open.
    let spot = "2\n1 1 +\n? ? ?\n? ? ?\n1 2 ?\n0\n";
    for (problem, engine, games, outcome, checked) in some([
        ("ships", "sat:owner", ships, "no-fleet", Check::Checked),
        ("ships", "sat:placement", ships, "no-fleet", Check::Checked),
        ("spot", "sat:toggles", spot, "", Check::Open),
    ]) {
        let experiment = Experiment::new(&format!(
            "problem = \"{problem}\"\nengines = [\"{engine}\"]\ncubes = 4\ncertify = true\n[[family]]\n\
             file = \"games.txt\"\n"
        ));
        fs::write(experiment.path().join("games.txt"), games).unwrap();
        let output = experiment.run(&["-j", "2"]);
        assert_eq!(output.status.code(), Some(0), "{problem}: {}", said(&output));
        let findings = whole(&experiment).findings;
        assert_eq!(findings.check, Some(checked), "{problem} {engine}: {findings:?}");
        if !outcome.is_empty() {
            assert_eq!(findings.outcome.as_deref(), Some(outcome));
        }
        if problem == "spot" {
            continue;
        }
        let cubes = cubes(&experiment);
        assert!(cubes.iter().all(|cube| cube.findings.check == Some(Check::Checked)), "{problem} {engine}");
        assert!(cubes.iter().any(|cube| cube.findings.proof.is_some()), "{problem} {engine}");
        assert_says(&check(&experiment), 0, "cover all cases\n");
        assert_says(&check(&experiment), 0, "recomputed  cubes.icnf contains the cubes of the answer\n");
    }
}

pub(crate) fn killed_runners_lose_no_cube() {
    let family = "\"pigeonhole\"\npigeons = 9";
    let undisturbed = Experiment::new(&plan(24, "certify = true", family));
    assert_eq!(undisturbed.run(&["-j", "2"]).status.code(), Some(0));
    let experiment = Experiment::new(&plan(24, "certify = true", family));
    for records in [3, 9, 15] {
        let mut runner = experiment.start(&["-j", "2"]);
        wait_until(|| experiment.lines() >= records);
        runner.kill().unwrap();
        runner.wait().unwrap();
    }
    // Two runners at once do the rest.
    let mut other = experiment.start(&["-j", "1"]);
    let output = experiment.run(&["-j", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(other.wait().unwrap().success());
    let essence = |experiment: &Experiment| {
        let mut records = cubes(experiment);
        records.push(whole(experiment));
        records
            .into_iter()
            .map(|r| (r.key, r.findings.outcome, r.findings.check, r.findings.work))
            .collect::<Vec<_>>()
    };
    assert_eq!(essence(&experiment), essence(&undisturbed));
    assert_eq!(essence(&experiment).len(), 25);
    assert_says(&check(&experiment), 0, "answer 1: unsatisfiable, checked\n");
}

pub(crate) fn errors_about_cubes_have_a_position() {
    for (cubes, engines, more, error) in [
        ("1", "\"sat\"", "", "plan.toml:3:9: expected a whole number of at least 2"),
        ("200000", "\"sat\"", "", "plan.toml:3:9: expected at most 100000 cubes, found 200000"),
        ("4", "\"search:dpll\"", "", "plan.toml:3:9: no engine of this plan has a formula that can be cut"),
        ("4", "\"sat\"", "shuffles = 1", "plan.toml:3:9: cubes cannot be combined with shuffles"),
        ("100000", "\"sat\"", "repetitions = 10", "the plan has at least 1000010 runs; at most 1000000"),
    ] {
        let plan = format!(
            "problem = \"cnf\"\nengines = [{engines}]\ncubes = {cubes}\n{more}\n[[family]]\nname = \"parity\"\n"
        );
        assert_says(&Experiment::new(&plan).run(&[]), 2, error);
    }
}
