//! The run that puts the results of all cubes together. Its record has their summed times and counters.
//!
//! If a cube has a model, the answer of this cube is the answer to the instance. If all cubes are refuted,
//! the answer follows: its claim is proved if each cube has a checked proof and another proof shows that the
//! cubes cover all cases. Only that proof is made here. The proofs of the cubes are not checked again: the
//! records of the cubes contain the verdicts on them and their hashes.

use super::case::{certificate, checked, literals};
use super::folder::{file_of, stem_of};
use super::halves::{Node, walk};
use super::{ANSWER, COVER, CUBES, Cases, CubeRequest, Folder, FolderError, Question, to_json};
use crate::claim::{CHECK_WORK, Checked, Claim, Status};
use crate::engine::Budget;
use crate::harness::request::{Phase, announce};
use crate::harness::worker::{Job, RunError, is_reportable, note_claims};
use crate::proof::{Cubes, Formula};
use crate::record::{ABSENT, Check, Findings, ProofFile, REFUTED, Record, Records, Row, Verdict};
use counterpoint_base::cube::CubeNumber;
use counterpoint_base::keyed::{KeyedMap, Keys};
use counterpoint_base::sha256;
use indexmap::IndexMap;
use std::io;
use std::time::SystemTime;

/// Puts the results of the cubes together, and notes them.
pub(in crate::harness) fn assemble(job: &mut Job<'_>, request: &CubeRequest) -> Result<(), RunError> {
    announce(Phase::Solving)?;
    let of = job.run.cubes().unwrap_or_default();
    job.within_limits(|_, _| ())?;
    let records = &request.records;
    job.progress.note(|findings| add_sums(records, findings));
    let table = Records::from_iter(records);
    let leaves = leaves(&table, of);
    if let Some(Findings { verdict, outcome, check, reason, limit, answer, .. }) = decisive(records, &leaves)
    {
        job.progress.note(|findings| {
            (findings.verdict, findings.outcome, findings.check) = (verdict, outcome, check);
            (findings.reason, findings.limit, findings.answer) = (reason, limit, answer);
        });
        return Ok(());
    }
    let folder = Folder(request.folder.clone());
    job.within_check_limits(|job| all_refuted(job, &leaves, &folder))
}

/// The cubes of a formula, in order of their numbers. Halves replace each cube that was split.
fn leaves(records: &Records, of: u32) -> Vec<Node<'_>> {
    // In the order of the records, so that the result is reproducible.
    let known: IndexMap<String, Row<'_>, Keys> =
        records.iter().map(|record| (record.key(), record)).collect();
    let originals: KeyedMap<&str, &str> =
        known.iter().filter_map(|(key, record)| Some((record.cube()?, key.as_str()))).collect();
    let mut leaves = Vec::new();
    for number in (1..=of).filter_map(|number| CubeNumber::new(number, of)) {
        match originals.get(number.to_string().as_str()) {
            Some(key) => walk((key, number), &|key| known.get(key).copied(), &mut |node| {
                leaves.extend(Some(node).filter(|node| !node.is_split));
            }),
            None => leaves.push(Node { number, key: String::new(), record: None, is_split: false }),
        }
    }
    leaves
}

