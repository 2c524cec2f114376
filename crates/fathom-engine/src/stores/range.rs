//! Which range of time is read: the windows, and enough around them.

use crate::EngineError;
use fathom_record::{CalendarMoment, Span, TimeUnit, Timestamp};
use fathom_request::value::OptionValue as _;
use fathom_request::{ClockTime, MetricStore, TypedMoment, TypedSpan};
use fathom_sys::time_zone;
use std::time::Duration;

/// Samples after `start` and up to `end` are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoreRange {
    pub(crate) start: Timestamp,
    pub(crate) end: Timestamp,
}

/// From here on a number is one of seconds since 1970: September 2001.
const SINCE_1970: Timestamp = Timestamp::from_nanoseconds(1_000_000_000_000_000_000);

const HOUR: Duration = Duration::from_secs(3600);

/// Read where no window says what is needed.
const USUAL: Duration = Duration::from_secs(6 * 3600);

/// So many windows before a window show what is usual: with 20 a single metric can be significant, with
/// more q becomes smaller.
const WINDOWS_BEFORE: u32 = 60;

impl StoreRange {
    /// Resolves times of day in windows and in the store's range, which is set, and says what to read.
    pub(crate) fn resolve(
        store: &mut MetricStore,
        windows: &mut [&mut TypedSpan],
        now: Timestamp,
    ) -> Result<StoreRange, EngineError> {
        let mut stretches = Vec::new();
        for window in windows {
            stretches.extend(absolute(window, now)?);
        }
        let found = match &mut store.range {
            Some(range) => {
                let text = range.text();
                let asked = absolute(range, now)?.ok_or_else(|| {
                    EngineError::usage(format!(
                        "--range {text}: write times of day or dates, such as 13:00..15:00"
                    ))
                })?;
                if let Some(outside) = stretches.iter().find(|one| !asked.contains(**one)) {
                    return Err(EngineError::usage(format!(
                        "the window {} is outside of --range {text}",
                        outside.typed().text()
                    )));
                }
                if store.history.is_some() {
                    return Err(EngineError::usage(
                        "--range says all that is read; leave out --history",
                    ));
                }
                asked
            }
            None => around(&stretches, store.history, now),
        };
        let end = found.end.min(now);
        if end <= found.start {
            let (text, now) = (found.typed().text(), CalendarMoment::of(now).text());
            return Err(EngineError::usage(if found.start < found.end {
                format!("{text} has not begun: it is {now} there")
            } else {
                format!("{text} is a single moment; write where it begins and where it ends")
            }));
        }
        let found = StoreRange { end, ..found };
        (store.range, store.history) = (Some(found.typed()), None);
        Ok(found)
    }

