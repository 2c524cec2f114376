//! Values that are one of a few names.

use super::OptionValue;
use fathom_analyze::Method;
use fathom_analyze::clean::OutlierPolicy;
use fathom_explain::onset::OrderBy;
use fathom_explain::{Correlator, ScoreIn};
use fathom_formats::{Format, RowsAre};
use fathom_record::listed;
use fathom_stats::Sides;
use fathom_stats::outliers::Method as OutlierMethod;
use fathom_stats::quantile::spa::Direction;

/// One of a few names. The list is the only one: the command line's choices and their help follow
/// from it.
pub trait Named: Copy + PartialEq + 'static {
    /// All of them, in the order in which help lists them.
    const ALL: &'static [Self];

    /// Its name.
    fn name(self) -> &'static str;

    /// What it means, as help says it beside the name; nothing where the help of its option says it.
    fn summary(self) -> Option<&'static str> {
        None
    }
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

/// Types of other crates, which have their names themselves.
macro_rules! with_their_own_names {
    ($($type:ident :: $name:ident),+ $(,)?) => {$(
        impl Named for $type {
            const ALL: &'static [$type] = &$type::ALL;

            fn name(self) -> &'static str {
                $type::$name(self)
            }
        }
    )+};
}

with_their_own_names! {
    Method::name,
    Format::name,
    Correlator::as_str,
    Sides::name,
    Direction::name,
    OutlierPolicy::name,
    OutlierMethod::name,
}

impl Named for RowsAre {
    const ALL: &'static [RowsAre] = &RowsAre::ALL;

    fn name(self) -> &'static str {
        RowsAre::name(self)
    }

    fn summary(self) -> Option<&'static str> {
        Some(match self {
            RowsAre::Executions => "Each row is an execution",
            RowsAre::Samples => "All rows are samples of one execution",
        })
    }
}

impl Named for OrderBy {
    const ALL: &'static [OrderBy] = &OrderBy::ALL;

    fn name(self) -> &'static str {
        OrderBy::name(self)
    }

    fn summary(self) -> Option<&'static str> {
        Some(match self {
            OrderBy::Evidence => "The strongest evidence first",
            OrderBy::Onset => "What moved first, among metrics that clearly changed",
        })
    }
}

impl Named for ScoreIn {
    const ALL: &'static [ScoreIn] = &ScoreIn::ALL;

    fn name(self) -> &'static str {
        ScoreIn::name(self)
    }

    fn summary(self) -> Option<&'static str> {
        Some(match self {
            ScoreIn::Every => "In every run; the median score counts",
            ScoreIn::Nearest => "Only in the target's run, or in the best aligned run",
        })
    }
}
