//! Reads `plan.toml`. Every error gives `FILE:LINE:COLUMN`. If a name is unknown, the error gives the nearest known
//! name, or a list of all known names.

use super::expand::seeds;
use super::reader::{ReadContext, Reader};
use super::{Family, Found, Keep, Plan, Source, cubes, report_spec, slurm};
use crate::declared::{Declaration, Prints};
use crate::document::{Document, DocumentError, Placed};
use crate::erased::DynProblem;
use crate::errors::UnknownName;
use crate::record::Limits;
use crate::rules::Settings;
use crate::spec::{self, EngineSpec, nearest, suggestion};
use itertools::iproduct;
use std::cell::Cell;
use std::time::Duration;
use toml::de::DeTable;

/// The keys of a plan.
const KEYS: &[&str] = &[
    "problem",
    "engines",
    "rules",
    "limits",
    "repetitions",
    "shuffles",
    "solver_seeds",
    "cubes",
    "certify",
    "keep",
    "pin",
    "order_seed",
    "slurm",
    "family",
    "tags",
    "solver",
    "engine",
    "encoding",
    report_spec::KEYS[0],
    report_spec::KEYS[1],
    report_spec::KEYS[2],
    report_spec::KEYS[3],
];

/// The keys of a family that are not parameters of its generator.
const FAMILY_KEYS: &[&str] = &["name", "file", "files", "seeds", "rules", "engines", "tags"];

/// The limit on the CPU time of a run if the plan gives none.
const DEFAULT_CPU: Duration = Duration::from_secs(60);

/// If the plan gives no limit on wall time, that limit is this factor times the limit on CPU time, plus this many
/// seconds.
const DEFAULT_WALL: (f64, f64) = (10.0, 10.0);

/// Why a plan is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A part of the plan is wrong.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The plan names no engines, and the problem lacks the default engines.
    #[error(transparent)]
    Engines(#[from] UnknownName),
}

/// Refuses programs and encoders that the plan declares for other problems than its own.
fn same_problem(
    document: &Document<'_>,
    table: &DeTable<'_>,
    declared: &[Declaration],
    problem: &dyn DynProblem,
) -> Result<(), PlanError> {
    for kind in ["engine", "encoding"] {
        let Some(entries) = table.get(kind) else { continue };
        for (name, entry) in document.as_table(entries)? {
            let is_named = |other: &&Declaration| {
                other.name == *name.get_ref() && (other.prints == Prints::Formula) == (kind == "encoding")
            };
            if let Some(other) =
                declared.iter().find(is_named).filter(|other| other.problem != problem.name())
            {
                let why = format!(
                    "{kind} {} is for {}, but the plan is for {}",
                    name.get_ref(),
                    other.problem,
                    problem.name()
                );
                return Err(document.error(entry.span().start, &why).into());
            }
        }
    }
    Ok(())
}