    fn contains(&self, other: StoreRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// As it is typed, in UTC.
    fn typed(&self) -> TypedSpan {
        let moment = |at| Some(TypedMoment::on_clock(ClockTime::of(at)));
        TypedSpan::Time { start: moment(self.start), end: moment(self.end) }
    }
}

/// The windows with what is before them, and a quarter as much after them.
fn around(windows: &[StoreRange], history: Option<Duration>, now: Timestamp) -> StoreRange {
    let start = windows.iter().map(|one| one.start).min();
    let end = windows.iter().map(|one| one.end).max();
    let Some((start, end)) = start.zip(end) else {
        let before = Span::from(history.unwrap_or(USUAL));
        return StoreRange { start: now - before, end: now };
    };
    let longest = windows.iter().map(|one| Duration::from(one.end - one.start)).max();
    let needed = longest.unwrap_or_default().saturating_mul(WINDOWS_BEFORE);
    let history = history.unwrap_or(needed.clamp(HOUR, 24 * HOUR));
    StoreRange { start: start - Span::from(history), end: end + Span::from(history / 4) }
}

/// The moments of a stretch, which it is set to; `None` for rows, and for all.
fn absolute(span: &mut TypedSpan, now: Timestamp) -> Result<Option<StoreRange>, EngineError> {
    let text = span.text();
    let TypedSpan::Time { start, end } = span else { return Ok(None) };
    let day = Span::from(24 * HOUR);
    let Some(first) = start else {
        return Err(EngineError::usage(format!("{text}: say where it begins, as in 14:02{text}")));
    };
    // 14:02..14:05Z: the zone is said once and means both.
    let zone_of = |typed: &TypedMoment| typed.clock().and_then(ClockTime::zone);
    let zone = zone_of(first).or(end.as_ref().and_then(zone_of));
    let first = moment(first, zone, now - day, now, &text)?;
    let last = match end {
        Some(last) => moment(last, zone, first, now, &text)?,
        None => now,
    };
    let found = StoreRange { start: first, end: last };
    if last < first {
        return Err(EngineError::usage(format!("{text}: it ends before it begins")));
    }
    *span = found.typed();
    Ok(Some(found))
}

fn moment(
    typed: &TypedMoment,
    zone: Option<i64>,
    from: Timestamp,
    now: Timestamp,
    text: &str,
) -> Result<Timestamp, EngineError> {
    if let Some(clock) = typed.clock() {
        return clock
            .or_zone(zone)
            .resolved(from, &time_zone::minutes_ahead_of_utc)
            .ok_or_else(|| EngineError::usage(format!("{text}: the year is out of range")));
    }
    let number = typed.timestamp(TimeUnit::Seconds);
    match number {
        number if number >= SINCE_1970 => Ok(number),
        // 10min ago.
        number if number < Timestamp::ZERO => {
            Ok(Timestamp::from_nanoseconds(now.nanoseconds().saturating_add(number.nanoseconds())))
        }
        _ => Err(EngineError::usage(format!(
            "{text} does not say when: series of a metric store have times of day. Write \
             14:02..14:05, 2026-11-16T14:02..14:05, -10min..-5min (ago), or seconds since 1970"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        CalendarMoment::parse(text).unwrap().timestamp().unwrap()
    }

    /// What is read, and what the windows became, at noon.
    fn resolved(
        windows: &[&str],
        range: Option<&str>,
        history: Option<&str>,
    ) -> Result<(String, Vec<String>), String> {
        let mut typed: Vec<TypedSpan> =
            windows.iter().map(|text| TypedSpan::read(text).unwrap()).collect();
        let mut store = MetricStore {
            range: range.map(|text| TypedSpan::read(text).unwrap()),
            history: history.map(|text| Duration::read(text).unwrap()),
            ..MetricStore::default()
        };
        let now = at("2026-11-16T12:00Z");
        let mut borrowed: Vec<&mut TypedSpan> = typed.iter_mut().collect();
        let found = StoreRange::resolve(&mut store, &mut borrowed, now);
        let found = found.map_err(|error| error.to_string())?;
        assert_eq!(store.range, Some(found.typed()));
        Ok((found.typed().text(), typed.iter().map(TypedSpan::text).collect()))
    }

    #[test]
    fn enough_is_read_around_windows() {
        for (windows, range, history, read, meant) in [
            // Three minutes: three hours before, and a quarter of that after.
            (
                &["10:02Z..10:05Z"][..],
                None,
                None,
                "2026-11-16T07:02Z..2026-11-16T10:50Z",
                &["2026-11-16T10:02Z..2026-11-16T10:05Z"][..],
            ),
            // Yesterday, as it has not come today; up to now at most.
            (
                &["14:02Z..14:05Z", "11:00Z.."],
                None,
                Some("1h"),
                "2026-11-15T13:02Z..2026-11-16T12:00Z",
                &["2026-11-15T14:02Z..2026-11-15T14:05Z", "2026-11-16T11:00Z..2026-11-16T12:00Z"],
            ),
            (
                &["-10min..-5min"],
                None,
                Some("1h"),
                "2026-11-16T10:50Z..2026-11-16T12:00Z",
                &["2026-11-16T11:50Z..2026-11-16T11:55Z"],
            ),
            (&[], None, None, "2026-11-16T06:00Z..2026-11-16T12:00Z", &[]),
            (&["all"], None, Some("1h"), "2026-11-16T11:00Z..2026-11-16T12:00Z", &["all"]),
            (
                &["rows:1..5"],
                Some("09:00Z..10:00Z"),
                None,
                "2026-11-16T09:00Z..2026-11-16T10:00Z",
                &["rows:1..5"],
            ),
            (
                &["1794823200..1794823260"],
                None,
                Some("30m"),
                "2026-11-16T09:30Z..2026-11-16T10:08:30Z",
                &["2026-11-16T10:00Z..2026-11-16T10:01Z"],
            ),
        ] {
            let (found, now) = resolved(windows, range, history).unwrap();
            assert_eq!(
                (found.as_str(), now.as_slice()),
                (read, &meant.iter().map(ToString::to_string).collect::<Vec<_>>()[..]),
                "{windows:?}"
            );
        }
    }

    #[test]
    fn times_that_say_nothing_are_refused() {
        for (windows, range, history, why) in [
            (&["120..130"][..], None, None, "120..130 does not say when"),
            (&["..10:00Z"], None, None, "..10:00Z: say where it begins"),
            (
                &["2026-11-17T10:00Z..11:00Z"],
                None,
                Some("1h"),
                "has not begun: it is 2026-11-16T12:00Z there",
            ),
            (&["10:00Z..10:05Z"], Some("11:00Z..12:00Z"), None, "is outside of --range"),
            (&[], Some("11:00Z..12:00Z"), Some("1h"), "leave out --history"),
            (&[], Some("all"), None, "--range all: write times of day"),
        ] {
            let error = resolved(windows, range, history).unwrap_err();
            assert!(error.contains(why), "{windows:?}: {error}");
        }
    }
}