/// The findings if some cube decides the result, or keeps it from being decided. `None` if neither is so.
fn decisive(records: &[Record], leaves: &[Node<'_>]) -> Option<Findings> {
    if let Some(record) = records.iter().find(|record| record.ends_other_cubes()) {
        let Findings { verdict, outcome, check, reason, answer, .. } = record.findings.clone();
        return Some(Findings { verdict, outcome, check, reason, answer, ..Findings::default() });
    }
    let failed = |why: String| {
        Some(Findings { verdict: Some(Verdict::Failed), reason: Some(why), ..Findings::default() })
    };
    let with_verdict = |verdict: Verdict| {
        let found =
            move |leaf: &Node<'_>| leaf.record.is_some_and(|record| record.verdict() == Some(verdict));
        leaves.iter().filter(move |leaf| found(leaf))
    };
    if let Some(missing) = leaves.iter().find(|leaf| leaf.record.is_none()) {
        return failed(format!("cube {} has no record", missing.number));
    }
    if let Some(Node { number, record, .. }) = with_verdict(Verdict::Failed).next() {
        let why = record.and_then(Row::reason).unwrap_or_default();
        return failed(format!("cube {number} failed: {why}"));
    }
    if let Some(Node { number, record, .. }) = with_verdict(Verdict::Limit).next() {
        let limit = record.and_then(Row::limit).map(str::to_owned);
        let more = match with_verdict(Verdict::Limit).count() - 1 {
            0 => String::new(),
            more => format!("; {more} more cubes reached a limit"),
        };
        let reason = format!("cube {number} reached the limit '{}'{more}", limit.clone().unwrap_or_default());
        return Some(Findings {
            verdict: Some(Verdict::Limit),
            limit,
            reason: Some(reason),
            ..Findings::default()
        });
    }
    None
}

/// The answer if all cubes are refuted, with the status of each case.
fn all_refuted(job: &mut Job<'_>, leaves: &[Node<'_>], folder: &Folder) -> io::Result<()> {
    let progress = job.progress;
    let mut budget = Budget::new(None, progress.stop());
    let question = Question::new(job.instance, job.engine, &mut budget).map_err(io::Error::other)?;
    // If a limit ends this process, the answer is known, but not checked.
    progress.note(|findings| {
        findings.verdict = Some(Verdict::Decided);
        findings.outcome = Some(question.answer.outcome());
        findings.check = Some(Check::Open);
    });
    let plain = question.plain(&mut budget).map_err(io::Error::other)?;
    let (cubes, leaves) = cubes(leaves, &plain, folder).map_err(io::Error::other)?;
    drop(plain);
    let claim = question.obligation(&mut budget).map_err(io::Error::other)?;
    let parts = claim.split(&cubes);
    let mut proofs: Vec<Option<ProofFile>> = Vec::new();
    let mut claims: Vec<Claim> = Vec::new();
    for (leaf, (part, cube)) in leaves.iter().zip(parts.iter().zip(cubes.iter())) {
        let (status, proof) = recorded(leaf, cube, folder);
        claims.push(Claim::new(part.claim.as_str(), status));
        proofs.push(proof);
    }
    let spent = || progress.spent().0.as_secs_f64();
    let last = cubes.len();
    let (status, proof) = match job.run.certify {
        false => (Status::Open("the plan asks for no proof".to_owned()), None),
        true => {
            let certificate =
                certificate(&parts[last], Some(&question.encoding), &mut job.prover, &mut budget);
            match checked(&parts[last], certificate, COVER, folder, &budget) {
                Ok(proof) => (proved(&proof), Some(proof)),
                Err(status) => (status, None),
            }
        }
    };
    let prove_cpu_s = spent();
    claims.push(Claim::new(parts[last].claim.as_str(), status));
    proofs.push(proof);
    announce(Phase::Checking)?;
    drop(parts);
    let cases = Cases { split: claim.claim.clone(), cubes, claims };
    // If the proofs of the cases close the claim that was split, the checker need not search.
    let work = if cases.status().is_closed() { 0 } else { CHECK_WORK };
    let own = question.answer.check(&[], &mut Budget::new(Some(work), progress.stop()));
    let all = cases.added_to(own);
    let check_cpu_s = spent() - prove_cpu_s;
    let mut answer = question.answer.to_json(&job.run.engine, &all);
    if let Some(map) = answer.as_object_mut() {
        map.insert("cubes".to_owned(), to_json(&claim.claim, &cases.cubes, &proofs));
    }
    let written = folder.write(ANSWER, format!("{answer:#}\n").as_bytes());
    progress.note(|findings| {
        note_claims(&all, findings);
        findings.remarks.extend(written.err().map(|error| error.to_string()));
        if job.run.certify {
            *findings.prove_cpu_s.get_or_insert(0.0) += prove_cpu_s;
        }
        *findings.check_cpu_s.get_or_insert(0.0) += check_cpu_s;
        if let Some(proof) = &proofs[last] {
            *findings.proof_bytes.get_or_insert(0) += proof.bytes;
        }
        findings.answer = Some(answer).filter(is_reportable);
    });
    Ok(())
}

/// The cubes of the leaves, from the folder, and those leaves that have a cube. The formula may have been cut into
/// fewer cubes than planned, so some leaves may have none.
fn cubes<'l, 'a>(
    leaves: &'l [Node<'a>],
    plain: &Formula,
    folder: &Folder,
) -> Result<(Cubes, Vec<&'l Node<'a>>), FolderError> {
    let missing = |name: &str| FolderError::from(format!("{} is missing", folder.path(name).display()));
    let originals = folder.cubes(plain)?.ok_or_else(|| missing(CUBES))?;
    let is_there = |leaf: &&Node<'_>| leaf.number.index() < originals.len();
    let leaves: Vec<&Node<'_>> = leaves.iter().filter(is_there).collect();
    let (mut cubes, mut numbers) = (Cubes::new(), Vec::new());
    for leaf in &leaves {
        let number = &leaf.number;
        let wrong = |why: String| FolderError::from(format!("{}: cube {number}: {why}", folder.0.display()));
        let unsplit = |at: &CubeNumber, _: &[i32]| Err(missing(&file_of(&at.split()[0])));
        let literals = folder.literals(number, &originals, plain, unsplit)?;
        let literals = literals.ok_or_else(|| wrong("there is no such cube".to_owned()))?;
        cubes.push(&literals, plain.n_vars()).map_err(|error| wrong(error.to_string()))?;
        numbers.extend(number.among(originals.len()));
    }
    if originals.len() < leaves.len() {
        cubes.set_numbers(numbers).map_err(|error| FolderError::from(error.to_string()))?;
    }
    Ok((cubes, leaves))
}

