//! What the user wants cleaning to do.

/// Which samples count as the steady state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SteadyStatePolicy {
    /// Find out.
    #[default]
    Auto,
    /// All of them; do not look.
    Off,
    /// All but the first this many.
    Skip(usize),
}

/// What happens to outliers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutlierPolicy {
    /// They are flagged and counted; the report also has the estimate without them.
    #[default]
    Flag,
    /// They are flagged, and the estimate leaves them out.
    Remove,
    /// They are not looked for.
    Keep,
}

impl OutlierPolicy {
    /// All of them.
    pub const ALL: [OutlierPolicy; 3] =
        [OutlierPolicy::Flag, OutlierPolicy::Remove, OutlierPolicy::Keep];

    /// Its name in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OutlierPolicy::Flag => "flag",
            OutlierPolicy::Remove => "remove",
            OutlierPolicy::Keep => "keep",
        }
    }
}
