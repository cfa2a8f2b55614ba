//! Reads a table `[solver.NAME]` of a configuration or a plan.

use super::{command, limits, relative, strings, version_command};
use crate::document::{Document, DocumentError, Placed};
use crate::process::Limits;
use crate::solver::Count;
use crate::solver::external::{
    self, FORMULA, Input, PROOF, ParityInput, Preset, Program, ProofFormat, ProofOutput, SEED, Statistics,
};

/// Reads the table of a solver.
pub(super) fn read(
    document: &Document<'_>,
    name: &str,
    value: &Placed<'_>,
) -> Result<Program, DocumentError> {
    let entry = document.as_table(value)?;
    document.check_keys(
        entry,
        &["command", "input", "parity", "limits", "statistics", "version", "seed", "proof"],
    )?;
    let (at, command) = command(document, &format!("solver {name}"), value)?;
    let input = match entry.get("input").map(|input| (input, document.as_str(input))) {
        None => Input::File,
        Some((_, Ok("file"))) => Input::File,
        Some((input, Ok("stdin"))) if command.iter().any(|arg| arg.contains(FORMULA)) => {
            let why = format!(
                "the command contains '{FORMULA}', which stands for a file; use input = \"file\" or remove '{FORMULA}'"
            );
            return document.error_at(input.span().start, &why);
        }
        Some((_, Ok("stdin"))) => Input::Stdin,
        Some((_, Ok("opb"))) => Input::Opb,
        Some((_, Ok("wcnf"))) => Input::Wcnf,
        Some((input, other)) => {
            let why = format!("expected \"file\", \"stdin\", \"opb\" or \"wcnf\", found \"{}\"", other?);
            return document.error_at(input.span().start, &why);
        }
    };
    let parity = match entry.get("parity").map(|parity| (parity, document.as_str(parity))) {
        None | Some((_, Ok("clauses"))) => ParityInput::Clauses,
        Some((parity, Ok("lines"))) if matches!(input, Input::Opb | Input::Wcnf) => {
            let why = "parity = \"lines\" is for programs that read DIMACS; OPB and WCNF have no x lines";
            return document.error_at(parity.span().start, why);
        }
        Some((_, Ok("lines"))) => ParityInput::Lines,
        Some((parity, other)) => {
            let why = format!("expected \"clauses\" or \"lines\", found \"{}\"", other?);
            return document.error_at(parity.span().start, &why);
        }
    };
    let limits = entry.get("limits").map_or(Ok(Limits::default()), |value| limits(document, value))?;
    let statistics =
        entry.get("statistics").map_or(Ok(Statistics::None), |value| statistics(document, value))?;
    let preset = statistics.preset().ok().flatten();
    if let (Some(preset), ParityInput::Lines) = (preset.filter(|preset| !preset.reads_parity_lines), parity) {
        let (name, why) = (preset.name, preset.on_parity_lines);
        let parity = entry.get("parity").map_or(at, |parity| parity.span().start);
        let why = format!("{name} does not read parity lines (it {why}); remove parity = \"lines\"");
        return document.error_at(parity, &why);
    }
    let mut version = version_command(document, entry)?;
    if let Some(program) = version.first_mut() {
        *program = relative(document, program);
    }
    let seed = entry.get("seed").map_or(Ok(Vec::new()), |list| seed(document, list))?;
    let written = entry.get("proof").map(|value| proof(document, value, preset)).transpose()?;
    if let (Some(at), Some(ProofOutput { format, .. })) = (entry.get("proof"), &written) {
        let why = match (input, format) {
            (Input::Wcnf, _) => "programs that read WCNF write no proofs that can be checked; remove proof",
            (Input::Opb, ProofFormat::Drat | ProofFormat::Lrat) => {
                "proofs in DRAT and LRAT are for programs that read DIMACS; set format = \"veripb\", or remove proof or input"
            }
            (Input::File | Input::Stdin, ProofFormat::VeriPb) => {
                "proofs in the format of VeriPB are for programs that read OPB; set input = \"opb\" or another format"
            }
            _ => "",
        };
        if !why.is_empty() {
            return document.error_at(at.span().start, why);
        }
    }
    let (name, origin) = (name.to_owned(), document.place(at));
    Ok(Program { name, command, input, parity, limits, statistics, seed, proof: written, version, origin })
}

/// How a solver writes proofs.
fn proof(
    document: &Document<'_>,
    value: &Placed<'_>,
    preset: Option<&Preset>,
) -> Result<ProofOutput, DocumentError> {
    let table = document.as_table(value)?;
    document.check_keys(table, &["arguments", "format"])?;
    let at = |key: &str| table.get(key).map_or(value.span().start, |value| value.span().start);
    let arguments = table.get("arguments").map_or(Ok(Vec::new()), |list| strings(document, list))?;
    if !arguments.iter().any(|arg| arg.contains(PROOF)) {
        let why = format!("expected arguments with '{PROOF}' for the proof's path, such as [\"{PROOF}\"]");
        return document.error_at(at("arguments"), &why);
    }
    let format = match table.get("format").map_or(Ok("drat"), |format| document.as_str(format))? {
        "drat" => ProofFormat::Drat,
        "lrat" => ProofFormat::Lrat,
        "veripb" => ProofFormat::VeriPb,
        other => {
            let why = format!("expected \"drat\", \"lrat\" or \"veripb\", found \"{other}\"");
            return document.error_at(at("format"), &why);
        }
    };
    match preset.filter(|preset| !preset.proofs.contains(&format)) {
        None => Ok(ProofOutput { arguments, format }),
        Some(Preset { name, proofs: [], .. }) => {
            document.error_at(value.span().start, &format!("{name} writes no proofs in DRAT or LRAT"))
        }
        Some(Preset { name, .. }) => {
            document.error_at(at("format"), &format!("{name} writes no proofs in {}", format.name()))
        }
    }
}

/// The arguments that set a seed.
fn seed(document: &Document<'_>, list: &Placed<'_>) -> Result<Vec<String>, DocumentError> {
    let args = strings(document, list)?;
    if args.iter().any(|arg| arg.contains(SEED)) {
        return Ok(args);
    }
    let why = format!("expected a list of arguments with '{SEED}' for the seed, such as [\"--seed={SEED}\"]");
    document.error_at(list.span().start, &why)
}

/// The name of a preset, or a table with a regular expression for each counter.
fn statistics(document: &Document<'_>, value: &Placed<'_>) -> Result<Statistics, DocumentError> {
    if value.get_ref().is_str() {
        let statistics = Statistics::Preset(document.as_str(value)?.to_owned());
        return match statistics.preset() {
            Ok(_) => Ok(statistics),
            Err(why) => document.error_at(value.span().start, &format!("{why}; `list presets` shows them")),
        };
    }
    let Some(table) = value.get_ref().as_table() else {
        let why = "expected a preset such as \"kissat\", or a table such as { conflicts = \"REGEX\" }";
        return document.error_at(value.span().start, why);
    };
    document.check_keys(table, &Count::ALL.map(Count::name))?;
    let mut patterns = Vec::new();
    for count in Count::ALL {
        let Some(value) = table.get(count.name()) else { continue };
        let text = document.as_str(value)?;
        if let Err(why) = external::pattern(text) {
            return document.error_at(value.span().start, &why.to_string());
        }
        patterns.push((count, text.to_owned()));
    }
    if patterns.is_empty() {
        return document.error_at(value.span().start, "the table is empty; expected a regular expression");
    }
    Ok(Statistics::Patterns(patterns))
}
