//! What may be wrong with a result, as a value: what happened, and what to do about it.

mod words;

use crate::clean::OtherLoad;
use crate::{Method, NoInterval, Statistic};
use fathom_record::{Advice, FrontEnd, Unit};
use fathom_stats::Confidence;
use fathom_stats::work_rate::UnknownInterval;
use std::fmt;

/// What may be wrong with a result. Its text is that of the program `fathom`; [`Warning::said`] is
/// the text of another front end.
#[derive(Debug, Clone, PartialEq)]
pub enum Warning {
    /// All samples are equal.
    SameValues {
        /// How many there are.
        n: usize,
        /// What each of them is.
        value: f64,
        /// What it is in.
        unit: Unit,
    },
    /// The values of several executions count as one sample each.
    Pooled {
        /// How many executions.
        executions: usize,
    },
    /// A tail is of executions, although it reads as if it were of values.
    TailOfExecutions {
        /// Which tail.
        statistic: Statistic,
    },
    /// The level keeps changing.
    NoSteadyState {
        /// Where it changes, from 0.
        change_points: Vec<usize>,
    },
    /// The level got worse and stayed so.
    SlowDown {
        /// The first sample of the new level, from 0.
        start: usize,
    },
    /// Other load slowed the first samples.
    DisturbedBeginning {
        /// How many samples.
        start: usize,
        /// Among how many.
        n: usize,
        /// How much load there was.
        load: OtherLoad,
    },
    /// More of the first samples are slow than a warm-up usually has.
    LongBeginning {
        /// How many samples.
        start: usize,
        /// Among how many.
        n: usize,
    },
    /// Changes of the level may be slow random drift.
    RandomDrift,
    /// Nearly all samples would be skipped.
    NearlyAllSkipped {
        /// How many the user asked to skip.
        asked: usize,
        /// Among how many.
        n: usize,
    },
    /// Samples are too few to check for autocorrelation.
    TooFewToCheck {
        /// How many there are.
        n: usize,
        /// The lag-1 autocorrelation, where it looks suspicious.
        lag1: Option<f64>,
        /// How many are needed.
        needed: SamplesNeeded,
    },
    /// Samples count as independent, and they are not.
    NotIndependent {
        /// What treats them so.
        by: IndependenceSource,
        /// How many there are.
        n: usize,
        /// How many they are worth.
        effective: f64,
    },
    /// The interval of a mean may cover too little.
    Skewed {
        /// Of the samples.
        skewness: f64,
        /// How many there are.
        n: usize,
        /// What the interval should cover.
        confidence: Confidence,
    },
    /// The mean of rates is asked for.
    MeanOfRates {
        /// What the rates are in.
        unit: Unit,
    },
    /// Many samples look like outliers.
    ManyOutliers {
        /// How many.
        count: usize,
        /// Among how many.
        among: usize,
        /// Whether the estimate leaves them out.
        are_removed: bool,
    },
    /// An estimate has no interval.
    NoInterval {
        /// Of what.
        statistic: Statistic,
        /// How it was to be made.
        method: Method,
        /// Why.
        why: NoInterval,
    },
    /// The interval lacks an end, or both.
    MissingEnds {
        /// What is missing.
        missing: MissingEnds,
        /// Of what.
        statistic: Statistic,
        /// How sure it should be.
        confidence: Confidence,
        /// How many samples there are.
        n: usize,
        /// How many they are worth, where that is clearly less.
        effective: Option<f64>,
        /// About how many are needed.
        needed: usize,
    },
    /// SPA's interval covers less than asked.
    SpaCoverage {
        /// Of what.
        statistic: Statistic,
        /// What it covers.
        coverage: f64,
        /// What it should cover.
        confidence: Confidence,
    },
    /// Pilot's interval covers less than asked.
    SubsessionCoverage {
        /// Of what.
        statistic: Statistic,
        /// What it covers on series like this one, by simulation.
        coverage: f64,
        /// What it should cover.
        confidence: Confidence,
    },
    /// Time is not linear in work.
    Curved {
        /// The p-value of a straight line.
        p_value: f64,
    },
    /// The estimated set-up time is negative.
    NegativeSetup,
    /// The rate of work has no interval.
    NoRateInterval {
        /// Why.
        why: UnknownInterval,
    },
    /// The ratio changed while it was measured.
    RatioChanged,
    /// Runs depend on what ran before them.
    CarryOver {
        /// Of the reference and of the subject.
        names: [String; 2],
        /// How much longer each takes after the other than after itself, as log-ratios; `None` where
        /// only their difference is known.
        carried: Option<[f64; 2]>,
        /// The subject's less the reference's.
        difference: f64,
        /// About what the ratio would be without it, and what it is; `None` where both carry over
        /// the same.
        without: Option<[f64; 2]>,
    },
    /// The ratio is another while the machine is slow.
    RatioDependsOnSpeed {
        /// The ratio while it was quicker, and while it was slower.
        ratios: [f64; 2],
        /// Whether the difference stays the same, as if a fixed time were added to both.
        is_additive: bool,
    },
    /// The ratios of blocks have a long tail on one side.
    SkewedBlocks {
        /// Of the reference and of the subject.
        names: [String; 2],
        /// The ratio by the mean of logarithms.
        mean: f64,
        /// The ratio of a typical block.
        centre: f64,
    },
    /// Single runs differ more, or less, than at the beginning.
    NoiseChanged {
        /// Their standard deviation as a share, in the first half and in the second.
        halves: [f64; 2],
    },
    /// A ratio of means rests on rare long runs.
    RareRunsDecide {
        /// The skewness of the differences of blocks.
        skewness: f64,
        /// How many blocks there are.
        blocks: usize,
    },
    /// Where one command is slow, the other is quick.
    PairingCosts {
        /// By what factor the interval is narrower than that of separate runs.
        factor: f64,
    },
    /// One side of a comparison has no interval.
    NoIntervalOfSide {
        /// Its name.
        name: String,
        /// Why.
        why: NoInterval,
    },
    /// Something that another crate found, or that was read from a document.
    Other(Advice),
}

/// How many samples are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SamplesNeeded {
    /// This many, by an estimate.
    About(usize),
    /// Surely not fewer than this.
    AtLeast(usize),
}

/// What treats samples as independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndependenceSource {
    /// The user says so.
    User,
    /// A method does not look.
    Method(Method),
}

/// Which ends of an interval are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingEnds {
    /// The lower one.
    Lower,
    /// The upper one.
    Upper,
    /// Both.
    Both,
}

impl Warning {
    /// The text for a front end: it names no option that the front end lacks.
    #[must_use]
    pub fn said(&self, front_end: FrontEnd) -> String {
        self.advice(front_end).said(front_end)
    }

    /// Whether it is about what the first samples may be instead of a warm-up.
    pub(crate) fn is_of_beginning(&self) -> bool {
        matches!(self, Warning::DisturbedBeginning { .. } | Warning::LongBeginning { .. })
    }
}

impl From<Advice> for Warning {
    fn from(advice: Advice) -> Warning {
        Warning::Other(advice)
    }
}

/// A text that was written before.
impl From<String> for Warning {
    fn from(text: String) -> Warning {
        Warning::Other(text.into())
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(FrontEnd::FATHOM))
    }
}
