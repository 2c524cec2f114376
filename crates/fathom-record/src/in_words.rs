//! Short amounts for messages: two digits where that is enough.

use std::time::Duration;

/// "1.6 us", "10 ms", "2 s".
#[must_use]
pub fn duration(duration: Duration) -> String {
    let ns = duration.as_nanos();
    let (unit, size) = match ns {
        0..1_000 => ("ns", 1),
        1_000..1_000_000 => ("us", 1_000),
        1_000_000..1_000_000_000 => ("ms", 1_000_000),
        _ => ("s", 1_000_000_000),
    };
    let tenths = (ns * 10 + size / 2) / size;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {unit}"),
        (whole, _) if whole >= 100 => format!("{whole} {unit}"),
        (whole, tenth) => format!("{whole}.{tenth} {unit}"),
    }
}

/// "0.3%", "12%".
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        ..0.095 => format!("{percent:.2}%"),
        0.095..9.95 => {
            let text = format!("{percent:.1}");
            format!("{}%", text.strip_suffix(".0").unwrap_or(&text))
        }
        _ => format!("{percent:.0}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_words_are_short() {
        let in_words = |ns| duration(Duration::from_nanos(ns));
        assert_eq!(in_words(0), "0 ns");
        assert_eq!(in_words(1_600), "1.6 us");
        assert_eq!(in_words(10_000_000), "10 ms");
        assert_eq!(in_words(123_456_789), "123 ms");
        assert_eq!(in_words(2_500_000_000), "2.5 s");
        assert_eq!(in_words(90_000_000_000), "90 s");
    }

    #[test]
    fn shares_in_words() {
        let shares = [0.0, 0.0003, 0.003, 0.05, 0.0499, 0.123, 2.0].map(percent);
        assert_eq!(shares, ["0.00%", "0.03%", "0.3%", "5%", "5%", "12%", "200%"]);
    }
}
