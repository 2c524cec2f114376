//! Finding the path: from the end backwards, computing again what was not kept.

use crate::WarpError;
use crate::backwards::Backwards;
use crate::codes::Codes;
use crate::path::Path;
use crate::path_plan::PathPlan;
use crate::problem::Problem;
use crate::sweep::{Region, SweepRecord, Wanted, sweep};

/// What is known of a region after a sweep.
enum Known {
    /// Where each cell of it came from.
    Whole { first: (usize, usize), codes: Codes },
    /// Every `pitch`th row and column.
    Grid { region: Region, pitch: usize, rows: Vec<Vec<f64>>, columns: Vec<Vec<f64>> },
}

/// The best path.
pub(crate) struct Traced {
    pub(crate) distance: f64,
    pub(crate) path: Path,
}

/// The distance, and the last column of the best path.
pub(crate) fn measure(problem: &Problem<'_>) -> Result<(f64, usize), WarpError> {
    let region = whole(problem);
    let wanted = with_end(problem, Wanted::default());
    end(problem, &sweep(problem, &region, &wanted)?)
}

/// The distance and the best path.
pub(crate) fn solve(problem: &Problem<'_>, plan: &PathPlan) -> Result<Traced, WarpError> {
    let region = whole(problem);
    let pitch = plan.pitch_at(0);
    let wanted = with_end(problem, wanted(&region, pitch));
    let kept = sweep(problem, &region, &wanted)?;
    let (distance, last) = end(problem, &kept)?;
    let mut path = Backwards::new((problem.x.len() - 1, last));
    Tracer { problem, plan, path: &mut path }.trace(0, &known(region, kept, pitch))?;
    Ok(Traced { distance, path: path.finish() })
}

/// All of a problem.
fn whole(problem: &Problem<'_>) -> Region {
    Region {
        rows: 0..problem.x.len(),
        columns: 0..problem.columns,
        top: problem.top(),
        left: problem.left(),
    }
}

/// Also keeps what the end of the path is known by: the last column, or the last row.
fn with_end(problem: &Problem<'_>, mut wanted: Wanted) -> Wanted {
    let last = problem.columns - 1;
    if problem.free {
        wanted.last_row = true;
    } else if wanted.columns.last() != Some(&last) {
        wanted.columns.push(last);
    }
    wanted
}

/// The distance, and the last column of the best path; of equally good ones the first.
fn end(problem: &Problem<'_>, kept: &SweepRecord) -> Result<(f64, usize), WarpError> {
    let (distance, column) = if problem.free {
        let cells = kept.last_row.iter().copied().zip(0..);
        cells.fold((f64::INFINITY, 0), |best, next| if next.0 < best.0 { next } else { best })
    } else {
        let corner = kept.columns.last().and_then(|column| column.last());
        (corner.copied().unwrap_or(f64::INFINITY), problem.columns - 1)
    };
    if distance.is_finite() { Ok((distance, column)) } else { Err(WarpError::Overflow) }
}

/// What to keep of a region for the path: all codes, or some rows and columns.
fn wanted(region: &Region, pitch: Option<usize>) -> Wanted {
    match pitch {
        None => Wanted { codes: true, ..Wanted::default() },
        Some(pitch) => Wanted {
            columns: region.columns.clone().skip(pitch - 1).step_by(pitch).collect(),
            rows_every: Some(pitch),
            ..Wanted::default()
        },
    }
}

fn known(region: Region, kept: SweepRecord, pitch: Option<usize>) -> Known {
    let first = (region.rows.start, region.columns.start);
    match pitch {
        None => Known::Whole { first, codes: kept.codes },
        Some(pitch) => Known::Grid { region, pitch, rows: kept.rows, columns: kept.columns },
    }
}

/// Whether the path goes on before a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PathBefore {
    GoesOn,
    Began,
}

struct Tracer<'a> {
    problem: &'a Problem<'a>,
    plan: &'a PathPlan,
    path: &'a mut Backwards,
}

impl Tracer<'_> {
    /// Follows the path backwards until it leaves the region or has begun.
    fn trace(&mut self, level: usize, known: &Known) -> Result<PathBefore, WarpError> {
        match known {
            Known::Whole { first, codes } => {
                while self.is_in(*first) {
                    let (row, column) = self.path.head();
                    if !self.path.back(codes.step_to(row, column)) {
                        return Ok(PathBefore::Began);
                    }
                }
            }
            Known::Grid { region, pitch, rows, columns } => {
                while self.is_in((region.rows.start, region.columns.start)) {
                    let block = self.block(region, *pitch, rows, columns);
                    if self.enter(level + 1, block)? == PathBefore::Began {
                        return Ok(PathBefore::Began);
                    }
                }
            }
        }
        Ok(PathBefore::GoesOn)
    }

    /// Whether the head of the path is not before a region's first row and column.
    fn is_in(&self, first: (usize, usize)) -> bool {
        let (row, column) = self.path.head();
        row >= first.0 && column >= first.1
    }

    /// The part of a grid's block from its first row and column up to the head of the path.
    fn block(
        &self,
        region: &Region,
        pitch: usize,
        rows: &[Vec<f64>],
        columns: &[Vec<f64>],
    ) -> Region {
        let (row, column) = self.path.head();
        let (down, right) = (row - region.rows.start, column - region.columns.start);
        let top = match (down / pitch).checked_sub(1) {
            None => Some(&region.top),
            Some(index) => rows.get(index),
        };
        let left = match (right / pitch).checked_sub(1) {
            None => Some(&region.left),
            Some(index) => columns.get(index),
        };
        let (first_down, first_right) = (down / pitch * pitch, right / pitch * pitch);
        // The row above begins one to the left.
        let top = top.and_then(|top| top.get(first_right..right + 2));
        let left = left.and_then(|left| left.get(first_down..down + 1));
        Region {
            rows: region.rows.start + first_down..row + 1,
            columns: region.columns.start + first_right..column + 1,
            top: top.unwrap_or_default().to_vec(),
            left: left.unwrap_or_default().to_vec(),
        }
    }

    /// Computes a block again and follows the path through it.
    fn enter(&mut self, level: usize, block: Region) -> Result<PathBefore, WarpError> {
        // Where the path is close to a block's corner, no more dividing is needed.
        let size = block.rows.len().max(block.columns.len());
        let mut level = level;
        while self.plan.pitch_at(level).is_some_and(|pitch| pitch >= size) {
            level += 1;
        }
        let pitch = self.plan.pitch_at(level);
        let kept = sweep(self.problem, &block, &wanted(&block, pitch))?;
        self.trace(level, &known(block, kept, pitch))
    }
}
