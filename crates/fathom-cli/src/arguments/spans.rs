//! Parts of a trace as they are typed: `12.4s..14.1s`, `rows:120..180`, `all`.

use fathom_record::{Decimal, TimeUnit};

/// A moment, in the unit typed with it or in the trace's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypedMoment {
    number: Decimal,
    unit: Option<TimeUnit>,
}

/// A part of a trace, both ends included; a missing end is the end of the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TypedSpan {
    Whole,
    Time { start: Option<TypedMoment>, end: Option<TypedMoment> },
    Rows { first: Option<usize>, last: Option<usize> },
}

const FORM: &str = "use A..B in the trace's time unit (12.4..14.1), with a unit (300ms..1.2s), as rows of the target (rows:120..180), or all";

pub(super) fn span(text: &str) -> Result<TypedSpan, String> {
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
    if is_rows {
        let row = |text: &str| match text {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| FORM.to_string()),
        };
        let (first, last): (Option<usize>, Option<usize>) = (row(start)?, row(end)?);
        if first.zip(last).is_some_and(|(first, last)| last < first) {
            return Err(format!("it ends before it starts; use {end}..{start}"));
        }
        return Ok(TypedSpan::Rows { first, last });
    }
    let moment = |text: &str| match text {
        "" => Ok(None),
        text => moment(text).map(Some),
    };
    let (mut start_at, end_at) = (moment(start)?, moment(end)?);
    // 12..14s: one unit applies to both ends.
    if let (Some(first), Some(TypedMoment { unit: Some(unit), .. })) = (&mut start_at, &end_at) {
        first.unit.get_or_insert(*unit);
    }
    if start_at.is_none() && end_at.is_none() {
        return Err(FORM.to_string());
    }
    let both = start_at.as_ref().zip(end_at.as_ref());
    let same_unit = both.filter(|(first, last)| first.unit.is_some() == last.unit.is_some());
    if same_unit
        .is_some_and(|(first, last)| last.ns(TimeUnit::Seconds) < first.ns(TimeUnit::Seconds))
    {
        return Err(format!("it ends before it starts; use {end}..{start}"));
    }
    Ok(TypedSpan::Time { start: start_at, end: end_at })
}

fn moment(text: &str) -> Result<TypedMoment, String> {
    let past =
        text.find(|c: char| !(c.is_ascii_digit() || ".-+".contains(c))).unwrap_or(text.len());
    let (number, unit) = text.split_at(past);
    let number = Decimal::parse(number).ok_or(FORM)?;
    let unit = match unit.trim() {
        "" => None,
        "m" => Some(TimeUnit::Minutes),
        unit => Some(TimeUnit::parse(unit).ok_or_else(|| {
            format!("there is no time unit \"{unit}\"; use ns, us, ms, s, min or h")
        })?),
    };
    Ok(TypedMoment { number, unit })
}

impl TypedMoment {
    /// In nanoseconds; a bare number is in `unit`.
    pub(crate) fn ns(&self, unit: TimeUnit) -> i64 {
        let beyond = if self.number.is_negative() { i64::MIN } else { i64::MAX };
        self.number.nanoseconds(self.unit.unwrap_or(unit)).unwrap_or(beyond)
    }
}

/// A knot of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TypedKnot {
    pub(crate) at: TypedMoment,
    pub(crate) height: f64,
}

/// The knots of a drawn pattern: `t0:v0,t1:v1,...`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TypedPattern(pub(crate) Vec<TypedKnot>);

pub(super) fn pattern(text: &str) -> Result<TypedPattern, String> {
    const FORM: &str = "use two or more points time:height, such as 12.4:1.0,12.9:0.4,14.1:1.0";
    let knot = |text: &str| -> Result<TypedKnot, String> {
        let (at, height) = text.split_once(':').ok_or(FORM)?;
        let height: f64 = height.trim().parse().map_err(|_| FORM)?;
        if !height.is_finite() {
            return Err("use a finite number as height".to_string());
        }
        Ok(TypedKnot { at: moment(at.trim()).map_err(|_| FORM)?, height })
    };
    let knots: Vec<TypedKnot> = text.split(',').map(knot).collect::<Result<_, _>>()?;
    if knots.len() < 2 {
        return Err(FORM.to_string());
    }
    // Whether the times increase is checked once the trace's unit is known.
    Ok(TypedPattern(knots))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(text: &str, unit: TimeUnit) -> (Option<i64>, Option<i64>) {
        match span(text).unwrap() {
            TypedSpan::Time { start, end } => {
                (start.map(|at| at.ns(unit)), end.map(|at| at.ns(unit)))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn knots_may_be_since_1970() {
        let TypedPattern(knots) = pattern("1794816720000:1,1794816721000:0.5").unwrap();
        let times: Vec<i64> = knots.iter().map(|knot| knot.at.ns(TimeUnit::Milliseconds)).collect();
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
        assert_eq!(span("rows:3..7"), Ok(TypedSpan::Rows { first: Some(3), last: Some(7) }));
        assert_eq!(span(" all "), Ok(TypedSpan::Whole));
        for bad in
            ["", "5", "..", "a..b", "1..2 parsecs", "rows:a..3", "1...2", "1e3..2e3", "--1..2"]
        {
            assert!(span(bad).is_err(), "{bad}");
        }
        assert!(span("14..12").unwrap_err().contains("use 12..14"));
        assert!(span("rows:9..3").unwrap_err().contains("before"));
    }

    #[test]
    fn patterns_are_knots() {
        let TypedPattern(knots) = pattern("0:1, 500ms:2.5,1s:-1e3").unwrap();
        assert_eq!(knots.len(), 3);
        assert_eq!(knots[1].at.ns(TimeUnit::Seconds), 500_000_000);
        assert_eq!(knots[2].height, -1000.0);
        for bad in ["", "1:2", "1:x,2:3", "1,2", "1:inf,2:3"] {
            assert!(pattern(bad).is_err(), "{bad}");
        }
    }
}
