//! The plan that `counterpoint new` writes: complete, with comments, and small enough to run at once.

use crate::engine::Side;
use crate::erased::DynProblem;
use std::fmt::Write as _;

/// The text of a plan for a problem.
pub fn template(problem: &dyn DynProblem) -> String {
    let engines = problem.engines();
    let of = |side: Side| engines.iter().find(move |engine| engine.side == side);
    let ids: Vec<String> = [Side::Search, Side::Sat]
        .into_iter()
        .filter_map(|side| Some(format!("\"{side}:{}\"", of(side)?.name)))
        .collect();
    let mut text = format!(
        "# The engines to compare. `counterpoint list engines {name}` lists them all. A pattern such as
# \"sat:*/amo=*@{{varisat,batsat}}\" matches several.
problem = \"{name}\"
engines = [{}]

# Rules other than the judge's; `counterpoint list rules {name}` lists them all. If a value is a list, all runs are
# made with each of its elements.
# rules = {{ KEY = \"VALUE\" }}

# Limits on each run: `cpu` and `wall` time of building the formula and solving it, `memory`, and `work` in nodes
# plus conflicts. The default of `cpu` is 60s; that of `wall` is ten times `cpu`, plus 10s. `proof` limits the CPU
# time of proving and checking; its default is the value of `cpu`, but at least 10s.
limits = {{ cpu = \"2s\", memory = \"2GiB\" }}

# The number of times that each run is made, and the number of shuffles of its formula that a SAT engine solves in
# addition. Shuffles show the run-to-run variance.
repetitions = 1
shuffles = 0

# Prove by SAT the claims that the checker would otherwise recompute or leave open: true or false.
certify = false

# Which answers the records keep, in addition to those that are not checked: \"none\", \"sample\" or \"all\".
keep = \"sample\"

# Pin each run to a processor core of its own, so that runs do not move between cores: true or false.
pin = false

# The seed of the order of the runs.
order_seed = 1
",
        ids.join(", "),
        name = problem.name(),
    );
    let files = match problem.info().has_files {
        true => "`files = \"bench/**/*\"` takes each file below a folder beside the plan.",
        false => "`file = \"games.txt\"` takes all games of a file beside the plan.",
    };
    match problem.info().families.first() {
        Some(family) => {
            let name = problem.name();
            let _ = write!(
                text,
                "
# Instances: a family of `counterpoint list families {name}` with its parameters. If a parameter is a list or
# a range such as \"4..=16 by 4\", instances are made for each of its values. If a family has `w` and `h`, they
# override `n` unless they are 0. Add a [[family]] for each further family. In place of `name` and parameters,
# {files}
# `tags = [\"WORD\"]` attaches words to a family, for filters and tables, and `rules = {{ KEY = \"VALUE\" }}` sets rules
# for this family only.
[[family]]
name = \"{}\"
",
                family.name
            );
            for param in family.params {
                let (key, value) = (param.key, param.default_text());
                let _ = match param.words() {
                    [] => writeln!(text, "{key} = {value}"),
                    words => writeln!(text, "{key} = {value:?} # or {}", words[1..].join(", ")),
                };
            }
            text += "seeds = \"1..=10\"\n";
        }
        None => {
            text += "\n# Instances: all games of a file beside the plan.\n[[family]]\nfile = \"games.txt\"\n"
        }
    }
    text += "
# External SAT solvers, used as \"sat@NAME\".
# [solver.kissat]
# command = [\"kissat\", \"-q\"]
";
    text += "
# What `counterpoint report` shows; see \"Report specifications\" in the guide. Expressions in braces are computed from
# the records.
# [about]
# title = \"A few words\"
# question = \"What do you want to know?\"
# method = \"How do you find out?\"
# finding = \"{solved} of {count} runs are solved.\"
# summary = \"The finding in one line.\"
# [[figure]]
# kind = \"quantile\"
# [[table]]
# by = \"family\"
";
    text
}