/// Reads a plan from a document.
///
/// # Errors
/// Returns an error if the plan is invalid. The message says where, what was found, and what was expected.
pub fn read(document: &Document<'_>, context: &ReadContext<'_>) -> Result<Plan, PlanError> {
    let root = document.table()?;
    let table = root.get_ref();
    document.check_keys(table, KEYS)?;
    let Some(name) = table.get("problem") else {
        return Err(document.error(0, "a plan needs a problem, such as problem = \"ships\"").into());
    };
    let at = name.span().start;
    let problem =
        context.registry.find(document.as_str(name)?).or_else(|why| document.error_at(at, why.message()))?;
    let programs = (context.read_programs)(document, table.get("solver"))?;
    let solvers = (context.solvers)(&programs);
    let declared = (context.read_declared)(document, table)?;
    same_problem(document, table, &declared, problem)?;
    let engines = (context.engines)(problem, &declared);
    let reader = Reader { document, problem, solvers, engines, context, listed: Cell::default() };
    let engines = match table.get("engines") {
        Some(value) => reader.engines(value)?,
        None => spec::resolve(&reader.engines, &reader.solvers, "search,sat")?,
    };
    let families = match table.get("family") {
        None => {
            return Err(document
                .error(0, "a plan needs instances: a [[family]] with a name or a file")
                .into());
        }
        Some(value) => {
            let families = document.one_or_many(value);
            if families.is_empty() {
                return Err(document.error(value.span().start, "the list of families is empty").into());
            }
            let rules = table.get("rules");
            let family = |value| reader.family(value, &engines, rules);
            families.into_iter().map(family).collect::<Result<Vec<_>, _>>()?
        }
    };
    let number = |key: &str, min: u64, default: u32| match table.get(key) {
        None => Ok(default),
        Some(value) => {
            let number = document.as_number(value, min)?;
            u32::try_from(number)
                .or_else(|_| document.error_at(value.span().start, "the number is too large"))
        }
    };
    let solver_seeds = number("solver_seeds", 0, 0)?;
    let accepts = |engine: &EngineSpec| seeds(&programs, engine, 1) > 0;
    if let Some(value) = table.get("solver_seeds").filter(|_| solver_seeds > 0)
        && !families.iter().flat_map(|family| &family.engines).any(accepts)
    {
        let why =
            "no solver of this plan accepts a seed; add seed = [\"--seed={}\"] to a table [solver.NAME]";
        return Err(document.error(value.span().start, why).into());
    }
    let shuffles = number("shuffles", 0, 0)?;
    let cubes = cubes::read(document, table.get("cubes"), &families, shuffles)?;
    Ok(Plan {
        problem: problem.name().to_owned(),
        rules: reader.rules(table.get("rules"))?,
        limits: reader.limits(table.get("limits"))?,
        sets_cpu_limit: table.get("limits").is_some_and(|value| {
            let has_cpu =
                |value: &Placed<'_>| document.as_table(value).is_ok_and(|table| table.contains_key("cpu"));
            document.one_or_many(value).into_iter().all(has_cpu)
        }),
        repetitions: number("repetitions", 1, 1)?,
        shuffles,
        solver_seeds,
        cubes,
        certify: table.get("certify").map_or(Ok(false), |value| document.as_bool(value))?,
        keep: table.get("keep").map_or(Ok(Keep::Sample), |value| reader.keep(value))?,
        pin: table.get("pin").map_or(Ok(false), |value| document.as_bool(value))?,
        order_seed: table.get("order_seed").map_or(Ok(1), |value| document.as_number(value, 0))?,
        engine_tags: reader.engine_tags(table.get("tags"), &families)?,
        families,
        slurm: table.get("slurm").map(|value| slurm(document, value)).transpose()?,
        report_spec: reader.report_spec(table)?,
        programs,
        declared,
    })
}

