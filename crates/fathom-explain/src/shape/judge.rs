//! The shape score.

use super::ShapeEvidence;
use super::chance::Chance;
use super::elsewhere::Elsewhere;
use super::everywhere::{FEWEST_ROWS, Shape, Transforms};
use super::occurrences::{JudgedStretch, occurrences};
use super::series::Series;
use super::template::heights;
use super::within::Within;
use crate::segment::despike;
use crate::significance::{Least, Observed, Past, Seen};
use crate::{Judge, NoAnswer, Question, Score, Sequence, Sign};
use std::borrow::Cow;

/// Added to the usual size, so that a metric that follows nothing at all elsewhere does not come first
/// by following a little here.
const MARGIN: f64 = 0.1;

/// Shorter windows are left as they are: an anomaly of a few rows is itself what despiking removes.
const DESPIKED_FROM: usize = 21;

/// Judges how closely metrics follow the shape that the target has in the windows.
pub struct ShapeJudge {
    transforms: Transforms,
    /// Where the window of each starts, and the shape.
    shapes: Vec<(usize, Shape)>,
    /// The windows, then the recurrences.
    places: Vec<JudgedStretch>,
    elsewhere: Option<Elsewhere>,
    within: Within,
    despikes: bool,
}

impl ShapeJudge {
    /// Prepares for a question.
    ///
    /// # Errors
    /// If no window has rows enough, or the target is constant in all of them.
    pub fn new(question: &Question) -> Result<ShapeJudge, NoAnswer> {
        let rows = question.target.len();
        let transforms = Transforms::new(rows);
        let longest = question.windows.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        if longest < FEWEST_ROWS {
            return Err(NoAnswer(format!(
                "the longest window has {longest} rows, but a shape needs at least {FEWEST_ROWS}: select a longer window"
            )));
        }
        let despikes = longest >= DESPIKED_FROM;
        let target = prepared(&question.target, despikes);
        let shape = |window: &std::ops::Range<usize>| {
            Some((window.start, transforms.shape(&heights(question, window))?))
        };
        let shapes: Vec<(usize, Shape)> = question.windows.iter().filter_map(shape).collect();
        let level =
            || NoAnswer("the target is level in the windows, so it has no shape".to_string());
        let series = Series::new(&target).ok_or_else(level)?;
        let all: Vec<&[f64]> = shapes.iter().map(|(_, shape)| shape.heights()).collect();
        let within = Within::new(&all).ok_or_else(level)?;
        let places = occurrences(&transforms, &shapes, &series);
        let lengths: Vec<usize> = shapes.iter().map(|(_, shape)| shape.len()).collect();
        let elsewhere = Elsewhere::new(rows, &lengths, &places);
        Ok(ShapeJudge { transforms, shapes, places, elsewhere, within, despikes })
    }

    /// What is known of a metric, which is on the question's grid; `None` if too little of it was seen
    /// in the windows, or it does not move in them.
    #[must_use]
    pub fn evidence(&self, metric: &Sequence) -> Option<ShapeEvidence> {
        Some(self.weigh(metric)?.0)
    }

