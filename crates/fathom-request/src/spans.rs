//! Stretches of a trace as they are typed: `12.4s..14.1s`, `rows:120..180`, `all`; and shapes that are
//! drawn over one. This is the one place that reads and writes them.

mod clock_time;

pub use clock_time::ClockTime;

use crate::value::OptionValue;
use fathom_record::{Decimal, TimeUnit, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::PathBuf;

/// A moment: in a unit that was typed with it, or in the trace's own; or a time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypedMoment {
    number: Decimal,
    unit: Option<TimeUnit>,
    /// Instead of the number.
    clock: Option<ClockTime>,
}

/// A stretch, both ends included; without an end it goes as far as the trace does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypedSpan {
    /// All of the trace.
    Whole,
    /// By time; one of the ends is given, and both have a unit or none has.
    Time {
        /// Where it starts.
        start: Option<TypedMoment>,
        /// Where it ends.
        end: Option<TypedMoment>,
    },
    /// By rows of the target, counted from 0.
    Rows {
        /// The first of them.
        first: Option<usize>,
        /// The last of them.
        last: Option<usize>,
    },
}

const FORM: &str = "write A..B in the trace's time unit (12.4..14.1), with a unit (300ms..1.2s), as times of day (14:02..14:05:30), as rows of the target (rows:120..180), or all";

/// No time needs more; what is longer could not be written back in full.
const LONGEST_NUMBER: usize = 100;

impl TypedMoment {
    /// A moment, exactly, typed in a unit. Without a unit behind it, it is read in the
    /// trace's own, which then must be `unit`.
    #[must_use]
    pub fn exactly(moment: Timestamp, unit: TimeUnit) -> TypedMoment {
        // Neither minutes nor hours have a decimal number for every nanosecond.
        let seconds = || TypedMoment {
            number: decimal(&TimeUnit::Seconds.exactly(moment)),
            unit: Some(TimeUnit::Seconds),
            clock: None,
        };
        match unit {
            TimeUnit::Minutes | TimeUnit::Hours => seconds(),
            unit => TypedMoment { number: decimal(&unit.exactly(moment)), unit: None, clock: None },
        }
    }

    /// A moment by the clock and the calendar.
    #[must_use]
    pub fn on_clock(clock: ClockTime) -> TypedMoment {
        TypedMoment { number: Decimal::default(), unit: None, clock: Some(clock) }
    }

    /// The same with its unit, for a reader who does not know the trace's.
    #[must_use]
    pub fn with_unit(self, unit: TimeUnit) -> TypedMoment {
        TypedMoment { unit: self.unit.or(Some(unit)), ..self }
    }

    /// The time of day, if it is one.
    #[must_use]
    pub fn clock(&self) -> Option<ClockTime> {
        self.clock
    }

    /// As a moment; a bare number is in `unit`. A time of day counts from midnight: when that was, the
    /// traces have to say.
    #[must_use]
    pub fn timestamp(&self, unit: TimeUnit) -> Timestamp {
        if let Some(clock) = self.clock {
            return clock.since_midnight();
        }
        let beyond = if self.number.is_negative() { Timestamp::MIN } else { Timestamp::MAX };
        let nanoseconds = self.number.nanoseconds(self.unit.unwrap_or(unit));
        nanoseconds.map_or(beyond, Timestamp::from_nanoseconds)
    }
}

/// Text of digits that was made here.
fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap_or_default()
}

impl OptionValue for TypedMoment {
    fn text(&self) -> String {
        if let Some(clock) = &self.clock {
            return clock.text();
        }
        let unit = self.unit.map_or("", TimeUnit::symbol);
        format!("{}{unit}", self.number)
    }

    fn read(text: &str) -> Result<TypedMoment, String> {
        if text.contains(':') {
            let clock = Some(ClockTime::read(text)?);
            return Ok(TypedMoment { number: Decimal::default(), unit: None, clock });
        }
        let past =
            text.find(|c: char| !(c.is_ascii_digit() || ".-+".contains(c))).unwrap_or(text.len());
        let (number, unit) = text.split_at(past);
        if number.len() > LONGEST_NUMBER {
            return Err(format!("a time has at most {LONGEST_NUMBER} digits"));
        }
        let number = Decimal::parse(number).ok_or(FORM)?;
        let unit = match unit.trim() {
            "" => None,
            "m" => Some(TimeUnit::Minutes),
            unit => Some(TimeUnit::parse(unit).ok_or_else(|| {
                format!("\"{unit}\" is no unit of time; use ns, us, ms, s, min or h")
            })?),
        };
        Ok(TypedMoment { number, unit, clock: None })
    }
}

