//! Times, ratios and goals as text.

/// A time with three digits and a unit that suits it.
pub(super) fn time(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let (unit, name) = units.into_iter().find(|(unit, _)| seconds >= *unit).unwrap_or((1e-9, "ns"));
    format!("{} {name}", three_digits(seconds / unit))
}

/// How many times faster, with three digits.
pub(super) fn ratio(value: f64) -> String {
    format!("{}x", three_digits(value))
}

/// A count with its thousands set apart.
pub(super) fn count(n: usize) -> String {
    thousands(n as f64)
}

/// Whether a goal is met, in words.
pub(super) fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "not met" }
}

fn three_digits(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        // Millions are not known to the last digit.
        1000.0.. => {
            let unit = 10_f64.powf(value.log10().floor() - 2.0);
            thousands((value / unit).round() * unit)
        }
        _ => format!("{value:.0}"),
    }
}

fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        assert_eq!(time(0.001_949), "1.95 ms");
        assert_eq!(time(0.000_026_44), "26.4 µs");
        assert_eq!(time(266.1), "266 s");
        assert_eq!(ratio(21.66), "21.7x");
        assert_eq!(ratio(2153.0), "2,150x");
        assert_eq!(ratio(10_057_891.0), "10,100,000x");
        assert_eq!((count(999), count(1_000_000)), ("999".to_string(), "1,000,000".to_string()));
    }
}