    /// The same, with where else it would have been evidence.
    #[must_use]
    pub fn weigh(&self, metric: &Sequence) -> Option<(ShapeEvidence, Past)> {
        let metric = &*prepared(metric, self.despikes);
        let z_at = |place: &JudgedStretch| self.shapes.get(place.shape)?.1.at(metric, place.start);
        let observed: Vec<(JudgedStretch, f64)> =
            self.places.iter().filter_map(|place| Some((*place, z_at(place)?))).collect();
        // Recurrences alone say nothing of the windows.
        let windows = self.places.get(..self.shapes.len()).unwrap_or_default();
        let moves = |(place, z): &(JudgedStretch, f64)| windows.contains(place) && *z != 0.0;
        if !observed.iter().any(moves) {
            return None;
        }
        let places: Vec<JudgedStretch> = observed.iter().map(|(place, _)| *place).collect();
        let count = observed.len() as f64;
        let mean = observed.iter().map(|(_, z)| z).sum::<f64>() / count;
        let chance = self.chance(metric, &places)?;
        // Not less than independent values would reach.
        let free = |place: &JudgedStretch| {
            let rows = self.shapes.get(place.shape).map_or(FEWEST_ROWS, |(_, shape)| shape.len());
            1.0 / (rows as f64 - 3.0)
        };
        let least = places.iter().map(free).sum::<f64>().sqrt() / count;
        let size = chance.size.max(least);
        // A coefficient of few rows has wide tails, however many places there are.
        let rows = |place: &JudgedStretch| {
            self.shapes.get(place.shape).map_or(0, |(_, shape)| shape.len() - 2)
        };
        let own = places.iter().map(rows).sum::<usize>() as f64;
        let degrees = chance.degrees.min(own);
        let evidence = ShapeEvidence {
            r: mean.tanh(),
            z: mean.abs() / (size + MARGIN),
            chance: size.tanh(),
            degrees,
            occurrences: places.len(),
        };
        let longest = self.shapes.iter().map(|(_, shape)| shape.len()).max().unwrap_or(1);
        let least = Least { size: least, margin: 0.0 };
        let degrees = [degrees, chance.places.max(degrees).min(own)];
        let (seen, reach) = (Seen::plain(&chance.values), [longest - 1; 2]);
        let observed = Observed::Shape(mean);
        Some((evidence, Past::new(seen, chance.places, reach, least, degrees, observed)))
    }

    fn chance(&self, metric: &Sequence, places: &[JudgedStretch]) -> Option<Chance> {
        let elsewhere = || {
            let elsewhere = self.elsewhere.as_ref()?;
            let series = Series::new(metric)?;
            let shapes: Vec<&Shape> = self.shapes.iter().map(|(_, shape)| shape).collect();
            elsewhere.chance(&self.transforms.everywhere(&shapes, &series), places)
        };
        elsewhere().or_else(|| self.within.chance(metric, places))
    }
}

/// Without its spikes, if these are not what is asked about.
fn prepared(metric: &Sequence, despikes: bool) -> Cow<'_, Sequence> {
    if despikes { Cow::Owned(despike(metric)) } else { Cow::Borrowed(metric) }
}

impl Judge for ShapeJudge {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let evidence = self.evidence(metric)?;
        Score::new(evidence.z, Sign::of(evidence.r))
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
mod tests {
    use super::*;
    use crate::{Grid, Pattern, Segments};
    use fathom_record::{Span, Timestamp};
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::ops::Range;

    fn question(target: Vec<f64>, windows: Vec<Range<usize>>) -> Question {
        let grid = Grid::even(target.len(), Span::from_milliseconds(1_000));
        Question {
            grid: grid.unwrap(),
            target: Sequence::from(target),
            windows,
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        }
    }

    /// Nearly normal noise: sums of four.
    fn noise(rows: usize, seed: u64) -> Vec<f64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut uniform = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
        (0..rows).map(|_| (0..4).map(|_| uniform()).sum::<f64>() * 1.7).collect()
    }

    fn dip(row: usize, start: usize, length: usize) -> f64 {
        if (start + length / 3..start + 2 * length / 3).contains(&row) { -6.0 } else { 0.0 }
    }

    /// Noise, and what is planted.
    fn with(seed: u64, rows: usize, planted: impl Fn(usize) -> f64) -> Vec<f64> {
        noise(rows, seed).into_iter().enumerate().map(|(row, e)| e + planted(row)).collect()
    }

