//! The generated parts of READMEs: an experiment's section, and the table of all experiments. Text outside the markers
//! is kept.

use super::table::Table;
use super::units::{Measure, shown};
use super::{Dataset, Material, builds, load};
use crate::record::unsupported;
use crate::spec::About;

/// The marker at the beginning of a generated part consists of this, the program's name and [`BEGIN_END`].
const BEGIN_START: &str = "<!-- written by `";
const BEGIN_END: &str = " report` from the plan and the records; change those -->";

/// The marker at the end of a generated part.
const END: &str = "<!-- end of what is written -->";

/// A picture in a README.
pub struct Shown {
    /// The picture's file, relative to the README's folder.
    pub file: String,
    /// The text below the picture.
    pub caption: String,
    /// The alternative text.
    pub alt: String,
}

/// The generated section of an experiment's README.
pub fn section(material: &Material<'_>, figures: &[Shown], tables: &[Table]) -> String {
    let mut out = head(material.name, &material.about);
    for (heading, warning) in builds::warnings(&material.dataset) {
        out += &format!("\n{}\n", filled(&format!("**{heading}.** {}.", capitalized(&warning))));
    }
    let wrong: Vec<String> = wrong(&material.dataset).collect();
    if !wrong.is_empty() {
        out += &format!("\n{}\n", filled(&format!("**Wrong answers.** {}.", wrong.join("; "))));
    }
    let unsupported = unsupported(material.dataset.runs.iter().map(|run| run.record));
    if !unsupported.is_empty() {
        let sentences: Vec<String> = unsupported.iter().map(|engine| engine.sentence()).collect();
        out += &format!("\n{}\n", filled(&format!("**Unsupported.** {}.", sentences.join(". "))));
    }
    for Shown { file, caption, alt } in figures {
        let below = if caption.is_empty() { String::new() } else { format!("\n\n*{caption}*") };
        out += &format!("\n![{alt}]({file}){below}\n");
    }
    for table in tables {
        let above = if table.caption.is_empty() { String::new() } else { format!("{}\n\n", table.caption) };
        out += &format!("\n{above}{}", table.markdown());
    }
    out + &format!("\n{}\n", provenance(material))
}

/// The generated section of an experiment that has no records.
pub fn section_without_records(name: &str, about: &About, program: &str) -> String {
    let text = format!("There are no records yet; `{program} run {name}` makes the runs of the plan.");
    format!("{}\n{}\n", head(name, about), filled(&text))
}

/// The heading and the texts of an experiment.
fn head(name: &str, about: &About) -> String {
    let About { title, question, method, finding, .. } = about;
    let number = name.split('-').next().unwrap_or_default();
    let heading = if title.is_empty() { name.to_owned() } else { format!("{number}: {title}") };
    let mut out = format!("# {heading}\n");
    for (name, text) in [("Question", question), ("Method", method), ("Finding", finding)] {
        if !text.is_empty() {
            out += &format!("\n{}\n", filled(&format!("**{name}.** {text}")));
        }
    }
    out
}