impl OptionValue for TypedSpan {
    fn text(&self) -> String {
        let moment =
            |at: &Option<TypedMoment>| at.as_ref().map_or(String::new(), OptionValue::text);
        let row = |row: &Option<usize>| row.map_or(String::new(), |row| row.to_string());
        match self {
            TypedSpan::Whole | TypedSpan::Time { start: None, end: None } => "all".to_string(),
            TypedSpan::Time { start, end } => format!("{}..{}", moment(start), moment(end)),
            TypedSpan::Rows { first, last } => format!("rows:{}..{}", row(first), row(last)),
        }
    }

    fn read(text: &str) -> Result<TypedSpan, String> {
        let text = text.trim();
        if text == "all" {
            return Ok(TypedSpan::Whole);
        }
        let (text, is_rows) = match text.strip_prefix("rows:") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (start, end) = text.split_once("..").ok_or(FORM)?;
        let (start, end) = (start.trim(), end.trim());
        if is_rows { rows(start, end) } else { times(start, end) }
    }
}

/// A stretch of one run: `run-2:20..22`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSpan {
    /// The run, as it was typed.
    pub run: String,
    /// The stretch.
    pub span: TypedSpan,
}

impl OptionValue for RunSpan {
    fn text(&self) -> String {
        format!("{}:{}", self.run, self.span.text())
    }

    fn read(text: &str) -> Result<RunSpan, String> {
        const FORM: &str = "write RUN:A..B, such as run-2:20..22";
        let mut problem = FORM.to_string();
        // Names of runs and times of day may have colons: the shortest name that leaves a stretch.
        for (at, _) in text.match_indices(':') {
            let (run, span) = (text.get(..at).unwrap_or(""), text.get(at + 1..).unwrap_or(""));
            match TypedSpan::read(span) {
                Ok(span) if !run.is_empty() => return Ok(RunSpan { run: run.to_string(), span }),
                Ok(_) => {}
                Err(message) => problem = message,
            }
        }
        Err(problem)
    }
}

/// A window: of the run that is asked about, or of a run that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowOption {
    /// Of the run that is asked about.
    Plain(TypedSpan),
    /// Of a run that is named with it.
    OfRun(RunSpan),
}

impl OptionValue for WindowOption {
    fn text(&self) -> String {
        match self {
            WindowOption::Plain(span) => span.text(),
            WindowOption::OfRun(span) => span.text(),
        }
    }

    fn read(text: &str) -> Result<WindowOption, String> {
        let plain = TypedSpan::read(text);
        match (plain, RunSpan::read(text)) {
            (Ok(span), _) => Ok(WindowOption::Plain(span)),
            (Err(_), Ok(span)) => Ok(WindowOption::OfRun(span)),
            (Err(message), Err(_)) => Err(message),
        }
    }
}

/// What something is compared with: a stretch of the same trace, or other traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgainstOption {
    /// A stretch.
    Span(TypedSpan),
    /// A stretch of a run that is named with it.
    OfRun(RunSpan),
    /// A folder or a file.
    Traces(PathBuf),
}

impl OptionValue for AgainstOption {
    fn text(&self) -> String {
        match self {
            AgainstOption::Span(span) => span.text(),
            AgainstOption::OfRun(span) => span.text(),
            AgainstOption::Traces(path) => path.to_string_lossy().into_owned(),
        }
    }

    fn read(text: &str) -> Result<AgainstOption, String> {
        match TypedSpan::read(text) {
            Ok(span) => Ok(AgainstOption::Span(span)),
            Err(_) if RunSpan::read(text).is_ok() && !PathBuf::from(text).exists() => {
                RunSpan::read(text).map(AgainstOption::OfRun)
            }
            // Neither a stretch nor rows have a slash, and `..` alone is the folder above.
            Err(_) if !text.contains("..") || text.contains('/') || text.trim() == ".." => {
                Ok(AgainstOption::Traces(PathBuf::from(text)))
            }
            Err(message) => Err(format!("{message}; or name the traces of a second group of runs")),
        }
    }
}

