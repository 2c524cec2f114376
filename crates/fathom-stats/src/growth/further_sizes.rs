//! How large sizes must be to tell laws apart.

use super::candidate::{Bounded, GrowthCandidate, is_possible};

/// Twenty doublings are a million times the size.
const DOUBLINGS: u32 = 20;

/// The largest size, rounded up to 1, 2 or 5 times a power of ten, with which each of these laws would
/// be told from the others if it were true; `None` if a million times the present one is not enough.
pub(super) fn size_to_tell(times: &[Bounded], possible: &[GrowthCandidate]) -> Option<f64> {
    let (first, last) = (times.first()?, times.last()?);
    let step = libm::pow(last.size / first.size, 1.0 / (times.len() - 1).max(1) as f64).max(2.0);
    (1..=DOUBLINGS).map(|doublings| last.size * f64::from(1_u32 << doublings)).find_map(|largest| {
        let largest = rounded_up(largest);
        let mut sizes: Vec<f64> = times.iter().map(|one| one.size).collect();
        let mut next = last.size * step;
        while next < largest {
            sizes.push(next);
            next *= step;
        }
        sizes.push(largest);
        let tells = possible.iter().all(|truth| {
            let times: Vec<Bounded> = sizes
                .iter()
                .map(|&size| {
                    let time = truth.at(size, last.size);
                    Bounded { size, time, lower: time, upper: time }
                })
                .collect();
            let others = possible.iter().filter(|other| other.law != truth.law);
            let is_usable = times.iter().all(|one| one.time.is_finite() && one.time > 0.0);
            is_usable && others.into_iter().all(|other| !is_possible(other.law, &times))
        });
        tells.then_some(largest)
    })
}

fn rounded_up(size: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(size)));
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= size * (1.0 - 1e-9)).unwrap_or(size)
}
