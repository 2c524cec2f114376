//! The period of a series that repeats itself.
//!
//! The periodogram says at which frequencies there is more than chance and dependence bring about;
//! the correlation of the series with itself, one and two periods later, says whether it repeats.

use super::pieces::STRONGEST;
use super::sums::Sums;
use crate::fourier;
use rustfft::FftDirection;
use rustfft::num_complex::Complex;
use std::ops::Range;

/// A period was seen so often at least.
const FEWEST_CYCLES: f64 = 3.5;
/// A period has at least this many values.
const SHORTEST: f64 = 4.0;
/// This many frequencies are looked at closer, the highest.
const PEAKS: usize = 4;
/// How much a series has to agree with itself one period later: the correlation, and 1/n more for n
/// periods, because few of them agree by chance.
const LEAST_AGREEMENT: f64 = 0.4;
/// This many standard errors above what is around it in the periodogram.
const LEAST_HEIGHT: f64 = 5.5;
/// The clearest period has at least this many values; of a shorter one, several are taken.
const SHORTEST_WINDOW: f64 = 12.0;
/// What repeats itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Period {
    /// Its length in values.
    pub(super) length: f64,
    /// Where it is clearest: a whole period, or several short ones.
    pub(super) clearest: Range<usize>,
    /// The lowest and the highest of the typical period.
    pub(super) extent: (f64, f64),
    /// By how much it is more than chance: 1 is the least that is believed.
    pub(super) strength: f64,
}

/// The clearest period of a series; `None` if it has none.
pub(super) fn find(values: &[f64]) -> Option<Period> {
    let n = values.len();
    if (n as f64) < FEWEST_CYCLES * SHORTEST {
        return None;
    }
    let sums = Sums::of(values);
    let mut best: Option<(f64, f64, f64)> = None;
    for (period, height) in peaks(values, &sums) {
        // The highest peak may be an overtone of what really repeats itself.
        for times in [1.0, 2.0, 3.0] {
            let Some((length, agreement)) = agreement(&sums, n, period * times) else { continue };
            // A multiple of a period is one too: it has to be clearly better.
            let is_better = best.is_none_or(|(_, most, _)| agreement > most + 0.1);
            if agreement >= LEAST_AGREEMENT + length / n as f64 && is_better {
                best = Some((length, agreement, height));
            }
        }
    }
    let (length, _, height) = best?;
    let strength = (height / LEAST_HEIGHT).min(STRONGEST);
    let folded = Folded::of(&sums, n, length);
    let clearest = folded.clearest(&sums, n)?;
    Some(Period { length, clearest, extent: folded.extent(), strength })
}

/// The periods at which the periodogram is highest, with how many standard errors it is above what is
/// around; the highest first.
fn peaks(values: &[f64], sums: &Sums) -> Vec<(f64, f64)> {
    let n = values.len();
    let line = sums.line(&(0..n));
    let middle = (n as f64 - 1.0) / 2.0;
    let left =
        |place: usize, value: f64| value - line.middle - line.slope * (place as f64 - middle);
    let left: Vec<f64> = values.iter().enumerate().map(|(n, value)| left(n, *value)).collect();
    let power = periodogram(&left);
    let Some(against) = against_dependence(&left, power.len()) else { return Vec::new() };
    let level: Vec<f64> = power.iter().zip(&against).map(|(power, gain)| power * gain).collect();
    let whole = 2 * level.len();
    let at = |place: usize| level.get(place).copied().unwrap_or(0.0);
    // A peak is some places wide: the taper's, and more where the transform is longer than the series.
    let width = (3 * whole).div_ceil(n);
    let lowest = ((FEWEST_CYCLES * whole as f64 / n as f64).ceil() as usize).max(2);
    let highest = (whole as f64 / SHORTEST) as usize;
    let sorted_around = Around::new(&level);
    let mut peaks = Vec::new();
    for place in lowest..=highest.min(level.len().saturating_sub(2)) {
        let here = at(place);
        if here < at(place - 1) || here < at(place + 1) {
            continue;
        }
        let usual = sorted_around.usual(place, width);
        // Of a peak over its mean, twice the ratio is a χ² with two degrees of freedom.
        let height = if usual > 0.0 { (2.0 * here / usual).sqrt() } else { STRONGEST };
        if here > 0.0 && height >= LEAST_HEIGHT {
            // Between the places, by a parabola.
            let (before, after) = (at(place - 1), at(place + 1));
            let bend = before - 2.0 * here + after;
            let shift = if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
            peaks.push((whole as f64 / (place as f64 + shift), height, at(place)));
        }
    }
    // By how much of the series they carry: the tallest above its surroundings may be a tiny one.
    let carried = |peak: &(f64, f64, f64)| {
        let place = (whole as f64 / peak.0).round() as usize;
        power.get(place).copied().unwrap_or(0.0)
    };
    peaks.sort_by(|a, b| carried(b).total_cmp(&carried(a)));
    peaks.truncate(PEAKS);
    peaks.into_iter().map(|(period, height, _)| (period, height)).collect()
}

