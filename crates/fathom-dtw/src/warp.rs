//! How to align, and the alignment.

use crate::WarpError;
use crate::band::Band;
use crate::kernel::{Engine, Kernel};
use crate::path::Path;
use crate::path_plan::PathPlan;
use crate::problem::Problem;
use crate::trace::{Traced, measure, solve};
use crate::watch::{Watch, Watcher};
use std::fmt;

/// A gibibyte: room for series of millions of samples.
const MEMORY: usize = 1 << 30;

/// How to align: by the path from the first samples to the last whose sum of |x - y| is the least.
///
/// ```
/// use fathom_dtw::Warp;
///
/// let x = [1.0, 1.0, 5.0, 2.0];
/// let y = [1.0, 5.0, 5.0, 2.0, 2.0];
/// let alignment = Warp::new().align(&x, &y)?;
/// assert_eq!(alignment.distance, 0.0);
/// assert_eq!(alignment.path.window(2..=2), Some(1..=2));
///
/// // A penalty for every step that leaves the diagonal keeps the alignment tighter.
/// assert_eq!(Warp::new().penalty(0.5).distance(&x, &y)?, 1.5);
/// # Ok::<(), fathom_dtw::WarpError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Warp<'w> {
    band: Option<usize>,
    penalty: f64,
    memory: usize,
    kernel: Option<Kernel>,
    watcher: Option<Watcher<'w>>,
}

/// Two series and how they belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Alignment {
    /// The sum of the differences |x - y| along the path, penalties included.
    pub distance: f64,
    /// The path. Of several of equal cost it is the one that, seen from the end, prefers diagonal
    /// steps, then those of x.
    pub path: Path,
}

impl Alignment {
    /// The distance per pair of the path: how good the alignment is, comparable between series of
    /// different lengths.
    ///
    /// ```
    /// use fathom_dtw::Warp;
    ///
    /// let alignment = Warp::new().align(&[0.0, 1.0], &[1.0, 2.0])?;
    /// assert_eq!(alignment.distance, 2.0);
    /// assert_eq!(alignment.cost_per_pair(), 2.0 / alignment.path.len() as f64);
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "far below 2^53 pairs")]
    pub fn cost_per_pair(&self) -> f64 {
        self.distance / self.path.len() as f64
    }
}

impl Default for Warp<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Warp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Warp")
            .field("band", &self.band)
            .field("penalty", &self.penalty)
            .field("memory", &self.memory)
            .field("kernel", &self.kernel)
            .field("watched", &self.watcher.is_some())
            .finish()
    }
}

impl<'w> Warp<'w> {
    /// Without band and penalty, within a gibibyte of memory, by the fastest kernel.
    #[must_use]
    pub const fn new() -> Self {
        Self { band: None, penalty: 0.0, memory: MEMORY, kernel: None, watcher: None }
    }

    /// Allows only pairs near the straight line from the first samples to the last: at most
    /// `radius` samples of the shorter series away from it. For equal lengths this is the band of
    /// Sakoe and Chiba, |i - j| <= radius. A radius of one or more always leaves a path; with
    /// different lengths zero does not.
    ///
    /// ```
    /// use fathom_dtw::Warp;
    ///
    /// let (x, y) = ([0.0, 0.0, 0.0, 9.0], [0.0, 9.0, 9.0, 9.0]);
    /// assert_eq!(Warp::new().distance(&x, &y)?, 0.0);
    /// assert_eq!(Warp::new().band(1).distance(&x, &y)?, 9.0);
    /// assert!(Warp::new().band(0).distance(&x, &y[1..]).is_err());
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    #[must_use]
    pub const fn band(mut self, radius: usize) -> Self {
        self.band = Some(radius);
        self
    }

    /// Adds a cost to every step that advances only one of the series. Zero unless told otherwise.
    #[must_use]
    pub const fn penalty(mut self, penalty: f64) -> Self {
        self.penalty = penalty;
        self
    }

