//! Checks an answer by the proofs of its cubes: reads the cubes from the answer's member `cubes`, and the proofs from
//! the folder of the answer. Nothing that the answer says about the proofs is trusted.

use super::Folder;
use super::folder::stem;
use crate::claim::{CHECK_WORK, Claim, Status};
use crate::engine::{Budget, Stop};
use crate::erased::DynAnswer;
use crate::errors::FormatError;
use crate::proof::{Cubes, Obligation, combine};
use crate::record::ProofFile;
use counterpoint_base::cube::CubeNumber;
use counterpoint_base::sha256;
use serde_json::{Map, Value, json};

/// The member of an answer that lists its cubes.
const MEMBER: &str = "cubes";

/// The answer's member `cubes` cannot be read, or a file beside the answer cannot be read.
pub type CubesError = FormatError;

/// Cubes with their proofs, as a member of an answer. `proofs` has an entry for each cube, and one for the cover. An
/// entry is `None` if there is no proof.
pub fn to_json(claim: &str, cubes: &Cubes, proofs: &[Option<ProofFile>]) -> Value {
    let proof = |case: usize| match proofs.get(case).and_then(Option::as_ref) {
        Some(ProofFile { file, sha256, bytes, .. }) => {
            json!({ "file": file, "sha256": sha256, "bytes": bytes })
        }
        None => Value::Null,
    };
    let cases = cubes.iter().enumerate().map(|(case, cube)| match cubes.number(case) {
        Some(number) if cubes.is_split() => {
            json!({ "number": number.to_string(), "cube": cube, "proof": proof(case) })
        }
        _ => json!({ "cube": cube, "proof": proof(case) }),
    });
    json!({ "claim": claim, "cases": cases.collect::<Vec<_>>(), "cover": proof(cubes.len()) })
}

/// The cases of an answer that was found by cubes, and the claim that was split into these cases.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The text of the claim that was split.
    pub split: String,
    /// The cubes, in the numbers of the checker's formula.
    pub cubes: Cubes,
    /// The claims of all cases.
    pub claims: Vec<Claim>,
}

impl Cases {
    /// The status of the claim that was split.
    pub fn status(&self) -> Status {
        combine(&self.claims)
    }

    /// The claims of the answer with the cases. The claim that was split gets the status that the cases give it. If
    /// other evidence closes this claim, cases that are open are left out.
    #[must_use]
    pub fn added_to(&self, mut claims: Vec<Claim>) -> Vec<Claim> {
        let status = self.status();
        let mut cases = self.claims.clone();
        if let Some(split) = claims.iter_mut().find(|claim| claim.text == self.split) {
            let is_open = !status.is_closed();
            let otherwise = split.status.clone();
            split.status = status.or_else(|| otherwise);
            if is_open && split.status.is_closed() {
                cases.retain(|case| case.status.is_closed());
            }
        }
        claims.extend(cases);
        claims
    }
}

/// Checks the cases of an answer, given as JSON, by the proofs in its folder; `None` if it was not found by cubes.
///
/// # Errors
/// The member `cubes` is malformed, or a file cannot be read.
pub fn check(
    answer: &dyn DynAnswer,
    map: &Map<String, Value>,
    folder: Option<&Folder>,
    budget: &mut Budget,
) -> Result<Option<Cases>, CubesError> {
    let Some(member) = map.get(MEMBER) else { return Ok(None) };
    let malformed = |what: &str| FormatError::from(format!("\"{MEMBER}\": {what}"));
    let split =
        member.get("claim").and_then(Value::as_str).ok_or_else(|| malformed("\"claim\" is missing"))?;
    let stop = budget.stop();
    let obligations = answer
        .obligations_within(budget)
        .map_err(|limit| malformed(&format!("{limit} before it was known which claims need a proof")))?;
    let claim = obligations.iter().find(|obligation| obligation.claim == split);
    let claim = claim.ok_or_else(|| malformed(&format!("no proof is needed for the claim '{split}'")))?;
    let plain = claim.formula().ok_or_else(|| malformed("the checker's plain formula is too large"))?;
    let list = member.get("cases").and_then(Value::as_array);
    let list = list.ok_or_else(|| malformed("\"cases\" is not a list"))?;
    let mut cubes = Cubes::new();
    for (i, case) in list.iter().enumerate() {
        let at = |why: &str| malformed(&format!("cube {}/{}: {why}", i + 1, list.len()));
        let lits =
            case.get("cube").and_then(Value::as_array).ok_or_else(|| at("its literals are missing"))?;
        let lit = |value: &Value| value.as_i64().and_then(|lit| i32::try_from(lit).ok());
        let lits: Option<Vec<i32>> = lits.iter().map(lit).collect();
        let lits = lits.ok_or_else(|| at("its literals are not numbers"))?;
        cubes.push(&lits, plain.n_vars()).map_err(|error| at(&error.to_string()))?;
    }
    drop(plain);
    set_numbers(&mut cubes, list).map_err(|why| malformed(&why))?;
    let named = |case: usize| match list.get(case) {
        Some(case) => case.get("proof"),
        None => member.get("cover"),
    };
    let mut claims = Vec::new();
    for (case, part) in claim.split(&cubes).iter().enumerate() {
        let status = status(part, &stem(&cubes, case), named(case), folder, &stop)?;
        claims.push(Claim::new(part.claim.as_str(), status));
    }
    if let Some(folder) = folder {
        for name in folder.unused_proofs(cubes.n_original()).map_err(|error| error.to_string())? {
            let why = format!("the answer has {} cubes", cubes.n_original());
            claims.push(Claim::new(format!("{name} is a proof of a cube"), Status::Failed(why)));
        }
    }
    Ok(Some(Cases { split: split.to_owned(), cubes, claims }))
}

