//! `cube`: splits the formula of an instance into cubes, and proves that the cubes cover all cases.

use super::args::Cube;
use super::context::Context;
use super::encoding::{Encoding, sat_engine};
use super::exit::{Failure, Status};
use super::print::{plural, warn};
use super::proofs::{self, refuse_foreign_files};
use super::{games, interrupt, read};
use crate::certify::{self, Certificate, MAX_BYTES, Prover};
use crate::claim::{self, Claim};
use crate::cubes::{MAX_CUBES, SplitError, clauses_of, literal};
use crate::engine::Budget;
use crate::erased::{DynInstance, DynProblem};
use crate::errors::{FormatError, Unsupported};
use crate::export::{self, Format, Formula};
use crate::harness::cubes::{
    ANSWER, COVER, CUBES, Cases, Folder, FolderError, Question, QuestionError, to_json,
};
use crate::proof::{Cubes, Formula as Plain, IcnfError, Obligation};
use crate::record::ProofFile;
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink};
use serde_json::{Map, Value};
use std::io::Write;
use std::path::Path;

/// Why a command that says nothing about the cubes is refused.
const NO_CUBES: &str = "give the number of cubes with --cubes N, or a file of cubes with --from FILE";

/// The maximum length of a file of cubes, in bytes.
const MAX_FILE: u64 = 1 << 30;

pub(super) fn run(context: &Context, args: &Cube, out: &mut dyn Write) -> Result<Status, Failure> {
    if args.cubes.is_none() && args.from.is_none() {
        return Err(Failure::usage(NO_CUBES));
    }
    let problem = context.registry.find(&args.input.problem)?;
    let engine = sat_engine(context, problem, &args.engine)?;
    if let Some(count) = args.cubes.filter(|count| !(2..=MAX_CUBES).contains(&count.get())) {
        return Err(Failure::usage(format!("expected 2 to {MAX_CUBES} cubes, found {count}")));
    }
    if let Some(dir) = &args.output {
        refuse_foreign_files(&proofs::CUT, dir, args.input.file.as_deref())?;
    }
    let (mut status, mut games) = (None, 0);
    let read = games::each(context, &args.input, &mut |game, instance| {
        games = game;
        if game == args.game {
            status = Some(split(context, args, (instance, &engine), out)?);
        }
        Ok(())
    });
    match status {
        None => read.and(Err(games::missing(&args.input, args.game, games))),
        Some(status) => read.map(|()| status),
    }
}

/// An engine's formula with a query for each cube: the cube's literals are the assumptions.
struct Cut<'a> {
    encoding: Encoding<'a>,
    cubes: &'a [Vec<i32>],
}

impl Formula for Cut<'_> {
    fn clauses(&self, sink: &mut dyn Sink) -> Result<(), Unsupported> {
        self.encoding.clauses(sink)
    }

    fn questions(&self, sink: &mut dyn Sink) -> Option<Result<Vec<Vec<Lit>>, Unsupported>> {
        let written = self.encoding.clauses(sink);
        let cubes = self.cubes.iter().map(|cube| cube.iter().map(|&lit| literal(lit)).collect());
        Some(written.map(|()| cubes.collect()))
    }
}

fn split(
    context: &Context,
    args: &Cube,
    (instance, engine): (&dyn DynInstance, &EngineSpec),
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let mut budget = context.budget(&args.limits);
    let with_game = |error: QuestionError| failure(args.game, &error);
    let question =
        interrupt::interruptible(|| Question::new(instance, engine, &mut budget)).map_err(with_game)?;
    // Ctrl-C ends the program while it waits for the file.
    let given = args.from.as_deref().map(bytes_of).transpose()?;
    let (cubes, closed) = interrupt::interruptible(|| cubes(args, given, &question, &mut budget))?;
    let own: Option<Vec<Vec<i32>>> = cubes.iter().map(|cube| question.to_own(cube)).collect();
    let own = own.ok_or_else(|| Failure::usage("a cube has a variable that the engine's formula lacks"))?;
    let formula = Cut { encoding: Encoding { instance, engine }, cubes: &own };
    let Some(dir) = &args.output else {
        export::write(Format::Icnf, &formula.encoding.head(), &formula, out)?;
        return Ok(Status::Done);
    };
    let claim = question.obligation(&mut budget).map_err(with_game)?;
    let folder = Folder(dir.clone());
    let (cover, status) = prove_cover(&claim, &cubes, &question, &folder, args, &mut budget)?;
    let write = |name: &str, format: Format| -> Result<(), Failure> {
        let mut text = Vec::new();
        export::write(format, &formula.encoding.head(), &formula, &mut text)?;
        Ok(folder.write(name, &text)?)
    };
    write("formula.cnf", Format::Cnf)?;
    write(CUBES, Format::Icnf)?;
    let plain = (!instance.is_obligation(engine)).then(|| question.plain(&mut budget)).transpose();
    if let Some(plain) = plain.map_err(with_game)? {
        folder.write("plain.cnf", plain.to_dimacs().as_bytes())?;
    }
    let proofs: Vec<_> = std::iter::repeat_n(None, cubes.len()).chain([cover.clone()]).collect();
    let open = |part: &Obligation<'_>| {
        Claim::new(part.claim.as_str(), claim::Status::Open("there is no proof yet".to_owned()))
    };
    let mut claims: Vec<Claim> =
        [open(&claim)].into_iter().chain(claim.split(&cubes).iter().map(open)).collect();
    if let (Some(cover), Some(last)) = (&cover, claims.last_mut()) {
        let ProofFile { clauses, steps, propagations, .. } = *cover;
        last.status = claim::Status::Proved(claim::Checked { clauses, steps, propagations });
    }
    let mut answer = question.answer.to_json(&engine.to_string(), &claims);
    if let Some(map) = answer.as_object_mut() {
        map.insert("cubes".to_owned(), to_json(&claim.claim, &cubes, &proofs));
    }
    folder.write(ANSWER, format!("{answer:#}\n").as_bytes())?;
    summary(&cubes, closed, cover.as_ref(), out)?;
    let dir = dir.display();
    let plain = if instance.is_obligation(engine) { "" } else { " plain.cnf," };
    writeln!(out, "wrote formula.cnf,{plain} {CUBES} and {ANSWER} to {dir}")?;
    if !cubes.is_empty() {
        writeln!(
            out,
            "{ANSWER} says what follows if each cube is refuted: with the proofs cube-1.drat to cube-{}.drat beside it, \
             `check {dir}` closes its claims",
            cubes.len()
        )?;
    }
    Ok(status)
}

