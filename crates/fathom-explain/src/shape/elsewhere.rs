//! The statistic with all places shifted together, over the whole series.

use super::chance::{Chance, Shifts};
use super::occurrences::JudgedStretch;

/// With fewer lengths of the shape outside of the windows, this says too little.
const LEAST_LENGTHS: usize = 4;

/// The shifts that count: those by which no window comes near where it was, and few places come to
/// where others were.
pub(super) struct Elsewhere {
    /// By shift.
    counts: Vec<bool>,
    shifts: Shifts,
    /// The fewest values that say something.
    fewest: usize,
}

impl Elsewhere {
    /// `None` if there is too little outside of the windows. `lengths` are those of the shapes.
    pub(super) fn new(
        rows: usize,
        lengths: &[usize],
        places: &[JudgedStretch],
    ) -> Option<Elsewhere> {
        let longest = *lengths.iter().max()?;
        let windows: usize = lengths.iter().sum();
        if rows.checked_sub(windows)? < LEAST_LENGTHS * longest {
            return None;
        }
        let starts = rows + 1 - longest;
        let mut counts: Vec<bool> =
            (0..starts).map(|shift| shift.min(starts - shift) >= longest).collect();
        // If the target is periodic, a shift by the period finds almost the same places again: that
        // is not elsewhere.
        let mut coincide = vec![0_usize; starts];
        for one in places {
            for other in places.iter().filter(|other| *other != one) {
                let shift = (other.start + starts - one.start % starts) % starts;
                let near = longest / 2;
                for shift in shift + starts - near..=shift + starts + near {
                    if let Some(count) = coincide.get_mut(shift % starts) {
                        *count += 1;
                    }
                }
            }
        }
        for (counts, coincide) in counts.iter_mut().zip(&coincide) {
            *counts &= 4 * coincide <= places.len();
        }
        let fewest = 2 * longest;
        let shifts = Shifts::new(starts, longest);
        let enough = counts.iter().filter(|&&counts| counts).count() >= fewest;
        enough.then_some(Elsewhere { counts, shifts, fewest })
    }

    /// From the coefficients of each shape everywhere. `None` if too few of them could be said.
    pub(super) fn chance(
        &self,
        coefficients: &[Vec<f64>],
        places: &[JudgedStretch],
    ) -> Option<Chance> {
        let starts = self.counts.len();
        let mut sums = vec![0.0; starts];
        let mut known = vec![0_u32; starts];
        for place in places {
            let coefficients = coefficients.get(place.shape)?.get(..starts)?;
            let (before, from) = coefficients.split_at(place.start.min(starts));
            let shifted = from.iter().chain(before);
            for ((sum, known), z) in sums.iter_mut().zip(&mut known).zip(shifted) {
                if !z.is_nan() {
                    *sum += z;
                    *known += 1;
                }
            }
        }
        for ((sum, known), counts) in sums.iter_mut().zip(known).zip(&self.counts) {
            let enough = *counts && known > 0 && 2 * known as usize >= places.len();
            *sum = if enough { *sum / f64::from(known) } else { f64::NAN };
        }
        if sums.iter().filter(|value| !value.is_nan()).count() < self.fewest {
            return None;
        }
        self.shifts.chance(sums)
    }
}
