//! Helpers for tests of verdicts and formulas that come from other people's programs.

#![allow(dead_code, reason = "each test file uses a part")]
use crate::python::interpreter;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::errors::{FormatError, Unsupported};
use counterpoint::export::{self, Format, Head};
use counterpoint::named;
use counterpoint::problem::{Agreement, Engine, Problem};
use counterpoint::spec::EngineSpec;
use counterpoint_encodings::Sink;
use std::io::Write;
use std::process::{Command, Stdio};

/// The answer that a verdict stands for.
pub(crate) fn verdict<P: Problem>(
    rules: &P::Rules,
    instance: &P::Instance,
    text: &str,
) -> Result<P::Answer, FormatError> {
    P::OUTSIDE.read_verdict.unwrap()(rules, instance, text.as_bytes())
}

/// What the judge expects for game 1.
pub(crate) fn judge_text<P: Problem>(instance: &P::Instance, answer: &P::Answer) -> String {
    let mut text = Vec::new();
    P::write(1, instance, answer, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Reads the judge's text of an answer as a verdict, which must have the same outcome. The verdict must survive a
/// round trip through JSON, and must have an explanation.
pub(crate) fn read_back<P: Problem>(
    rules: &P::Rules,
    instance: &P::Instance,
    answer: &P::Answer,
) -> P::Answer {
    let text = judge_text::<P>(instance, answer);
    let read = verdict::<P>(rules, instance, &format!("{text} \n\n")).unwrap();
    assert_eq!(judge_text::<P>(instance, &read), text);
    assert_eq!(P::outcome(&read), P::outcome(answer), "{text}");
    assert_eq!(P::agree(&read, answer), Agreement::Same, "{text}");
    assert_eq!(P::agree(answer, &read), Agreement::Same, "{text}");
    let json = P::to_json(instance, &read);
    let restored = P::from_json(instance, &json).unwrap();
    assert_eq!(P::to_json(instance, &restored), json);
    assert_eq!(judge_text::<P>(instance, &restored), text);
    let explanation = P::EXPLAIN.unwrap()(rules, instance, &read, &mut Budget::unlimited());
    let boards = explanation.boards;
    assert!(!explanation.text.is_empty() && boards.panels.len() + boards.lines.len() > 0, "{text}");
    read
}

/// The engine with this spec.
pub(crate) fn engine<P: Problem>(spec: &EngineSpec) -> &'static Engine<P> {
    P::ENGINES.iter().find(|e| e.info.side == spec.side && e.info.name == spec.name).unwrap()
}

/// A formula of an engine of ours.
struct Own<'a, P: Problem>(&'a P::Rules, &'a P::Instance, &'a EngineSpec);

impl<P: Problem> export::Formula for Own<'_, P> {
    fn clauses(&self, sink: &mut dyn Sink) -> Result<(), Unsupported> {
        let Own(rules, instance, spec) = self;
        (engine::<P>(spec).formula.unwrap())(rules, instance, spec, sink)
    }
}

/// The formula of an engine of ours, as `encode` prints it.
pub(crate) fn printed<P: Problem>(rules: &P::Rules, instance: &P::Instance, spec: &EngineSpec) -> Vec<u8> {
    let mut file = Vec::new();
    export::write(Format::Cnf, &Head::default(), &Own::<P>(rules, instance, spec), &mut file).unwrap();
    file
}

/// Solves an instance by the formula that an encoder printed. A formula that cannot be read is a failure.
pub(crate) fn solve_printed<P: Problem>(
    rules: &P::Rules,
    instance: &P::Instance,
    printed: &[u8],
    spec: &EngineSpec,
) -> Outcome<P::Answer> {
    match named::parse(printed) {
        Ok(formula) => {
            let solve = P::OUTSIDE.solve_named.unwrap();
            solve(rules, instance, &formula, spec, &mut Budget::unlimited())
        }
        Err(bad) => Outcome::Failed(bad.to_string()),
    }
}

/// What an encoder of `tests/encoders` prints, or the message of its failure. `None` if there is no python3.
pub(crate) fn encoder(name: &str, fault: &str, input: &str) -> Option<Result<Vec<u8>, String>> {
    let file = format!("{}/tests/encoders/{name}.py", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(interpreter()?);
    command.args(["-SEB", &file]).args((!fault.is_empty()).then_some(fault));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    // An encoder that ends early closes its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Some(match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    })
}
