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
/// Parts of the typical period are means of this many values, where that makes finer parts than one
/// for each value of a period.
const FEWEST_FOLDED: usize = 32;

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
    let length = sharpened(&sums, n, length);
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
    /// Not rounded: over a little more or less than a period, a wave has a mean of its own.
    whole: f64,
}

impl Band<'_> {
    fn new(sums: &Sums, n: usize, period: f64) -> Band<'_> {
        Band { sums, n, eighth: (period / 4.0).round() as usize, whole: period.max(2.0) }
    }

    /// The values that have a whole period around them.
    fn inner(&self) -> Range<usize> {
        let half = ((self.whole - 1.0) / 2.0).ceil() as usize;
        half..self.n.saturating_sub(half).max(half)
    }

    fn at(&self, place: usize) -> f64 {
        let start = place.saturating_sub(self.eighth / 2);
        let near = self.sums.mean(&(start..(start + self.eighth.max(1)).min(self.n)));
        let (middle, half) = (place as f64 + 0.5, self.whole / 2.0);
        near - self.sums.mean_between((middle - half).max(0.0), (middle + half).min(self.n as f64))
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

/// The length of a period to a small part of a value. An error of a part of a value in one period is
/// whole periods after many of them, and what is folded with it comes out flat.
///
/// What is as far apart as many periods says how long one is; the series has to agree with itself
/// over twice as many before they count.
fn sharpened(sums: &Sums, n: usize, period: f64) -> f64 {
    let band = Band::new(sums, n, period);
    let values: Vec<f64> = band.inner().map(|place| band.at(place)).collect();
    let mut length = period;
    let mut periods = 1.0;
    while 2.0 * periods * length <= values.len() as f64 {
        let (later, agreement) = summit(&values, periods * length, length / 12.0);
        if agreement < LEAST_AGREEMENT {
            break;
        }
        length = later / periods;
        periods *= 2.0;
    }
    length
}

/// After how many values, at most this far from where it is looked for, a series agrees most with
/// itself, and how much. The place may be between two values.
fn summit(values: &[f64], near: f64, reach: f64) -> (f64, f64) {
    let at = |later: usize| correlation(values, later).unwrap_or(-1.0);
    let centre = near.round() as usize;
    let reach = (reach as usize).max(1);
    let mut step = reach.div_ceil(8);
    let mut later = centre;
    let mut here = at(later);
    loop {
        let sides = [later.saturating_sub(step), later + step];
        let [before, after] = sides.map(at);
        let (side, beside) = if before > after { (sides[0], before) } else { (sides[1], after) };
        if beside > here && side.abs_diff(centre) <= reach {
            (later, here) = (side, beside);
        } else if step > 1 {
            step /= 2;
        } else {
            // The top of a parabola through the three.
            let bend = before - 2.0 * here + after;
            let shift = if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
            return (later as f64 + shift.clamp(-0.5, 0.5), here);
        }
    }
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
    /// How far into a period each part of it is, and its mean.
    parts: Vec<(f64, f64)>,
}

impl Folded {
    fn of(sums: &Sums, n: usize, length: f64) -> Folded {
        // As fine as the values, or finer where there are many of each part.
        let count = (length as usize).max(n / FEWEST_FOLDED).clamp(4, 64);
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
        let phase = |part: usize| (part as f64 + 0.5) / count as f64 * length;
        // Of a period of four values, four parts have any.
        let seen = parts.iter().enumerate().filter(|(_, (_, seen))| *seen > 0);
        let parts = seen.map(|(part, (sum, seen))| (phase(part), sum / *seen as f64)).collect();
        Folded { length, parts }
    }

    fn extent(&self) -> (f64, f64) {
        let means = || self.parts.iter().map(|(_, mean)| *mean);
        let low = means().fold(f64::INFINITY, f64::min);
        let high = means().fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    }

    /// The stretch from low to low that agrees most with its neighbours.
    fn clearest(&self, sums: &Sums, n: usize) -> Option<Range<usize>> {
        let (phase, _) = *self.parts.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
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
