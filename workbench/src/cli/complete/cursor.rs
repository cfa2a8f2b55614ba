//! Finds out which argument the word at the cursor belongs to.

use clap::{Arg, ArgAction, Command};

/// The word at the cursor, in its command.
pub(super) struct Cursor<'a> {
    /// The command of the line.
    pub(super) command: &'a Command,
    pub(super) place: Place<'a>,
    /// The part of the word that belongs to the value of its argument; for options, the whole word.
    pub(super) word: String,
    /// What precedes [`Cursor::word`] in the word at the cursor, such as `--engine=`.
    pub(super) prefix: String,
    /// The values of arguments that precede the cursor, by the identifiers of these arguments.
    given: Vec<(String, String)>,
}

/// What is expected at the cursor.
pub(super) enum Place<'a> {
    /// The name of an option.
    Options,
    /// The value of an option.
    Value(&'a Arg),
    /// The name of a command, or the value of a positional argument.
    Word(Option<&'a Arg>),
}

impl<'a> Cursor<'a> {
    /// The cursor after the words `before`, in the word `last`.
    pub(super) fn find(root: &'a Command, before: &[String], last: &str) -> Self {
        let mut state = State { command: root, index: 0, is_rest: false, pending: None, given: Vec::new() };
        before.iter().for_each(|word| state.read(word));
        let (place, prefix) = state.place(last);
        let word = last[prefix.len()..].to_owned();
        Cursor { command: state.command, place, word, prefix, given: state.given }
    }

    /// The first value of an argument.
    pub(super) fn value(&self, id: &str) -> Option<&str> {
        self.values(id).next()
    }

    /// The values of an argument.
    pub(super) fn values(&self, id: &str) -> impl Iterator<Item = &str> {
        self.given.iter().filter(move |(known, _)| known == id).map(|(_, value)| value.as_str())
    }
}

/// Whether an argument takes a value.
pub(super) fn takes_value(argument: &Arg) -> bool {
    argument.get_action().takes_values()
}

/// Whether an argument may be given several times.
pub(super) fn is_repeatable(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append | ArgAction::Count)
}

/// What has been read of a line.
struct State<'a> {
    command: &'a Command,
    /// The index of the next positional argument, counted from 0.
    index: usize,
    /// Whether `--` has been read.
    is_rest: bool,
    /// The option whose value comes next.
    pending: Option<&'a Arg>,
    given: Vec<(String, String)>,
}

impl<'a> State<'a> {
    fn read(&mut self, word: &str) {
        if let Some(option) = self.pending.take() {
            return self.give(option, word);
        }
        if self.is_rest {
            return self.give_positional(word);
        }
        if word == "--" {
            self.is_rest = true;
        } else if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
            if let Some(option) = self.long(name) {
                self.give_option(option, value);
            }
        } else if let Some(shorts) = word.strip_prefix('-').filter(|shorts| !shorts.is_empty()) {
            if let Some((option, value)) = self.short(shorts) {
                let value = value.strip_prefix('=').unwrap_or(value);
                self.give_option(option, (!value.is_empty()).then_some(value));
            }
        } else if let Some(command) = self.subcommand(word) {
            (self.command, self.index) = (command, 0);
        } else {
            self.give_positional(word);
        }
    }

    /// The place of the last word, and the part of the word that precedes the value.
    fn place(&self, word: &str) -> (Place<'a>, String) {
        if let Some(option) = self.pending {
            return (Place::Value(option), String::new());
        }
        if self.is_rest || !word.starts_with('-') {
            return (Place::Word(self.positional()), String::new());
        }
        let value = match word.strip_prefix("--") {
            Some(long) => long.split_once('=').and_then(|(name, value)| Some((self.long(name)?, value))),
            None => self
                .short(&word[1..])
                .map(|(option, value)| (option, value.strip_prefix('=').unwrap_or(value))),
        };
        match value.filter(|(option, _)| takes_value(option)) {
            // `-e` alone is an option, `-esearch` has a value.
            Some((option, value)) if !value.is_empty() || word.ends_with('=') => {
                (Place::Value(option), word[..word.len() - value.len()].to_owned())
            }
            _ => (Place::Options, String::new()),
        }
    }

    fn give(&mut self, argument: &Arg, value: &str) {
        self.given.push((argument.get_id().to_string(), value.to_owned()));
    }

    fn give_option(&mut self, option: &'a Arg, value: Option<&str>) {
        match value {
            None if takes_value(option) => self.pending = Some(option),
            _ => self.give(option, value.unwrap_or_default()),
        }
    }

    fn give_positional(&mut self, value: &str) {
        let Some(argument) = self.positional() else { return };
        self.give(argument, value);
        if !is_repeatable(argument) {
            self.index += 1;
        }
    }

    /// The positional argument that comes next.
    fn positional(&self) -> Option<&'a Arg> {
        let mut positionals = self.command.get_positionals();
        match self.command.get_positionals().find(|argument| argument.is_last_set()) {
            Some(last) if self.is_rest => Some(last),
            last => positionals
                .nth(self.index)
                .filter(|argument| Some(argument.get_id()) != last.map(Arg::get_id)),
        }
    }

    fn subcommand(&self, word: &str) -> Option<&'a Command> {
        let is_first = self.index == 0;
        self.command.get_subcommands().find(|command| is_first && command.get_name() == word)
    }

    fn long(&self, name: &str) -> Option<&'a Arg> {
        self.command.get_arguments().find(|argument| argument.get_long() == Some(name))
    }

    /// The last option of a group of short options, with the text that follows it.
    fn short<'w>(&self, shorts: &'w str) -> Option<(&'a Arg, &'w str)> {
        let mut found = None;
        for (at, char) in shorts.char_indices() {
            let option = self.command.get_arguments().find(|argument| argument.get_short() == Some(char))?;
            found = Some((option, &shorts[at + char.len_utf8()..]));
            if takes_value(option) {
                break;
            }
        }
        found
    }
}