/// Squares of the transform of a tapered series, up to half the frequency of its values.
fn periodogram(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let length = values.len().next_power_of_two();
    let taper = |place: usize| {
        let turn = std::f64::consts::TAU * (place as f64 + 0.5) / n;
        0.5 - 0.5 * turn.cos()
    };
    let tapered = values.iter().enumerate().map(|(place, value)| value * taper(place));
    let mut buffer: Vec<Complex<f64>> = tapered.map(|value| Complex::new(value, 0.0)).collect();
    buffer.resize(length, Complex::new(0.0, 0.0));
    fourier::transform(length, FftDirection::Forward).process(&mut buffer);
    buffer.iter().take(length / 2).map(Complex::norm_sqr).collect()
}

/// What evens out the periodogram of a series whose neighbours depend on each other: the inverse of the
/// spectrum of an autoregression. `None` for a series without spread.
fn against_dependence(values: &[f64], places: usize) -> Option<Vec<f64>> {
    let square: f64 = values.iter().map(|value| value * value).sum();
    let product: f64 = values.iter().zip(values.iter().skip(1)).map(|(a, b)| a * b).sum();
    if square <= 0.0 {
        return None;
    }
    let correlation = (product / square).clamp(0.0, 0.98);
    let gain = |place: usize| {
        let turn = std::f64::consts::PI * place as f64 / places.max(1) as f64;
        1.0 - 2.0 * correlation * turn.cos() + correlation * correlation
    };
    Some((0..places).map(gain).collect())
}

/// What is usual around a place of the periodogram.
struct Around<'a> {
    level: &'a [f64],
}

impl<'a> Around<'a> {
    fn new(level: &'a [f64]) -> Around<'a> {
        Around { level }
    }

    /// The mean that the median of an exponential law belongs to, of frequencies within a factor of
    /// three, without the peak itself. At most this many places are looked at, evenly spread.
    fn usual(&self, place: usize, width: usize) -> f64 {
        const MOST: usize = 300;
        let from = (place / 3).max(1);
        let to = (3 * place + 8).min(self.level.len());
        let step = (to.saturating_sub(from) / MOST).max(1);
        let is_beside = |other: &usize| other.abs_diff(place) > width;
        let others = (from..to).step_by(step).filter(is_beside);
        let mut others: Vec<f64> =
            others.filter_map(|other| self.level.get(other).copied()).collect();
        let half = others.len() / 2;
        if others.is_empty() {
            return f64::INFINITY;
        }
        let (_, median, _) = others.select_nth_unstable_by(half, f64::total_cmp);
        *median / std::f64::consts::LN_2
    }
}

/// A series that is neither slower nor much faster than a period: means of an eighth of it, less the
/// mean of a whole one around.
struct Band<'a> {
    sums: &'a Sums,
    n: usize,
    eighth: usize,
    whole: usize,
}

impl Band<'_> {
    fn new(sums: &Sums, n: usize, period: f64) -> Band<'_> {
        Band {
            sums,
            n,
            eighth: (period / 4.0).round() as usize,
            whole: (period.round() as usize).max(2),
        }
    }

    /// The values that have a whole period around them.
    fn inner(&self) -> Range<usize> {
        let half = self.whole / 2;
        half..self.n.saturating_sub(half).max(half)
    }

    fn at(&self, place: usize) -> f64 {
        let around = |length: usize| {
            let start = place.saturating_sub(length / 2);
            self.sums.mean(&(start..(start + length.max(1)).min(self.n)))
        };
        around(self.eighth) - around(self.whole)
    }
}

