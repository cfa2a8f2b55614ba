//! The run of one cube: solves the engine's formula together with the cube's literals. A model is decoded and
//! checked like any answer. If there is no model and the plan asks for proofs, a proof shows that the
//! checker's plain formula together with the cube's literals is unsatisfiable.

use super::folder::stem_of;
use super::{CubeRequest, Folder, FolderError, Question, QuestionError};
use crate::certify::{self, Certificate, MAX_BYTES, Prover};
use crate::claim::Status;
use crate::cubes::{SplitError, literal};
use crate::engine::{Budget, Limit, Outcome, Unfinished};
use crate::harness::request::{Phase, announce};
use crate::harness::worker::{Job, RunError, note_outcome};
use crate::problem::{Assignment, ModelKind};
use crate::proof::{Obligation, ProofError};
use crate::record::{ABSENT, Check, Findings, ProofFile, REFUTED, Verdict};
use crate::solver;
use counterpoint_base::cube::CubeNumber;
use counterpoint_encodings::{Cnf, Lit, Sink};
use std::io;
use std::num::NonZero;

/// What solving a cube showed.
enum Found {
    /// The cube does not exist: the formula has fewer cubes, or its parent had no variable to split on.
    Absent,
    /// There is no model.
    Refuted(Box<Question>, Vec<i32>),
    /// The value of each variable in a model.
    Model(Vec<bool>),
}

/// Why solving a cube ended without a result.
enum Ended {
    Unsupported(String),
    Stopped(Limit),
    Failed(String),
}

impl From<QuestionError> for Ended {
    fn from(error: QuestionError) -> Self {
        match error {
            QuestionError::Split(SplitError::Limit(limit)) => Ended::Stopped(limit),
            error => Ended::Unsupported(error.to_string()),
        }
    }
}

impl From<FolderError> for Ended {
    fn from(error: FolderError) -> Self {
        Ended::Failed(error.to_string())
    }
}

impl From<Unfinished> for Ended {
    fn from(unfinished: Unfinished) -> Self {
        match unfinished {
            Unfinished::Limit(limit) => Ended::Stopped(limit),
            Unfinished::Failed(why) => Ended::Failed(why),
        }
    }
}

/// Solves a cube or a half of one, and notes the result. It is no error if the cube does not exist.
pub(in crate::harness) fn solve(
    job: &mut Job<'_>,
    number: &CubeNumber,
    request: &CubeRequest,
) -> Result<(), RunError> {
    announce(Phase::Building)?;
    let folder = Folder(request.folder.clone());
    let found = job.within_limits(|job, budget| search(job, number, &folder, budget))?;
    match found {
        Err(ended) => {
            job.progress.note(|findings| note_ended(ended, findings));
            Ok(())
        }
        Ok(Found::Absent) => {
            job.progress.note(|findings| {
                findings.verdict = Some(Verdict::Decided);
                findings.outcome = Some(ABSENT.to_owned());
                findings.check = Some(Check::Checked);
            });
            Ok(())
        }
        Ok(Found::Refuted(question, cube)) => {
            job.progress.note(|findings| {
                findings.verdict = Some(Verdict::Decided);
                findings.outcome = Some(REFUTED.to_owned());
                findings.literals = Some(literals(&cube));
                findings.check = Some(Check::Open);
                findings.reason = Some("the plan asks for no proof".to_owned());
            });
            if !job.run.certify {
                return Ok(());
            }
            job.take_recorded();
            let proved = job.within_check_limits(|job| prove(job, &question, (number, &cube), &folder))?;
            job.progress.note(|findings| note_proof(proved, findings));
            Ok(())
        }
        Ok(Found::Model(values)) => decode(job, &values),
    }
}