    /// The memory, in bytes, within which a path is found; a gibibyte unless told otherwise. Less
    /// costs time, as more cells are computed twice, but never changes the result. Distances alone
    /// need little more than their series do, and no limit.
    ///
    /// ```
    /// use fathom_dtw::{Kernel, Warp};
    ///
    /// let x: Vec<f64> = (0..2000).map(|i| f64::from(i % 100)).collect();
    /// let y: Vec<f64> = (0..2000).map(|i| f64::from((i + 10) % 100)).collect();
    /// let roomy = Warp::new().align(&x, &y)?;
    /// let tight = Warp::new().memory(1 << 20).kernel(Kernel::Scalar).align(&x, &y)?;
    /// assert_eq!(roomy, tight);
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    #[must_use]
    pub const fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Asks for a kernel, for tests and measurements.
    #[must_use]
    pub const fn kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = Some(kernel);
        self
    }

    /// Tells about progress after every few rows, and stops when the answer is to break.
    ///
    /// ```
    /// use fathom_dtw::{Warp, WarpError};
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// let enough = AtomicBool::new(true);
    /// let watcher = |_| match enough.load(Ordering::Relaxed) {
    ///     true => ControlFlow::Break(()),
    ///     false => ControlFlow::Continue(()),
    /// };
    /// let x = vec![1.0; 1000];
    /// assert_eq!(Warp::new().watch(&watcher).align(&x, &x), Err(WarpError::Stopped));
    /// ```
    #[must_use]
    pub fn watch<'v>(self, watcher: Watcher<'v>) -> Warp<'v>
    where
        'w: 'v,
    {
        Warp { watcher: Some(watcher), ..self }
    }

    /// The least sum of |x - y| along a path from the first samples to the last.
    ///
    /// # Errors
    /// If a series is empty or has a value that is not finite, an option is of no use, or the
    /// watcher asks to stop.
    pub fn distance(&self, x: &[f64], y: &[f64]) -> Result<f64, WarpError> {
        Ok(measure(&self.problem(x, y, false)?)?.0)
    }

    /// The path from the first samples to the last whose sum of |x - y| is the least.
    ///
    /// # Errors
    /// As [`Warp::distance`], or if the memory does not suffice.
    pub fn align(&self, x: &[f64], y: &[f64]) -> Result<Alignment, WarpError> {
        self.traced(&self.problem(x, y, false)?)
    }

    /// Looks for x in y: aligns all of x with whichever part of y fits best. Of parts that fit
    /// equally well it is the one that ends first.
    ///
    /// ```
    /// use fathom_dtw::Warp;
    ///
    /// let y = [3.0, 3.0, 0.0, 9.0, 9.0, 0.0, 3.0];
    /// let found = Warp::new().find(&[0.0, 9.0, 0.0], &y)?;
    /// assert_eq!(found.distance, 0.0);
    /// assert_eq!((found.path.start().1, found.path.end().1), (2, 5));
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Warp::align`], or if there is a band: a search has no diagonal.
    pub fn find(&self, x: &[f64], y: &[f64]) -> Result<Alignment, WarpError> {
        self.traced(&self.problem(x, y, true)?)
    }

    /// The distance of x from the part of y that fits best, and the last index of that part.
    ///
    /// # Errors
    /// As [`Warp::distance`], or if there is a band: a search has no diagonal.
    ///
    /// ```
    /// use fathom_dtw::Warp;
    ///
    /// let y = [3.0, 3.0, 0.0, 9.0, 9.0, 0.0, 3.0];
    /// assert_eq!(Warp::new().find_distance(&[0.0, 9.0, 0.0], &y)?, (0.0, 5));
    /// # Ok::<(), fathom_dtw::WarpError>(())
    /// ```
    pub fn find_distance(&self, x: &[f64], y: &[f64]) -> Result<(f64, usize), WarpError> {
        measure(&self.problem(x, y, true)?)
    }

    fn traced(&self, problem: &Problem<'_>) -> Result<Alignment, WarpError> {
        let (rows, columns) = (problem.x.len(), problem.columns);
        let plan = PathPlan::new(&problem.engine, rows, columns, self.memory)?;
        let Traced { distance, path } = solve(problem, &plan)?;
        Ok(Alignment { distance, path })
    }

    fn problem<'a>(&self, x: &'a [f64], y: &[f64], free: bool) -> Result<Problem<'a>, WarpError>
    where
        'w: 'a,
    {
        let kernel = self.kernel.unwrap_or_else(Kernel::fastest);
        let engine = Engine::of(kernel).ok_or(WarpError::Unavailable { kernel })?;
        if !self.penalty.is_finite() || self.penalty < 0.0 {
            return Err(WarpError::Penalty { penalty: self.penalty });
        }
        let mut problem = Problem::new(x, y, engine, Watch::new(self.watcher))?;
        problem.penalty = self.penalty;
        problem.free = free;
        problem.band = match self.band {
            Some(_) if free => return Err(WarpError::BandInSearch),
            Some(radius) => Some(Band::new(radius, x.len(), y.len())?),
            None => None,
        };
        problem.count_cells();
        Ok(problem)
    }
}
