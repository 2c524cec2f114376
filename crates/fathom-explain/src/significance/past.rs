//! What metrics did at other places.

use super::CALLED;
use super::beside::least_q;
use super::chance::Chance;
use super::tail::tail;

/// Smaller changes are ordinary without a look at the past.
const STANDS_OUT: f64 = 3.0;
/// What happens within this many more windows of a jump, before or after it, belongs to it.
const LASTS: usize = 2;
/// A metric whose largest change elsewhere is of this size is calm: noise without jumps has one about
/// as large. One that jumped further is judged by its jumps, here and elsewhere.
const CALM: f64 = 3.0;

/// Where else a metric would have been evidence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    /// How many independent places were looked at.
    places: f64,
    /// How unlikely what stood out was, each by its tail of Student's t.
    tails: Vec<f64>,
    /// For how many rows it was constant before it moved for the first time, if it did so elsewhere.
    woke_after: Option<f64>,
    /// How often it moves elsewhere.
    moves: Moves,
    /// How unlikely what it does within the windows is, by its own usual size, and by how far it jumps
    /// elsewhere.
    pub(super) change: Option<f64>,
    /// The same of how it follows the target.
    pub(super) shape: Option<f64>,
}

/// How often a metric moves outside the windows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) enum Moves {
    /// It is constant.
    Never,
    /// Once, for no longer than a window.
    Once,
    /// More.
    #[default]
    Often,
}

/// What a metric does within the windows, and which kind of evidence it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Observed {
    /// By how much its level changes, from rows that are next to the window.
    Change(f64),
    /// By how many times its usual size it changes from rows that are elsewhere, and on how many
    /// independent changes that size rests: those at places say nothing of such a distance.
    FarChange { z: f64, degrees: f64 },
    /// How closely it follows the target.
    Shape(f64),
}

/// What a usual size is at least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Least {
    /// By itself.
    pub(crate) size: f64,
    /// Added to it.
    pub(crate) margin: f64,
}

impl Past {
    /// Of a statistic at many places, `NaN` where it is not known, and within the windows. What happens
    /// at a place is also in `reach` places before it and after it.
    ///
    /// What is unusual at a place is judged by all that do not overlap it, as a window is, by what is
    /// usual there, and by the largest of them: a metric that jumps all the time does not tell how rare
    /// jumps are, and its jumps are no evidence. So a metric has one place at most. Its usual size rests
    /// on `degrees` of all places within the windows, and on `most` at other places.
    pub(crate) fn new(
        Seen { values, usual }: Seen<'_>,
        places: f64,
        reach: [usize; 2],
        least: Least,
        [degrees, most]: [f64; 2],
        observed: Observed,
    ) -> Past {
        let places = if places.is_finite() { places.max(0.0) } else { 0.0 };
        let whole = Sums::of(usual);
        let usual_size = |sums: Sums| sums.size().max(least.size) + least.margin;
        let (largest, at) = largest(values);
        let near = at.saturating_sub(reach[0])..at.saturating_add(reach[1] + 1).min(values.len());
        let others = whole.without(Sums::of(usual.get(near.clone()).unwrap_or_default()));
        // A jump that lasts for longer than a window is not two.
        let window = LASTS * (reach[0] + 1);
        let (start, end) = (near.start.saturating_sub(window), near.end.saturating_add(window));
        let (before, after) = (values.get(..start), values.get(end.min(values.len())..));
        let next = [before, after].map(|part| self::largest(part.unwrap_or_default()).0);
        let next = next[0].max(next[1]);
        let jump = largest / usual_size(others);
        let z = calmed(jump, next / usual_size(others));
        let mut tails = Vec::new();
        if others.count > 0.0 && z >= STANDS_OUT {
            // A metric that jumped looks as if its usual size rested on little. That of a calm one, whose
            // jump is in the window, rests on as much as there is: neither may look rarer than the other.
            // What it never did elsewhere is as unusual as anything.
            tails.push(if z.is_finite() { tail(z, most) } else { 0.0 });
        }
        let own = |observed: f64| {
            (whole.count > 0.0).then(|| tail(calmed(observed / usual_size(whole), jump), degrees))
        };
        let (change, shape) = match observed {
            Observed::Change(size) => (own(size.abs()), None),
            Observed::FarChange { z, degrees } => (Some(tail(calmed(z, jump), degrees)), None),
            Observed::Shape(size) => (None, own(size.abs())),
        };
        Past { places, tails, woke_after: None, moves: Moves::Often, change, shape }
    }

    /// Of a metric that never moved.
    pub(crate) fn still(places: f64) -> Past {
        Past { places, moves: Moves::Never, ..Past::default() }
    }

    /// With how often it moves.
    pub(crate) fn moving(self, moves: Moves) -> Past {
        Past { moves, ..self }
    }

    /// Whether it is constant outside the windows.
    pub(super) fn is_still(&self) -> bool {
        self.moves == Moves::Never
    }

    /// With when it moved for the first time, if it did so elsewhere: after this many equal rows.
    pub(crate) fn waking(self, after: Option<usize>) -> Past {
        Past { woke_after: after.map(|rows| rows as f64), ..self }
    }

    /// Of one metric, by another statistic as well.
    #[must_use]
    pub fn and(mut self, other: Past) -> Past {
        self.tails.extend(other.tails);
        // The same places were looked at, as far as both did.
        Past {
            places: self.places.min(other.places),
            tails: self.tails,
            woke_after: self.woke_after.or(other.woke_after),
            moves: if self.moves == Moves::Often { other.moves } else { self.moves },
            change: self.change.or(other.change),
            shape: self.shape.or(other.shape),
        }
    }
}

