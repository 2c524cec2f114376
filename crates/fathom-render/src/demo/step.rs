//! The steps of the tour.

/// A step of the tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoStep {
    /// How fast is it?
    Measure,
    /// Which runs count?
    Clean,
    /// Did it change?
    Decide,
    /// Does it keep its promise?
    Check,
    /// Why? Recorded, then explained.
    Explain,
}

impl DemoStep {
    /// All of them, in the order of the tour.
    pub const ALL: [DemoStep; 5] =
        [DemoStep::Measure, DemoStep::Clean, DemoStep::Decide, DemoStep::Check, DemoStep::Explain];

    /// As it is typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DemoStep::Measure => "measure",
            DemoStep::Clean => "clean",
            DemoStep::Decide => "decide",
            DemoStep::Check => "check",
            DemoStep::Explain => "explain",
        }
    }

    /// As a heading begins.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            DemoStep::Measure => "Measure",
            DemoStep::Clean => "Clean",
            DemoStep::Decide => "Decide",
            DemoStep::Check => "Check",
            DemoStep::Explain => "Record and explain",
        }
    }

    /// What it answers.
    #[must_use]
    pub fn question(self) -> &'static str {
        match self {
            DemoStep::Measure => "how fast is it?",
            DemoStep::Clean => "which runs count?",
            DemoStep::Decide => "did it change?",
            DemoStep::Check => "does it keep its promise?",
            DemoStep::Explain => "why was it slow?",
        }
    }

    /// What it shows, for help.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            DemoStep::Measure => "Time a program until the estimate is precise enough",
            DemoStep::Clean => "Find warm-up and outliers",
            DemoStep::Decide => "Compare two versions, then a version with itself",
            DemoStep::Check => "Check a property of a program with seeds",
            DemoStep::Explain => "Record metrics and find the cause of an anomaly",
        }
    }
}
