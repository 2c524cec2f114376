//! One measure of all runs, and how far two groups of them are apart.

/// Differences below this share of the largest number are rounding.
const RESOLUTION: f64 = 1e-9;

/// A number for each run, centred and scaled so that groups can be compared by sums.
pub(super) struct Measure {
    /// 0 for a run without a number.
    values: Vec<f64>,
    /// Which runs have a number; `None` if all.
    seen: Option<Vec<bool>>,
    count: usize,
    /// Whether there is nothing to tell groups by.
    is_still: bool,
}

impl Measure {
    pub(super) fn new(values: &[Option<f64>], runs: usize) -> Measure {
        let numbers: Vec<Option<f64>> = (0..runs)
            .map(|run| values.get(run).copied().flatten().filter(|value| value.is_finite()))
            .collect();
        let count = numbers.iter().flatten().count();
        let largest = numbers.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        let scale = if largest > 0.0 { largest } else { 1.0 };
        // Between -1 and 1: squares of them are numbers.
        let mut sorted: Vec<f64> = numbers.iter().flatten().map(|x| x / scale).collect();
        sorted.sort_by(f64::total_cmp);
        let mean = sorted.iter().sum::<f64>() / count.max(1) as f64;
        let squares: f64 = sorted.iter().map(|x| (x - mean).powi(2)).sum();
        let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
        let step = gaps.filter(|gap| *gap > RESOLUTION).fold(f64::INFINITY, f64::min);
        let is_still = step.is_infinite() || count < 3;
        // A number that is told in steps lies anywhere within one: that adds the variance of a
        // rectangle.
        let total = squares + count as f64 * step * step / 12.0;
        let unit = if is_still { 1.0 } else { total.sqrt() };
        let centred = |x: &Option<f64>| x.map_or(0.0, |x| (x / scale - mean) / unit);
        Measure {
            values: numbers.iter().map(centred).collect(),
            seen: (count < runs).then(|| numbers.iter().map(|number| number.is_some()).collect()),
            count,
            is_still,
        }
    }

    /// Student's t between the chosen runs and the others, as a standard normal variable with as small
    /// a tail (Wallace's approximation), so that measures of different numbers of runs can be compared.
    pub(super) fn separation(&self, chosen: &[usize]) -> f64 {
        if self.is_still {
            return 0.0;
        }
        let sum: f64 = chosen.iter().map(|&run| self.values[run]).sum();
        let inside = match &self.seen {
            None => chosen.len(),
            Some(seen) => chosen.iter().filter(|run| seen[**run]).count(),
        };
        let outside = self.count - inside;
        if inside == 0 || outside == 0 {
            return 0.0;
        }
        let all = self.count as f64;
        // The share of the variance that lies between the groups: r², and t² is r²(n - 2)/(1 - r²).
        let between = sum * sum * all / (inside as f64 * outside as f64);
        let within = (1.0 - between).max(1e-15);
        let freedom = all - 2.0;
        let factor = (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0);
        factor * (-freedom * libm::log(within)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{normal, student_t};

    /// Wallace's approximation is near the normal quantile of t's own tail.
    #[test]
    fn t_becomes_normal() {
        for (runs, shift) in [(6_u32, 0.4), (8, 1.0), (12, 0.7), (20, 1.3)] {
            let noise = |run: u32| f64::from((run * 37 + 11) % 101) / 101.0;
            let second = |run: u32| run >= runs / 2;
            let values: Vec<f64> =
                (0..runs).map(|run| noise(run) + if second(run) { shift } else { 0.0 }).collect();
            let half = values.len() / 2;
            let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
            let (a, b) = values.split_at(half);
            let squares = |part: &[f64]| part.iter().map(|x| (x - mean(part)).powi(2)).sum::<f64>();
            let freedom = f64::from(runs) - 2.0;
            let variance = (squares(a) + squares(b)) / freedom;
            let t = (mean(b) - mean(a)) / (variance * 2.0 / half as f64).sqrt();
            let normal = -normal::quantile(student_t::cdf(freedom, -t.abs()));
            let all: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
            let chosen: Vec<usize> = (half..values.len()).collect();
            let found = Measure::new(&all, values.len()).separation(&chosen);
            assert!((found - normal).abs() < 0.02 * (1.0 + normal), "{runs}: {found}, {normal}");
        }
    }
}
