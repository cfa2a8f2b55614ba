//! `plan.toml` to a plan. Every error names file, line and column, and the nearest that there is.

use super::{Family, Keep, Plan, Source, report_spec};
use crate::document::{Document, Placed};
use crate::erased::DynProblem;
use crate::record::Limits;
use crate::registry::Registry;
use crate::rules::{Load, Settings};
use crate::solver::SolverRegistry;
use crate::solver::external::Program;
use crate::spec::{self, EngineSpec, nearest, suggestion};
use itertools::Itertools;
use std::time::Duration;
use toml::de::DeTable;

const KEYS: &[&str] = &[
    "problem",
    "engines",
    "rules",
    "limits",
    "repetitions",
    "shuffles",
    "certify",
    "keep",
    "order_seed",
    "family",
    "solver",
    report_spec::KEYS[0],
    report_spec::KEYS[1],
    report_spec::KEYS[2],
];

/// Keys of a family that are not parameters of its generator.
const OWN_KEYS: &[&str] = &["name", "file", "seeds", "engines"];

/// CPU time of a run if the plan says nothing.
const DEFAULT_CPU: Duration = Duration::from_secs(60);

/// Wall time of a run if the plan says nothing: so many times its CPU time, and so much.
const DEFAULT_WALL: (f64, f64) = (10.0, 10.0);

/// The most values that a range may have, and the most combinations of several.
const MAX_VALUES: u64 = 1_000_000;

/// What a plan is read with.
pub struct Reading<'a> {
    /// All problems.
    pub registry: &'a Registry,
    /// Reads a file that a rule names, by its path as the plan gives it.
    pub rule: Load<'a>,
    /// Reads a file of instances.
    pub games: Load<'a>,
    /// The outside solvers that the plan's table `solver` defines.
    pub programs: &'a Programs<'a>,
    /// All solvers, those among them.
    pub solvers: &'a dyn Fn(&[Program]) -> SolverRegistry,
}

/// Reads the table of outside solvers.
pub type Programs<'a> = dyn Fn(&Document<'_>, Option<&Placed<'_>>) -> Result<Vec<Program>, String> + 'a;

/// Reads a plan from a document.
///
/// # Errors
/// What is wrong, where, and what would be right.
pub fn read(document: &Document<'_>, with: &Reading<'_>) -> Result<Plan, String> {
    let root = document.table()?;
    let table = root.get_ref();
    document.only(table, KEYS)?;
    let Some(name) = table.get("problem") else {
        return document.wrong(0, "a plan needs a problem, such as problem = \"ships\"");
    };
    let at = name.span().start;
    let problem = with.registry.find(document.as_str(name)?).or_else(|why| document.wrong(at, &why))?;
    let programs = (with.programs)(document, table.get("solver"))?;
    let solvers = (with.solvers)(&programs);
    let reader = Reader { document, problem, solvers, with };
    let engines = match table.get("engines") {
        Some(value) => reader.engines(value)?,
        None => spec::resolve(problem.engines(), &reader.solvers, "search,sat")?,
    };
    let families = match table.get("family") {
        None => return document.wrong(0, "a plan needs instances: a [[family]] with a name or a file"),
        Some(value) => {
            let many = document.one_or_many(value);
            if many.is_empty() {
                return document.wrong(value.span().start, "no family at all");
            }
            many.into_iter().map(|value| reader.family(value, &engines)).collect::<Result<Vec<_>, _>>()?
        }
    };
    let number = |key: &str, least: u64, default: u32| match table.get(key) {
        None => Ok(default),
        Some(value) => {
            let number = document.as_number(value, least)?;
            u32::try_from(number).or_else(|_| document.wrong(value.span().start, "that is too many"))
        }
    };
    Ok(Plan {
        problem: problem.name().to_owned(),
        rules: reader.rules(table.get("rules"))?,
        limits: reader.limits(table.get("limits"))?,
        repetitions: number("repetitions", 1, 1)?,
        shuffles: number("shuffles", 0, 0)?,
        certify: table.get("certify").map_or(Ok(false), |value| document.as_bool(value))?,
        keep: table.get("keep").map_or(Ok(Keep::Sample), |value| reader.keep(value))?,
        order_seed: table.get("order_seed").map_or(Ok(1), |value| document.as_number(value, 0))?,
        families,
        report_spec: reader.report_spec(table)?,
        programs,
    })
}

pub(super) struct Reader<'a> {
    pub(super) document: &'a Document<'a>,
    problem: &'a dyn DynProblem,
    solvers: SolverRegistry,
    with: &'a Reading<'a>,
}

