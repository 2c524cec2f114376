//! Values that are one of a few names.

use super::OptionValue;
use fathom_analyze::Method;
use fathom_analyze::clean::OutlierPolicy;
use fathom_explain::{Correlator, ScoreIn};
use fathom_formats::{Format, RowsAre};
use fathom_record::listed;
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Sides, outliers};

/// One of a few names. The list is the only one: the command line's choices follow from it.
pub trait Named: Copy + PartialEq + 'static {
    /// All of them, in the order in which help lists them.
    const ALL: &'static [Self];

    /// Its name.
    fn name(self) -> &'static str;
}

impl<N: Named> OptionValue for N {
    fn text(&self) -> String {
        self.name().to_string()
    }

    fn read(text: &str) -> Result<N, String> {
        let wanted = text.trim();
        N::ALL.iter().copied().find(|one| one.name().eq_ignore_ascii_case(wanted)).ok_or_else(
            || {
                let names: Vec<&str> = N::ALL.iter().map(|one| one.name()).collect();
                format!("use one of {}", listed(&names))
            },
        )
    }
}

impl Named for Method {
    const ALL: &'static [Method] = &Method::ALL;

    fn name(self) -> &'static str {
        Method::name(self)
    }
}

impl Named for Format {
    const ALL: &'static [Format] = &Format::ALL;

    fn name(self) -> &'static str {
        Format::name(self)
    }
}

impl Named for RowsAre {
    const ALL: &'static [RowsAre] = &[RowsAre::Executions, RowsAre::Samples];

    fn name(self) -> &'static str {
        match self {
            RowsAre::Executions => "executions",
            RowsAre::Samples => "samples",
        }
    }
}

impl Named for Correlator {
    const ALL: &'static [Correlator] = &Correlator::ALL;

    fn name(self) -> &'static str {
        self.as_str()
    }
}

impl Named for ScoreIn {
    const ALL: &'static [ScoreIn] = &[ScoreIn::Every, ScoreIn::Nearest];

    fn name(self) -> &'static str {
        match self {
            ScoreIn::Every => "every",
            ScoreIn::Nearest => "nearest",
        }
    }
}

impl Named for Sides {
    const ALL: &'static [Sides] = &[Sides::Both, Sides::Lower, Sides::Upper];

    fn name(self) -> &'static str {
        match self {
            Sides::Both => "both",
            Sides::Lower => "lower",
            Sides::Upper => "upper",
        }
    }
}

impl Named for Direction {
    const ALL: &'static [Direction] =
        &[Direction::Below, Direction::AtMost, Direction::Above, Direction::AtLeast];

    fn name(self) -> &'static str {
        match self {
            Direction::Below => "lt",
            Direction::AtMost => "le",
            Direction::Above => "gt",
            Direction::AtLeast => "ge",
        }
    }
}

impl Named for OutlierPolicy {
    const ALL: &'static [OutlierPolicy] =
        &[OutlierPolicy::Flag, OutlierPolicy::Remove, OutlierPolicy::Keep];

    fn name(self) -> &'static str {
        match self {
            OutlierPolicy::Flag => "flag",
            OutlierPolicy::Remove => "remove",
            OutlierPolicy::Keep => "keep",
        }
    }
}

impl Named for outliers::Method {
    const ALL: &'static [outliers::Method] = &[
        outliers::Method::Simplified,
        outliers::Method::Full,
        outliers::Method::Tukey,
        outliers::Method::Mad,
    ];

    fn name(self) -> &'static str {
        match self {
            outliers::Method::Simplified => "simplified",
            outliers::Method::Full => "full",
            outliers::Method::Tukey => "tukey",
            outliers::Method::Mad => "mad",
        }
    }
}