/// The cubes of a file, or those found by looking ahead, in the numbers of the checker's formula; and the number of
/// branches that looking ahead has closed.
fn cubes(
    args: &Cube,
    given: Option<(String, Vec<u8>)>,
    question: &Question,
    budget: &mut Budget,
) -> Result<(Cubes, usize), Failure> {
    match (given, args.cubes) {
        (Some(file), _) => Ok((of_file(file, args.game, question, budget)?, 0)),
        (None, count) => {
            let count = count.ok_or_else(|| Failure::usage(NO_CUBES))?;
            question.cut(count, budget).map_err(|error| failure(args.game, &error))
        }
    }
}

/// The name of a file and its bytes.
fn bytes_of(from: &Path) -> Result<(String, Vec<u8>), Failure> {
    let name = from.display().to_string();
    let bytes = read::bytes(&name, read::open(&name)?, MAX_FILE)?;
    Ok((name, bytes))
}

/// The cubes of a file, whose numbers are those of the engine's formula.
fn of_file(
    (name, bytes): (String, Vec<u8>),
    game: usize,
    question: &Question,
    budget: &mut Budget,
) -> Result<Cubes, Failure> {
    let own = Cubes::read(&bytes, &clauses_of(&question.encoding))
        .map_err(|error| Failure::usage(format!("{name}:{error}")))?;
    let plain = question.plain(budget).map_err(|error| failure(game, &error))?;
    let mut cubes = Cubes::new();
    for (i, cube) in own.iter().enumerate() {
        let refused = |why: &str| Failure::usage(format!("{name}: cube {}/{}: {why}", i + 1, own.len()));
        let lits = question.to_plain(cube).ok_or_else(|| {
            refused(
                "it has a variable that the checker's plain formula lacks, so nothing can be proved about it",
            )
        })?;
        cubes.push(&lits, plain.n_vars()).map_err(|error| refused(&error.to_string()))?;
    }
    Ok(cubes)
}

/// Proves that the cubes cover all cases, and writes the proof. `None` if a limit was reached first.
fn prove_cover(
    claim: &Obligation<'_>,
    cubes: &Cubes,
    question: &Question,
    folder: &Folder,
    args: &Cube,
    budget: &mut Budget,
) -> Result<(Option<ProofFile>, Status), Failure> {
    let parts = claim.split(cubes);
    let Some(cover) = parts.last() else { return Ok((None, Status::Done)) };
    let prover = &mut Prover::default();
    let of_encoding = || match question.encoding.names().is_empty() {
        true => None,
        false => certify::certificate_of(cover, &question.encoding, MAX_BYTES, prover, budget).ok(),
    };
    let found = interrupt::interruptible(of_encoding);
    let certificate = found.unwrap_or_else(|| {
        interrupt::interruptible(|| certify::certificate(cover, MAX_BYTES, &mut Prover::default(), budget))
    });
    let name = args.from.as_ref().map_or(String::new(), |from| format!("{}: ", from.display()));
    let proof = match certificate {
        Certificate::Proof(proof) => proof,
        Certificate::Satisfiable(_) | Certificate::Inconclusive(_) => {
            return Err(Failure::usage(format!(
                "{name}the cubes do not cover all cases: a model of the formula satisfies none of them"
            )));
        }
        Certificate::Stopped(_, limit) => {
            warn(&format!("{limit} before it was proved that the cubes cover all cases"));
            return Ok((None, Status::of(limit)));
        }
        Certificate::TooLarge(_) => return Err(Failure::usage("the checker's plain formula is too large")),
        Certificate::TooLong(_, max) => {
            return Err(Failure::usage(format!(
                "the proof that the cubes cover all cases is longer than {max} bytes"
            )));
        }
    };
    let formula =
        cover.formula().ok_or_else(|| Failure::usage("the checker's plain formula is too large"))?;
    match interrupt::interruptible(|| proof.refutation.check_until(&formula, &budget.stop())) {
        Ok(checked) => Ok((Some(folder.write_proof(COVER, &proof.refutation, checked)?), Status::Done)),
        Err(error) => {
            Err(Failure::usage(format!("the proof that the cubes cover all cases is wrong: {error}")))
        }
    }
}

