//! Which samples of two series belong together.

use crate::error::WhichSeries;
use std::ops::RangeInclusive;

/// How a path goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// To the next sample of both series.
    Both,
    /// To the next sample of x, which matches the same sample of y.
    X,
    /// To the next sample of y, which matches the same sample of x.
    Y,
}

impl Step {
    /// Whether x advances, and whether y does.
    pub(crate) const fn advances(self) -> (bool, bool) {
        match self {
            Self::Both => (true, true),
            Self::X => (true, false),
            Self::Y => (false, true),
        }
    }
}

/// Equal steps in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepRun {
    /// Which step.
    pub step: Step,
    /// How many, at least one.
    pub count: u32,
}

/// Several samples of one series that match a single sample of the other.
///
/// ```
/// use fathom_dtw::Warp;
///
/// let path = Warp::new().align(&[1.0, 4.0, 4.0, 1.0], &[1.0, 4.0, 1.0])?.path;
/// let stretches: Vec<usize> = path.stretches().map(|stretch| stretch.len()).collect();
/// assert_eq!(stretches, [2]);
/// # Ok::<(), fathom_dtw::WarpError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MatchedStretch {
    /// The series of the single sample.
    pub single: WhichSeries,
    /// Its index.
    pub index: usize,
    /// The samples of the other series that match it, at least two.
    pub matched: RangeInclusive<usize>,
}

impl MatchedStretch {
    /// How many samples match the single one.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a stretch is never empty")]
    pub fn len(&self) -> usize {
        self.matched.end() - self.matched.start() + 1
    }
}

/// Which samples of two series belong together: a chain of pairs (i, j) of an index of x and one of
/// y, in which each step advances x, y or both by one.
///
/// ```
/// use fathom_dtw::Warp;
///
/// let path = Warp::new().align(&[0.0, 5.0, 5.0, 1.0], &[0.0, 5.0, 1.0])?.path;
/// assert_eq!(path.iter().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 1), (3, 2)]);
/// assert_eq!(path.window(1..=2), Some(1..=1));
/// # Ok::<(), fathom_dtw::WarpError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    start: (usize, usize),
    end: (usize, usize),
    runs: Vec<StepRun>,
    len: usize,
}

impl Path {
    pub(crate) fn new(start: (usize, usize), end: (usize, usize), runs: Vec<StepRun>) -> Self {
        let len = runs.iter().map(|run| run.count as usize).sum::<usize>() + 1;
        Self { start, end, runs, len }
    }

    /// The first pair.
    ///
    /// ```
    /// use fathom_dtw::{StepRun, Step, Warp};
    ///
    /// let path = Warp::new().align(&[0.0, 5.0, 5.0], &[0.0, 5.0])?.path;
    /// assert_eq!((path.start(), path.end(), path.len()), ((0, 0), (2, 1), 3));
    /// assert_eq!(path.runs(), [StepRun { step: Step::Both, count: 1 }, StepRun { step: Step::X, count: 1 }]);
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> (usize, usize) {
        self.start
    }

    /// The last pair.
    #[must_use]
    pub fn end(&self) -> (usize, usize) {
        self.end
    }

    /// How many pairs, at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a path is never empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The steps from the first pair to the last, equal ones together.
    #[must_use]
    pub fn runs(&self) -> &[StepRun] {
        &self.runs
    }

