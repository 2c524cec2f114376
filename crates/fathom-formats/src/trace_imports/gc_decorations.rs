//! The decorations of a line of OpenJDK's unified log: `[0.041s][info][gc,heap] `.

use fathom_record::{Decimal, TimeUnit};

use super::date_time::DateTime;

/// What stands before a message, as far as it says when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Decorations {
    /// Nanoseconds since the virtual machine started.
    pub(super) uptime_ns: Option<i64>,
    /// Nanoseconds since 1970.
    pub(super) wall_ns: Option<i64>,
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
            self.wall_ns = self.wall_ns.or(Some(date.ns).filter(|_| date.has_zone));
            return;
        }
        let end = decoration.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let Some((number, unit)) = decoration.split_at_checked(end) else { return };
        let Some(unit) = Some(unit).filter(|unit| ["s", "ms", "ns"].contains(unit)) else { return };
        let Some(unit) = TimeUnit::parse(unit) else { return };
        let Some(ns) = Decimal::parse(number).and_then(|number| number.nanoseconds(unit)) else {
            return;
        };
        // `timemillis` counts from 1970, `uptimemillis` from the start, and both look alike.
        if unit == TimeUnit::Milliseconds && ns >= 1_000_000_000_000_000_000 {
            self.wall_ns = self.wall_ns.or(Some(ns));
        } else {
            self.uptime_ns = self.uptime_ns.or(Some(ns));
        }
    }
}

/// A duration with its unit, as messages end with: `2.306ms`.
pub(super) fn duration_ns(text: &str) -> Option<i64> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, TimeUnit::Milliseconds),
        None => (text.strip_suffix('s')?, TimeUnit::Seconds),
    };
    Decimal::parse(number).and_then(|number| number.nanoseconds(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorations_are_taken_in_any_order() {
        let (uptime, wall) = (Some(41_000_000), Some(1_794_793_634_123_000_000));
        for (line, uptime_ns, wall_ns) in [
            ("[0.041s][info][gc,heap     ] GC(0) x", uptime, None),
            ("[info ][gc][41ms] GC(0) x", uptime, None),
            ("[41000000ns][12345][host] GC(0) x", uptime, None),
            ("[2026-11-16T01:47:14.123+0000][0.041s][gc] GC(0) x", uptime, wall),
            ("[2026-11-16T02:47:14.123+0100][2026-11-16T01:47:14.123+0000] GC(0) x", None, wall),
            ("[1794793634123ms][info] GC(0) x", None, wall),
            ("[gc] GC(0) x", None, None),
            ("GC(0) x", None, None),
        ] {
            let (found, message) = Decorations::take(line);
            assert_eq!(found, Decorations { uptime_ns, wall_ns }, "{line}");
            assert_eq!(message, "GC(0) x", "{line}");
        }
        assert_eq!(Decorations::take("[open").1, "[open");
        assert_eq!(Decorations::take("[0.1s] [x] y").1, "[x] y");
    }
}
