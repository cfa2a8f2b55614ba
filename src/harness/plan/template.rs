//! A plan to start from: commented, complete, and small enough to run at once.

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
        "# What is compared: engines on the same instances. `counterpoint list engines {name}` names them all;
# patterns name many, such as \"sat:*/amo=*@{{varisat,batsat}}\".
problem = \"{name}\"
engines = [{}]

# Rules other than the judge's; a list asks for each of its values. See `counterpoint list rules {name}`.
# rules = {{ KEY = \"VALUE\" }}

# Bounds on each run: CPU time of building the formula and solving it, wall time, memory, and nodes plus
# conflicts. Times may be below a second. Without `cpu` it is 60s, without `wall` ten times that and 10s.
limits = {{ cpu = \"2s\", memory = \"2GiB\" }}

# Each run this often, and SAT engines also on this many formulas with variables, clauses and literals
# permuted: the spread shows what is luck.
repetitions = 1
shuffles = 0

# Prove \"there is none\" by SAT and check the proof: true or false.
certify = false

# Which answers the records keep besides those that are not checked: \"none\", \"sample\" or \"all\".
keep = \"sample\"

# Seed of the order in which runs are made.
order_seed = 1
",
        ids.join(", "),
        name = problem.name(),
    );
    match problem.info().families.first() {
        Some(family) => {
            let name = problem.name();
            let _ = write!(
                text,
                "
# Instances: a family of `counterpoint list families {name}` with its parameters. A list or a range such as
# \"4..=16 by 4\" stands for each of its values. Where there are `w` and `h`, they win over `n`
# unless they are 0. Further families follow in the same way, or `file = \"games.txt\"`, beside the plan.
[[family]]
name = \"{}\"
",
                family.name
            );
            for (key, value) in &family.params {
                let _ = writeln!(text, "{key} = {value}");
            }
            text += "seeds = \"1..=10\"\n";
        }
        None => {
            text += "\n# Instances: all games of a file beside the plan.\n[[family]]\nfile = \"games.txt\"\n"
        }
    }
    text += "
# Outside SAT solvers, used as \"sat@NAME\".
# [solver.kissat]
# command = [\"kissat\", \"-q\"]
";
    text += "
# What `counterpoint report` shows: see \"Report specifications\" in the guide. Numbers in braces are
# computed from the records.
# [about]
# title = \"A few words\"
# question = \"What is asked?\"
# method = \"How?\"
# finding = \"{solved} of {count} runs are solved.\"
# summary = \"The same on a line.\"
# [[figure]]
# kind = \"quantile\"
# [[table]]
# by = \"family\"
";
    text
}