impl Reader<'_> {
    fn keep(&self, value: &Placed<'_>) -> Result<Keep, String> {
        match self.document.as_str(value)? {
            "none" => Ok(Keep::None),
            "sample" => Ok(Keep::Sample),
            "all" => Ok(Keep::All),
            other => {
                let why = format!("keep is 'none', 'sample' or 'all', not '{other}'");
                self.document.wrong(value.span().start, &why)
            }
        }
    }

    pub(super) fn engines(&self, value: &Placed<'_>) -> Result<Vec<EngineSpec>, String> {
        let mut found: Vec<EngineSpec> = Vec::new();
        for pattern in self.document.one_or_many(value) {
            let text = self.document.as_str(pattern)?;
            let named = spec::resolve(self.problem.engines(), &self.solvers, text);
            found.extend(named.or_else(|why| self.document.wrong(pattern.span().start, &why))?);
        }
        if found.is_empty() {
            return self.document.wrong(value.span().start, "no engine at all");
        }
        Ok(found.into_iter().unique().collect())
    }

    /// Every combination of the values of a table, in the order in which its keys are written.
    fn combinations(&self, table: &DeTable<'_>, but: &[&str]) -> Result<Vec<Vec<(String, String)>>, String> {
        let keys = table.iter().filter(|(key, _)| !but.contains(&key.get_ref().as_ref()));
        let axes = keys.sorted_by_key(|(key, _)| key.span().start).map(|(key, value)| {
            let values = self.all_values(value)?.into_iter();
            Ok(values.map(|value| (key.get_ref().to_string(), value)).collect::<Vec<_>>())
        });
        let axes = axes.collect::<Result<Vec<_>, String>>()?;
        if axes.is_empty() {
            return Ok(vec![Vec::new()]);
        }
        let count = axes.iter().try_fold(1u64, |count, axis| count.checked_mul(axis.len() as u64));
        if count.is_none_or(|count| count > MAX_VALUES) {
            let at = table.keys().map(|key| key.span().start).min().unwrap_or(0);
            return self.document.wrong(at, &format!("these have more than {MAX_VALUES} combinations"));
        }
        Ok(axes.into_iter().multi_cartesian_product().collect())
    }

    pub(super) fn all_values(&self, value: &Placed<'_>) -> Result<Vec<String>, String> {
        let mut values = Vec::new();
        for value in self.document.one_or_many(value) {
            values.extend(self.values(value)?);
        }
        if values.is_empty() {
            return self.document.wrong(value.span().start, "an empty list leaves nothing to run");
        }
        Ok(values)
    }

    /// The values that a word stands for: a range's, or itself.
    fn values(&self, value: &Placed<'_>) -> Result<Vec<String>, String> {
        let word = self.document.as_word(value)?;
        match range(&word) {
            None => Ok(vec![word]),
            Some(Ok(values)) => Ok(values.map(|n| n.to_string()).collect()),
            Some(Err(why)) => self.document.wrong(value.span().start, &why),
        }
    }

    fn rules(&self, value: Option<&Placed<'_>>) -> Result<Vec<Settings>, String> {
        let given = match value {
            None => vec![Vec::new()],
            Some(value) => self.combinations(self.document.as_table(value)?, &[])?,
        };
        let settings = given.iter().map(|pairs| Settings::new(self.problem.rules(), pairs, self.with.rule));
        let at = value.map_or(0, |value| value.span().start);
        settings.map(|settings| settings.or_else(|why| self.document.wrong(at, &why))).collect()
    }

    fn limits(&self, value: Option<&Placed<'_>>) -> Result<Vec<Limits>, String> {
        let usual = |cpu_s: Option<f64>, wall_s: Option<f64>| {
            let cpu_s = cpu_s.unwrap_or(DEFAULT_CPU.as_secs_f64());
            let wall_s = wall_s.unwrap_or(DEFAULT_WALL.0 * cpu_s + DEFAULT_WALL.1);
            Limits { cpu_s: Some(cpu_s), wall_s: Some(wall_s), ..Limits::default() }
        };
        let Some(value) = value else { return Ok(vec![usual(None, None)]) };
        let one = |value: &Placed<'_>| {
            let table = self.document.as_table(value)?;
            self.document.only(table, &["cpu", "wall", "memory", "work"])?;
            let time = |key: &str| {
                let time = table.get(key).map(|value| self.document.as_duration(value));
                Ok::<_, String>(time.transpose()?.map(|time| time.as_secs_f64()))
            };
            Ok(Limits {
                memory_bytes: table.get("memory").map(|v| self.document.as_bytes(v)).transpose()?,
                work: table.get("work").map(|v| self.document.as_number(v, 0)).transpose()?,
                ..usual(time("cpu")?, time("wall")?)
            })
        };
        let all = self.document.one_or_many(value);
        if all.is_empty() {
            return self.document.wrong(value.span().start, "an empty list leaves nothing to run");
        }
        all.into_iter().map(one).collect()
    }

    fn family(&self, value: &Placed<'_>, engines: &[EngineSpec]) -> Result<Family, String> {
        let table = self.document.as_table(value)?;
        let at = value.span().start;
        let source = match (table.get("name"), table.get("file")) {
            (Some(name), None) => self.generated(name, table)?,
            (None, Some(file)) => self.file(file, table)?,
            _ => return self.document.wrong(at, "a family has either a name or a file"),
        };
        let engines =
            table.get("engines").map_or_else(|| Ok(engines.to_vec()), |value| self.engines(value))?;
        Ok(Family { source, engines, place: self.document.place(at) })
    }

    fn generated(&self, name: &Placed<'_>, table: &DeTable<'_>) -> Result<Source, String> {
        let family = self.document.as_str(name)?;
        let families = &self.problem.info().families;
        let Some(listed) = families.iter().find(|listed| listed.name == family) else {
            let names: Vec<_> = families.iter().map(|listed| listed.name.to_owned()).collect();
            let near = nearest(family, names.iter().map(String::as_str));
            let why = format!("no family is called '{family}'; {}", suggestion(near, &names));
            return self.document.wrong(name.span().start, &why);
        };
        let own = ["name", "seeds", "engines"].into_iter();
        let keys: Vec<&str> = own.chain(listed.params.iter().map(|(key, _)| *key)).collect();
        self.document.only(table, &keys)?;
        let seeds = match table.get("seeds") {
            None => vec![1],
            Some(value) => {
                let wrong = "a seed is a whole number, or a range such as \"1..=50\"";
                let seed =
                    |word: String| word.parse().or_else(|_| self.document.wrong(value.span().start, wrong));
                self.all_values(value)?.into_iter().map(seed).collect::<Result<_, _>>()?
            }
        };
        Ok(Source::Generated { name: family.to_owned(), params: self.combinations(table, OWN_KEYS)?, seeds })
    }

    fn file(&self, file: &Placed<'_>, table: &DeTable<'_>) -> Result<Source, String> {
        self.document.only(table, &["file", "engines"])?;
        let name = self.document.as_str(file)?;
        let text = (self.with.games)(name).or_else(|why| self.document.wrong(file.span().start, &why))?;
        Ok(Source::File { name: name.to_owned(), text })
    }
}