fn rows(start: &str, end: &str) -> Result<TypedSpan, String> {
    let row = |text: &str| match text {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| FORM.to_string()),
    };
    let (first, last): (Option<usize>, Option<usize>) = (row(start)?, row(end)?);
    if first.zip(last).is_some_and(|(first, last)| last < first) {
        return Err(format!("it ends before it begins; write {end}..{start}"));
    }
    Ok(TypedSpan::Rows { first, last })
}

fn times(start: &str, end: &str) -> Result<TypedSpan, String> {
    let moment = |text: &str| match text {
        "" => Ok(None),
        text => TypedMoment::read(text).map(Some),
    };
    let (mut start_at, end_at) = (moment(start)?, moment(end)?);
    // 12..14s: the unit is said once and means both.
    if let (Some(first), Some(TypedMoment { unit: Some(unit), .. })) = (&mut start_at, &end_at)
        && first.clock.is_none()
    {
        first.unit.get_or_insert(*unit);
    }
    if start_at.is_none() && end_at.is_none() {
        return Err(FORM.to_string());
    }
    let both = start_at.as_ref().zip(end_at.as_ref());
    let clocks = both.map(|(first, last)| (first.clock.is_some(), last.clock.is_some()));
    match clocks {
        Some((true, true)) => return Ok(TypedSpan::Time { start: start_at, end: end_at }),
        Some((false, false)) | None => {}
        Some(_) => return Err("both ends are times of day, or none is".to_string()),
    }
    let same_unit = both.filter(|(first, last)| first.unit.is_some() == last.unit.is_some());
    if same_unit.is_some_and(|(first, last)| {
        last.timestamp(TimeUnit::Seconds) < first.timestamp(TimeUnit::Seconds)
    }) {
        return Err(format!("it ends before it begins; write {end}..{start}"));
    }
    Ok(TypedSpan::Time { start: start_at, end: end_at })
}

/// A knot of a pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TypedKnot {
    /// When.
    pub at: TypedMoment,
    /// How high, in the target's unit; finite.
    pub height: f64,
}

/// The knots of a drawn pattern, two or more: `t0:v0,t1:v1,...`.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedPattern(pub Vec<TypedKnot>);

impl OptionValue for TypedPattern {
    fn text(&self) -> String {
        let knot = |knot: &TypedKnot| format!("{}:{}", knot.at.text(), shortest(knot.height));
        self.0.iter().map(knot).collect::<Vec<_>>().join(",")
    }

    fn read(text: &str) -> Result<TypedPattern, String> {
        const FORM: &str = "write knots as time:height, two or more: 12.4:1.0,12.9:0.4,14.1:1.0";
        let knot = |text: &str| -> Result<TypedKnot, String> {
            let (at, height) = text.split_once(':').ok_or(FORM)?;
            let height: f64 = height.trim().parse().map_err(|_| FORM)?;
            if !height.is_finite() {
                return Err("a height is a finite number".to_string());
            }
            Ok(TypedKnot { at: TypedMoment::read(at.trim()).map_err(|_| FORM)?, height })
        };
        let knots: Vec<TypedKnot> = text.split(',').map(knot).collect::<Result<_, _>>()?;
        if knots.len() < 2 {
            return Err(FORM.to_string());
        }
        // Whether their times increase is seen once the trace's unit is known.
        Ok(TypedPattern(knots))
    }
}

/// The shortest text that reads back as the same double.
pub(crate) fn shortest(value: f64) -> String {
    let size = value.abs();
    let is_plain = size == 0.0 || (1e-5..1e15).contains(&size);
    if is_plain { format!("{value}") } else { format!("{value:e}") }
}

/// They are stored as they are typed.
macro_rules! stored_as_text {
    ($($value:ty),+) => { $(
        impl Serialize for $value {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&self.text())
            }
        }

        impl<'de> Deserialize<'de> for $value {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$value, D::Error> {
                let text = String::deserialize(from)?;
                <$value>::read(&text).map_err(serde::de::Error::custom)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $value {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($value).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(texts: &mut schemars::SchemaGenerator) -> schemars::Schema {
                texts.subschema_for::<String>()
            }
        }
    )+ };
}

stored_as_text!(TypedSpan, TypedPattern, RunSpan);

