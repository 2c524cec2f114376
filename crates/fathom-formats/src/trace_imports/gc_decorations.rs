//! The decorations of a line of OpenJDK's unified log: `[0.041s][info][gc,heap] `.

use fathom_record::{Decimal, Span, TimeUnit, Timestamp};

use super::date_time::DateTime;
use super::timeline::Scale;

/// What stands before a message, as far as it says when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Decorations {
    /// Since the virtual machine started.
    pub(super) uptime: Option<Timestamp>,
    /// Since 1970.
    pub(super) wall: Option<Timestamp>,
}

impl Decorations {
    /// Takes the decorations off a line: any of them in any order, without blanks between them.
    pub(super) fn take(line: &str) -> (Decorations, &str) {
        let mut found = Decorations::default();
        let mut rest = line;
        while let Some((decoration, after)) =
            rest.strip_prefix('[').and_then(|inside| inside.split_once(']'))
        {
            found.add(decoration.trim());
            rest = after;
        }
        (found, rest.trim())
    }

    fn add(&mut self, decoration: &str) {
        if let Some(date) = DateTime::parse(decoration) {
            // The log always says the zone.
            self.wall = self.wall.or(Some(date.time).filter(|_| date.has_zone));
            return;
        }
        let end = decoration.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let Some((number, unit)) = decoration.split_at_checked(end) else { return };
        let Some(unit) = Some(unit).filter(|unit| ["s", "ms", "ns"].contains(unit)) else { return };
        let Some(unit) = TimeUnit::parse(unit) else { return };
        let nanoseconds = Decimal::parse(number).and_then(|number| number.nanoseconds(unit));
        let Some(time) = nanoseconds.map(Timestamp::from_nanoseconds) else { return };
        // `timemillis` counts from 1970, `uptimemillis` from the start, and both look alike.
        if unit == TimeUnit::Milliseconds && Scale::of_number(time) == Scale::Wall {
            self.wall = self.wall.or(Some(time));
        } else {
            self.uptime = self.uptime.or(Some(time));
        }
    }
}

/// A duration with its unit, as messages end with: `2.306ms`.
pub(super) fn duration(text: &str) -> Option<Span> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, TimeUnit::Milliseconds),
        None => (text.strip_suffix('s')?, TimeUnit::Seconds),
    };
    let nanoseconds = Decimal::parse(number).and_then(|number| number.nanoseconds(unit))?;
    u64::try_from(nanoseconds).ok().map(Span::from_nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorations_are_taken_in_any_order() {
        let [known_uptime, known_wall] = [41_000_000, 1_794_793_634_123_000_000]
            .map(|nanoseconds| Some(Timestamp::from_nanoseconds(nanoseconds)));
        for (line, uptime, wall) in [
            ("[0.041s][info][gc,heap     ] GC(0) x", known_uptime, None),
            ("[info ][gc][41ms] GC(0) x", known_uptime, None),
            ("[41000000ns][12345][host] GC(0) x", known_uptime, None),
            ("[2026-11-16T01:47:14.123+0000][0.041s][gc] GC(0) x", known_uptime, known_wall),
            (
                "[2026-11-16T02:47:14.123+0100][2026-11-16T01:47:14.123+0000] GC(0) x",
                None,
                known_wall,
            ),
            ("[1794793634123ms][info] GC(0) x", None, known_wall),
            ("[gc] GC(0) x", None, None),
            ("GC(0) x", None, None),
        ] {
            let (found, message) = Decorations::take(line);
            assert_eq!(found, Decorations { uptime, wall }, "{line}");
            assert_eq!(message, "GC(0) x", "{line}");
        }
        assert_eq!(Decorations::take("[open").1, "[open");
        assert_eq!(Decorations::take("[0.1s] [x] y").1, "[x] y");
    }
}