/// The period near this one after which the series agrees with itself most, and how much: the smaller
/// correlation of one and two periods.
fn agreement(sums: &Sums, n: usize, period: f64) -> Option<(f64, f64)> {
    if (n as f64) < FEWEST_CYCLES * period {
        return None;
    }
    let band = Band::new(sums, n, period);
    let inner = band.inner();
    let values: Vec<f64> = inner.map(|place| band.at(place)).collect();
    let near = (period / 12.0).max(1.0);
    let trials = 12;
    let lag = |trial: i32| period + near * f64::from(trial) / f64::from(trials);
    let mut best: Option<(f64, f64)> = None;
    let mut last = 0;
    for trial in -trials..=trials {
        let rows = lag(trial).round() as usize;
        if rows == last {
            continue;
        }
        last = rows;
        let once = correlation(&values, rows)?;
        if best.is_none_or(|(_, most)| once > most) {
            best = Some((rows as f64, once));
        }
    }
    let (length, once) = best?;
    // A second period says more on how long it is, and whether it goes on.
    let twice = [-1, 0, 1].map(|more| {
        let rows = (2.0 * length) as usize;
        let rows = rows.saturating_add_signed(more);
        (rows, correlation(&values, rows).unwrap_or(-1.0))
    });
    let (rows, twice) = twice.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let refined = if twice > once - 0.2 { rows as f64 / 2.0 } else { length };
    Some((refined, once.min(twice + 0.1)))
}

/// The correlation of values with those this many later; `None` if there are none.
fn correlation(values: &[f64], later: usize) -> Option<f64> {
    let pairs = || values.iter().zip(values.iter().skip(later));
    let count = values.len().checked_sub(later).filter(|&count| count >= 4)? as f64;
    let (mut one, mut two) = (0.0, 0.0);
    for (a, b) in pairs() {
        one += a;
        two += b;
    }
    let (one, two) = (one / count, two / count);
    let (mut square_one, mut square_two, mut product) = (0.0, 0.0, 0.0);
    for (a, b) in pairs() {
        let (a, b) = (a - one, b - two);
        square_one += a * a;
        square_two += b * b;
        product += a * b;
    }
    let spread = (square_one * square_two).sqrt();
    (spread > 0.0).then(|| product / spread)
}

/// The typical period.
struct Folded {
    length: f64,
    /// Means of parts of it, from some phase on.
    parts: Vec<f64>,
}

impl Folded {
    fn of(sums: &Sums, n: usize, length: f64) -> Folded {
        let count = (length as usize).clamp(4, 64);
        let mut parts = vec![(0.0, 0_usize); count];
        let band = Band::new(sums, n, length);
        for place in band.inner() {
            let phase = (place as f64 / length).fract();
            if let Some((sum, seen)) =
                parts.get_mut(((phase * count as f64) as usize).min(count - 1))
            {
                *sum += band.at(place);
                *seen += 1;
            }
        }
        let mean = |(sum, seen): &(f64, usize)| sum / (*seen).max(1) as f64;
        Folded { length, parts: parts.iter().map(mean).collect() }
    }

    fn extent(&self) -> (f64, f64) {
        let low = self.parts.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.parts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    }

    /// The stretch from low to low that agrees most with its neighbours.
    fn clearest(&self, sums: &Sums, n: usize) -> Option<Range<usize>> {
        let low = self.parts.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?.0;
        let phase = (low as f64 + 0.5) / self.parts.len() as f64 * self.length;
        let span = self.length * (SHORTEST_WINDOW / self.length).ceil().max(1.0);
        let band = Band::new(sums, n, self.length);
        let window = |number: usize| {
            let start = phase + number as f64 * self.length;
            let range = start.round() as usize..(start + span).round() as usize;
            (range.end <= n).then_some(range)
        };
        let shape =
            |range: &Range<usize>| -> Vec<f64> { range.clone().map(|p| band.at(p)).collect() };
        let mut best: Option<(f64, Range<usize>)> = None;
        let windows: Vec<Range<usize>> = (0..).map_while(window).collect();
        let step = (span / self.length).round() as usize;
        for (number, range) in windows.iter().enumerate() {
            let here = shape(range);
            let beside = [number.checked_sub(step), number.checked_add(step)];
            let beside = beside.into_iter().flatten().filter_map(|other| windows.get(other));
            let alike: Vec<f64> = beside.map(|other| agreement_of(&here, &shape(other))).collect();
            let alike = alike.iter().sum::<f64>() / alike.len().max(1) as f64;
            if best.as_ref().is_none_or(|(most, _)| alike > most + 1e-9) {
                best = Some((alike, range.clone()));
            }
        }
        best.map(|(_, range)| range)
    }
}

fn agreement_of(one: &[f64], two: &[f64]) -> f64 {
    let joined: Vec<f64> = one.iter().chain(two).copied().collect();
    correlation(&joined, one.len()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests;
