//! Commands that a shell ran: what was subtracted for it, and what cannot be told from it.

use crate::quantity::{Rounding, Scale};
use crate::sentence::Words;
use crate::shell_verdict::REMEDY;
use fathom_analyze::{Estimate, Subject};
use fathom_record::{Metric, TimeUnit};
use fathom_stats::Interval;

/// An estimate that cannot be told from the shell's start-up, with what bounds it.
pub(crate) struct Untold<'a> {
    estimate: &'a Estimate,
    /// The most it may be, where that is known and above 0.
    most: Option<String>,
    /// Whether even the most is not above 0.
    is_below: bool,
}

impl<'a> Untold<'a> {
    /// `None` if it can be told, as it always can without a shell.
    pub(crate) fn of(
        subject: &Subject,
        estimate: &'a Estimate,
        time_unit: Option<TimeUnit>,
    ) -> Option<Untold<'a>> {
        if subject.is_told_from_shell(estimate) {
            return None;
        }
        let upper = estimate.interval().map_or(f64::INFINITY, |interval| interval.upper);
        let most = (upper.is_finite() && upper > 0.0).then(|| {
            Scale::new(subject.series.unit(), upper, time_unit)
                .for_interval(upper, estimate.interval())
                .with_unit(upper, Rounding::Up)
        });
        Some(Untold { estimate, most, is_below: upper <= 0.0 })
    }

    /// "true is too fast to separate from the shell's start-up: it takes at most 0.08 ms (median, with
    /// 95% confidence)."
    pub(crate) fn sentence(&self, name: &str, metric: Option<&Metric>, scale: &Scale) -> String {
        let statistic = self.estimate.statistic;
        let sure = Words { estimate: self.estimate, scale }.with_confidence();
        let bound = match (&self.most, metric) {
            (Some(most), None) => format!("it takes at most {most} ({statistic}, {sure})"),
            (Some(most), Some(metric)) => {
                format!("its {metric} is at most {most} ({statistic}, {sure})")
            }
            (None, _) if self.is_below => {
                format!("the shell alone takes longer ({statistic}, {sure})")
            }
            (None, _) => {
                format!("too few runs for an upper bound ({statistic})")
            }
        };
        format!("{name} is too fast to separate from the shell's start-up: {bound}. {REMEDY}")
    }

    /// "at most 0.08 ms", for the column of values.
    pub(crate) fn value(&self) -> String {
        match &self.most {
            Some(most) => format!("at most {most}"),
            None => "unknown".to_string(),
        }
    }

    /// For the column of intervals.
    pub(crate) fn ends() -> &'static str {
        "hidden by the shell's start-up"
    }
}

/// An estimate in two cells, value and interval, where it cannot be told from the shell.
#[must_use]
pub fn untold_cells(
    subject: &Subject,
    estimate: &Estimate,
    time_unit: Option<TimeUnit>,
) -> Option<[String; 2]> {
    let untold = Untold::of(subject, estimate, time_unit)?;
    Some([untold.value(), Untold::ends().to_string()])
}

/// "the shell's start-up time is subtracted: 0.931 ms (0.924 to 0.940 ms; median of 193 empty runs)"
pub(crate) fn subtracted(subject: &Subject, time_unit: Option<TimeUnit>) -> Option<String> {
    let startup = subject.startup?;
    let scale = Scale::new(subject.series.unit(), startup.median, time_unit)
        .for_interval(startup.median, startup.interval);
    let known = match startup.interval {
        Some(interval) if interval != Interval::EVERYTHING => {
            format!("{}; ", scale.ends(startup.interval, true))
        }
        _ => String::new(),
    };
    let runs = match startup.n_used {
        1 => "one empty run".to_string(),
        n => format!("median of {n} empty runs"),
    };
    Some(format!(
        "the shell's start-up time is subtracted: {} ({known}{runs})",
        scale.with_unit(startup.median, Rounding::Nearest)
    ))
}
