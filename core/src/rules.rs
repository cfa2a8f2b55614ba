//! Rules: the settings of a problem, as keys with values that are validated before use.
//!
//! The command line (`--rule KEY=VALUE`), plans and answers use the same keys.

use crate::board::Size;
use crate::errors::RulesError;
use crate::spec::{nearest, suggestion};
use serde_json::{Map, Value};

/// The values that a rule accepts.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number in a range, or one of these words.
    Number {
        /// Minimum.
        min: u32,
        /// Maximum.
        max: u32,
        /// Words that are accepted as well.
        or: &'static [&'static str],
    },
    /// `WxH`, each side from 1 to `max`, or one of these words.
    Size {
        /// Maximum width and height.
        max: u32,
        /// Words that are accepted as well.
        or: &'static [&'static str],
    },
    /// The contents of a file that the user names, or one of these words.
    File {
        /// Words that are accepted instead of the name of a file.
        or: &'static [&'static str],
    },
}

/// One rule of a problem.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its key.
    pub key: &'static str,
    /// The values that it accepts.
    pub values: Values,
    /// The judge's value.
    pub default: &'static str,
    /// One line for `list rules`.
    pub about: &'static str,
    /// True if the rule only says how text is read. Such a rule does not belong to the question, so answers do not
    /// contain it.
    pub reading: bool,
}

impl Rule {
    /// The values that the rule accepts, in words.
    pub fn values_text(&self) -> String {
        match self.values {
            Values::OneOf(words) => words.join(", "),
            Values::Number { min, max, or } => with_words(format!("a number from {min} to {max}"), or),
            Values::Size { max, or } => with_words(format!("WxH, each from 1 to {max}"), or),
            Values::File { or } => with_words("the name of a file".to_owned(), or),
        }
    }

    fn check(&self, value: &str) -> Result<(), RulesError> {
        let fits = match self.values {
            Values::OneOf(words) => words.contains(&value),
            Values::Number { min, max, or } => {
                or.contains(&value) || number(value).is_some_and(|n| (min..=max).contains(&n))
            }
            Values::Size { max, or } => {
                or.contains(&value) || size(value).is_some_and(|size| size.width.max(size.height) <= max)
            }
            Values::File { .. } => true,
        };
        if fits {
            return Ok(());
        }
        let words = match self.values {
            Values::OneOf(or) | Values::Number { or, .. } | Values::Size { or, .. } | Values::File { or } => {
                or
            }
        };
        let hint =
            nearest(value, words.iter().copied()).map_or(String::new(), |n| format!("; did you mean '{n}'?"));
        Err(format!("rule {} has no value '{value}'; it takes {}{hint}", self.key, self.values_text()).into())
    }
}

fn with_words(first: String, words: &[&str]) -> String {
    if words.is_empty() { first } else { format!("{}, or {first}", words.join(", ")) }
}

fn number(text: &str) -> Option<u32> {
    (!text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().ok())?
}

/// The size in a text `WxH`, with both sides at least 1; `None` for any other text.
pub fn size(text: &str) -> Option<Size> {
    let (w, h) = text.split_once('x')?;
    let (w, h) = number(w).zip(number(h)).filter(|&(w, h)| w > 0 && h > 0)?;
    Some(Size::new(w, h))
}

/// Whether a study reads positions from a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// It reads one or more positions.
    Read,
    /// It reads none.
    Unread,
}

impl From<bool> for Text {
    fn from(is_read: bool) -> Text {
        if is_read { Text::Read } else { Text::Unread }
    }
}

/// Every rule of a problem with a valid value.
#[derive(Clone, Debug)]
pub struct Settings {
    values: Vec<Setting>,
    /// The key and the file name of each rule whose value was read from a file.
    files: Vec<(&'static str, String)>,
}

/// A rule with its value.
#[derive(Clone, Debug)]
struct Setting {
    rule: &'static Rule,
    value: String,
}

/// Reads a file that a rule names.
pub type Load<'a> = &'a dyn Fn(&str) -> Result<String, RulesError>;

impl Settings {
    fn defaults(rules: &'static [Rule]) -> Settings {
        let default = |rule: &'static Rule| Setting { rule, value: rule.default.to_owned() };
        let values = rules.iter().map(default).collect();
        Settings { values, files: Vec::new() }
    }

