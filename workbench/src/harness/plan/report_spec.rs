//! Reads the report spec of a plan: `[about]`, `[[figure]]`, `[[table]]`, `[[compare]]`.

use super::reader::Reader;
use crate::document::{DocumentError, Placed};
use crate::report_spec::{About, Compare, Figure, Kind, Pairs, ReportSpec, TIMES, Table};
use crate::spec::{nearest, suggestion};
use toml::de::DeTable;

/// The widths that a figure may have, in millimetres.
const WIDTHS: std::ops::RangeInclusive<f64> = 40.0..=400.0;

/// The units of widths, each with its length in millimetres.
const UNITS: &[(&str, f64)] = &[("mm", 1.0), ("cm", 10.0), ("in", 25.4), ("pt", 25.4 / 72.27)];

/// The keys of a plan that belong to its report spec. They do not affect the runs.
pub(super) const KEYS: [&str; 4] = ["about", "figure", "table", "compare"];

impl Reader<'_> {
    /// The report spec of a plan.
    pub(super) fn report_spec(&self, plan: &DeTable<'_>) -> Result<ReportSpec, DocumentError> {
        let tables = |key: &str| plan.get(key).map_or(Vec::new(), |value| self.document.one_or_many(value));
        Ok(ReportSpec {
            about: plan.get("about").map_or(Ok(About::default()), |value| self.about(value))?,
            figures: tables("figure")
                .into_iter()
                .map(|value| self.figure(value))
                .collect::<Result<_, _>>()?,
            tables: tables("table").into_iter().map(|value| self.table(value)).collect::<Result<_, _>>()?,
            compare: tables("compare")
                .into_iter()
                .map(|value| self.compare(value))
                .collect::<Result<_, _>>()?,
        })
    }

    fn about(&self, value: &Placed<'_>) -> Result<About, DocumentError> {
        let table = self.document.as_table(value)?;
        self.document.check_keys(table, &["title", "question", "method", "finding", "summary"])?;
        let text = |key: &str| self.text(table, key);
        Ok(About {
            title: text("title")?,
            question: text("question")?,
            method: text("method")?,
            finding: text("finding")?,
            summary: text("summary")?,
            place: self.document.place(value.span().start),
        })
    }

    fn figure(&self, value: &Placed<'_>) -> Result<Figure, DocumentError> {
        let table = self.document.as_table(value)?;
        let keys = ["kind", "x", "y", "facet", "engines", "only", "width", "caption"];
        self.document.check_keys(table, &keys)?;
        let names = Kind::ALL.map(Kind::name);
        let Some(name) = table.get("kind") else {
            let all = names.join(", ");
            return self.document.error_at(value.span().start, &format!("a figure needs a kind: {all}"));
        };
        let word = self.document.as_str(name)?;
        let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == word) else {
            let hint = suggestion(nearest(word, names.into_iter()), &names.map(str::to_owned));
            let why = format!("unknown kind of figure '{word}'; {hint}");
            return self.document.error_at(name.span().start, &why);
        };
        let column = |key: &str| self.optional(table, key);
        let default = Figure::of(kind);
        Ok(Figure {
            x: column("x")?,
            y: column("y")?,
            facet: column("facet")?,
            engines: self.some_engines(table)?,
            only: self.only(table)?,
            width_mm: table.get("width").map_or(Ok(default.width_mm), |value| self.width(value))?,
            caption: self.text(table, "caption")?,
            place: self.document.place(value.span().start),
            ..default
        })
    }

    fn table(&self, value: &Placed<'_>) -> Result<Table, DocumentError> {
        let table = self.document.as_table(value)?;
        self.document.check_keys(table, &["by", "engines", "only", "wide", "caption"])?;
        let by = table.get("by").map_or(Vec::new(), |value| self.document.one_or_many(value));
        Ok(Table {
            by: by
                .into_iter()
                .map(|name| self.document.as_str(name).map(str::to_owned))
                .collect::<Result<_, _>>()?,
            engines: self.some_engines(table)?,
            only: self.only(table)?,
            wide: table.get("wide").map_or(Ok(false), |value| self.document.as_bool(value))?,
            caption: self.text(table, "caption")?,
            place: self.document.place(value.span().start),
        })
    }

    fn compare(&self, value: &Placed<'_>) -> Result<Compare, DocumentError> {
        let table = self.document.as_table(value)?;
        self.document.check_keys(table, &["along", "pairs", "y", "only", "caption"])?;
        let pairs = match (table.get("along"), table.get("pairs")) {
            (Some(along), None) => Pairs::Along(self.document.as_str(along)?.to_owned()),
            (None, Some(pairs)) => Pairs::Chosen(self.pairs(pairs)?),
            _ => {
                let why = "a comparison has either `along`, such as along = \"amo\", or `pairs`";
                return self.document.error_at(value.span().start, why);
            }
        };
        let y = table.get("y").map(|y| (y, self.document.as_str(y)));
        if let Some((at, Ok(column))) = &y
            && !TIMES.contains(column)
        {
            let times = TIMES.map(|name| format!("\"{name}\"")).join(", ");
            let why = format!("expected one of {times}, found \"{column}\"");
            return self.document.error_at(at.span().start, &why);
        }
        Ok(Compare {
            pairs,
            y: y.map(|(_, column)| column.map(str::to_owned)).transpose()?,
            only: self.only(table)?,
            caption: self.text(table, "caption")?,
            place: self.document.place(value.span().start),
        })
    }

    /// A list of pairs of engines.
    fn pairs(&self, value: &Placed<'_>) -> Result<Vec<(String, String)>, DocumentError> {
        let expected = |at: &Placed<'_>| {
            self.document
                .error_at(at.span().start, "expected a list of pairs, such as [[\"search\", \"sat\"]]")
        };
        let Some(list) = value.get_ref().as_array().filter(|list| !list.is_empty()) else {
            return expected(value);
        };
        let mut pairs = Vec::new();
        for pair in list.iter() {
            let ids = match pair.get_ref().as_array() {
                Some(pair) => pair.iter().map(|value| self.engine(value)).collect::<Result<Vec<_>, _>>()?,
                None => return expected(pair),
            };
            let Ok([a, b]) = <[String; 2]>::try_from(ids) else { return expected(pair) };
            if a == b {
                return self.document.error_at(pair.span().start, &format!("both engines are {a}"));
            }
            if pairs.contains(&(a.clone(), b.clone())) || pairs.contains(&(b.clone(), a.clone())) {
                let why = format!("{a} and {b} are compared twice");
                return self.document.error_at(pair.span().start, &why);
            }
            pairs.push((a, b));
        }
        Ok(pairs)
    }

    /// The only engine that a pattern matches.
    fn engine(&self, value: &Placed<'_>) -> Result<String, DocumentError> {
        match &self.engines(value)?[..] {
            [engine] => Ok(engine.to_string()),
            several => {
                let why = format!("pattern matches {} engines; expected one", several.len());
                self.document.error_at(value.span().start, &why)
            }
        }
    }

    fn some_engines(&self, table: &DeTable<'_>) -> Result<Vec<String>, DocumentError> {
        let Some(value) = table.get("engines") else { return Ok(Vec::new()) };
        Ok(self.engines(value)?.iter().map(ToString::to_string).collect())
    }

    fn only(&self, table: &DeTable<'_>) -> Result<Vec<(String, Vec<String>)>, DocumentError> {
        let Some(value) = table.get("only") else { return Ok(Vec::new()) };
        let columns = self.document.as_table(value)?;
        columns.iter().map(|(key, value)| Ok((key.get_ref().to_string(), self.all_values(value)?))).collect()
    }

    fn width(&self, value: &Placed<'_>) -> Result<f64, DocumentError> {
        let text = self.document.as_str(value)?;
        let unit = UNITS.iter().find_map(|(unit, mm)| Some((text.strip_suffix(unit)?, mm)));
        let width = unit.and_then(|(number, mm)| Some(number.trim().parse::<f64>().ok()? * mm));
        match width {
            Some(width) if WIDTHS.contains(&width) => Ok(width),
            _ => {
                let (min, max) = (WIDTHS.start(), WIDTHS.end());
                let why = format!("expected a width from {min}mm to {max}mm, in mm, cm, in or pt");
                self.document.error_at(value.span().start, &why)
            }
        }
    }

    fn optional(&self, table: &DeTable<'_>, key: &str) -> Result<Option<String>, DocumentError> {
        table.get(key).map(|value| self.document.as_str(value).map(str::to_owned)).transpose()
    }

    fn text(&self, table: &DeTable<'_>, key: &str) -> Result<String, DocumentError> {
        Ok(self.optional(table, key)?.unwrap_or_default().trim().to_owned())
    }
}
