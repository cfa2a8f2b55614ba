//! What a report writes into READMEs: an experiment's section, and the table of all experiments. What stands outside
//! the marks stays as somebody wrote it.

use super::table::Table;
use super::{Material, builds};
use crate::spec::About;

/// Begins what is written here.
pub const BEGIN: &str =
    "<!-- written by `counterpoint report` from the plan and the records; change those -->";

/// Ends it.
pub const END: &str = "<!-- end of what is written -->";

/// A picture beside a README.
pub struct Shown {
    /// Its file, from the README's folder.
    pub file: String,
    /// What stands below it.
    pub caption: String,
    /// What it shows, for those who do not see it.
    pub alt: String,
}

/// The section of an experiment.
pub fn section(material: &Material<'_>, figures: &[Shown], tables: &[Table]) -> String {
    let About { title, question, method, finding, .. } = &material.about;
    let number = material.name.split('-').next().unwrap_or_default();
    let heading = if title.is_empty() { material.name.to_owned() } else { format!("{number}: {title}") };
    let mut out = format!("# {heading}\n");
    for (name, text) in [("Question", question), ("Method", method), ("Finding", finding)] {
        if !text.is_empty() {
            out += &format!("\n{}\n", filled(&format!("**{name}.** {text}")));
        }
    }
    if let Some(warning) = builds::warning(&material.dataset) {
        out += &format!("\n{}\n", filled(&format!("**Builds.** {}.", capitalized(&warning))));
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

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The longest line of prose.
const MAX_COLUMNS: usize = 118;

/// Paragraphs with their lines filled anew, since numbers are not as long as what stands for them. No line begins with
/// what Markdown would take for a list, a heading or a quotation.
fn filled(text: &str) -> String {
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

/// Where the records come from, and how to get them anew.
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
    let days: Vec<&str> = material.dataset.runs.iter().filter_map(|run| run.record.start.get(..10)).collect();
    let day = days.iter().min().copied().unwrap_or("an unknown day");
    let revision = field("git_revision");
    format!(
        "{runs}{of} runs, measured on {day}: revision {}, {}, {} processors, {} at a time; `counterpoint run {} --set \
         mine` measures anew, `counterpoint report {}` writes the whole report.",
        revision.get(..12).unwrap_or(&revision),
        field("cpu_model"),
        field("cpu_count"),
        field("jobs"),
        material.name,
        material.name,
    )
}

/// A line of the table of experiments.
pub struct Entry {
    /// The experiment's folder.
    pub name: String,
    /// What it is about.
    pub about: About,
    /// Its small picture, from the table's folder, if it has one.
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

/// Where a line stands that is nothing but the mark.
fn line_at(text: &str, mark: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == mark {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// A text with what stands between the marks replaced; at its beginning if it has no marks.
///
/// # Errors
/// A beginning without an end.
pub fn replaced(text: &str, section: &str) -> Result<String, String> {
    let new = format!("{BEGIN}\n{}\n{END}", section.trim_end());
    let Some(begin) = line_at(text, BEGIN) else {
        let rest = if text.trim().is_empty() { String::new() } else { format!("\n{}", text.trim_start()) };
        return Ok(format!("{new}\n{rest}"));
    };
    let Some(end) = line_at(&text[begin..], END) else {
        return Err(format!("the line '{END}' is missing"));
    };
    let (before, after) = (&text[..begin], &text[begin + end + END.len()..]);
    Ok(format!("{before}{new}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, filled, replaced};

    #[test]
    fn what_stands_outside_the_marks_stays() {
        let first = replaced("old words\n", "# one\n").unwrap();
        assert_eq!(first, format!("{BEGIN}\n# one\n{END}\n\nold words\n"));
        let second = replaced(&first, "# two").unwrap();
        assert_eq!(second, first.replace("# one", "# two"));
        assert_eq!(replaced("", "# new").unwrap(), format!("{BEGIN}\n# new\n{END}\n"));
        assert!(replaced(BEGIN, "# lost").unwrap_err().contains("is missing"));
    }

    #[test]
    fn lines_are_filled_and_begin_with_no_mark() {
        let text = format!("{}\n12) or - words\n\nb", "a ".repeat(59));
        let lines: Vec<String> = filled(&text).lines().map(str::to_owned).collect();
        assert_eq!(lines, [format!("{}12)", "a ".repeat(59)).as_str(), "or - words", "", "b"]);
    }
}