impl Reader<'_> {
    fn keep(&self, value: &Placed<'_>) -> Result<Keep, DocumentError> {
        match self.document.as_str(value)? {
            "none" => Ok(Keep::None),
            "sample" => Ok(Keep::Sample),
            "all" => Ok(Keep::All),
            other => {
                let why = format!("expected 'none', 'sample' or 'all', found '{other}'");
                self.document.error_at(value.span().start, &why)
            }
        }
    }

    fn rules(&self, value: Option<&Placed<'_>>) -> Result<Vec<Settings>, DocumentError> {
        let given = match value {
            None => vec![Vec::new()],
            Some(value) => self.combinations(self.document.as_table(value)?, &[])?,
        };
        self.settings(&given, value.map_or(0, |value| value.span().start))
    }

    /// The rules of a family that has rules of its own, and those of the plan that the family does not set.
    fn family_rules(
        &self,
        own: &Placed<'_>,
        of_plan: Option<&Placed<'_>>,
    ) -> Result<Vec<Settings>, DocumentError> {
        let table = self.document.as_table(own)?;
        let keys: Vec<&str> = table.iter().map(|(key, _)| key.get_ref().as_ref()).collect();
        let shared = match of_plan {
            None => vec![Vec::new()],
            Some(value) => self.combinations(self.document.as_table(value)?, &keys)?,
        };
        let own_values = self.combinations(table, &[])?;
        let values = (shared.len() as u64).saturating_mul(own_values.len() as u64);
        self.count(values.saturating_mul(table.len() as u64 + 1), own.span().start)?;
        let both = iproduct!(shared, own_values).map(|(shared, own)| [shared, own].concat());
        self.settings(&both.collect::<Vec<_>>(), own.span().start)
    }

    /// The settings with these values. An error is about the position `at`.
    fn settings(&self, given: &[Vec<(String, String)>], at: usize) -> Result<Vec<Settings>, DocumentError> {
        let settings =
            given.iter().map(|pairs| Settings::new(self.problem.rules(), pairs, self.context.load_rule));
        settings.map(|settings| settings.or_else(|why| self.document.error_at(at, why.message()))).collect()
    }

    fn limits(&self, value: Option<&Placed<'_>>) -> Result<Vec<Limits>, DocumentError> {
        let with_defaults = |cpu_s: Option<f64>, wall_s: Option<f64>| {
            let cpu_s = cpu_s.unwrap_or(DEFAULT_CPU.as_secs_f64());
            let wall_s = wall_s.unwrap_or(DEFAULT_WALL.0 * cpu_s + DEFAULT_WALL.1);
            Limits { cpu_s: Some(cpu_s), wall_s: Some(wall_s), ..Limits::default() }
        };
        let Some(value) = value else { return Ok(vec![with_defaults(None, None)]) };
        let one = |value: &Placed<'_>| {
            let table = self.document.as_table(value)?;
            self.document.check_keys(table, &["cpu", "wall", "proof", "memory", "work"])?;
            let time = |key: &str| {
                let time = table.get(key).map(|value| self.document.as_time_limit(value));
                Ok::<_, DocumentError>(time.transpose()?.map(|time| time.as_secs_f64()))
            };
            Ok(Limits {
                proof_s: time("proof")?,
                memory_bytes: table.get("memory").map(|v| self.document.as_memory_limit(v)).transpose()?,
                work: table.get("work").map(|v| self.document.as_number(v, 1)).transpose()?,
                ..with_defaults(time("cpu")?, time("wall")?)
            })
        };
        let all = self.document.one_or_many(value);
        if all.is_empty() {
            return self
                .document
                .error_at(value.span().start, "the list is empty; a plan needs at least one value here");
        }
        all.into_iter().map(one).collect()
    }

    fn family(
        &self,
        value: &Placed<'_>,
        engines: &[EngineSpec],
        rules: Option<&Placed<'_>>,
    ) -> Result<Family, DocumentError> {
        let table = self.document.as_table(value)?;
        let at = value.span().start;
        let source = match (table.get("name"), table.get("file"), table.get("files")) {
            (Some(name), None, None) => self.generated(name, table)?,
            (None, Some(file), None) => self.file(file, table)?,
            (None, None, Some(patterns)) => self.files(patterns, table)?,
            _ => return self.document.error_at(at, "a family has either a name, a file, or files"),
        };
        let engines =
            table.get("engines").map_or_else(|| Ok(engines.to_vec()), |value| self.engines(value))?;
        let tags = table.get("tags").map_or(Ok(Vec::new()), |value| self.words(value))?;
        let own = table.get("rules").map(|own| self.family_rules(own, rules)).transpose()?;
        Ok(Family { source, rules: own, engines, tags, place: self.document.place(at) })
    }

    fn generated(&self, name: &Placed<'_>, table: &DeTable<'_>) -> Result<Source, DocumentError> {
        let family = self.document.as_str(name)?;
        let families = &self.problem.info().families;
        let Some(listed) = families.iter().find(|listed| listed.name == family) else {
            let names: Vec<_> = families.iter().map(|listed| listed.name.to_owned()).collect();
            let near = nearest(family, names.iter().map(String::as_str));
            let why = format!("no family is called '{family}'; {}", suggestion(near, &names));
            return self.document.error_at(name.span().start, &why);
        };
        let fixed = ["name", "seeds", "rules", "engines", "tags"].into_iter();
        let keys: Vec<&str> = fixed.chain(listed.params.iter().map(|param| param.key)).collect();
        self.document.check_keys(table, &keys)?;
        let seeds = match table.get("seeds") {
            None => vec![1],
            Some(value) => {
                let message = "a seed is a whole number, or a range such as \"1..=50\"";
                let seed = |word: String| {
                    word.parse().or_else(|_| self.document.error_at(value.span().start, message))
                };
                self.all_values(value)?.into_iter().map(seed).collect::<Result<_, _>>()?
            }
        };
        Ok(Source::Generated {
            name: family.to_owned(),
            params: self.combinations(table, FAMILY_KEYS)?,
            seeds,
        })
    }

    fn file(&self, file: &Placed<'_>, table: &DeTable<'_>) -> Result<Source, DocumentError> {
        self.document.check_keys(table, &["file", "rules", "engines", "tags"])?;
        let name = self.document.as_str(file)?;
        let text = (self.context.load_games)(name)
            .or_else(|why| self.document.error_at(file.span().start, why.message()))?;
        Ok(Source::File { name: name.to_owned(), text })
    }

    fn files(&self, patterns: &Placed<'_>, table: &DeTable<'_>) -> Result<Source, DocumentError> {
        self.document.check_keys(table, &["files", "rules", "engines", "tags"])?;
        if !self.problem.info().has_files {
            let why = format!(
                "an instance of {} is not a whole file; expected file = \"NAME\", which takes all games of a file",
                self.problem.name()
            );
            return self.document.error_at(patterns.span().start, &why);
        }
        let patterns = self.document.one_or_many(patterns).into_iter().map(|placed| {
            let pattern = self.document.as_str(placed)?;
            let files = (self.context.find_files)(pattern);
            let files = files.or_else(|why| self.document.error_at(placed.span().start, &why.to_string()))?;
            Ok(Found { pattern: pattern.to_owned(), files })
        });
        Ok(Source::Files(patterns.collect::<Result<_, DocumentError>>()?))
    }
}
