//! The report spec: the figures and tables that a plan asks for, and its texts about the experiment.

/// The report spec of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportSpec {
    /// The texts about the experiment.
    pub about: About,
    /// The figures, the most important one first.
    pub figures: Vec<Figure>,
    /// The tables, the most important one first.
    pub tables: Vec<Table>,
    /// The comparisons, in the order of the plan.
    pub compare: Vec<Compare>,
}

/// Texts about an experiment, in short Markdown. Expressions in braces are computed from the records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// The title, a few words.
    pub title: String,
    /// What the experiment asks.
    pub question: String,
    /// How the experiment answers the question.
    pub method: String,
    /// The answer.
    pub finding: String,
    /// The answer in one line, for the table of experiments.
    pub summary: String,
    /// The position in the plan, for messages.
    pub place: String,
}

impl About {
    /// The texts of an experiment without records: nothing is computed, and there is no finding.
    #[must_use]
    pub fn unanswered(self) -> Self {
        About { finding: String::new(), summary: "no records yet".to_owned(), ..self }
    }
}

/// The kind of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// How many runs each engine solves within a time.
    Quantile,
    /// Two engines on each instance.
    Scatter,
    /// Time against size, a line for each engine.
    Crossover,
    /// Time of building and of solving against the number of clauses.
    Encodings,
    /// Every engine on every instance.
    Heat,
    /// The spread of runs that should be alike.
    Spread,
    /// Mean and 90 % quantile of time against size, two lines for each engine.
    Overview,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] = [
        Kind::Quantile,
        Kind::Scatter,
        Kind::Crossover,
        Kind::Encodings,
        Kind::Heat,
        Kind::Spread,
        Kind::Overview,
    ];

    /// Its name in plans and files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Quantile => "quantile",
            Kind::Scatter => "scatter",
            Kind::Crossover => "crossover",
            Kind::Encodings => "encodings",
            Kind::Heat => "heat",
            Kind::Spread => "spread",
            Kind::Overview => "overview",
        }
    }
}

/// A figure that a plan asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The kind.
    pub kind: Kind,
    /// The column of sizes; by default, the numeric parameter or rule with the most values.
    pub x: Option<String>,
    /// The measured column, or `work` for nodes plus conflicts; by default, CPU time.
    pub y: Option<String>,
    /// A column; each of its values gets a panel. `None` for a single panel.
    pub facet: Option<String>,
    /// The engines to show; all if empty.
    pub engines: Vec<String>,
    /// Columns, each with its allowed values: runs with other values are left out.
    pub only: Vec<(String, Vec<String>)>,
    /// The width on paper, in millimetres.
    pub width_mm: f64,
    /// The text below the figure.
    pub caption: String,
    /// The position in the plan, for messages.
    pub place: String,
}

impl Figure {
    /// A figure of a kind with all defaults, as wide as a column of a paper.
    pub fn of(kind: Kind) -> Self {
        Figure {
            kind,
            x: None,
            y: None,
            facet: None,
            engines: Vec::new(),
            only: Vec::new(),
            width_mm: COLUMN_MM,
            caption: String::new(),
            place: String::new(),
        }
    }
}

/// Width of one column of a two-column paper, in millimetres.
pub(crate) const COLUMN_MM: f64 = 84.0;

/// A table that a plan asks for: runs grouped by columns and engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The columns by which runs are grouped.
    pub by: Vec<String>,
    /// The engines to show; all if empty.
    pub engines: Vec<String>,
    /// Columns, each with its allowed values: runs with other values are left out.
    pub only: Vec<(String, Vec<String>)>,
    /// Whether the README, too, shows peak memory and the number of solver calls.
    pub wide: bool,
    /// The text above the table.
    pub caption: String,
    /// The position in the plan, for messages.
    pub place: String,
}

/// A comparison that a plan asks for: paired tests of engines, with a correction for the number of these
/// tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Compare {
    /// What is compared.
    pub pairs: Pairs,
    /// The column of times, one of [`TIMES`]; by default, CPU time.
    pub y: Option<String>,
    /// Columns, each with its allowed values: runs with other values are left out.
    pub only: Vec<(String, Vec<String>)>,
    /// The text above the table.
    pub caption: String,
    /// The position in the plan, for messages.
    pub place: String,
}

/// The columns of times that a comparison can use.
pub const TIMES: [&str; 4] = ["cpu_s", "build_cpu_s", "solve_cpu_s", "wall_s"];

/// The pairs of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Pairs {
    /// Each pair of values of a part of the engines' ids, such as an axis. Engines are matched if they differ in
    /// nothing else. If the part is the encoding, engines are matched if they agree on every axis that both have, and
    /// have the default value on every other axis.
    Along(String),
    /// These pairs of engines.
    Chosen(Vec<(String, String)>),
}
