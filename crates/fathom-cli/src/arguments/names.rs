//! Names on the command line for values of the libraries.

use clap::ValueEnum;
use fathom_analyze::Method;
use fathom_analyze::clean::OutlierPolicy;
use fathom_formats::Format;
use fathom_stats::Sides;
use fathom_stats::outliers;
use fathom_stats::quantile::spa::Direction;

/// Defines an option's values, each with the library's value it means.
macro_rules! names {
    ($name:ident for $value:ty { $($variant:ident = $target:expr),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
        pub(crate) enum $name { $($variant),+ }

        impl $name {
            pub(crate) fn value(self) -> $value {
                match self { $($name::$variant => $target),+ }
            }
        }
    };
}

names!(MethodName for Method {
    Exact = Method::Exact,
    Sequence = Method::Sequence,
    Spa = Method::Spa,
    Bca = Method::Bca,
    Sign = Method::Sign,
    T = Method::T,
    Z = Method::Z,
});

names!(SideName for Sides { Both = Sides::Both, Lower = Sides::Lower, Upper = Sides::Upper });

names!(DirectionName for Direction {
    Lt = Direction::Below,
    Le = Direction::AtMost,
    Gt = Direction::Above,
    Ge = Direction::AtLeast,
});

names!(OutlierName for OutlierPolicy {
    Flag = OutlierPolicy::Flag,
    Remove = OutlierPolicy::Remove,
    Keep = OutlierPolicy::Keep,
});

impl OutlierName {
    pub(crate) fn of(policy: OutlierPolicy) -> OutlierName {
        match policy {
            OutlierPolicy::Flag => OutlierName::Flag,
            OutlierPolicy::Remove => OutlierName::Remove,
            OutlierPolicy::Keep => OutlierName::Keep,
        }
    }
}

names!(OutlierMethodName for outliers::Method {
    Simplified = outliers::Method::Simplified,
    Full = outliers::Method::Full,
    Tukey = outliers::Method::Tukey,
    Mad = outliers::Method::Mad,
});

names!(FormatName for Format {
    Numbers = Format::Numbers,
    Csv = Format::Csv,
    Hyperfine = Format::Hyperfine,
    Pyperf = Format::Pyperf,
    GoogleBenchmark = Format::GoogleBenchmark,
    Criterion = Format::Criterion,
    Fathom = Format::Fathom,
    Gem5 = Format::Gem5,
    Json = Format::Json,
});
