//! The statistic with what is in each place rolled round, for series that have little else.

use super::chance::{Chance, Shifts};
use super::everywhere::{Shape, Transforms};
use super::occurrences::JudgedStretch;
use super::series::Series;
use crate::Sequence;

/// Rolls stretches round.
pub(super) struct Within {
    /// For each shape: transforms for two rounds of it, and it among them.
    shapes: Vec<(Transforms, Shape)>,
    rolls: Shifts,
    longest: usize,
}

impl Within {
    /// `None` without shapes. Each shape by its heights.
    pub(super) fn new(shapes: &[&[f64]]) -> Option<Within> {
        let longest = shapes.iter().map(|heights| heights.len()).max()?;
        let rolled = |heights: &&[f64]| {
            let transforms = Transforms::new(2 * heights.len() - 1);
            let shape = transforms.shape(heights)?;
            Some((transforms, shape))
        };
        let shapes = shapes.iter().map(rolled).collect::<Option<Vec<_>>>()?;
        Some(Within { shapes, rolls: Shifts::new(longest, longest), longest })
    }

    /// `None` if the metric does not move in any of the places.
    pub(super) fn chance(&self, metric: &Sequence, places: &[JudgedStretch]) -> Option<Chance> {
        let mut sums = vec![(0.0, 0_u32); self.longest];
        for place in places {
            let (transforms, shape) = self.shapes.get(place.shape)?;
            let rows = shape.len();
            let stretch = place.start..place.start + rows;
            let again = place.start..place.start + rows - 1;
            let Some(series) = Series::new(&metric.joined(&[stretch, again])) else { continue };
            let coefficients = transforms.everywhere(&[shape], &series);
            for (shift, (sum, known)) in sums.iter_mut().enumerate() {
                // Shorter stretches by the same share of their length.
                let start = shift * rows / self.longest;
                let z = coefficients.first().and_then(|z| z.get(start)).filter(|z| !z.is_nan());
                if let Some(z) = z {
                    *sum += z;
                    *known += 1;
                }
            }
        }
        let far = |shift: usize| 4 * shift.min(self.longest - shift) >= self.longest;
        let value = |(shift, (sum, known)): (usize, &(f64, u32))| {
            if far(shift) && *known > 0 { sum / f64::from(*known) } else { f64::NAN }
        };
        let values = sums.iter().enumerate().map(value).collect();
        // Parts of one stretch are not the past.
        self.rolls.chance(values).map(|chance| Chance { places: 0.0, ..chance })
    }
}