    #[test]
    fn what_follows_stands_out_with_its_sign() {
        let target = with(1, 1000, |row| dip(row, 800, 60));
        let judge = ShapeJudge::new(&question(target, vec![800..860])).unwrap();
        let follower =
            judge.evidence(&Sequence::from(with(2, 1000, |row| -2.0 * dip(row, 800, 60)))).unwrap();
        assert!(follower.r < -0.9 && follower.z > 4.0, "{follower:?}");
        assert!(follower.degrees > 8.0 && follower.occurrences == 1, "{follower:?}");
        let stranger = judge.evidence(&Sequence::from(noise(1000, 3))).unwrap();
        assert!(stranger.z < 2.0 && stranger.chance < 0.3, "{stranger:?}");
        let metric = Sequence::from(with(2, 1000, |row| -2.0 * dip(row, 800, 60)));
        let score = judge.judge(&metric).unwrap();
        assert_eq!((score.value(), score.sign), (follower.z, Sign::Against));
    }

    /// A metric that makes such dips all the time follows by chance.
    #[test]
    fn what_does_so_everywhere_does_not_stand_out() {
        let target = with(1, 1000, |row| dip(row, 800, 60));
        let judge = ShapeJudge::new(&question(target, vec![800..860])).unwrap();
        let often = |row: usize| dip(row % 80, 0, 60) * if row < 800 { 1.0 } else { 0.0 };
        let metric = with(2, 1000, |row| often(row) + dip(row, 800, 60));
        let found = judge.evidence(&Sequence::from(metric)).unwrap();
        assert!(found.r > 0.9 && found.z < 3.0 && found.chance > 0.4, "{found:?}");
    }

    #[test]
    fn recurrences_are_found_and_count() {
        let dips = |row: usize| [100, 333, 610, 800].map(|at| dip(row, at, 60)).iter().sum();
        let judge = ShapeJudge::new(&question(with(1, 1000, dips), vec![800..860])).unwrap();
        let all = judge.evidence(&Sequence::from(with(2, 1000, dips))).unwrap();
        assert_eq!(all.occurrences, 4);
        let once = with(2, 1000, |row| dip(row, 800, 60));
        let once = judge.evidence(&Sequence::from(once)).unwrap();
        assert!(all.z > 6.0 && all.z > 2.0 * once.z, "{all:?} {once:?}");
    }

    /// A shift by its period finds a periodic target again, which is not elsewhere; but only the
    /// phase matters, and there are few phases.
    #[test]
    fn a_periodic_target_has_few_phases() {
        let dips = |row: usize| dip(row % 180, 20, 60);
        let judge = ShapeJudge::new(&question(with(1, 1800, dips), vec![1640..1700])).unwrap();
        let found = judge.evidence(&Sequence::from(with(2, 1800, dips))).unwrap();
        assert!(found.occurrences == 10 && found.z > 4.0, "{found:?}");
        assert!(found.degrees < 30.0, "{found:?}");
        let sine = |row: usize| (row as f64 * 0.1).sin();
        let target = with(1, 1800, |row| 9.0 * sine(row));
        let judge = ShapeJudge::new(&question(target, vec![600..700])).unwrap();
        let found = judge.evidence(&Sequence::from(with(2, 1800, |row| 9.0 * sine(row)))).unwrap();
        assert!(found.r > 0.9 && found.z > 1.0 && found.degrees < 10.0, "{found:?}");
    }

    #[test]
    fn short_data_have_answers() {
        let target = with(1, 65, |row| if row >= 62 { 9.0 } else { 0.0 });
        let judge = ShapeJudge::new(&question(target.clone(), vec![60..65])).unwrap();
        let follower = with(2, 65, |row| if row >= 62 { 9.0 } else { 0.0 });
        let follower = judge.evidence(&Sequence::from(follower)).unwrap();
        let stranger = judge.evidence(&Sequence::from(noise(65, 3))).unwrap();
        assert!(follower.z > 1.0 && follower.z > stranger.z, "{follower:?} {stranger:?}");
        // Nothing but the window.
        let whole = ShapeJudge::new(&question(target.clone(), vec![0..65])).unwrap();
        let found = whole.evidence(&Sequence::from(target.clone())).unwrap();
        assert!(found.r > 0.9 && found.z > 1.0 && found.degrees < 10.0, "{found:?}");
        let error = ShapeJudge::new(&question(target, vec![60..63])).err().unwrap();
        assert!(error.0.contains("3 rows"), "{error}");
        assert!(ShapeJudge::new(&question(vec![2.0; 65], vec![20..60])).is_err());
    }

