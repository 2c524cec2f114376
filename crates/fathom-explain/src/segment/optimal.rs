//! The cuts that no others beat.

use super::moments::Moments;
use super::segmentation::ROUNDING;
use super::{Points, Segmentation};

/// Up to this many points every cut is tried with every other. Beyond that, this many places are,
/// at first.
const PLACES: usize = 500;

/// By how many times finer the places are at each further step, which looks as far as the last
/// step was wide.
const FINER: usize = 4;

/// How often cuts may move on once every place is tried.
const MOVES: usize = 10;

/// Cuts such that the error is the least possible for no more than this number of lines.
///
/// Of equally good cuts the earliest are taken. There are fewer than `most` lines if fewer have no
/// larger an error, or if not this many of `shortest` points fit.
///
/// Exact for up to 500 points. Beyond, the best cuts among 500 places are moved to the best ones
/// around them: errors are always those of all points, but cuts that do better far from there are
/// not seen.
#[must_use]
pub fn optimal(points: &Points, most: usize, shortest: usize) -> Segmentation {
    let all = up_to(points, most, shortest);
    let rounding = ROUNDING * points.moments(0..points.len()).spread();
    let least = all.iter().map(|way| way.error).fold(f64::INFINITY, f64::min);
    let first = all.iter().find(|way| way.error <= least + rounding);
    Segmentation::new(points, first.map_or(&[], |way| &way.cuts))
}

/// A way to cut.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) cuts: Vec<usize>,
    pub(super) error: f64,
}

/// The best way for each number of lines up to `most` for which there is one, from 1 on.
pub(super) fn up_to(points: &Points, most: usize, shortest: usize) -> Vec<Way> {
    let count = points.len();
    let shortest = shortest.max(1);
    let most = most.min(count / shortest).max(1);
    if count <= PLACES {
        return Table::new(points, (0..=count).collect(), most, shortest).ways();
    }
    let step = count.div_ceil(PLACES);
    let places = (0..count).step_by(step).chain([count]).collect();
    let ways = Table::new(points, places, most, shortest).ways();
    ways.into_iter().map(|way| refined(points, way, step, shortest)).collect()
}

/// Moves cuts that were found among every `step`th place to the best ones around.
fn refined(points: &Points, mut way: Way, mut step: usize, shortest: usize) -> Way {
    let lines = way.cuts.len() + 1;
    let mut moves = 0;
    while step > 1 || moves < MOVES {
        let finer = (step / FINER).max(1);
        let reach = if step > 1 { step } else { FINER };
        let around = |&cut: &usize| {
            (cut.saturating_sub(reach)..=cut + reach)
                .filter(move |at| at.abs_diff(cut) % finer == 0)
        };
        let mut places: Vec<usize> = way.cuts.iter().flat_map(around).collect();
        places.retain(|&at| at > 0 && at < points.len());
        places.extend([0, points.len()]);
        places.sort_unstable();
        places.dedup();
        let best = Table::new(points, places, lines, shortest).way(lines);
        moves += usize::from(step == 1);
        step = finer;
        match best {
            Some(best) if best.cuts != way.cuts => way = best,
            _ if step == 1 && moves > 0 => break,
            _ => {}
        }
    }
    way
}

/// The least errors up to each place, for each number of lines.
struct Table {
    places: Vec<usize>,
    /// Lines up to `most`, and none.
    width: usize,
    /// By place, then by the number of lines.
    errors: Vec<f64>,
    /// The place where the last of those lines begins.
    begins: Vec<usize>,
}

impl Table {
    /// Of the places where a cut may be, the first point and the end among them, in order.
    fn new(points: &Points, places: Vec<usize>, most: usize, shortest: usize) -> Table {
        let width = most + 1;
        let mut errors = vec![f64::INFINITY; places.len() * width];
        let mut begins = vec![0; places.len() * width];
        if let Some(nothing) = errors.first_mut() {
            *nothing = 0.0;
        }
        let bounds = places.iter().zip(places.iter().skip(1));
        let pieces: Vec<Moments> = bounds.map(|(&a, &b)| points.moments(a..b)).collect();
        let rounding = ROUNDING * points.moments(0..points.len()).spread();
        for (from, &start) in places.iter().enumerate() {
            let split = (from + 1) * width;
            let Some((before, after)) = errors.split_at_mut_checked(split) else { break };
            let before = before.get(from * width..).unwrap_or_default();
            if before.iter().all(|error| error.is_infinite()) {
                continue;
            }
            let ends = pieces.iter().zip(places.iter().skip(1)).skip(from);
            let rows = after.chunks_exact_mut(width);
            let begun = begins.get_mut(split..).unwrap_or_default().chunks_exact_mut(width);
            let mut line = Moments::default();
            for (((piece, &end), row), begun) in ends.zip(rows).zip(begun) {
                line = line.and(*piece);
                if end - start < shortest {
                    continue;
                }
                let error = line.error() + rounding;
                let here = row.iter_mut().zip(begun.iter_mut()).skip(1);
                for ((least, begin), before) in here.zip(before) {
                    // The first to come is the earliest, and stays unless it is beaten clearly.
                    let is_less = before + error < *least;
                    *least = if is_less { before + error - rounding } else { *least };
                    *begin = if is_less { from } else { *begin };
                }
            }
        }
        Table { places, width, errors, begins }
    }

    fn ways(&self) -> Vec<Way> {
        (1..self.width).filter_map(|lines| self.way(lines)).collect()
    }

    /// The best way for this many lines.
    fn way(&self, lines: usize) -> Option<Way> {
        let mut place = self.places.len().checked_sub(1)?;
        let error = *self.errors.get(place * self.width + lines)?;
        if error.is_infinite() {
            return None;
        }
        let mut cuts = Vec::with_capacity(lines);
        for left in (2..=lines).rev() {
            place = *self.begins.get(place * self.width + left)?;
            cuts.push(*self.places.get(place)?);
        }
        cuts.reverse();
        Some(Way { cuts, error })
    }
}
