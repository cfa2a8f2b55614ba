//! Suggestions for misspelt names: the most similar known name, or all known names.

/// The candidate that is most similar to `text`, if one is similar enough.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.map(|c| (strsim::jaro_winkler(text, c), c));
    scored.filter(|(score, _)| *score > 0.75).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, c)| c)
}

/// "did you mean …?" if there is a similar name, otherwise the list of all names.
pub fn suggestion(near: Option<&str>, all: &[String]) -> String {
    match near {
        Some(near) => format!("did you mean '{near}'?"),
        None if all.is_empty() => "there is none".to_owned(),
        None => format!("there are {}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similar_name_is_suggested_or_all_are_listed() {
        let names = ["cover", "owner"].map(str::to_owned);
        let hint = |text| suggestion(nearest(text, names.iter().map(String::as_str)), &names);
        assert_eq!(hint("covr"), "did you mean 'cover'?");
        assert_eq!(hint("xyz"), "there are cover, owner");
        assert_eq!(suggestion(None, &[]), "there is none");
    }
}
