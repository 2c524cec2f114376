//! The shape score.

use super::ShapeEvidence;
use super::chance::Chance;
use super::elsewhere::Elsewhere;
use super::everywhere::{FEWEST_ROWS, Shape, Transforms};
use super::occurrences::{Place, occurrences};
use super::series::Series;
use super::template::heights;
use super::within::Within;
use crate::segment::despike;
use crate::{Judge, NoAnswer, Question, Score, Sequence, Sign};

/// Added to the usual size, so that a metric that follows nothing at all elsewhere does not come first
/// by following a little here.
const MARGIN: f64 = 0.1;

/// Judges how closely metrics follow the shape that the target has in the windows.
pub struct ShapeJudge {
    transforms: Transforms,
    /// Where the window of each starts, and the shape.
    shapes: Vec<(usize, Shape)>,
    /// The windows, then the recurrences.
    places: Vec<Place>,
    elsewhere: Option<Elsewhere>,
    within: Within,
}

impl ShapeJudge {
    /// Prepares for a question.
    ///
    /// # Errors
    /// If no window has rows enough, or the target is constant in all of them.
    pub fn new(question: &Question) -> Result<ShapeJudge, NoAnswer> {
        let rows = question.target.len();
        let transforms = Transforms::new(rows);
        let target = despike(&question.target);
        let longest = question.windows.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        if longest < FEWEST_ROWS {
            return Err(NoAnswer(format!(
                "the longest window has {longest} rows, and a shape has at least {FEWEST_ROWS}: select a longer one"
            )));
        }
        let shape = |window: &std::ops::Range<usize>| {
            Some((window.start, transforms.shape(&heights(question, window))?))
        };
        let shapes: Vec<(usize, Shape)> = question.windows.iter().filter_map(shape).collect();
        let level = || NoAnswer("the target has no shape in the windows: it is level".to_string());
        let series = Series::new(&target).ok_or_else(level)?;
        let all: Vec<&[f64]> = shapes.iter().map(|(_, shape)| shape.heights()).collect();
        let within = Within::new(&all).ok_or_else(level)?;
        let places = occurrences(&transforms, &shapes, &series);
        let lengths: Vec<usize> = shapes.iter().map(|(_, shape)| shape.len()).collect();
        let elsewhere = Elsewhere::new(rows, &lengths, &places);
        Ok(ShapeJudge { transforms, shapes, places, elsewhere, within })
    }

    /// What is known of a metric, which is on the question's grid; `None` if too little of it was seen
    /// in the windows, or it does not move in them.
    #[must_use]
    pub fn evidence(&self, metric: &Sequence) -> Option<ShapeEvidence> {
        let metric = &despike(metric);
        let z_at = |place: &Place| self.shapes.get(place.shape)?.1.at(metric, place.start);
        let observed: Vec<(Place, f64)> =
            self.places.iter().filter_map(|place| Some((*place, z_at(place)?))).collect();
        // Recurrences alone say nothing of the windows.
        let windows = self.places.get(..self.shapes.len()).unwrap_or_default();
        let moves = |(place, z): &(Place, f64)| windows.contains(place) && *z != 0.0;
        if !observed.iter().any(moves) {
            return None;
        }
        let places: Vec<Place> = observed.iter().map(|(place, _)| *place).collect();
        let count = observed.len() as f64;
        let mean = observed.iter().map(|(_, z)| z).sum::<f64>() / count;
        let chance = self.chance(metric, &places)?;
        // Not less than independent values would reach.
        let free = |place: &Place| {
            let rows = self.shapes.get(place.shape).map_or(FEWEST_ROWS, |(_, shape)| shape.len());
            1.0 / (rows as f64 - 3.0)
        };
        let least = places.iter().map(free).sum::<f64>().sqrt() / count;
        let size = chance.size.max(least);
        Some(ShapeEvidence {
            r: mean.tanh(),
            z: mean.abs() / (size + MARGIN),
            chance: size.tanh(),
            degrees: chance.degrees,
            occurrences: places.len(),
        })
    }

    fn chance(&self, metric: &Sequence, places: &[Place]) -> Option<Chance> {
        let elsewhere = || {
            let elsewhere = self.elsewhere.as_ref()?;
            let series = Series::new(metric)?;
            let shapes: Vec<&Shape> = self.shapes.iter().map(|(_, shape)| shape).collect();
            elsewhere.chance(&self.transforms.everywhere(&shapes, &series), places)
        };
        elsewhere().or_else(|| self.within.chance(metric, places))
    }
}

impl Judge for ShapeJudge {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let evidence = self.evidence(metric)?;
        Score::new(evidence.z, Sign::of(evidence.r))
    }
}
