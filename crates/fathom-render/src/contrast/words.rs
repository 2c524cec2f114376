//! Sizes in words.

use crate::layout::visible;
use crate::quantity::{Rounding, Scale};
use fathom_explain::contrast::{Contrast, ContrastedMetric, Difference, LevelSpread};
use fathom_record::trace::Kind;
use fathom_record::{TimeUnit, Unit};

/// "phase 2", or "whole run".
pub(super) fn place(phase: Option<usize>) -> String {
    phase.map_or("whole run".to_string(), |phase| format!("phase {}", phase + 1))
}

/// "+58%", "-12%", "11x", "from 0".
pub(super) fn change(difference: &Difference) -> String {
    match difference.change() {
        None => "-".to_string(),
        Some((change, _)) if change == 0.0 => "0%".to_string(),
        Some((change, None)) => if change > 0.0 { "above 0" } else { "below 0" }.to_string(),
        Some((_, Some(share))) if share >= 9.0 => format!("{:.0}x", share + 1.0),
        Some((_, Some(share))) if share.abs() < 0.0005 => {
            if share > 0.0 { "+<0.1%" } else { "-<0.1%" }.to_string()
        }
        Some((_, Some(share))) if share.abs() < 0.0995 => format!("{:+.1}%", share * 100.0),
        Some((_, Some(share))) => format!("{:+.0}%", share * 100.0),
    }
}

/// "pause +50% in phase 2".
pub(super) fn short(contrast: &Contrast, metric: &ContrastedMetric) -> String {
    let most = metric.most();
    let place = match metric.place() {
        Some(phase) => format!(" in phase {}", phase + 1),
        None if contrast.phases.is_empty() => String::new(),
        None => " over the whole run".to_string(),
    };
    format!("{} {}{place}", visible(&metric.metric.name), change(most))
}

/// How the levels of a metric are written.
pub(super) struct LevelScale(Scale);

impl LevelScale {
    /// Of a metric, for these levels.
    pub(super) fn new(
        metric: &ContrastedMetric,
        difference: &Difference,
        unit: Option<TimeUnit>,
    ) -> LevelScale {
        let medians = difference.groups.iter().flatten().map(|group| group.median.abs());
        let typical = medians.fold(0.0, f64::max);
        let per_second = match metric.metric.kind {
            Kind::Gauge => metric.metric.unit.clone(),
            Kind::Counter | Kind::Event => rate(&metric.metric.unit),
        };
        LevelScale(Scale::prefixed(&per_second, typical, unit))
    }

    /// The middle level of a group.
    pub(super) fn median(&self, group: Option<LevelSpread>) -> String {
        group.map_or("-".to_string(), |group| self.0.with_unit(group.median, Rounding::Nearest))
    }

    /// "1.9 to 2.1 ms".
    pub(super) fn range(&self, group: LevelSpread) -> String {
        let [low, high] =
            [group.low, group.high].map(|level| self.0.number(level, Rounding::Nearest));
        format!("{low} to {high} {}", self.0.symbol()).trim_end().to_string()
    }
}

/// "ns/s" of nanoseconds, "/s" of what has no unit.
fn rate(unit: &Unit) -> Unit {
    Unit::Other(format!("{}/s", unit.symbol()))
}
