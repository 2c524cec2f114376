//! The scan: the best split of every interval of a fixed, nested family.
//!
//! Layer k has intervals about m·2^(−k/2) long, evenly spread so that neighbours overlap by half.
//! There are few enough for O(m log m) time, and every change is near the middle of some interval
//! that holds no other. Reference: Kovács, Bühlmann, Li and Munk, "Seeded binary segmentation: a
//! general methodology for fast and optimal changepoint detection", Biometrika 110, 2023.

/// The shortest admissible part of `m` values: 3, and 1% of longer series up to 25.
pub(super) fn guard(m: usize) -> usize {
    ((m + 50) / 100).clamp(3, 25)
}

/// The best split among the intervals of one length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Layer {
    /// The length of its intervals.
    pub(super) length: usize,
    /// The square of the CUSUM statistic: the sum of squares that the split explains.
    pub(super) gain: f64,
    /// The first index after the split.
    pub(super) position: usize,
}

/// Gains that differ by less than this, relatively, are equal, and the first counts, so that
/// rounding does not choose. On a noise-free ramp every split has a mirror image that is as good.
const TIE: f64 = 1e-12;

/// Buffers of a scan, reused from one to the next.
#[derive(Debug, Default)]
pub(super) struct Scan {
    sums: Vec<f64>,
    weights: Vec<f64>,
    maxima: Vec<f64>,
    layers: Vec<Layer>,
}

impl Scan {
    /// Takes the scores to scan.
    pub(super) fn load(&mut self, scores: &[f64]) {
        self.sums.clear();
        self.sums.push(0.0);
        let mut sum = 0.0;
        self.sums.extend(scores.iter().map(|score| {
            sum += score;
            sum
        }));
    }

    /// The running sums of the scores, from 0.
    pub(super) fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// The layers whose intervals hold two admissible parts, longest first.
    pub(super) fn layers(&mut self) -> &[Layer] {
        let m = self.sums.len().saturating_sub(1);
        let guard = guard(m);
        self.layers.clear();
        for k in 0..usize::BITS {
            let (length, count) = layout(m, k);
            if length < 2 * guard {
                break;
            }
            let layer = self.layer(m, guard, length, count);
            self.layers.push(layer);
        }
        &self.layers
    }

    /// The best split of the whole; `None` if it is too short for one.
    pub(super) fn whole(&mut self) -> Option<Layer> {
        let m = self.sums.len().saturating_sub(1);
        let guard = guard(m);
        (m >= 2 * guard).then(|| self.layer(m, guard, m, 1))
    }

    fn layer(&mut self, m: usize, guard: usize, length: usize, count: usize) -> Layer {
        self.weights.clear();
        self.weights.extend((guard..=length - guard).map(|u| {
            let (u, l) = (u as f64, length as f64);
            l / (u * (l - u))
        }));
        self.maxima.clear();
        for number in 0..count {
            let interval = self.interval(start(m, length, number, count), guard, length);
            self.maxima.push(interval.largest_gain());
        }
        let gain = self.maxima.iter().copied().fold(0.0, f64::max);
        let enough = gain * (1.0 - TIE);
        let number = self.maxima.iter().position(|&gain| gain >= enough).unwrap_or(0);
        let start = start(m, length, number, count);
        let offset = self.interval(start, guard, length).first_reaching(enough);
        Layer { length, gain, position: start + guard + offset }
    }

    fn interval(&self, start: usize, guard: usize, length: usize) -> Interval<'_> {
        let (first, last) = (self.sums[start], self.sums[start + length]);
        let slope = (last - first) / length as f64;
        Interval {
            sums: &self.sums[start + guard..=start + length - guard],
            weights: &self.weights,
            origin: first + guard as f64 * slope,
            slope,
        }
    }
}

