//! Manual pages, with the same texts as `--help`.

use clap::{Arg, Command};
use roff::{Inline, Roff, bold, italic, roman};

/// The section of the manual.
const SECTION: &str = "1";

/// How a paragraph of notes that only lists exit statuses begins.
const STATUS: &str = "Exit status: ";

/// A blank at which no line ends.
const NO_BREAK: &str = "\u{a0}";

/// The name of the file with the page of a command.
pub(super) fn file_name(command: &Command) -> String {
    format!("{}.{SECTION}", title(command))
}

/// The page of a command of the program `root`. Both commands have been built.
pub(super) fn page(root: &Command, command: &Command, examples: &[String]) -> Roff {
    let mut page = Roff::new();
    let source = format!("{} {}", root.get_name(), root.get_version().unwrap_or_default());
    // The fields of the title are its name, section, date, source, and manual.
    page.control("TH", [title(command).as_str(), SECTION, "\"\"", source.trim_end(), "User Commands"]);
    // No words are hyphenated, because many are names, and lines are not justified.
    page.control("nh", []).control("ad", ["l"]);
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    page.control("SH", ["NAME"]).text([roman(format!("{} - {about}", title(command)))]);
    page.control("SH", ["SYNOPSIS"]).text(synopsis(command));
    let description = command.get_long_about().map_or(about, ToString::to_string);
    page.control("SH", ["DESCRIPTION"]);
    paragraphs(&mut page, &description);
    if !examples.is_empty() {
        page.control("SH", ["EXAMPLES"]).control("nf", []);
        examples.iter().for_each(|line| {
            page.text([roman(line)]);
        });
        page.control("fi", []);
    }
    let shown: Vec<&Arg> = command.get_arguments().filter(|argument| !argument.is_hide_set()).collect();
    let (positionals, options): (Vec<&Arg>, Vec<&Arg>) =
        shown.into_iter().partition(|argument| argument.is_positional());
    commands(&mut page, command);
    arguments(&mut page, "ARGUMENTS", &positionals);
    arguments(&mut page, "OPTIONS", &options);
    notes(&mut page, command);
    if title(command) != title(root) {
        page.control("SH", ["SEE ALSO"]).text([bold(title(root)), roman(format!("({SECTION})"))]);
    }
    page
}

