//! Splitting again and again, until no part has a significant change left.

use super::critical_value;
use super::interval_test::{Split, Tester};

/// How much more a part has to show than the whole: its end points were chosen.
const DEEPER: f64 = 0.3;
/// Parts of parts of parts, up to here. A ramp of n values needs log₂ n; only a series built for
/// the purpose needs more.
const DEEPEST: usize = 40;

/// First estimates of the change points in order, given the test of the whole series.
pub(super) fn split(tester: &mut Tester<'_>, root: Split) -> Vec<usize> {
    let n = tester.len();
    let mut points = Vec::new();
    if root.statistic <= critical_value::of(n) {
        return points;
    }
    points.push(root.position);
    let mut open = vec![(0..root.position, 1), (root.position..n, 1)];
    while let Some((stretch, depth)) = open.pop() {
        let Some(found) = tester.seeded(stretch.clone()) else { continue };
        if found.statistic > critical_value::of(stretch.len()) + DEEPER && depth < DEEPEST {
            points.push(found.position);
            open.push((stretch.start..found.position, depth + 1));
            open.push((found.position..stretch.end, depth + 1));
        }
    }
    points.sort_unstable();
    points
}
