//! A test double: a small problem whose question is whether a number is even.

use crate::claim::Claim;
use crate::engine::{Budget, EngineInfo, Outcome};
use crate::errors::{FormatError, RulesError};
use crate::input::{Source, Warnings};
use crate::problem::{Engine, Family, Param, Problem, Reader, Scope, reader};
use crate::proof::Proof;
use crate::rules::Settings;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Is the number even?
pub(crate) struct Parity;

impl Problem for Parity {
    type Rules = ();
    type Instance = u32;
    type Answer = bool;
    const NAME: &'static str = "parity";
    const ABOUT: &'static str = "is the number even?";
    const SAMPLE: &'static str = "4\n";
    const ENGINES: &'static [Engine<Self>] = &[Engine {
        info: EngineInfo::search("remainder", "divides the number by two and looks at the remainder"),
        supports: |(), _, _| Ok(()),
        start: || Box::new(|(), n, _, _| Outcome::Decided(n.is_multiple_of(2))),
        formula: None,
    }];
    const FAMILIES: &'static [Family<Self>] = &[Family {
        name: "number",
        about: "the number n, the same for every seed",
        params: &[Param::number("n", 8.0, 0.0, 1e6)],
        make: |(), params, _| Ok(params.whole("n")),
    }];

    fn rules(_: &Settings) -> Result<(), RulesError> {
        Ok(())
    }
    fn read<'a>((): (), _: Scope, mut source: Source<'a>, _: &'a Warnings) -> Reader<'a, u32> {
        reader(move || Ok(source.next_nonblank()?.and_then(|line| line.tokens().next()?.number())))
    }
    fn write_instance((): &(), n: &u32) -> String {
        format!("{n}\n")
    }
    fn write(_: usize, _: &u32, answer: &bool, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{answer}")
    }
    fn outcome(answer: &bool) -> String {
        if *answer { "even" } else { "odd" }.to_owned()
    }
    fn to_json(_: &u32, answer: &bool) -> Map<String, Value> {
        Map::from_iter([("even".to_owned(), json!(answer))])
    }
    fn from_json(_: &u32, json: &Map<String, Value>) -> Result<bool, FormatError> {
        json.get("even").and_then(Value::as_bool).ok_or_else(|| "\"even\" is missing".into())
    }
    fn check((): &(), n: &u32, answer: &bool, _: &[Proof], _: &mut Budget) -> Vec<Claim> {
        let holds = n.is_multiple_of(2) == *answer;
        vec![Claim::replayed(Self::outcome(answer), if holds { Ok(()) } else { Err("it is not".to_owned()) })]
    }
}