    /// The values in `given`, and the defaults of all other rules. If a key occurs twice, the last value counts.
    ///
    /// # Errors
    /// Returns an error if a key or value is unknown, or if `load` cannot read a file. For an unknown key or value, the
    /// message suggests the nearest one.
    pub fn new(
        rules: &'static [Rule],
        given: &[(String, String)],
        load: Load<'_>,
    ) -> Result<Settings, RulesError> {
        let mut settings = Settings::defaults(rules);
        for (key, value) in given {
            let slot = settings.slot(rules, key)?;
            slot.rule.check(value)?;
            slot.value = match slot.rule.values {
                Values::File { or } if !or.contains(&value.as_str()) => {
                    let text = load(value)?;
                    let key = slot.rule.key;
                    // The text of a file may equal one of the words. Then a line end is added, which distinguishes the
                    // text from the word.
                    slot.value = if or.contains(&text.as_str()) { text + "\n" } else { text };
                    settings.files.push((key, value.clone()));
                    continue;
                }
                _ => value.clone(),
            };
        }
        Ok(settings)
    }

    /// Reads what [`Settings::to_json`] wrote.
    ///
    /// # Errors
    /// Returns the errors of [`Settings::new`], and an error if a value is not a string.
    pub fn from_json(rules: &'static [Rule], json: &Value) -> Result<Settings, RulesError> {
        let mut settings = Settings::defaults(rules);
        let map = json.as_object().ok_or("\"rules\" is not an object")?;
        for (key, value) in map {
            let slot = settings.slot(rules, key)?;
            let value = value.as_str().ok_or_else(|| format!("rule {key} is not a string"))?;
            slot.rule.check(value)?;
            slot.value = value.to_owned();
        }
        Ok(settings)
    }

    /// All rules that belong to the question, with their values, including default values.
    pub fn to_json(&self) -> Value {
        let kept = self.values.iter().filter(|setting| !setting.rule.reading);
        Value::Object(
            kept.map(|Setting { rule, value }| (rule.key.to_owned(), value.as_str().into()))
                .collect::<Map<_, _>>(),
        )
    }

    /// The rules that belong to the question and differ from the judge's, with their values.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let changed =
            self.values.iter().filter(|Setting { rule, value }| !rule.reading && *value != rule.default);
        changed.map(|Setting { rule, value }| (rule.key, value.as_str()))
    }

    /// The same settings, but with the judge's values for these rules.
    #[must_use]
    pub fn without(mut self, keys: &[&str]) -> Settings {
        for Setting { rule, value } in &mut self.values {
            if keys.contains(&rule.key) {
                rule.default.clone_into(value);
            }
        }
        self
    }

    /// The value of a rule that the problem declares; empty for any other key.
    pub fn get(&self, key: &str) -> &str {
        self.values.iter().find(|setting| setting.rule.key == key).map_or("", |setting| &setting.value)
    }

    /// The name, in messages, of a text that is the value of a rule: the name of the file from which it was read. If it
    /// was not read from a file but, for example, from an answer, its name is the key of the rule.
    pub fn file<'a>(&'a self, key: &'a str) -> &'a str {
        self.files.iter().rev().find(|(of, _)| *of == key).map_or(key, |(_, name)| name)
    }

