//! Tables of programs and encoders: `[engine.NAME]` and `[encoding.NAME]`.

use super::{entries, limits, strings, version_command};
use crate::declared::{Declaration, FILE, Prints, placeholders};
use crate::document::{Document, DocumentError, Placed};
use crate::erased::DynProblem;
use crate::process::Limits;
use crate::registry::Registry;
use crate::spec::{nearest, suggestion};
use std::path::Path;
use toml::de::DeTable;

/// The keys of both tables.
const KEYS: &[&str] = &["problem", "command", "rules", "axes", "limits", "version"];

/// The programs and encoders that a document declares, in the order of the file.
pub(in crate::cli) fn declarations(
    document: &Document<'_>,
    registry: &Registry,
    root: &DeTable<'_>,
) -> Result<Vec<Declaration>, DocumentError> {
    let mut found = Vec::new();
    for kind in ["engine", "encoding"] {
        let reader = Reader { document, registry, is_encoding: kind == "encoding" };
        found.extend(entries(document, kind, root.get(kind), |_, name, value| reader.read(name, value))?);
    }
    Ok(found)
}

struct Reader<'a> {
    document: &'a Document<'a>,
    registry: &'a Registry,
    is_encoding: bool,
}

impl Reader<'_> {
    fn read(&self, name: &str, value: &Placed<'_>) -> Result<Declaration, DocumentError> {
        let document = self.document;
        let entry = document.as_table(value)?;
        let output: &[&str] = if self.is_encoding { &[] } else { &["output"] };
        document.check_keys(entry, &[KEYS, output].concat())?;
        let what = format!("{} {name}", if self.is_encoding { "encoding" } else { "engine" });
        let problem = self.problem(&what, entry, value)?;
        let own = problem.engines().iter().find(|info| self.is_encoding && info.name == name);
        if let Some(own) = own {
            let why =
                format!("{} already has the engine {}:{name}; use another name", problem.name(), own.side);
            return document.error_at(value.span().start, &why);
        }
        let prints = self.prints(entry)?;
        if let Some(capability) = (problem.info().lacks)(prints) {
            let json = if prints == Prints::Verdict { "; use output = \"json\"" } else { "" };
            let why = format!("{} does not support {capability}{json}", problem.name());
            return document.error_at(value.span().start, &why);
        }
        let Some(given) = entry.get("command") else {
            return document.error_at(value.span().start, &format!("{what} has no command"));
        };
        let place = given.span().start;
        let command = strings(document, given)?;
        if command.is_empty() {
            return document.error_at(place, "expected a list: the program and its arguments");
        }
        let rules = self.rules(problem, entry)?;
        let axes = entry.get("axes").map_or(Ok(Vec::new()), |axes| self.axes(axes, &rules))?;
        let ignored = if self.is_encoding { problem.info().formula_ignores } else { &[] };
        self.check_placeholders(entry, &command, (&rules, ignored), &axes)?;
        let limits = entry.get("limits").map_or(Ok(Limits::default()), |value| limits(document, value))?;
        let version = version_command(document, entry)?;
        let names = |list: Vec<(String, usize)>| list.into_iter().map(|(name, _)| name).collect();
        Ok(Declaration {
            name: name.to_owned(),
            problem: problem.name().to_owned(),
            prints,
            command,
            folder: Path::new(document.name()).parent().unwrap_or(Path::new("")).to_owned(),
            rules: names(rules),
            statuses: match prints {
                Prints::Verdict => problem.info().judge_statuses.to_vec(),
                Prints::Json | Prints::Formula => Vec::new(),
            },
            axes: axes.into_iter().map(|axis| (axis.name, axis.values)).collect(),
            limits,
            version,
            origin: document.place(place),
        })
    }

    fn problem(
        &self,
        what: &str,
        entry: &DeTable<'_>,
        value: &Placed<'_>,
    ) -> Result<&dyn DynProblem, DocumentError> {
        let Some(given) = entry.get("problem") else {
            let why = format!("{what} names no problem; add a line such as problem = \"ships\"");
            return self.document.error_at(value.span().start, &why);
        };
        let found = self.registry.find(self.document.as_str(given)?);
        found.or_else(|why| self.document.error_at(given.span().start, why.message()))
    }

    fn prints(&self, entry: &DeTable<'_>) -> Result<Prints, DocumentError> {
        match entry.get("output").map(|output| (output, self.document.as_str(output))) {
            _ if self.is_encoding => Ok(Prints::Formula),
            None | Some((_, Ok("judge"))) => Ok(Prints::Verdict),
            Some((_, Ok("json"))) => Ok(Prints::Json),
            Some((output, other)) => {
                let why = format!("expected \"judge\" or \"json\", found \"{}\"", other?);
                self.document.error_at(output.span().start, &why)
            }
        }
    }

    /// The keys of rules that the table lists, each with its position.
    fn rules(
        &self,
        problem: &dyn DynProblem,
        entry: &DeTable<'_>,
    ) -> Result<Vec<(String, usize)>, DocumentError> {
        let Some(list) = entry.get("rules") else { return Ok(Vec::new()) };
        let Some(given) = list.get_ref().as_array() else {
            return self.document.error_at(list.span().start, "expected a list of rules");
        };
        let mut rules: Vec<(String, usize)> = Vec::new();
        for rule in given.iter() {
            let (key, at) = (self.document.as_str(rule)?, rule.span().start);
            let known: Vec<String> = problem.rules().iter().map(|rule| rule.key.to_owned()).collect();
            if !known.iter().any(|name| name == key) {
                let near = nearest(key, known.iter().map(String::as_str));
                let why = format!("{} has no rule '{key}'; {}", problem.name(), suggestion(near, &known));
                return self.document.error_at(at, &why);
            }
            if rules.iter().any(|(other, _)| other == key) {
                return self.document.error_at(at, &format!("the rule '{key}' is listed twice"));
            }
            rules.push((key.to_owned(), at));
        }
        Ok(rules)
    }

    fn axes(&self, value: &Placed<'_>, rules: &[(String, usize)]) -> Result<Vec<Axis>, DocumentError> {
        let document = self.document;
        let mut axes = Vec::new();
        for (name, values) in document.as_table(value)? {
            let (at, name) = (name.span().start, name.get_ref().as_ref());
            if !is_plain(name, "-_") || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                let why = "an axis begins with a letter and contains only letters, digits, '-' and '_'";
                return document.error_at(at, why);
            }
            if rules.iter().any(|(rule, _)| rule == name) {
                return document.error_at(at, &format!("'{name}' is already the name of a rule"));
            }
            let mut texts: Vec<String> = Vec::new();
            for value in document.one_or_many(values) {
                let (at, text) = (value.span().start, document.as_scalar(value)?);
                if !is_plain(&text, "-_.+") {
                    let why = "a value of an axis contains only letters, digits, '-', '_', '.' and '+'";
                    return document.error_at(at, why);
                }
                if texts.contains(&text) {
                    return document.error_at(at, &format!("the axis {name} has the value '{text}' twice"));
                }
                texts.push(text);
            }
            if texts.is_empty() {
                return document.error_at(values.span().start, &format!("the axis {name} has no values"));
            }
            axes.push(Axis { name: name.to_owned(), values: texts, at });
        }
        axes.sort_by_key(|axis| axis.at);
        Ok(axes)
    }

    /// Checks that every placeholder stands for the file, a rule or an axis, and that every rule and axis has a
    /// placeholder. Without a placeholder, the program would not receive the value. Only the rules in `ignored` need no
    /// placeholder.
    fn check_placeholders(
        &self,
        entry: &DeTable<'_>,
        command: &[String],
        (rules, ignored): (&[(String, usize)], &[&str]),
        axes: &[Axis],
    ) -> Result<(), DocumentError> {
        let args = entry.get("command").and_then(|list| list.get_ref().as_array());
        let at = |i: usize| args.and_then(|args| args.get(i)).map_or(0, |arg| arg.span().start);
        let rules = rules.iter().map(|(rule, at)| ("rule", rule, *at));
        let known: Vec<_> = axes.iter().map(|axis| ("axis", &axis.name, axis.at)).chain(rules).collect();
        if let Some(name) = placeholders(&command[0]).next() {
            let why = format!("the name of the program cannot contain a placeholder, such as '{{{name}}}'");
            return self.document.error_at(at(0), &why);
        }
        for (i, arg) in command.iter().enumerate() {
            let is_known = |name: &&str| name.is_empty() || known.iter().any(|(_, other, _)| other == name);
            if let Some(name) = placeholders(arg).find(|name| !is_known(name)) {
                let names: Vec<String> = known.iter().map(|(_, name, _)| format!("{{{name}}}")).collect();
                let names = [vec![FILE.to_owned()], names].concat();
                let near = nearest(&format!("{{{name}}}"), names.iter().map(String::as_str));
                let hint = suggestion(near, &names);
                let why = format!("'{{{name}}}' is not a rule or an axis of this table; {hint}");
                return self.document.error_at(at(i), &why);
            }
        }
        let is_unused = |name: &str| command.iter().all(|arg| placeholders(arg).all(|other| other != name));
        let is_needed = |kind: &str, name: &str| kind == "axis" || !ignored.contains(&name);
        match known.iter().find(|(kind, name, _)| is_unused(name) && is_needed(kind, name)) {
            Some((kind, name, at)) => {
                let depends = match self.is_encoding && *kind == "rule" {
                    true => "; the formula depends on this rule",
                    false => "",
                };
                let why = format!(
                    "the {kind} '{name}' has no placeholder; write {{{name}}} in the command{depends}"
                );
                self.document.error_at(*at, &why)
            }
            None => Ok(()),
        }
    }
}

/// An axis with its values and its position.
struct Axis {
    name: String,
    values: Vec<String>,
    at: usize,
}

/// Whether a text is not empty and consists of ASCII letters, digits and these other characters.
fn is_plain(text: &str, others: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}
