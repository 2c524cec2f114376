//! Which functions the code of a bench asks for.

use regex_lite::Regex;

/// Which names to measure, chosen in the code. A regular expression is for
/// [`Criterion::with_filter`](super::Criterion::with_filter).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BenchmarkFilter {
    /// All of them.
    AcceptAll,
    /// This one.
    Exact(String),
    /// None of them.
    RejectAll,
}

/// A filter that was read.
#[derive(Debug, Clone, Default)]
pub(super) enum CodeFilter {
    #[default]
    All,
    Matching(Regex),
    Exact(String),
    None,
    /// Not a regular expression; why.
    Invalid(String),
}

impl From<BenchmarkFilter> for CodeFilter {
    fn from(filter: BenchmarkFilter) -> CodeFilter {
        match filter {
            BenchmarkFilter::AcceptAll => CodeFilter::All,
            BenchmarkFilter::Exact(name) => CodeFilter::Exact(name),
            BenchmarkFilter::RejectAll => CodeFilter::None,
        }
    }
}

impl CodeFilter {
    pub(super) fn matching(text: &str) -> CodeFilter {
        match Regex::new(text) {
            Ok(regex) => CodeFilter::Matching(regex),
            Err(error) => CodeFilter::Invalid(format!(
                "with_filter({text:?}) is not a valid regular expression ({error})"
            )),
        }
    }

    /// Whether a name is meant; what is wrong with the filter, if something is.
    pub(super) fn takes(&self, name: &str) -> Result<bool, &str> {
        match self {
            CodeFilter::All => Ok(true),
            CodeFilter::Matching(regex) => Ok(regex.is_match(name)),
            CodeFilter::Exact(whole) => Ok(whole == name),
            CodeFilter::None => Ok(false),
            CodeFilter::Invalid(why) => Err(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_takes_what_it_names() {
        let takes = |filter: &CodeFilter, name| filter.takes(name).map_err(str::to_string);
        assert_eq!(takes(&CodeFilter::matching("^a"), "ab"), Ok(true));
        assert_eq!(takes(&CodeFilter::matching("^a"), "ba"), Ok(false));
        let exact = BenchmarkFilter::Exact("a".into()).into();
        assert_eq!((takes(&exact, "a"), takes(&exact, "ab")), (Ok(true), Ok(false)));
        assert_eq!(takes(&BenchmarkFilter::RejectAll.into(), "a"), Ok(false));
        assert_eq!(takes(&BenchmarkFilter::AcceptAll.into(), "a"), Ok(true));
        let error = takes(&CodeFilter::matching("("), "a").unwrap_err();
        assert!(error.starts_with("with_filter(\"(\") is not a valid"), "{error}");
    }
}