/// The literals of a cube as text.
pub(super) fn literals(cube: &[i32]) -> String {
    cube.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn note_ended(ended: Ended, findings: &mut Findings) {
    match ended {
        Ended::Unsupported(why) => {
            (findings.verdict, findings.reason) = (Some(Verdict::Unsupported), Some(why));
        }
        Ended::Stopped(limit) => {
            findings.verdict = Some(Verdict::Limit);
            findings.limit = Some(limit.word().to_owned());
        }
        Ended::Failed(why) => (findings.verdict, findings.reason) = (Some(Verdict::Failed), Some(why)),
    }
}

/// Solves the formula with the literals of the cube.
fn search(job: &Job<'_>, number: &CubeNumber, folder: &Folder, budget: &mut Budget) -> Result<Found, Ended> {
    // Cutting does not count as work of the run, because only the first of the runs has to do it.
    let cutting = &mut Budget::new(None, budget.stop());
    let question = Question::new(job.instance, job.engine, cutting)?;
    let plain = question.plain(cutting)?;
    let cubes = match folder.cubes(&plain)? {
        Some(cubes) => cubes,
        None => {
            let (cubes, _) =
                question.cut(NonZero::new(number.of()).unwrap_or(NonZero::<u32>::MIN), cutting)?;
            folder.write_cubes(&cubes)?;
            cubes
        }
    };
    let split = |_: &CubeNumber, cube: &[i32]| question.halves(cube, cutting).map_err(Ended::from);
    let Some(cube) = folder.literals(number, &cubes, &plain, split)? else { return Ok(Found::Absent) };
    drop(plain);
    let own = question.to_own(&cube).ok_or_else(|| {
        Ended::Failed(format!("cube {number}: the engine's formula lacks one of its variables"))
    })?;
    let mut solver = job.engine.solver();
    job.instance.formula(job.engine, &mut *solver).map_err(QuestionError::from)?;
    own.iter().for_each(|&lit| solver.clause(&[literal(lit)]));
    let (satisfiable, solver) = solver::step(solver, &[], budget)?;
    Ok(match satisfiable {
        false => Found::Refuted(Box::new(question), cube),
        true => Found::Model(
            (0..question.encoding.n_vars()).map(|var| solver.value(Lit::positive(var))).collect(),
        ),
    })
}

/// Decodes a model of the engine's formula, and checks the answer on the whole instance.
fn decode(job: &mut Job<'_>, values: &[bool]) -> Result<(), RunError> {
    let value = |lit: Lit| values.get(lit.vidx()).is_some_and(|&value| value == lit.is_pos());
    let model = |sink: &mut Cnf, decode: &mut dyn FnMut(Assignment<'_>)| {
        decode(Assignment { spec: job.engine, sink, value: &value, kind: ModelKind::Plain });
    };
    let mut answer = None;
    model(&mut Cnf::default(), &mut |assignment| answer = Some(job.instance.of_model(assignment)));
    match answer {
        Some(Ok(answer)) => note_outcome(Outcome::Decided(answer), job.engine, job.progress)
            .map_or(Ok(()), |answer| job.conclude(&*answer)),
        Some(Err(why)) => {
            // No answer follows, but the model must be right nevertheless.
            let (mut wrong, budget) = (None, &mut Budget::of_work(crate::claim::CHECK_WORK));
            model(&mut Cnf::default(), &mut |assignment| {
                let decoded = job.instance.read_model(assignment, budget);
                let claims = decoded.map(|decoded| decoded.claims).unwrap_or_default();
                wrong = claims.into_iter().find(|claim| claim.status.is_failed());
            });
            let ended = match wrong {
                Some(claim) => Ended::Failed(format!("its model is wrong: {}: {}", claim.text, claim.status)),
                None => Ended::Unsupported(why.into()),
            };
            job.progress.note(|findings| note_ended(ended, findings));
            Ok(())
        }
        None => Ok(()),
    }
}

/// The proof of a case, or the status of its claim if there is no proof.
struct Proved {
    result: Result<ProofFile, Status>,
    prove_cpu_s: f64,
    check_cpu_s: f64,
    remarks: Vec<String>,
}

/// Proves that a case has no model, checks the proof, and writes it to the folder.
fn prove(
    job: &mut Job<'_>,
    question: &Question,
    (number, cube): (&CubeNumber, &[i32]),
    folder: &Folder,
) -> io::Result<Proved> {
    let progress = job.progress;
    let mut budget = Budget::new(None, progress.stop());
    let claim = question.obligation(&mut budget).map_err(io::Error::other)?;
    let part = claim.case(cube, Some(number));
    let spent = || progress.spent().0.as_secs_f64();
    let certificate = certificate(&part, Some(&question.encoding), &mut job.prover, &mut budget);
    let prove_cpu_s = spent();
    announce(Phase::Checking)?;
    let result = checked(&part, certificate, &stem_of(number), folder, &budget);
    let remarks = job.prover.take_remarks();
    Ok(Proved { result, prove_cpu_s, check_cpu_s: spent() - prove_cpu_s, remarks })
}

/// Refutes the engine's formula, if it follows from the checker's plain formula, or else the plain formula.
pub(super) fn certificate(
    part: &Obligation<'_>,
    encoding: Option<&Cnf>,
    prover: &mut Prover,
    budget: &mut Budget,
) -> Certificate {
    // Without names, the engine's formula is the plain formula.
    let encoding = encoding.filter(|encoding| !encoding.names().is_empty());
    if let Some(encoding) = encoding.filter(|_| !prover.has_recorded() && !prover.is_pseudo_boolean())
        && let Ok(certificate) = certify::certificate_of(part, encoding, MAX_BYTES, prover, budget)
    {
        return certificate;
    }
    certify::certificate(part, MAX_BYTES, prover, budget)
}

/// Checks the proof of a case and writes it to the folder, in a file with the name `stem` and the extension
/// of its format. If the claim is not proved, returns its status as an error.
pub(super) fn checked(
    part: &Obligation<'_>,
    certificate: Certificate,
    stem: &str,
    folder: &Folder,
    budget: &Budget,
) -> Result<ProofFile, Status> {
    let proof = match certificate {
        Certificate::Proof(proof) => proof,
        Certificate::Satisfiable(_) => return Err(Status::Failed(certify::HAS_MODEL.to_owned())),
        Certificate::Inconclusive(_) => return Err(Status::Open("its formula has a model".to_owned())),
        Certificate::TooLarge(_) => return Err(Status::Open("its plain formula is too large".to_owned())),
        Certificate::TooLong(_, max) => {
            return Err(Status::Open(format!("its proof is longer than {max} bytes")));
        }
        Certificate::Stopped(_, limit) => return Err(Status::Open(format!("proving met the {limit}"))),
    };
    let Some(formula) = part.formula() else {
        return Err(Status::Open("its plain formula is too large".to_owned()));
    };
    let checked = proof.refutation.check_until(&formula, &budget.stop()).map_err(|error: ProofError| {
        match error.is_rejection() {
            true => Status::Failed(error.to_string()),
            false => Status::Open(error.to_string()),
        }
    })?;
    let written = folder.write_proof(stem, &proof.refutation, checked);
    written.map_err(|error| Status::Open(error.to_string()))
}

fn note_proof(proved: Proved, findings: &mut Findings) {
    findings.prove_cpu_s = Some(proved.prove_cpu_s);
    findings.check_cpu_s = Some(proved.check_cpu_s);
    findings.remarks = proved.remarks;
    match proved.result {
        Ok(proof) => {
            findings.proof_bytes = Some(proof.bytes);
            findings.proof = Some(proof);
            (findings.check, findings.reason) = (Some(Check::Checked), None);
        }
        Err(status) => {
            findings.check = Some(if status.is_failed() { Check::Wrong } else { Check::Open });
            findings.reason = status.reason().map(str::to_owned);
        }
    }
}
