//! The files of a report. Files of the repository are written if they are out of date; other files are always written.

use super::super::exit::{Failure, Status};
use super::super::staging::replace;
use super::{Experiment, at, program, read};
use crate::report::Material;
use crate::report::chart::{self, Chart};
use crate::report::comparison::Comparison;
use crate::report::draw::{self, Look};
use crate::report::section::{Shown, replaced, section, section_without_records};
use crate::report::table::{self, Table, latex};
use crate::report_spec::{self, Figure, Kind};
use itertools::Itertools;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The small picture of an experiment, beside its README.
pub(super) const THUMBNAIL: &str = "figures/thumbnail.svg";

/// The width of figures in a README, in millimetres: the width of the text.
pub(super) const README_MM: f64 = 190.0;

/// Whether files are written or only compared with the existing ones.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Writing {
    Write,
    Check,
}

/// A file with its contents.
struct OutputFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// The files of one or more reports.
#[derive(Default)]
pub(super) struct Files {
    /// Files that are part of the repository.
    committed: Vec<OutputFile>,
    /// Files that are not part of the repository.
    generated: Vec<OutputFile>,
}

impl Files {
    /// Adds a file of the repository.
    pub(super) fn add_committed(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.committed.push(OutputFile { path: path.into(), bytes: bytes.into() });
    }

    /// Adds the README of an experiment, with a new generated part.
    fn add_section(&mut self, folder: &Path, section: &str) -> Result<(), Failure> {
        let path = folder.join("README.md");
        let text = replaced(&read(&path)?, section, program::name()).map_err(|why| at(&path, why))?;
        self.add_committed(path, text);
        Ok(())
    }

    /// Adds a file that is not part of the repository.
    pub(super) fn add_generated(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.generated.push(OutputFile { path: path.into(), bytes: bytes.into() });
    }

    /// The figures in the folders `figures` beside these reports' READMEs that are not among the files to write.
    fn unused(&self) -> Vec<PathBuf> {
        let figures =
            |path: &&Path| path.file_name() == Path::new(THUMBNAIL).parent().and_then(Path::file_name);
        let folders = self.committed.iter().filter_map(|file| file.path.parent()).filter(figures).unique();
        let files = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let paths = files.map(|entry| entry.path()).filter(|path| is_figure(path));
        paths.filter(|path| self.committed.iter().all(|file| file.path != *path)).sorted().collect()
    }

    /// Writes all files of these reports, except files of the repository that are up to date. Removes unused figures,
    /// and prints the paths of pages. With [`Writing::Check`], writes nothing and lists the files of the repository
    /// that differ or are unused.
    pub(super) fn settle(self, writing: Writing, out: &mut dyn Write) -> Result<Status, Failure> {
        // A pipe or a device is not read, because it may have no end.
        let differs = |OutputFile { path, bytes }: &&OutputFile| {
            !path.is_file() || fs::read(path).ok().as_ref() != Some(bytes)
        };
        let outdated: Vec<&OutputFile> = self.committed.iter().filter(differs).collect();
        let unused = self.unused();
        if writing == Writing::Check {
            for OutputFile { path, .. } in &outdated {
                writeln!(out, "{} does not match the records", path.display())?;
            }
            for path in &unused {
                writeln!(out, "{} belongs to no figure or table of a plan", path.display())?;
            }
            let up_to_date = outdated.is_empty() && unused.is_empty();
            return Ok(if up_to_date { Status::Done } else { Status::Wrong });
        }
        for path in &unused {
            fs::remove_file(path).map_err(|error| at(path, error))?;
        }
        for OutputFile { path, bytes } in self.generated.iter().chain(outdated) {
            let folder = path.parent().unwrap_or(Path::new("."));
            let written = fs::create_dir_all(folder).and_then(|()| replace(path, bytes));
            written.map_err(|error| at(path, error))?;
        }
        let pages = self.generated.iter().map(|file| &file.path);
        for path in pages.filter(|path| path.extension().is_some_and(|e| e == "html")) {
            writeln!(out, "{}", path.display())?;
        }
        Ok(Status::Done)
    }
}