fn title(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

/// The command with its options and arguments.
fn synopsis(command: &Command) -> Vec<Inline> {
    let mut line = vec![bold(command.get_bin_name().unwrap_or_else(|| command.get_name()))];
    let is_option = |argument: &&Arg| !argument.is_hide_set() && !argument.is_positional();
    for option in command.get_arguments().filter(is_option) {
        line.extend([roman(" "), roman("[")]);
        line.extend(names(option, "|"));
        line.extend(value(option).map(|value| italic(format!("{NO_BREAK}{value}"))));
        line.push(roman("]"));
    }
    if command.get_subcommands().any(|sub| !sub.is_hide_set()) {
        line.extend([roman(" "), roman("["), italic("COMMAND"), roman("]")]);
    }
    for argument in command.get_positionals().filter(|argument| !argument.is_hide_set()) {
        let name = match positional(argument) {
            name if argument.is_last_set() => {
                format!("[--{NO_BREAK}{}]", name.replace('[', "<").replace(']', ">"))
            }
            name => name,
        };
        line.extend([roman(" "), italic(name)]);
    }
    line
}

/// The short and the long name of an option.
fn names(option: &Arg, between: &str) -> Vec<Inline> {
    let short = option.get_short().map(|short| bold(format!("-{short}")));
    let long = option.get_long().map(|long| bold(format!("--{long}")));
    match (short, long) {
        (Some(short), Some(long)) => vec![short, roman(between), long],
        (short, long) => short.into_iter().chain(long).collect(),
    }
}

/// The name of an option's value, as in the help.
fn value(option: &Arg) -> Option<String> {
    option.get_action().takes_values().then(|| format!("<{}>", value_name(option)))
}

fn value_name(argument: &Arg) -> String {
    match argument.get_value_names() {
        Some(names) => names.join(" "),
        None => argument.get_id().as_str().to_uppercase(),
    }
}

/// A positional argument, as in the help.
fn positional(argument: &Arg) -> String {
    let name = value_name(argument);
    let more = if argument.get_num_args().is_some_and(|range| range.max_values() > 1) { "..." } else { "" };
    if argument.is_required_set() { format!("<{name}>{more}") } else { format!("[{name}]{more}") }
}

fn commands(page: &mut Roff, command: &Command) {
    let shown: Vec<&Command> = command.get_subcommands().filter(|sub| !sub.is_hide_set()).collect();
    if !shown.is_empty() {
        page.control("SH", ["COMMANDS"]);
    }
    for sub in shown {
        let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
        page.control("TP", []).text([bold(title(sub)), roman(format!("({SECTION})"))]);
        page.text(inlines(&about));
    }
}

/// A section about arguments.
fn arguments(page: &mut Roff, heading: &str, arguments: &[&Arg]) {
    if !arguments.is_empty() {
        page.control("SH", [heading]);
    }
    for argument in arguments {
        let mut head = names(argument, ", ");
        if argument.is_positional() {
            head.push(italic(positional(argument)));
        } else if let Some(value) = value(argument) {
            head.extend([roman(" "), italic(value)]);
        }
        page.control("TP", []).text(head);
        let help = argument.get_long_help().or_else(|| argument.get_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        let defaults = argument.get_default_values();
        let defaults: Vec<_> = defaults.iter().map(|value| value.to_string_lossy()).collect();
        let takes_value = argument.get_action().takes_values();
        let default = match &defaults[..] {
            [] => String::new(),
            _ if takes_value => format!(" [default: {}]", defaults.join(" ")),
            _ => String::new(),
        };
        page.text(inlines(&(help + &default)));
        if takes_value {
            possible_values(page, argument);
        }
    }
}

/// The words that an argument accepts: a sentence, or a list if some of them are explained.
fn possible_values(page: &mut Roff, argument: &Arg) {
    let values = argument.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    if values.is_empty() {
        return;
    }
    page.control("RS", []).control("PP", []);
    if values.iter().all(|value| value.get_help().is_none()) {
        let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        page.text([roman(format!("Possible values: {}", names.join(", ")))]).control("RE", []);
        return;
    }
    page.text([roman("Possible values:")]).control("PD", ["0"]);
    for value in values {
        let mut line = vec![bold(value.get_name())];
        if let Some(help) = value.get_help() {
            line.push(roman(": "));
            line.extend(inlines(&help.to_string()));
        }
        page.control("IP", ["\\(bu", "2"]).text(line);
    }
    page.control("PD", []).control("RE", []);
}

/// The notes below the options. Exit statuses have a section of their own.
fn notes(page: &mut Roff, command: &Command) {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (status, notes): (Vec<&str>, Vec<&str>) =
        notes.split("\n\n").filter(|part| !part.is_empty()).partition(|part| part.starts_with(STATUS));
    if !notes.is_empty() {
        page.control("SH", ["NOTES"]);
        paragraphs(page, &notes.join("\n\n"));
    }
    if !status.is_empty() {
        page.control("SH", ["EXIT STATUS"]);
        let plain = |part: &str| part.strip_prefix(STATUS).unwrap_or(part).to_owned();
        paragraphs(page, &status.into_iter().map(plain).collect::<Vec<_>>().join("\n\n"));
    }
}

fn paragraphs(page: &mut Roff, text: &str) {
    for (i, part) in text.split("\n\n").enumerate() {
        if i > 0 {
            page.control("PP", []);
        }
        page.text(inlines(&part.replace('\n', " ")));
    }
}

/// A text in which what is between backticks is bold.
fn inlines(text: &str) -> Vec<Inline> {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return vec![roman(text)];
    }
    let parts = parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty());
    parts.map(|(i, part)| if i % 2 == 0 { roman(part) } else { bold(part) }).collect()
}
