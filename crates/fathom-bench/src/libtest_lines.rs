//! Results in the lines of Rust's own benches, which tools for `cargo bench` read.

use fathom_analyze::{Report, Subject};
use fathom_record::{TimeUnit, Unit};
use fathom_render::layout::visible;

/// A line for each function: "test NAME ... bench:       1,234 ns/iter (+/- 56)". What follows the
/// sign is half the width of the interval. Functions that were optimised away are left out.
pub(crate) fn libtest_lines(report: &Report) -> String {
    report.subjects.iter().filter_map(line).collect()
}

fn line(subject: &Subject) -> Option<String> {
    let is_zero = subject.function.as_ref().is_some_and(|function| function.is_zero);
    let estimate = subject.estimates.first().filter(|_| !is_zero)?;
    let half = estimate.interval().map(|interval| 0.5 * (interval.upper - interval.lower));
    let half = half.filter(|half| half.is_finite()).unwrap_or(0.0);
    let unit = subject.series.unit();
    let [value, half] = [estimate.value, half].map(|value| match unit {
        Unit::Time(unit) => unit.convert(value, TimeUnit::Nanoseconds),
        _ => value,
    });
    let symbol = if unit.time().is_some() { "ns" } else { unit.symbol() };
    let name = visible(subject.series.name());
    Some(format!(
        "test {name} ... bench: {:>11} {symbol}/iter (+/- {})\n",
        number(value),
        number(half)
    ))
}

/// "1,234,567"; below 100 with two digits behind the point.
fn number(value: f64) -> String {
    const SMALL: f64 = 100.0;
    if value.abs() < SMALL {
        return format!("{value:.2}");
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{report, subject};

    #[test]
    fn a_line_is_that_of_the_test_harness() {
        let mut zero = subject("nothing", 2.7e-10);
        if let Some(function) = &mut zero.function {
            function.is_zero = true;
        }
        let lines = libtest_lines(&report(vec![subject("sort/std", 1.234_567e-3), zero], vec![]));
        assert!(lines.starts_with("test sort/std ... bench:   1,234,"), "{lines}");
        assert!(lines.contains(" ns/iter (+/- ") && lines.ends_with(")\n"), "{lines}");
        // Half the width of the interval, in nanoseconds.
        let subject = subject("sort/std", 1.234_567e-3);
        let interval = subject.estimates[0].interval().unwrap();
        let half = 0.5e9 * (interval.upper - interval.lower);
        assert!(half > 0.0 && lines.contains(&format!("(+/- {})", number(half))), "{lines}");
        assert_eq!(lines.lines().count(), 1);
    }

    #[test]
    fn numbers_have_separators() {
        let shown = [0.5, 99.994, 100.4, 1234.0, 1_234_567.0, -2000.0].map(number);
        assert_eq!(shown, ["0.50", "99.99", "100", "1,234", "1,234,567", "-2,000"]);
    }
}