/// By its usual size and by the largest that it was elsewhere: as large as if that were calm.
fn calmed(z: f64, elsewhere: f64) -> f64 {
    // What is not a number is not above it.
    if elsewhere > CALM { z * (CALM / elsewhere) } else { z }
}

/// The largest size of what is known, and where it is first; 0 if nothing is.
fn largest(values: &[f64]) -> (f64, usize) {
    let sizes = values.iter().map(|value| value.abs()).enumerate();
    sizes.fold(
        (0.0, 0),
        |(largest, at), (place, size)| {
            if size > largest { (size, place) } else { (largest, at) }
        },
    )
}

/// A statistic at many places, and the same without what is far out, which usual sizes are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'v> {
    pub(crate) values: &'v [f64],
    pub(crate) usual: &'v [f64],
}

impl<'v> Seen<'v> {
    /// If nothing is held back.
    pub(crate) fn plain(values: &'v [f64]) -> Seen<'v> {
        Seen { values, usual: values }
    }
}

/// The sum of squares of values, some of them unknown.
#[derive(Clone, Copy)]
struct Sums {
    count: f64,
    squares: f64,
}

impl Sums {
    fn of(values: &[f64]) -> Sums {
        let mut sums = Sums { count: 0.0, squares: 0.0 };
        for square in values.iter().filter(|value| !value.is_nan()).map(|value| value * value) {
            sums.count += 1.0;
            sums.squares += square;
        }
        sums
    }

    fn without(self, some: Sums) -> Sums {
        Sums { count: self.count - some.count, squares: (self.squares - some.squares).max(0.0) }
    }

    /// The root mean square.
    fn size(self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}

/// What all metrics did at all places: how often something unusual happens, whatever the metric.
///
/// Student's t knows the usual size of a metric, not what it does once in a long while. All metrics
/// together have seen that often enough to tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pool {
    /// Of all metrics.
    places: f64,
    /// Smallest first.
    tails: Vec<f64>,
    /// After how many equal rows metrics moved for the first time, shortest first.
    woke_after: Vec<f64>,
    /// How many metrics moved once elsewhere, and not otherwise.
    once: usize,
    metrics: f64,
    /// Of a single metric.
    beside: f64,
}

impl Pool {
    /// Of every past of this many metrics: one that is in several runs has several. `beside` is how
    /// many windows fit outside the windows of a run.
    #[must_use]
    pub fn new<'p>(pasts: impl IntoIterator<Item = &'p Past>, metrics: usize, beside: f64) -> Pool {
        let mut pool = Pool { metrics: metrics.max(1) as f64, beside, ..Pool::default() };
        for past in pasts {
            pool.places += past.places;
            pool.tails.extend(&past.tails);
            pool.woke_after.extend(past.woke_after);
            pool.once += usize::from(past.moves == Moves::Once);
        }
        pool.tails.sort_by(f64::total_cmp);
        pool.woke_after.sort_by(f64::total_cmp);
        pool
    }

    /// Of a metric with this tail of Student's t, in one of two families.
    pub(super) fn of_size(&self, tail: f64) -> Chance {
        let unheard_of = least_q(self.beside) * self.nearness(tail);
        self.floored(Chance::new(2.0 * tail, self.share(tail), unheard_of))
    }

    /// Whatever happens once in N windows is not rarer than that, however many metrics it moves: on a
    /// busy machine they move together.
    fn floored(&self, chance: Chance) -> Chance {
        chance.at_least(least_q(self.beside))
    }

    /// Of a metric that moves within the windows and nowhere else, before or after them.
    ///
    /// It is judged by how many others moved once, for no longer than a window, wherever that was.
    pub(super) fn of_moving_here_alone(&self) -> Chance {
        let share = (1 + self.once) as f64 / (1.0 + self.places);
        let unheard_of = if self.once == 0 { least_q(self.beside) } else { 1.0 };
        self.floored(Chance::new(0.0, share, unheard_of))
    }

    /// Of a metric that moves for the first time after this many equal rows.
    ///
    /// Of those that did so elsewhere, what was constant for half as long or longer counts: what wakes
    /// up in the first moments of a run says little of what was asleep all the time. Half of the
    /// places are as late or later.
    pub(super) fn of_waking(&self, after: usize) -> Chance {
        let places = self.beside / 2.0;
        let shorter = self.woke_after.partition_point(|rows| *rows < after as f64 / 2.0);
        let alike = self.woke_after.len() - shorter;
        let share = (1 + alike) as f64 / (1.0 + self.places / 2.0);
        let unheard_of = if alike == 0 { least_q(places) } else { 1.0 };
        self.floored(Chance::new(0.0, share, unheard_of))
    }

    /// How often something at least as unlikely is seen at a place.
    pub(super) fn share(&self, tail: f64) -> f64 {
        // The one that is asked about included.
        let as_unlikely = self.tails.partition_point(|one| *one <= tail);
        ((1 + as_unlikely) as f64 / (1.0 + self.places)).min(1.0)
    }

    /// 1 if nothing elsewhere comes near to this; more, without a jump, the nearer something comes.
    ///
    /// Nothing does if Student's t has called nothing elsewhere, or if this is twice as far out as the
    /// next, in logarithms: what comes from one source is closer together.
    fn nearness(&self, tail: f64) -> f64 {
        let called = (CALLED / (2.0 * self.metrics)).ln();
        let next = self.tails.first().copied().unwrap_or(1.0).ln().min(0.0);
        let far = if next >= called {
            called
        } else if next >= 2.0 * called {
            called + 3.0 * (next - called)
        } else {
            2.0 * next
        };
        (tail.ln() - far).exp().max(1.0)
    }
}

#[cfg(test)]
mod tests;