/// The status of a case according to the record of its cube, with its proof.
fn recorded(leaf: &Node<'_>, cube: &[i32], folder: &Folder) -> (Status, Option<ProofFile>) {
    let open = |why: &str| (Status::Open(why.to_owned()), None);
    let failed = |why: String| (Status::Failed(why), None);
    let Some(findings) = leaf.record.map(Row::findings) else { return open("it has no record") };
    let expected = literals(cube);
    match findings.outcome.as_deref() {
        Some(REFUTED) if findings.literals.as_ref() == Some(&expected) => {}
        Some(REFUTED) => {
            let (found, file) = (findings.literals.clone().unwrap_or_default(), file_of(&leaf.number));
            return failed(format!("its record is about the cube '{found}', but {file} has '{expected}'"));
        }
        Some(ABSENT) => return failed("its record says that there is no such cube".to_owned()),
        _ => return open("its record does not say that it is refuted"),
    }
    let reason = findings.reason.clone().unwrap_or_else(|| "it is not proved".to_owned());
    match (findings.check, &findings.proof) {
        (Some(Check::Checked), Some(proof)) => {
            (verified(proof, &stem_of(&leaf.number), folder), Some(proof.clone()))
        }
        (Some(Check::Wrong), _) => failed(reason),
        _ => open(&reason),
    }
}

/// The status of a case with a checked proof, if its file is still what was checked.
fn verified(proof: &ProofFile, stem: &str, folder: &Folder) -> Status {
    let is_own = proof.file.rsplit_once('.').is_some_and(|(name, _)| name == stem);
    match folder.read(&proof.file).map(|found| found.map(|bytes| sha256::of(&bytes) == proof.sha256)) {
        _ if !is_own => Status::Failed(format!("its record names {}, a proof of another case", proof.file)),
        Ok(Some(true)) => proved(proof),
        Ok(Some(false)) => Status::Failed(format!("{} is not the proof that was checked", proof.file)),
        Ok(None) => Status::Open(format!("its proof {} is missing", proof.file)),
        Err(error) => Status::Open(error.to_string()),
    }
}

fn proved(&ProofFile { clauses, steps, propagations, .. }: &ProofFile) -> Status {
    Status::Proved(Checked { clauses, steps, propagations })
}

/// Adds the times and counters of the cubes. Of memory and the sizes of formulas, takes the maximum. The wall
/// time is that from the start of the first cube to the end of the last one.
fn add_sums(records: &[Record], findings: &mut Findings) {
    let all = || records.iter().map(|record| &record.findings);
    let sum = |of: fn(&Findings) -> Option<f64>| {
        let times: Vec<f64> = all().filter_map(of).collect();
        (!times.is_empty()).then(|| times.iter().sum())
    };
    findings.cpu_s = sum(|findings| findings.cpu_s);
    findings.build_cpu_s = sum(|findings| findings.build_cpu_s);
    findings.solve_cpu_s = sum(|findings| findings.solve_cpu_s);
    findings.prove_cpu_s = sum(|findings| findings.prove_cpu_s);
    findings.check_cpu_s = sum(|findings| findings.check_cpu_s);
    findings.wall_s = wall_s(records);
    let bytes: u64 = all().filter_map(|findings| findings.proof_bytes).sum();
    findings.proof_bytes = (bytes > 0).then_some(bytes);
    findings.peak_bytes = all().filter_map(|findings| findings.peak_bytes).max();
    for (name, &count) in all().flat_map(|findings| &findings.work) {
        let total = findings.work.entry(name.clone()).or_default();
        *total = match name.as_str() {
            "variables" | "clauses" => (*total).max(count),
            _ => *total + count,
        };
    }
}

/// The time during which at least one of the cubes ran, in seconds: pauses do not count, and a clock that is set between
/// two cubes adds nothing. `None` if no record has a date.
fn wall_s(records: &[Record]) -> Option<f64> {
    let span = |record: &Record| {
        let start = humantime::parse_rfc3339(&record.start).ok()?;
        let start = start.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs_f64();
        Some((start, start + record.process_wall_s))
    };
    covered(records.iter().filter_map(span).collect())
}

/// The length of the union of spans from a first number to a second; `None` without spans.
fn covered(mut spans: Vec<(f64, f64)>) -> Option<f64> {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut until) = (0.0, spans.first()?.0);
    for (start, end) in spans {
        sum += (end - start.max(until)).max(0.0);
        until = until.max(end);
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::covered;

    #[test]
    fn spans_count_once_and_gaps_do_not() {
        assert_eq!(covered(vec![]), None);
        assert_eq!(covered(vec![(5.0, 7.0)]), Some(2.0));
        assert_eq!(covered(vec![(5.0, 7.0), (6.0, 9.0), (5.5, 6.5)]), Some(4.0));
        // The clock was set by decades between the two.
        assert_eq!(covered(vec![(1.8e9, 1.8e9 + 3.0), (86_400.0, 86_402.0)]), Some(5.0));
    }
}
