//! Which functions both builds have.

use super::DuelError;
use crate::selection::BenchFilters;
use fathom_render::layout::visible;

/// The functions to compare, and remarks on the others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MatchUp {
    pub(super) functions: Vec<InBoth>,
    pub(super) warnings: Vec<String>,
}

/// A function that both builds have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InBoth {
    pub(super) name: String,
    /// Its number in the old build and in the new.
    pub(super) places: [usize; 2],
}

impl MatchUp {
    pub(super) fn of(
        old: &[String],
        new: &[String],
        selection: &BenchFilters,
        labels: [&str; 2],
    ) -> Result<MatchUp, DuelError> {
        let functions: Vec<InBoth> = new
            .iter()
            .enumerate()
            .filter(|(_, name)| selection.is_selected(name))
            .filter_map(|(place, name)| {
                let in_old = old.iter().position(|other| other == name)?;
                Some(InBoth { name: name.clone(), places: [in_old, place] })
            })
            .collect();
        let missing = |here: &[String], there: &[String]| -> Vec<String> {
            let is_missing = |name: &&String| selection.is_selected(name) && !there.contains(name);
            here.iter().filter(is_missing).cloned().collect()
        };
        let mut warnings = Vec::new();
        for (names, label) in [(missing(old, new), labels[0]), (missing(new, old), labels[1])] {
            if !names.is_empty() {
                warnings.push(format!("only in {label}, so not compared: {}", names.join(", ")));
            }
        }
        if functions.is_empty() {
            return Err(DuelError::Nothing(nothing(old, new, labels)));
        }
        Ok(MatchUp { functions, warnings })
    }
}

fn nothing(old: &[String], new: &[String], labels: [&str; 2]) -> String {
    let list = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| visible(name)).collect();
        if names.is_empty() { "none".to_string() } else { names.join(", ") }
    };
    if old.iter().any(|name| new.contains(name)) {
        let both: Vec<String> = old.iter().filter(|name| new.contains(name)).cloned().collect();
        return format!("no function matches the filter; both builds have {}", list(&both));
    }
    format!(
        "the two builds share no function: {} has {}, {} has {}",
        labels[0],
        list(old),
        labels[1],
        list(new)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    fn matched(old: &str, new: &str, filter: &str) -> Result<MatchUp, String> {
        let selection = BenchFilters::new(&names(filter), &[], false).unwrap();
        MatchUp::of(&names(old), &names(new), &selection, ["old", "new"])
            .map_err(|error| error.to_string())
    }

    #[test]
    fn functions_are_matched_by_name() {
        let found = matched("a b c", "c a d", "").unwrap();
        let places: Vec<_> = found.functions.iter().map(|one| (&*one.name, one.places)).collect();
        assert_eq!(places, [("c", [2, 0]), ("a", [0, 1])]);
        assert_eq!(
            found.warnings,
            ["only in old, so not compared: b", "only in new, so not compared: d"]
        );
        assert!(matched("a b", "a b", "b").unwrap().warnings.is_empty());
    }

    #[test]
    fn nothing_in_common_is_said_with_what_there_is() {
        let [old, new] = ["a\nb", "c"].map(|name| vec![name.to_string()]);
        let error = nothing(&old, &new, ["old", "new"]);
        assert!(!error.contains('\n'), "{error:?}");
        let error = matched("a", "b", "").unwrap_err();
        assert_eq!(error, "the two builds share no function: old has a, new has b");
        let error = matched("a b", "a c", "x").unwrap_err();
        assert_eq!(error, "no function matches the filter; both builds have a");
    }
}
