//! A tool's verdict on two that it compares, and in Fathom's terms.

use super::reading::{document, number, text};
use fathom_stats::Interval;

/// The verdict on the second of two; the first is the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// It takes longer.
    Slower,
    /// It takes less long.
    Faster,
    /// Whatever the difference is, it is within the margin.
    Equivalent,
    /// Nothing.
    Nothing,
}

/// What Fathom found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) said: Said,
    /// Of the second over the first.
    pub(super) ratio: f64,
    /// Of the ratio.
    pub(super) interval: Interval,
    pub(super) pairs: f64,
}

/// Fathom's JSON.
pub(super) fn fathom(printed: &str) -> Result<Found, String> {
    let found = document(printed)?;
    let of = |name: &str| number(&found, &format!("/comparisons/0/{name}"));
    let interval = Interval { lower: of("lower")?, upper: of("upper")? };
    let said = match text(&found, "/comparisons/0/verdict")? {
        "slower" => Said::Slower,
        "faster" => Said::Faster,
        "equivalent" => Said::Equivalent,
        "inconclusive" => Said::Nothing,
        other => return Err(format!("the verdict is {other:?}")),
    };
    Ok(Found { said, ratio: of("ratio")?, interval, pairs: of("pairs")? })
}

impl Said {
    /// The same of the first, the second being the reference.
    pub(super) fn swapped(self) -> Said {
        match self {
            Said::Slower => Said::Faster,
            Said::Faster => Said::Slower,
            Said::Equivalent | Said::Nothing => self,
        }
    }

    /// What an interval of the difference says: whether it excludes this value, and where it lies.
    pub(super) fn by_excluding(value: f64, interval: Interval) -> Said {
        if interval.lower > value {
            Said::Slower
        } else if interval.upper < value {
            Said::Faster
        } else {
            Said::Nothing
        }
    }

    /// The meaning of a name.
    pub(super) fn named(name: &str) -> Option<Said> {
        let all = [Said::Slower, Said::Faster, Said::Equivalent, Said::Nothing];
        all.into_iter().find(|said| said.name() == name)
    }

    /// The name in what is kept of the trials.
    pub(super) fn name(self) -> &'static str {
        match self {
            Said::Slower => "slower",
            Said::Faster => "faster",
            Said::Equivalent => "equivalent",
            Said::Nothing => "nothing",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fathom_is_read_with_infinite_ends() {
        let text = |verdict: &str, lower: &str| {
            format!(
                r#"{{"comparisons": [{{"verdict": "{verdict}", "ratio": 1.005, "lower": {lower},
                    "upper": 1.008, "pairs": 30}}]}}"#
            )
        };
        let found = fathom(&text("equivalent", "1.002")).unwrap();
        assert_eq!(found.said, Said::Equivalent);
        assert_eq!((found.interval.upper, found.pairs), (1.008, 30.0));
        assert_eq!(found.ratio, 1.005);
        let found = fathom(&text("inconclusive", "\"-inf\"")).unwrap();
        assert_eq!((found.said, found.interval.lower), (Said::Nothing, f64::NEG_INFINITY));
        assert!(fathom(&text("who knows", "1")).is_err());
        assert!(fathom("{}").is_err());
    }

    #[test]
    fn an_interval_says_something_if_it_excludes_the_value() {
        let said = |lower, upper| Said::by_excluding(1.0, Interval { lower, upper });
        assert_eq!([said(1.01, 1.02), said(0.9, 0.99)], [Said::Slower, Said::Faster]);
        assert_eq!([said(0.99, 1.02), said(1.0, 1.02)], [Said::Nothing, Said::Nothing]);
        assert_eq!(Said::named("equivalent"), Some(Said::Equivalent));
        assert_eq!(Said::named("better"), None);
    }
}
