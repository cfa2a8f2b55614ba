//! Reports: what the records of an experiment say, as figures, tables, a page and a section for the repository.
//!
//! ```text
//! records ─► dataset ─┬─► chart ─► SVG, PDF, CSV
//!                     ├─► statistics, tables ─► CSV, LaTeX, Markdown
//!                     └─► page (records in columns, the same charts drawn by the reader's browser)
//! ```
//!
//! Nothing here reads a file or runs an engine: records come in, texts go out.

pub mod chart;
pub mod dataset;
pub mod draw;
