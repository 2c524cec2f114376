//! Pieces of sentences: names, lists of them, moments.

use fathom_record::{Span, Timestamp, nearest};

/// How many names a list shows.
const MOST: usize = 5;

/// A name in quotation marks, harmless on a terminal and not too long.
pub(super) fn quoted(name: &str) -> String {
    const LONGEST: usize = 120;
    let mut shown: String = name.chars().take(LONGEST).collect();
    if shown.len() < name.len() {
        shown.push_str("...");
    }
    format!("{shown:?}")
}

/// Names as a list: `"a", "b" and 3 more`.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<String> = names.iter().take(MOST).map(|name| quoted(name.as_ref())).collect();
    match names.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// ` (did you mean "time"?)`; empty when nothing is near.
pub(super) fn did_you_mean<T: AsRef<str>>(wanted: &str, names: &[T]) -> String {
    let near = nearest(wanted, names);
    if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", listed(&near)) }
}

/// A moment: `12.5 s`, to the nanosecond.
pub(super) fn seconds(moment: Timestamp) -> String {
    const SECOND: u64 = 1_000_000_000;
    let ns = moment.nanoseconds();
    let (sign, size) = (if ns < 0 { "-" } else { "" }, ns.unsigned_abs());
    let fraction = format!("{:09}", size % SECOND);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction} s", size / SECOND)
}

/// A length of time that was estimated: three digits of it are enough.
pub(super) fn about(span: Span) -> String {
    let ns = span.nanoseconds_f64();
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")];
    let unit = units.into_iter().find(|(size, _)| ns >= *size);
    let (size, unit) = unit.unwrap_or((1.0, "ns"));
    let value = ns / size;
    let digits = match value {
        large if large >= 100.0 => 0,
        medium if medium >= 10.0 => 1,
        _ => 2,
    };
    let number = format!("{value:.digits$}");
    let number = match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => &number,
    };
    format!("{number} {unit}")
}

/// `1 row`, `2 rows`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_moments_are_short_and_harmless() {
        assert_eq!(quoted("\u{1b}[2J"), r#""\u{1b}[2J""#);
        assert!(quoted(&"x".repeat(1000)).len() < 130);
        assert_eq!(listed(&["a", "b"]), r#""a", "b""#);
        assert_eq!(listed(&["a"; 7]), r#""a", "a", "a", "a", "a" and 2 more"#);
        assert_eq!(did_you_mean("tiem", &["time"]), r#" (did you mean "time"?)"#);
        assert_eq!(did_you_mean("other", &["time"]), "");
        let moments = [0, 1_500_000_000, -1, 12_000_000_000, i64::MIN]
            .map(|nanoseconds| seconds(Timestamp::from_nanoseconds(nanoseconds)));
        let known = ["0 s", "1.5 s", "-0.000000001 s", "12 s", "-9223372036.854775808 s"];
        assert_eq!(moments, known);
        let lengths = [0, 12, 1234, 35_000_000, 2_000_000_000, 1_500_000_000_000]
            .map(|nanoseconds| about(Span::from_nanoseconds(nanoseconds)));
        assert_eq!(lengths, ["0 ns", "12 ns", "1.23 us", "35 ms", "2 s", "1500 s"]);
        assert_eq!(counted(1, "row") + &counted(2, "row"), "1 row2 rows");
    }
}
