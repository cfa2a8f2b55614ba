//! ReportSpec: what a plan asks a report to show, and what it is all about.

/// What a plan says for readers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportSpec {
    /// What the experiment is about.
    pub about: About,
    /// Figures, the one that tells the finding first.
    pub figures: Vec<Figure>,
    /// Tables, likewise.
    pub tables: Vec<Table>,
}

/// What an experiment is about, in short Markdown. What stands in braces is computed from the records
/// ([`crate::prose`] knows the language).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// A few words.
    pub title: String,
    /// What is asked.
    pub question: String,
    /// How an answer is sought.
    pub method: String,
    /// What the records say.
    pub finding: String,
    /// The same on a line of a table.
    pub summary: String,
    /// Where the plan says so, for messages.
    pub place: String,
}

impl About {
    /// The same before there is a record: nothing is computed, and nothing is found.
    #[must_use]
    pub fn unanswered(self) -> Self {
        About { finding: String::new(), summary: "no records yet".to_owned(), ..self }
    }
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Times of solved runs, ascending, an engine a curve.
    Quantile,
    /// Two engines on each instance.
    Scatter,
    /// Time against size, an engine a line.
    Crossover,
    /// Time of building and of solving against the number of clauses.
    Encodings,
    /// Every engine on every instance.
    Heat,
    /// How far runs lie apart that should be alike.
    Spread,
    /// Mean and tail of time against size, an engine a line.
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
    /// What it is of.
    pub kind: Kind,
    /// The column of sizes; without it, the numeric parameter with most values.
    pub x: Option<String>,
    /// What is measured instead of CPU time: a column, or `work` for nodes plus conflicts.
    pub y: Option<String>,
    /// A column; each of its values gets a panel.
    pub facet: Option<String>,
    /// The engines shown; all if empty.
    pub engines: Vec<String>,
    /// Columns with the values that are shown.
    pub only: Vec<(String, Vec<String>)>,
    /// Width on paper, in millimetres.
    pub width_mm: f64,
    /// What stands below it.
    pub caption: String,
    /// Where the plan asks for it, for messages.
    pub place: String,
}

impl Figure {
    /// A figure with nothing chosen, a column of a paper wide.
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

/// Width of a column of a paper in two columns.
pub const COLUMN_MM: f64 = 84.0;

/// A table that a plan asks for: runs grouped by columns and engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The columns.
    pub by: Vec<String>,
    /// The engines shown; all if empty.
    pub engines: Vec<String>,
    /// Columns with the values that are shown.
    pub only: Vec<(String, Vec<String>)>,
    /// What stands above it.
    pub caption: String,
    /// Where the plan asks for it, for messages.
    pub place: String,
}
