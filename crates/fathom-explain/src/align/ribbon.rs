//! Two runs side by side: which moments correspond, and how well they fit there.

use super::pair::Pair;
use super::quality::Fit;
use super::route::Route;
use fathom_record::Timestamp;

/// The most knots of a ribbon: enough for the width of a screen.
const MOST: usize = 300;

/// The same moments in the reference and in another run.
#[derive(Debug, Clone, PartialEq)]
pub struct Ribbon {
    /// The reference.
    pub from: String,
    /// The other run.
    pub to: String,
    /// The metric by which they are aligned.
    pub common: String,
    /// In the order of time, at most 300. The first is where both begin, the last where both end.
    pub knots: Vec<RibbonKnot>,
    /// How well the runs fit, whatever window is selected.
    pub fit: Fit,
    /// As [`Quality::cost_per_step`](super::Quality::cost_per_step).
    pub cost_per_step: f64,
}

/// A moment that is the same in two runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RibbonKnot {
    /// In the reference's time.
    pub here: Timestamp,
    /// In the other run's time.
    pub there: Timestamp,
    /// How far apart the common metric is in both around there, in standard deviations of the
    /// reference's, or of the run's if that never changes; 0 if neither does.
    pub difference: f64,
}

impl Ribbon {
    #[allow(clippy::cast_precision_loss, reason = "pairs are far fewer than 2^53")]
    pub(super) fn of(route: &Route, from: &str, to: &str) -> Option<Ribbon> {
        let (first, last) = (route.links().first()?, route.links().last()?);
        let fit = route.links().iter().map(|link| link.pair.fit()).max()?;
        Some(Ribbon {
            from: from.to_string(),
            to: to.to_string(),
            common: last.metric.clone(),
            knots: knots(route, &first.pair),
            fit,
            cost_per_step: last.pair.costs.per_step,
        })
    }
}

/// Moments of the reference's first alignment, in the time of the route's last run.
#[allow(clippy::cast_precision_loss, reason = "pairs are far fewer than 2^53")]
fn knots(route: &Route, pair: &Pair) -> Vec<RibbonKnot> {
    let deviation = pair.costs.deviation;
    let warped = &pair.warped;
    let scaled = |cost: f64| if deviation > 0.0 { warped.told(cost) / deviation } else { 0.0 };
    let differences: Vec<f64> = warped.differences().map(|(_, cost)| scaled(cost)).collect();
    let pairs = differences.len();
    // Between knots lie as many pairs each, so that where one run waits there are knots as well.
    let spaces = pairs.clamp(1, MOST - 1);
    let at = |knot: usize| knot * pairs / spaces;
    let knot = |n: usize| {
        let (here, there) = warped.map.knot(at(n))?;
        let there = if route.links().len() > 1 { route.there(here) } else { there };
        // A knot stands for what is nearer to it than to the next.
        let first = at(n.saturating_sub(1)).midpoint(at(n));
        let past = at(n).midpoint(at((n + 1).min(spaces)));
        let around = differences.get(first..past.max(first + 1)).unwrap_or_default();
        let difference = around.iter().sum::<f64>() / around.len().max(1) as f64;
        Some(RibbonKnot { here, there, difference })
    };
    (0..=spaces).filter_map(knot).collect()
}