    #[test]
    fn several_windows_have_their_own_shapes() {
        let planted = |row: usize| dip(row, 300, 60) - dip(row, 700, 90);
        let windows = vec![300..360, 700..790];
        let judge = ShapeJudge::new(&question(with(1, 1000, planted), windows)).unwrap();
        let both = judge.evidence(&Sequence::from(with(2, 1000, planted))).unwrap();
        let one = with(2, 1000, |row| dip(row, 300, 60));
        let one = judge.evidence(&Sequence::from(one)).unwrap();
        assert!(both.occurrences == 2 && both.r > 0.9 && both.z > 1.5 * one.z, "{both:?} {one:?}");
    }

    #[test]
    fn a_drawn_pattern_is_the_shape() {
        let mut question = question(noise(500, 1), vec![300..360]);
        let knots = [(300.0, 0.0), (330.0, 8.0), (360.0, 0.0)];
        let knots = knots.map(|(second, height)| (Timestamp::from_seconds(second), height));
        question.pattern = Pattern::new(knots.to_vec());
        let judge = ShapeJudge::new(&question).unwrap();
        let hill = |row: usize| (8.0 - (row as f64 - 330.0).abs() * 8.0 / 30.0).max(0.0);
        let found = judge.evidence(&Sequence::from(with(2, 500, hill))).unwrap();
        assert!(found.r > 0.85 && found.z > 3.0, "{found:?}");
    }

    #[test]
    fn gaps_neither_hide_nor_make_a_follower() {
        let target = with(1, 1000, |row| dip(row, 800, 60));
        let judge = ShapeJudge::new(&question(target, vec![800..860])).unwrap();
        let gappy = |values: Vec<f64>, every: usize| {
            let rows = values.into_iter().enumerate();
            let seen =
                |(row, value)| (row % every != 0 && !(200..330).contains(&row)).then_some(value);
            Sequence::new(&rows.map(seen).collect::<Vec<_>>())
        };
        let follower = gappy(with(2, 1000, |row| dip(row, 800, 60)), 4);
        let follower = judge.evidence(&follower).unwrap();
        assert!(follower.r > 0.9 && follower.z > 4.0, "{follower:?}");
        let stranger = judge.evidence(&gappy(noise(1000, 3), 4)).unwrap();
        assert!(stranger.z < 2.0, "{stranger:?}");
        let unseen: Vec<Option<f64>> =
            noise(1000, 4).into_iter().enumerate().map(|(n, x)| (n < 820).then_some(x)).collect();
        assert_eq!(judge.evidence(&Sequence::new(&unseen)), None);
        assert_eq!(judge.evidence(&Sequence::new(&vec![None; 1000])), None);
    }

    #[test]
    fn extremes_have_finite_evidence() {
        let target = with(1, 400, |row| dip(row, 300, 30));
        let judge = ShapeJudge::new(&question(target.clone(), vec![300..330])).unwrap();
        let wild = (0..400).map(|n| if n % 3 == 0 { f64::MAX } else { f64::MIN }).collect();
        let tiny = target.iter().map(|value| value * 1e-310).collect();
        let woke = (0..400).map(|n| dip(n, 300, 30)).collect();
        let jump = (0..400).map(|n| if n < 315 { 0.0 } else { 1e15 }).collect();
        for metric in [wild, tiny, woke, jump] {
            let metric: Vec<f64> = metric;
            let found = judge.evidence(&Sequence::from(metric)).unwrap();
            let numbers = [found.r, found.z, found.chance, found.degrees];
            assert!(numbers.iter().all(|number| number.is_finite()), "{found:?}");
            assert!(found.z >= 0.0 && found.degrees > 0.0, "{found:?}");
        }
        assert_eq!(judge.evidence(&Sequence::from(vec![7.0; 400])), None);
        assert_eq!(judge.evidence(&Sequence::from(vec![])), None);
    }
}
