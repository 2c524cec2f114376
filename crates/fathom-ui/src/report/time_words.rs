//! Moments and lengths of time.

use fathom_record::{TimeUnit, Unit};
use fathom_render::Scale;

/// "12.4 s", "-350 ms".
#[allow(clippy::cast_precision_loss, reason = "a few digits are shown")]
pub(super) fn time_words(ns: i64) -> String {
    let value = ns as f64;
    let scale = Scale::new(
        &Unit::Time(TimeUnit::Nanoseconds),
        value,
        (ns == 0).then_some(TimeUnit::Seconds),
    );
    format!("{} {}", scale.own_digits(value), scale.symbol())
}

/// "12.4 s to 14.1 s".
pub(super) fn span_words((start, end): (i64, i64)) -> String {
    format!("{} to {}", time_words(start), time_words(end))
}