#[cfg(test)]
mod tests {
    use super::*;

    fn times(text: &str, unit: TimeUnit) -> (Option<i64>, Option<i64>) {
        match TypedSpan::read(text).unwrap() {
            TypedSpan::Time { start, end } => {
                let ns = |at: TypedMoment| at.timestamp(unit).nanoseconds();
                (start.map(ns), end.map(ns))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn knots_may_be_since_1970() {
        let TypedPattern(knots) = TypedPattern::read("1794816720000:1,1794816721000:0.5").unwrap();
        let ns = |knot: &TypedKnot| knot.at.timestamp(TimeUnit::Milliseconds).nanoseconds();
        let times: Vec<i64> = knots.iter().map(ns).collect();
        assert_eq!(times, [1_794_816_720_000_000_000, 1_794_816_721_000_000_000]);
    }

    #[test]
    fn stretches_are_times_or_rows() {
        let s = TimeUnit::Seconds;
        assert_eq!(times("12.4s..14.1s", s), (Some(12_400_000_000), Some(14_100_000_000)));
        assert_eq!(times("12..14ms", s), (Some(12_000_000), Some(14_000_000)));
        assert_eq!(times("0.5..1", TimeUnit::Milliseconds), (Some(500_000), Some(1_000_000)));
        assert_eq!(times("2min..", s), (Some(120_000_000_000), None));
        assert_eq!(times("..5", s), (None, Some(5_000_000_000)));
        // Exact, also since 1970.
        let since = (Some(1_681_855_803_123_456_789), Some(1_681_855_804_000_000_000));
        assert_eq!(times("1681855803.123456789..1681855804", s), since);
        assert_eq!(
            TypedSpan::read("rows:3..7"),
            Ok(TypedSpan::Rows { first: Some(3), last: Some(7) })
        );
        assert_eq!(TypedSpan::read(" all "), Ok(TypedSpan::Whole));
        for bad in
            ["", "5", "..", "a..b", "1..2 parsecs", "rows:a..3", "1...2", "1e3..2e3", "--1..2"]
        {
            assert!(TypedSpan::read(bad).is_err(), "{bad}");
        }
        assert!(TypedSpan::read("14..12").unwrap_err().contains("write 12..14"));
        assert!(TypedSpan::read("rows:9..3").unwrap_err().contains("before"));
    }

    #[test]
    fn patterns_are_knots() {
        let TypedPattern(knots) = TypedPattern::read("0:1, 500ms:2.5,1s:-1e3").unwrap();
        assert_eq!(knots.len(), 3);
        assert_eq!(knots[1].at.timestamp(TimeUnit::Seconds).nanoseconds(), 500_000_000);
        assert_eq!(knots[2].height, -1000.0);
        for bad in ["", "1:2", "1:x,2:3", "1,2", "1:inf,2:3"] {
            assert!(TypedPattern::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["all", "12.40..14.1", "12ms..", "..-3.5h", "rows:3..7", "rows:..", "rows:5.."]
        {
            let span = TypedSpan::read(text).unwrap();
            assert_eq!(span.text(), text);
            assert_eq!(TypedSpan::read(&span.text()), Ok(span));
        }
        for text in ["0:1,500ms:2.5,1s:-1e300", "-1:1e-20,2min:0"] {
            let pattern = TypedPattern::read(text).unwrap();
            assert_eq!(pattern.text(), text);
        }
    }

    #[test]
    fn moments_are_exact_in_every_unit() {
        for unit in
            [TimeUnit::Nanoseconds, TimeUnit::Milliseconds, TimeUnit::Seconds, TimeUnit::Hours]
        {
            for moment in [0, 1, -7, 12_400_000_001, i64::MAX].map(Timestamp::from_nanoseconds) {
                let typed = TypedMoment::exactly(moment, unit);
                assert_eq!(typed.timestamp(unit), moment);
                assert_eq!(typed.with_unit(unit).timestamp(TimeUnit::Minutes), moment);
            }
        }
        let text = |ns, unit| TypedMoment::exactly(Timestamp::from_nanoseconds(ns), unit).text();
        assert_eq!(text(90_000_000_000, TimeUnit::Minutes), "90s");
        assert_eq!(text(1_500_000, TimeUnit::Milliseconds), "1.5");
    }
}