    /// All pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        let steps = self.runs.iter().flat_map(|run| (0..run.count).map(|_| run.step));
        let mut pair = self.start;
        std::iter::once(pair).chain(steps.map(move |step| {
            let (x, y) = step.advances();
            pair = (pair.0 + usize::from(x), pair.1 + usize::from(y));
            pair
        }))
    }

    /// Each run with the pair that it starts from.
    fn legs(&self) -> impl Iterator<Item = ((usize, usize), Step, usize)> {
        let mut pair = self.start;
        self.runs.iter().map(move |run| {
            let from = pair;
            let (x, y) = run.step.advances();
            let count = run.count as usize;
            pair = (from.0 + count * usize::from(x), from.1 + count * usize::from(y));
            (from, run.step, count)
        })
    }

    /// The samples of y that match some samples of x: from the least to the greatest. None if the
    /// selection is empty or goes beyond the path.
    ///
    /// ```
    /// use fathom_dtw::Warp;
    ///
    /// let slow = [0.0, 0.0, 7.0, 7.0, 7.0, 0.0];
    /// let fast = [0.0, 7.0, 0.0];
    /// let path = Warp::new().align(&fast, &slow)?.path;
    /// assert_eq!(path.window(1..=1), Some(2..=4));
    /// assert_eq!(path.window(1..=3), None);
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    #[must_use]
    pub fn window(&self, selection: RangeInclusive<usize>) -> Option<RangeInclusive<usize>> {
        let (first, last) = (*selection.start(), *selection.end());
        if selection.is_empty() || first < self.start.0 || last > self.end.0 {
            return None;
        }
        let (mut low, mut high) = (self.start.1, self.end.1);
        for ((x, y), step, count) in self.legs() {
            let (advances, both) = (step != Step::Y, step == Step::Both);
            // The first pair of `first` lies in the run that reaches it.
            if advances && x < first && first <= x + count {
                low = if both { y + (first - x) } else { y };
            }
            // The last pair of `last` is the one before x advances beyond it.
            if advances && x <= last && last < x + count {
                high = if both { y + (last - x) } else { y };
                break;
            }
        }
        Some(low..=high)
    }

    /// For each sample of x on the path in order, the samples of y that match it.
    ///
    /// ```
    /// use fathom_dtw::Warp;
    ///
    /// let path = Warp::new().align(&[0.0, 7.0], &[0.0, 7.0, 7.0])?.path;
    /// assert_eq!(path.matches().collect::<Vec<_>>(), [0..=0, 1..=2]);
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    pub fn matches(&self) -> impl Iterator<Item = RangeInclusive<usize>> {
        let mut pairs = self.iter().peekable();
        std::iter::from_fn(move || {
            let (x, first) = pairs.next()?;
            let mut last = first;
            while let Some((_, y)) = pairs.next_if(|pair| pair.0 == x) {
                last = y;
            }
            Some(first..=last)
        })
    }

    /// The path with x and y exchanged.
    ///
    /// ```
    /// use fathom_dtw::Warp;
    ///
    /// let path = Warp::new().align(&[0.0, 7.0], &[0.0, 7.0, 7.0])?.path;
    /// assert_eq!(path.window(1..=1), Some(1..=2));
    /// assert_eq!(path.inverse().window(1..=2), Some(1..=1));
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    #[must_use]
    pub fn inverse(&self) -> Self {
        let exchanged = |step| match step {
            Step::Both => Step::Both,
            Step::X => Step::Y,
            Step::Y => Step::X,
        };
        let runs = self.runs.iter();
        Self {
            start: (self.start.1, self.start.0),
            end: (self.end.1, self.end.0),
            runs: runs.map(|run| StepRun { step: exchanged(run.step), count: run.count }).collect(),
            len: self.len,
        }
    }

    /// All stretches in which several samples of one series match one of the other, in order.
    pub fn stretches(&self) -> impl Iterator<Item = MatchedStretch> {
        self.legs().filter_map(|((x, y), step, count)| match step {
            Step::Both => None,
            Step::X => {
                Some(MatchedStretch { single: WhichSeries::Y, index: y, matched: x..=x + count })
            }
            Step::Y => {
                Some(MatchedStretch { single: WhichSeries::X, index: x, matched: y..=y + count })
            }
        })
    }

    /// The longest stretch in which several samples of one series match one of the other, of
    /// equally long ones the first. None if every sample matches one. Long ones are a sign of a
    /// wrong alignment.
    ///
    /// ```
    /// use fathom_dtw::{WhichSeries, Warp};
    ///
    /// let path = Warp::new().align(&[1.0, 4.0, 4.0, 4.0, 1.0], &[1.0, 4.0, 1.0])?.path;
    /// let stretch = path.longest_stretch().ok_or("none")?;
    /// assert_eq!((stretch.single, stretch.index, stretch.matched), (WhichSeries::Y, 1, 1..=3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn longest_stretch(&self) -> Option<MatchedStretch> {
        self.stretches().reduce(|best, next| if next.len() > best.len() { next } else { best })
    }

    /// The sum of the differences |x - y| along the path, with a penalty for each step that is not
    /// diagonal, added in the order in which the distance is: for the path of an alignment it is
    /// equal to its distance. None if the path goes beyond a series.
    ///
    /// ```
    /// use fathom_dtw::Warp;
    ///
    /// let (x, y) = ([1.0, 5.0, 2.0], [1.0, 4.0, 4.0, 2.0]);
    /// let alignment = Warp::new().penalty(0.5).align(&x, &y)?;
    /// assert_eq!(alignment.path.cost(&x, &y, 0.5), Some(alignment.distance));
    /// assert_eq!(alignment.path.cost(&x, &y[1..], 0.5), None);
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    #[must_use]
    pub fn cost(&self, x: &[f64], y: &[f64], penalty: f64) -> Option<f64> {
        let steps = self.runs.iter().flat_map(|run| (0..run.count).map(|_| run.step));
        let steps = std::iter::once(Step::Both).chain(steps);
        self.iter().zip(steps).try_fold(0.0, |cost, ((i, j), step)| {
            let cost = if step == Step::Both { cost } else { cost + penalty };
            Some((x.get(i)? - y.get(j)?).abs() + cost)
        })
    }
}
