//! Made-up systems in which the cause of what the target does is known.

mod availability;
mod confounders;
mod faults;
mod patterns;
mod propagation;

use super::draw::{log_between, shuffle};
use crate::population::Generator;
use fathom_explain::{Grid, Question, Segments, Sequence};
use fathom_record::Span;
use std::ops::Range;

/// A kind of system, and of what happens in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A node of a service graph fails; its own metrics change most.
    Faults,
    /// A node becomes slow, and its callers do too, at once.
    Propagation,
    /// Shares of requests that succeed: 100 nearly always.
    Availability,
    /// Shapes in a window, at the same level as before.
    Patterns,
    /// Most metrics move with the load; one has to do with the target besides.
    Confounders,
}

impl Kind {
    /// All, in the order of the tables.
    pub(super) const ALL: [Kind; 5] =
        [Kind::Faults, Kind::Propagation, Kind::Availability, Kind::Patterns, Kind::Confounders];

    /// Its name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Faults => "faults",
            Kind::Propagation => "propagation",
            Kind::Availability => "availability",
            Kind::Patterns => "patterns",
            Kind::Confounders => "confounders",
        }
    }

    /// One of them.
    pub(super) fn draw(self, rng: &mut Generator) -> World {
        let mut world = match self {
            Kind::Faults => faults::draw(rng),
            Kind::Propagation => propagation::draw(rng),
            Kind::Availability => availability::draw(rng),
            Kind::Patterns => patterns::draw(rng),
            Kind::Confounders => confounders::draw(rng),
        };
        // Where scores are equal the first is listed first: chance decides which that is.
        shuffle(&mut world.metrics, rng);
        world
    }
}

/// A metric, and whether it is (of) the cause.
#[derive(Debug, Clone)]
pub(super) struct Metric {
    pub(super) values: Vec<f64>,
    pub(super) is_cause: bool,
}

/// A target, a window in it, and metrics; some are the cause.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) target: Vec<f64>,
    pub(super) metrics: Vec<Metric>,
    pub(super) window: Range<usize>,
}

impl World {
    /// As it would be asked.
    pub(super) fn question(&self) -> Result<Question, String> {
        question(Sequence::from(self.target.clone()), self.window.clone())
    }
}

/// What a window of a target is asked about, against all that precedes it.
pub(super) fn question(target: Sequence, window: Range<usize>) -> Result<Question, String> {
    let row = Span::from_milliseconds(1_000);
    let grid = Grid::even(target.len(), row).ok_or("a world without rows")?;
    let baseline = Some(0..window.start).filter(|rows| !rows.is_empty());
    let windows = vec![window];
    Ok(Question { grid, target, windows, baseline, segments: Segments::Auto, pattern: None })
}

/// The lengths of a window and of what precedes it.
struct Lengths {
    history: usize,
    window: usize,
}

impl Lengths {
    /// Windows within limits; histories from `least` windows, 30 rows at least, up to `most` rows.
    fn draw(window: Range<f64>, least: f64, most: f64, rng: &mut Generator) -> Lengths {
        let window = log_between(window.start, window.end, rng).round();
        let shortest = (least * window).max(30.0);
        let history = log_between(shortest, most.max(shortest + 1.0), rng).round();
        Lengths { history: history as usize, window: window as usize }
    }

    fn rows(&self) -> usize {
        self.history + self.window
    }

    fn range(&self) -> Range<usize> {
        self.history..self.rows()
    }
}