/// Gives the cubes the numbers that the cases of an answer have, if some cubes were split into halves.
fn set_numbers(cubes: &mut Cubes, cases: &[Value]) -> Result<(), String> {
    if cases.iter().all(|case| case.get("number").is_none()) {
        return Ok(());
    }
    let number = |(i, case): (usize, &Value)| {
        let number = case.get("number").and_then(Value::as_str).unwrap_or_default();
        number.parse().map_err(|error| format!("the number of case {} is '{number}'; {error}", i + 1))
    };
    let numbers = cases.iter().enumerate().map(number).collect::<Result<Vec<CubeNumber>, String>>()?;
    cubes.set_numbers(numbers).map_err(|error| error.to_string())
}

/// All claims of an answer, checked again by the proofs in its folder.
///
/// # Errors
/// As for [`check`].
pub fn recheck(
    answer: &dyn DynAnswer,
    map: &Map<String, Value>,
    folder: &Folder,
    stop: &Stop,
) -> Result<Vec<Claim>, CubesError> {
    let cases = check(answer, map, Some(folder), &mut Budget::new(None, stop.clone()))?;
    let is_closed = cases.as_ref().is_some_and(|cases| cases.status().is_closed());
    let work = if is_closed { 0 } else { CHECK_WORK };
    let claims = answer.check(&[], &mut Budget::new(Some(work), stop.clone()));
    Ok(cases.map_or(claims.clone(), |cases| cases.added_to(claims)))
}

/// The status of one case by the proofs in the folder. The worst of them counts: the first one that is wrong, otherwise
/// the first one that does not close the claim.
fn status(
    part: &Obligation<'_>,
    stem: &str,
    named: Option<&Value>,
    folder: Option<&Folder>,
    stop: &Stop,
) -> Result<Status, CubesError> {
    let Some(folder) = folder else {
        return Ok(Status::Open("its proof is in the folder of the answer; check the folder".to_owned()));
    };
    let proofs = folder.proofs(stem).map_err(|error| error.to_string())?;
    let named = named.and_then(|proof| proof.get("sha256")).and_then(Value::as_str);
    let is_named = |named| proofs.iter().any(|(_, refutation)| sha256::of(refutation.bytes()) == named);
    if let Some((name, _)) = proofs.first()
        && named.is_some_and(|named| !is_named(named))
    {
        return Ok(Status::Failed(format!("{name} is not the proof that the answer names")));
    }
    let several = proofs.len() > 1;
    let mut worst: Option<Status> = None;
    for (name, refutation) in proofs {
        let status = match part.status(refutation, stop) {
            Status::Failed(why) if several => Status::Failed(format!("{name}: {why}")),
            Status::Open(why) if several => Status::Open(format!("{name}: {why}")),
            status => status,
        };
        if status.is_failed() {
            return Ok(status);
        }
        worst = worst.filter(|worst| !worst.is_closed()).or(Some(status));
    }
    Ok(worst.unwrap_or_else(|| Status::Open(format!("there is no proof {stem}.drat"))))
}