/// Length and number of the intervals of layer k.
fn layout(m: usize, k: u32) -> (usize, usize) {
    if k == 0 {
        return (m, 1);
    }
    let doublings = k / 2;
    if k.is_multiple_of(2) {
        ((m >> doublings) + 1, (2 << doublings) - 1)
    } else {
        let halves = 2_f64.powi(doublings as i32);
        let length = (m as f64 / halves * std::f64::consts::FRAC_1_SQRT_2) as usize + 1;
        let count = (halves * std::f64::consts::SQRT_2).ceil() as usize;
        (length, 2 * count - 1)
    }
}

/// Where the interval with this number starts: evenly spaced, the last one ending at the end.
fn start(m: usize, length: usize, number: usize, count: usize) -> usize {
    let gaps = count.saturating_sub(1);
    if gaps == 0 { 0 } else { (2 * number * (m - length) + gaps) / (2 * gaps) }
}

/// The admissible splits of one interval.
struct Interval<'a> {
    sums: &'a [f64],
    weights: &'a [f64],
    /// What the first sum would be if all scores were equal, and the step from sum to sum.
    origin: f64,
    slope: f64,
}

impl Interval<'_> {
    fn gain(&self, offset: f64, sum: f64, weight: f64) -> f64 {
        let excess = sum - (self.origin + offset * self.slope);
        excess * excess * weight
    }

    /// The loop where the time goes: lanes let the compiler use vector instructions.
    fn largest_gain(&self) -> f64 {
        const LANES: usize = 8;
        let mut largest = [0.0_f64; LANES];
        let (sums, sums_rest) = self.sums.as_chunks::<LANES>();
        let (weights, weights_rest) = self.weights.as_chunks::<LANES>();
        let mut offset = 0.0;
        for (sums, weights) in sums.iter().zip(weights) {
            for lane in 0..LANES {
                let gain = self.gain(offset + lane as f64, sums[lane], weights[lane]);
                largest[lane] = if gain > largest[lane] { gain } else { largest[lane] };
            }
            offset += LANES as f64;
        }
        for (sum, weight) in sums_rest.iter().zip(weights_rest) {
            largest[0] = largest[0].max(self.gain(offset, *sum, *weight));
            offset += 1.0;
        }
        largest.into_iter().fold(0.0, f64::max)
    }

    fn first_reaching(&self, enough: f64) -> usize {
        let splits = self.sums.iter().zip(self.weights).enumerate();
        let mut gains = splits.map(|(i, (&sum, &weight))| self.gain(i as f64, sum, weight));
        gains.position(|gain| gain >= enough).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_cover_the_series_and_stay_inside() {
        for m in [12, 13, 64, 99, 100, 1000, 4097] {
            for k in 0..40 {
                let (length, count) = layout(m, k);
                if length < 2 * guard(m) {
                    break;
                }
                let starts: Vec<usize> = (0..count).map(|i| start(m, length, i, count)).collect();
                assert_eq!((starts[0], starts[count - 1] + length), (0, m), "{m} {k}");
                for pair in starts.windows(2) {
                    assert!(pair[0] < pair[1] && pair[1] <= pair[0] + length, "{m} {k}");
                }
            }
        }
    }

    #[test]
    fn gains_are_those_of_the_definition() {
        let scores: Vec<f64> = (0..97).map(|i| f64::from((i * i * 31 + i * 37) % 101)).collect();
        let mut scan = Scan::default();
        scan.load(&scores);
        let whole = scan.whole().unwrap();
        let explained = |b: usize| {
            let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
            let (left, right) = scores.split_at(b);
            let apart = mean(left) - mean(right);
            apart * apart * (left.len() * right.len()) as f64 / scores.len() as f64
        };
        let best = (3..=94).max_by(|&a, &b| explained(a).total_cmp(&explained(b))).unwrap();
        assert_eq!(whole.position, best);
        assert!((whole.gain / explained(best) - 1.0).abs() < 1e-12);
        assert_eq!(scan.layers()[0], whole);
    }
}
