//! The ways to say how much a metric has to do with the target.

use crate::{Score, Sequence};
use fathom_record::{listed, nearest};
use std::fmt;
use std::str::FromStr;

/// A correlator that has prepared itself for a [`Question`](crate::Question). Asked of many metrics, from several threads.
pub trait Judge: Send + Sync {
    /// The score of a metric, which is on the question's grid, as long as the target; `None` if it
    /// cannot be said: too few rows that both were seen in, or no change within them.
    fn judge(&self, metric: &Sequence) -> Option<Score>;
}

/// Why a correlator has nothing to say on a question, whatever the metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoAnswer(pub String);

/// What a correlator looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The same shape as the target's within the window.
    Shape,
    /// Another level within the window than before it.
    Change,
    /// Both.
    Both,
}

/// A way to score metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Correlator {
    /// Pearson's coefficient, as the paper has it.
    Pearson,
    /// Spearman's, on mid-ranks.
    Spearman,
    /// Inverse Euclidean distance of z-scores. Ranks as Pearson's does.
    Euclidean,
    /// Inverse Manhattan distance of z-scores.
    Manhattan,
    /// Inverse warping distance of z-scores.
    Warping,
    /// How well lines fit the metric that are cut where the target's are.
    SameSplits,
    /// How close the metric's own cuts are to the target's.
    BestSplits,
    /// Pearson's with the pattern that was drawn.
    ManualPattern,
    /// Pearson's with the lines that fit the target best.
    AutoPattern,
    /// Pearson's, at the lag where it is largest.
    Lagged,
    /// By how many standard deviations of the baseline the mean moved.
    NSigma,
    /// By which share of the baseline's mean the mean moved, as Netdata's volume.
    Volume,
    /// Kolmogorov and Smirnov's distance of the values.
    KsLevels,
    /// The same of differences from row to row, as Netdata's metric correlations.
    KsDifferences,
    /// The largest distance from the baseline's median in interquartile ranges, as BARO.
    Baro,
    /// By how many of its usual changes between windows of this length the level moved.
    ChangeScore,
    /// How much closer it follows the target's shape here than elsewhere.
    ShapeScore,
    /// Both scores together: what metrics are ranked by unless told otherwise.
    Combined,
}

impl Correlator {
    /// All of them: the paper's eight first.
    pub const ALL: [Correlator; 18] = [
        Correlator::Pearson,
        Correlator::Spearman,
        Correlator::Euclidean,
        Correlator::Manhattan,
        Correlator::Warping,
        Correlator::SameSplits,
        Correlator::BestSplits,
        Correlator::ManualPattern,
        Correlator::AutoPattern,
        Correlator::Lagged,
        Correlator::NSigma,
        Correlator::Volume,
        Correlator::KsLevels,
        Correlator::KsDifferences,
        Correlator::Baro,
        Correlator::ChangeScore,
        Correlator::ShapeScore,
        Correlator::Combined,
    ];

    /// Its name on the command line and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Correlator::Pearson => "pearson",
            Correlator::Spearman => "spearman",
            Correlator::Euclidean => "euclidean",
            Correlator::Manhattan => "manhattan",
            Correlator::Warping => "dtw",
            Correlator::SameSplits => "same_splits",
            Correlator::BestSplits => "best_splits",
            Correlator::ManualPattern => "manual_pattern",
            Correlator::AutoPattern => "auto_pattern",
            Correlator::Lagged => "lagged",
            Correlator::NSigma => "n_sigma",
            Correlator::Volume => "volume",
            Correlator::KsLevels => "ks_levels",
            Correlator::KsDifferences => "ks_differences",
            Correlator::Baro => "baro",
            Correlator::ChangeScore => "change",
            Correlator::ShapeScore => "shape",
            Correlator::Combined => "combined",
        }
    }

    /// What it looks for.
    #[must_use]
    pub fn family(self) -> Family {
        match self {
            Correlator::Pearson
            | Correlator::Spearman
            | Correlator::Euclidean
            | Correlator::Manhattan
            | Correlator::Warping
            | Correlator::SameSplits
            | Correlator::BestSplits
            | Correlator::ManualPattern
            | Correlator::AutoPattern
            | Correlator::Lagged
            | Correlator::ShapeScore => Family::Shape,
            Correlator::NSigma
            | Correlator::Volume
            | Correlator::KsLevels
            | Correlator::KsDifferences
            | Correlator::Baro
            | Correlator::ChangeScore => Family::Change,
            Correlator::Combined => Family::Both,
        }
    }
}

impl fmt::Display for Correlator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is not a correlator's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown correlator \"{name}\"{near}")]
pub struct UnknownCorrelator {
    name: String,
    /// "; did you mean pearson?", or all of them.
    near: String,
}

impl UnknownCorrelator {
    fn new(name: &str) -> UnknownCorrelator {
        let names = Correlator::ALL.map(Correlator::as_str);
        let near = match nearest(name, &names).first() {
            Some(near) => format!("; did you mean {near}?"),
            None => format!("; choose one of {}", listed(&names)),
        };
        UnknownCorrelator { name: name.to_string(), near }
    }
}

impl FromStr for Correlator {
    type Err = UnknownCorrelator;

    fn from_str(name: &str) -> Result<Correlator, UnknownCorrelator> {
        let plain = name.to_ascii_lowercase().replace('-', "_");
        let found = Correlator::ALL.into_iter().find(|correlator| correlator.as_str() == plain);
        found.ok_or_else(|| UnknownCorrelator::new(name))
    }
}
