//! Why medians next to a verdict may not divide to its ratio.

use crate::layout::visible;
use crate::quantity::{Rounding, Scale};
use crate::ratio::{ends_as_shown, ratio_text};
use fathom_analyze::compare::{Comparison, Design};
use fathom_record::{TimeUnit, Unit};

/// A line that explains why the medians of reference and subject, as they are shown, have a
/// quotient outside of the ratio's interval; `None` if it lies inside, or if there is no interval.
#[must_use]
pub fn medians_note(
    comparison: &Comparison,
    shown: [f64; 2],
    unit: &Unit,
    time_unit: Option<TimeUnit>,
) -> Option<String> {
    let ends = ends_as_shown(comparison.ratio, comparison.interval);
    let quotient = shown[1] / shown[0];
    if !comparison.statistic.is_median()
        || !comparison.interval.is_finite()
        || !quotient.is_finite()
        || ends.contains(quotient)
    {
        return None;
    }
    if comparison.shell.is_some_and(|shell| shell.is_hidden()) {
        let note = "the ratio compares whole runs, including the shell; the times exclude it";
        return Some(note.to_string());
    }
    let text = ratio_text(quotient, comparison.interval);
    let own = comparison.sides.map(|[reference, subject]| subject / reference);
    let is_near = |own: f64| (own / quotient - 1.0).abs() <= 0.01 * (comparison.ratio - 1.0).abs();
    let why = match (own, comparison.sides) {
        (Some(own), Some([reference, subject])) if ends.contains(own) && !is_near(own) => {
            let scale = Scale::new(unit, reference, time_unit);
            // Enough digits to divide.
            let width = 0.1 * comparison.interval.width() * reference;
            let narrow =
                fathom_stats::Interval { lower: reference - width, upper: reference + width };
            let scale = scale.for_interval(reference, Some(narrow));
            format!(
                "in the blocks behind this ratio, the median of {} is {} and that of {} is {}",
                visible(&comparison.reference),
                scale.with_unit(reference, Rounding::Nearest),
                visible(&comparison.subject),
                scale.with_unit(subject, Rounding::Nearest),
            )
        }
        _ if matches!(comparison.design, Design::Unpaired { .. }) => {
            "the medians are rounded, the ratio is not".to_string()
        }
        _ => "the ratio compares runs side by side, which cancels whatever slowed both; separate \
              medians do not"
            .to_string(),
    };
    Some(format!("dividing the medians gives {text} instead of the ratio: {why}"))
}