/// Whether a file has the name of a README's figure: a kind of figure, possibly followed by a number.
fn is_figure(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let kind =
        name.rsplit_once('-').filter(|(_, n)| n.parse::<u32>().is_ok()).map_or(&*name, |(kind, _)| kind);
    path.extension().is_some_and(|e| e == "svg") && Kind::ALL.iter().any(|known| known.name() == kind)
}

/// The figures of the plan, with their charts.
pub(super) fn planned_charts(material: &Material<'_>) -> Result<Vec<(Figure, Chart)>, Failure> {
    let mut charts: Vec<(Figure, Chart)> = Vec::new();
    for figure in material.report_spec.figures.iter().cloned() {
        let mut chart = chart::chart(&material.dataset, &figure).map_err(|why| {
            Failure::usage(format!(
                "{}: figure {}: {why}",
                position(&figure.place, material),
                figure.kind.name()
            ))
        })?;
        let alike = charts.iter().filter(|(other, _)| other.kind == figure.kind).count();
        if alike > 0 {
            chart.name = format!("{}-{}", chart.name, alike + 1);
        }
        charts.push((figure, chart));
    }
    Ok(charts)
}

/// The position in the plan for an error message, or the name of the experiment if the position is unknown.
fn position<'a>(place: &'a str, material: &'a Material<'_>) -> &'a str {
    if place.is_empty() { material.name } else { place }
}

/// Makes every figure as SVG and PDF at its width on paper, with its points as CSV, and a TeX macro that includes it.
///
/// After the figures of the plan, one figure of each further kind is made if the records allow it.
pub(super) fn figures(
    material: &Material<'_>,
    charts: &[(Figure, Chart)],
    folder: &Path,
    files: &mut Files,
) -> Result<(), Failure> {
    let mut macros =
        "% One command per figure and table, for a paper in this folder. Needs graphicx, booktabs and textcomp, and LuaLaTeX \
         for non-Latin letters.\n"
            .to_owned();
    let mut further = chart::all(&material.dataset);
    further.retain(|(figure, _)| charts.iter().all(|(planned, _)| planned.kind != figure.kind));
    for (figure, chart) in charts.iter().chain(&further) {
        let path = |extension: &str| folder.join("figures").join(format!("{}.{extension}", chart.name));
        let width = figure.width_mm;
        files.add_generated(path("pdf"), draw::pdf(chart, width).map_err(|why| at(&path("pdf"), why))?);
        files.add_generated(path("svg"), draw::svg(chart, width, Look::Paper));
        let mut points = Vec::new();
        chart::csv(chart, &mut points)?;
        files.add_generated(path("csv"), points);
        let _ = writeln!(
            macros,
            "\\newcommand{{\\figure{}}}{{\\includegraphics[width={:.1}mm]{{figures/{}.pdf}}}}",
            command(&chart.name),
            figure.width_mm,
            chart.name
        );
        if !figure.caption.is_empty() {
            let caption = latex(&figure.caption);
            let _ = writeln!(macros, "\\newcommand{{\\caption{}}}{{{caption}}}", command(&chart.name));
        }
    }
    for name in ["engines", "pairs"]
        .map(str::to_owned)
        .into_iter()
        .chain(planned_names(material))
        .chain(compared_names(material))
    {
        let _ = writeln!(macros, "\\newcommand{{\\table{}}}{{\\input{{tables/{name}.tex}}}}", command(&name));
    }
    files.add_generated(folder.join("macros.tex"), macros);
    Ok(())
}

