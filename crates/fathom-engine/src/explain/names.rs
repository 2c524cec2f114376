//! Short names: what is typed may be the beginning or the end of a name, if no other has it.

use crate::EngineError;
use fathom_record::foreign_text::escaped;

/// Names that a list in an error shows.
const SHOWN: usize = 6;

/// The name that is meant: the whole name; or without what became of a run, as in `run-1 (broken)`; or
/// whole words at an end of it; or any letters at an end of it. `None` if there is none.
///
/// # Errors
/// Several names are as near.
pub(super) fn meant<'n>(
    what: &str,
    word: &str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Result<Option<&'n str>, EngineError> {
    if word.is_empty() {
        return Ok(None);
    }
    let nearness: [fn(&str, &str) -> bool; 4] = [
        |name, word| name == word,
        |name, word| unlabelled(name) == word,
        |name, word| ends_in_words(unlabelled(name), word),
        |name, word| {
            let name = unlabelled(name);
            name.starts_with(word) || name.ends_with(word)
        },
    ];
    for is_near in nearness {
        let mut found: Vec<&str> = names.clone().filter(|name| is_near(name, word)).collect();
        found.sort_unstable();
        found.dedup();
        match found.as_slice() {
            [] => {}
            [only] => return Ok(Some(only)),
            several => return Err(ambiguous(what, word, several)),
        }
    }
    Ok(None)
}

/// A name without what became of a run.
fn unlabelled(name: &str) -> &str {
    match name.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some((before, _)) => before,
        None => name,
    }
}

/// Whether the name begins or ends with the word, and no letter or digit continues it.
fn ends_in_words(name: &str, word: &str) -> bool {
    let apart = |rest: &str, next: Option<char>| {
        !rest.is_empty() && next.is_some_and(|next| !next.is_alphanumeric())
    };
    let begins = name.strip_prefix(word).is_some_and(|rest| apart(rest, rest.chars().next()));
    begins || name.strip_suffix(word).is_some_and(|rest| apart(rest, rest.chars().next_back()))
}

fn ambiguous(what: &str, word: &str, names: &[&str]) -> EngineError {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| escaped(name)).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    EngineError::usage(format!(
        "\"{}\" may be any of these {what}s: {}{more}; write more of the name",
        escaped(word),
        shown.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(word: &str, names: &[&'static str]) -> Result<Option<&'static str>, String> {
        meant("run", word, names.iter().copied()).map_err(|error| error.to_string())
    }

    #[test]
    fn an_end_of_a_name_is_enough() {
        let runs = ["run-1 (broken)", "run-2 (kept)", "run-12 (kept)", "run-21 (kept)"];
        assert_eq!(found("run-1", &runs), Ok(Some("run-1 (broken)")));
        assert_eq!(found("run-1 (broken)", &runs), Ok(Some("run-1 (broken)")));
        assert_eq!(found("2", &runs), Ok(Some("run-2 (kept)")));
        assert_eq!(found("12", &runs), Ok(Some("run-12 (kept)")));
        assert_eq!(found("x", &runs), Ok(None));
        assert_eq!(found("", &runs), Ok(None));
        let metrics = ["gc.pause_ms", "gc.count", "disk.reads", "queue"];
        assert_eq!(found("pause_ms", &metrics), Ok(Some("gc.pause_ms")));
        assert_eq!(found("disk", &metrics), Ok(Some("disk.reads")));
        assert_eq!(found("que", &metrics), Ok(Some("queue")));
        assert_eq!(found("reads", &metrics), Ok(Some("disk.reads")));
        // Something in the middle is no end.
        assert_eq!(found("paus", &metrics), Ok(None));
    }

    #[test]
    fn what_may_be_several_names_is_refused_with_them() {
        let metrics = ["gc.pause_ms", "gc.count", "disk.reads"];
        let refused = found("gc", &metrics).unwrap_err();
        assert_eq!(
            refused,
            "\"gc\" may be any of these runs: gc.count, gc.pause_ms; write more of the name"
        );
        let many: Vec<String> = (0..20).map(|n| format!("run-{n}")).collect();
        let refused = meant("run", "run", many.iter().map(String::as_str)).unwrap_err();
        assert!(refused.to_string().contains("and 14 more"), "{refused}");
        // The same name in several runs is one name.
        assert_eq!(found("que", &["queue", "queue"]), Ok(Some("queue")));
    }
}
