//! Where the target has the shape it has in a window.

use super::everywhere::{Shape, Transforms, bent};
use super::series::Series;

/// From this coefficient on a stretch of the target has the shape.
const ALIKE: f64 = 0.7;
/// A recurrence is at least this large, compared with the window: what is in the noise everywhere is
/// not a recurrence.
const AS_LARGE: f64 = 0.5;
/// The most recurrences that count.
const MOST: usize = 20;

/// A stretch that is judged by a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JudgedStretch {
    /// The number of the shape.
    pub(super) shape: usize,
    /// Its first row.
    pub(super) start: usize,
}

/// The windows, then the places where the target has the shape of one of them again, the closest
/// first; none overlaps another.
pub(super) fn occurrences(
    transforms: &Transforms,
    shapes: &[(usize, Shape)],
    target: &Series,
) -> Vec<JudgedStretch> {
    let all: Vec<&Shape> = shapes.iter().map(|(_, shape)| shape).collect();
    let mut places: Vec<JudgedStretch> = (0..)
        .zip(shapes)
        .map(|(shape, (start, _))| JudgedStretch { shape, start: *start })
        .collect();
    let coefficients = transforms.everywhere(&all, target);
    let limit = bent(ALIKE);
    let mut candidates: Vec<(f64, JudgedStretch)> = Vec::new();
    for (shape, (window, coefficients)) in shapes.iter().zip(&coefficients).enumerate() {
        let size = |start: usize, z: f64| {
            let stretch = target.stretch(start, window.1.len());
            z.tanh() * stretch.map_or(0.0, |stretch| stretch.variation.max(0.0).sqrt())
        };
        let here = size(window.0, coefficients.get(window.0).copied().unwrap_or(0.0));
        let alike = coefficients
            .iter()
            .enumerate()
            .filter(|(start, z)| **z >= limit && size(*start, **z) >= AS_LARGE * here);
        candidates.extend(alike.map(|(start, z)| (*z, JudgedStretch { shape, start })));
    }
    candidates.sort_by(|(one, at), (other, there)| {
        other.total_cmp(one).then(at.start.cmp(&there.start)).then(at.shape.cmp(&there.shape))
    });
    let rows = |place: &JudgedStretch| all.get(place.shape).map_or(0, |shape| shape.len());
    for (_, candidate) in candidates {
        if places.len() == shapes.len() + MOST {
            break;
        }
        let (start, end) = (candidate.start, candidate.start + rows(&candidate));
        let overlaps =
            |place: &JudgedStretch| place.start < end && start < place.start + rows(place);
        if !places.iter().any(overlaps) {
            places.push(candidate);
        }
    }
    places
}
