//! The guide: its commands print what it shows, its pictures are those that the program draws, and its links have
//! targets.

use crate::console;
use crate::console::Shell;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const GUIDE: &str = "docs/src";
/// The chapter whose commands are tested by the crate that it describes.
const ELSEWHERE: &str = "adding-a-problem.md";

fn chapters() -> Vec<PathBuf> {
    let files = fs::read_dir(GUIDE).unwrap().map(|entry| entry.unwrap().path());
    let mut chapters: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    chapters.sort();
    chapters
}

#[test]
fn commands_print_what_the_guide_shows() {
    let programs = Path::new(env!("CARGO_BIN_EXE_counterpoint")).parent().unwrap();
    let run = AtomicUsize::new(0);
    let mut chapters = chapters();
    chapters.retain(|path| !path.ends_with(ELSEWHERE));
    // Long chapters first, so that none is left to one thread at the end.
    chapters.sort_by_cached_key(|path| Reverse(fs::metadata(path).unwrap().len()));
    let chapters = Mutex::new(chapters.into_iter());
    let next = || chapters.lock().unwrap().next();
    // No chapter needs a file of another one, so they are tested at the same time.
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some(chapter) = next() {
                    let folder = tempfile::tempdir().unwrap();
                    let commands = console::check(&chapter, &Shell { folder: folder.path(), programs });
                    run.fetch_add(commands, Relaxed);
                    pictures(&chapter, folder.path());
                }
            });
        }
    });
    let run = run.into_inner();
    assert!(run >= 50, "{run} commands");
}

/// Compares each picture `pictures/NAME.svg` of a chapter with the one that the commands of the chapter saved into the
/// folder NAME. With `COUNTERPOINT_DOCS=write`, replaces the picture instead.
fn pictures(chapter: &Path, folder: &Path) {
    for link in links(&fs::read_to_string(chapter).unwrap()) {
        let Some(name) = link.strip_prefix("pictures/").and_then(|name| name.strip_suffix(".svg")) else {
            continue;
        };
        let drawn = fs::read(folder.join(name).join("picture.svg")).unwrap();
        let file = Path::new(GUIDE).join(&link);
        if console::writes() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, drawn).unwrap();
        } else {
            assert!(fs::read(&file).unwrap() == drawn, "{} is not what the program draws", file.display());
        }
    }
}

#[test]
fn files_of_the_guide_are_those_of_the_examples() {
    for (chapter, name) in [("your-program.md", "flip.py"), ("your-encoding.md", "flip_cnf.py")] {
        let text = fs::read_to_string(Path::new(GUIDE).join(chapter)).unwrap();
        let example = fs::read_to_string(Path::new("examples/python").join(name)).unwrap();
        assert!(text.contains(&format!("```python,file=mine/{name}\n{example}```")), "{chapter}: {name}");
    }
}

/// The targets of the links and images in a text.
fn links(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(target).collect()
}

/// The anchors that web pages give to the headings in a text.
fn anchors(text: &str) -> HashSet<String> {
    let (mut anchors, mut heading) = (HashSet::new(), None);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(part) | Event::Code(part) => {
                heading.iter_mut().for_each(|heading| heading.push_str(&part))
            }
            Event::End(TagEnd::Heading(_)) => {
                let words = heading.take().unwrap_or_default().to_lowercase().replace(' ', "-");
                anchors.insert(words.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect());
            }
            _ => {}
        }
    }
    anchors
}

#[test]
fn links_have_targets() {
    let texts =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "paper-notes.md"];
    let more = [
        "packages/README.md",
        "examples/queens/README.md",
        "examples/python/README.md",
        "experiments/README.md",
        "experiments/RECORDS.md",
        "experiments/REPORTS.md",
        "tests/README.md",
    ];
    let reports = fs::read_dir("experiments").unwrap().map(|entry| entry.unwrap().path().join("README.md"));
    let files = texts
        .iter()
        .chain(&more)
        .map(PathBuf::from)
        .chain(reports.filter(|path| path.is_file()))
        .chain(chapters());
    let mut followed = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for link in links(&text) {
            if link.starts_with("https://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            assert!(target.exists(), "{}: {link} does not exist", file.display());
            if !anchor.is_empty() {
                let known = anchors(&fs::read_to_string(&target).unwrap());
                assert!(
                    known.contains(anchor),
                    "{}: {link}: no such anchor; there are {known:?}",
                    file.display()
                );
            }
            followed += 1;
        }
    }
    assert!(followed >= 100, "{followed} links");
}

#[test]
fn every_chapter_is_in_the_summary() {
    let summary = fs::read_to_string(Path::new(GUIDE).join("SUMMARY.md")).unwrap();
    let listed: HashSet<String> = links(&summary).into_iter().collect();
    for chapter in chapters() {
        let name = chapter.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || listed.contains(&name), "{name}");
    }
}