/// For each engine with wrong or contradictory answers, their number.
fn wrong<'d>(dataset: &'d Dataset<'_>) -> impl Iterator<Item = String> + 'd {
    let of = |engine| dataset.runs.iter().filter(move |run| run.engine == engine);
    let counted = dataset.engines.iter().enumerate().map(move |(index, id)| {
        (id, of(index).filter(|run| run.record.is_wrong()).count(), of(index).count())
    });
    counted.filter(|&(_, wrong, _)| wrong > 0).map(|(id, wrong, all)| format!("`{id}`: {wrong} of {all}"))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The maximum length of a line of prose.
const MAX_COLUMNS: usize = 118;

/// Wraps paragraphs again, because numbers and the expressions that they replace have different lengths. No line begins
/// with characters that Markdown would take for a list, a heading or a quotation.
pub(crate) fn filled(text: &str) -> String {
    let filled = text.split("\n\n").map(|paragraph| {
        let mut lines: Vec<String> = Vec::new();
        for word in paragraph.split_whitespace() {
            let listed = word.ends_with(['.', ')']) && word.starts_with(|c: char| c.is_ascii_digit());
            let marked = ["-", "+", "*", "#", ">", "=", "|"].iter().any(|mark| word.starts_with(mark));
            match lines.last_mut() {
                Some(line) if listed || marked && !word.starts_with("**") || fits(line, word) => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines.join("\n")
    });
    filled.collect::<Vec<_>>().join("\n\n")
}

fn fits(line: &str, word: &str) -> bool {
    line.chars().count() + 1 + word.chars().count() <= MAX_COLUMNS
}

/// A paragraph that says where the records come from and how to repeat the measurement.
fn provenance(material: &Material<'_>) -> String {
    let runs = material.dataset.runs.len();
    let of = if runs == material.planned { String::new() } else { format!(" of {}", material.planned) };
    let field = |name: &str| {
        let mut values: Vec<String> = material
            .environment
            .values()
            .filter_map(|one| one.get(name))
            .map(|value| value.as_str().map_or(value.to_string(), str::to_owned))
            .collect();
        values.sort();
        values.dedup();
        values.join(", ")
    };
    let days = material.dataset.runs.iter().filter_map(|run| Some(run.record.start().get(..10)?.to_owned()));
    let day = days.min().unwrap_or("an unknown day".to_owned());
    let revision = field("git_revision");
    let cores = field("cpu_count");
    let stretch = load::stretch(&material.dataset).map_or(String::new(), |stretch| {
        format!("; wall-clock time over CPU time: {} (median)", shown(stretch, Measure::Ratio))
    });
    let (program, name) = (material.program.name, material.name);
    format!(
        "{runs}{of} runs, measured on {day}: revision {}, {}, {cores} processor{}, {} at a time{stretch}. `{program} run {name} --set \
         mine` repeats the measurement, and `{program} report {name}` writes the whole report.",
        revision.get(..12).unwrap_or(&revision),
        field("cpu_model"),
        if cores == "1" { "" } else { "s" },
        field("jobs"),
    )
}

/// A row of the table of experiments.
pub struct Entry {
    /// The experiment's folder.
    pub name: String,
    /// The experiment's texts.
    pub about: About,
    /// The experiment's thumbnail, relative to the table's folder, if it has one.
    pub thumbnail: Option<String>,
}

/// The table of all experiments.
pub fn contents(entries: &[Entry]) -> String {
    let mut out = "| | question | finding | |\n|---|---|---|---|\n".to_owned();
    for Entry { name, about, thumbnail } in entries {
        let number = name.split('-').next().unwrap_or_default();
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
        let picture = thumbnail.as_ref().map_or(String::new(), |file| {
            format!("[<img src=\"{file}\" width=\"200\" alt=\"\">]({name}/README.md)")
        });
        out += &format!(
            "| [{number}]({name}/README.md) | {} | {} | {picture} |\n",
            line(&about.question),
            line(&about.summary)
        );
    }
    out
}

/// The offset of the first line that satisfies a condition.
fn line_at(text: &str, is_wanted: impl Fn(&str) -> bool) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_wanted(line.trim_end()) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// Whether a line is the marker at the beginning of a generated part, by a program of any name.
fn is_begin(line: &str) -> bool {
    line.strip_prefix(BEGIN_START).is_some_and(|rest| rest.ends_with(BEGIN_END))
}

/// The marker at the end of a generated part is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line '{END}' is missing")]
pub struct NoEndMarker;

/// Replaces the generated part of a text, which lies between two markers. If there are no markers, the new part is
/// inserted at the beginning. `program` is the name of the program that writes it.
///
/// # Errors
/// If the marker at the end is missing.
pub fn replaced(text: &str, section: &str, program: &str) -> Result<String, NoEndMarker> {
    let new = format!("{BEGIN_START}{program}{BEGIN_END}\n{}\n{END}", section.trim_end());
    let Some(begin) = line_at(text, is_begin) else {
        let rest = if text.trim().is_empty() { String::new() } else { format!("\n{}", text.trim_start()) };
        return Ok(format!("{new}\n{rest}"));
    };
    let Some(end) = line_at(&text[begin..], |line| line == END) else {
        return Err(NoEndMarker);
    };
    let (before, after) = (&text[..begin], &text[begin + end + END.len()..]);
    Ok(format!("{before}{new}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{END, filled, replaced};

    const BEGIN: &str =
        "<!-- written by `counterpoint report` from the plan and the records; change those -->";

    #[test]
    fn text_outside_the_markers_is_kept() {
        let first = replaced("old words\n", "# one\n", "counterpoint").unwrap();
        assert_eq!(first, format!("{BEGIN}\n# one\n{END}\n\nold words\n"));
        let second = replaced(&first, "# two", "counterpoint").unwrap();
        assert_eq!(second, first.replace("# one", "# two"));
        let other = replaced(&second, "# two", "queens").unwrap();
        assert_eq!(other, second.replace("counterpoint", "queens"));
        assert_eq!(replaced("", "# new", "counterpoint").unwrap(), format!("{BEGIN}\n# new\n{END}\n"));
        assert!(replaced(BEGIN, "# lost", "counterpoint").unwrap_err().to_string().contains("is missing"));
    }

    #[test]
    fn no_wrapped_line_begins_with_a_markdown_marker() {
        let text = format!("{}\n12) or - words\n\nb", "a ".repeat(59));
        let lines: Vec<String> = filled(&text).lines().map(str::to_owned).collect();
        assert_eq!(lines, [format!("{}12)", "a ".repeat(59)).as_str(), "or - words", "", "b"]);
    }
}
