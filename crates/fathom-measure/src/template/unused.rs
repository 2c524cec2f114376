//! Parameters that occur nowhere, and what was probably meant.

use super::placeholders;
use crate::Parameter;

/// A parameter that occurs nowhere: every value would measure the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no command uses parameter {name}. Write {{{name}}}{}.", instead(written.as_deref()))]
pub struct UnusedParameter {
    name: String,
    written: Option<String>,
}

fn instead(written: Option<&str>) -> String {
    written.map_or_else(
        || " where its value belongs".to_string(),
        |written| format!(" instead of {{{written}}}"),
    )
}

impl UnusedParameter {
    /// The parameter.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What stands between braces and was probably meant.
    #[must_use]
    pub fn written(&self) -> Option<&str> {
        self.written.as_deref()
    }
}

/// Finds the first parameter that is in none of the texts. The texts are the commands and the hooks:
/// `--prepare 'git checkout {commit}' make` uses its parameter. Names are not among them.
///
/// # Errors
/// There is such a parameter.
pub fn unused<T: AsRef<str>>(parameters: &[Parameter], texts: &[T]) -> Result<(), UnusedParameter> {
    let is_used = |wanted: &str| {
        texts.iter().any(|text| placeholders(text.as_ref()).any(|(_, name)| name == wanted))
    };
    let Some(unused) = parameters.iter().find(|parameter| !is_used(parameter.name())) else {
        return Ok(());
    };
    let is_other = |written: &str| parameters.iter().any(|other| other.name() == written);
    let written = texts
        .iter()
        .flat_map(|text| between_braces(text.as_ref()))
        .find(|written| !is_other(written) && is_near(unused.name(), written));
    Err(UnusedParameter { name: unused.name().to_string(), written: written.map(str::to_string) })
}

/// What stands between an opening brace and the next closing one.
fn between_braces(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('{').filter_map(|(open, _)| {
        let (inside, _) = text.get(open + 1..)?.split_once('}')?;
        (!inside.contains('{')).then_some(inside)
    })
}

/// Whether it is the name but for case, spaces and marks, or but for one letter of several.
fn is_near(name: &str, written: &str) -> bool {
    let plain = |text: &str| -> Vec<char> {
        text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect()
    };
    // What is much longer is a program for awk, not a slip.
    if written.len() > name.len() + 10 {
        return false;
    }
    let (name, written) = (plain(name), plain(written));
    name == written || name.len() > 2 && is_one_edit_away(&name, &written)
}

/// Whether one letter has to be inserted, deleted or replaced, or two neighbours swapped.
fn is_one_edit_away(a: &[char], b: &[char]) -> bool {
    let same_start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let rest = |letters: &[char], skipped: usize| -> Vec<char> {
        letters.iter().skip(same_start + skipped).copied().collect()
    };
    let starts: Vec<&char> = a.iter().skip(same_start).take(2).collect();
    let swapped: Vec<&char> = b.iter().skip(same_start).take(2).rev().collect();
    rest(a, 1) == rest(b, 0)
        || rest(a, 0) == rest(b, 1)
        || rest(a, 1) == rest(b, 1)
        || starts == swapped && rest(a, 2) == rest(b, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], texts: &[&str]) -> Result<(), String> {
        let parameters: Vec<Parameter> =
            names.iter().map(|name| Parameter::list(name, "1,2").unwrap()).collect();
        unused(&parameters, texts).map_err(|error| error.to_string())
    }

    #[test]
    fn used_anywhere_is_used() {
        assert_eq!(check(&[], &["a"]), Ok(()));
        assert_eq!(check(&["x", "y"], &["a {x}", "b '{y}'"]), Ok(()));
    }

    #[test]
    fn unused_ones_are_named() {
        let message = "no command uses parameter x. Write {x} where its value belongs.";
        for text in ["a", "a x", "a $x", "a {y}", "awk '{print x}'", "a {}"] {
            assert_eq!(check(&["x"], &[text]), Err(message.to_string()), "{text}");
        }
        assert_eq!(check(&["y", "x"], &["a {y}"]), Err(message.to_string()));
    }

    #[test]
    fn slips_are_recognised() {
        for written in ["Thread", "threads", " thread ", "thred", "therad", "THREAD", "thr-ead"] {
            assert_eq!(
                check(&["thread"], &[&format!("a '{{print}}' -j{{{written}}}")]),
                Err(format!(
                    "no command uses parameter thread. Write {{thread}} instead of {{{written}}}."
                ))
            );
        }
        for other in ["size", "thr", "t", "", "thread thread thread", "reads"] {
            let message = check(&["thread"], &[&format!("a {{{other}}}")]).unwrap_err();
            assert!(message.ends_with("where its value belongs."), "{message}");
        }
        let message = check(&["thread", "threads"], &["a {threads}"]).unwrap_err();
        assert!(message.ends_with("where its value belongs."), "another parameter is no slip");
    }
}
