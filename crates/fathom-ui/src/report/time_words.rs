//! Moments and lengths of time.

use fathom_record::{TimeUnit, Timestamp, Unit};
use fathom_render::Scale;

/// "12.4 s", "-350 ms", of nanoseconds.
pub(super) fn time_words(value: f64) -> String {
    let scale = Scale::new(
        &Unit::Time(TimeUnit::Nanoseconds),
        value,
        (value == 0.0).then_some(TimeUnit::Seconds),
    );
    format!("{} {}", scale.own_digits(value), scale.symbol())
}

/// "12.4 s to 14.1 s".
pub(super) fn span_words((start, end): (Timestamp, Timestamp)) -> String {
    let [start, end] = [start, end].map(|time| time_words(time.nanoseconds_f64()));
    format!("{start} to {end}")
}