/// A name as part of a TeX command, which may contain only letters: `crossover-2` becomes `CrossoverTwo`.
pub(super) fn command(name: &str) -> String {
    const DIGITS: [&str; 10] =
        ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    let mut out = String::new();
    let mut capital = true;
    for c in name.chars() {
        match c.to_digit(10) {
            Some(digit) => out += DIGITS.get(digit as usize).copied().unwrap_or_default(),
            None if c.is_ascii_alphabetic() && capital => out.push(c.to_ascii_uppercase()),
            None if c.is_ascii_alphabetic() => out.push(c),
            None => {}
        }
        capital = !c.is_ascii_alphabetic();
    }
    out
}

fn planned_names(material: &Material<'_>) -> impl Iterator<Item = String> {
    (1..=material.report_spec.tables.len()).map(|i| format!("table-{i}"))
}

fn compared_names(material: &Material<'_>) -> impl Iterator<Item = String> {
    (1..=material.paired.len()).map(|i| format!("compare-{i}"))
}

/// The comparisons of the plan, as tables.
fn compared(material: &Material<'_>) -> impl Iterator<Item = Table> {
    material.paired.iter().zip(compared_names(material)).map(|(found, name)| found.table(name))
}

/// The tables of the plan.
fn planned(material: &Material<'_>) -> Result<Vec<Table>, Failure> {
    let tables: &[report_spec::Table] = &material.report_spec.tables;
    let tables = tables.iter().zip(planned_names(material));
    let found = tables.map(|(spec, name)| {
        let failed = |why| Failure::usage(format!("{}: table: {why}", position(&spec.place, material)));
        table::grouped(&material.dataset, spec, name).map_err(failed)
    });
    found.collect()
}

/// Makes every table as CSV, LaTeX and Markdown.
pub(super) fn tables(
    material: &Material<'_>,
    found: &[Comparison],
    folder: &Path,
    files: &mut Files,
) -> Result<(), Failure> {
    let mut tables = planned(material)?;
    tables.extend(compared(material));
    // The first comparison covers all runs.
    if let Some(all) = found.first() {
        tables.extend([table::engines(&material.dataset, all), table::pairs(&material.dataset, all)]);
    }
    for table in tables {
        let path = |extension: &str| folder.join("tables").join(format!("{}.{extension}", table.name));
        files.add_generated(path("csv"), table.csv().map_err(|error| at(&path("csv"), error))?);
        files.add_generated(path("tex"), table.latex());
        files.add_generated(path("md"), table.markdown());
    }
    Ok(())
}

/// Makes the section of an experiment's README, with its figures.
pub(super) fn readme(
    material: &Material<'_>,
    charts: &[(Figure, Chart)],
    folder: &Path,
    files: &mut Files,
) -> Result<(), Failure> {
    let mut shown = Vec::new();
    for (figure, chart) in charts {
        let file = format!("figures/{}.svg", chart.name);
        if shown.is_empty() {
            files.add_committed(folder.join(THUMBNAIL), draw::thumbnail(chart));
        }
        files.add_committed(folder.join(&file), draw::svg(chart, README_MM, Look::Repository));
        let notes = chart.notes.join(" ");
        let caption = [figure.caption.as_str(), &notes].into_iter().filter(|text| !text.is_empty());
        shown.push(Shown { file, caption: caption.collect::<Vec<_>>().join(" "), alt: chart.title.clone() });
    }
    let tables = planned(material)?.into_iter().zip(&material.report_spec.tables);
    let mut tables: Vec<Table> = tables.map(|(table, spec)| table.for_readme(spec)).collect();
    tables.extend(compared(material));
    files.add_section(folder, &section(material, &shown, &tables))
}

/// The README of an experiment without records has only the texts of its plan.
pub(super) fn readme_without_records(experiment: &Experiment, files: &mut Files) -> Result<(), Failure> {
    let about = experiment.plan.report_spec.about.clone().unanswered();
    let section = section_without_records(&experiment.name, &about, program::name());
    files.add_section(&experiment.folder, &section)
}