fn summary(
    cubes: &Cubes,
    closed: usize,
    cover: Option<&ProofFile>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut variables: Vec<i32> = cubes.iter().flatten().map(|lit| lit.abs()).collect();
    variables.sort_unstable();
    variables.dedup();
    let lengths = || cubes.iter().map(<[i32]>::len);
    let lengths = match (lengths().min(), lengths().max()) {
        (Some(min), Some(max)) if min == max => format!(", {} each", plural(min, "literal")),
        (Some(min), Some(max)) => format!(", {min} to {max} literals each"),
        _ => String::new(),
    };
    let (cubes, variables) = (plural(cubes.len(), "cube"), plural(variables.len(), "variable"));
    writeln!(out, "{cubes} over {variables}{lengths}")?;
    if closed > 0 {
        writeln!(out, "{} by unit propagation", plural_were(closed, "branch", "branches"))?;
    }
    if let Some(ProofFile { file, bytes, steps, .. }) = cover {
        writeln!(out, "the cubes cover all cases: {file}, {bytes} bytes, {steps} steps, checked")?;
    }
    Ok(())
}

fn plural_were(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one} was closed") } else { format!("{n} {many} were closed") }
}

/// The failure for a formula that is not split.
fn failure(game: usize, error: &QuestionError) -> Failure {
    let status = match error {
        QuestionError::Split(SplitError::Limit(limit)) => Status::of(*limit),
        _ => Status::Usage,
    };
    Failure { message: format!("game {game}: {error}"), status }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        Failure::usage(error.message())
    }
}

/// Reads a file of cubes. Looking ahead can refute a formula, so an answer may have no cubes; then the file has none.
fn read_cubes(bytes: &[u8], formula: &Plain, cases: &Cases) -> Result<Cubes, IcnfError> {
    match Cubes::read(bytes, formula) {
        Err(IcnfError::NoCube { .. }) if cases.cubes.is_empty() => Ok(Cubes::new()),
        read => read,
    }
}

/// The claim that the file of cubes beside an answer has the cubes of the answer; `None` without such a file.
pub(super) fn file_claim(
    context: &Context,
    dir: &Path,
    (problem, instance): (&dyn DynProblem, Option<Box<dyn DynInstance>>),
    map: &Map<String, Value>,
    cases: &Cases,
) -> Result<Option<Claim>, Failure> {
    let Some(bytes) = Folder(dir.to_owned()).read(CUBES)? else { return Ok(None) };
    let text = format!("{CUBES} contains the cubes of the answer");
    let plain = || -> Result<bool, FormatError> {
        let engine = map.get("engine").and_then(Value::as_str).unwrap_or_default();
        let engine =
            sat_engine(context, problem, engine).map_err(|_| "this build lacks the engine".to_owned())?;
        let instance = instance.ok_or_else(|| "the instance cannot be read".to_owned())?;
        let mut budget = Budget::unlimited();
        let question = Question::new(&*instance, &engine, &mut budget).map_err(|error| error.to_string())?;
        let is_same = |found: &Cubes, plain: &dyn Fn(&[i32]) -> Option<Vec<i32>>| {
            // The answer has the halves of cubes that were split. A half has one more literal than its cube.
            let is_case = |(i, case): (usize, &[i32])| {
                let number = cases.cubes.number(i)?;
                let cube = plain(found.get(number.index())?)?;
                let added = case.strip_prefix(&*cube)?;
                (added.len() == number.halves().len()).then_some(())
            };
            found.len() == cases.cubes.n_original()
                && cases.cubes.iter().enumerate().all(|case| is_case(case).is_some())
        };
        let formula = question.plain(&mut budget).map_err(|error| error.to_string())?;
        // `run` writes cubes of the checker's formula; `cube` writes those of the engine's formula.
        if read_cubes(&bytes, &formula, cases).is_ok_and(|found| is_same(&found, &|cube| Some(cube.to_vec())))
        {
            return Ok(true);
        }
        let found = read_cubes(&bytes, &clauses_of(&question.encoding), cases);
        let found = found.map_err(|error| error.to_string())?;
        Ok(is_same(&found, &|cube| question.to_plain(cube)))
    };
    let status = match plain() {
        Ok(true) => claim::Status::Recomputed,
        Ok(false) => claim::Status::Failed("its cubes are different".to_owned()),
        Err(why) => claim::Status::Failed(why.into()),
    };
    Ok(Some(Claim::new(text, status)))
}