/// `1..=50` or `1..50`, perhaps `by 5`; nothing if the word is no range.
fn range(word: &str) -> Option<Result<impl Iterator<Item = u64> + use<>, String>> {
    let (bounds, step) = word.split_once(" by ").map_or((word, "1"), |(bounds, step)| (bounds, step.trim()));
    let (first, last, inclusive) = match bounds.split_once("..=") {
        Some((first, last)) => (first, last, true),
        None => bounds.split_once("..").map(|(first, last)| (first, last, false))?,
    };
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let (first, last, step) = (number(first)?, number(last)?, number(step)?);
    let end = if inclusive { last.checked_add(1)? } else { last };
    Some(match end.saturating_sub(first).div_ceil(step.max(1)) {
        0 => Err(format!("the range {word} is empty")),
        _ if step == 0 => Err(format!("the range {word} never ends")),
        n if n > MAX_VALUES => Err(format!("the range {word} has more than {MAX_VALUES} values")),
        n => Ok((0..n).map(move |i| first + i * step)),
    })
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges_are_whole_numbers() {
        let values = |word: &str| range(word).map(|found| found.map(|values| values.collect::<Vec<_>>()));
        assert_eq!(values("3..=5"), Some(Ok(vec![3, 4, 5])));
        assert_eq!(values("3..5"), Some(Ok(vec![3, 4])));
        assert_eq!(values("4..=13 by 4"), Some(Ok(vec![4, 8, 12])));
        assert_eq!(values("plus"), None);
        assert_eq!(values("0.5"), None);
        assert_eq!(values("5..5"), Some(Err("the range 5..5 is empty".to_owned())));
        assert!(values("1..=3 by 0").is_some_and(|found| found.is_err()));
        assert!(values("0..=9999999999").is_some_and(|found| found.is_err()));
    }
}