    /// Checks that the study `name` ignores no rule. A rule is not ignored if it has the judge's value, if the study
    /// uses it, or if it says how text is read and the study reads a text.
    ///
    /// # Errors
    /// Returns an error if a rule would be ignored. The message names the rules that the study uses.
    pub fn check_used(&self, name: &str, used: &[&str], text: Text) -> Result<(), RulesError> {
        let is_ignored = |Setting { rule, value }: &&Setting| {
            value != rule.default && !used.contains(&rule.key) && !(rule.reading && text == Text::Read)
        };
        let Some(Setting { rule, .. }) = self.values.iter().find(is_ignored) else { return Ok(()) };
        let used = if used.is_empty() { "none".to_owned() } else { used.join(", ") };
        Err(format!("{name} does not use the rule {}; it uses {used}", rule.key).into())
    }

    /// The value of a rule as a number, if it is one.
    pub fn number(&self, key: &str) -> Option<u32> {
        number(self.get(key))
    }

    /// The value of a rule as a size, if it is one.
    pub fn size(&self, key: &str) -> Option<Size> {
        size(self.get(key))
    }

    fn slot(&mut self, rules: &'static [Rule], key: &str) -> Result<&mut Setting, RulesError> {
        self.values.iter_mut().find(|setting| setting.rule.key == key).ok_or_else(|| {
            let names: Vec<_> = rules.iter().map(|r| r.key.to_owned()).collect();
            let near = nearest(key, rules.iter().map(|r| r.key));
            format!("no rule is called '{key}'; {}", suggestion(near, &names)).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &[Rule] = &[
        Rule {
            key: "symmetry",
            values: Values::OneOf(&["c4", "d4"]),
            default: "c4",
            about: "",
            reading: false,
        },
        Rule {
            key: "limit",
            values: Values::Number { min: 1, max: 99, or: &["2n"] },
            default: "2n",
            about: "",
            reading: false,
        },
        Rule {
            key: "size",
            values: Values::Size { max: 9, or: &[] },
            default: "4x4",
            about: "",
            reading: true,
        },
    ];

    fn set(key: &str, value: &str) -> Result<Settings, RulesError> {
        Settings::new(RULES, &[(key.into(), value.into())], &|_| Err("no files".into()))
    }

    #[test]
    fn values_are_validated_and_names_are_suggested() {
        assert_eq!(set("limit", "7").unwrap().number("limit"), Some(7));
        assert_eq!(set("size", "3x9").unwrap().size("size"), Some(Size::new(3, 9)));
        assert_eq!(
            set("symetry", "d4").unwrap_err(),
            "no rule is called 'symetry'; did you mean 'symmetry'?"
        );
        assert_eq!(
            set("limit", "0").unwrap_err(),
            "rule limit has no value '0'; it takes 2n, or a number from 1 to 99"
        );
        assert_eq!(
            set("size", "3x10").unwrap_err(),
            "rule size has no value '3x10'; it takes WxH, each from 1 to 9"
        );
    }

    #[test]
    fn rules_about_reading_are_not_among_the_changed_ones() {
        let given = [("symmetry", "d4"), ("limit", "2n"), ("size", "3x3")];
        let given = given.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let settings = Settings::new(RULES, &given, &|_| Err("no files".into())).unwrap();
        assert_eq!(settings.changed().collect::<Vec<_>>(), [("symmetry", "d4")]);
        assert_eq!(settings.check_used("it", &["symmetry"], Text::Read), Ok(()));
        let ignored = |used: &[&str], text| settings.check_used("it", used, text).unwrap_err();
        assert_eq!(ignored(&["symmetry"], Text::Unread), "it does not use the rule size; it uses symmetry");
        assert_eq!(ignored(&[], Text::Read), "it does not use the rule symmetry; it uses none");
        assert_eq!(settings.without(&["symmetry"]).changed().count(), 0);
    }

    #[test]
    fn json_contains_the_rules_of_the_question_and_can_be_read_back() {
        let json = set("symmetry", "d4").unwrap().to_json();
        assert_eq!(json.to_string(), r#"{"symmetry":"d4","limit":"2n"}"#);
        assert_eq!(Settings::from_json(RULES, &json).unwrap().get("symmetry"), "d4");
        assert!(Settings::from_json(RULES, &serde_json::json!({"limit": 3})).is_err());
    }
}
