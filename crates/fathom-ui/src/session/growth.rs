//! How functions grow with the size of their input, as it is looked at.

use fathom_analyze::{Growth, GrowthPoint, Report};
use fathom_record::own_json::End;
use fathom_render::growth::{nearest_law, notes, sentence};
use fathom_stats::growth::GrowthCandidate;
use serde::Serialize;

/// Points of a drawn curve.
const POINTS: usize = 80;

/// A function over the sizes of its input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrowthView {
    /// Its name without the argument.
    pub name: String,
    /// Which law it follows, in words.
    pub sentence: String,
    /// The sizes with their times in seconds.
    pub points: Vec<GrowthPointView>,
    /// The possible laws as they fit, the nearest first.
    pub curves: Vec<GrowthCurve>,
    /// The confidence of the intervals, and that the true law is among the possible ones.
    pub confidence: f64,
    /// Which sizes were left out, and what each law would need.
    pub notes: Vec<String>,
}

/// A size and its time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrowthPointView {
    /// The name of the subject.
    pub subject: String,
    /// The size.
    pub size: f64,
    /// The median, in seconds.
    pub time: f64,
    /// The lower end of its interval.
    pub lower: End,
    /// The upper end.
    pub upper: End,
    /// Whether growth was judged by it.
    pub used: bool,
}

/// A law as it fits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrowthCurve {
    /// Its name.
    pub law: &'static str,
    /// Sizes, from the smallest to the largest.
    pub size: Vec<f64>,
    /// The time at each.
    pub time: Vec<f64>,
}

impl GrowthView {
    /// Every function with enough sizes for a line.
    pub(super) fn all(report: &Report) -> Vec<GrowthView> {
        report.growth().iter().filter(|one| one.is_line()).map(GrowthView::of).collect()
    }

    fn of(growth: &Growth) -> GrowthView {
        GrowthView {
            name: growth.name.clone(),
            sentence: sentence(growth),
            points: growth.points.iter().map(GrowthPointView::of).collect(),
            curves: curves(growth),
            confidence: growth.confidence.get(),
            notes: notes(growth),
        }
    }
}

impl GrowthPointView {
    fn of(point: &GrowthPoint) -> GrowthPointView {
        let ends = point.interval.unwrap_or(fathom_stats::Interval::EVERYTHING);
        GrowthPointView {
            subject: point.subject.clone(),
            size: point.size,
            time: point.time,
            lower: End(ends.lower),
            upper: End(ends.upper),
            used: point.is_used,
        }
    }
}

fn curves(growth: &Growth) -> Vec<GrowthCurve> {
    let Ok(found) = &growth.found else { return Vec::new() };
    let Some(first) = growth.used().next() else { return Vec::new() };
    let [left, right] = [first.size, found.largest].map(f64::ln);
    let curve = |candidate: &GrowthCandidate| {
        let size: Vec<f64> = (0..POINTS)
            .map(|at| (left + (right - left) * at as f64 / (POINTS - 1) as f64).exp())
            .collect();
        let time = size.iter().map(|size| candidate.at(*size, found.largest)).collect();
        GrowthCurve { law: candidate.law.symbol(), size, time }
    };
    let nearest = nearest_law(found);
    let others = found.possible().filter(|one| nearest.is_none_or(|near| near.law != one.law));
    nearest.into_iter().chain(others).map(curve).collect()
}
