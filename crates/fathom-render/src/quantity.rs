//! Numbers as people read them: a unit that fits, and no more digits than the interval supports.
//!
//! ```
//! use fathom_record::Unit;
//! use fathom_render::quantity::{Rounding, Scale, quick};
//! use fathom_stats::Interval;
//!
//! assert_eq!(quick(0.012_345_6, &Unit::SECONDS), "12.35 ms");
//!
//! // With an interval, which decides how many digits mean something.
//! let interval = Interval { lower: 0.0121, upper: 0.0126 };
//! let scale = Scale::new(&Unit::SECONDS, 0.0123, None).for_interval(0.0123, Some(interval));
//! assert_eq!(scale.with_unit(0.0123, Rounding::Nearest), "12.30 ms");
//! assert_eq!(scale.ends(Some(interval), true), "12.10 to 12.60 ms");
//!
//! // A column in one unit, which its head can name.
//! let column = [0.000_82, 0.0123];
//! let scale = Scale::for_column(&Unit::SECONDS, &column, None);
//! let shown = column.map(|value| scale.number(value, Rounding::Nearest));
//! assert_eq!((shown, scale.symbol()), (["0.820", "12.300"].map(String::from), "ms"));
//! ```

use fathom_record::{TimeUnit, Unit};
use fathom_stats::Interval;

/// However wide its interval is, an estimate shows at least this many digits.
const FEWEST_DIGITS: i32 = 3;

/// How the numbers of one subject or column are written.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    factor: Factor,
    symbol: String,
    /// Decimals behind the point; negative rounds to tens, hundreds, ...
    decimals: i32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Factor {
    Time { from: TimeUnit, to: TimeUnit },
    Divide(f64),
}

/// Which way to round: an interval's ends go outwards, so that what is printed still covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest.
    Nearest,
    /// Towards minus infinity: lower ends.
    Down,
    /// Towards infinity: upper ends.
    Up,
}

impl Scale {
    /// A scale for numbers about as large as `typical`, in the unit the user chose or one that
    /// fits.
    #[must_use]
    pub fn new(unit: &Unit, typical: f64, chosen: Option<TimeUnit>) -> Scale {
        let (factor, symbol) = match unit {
            Unit::Time(from) => {
                let to = chosen
                    .unwrap_or_else(|| fitting_time(from.convert(typical, TimeUnit::Seconds)));
                (Factor::Time { from: *from, to }, time_symbol(to).to_string())
            }
            Unit::Bytes => {
                let (divisor, symbol) = fitting_bytes(typical);
                (Factor::Divide(divisor), symbol.to_string())
            }
            Unit::Other(name) => match rate_of(unit) {
                // 5e6 ns/s are 5 ms/s.
                Some(of) => {
                    let scale = Scale::new(&of, typical, chosen);
                    (scale.factor, format!("{}/s", scale.symbol))
                }
                None => (Factor::Divide(1.0), crate::layout::visible(name)),
            },
            Unit::Unknown => (Factor::Divide(1.0), String::new()),
        };
        let mut scale = Scale { factor, symbol, decimals: 0 };
        scale.decimals = decimals_of_value(scale.apply(typical));
        scale
    }

    /// The unit of times that numbers are written in, if they are times.
    #[must_use]
    pub fn time_unit(&self) -> Option<TimeUnit> {
        match self.factor {
            Factor::Time { to, .. } => Some(to),
            Factor::Divide(_) => None,
        }
    }

    /// As [`Scale::new`], but large counts of things that have no larger unit are in thousands,
    /// millions or billions.
    ///
    /// ```
    /// use fathom_record::Unit;
    /// use fathom_render::quantity::{Rounding, Scale};
    /// let scale = Scale::prefixed(&Unit::parse("faults"), 1_234_567.0, None);
    /// assert_eq!(scale.with_unit(1_234_567.0, Rounding::Nearest), "1.235 M faults");
    /// ```
    #[must_use]
    pub fn prefixed(unit: &Unit, typical: f64, chosen: Option<TimeUnit>) -> Scale {
        let mut scale = Scale::new(unit, typical, chosen);
        if matches!(unit, Unit::Other(_) | Unit::Unknown) && rate_of(unit).is_none() {
            let (divisor, prefix) = fitting_count(typical);
            scale.factor = Factor::Divide(divisor);
            scale.symbol = format!("{prefix} {}", scale.symbol).trim().to_string();
            scale.decimals = decimals_of_value(scale.apply(typical));
        }
        scale
    }

    /// A scale for a column of numbers in one unit: the one the user chose, or one that fits the
    /// middle between the smallest and the largest. The smallest shows two digits at least.
    /// [`for_interval`](Scale::for_interval) keeps the unit and gives a row digits of its own.
    #[must_use]
    pub fn for_column(unit: &Unit, values: &[f64], chosen: Option<TimeUnit>) -> Scale {
        let sizes = || values.iter().map(|v| v.abs()).filter(|v| v.is_finite() && *v > 0.0);
        let smallest = sizes().fold(f64::INFINITY, f64::min);
        let largest = sizes().fold(0.0, f64::max);
        if !smallest.is_finite() {
            return Scale::new(unit, 0.0, chosen);
        }
        // Roots first: the product of large values would overflow.
        let mut scale = Scale::new(unit, smallest.sqrt() * largest.sqrt(), chosen);
        scale.decimals = scale.decimals.max(1 - exponent(scale.apply(smallest)));
        scale
    }

    /// A number in this unit with the digits that suit it alone, without its unit.
    ///
    /// ```
    /// use fathom_record::Unit;
    /// use fathom_render::quantity::Scale;
    /// let scale = Scale::new(&Unit::SECONDS, 0.001, None);
    /// assert_eq!([0.0, 0.000_012_34, 0.1234].map(|value| scale.own_digits(value)), ["0", "0.01234", "123.4"]);
    /// ```
    #[must_use]
    pub fn own_digits(&self, value: f64) -> String {
        let mut own = self.clone();
        own.decimals = decimals_of_value(self.apply(value));
        let text = own.number(value, Rounding::Nearest);
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        }
    }

    /// The unit as it is written behind a number; empty if there is none.
    #[must_use]
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// The value in this unit, not rounded: a place on an axis.
    ///
    /// ```
    /// use fathom_record::Unit;
    /// use fathom_render::quantity::Scale;
    /// let scale = Scale::new(&Unit::SECONDS, 0.0123, None);
    /// assert!((scale.converted(0.012_345_6) - 12.345_6).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn converted(&self, value: f64) -> f64 {
        self.apply(value)
    }

    /// The same scale with the digits that an interval supports: two of its half width, and at
    /// least three of the value. However wide the interval is, the estimate can still be read.
    ///
    /// ```
    /// use fathom_record::{TimeUnit, Unit};
    /// use fathom_render::quantity::{Rounding, Scale};
    /// use fathom_stats::Interval;
    /// let wide = Interval { lower: 0.0, upper: 7100.0 };
    /// let scale = Scale::new(&Unit::Time(TimeUnit::Nanoseconds), 22.8, None).for_interval(22.8, Some(wide));
    /// assert_eq!(scale.with_unit(22.8, Rounding::Nearest), "22.8 ns");
    /// assert_eq!(scale.ends(Some(wide), true), "0.0 to 7100.0 ns");
    /// ```
    #[must_use]
    pub fn for_interval(mut self, value: f64, interval: Option<Interval>) -> Scale {
        let value = self.apply(value);
        let half = interval
            .map(|Interval { lower, upper }| (self.apply(lower), self.apply(upper)))
            .map(|(lower, upper)| match (lower.is_finite(), upper.is_finite()) {
                (true, true) => 0.5 * upper - 0.5 * lower,
                // A single end says how far the truth may at least be.
                (true, false) => value - lower,
                (false, true) => upper - value,
                (false, false) => 0.0,
            });
        self.decimals = match half {
            Some(half) if half > 0.0 && half.is_finite() => {
                let supported = (1 - exponent(half)).min(decimals_of_value(value) + 6);
                if value == 0.0 || !value.is_finite() {
                    supported
                } else {
                    supported.max(FEWEST_DIGITS - 1 - exponent(value))
                }
            }
            _ => decimals_of_value(value),
        };
        self
    }

    /// The same scale with no more than this many digits of a value. What is rounded outwards stays
    /// true with fewer.
    #[must_use]
    pub fn with_at_most(mut self, digits: i32, value: f64) -> Scale {
        let most = (digits - 1).saturating_sub(exponent(self.apply(value)));
        self.decimals = self.decimals.min(most.max(0));
        self
    }

    fn apply(&self, value: f64) -> f64 {
        match self.factor {
            Factor::Time { from, to } => from.convert(value, to),
            Factor::Divide(divisor) => value / divisor,
        }
    }

    /// The number without its unit. What is not 0 never reads as 0.
    #[must_use]
    pub fn number(&self, value: f64, rounding: Rounding) -> String {
        let value = self.apply(value);
        if value.abs() >= 1e15 || (value != 0.0 && value.abs() < 1e-6) {
            return scientific(value, rounding);
        }
        let text = fixed(value, self.decimals, rounding);
        let is_lost = value != 0.0 && value.is_finite() && text.parse() == Ok(0.0);
        if is_lost { fixed(value, 1 - exponent(value), rounding) } else { text }
    }

    /// The value that a reader of [`number`](Scale::number) takes it for.
    ///
    /// ```
    /// use fathom_record::Unit;
    /// use fathom_render::quantity::Scale;
    /// let scale = Scale::new(&Unit::SECONDS, 0.0123, None);
    /// assert!((scale.as_shown(0.012_345_6) - 0.012_35).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn as_shown(&self, value: f64) -> f64 {
        let Ok(shown) = self.number(value, Rounding::Nearest).parse::<f64>() else { return value };
        match self.factor {
            Factor::Time { from, to } => to.convert(shown, from),
            Factor::Divide(divisor) => shown * divisor,
        }
    }

    /// The number with its unit.
    #[must_use]
    pub fn with_unit(&self, value: f64, rounding: Rounding) -> String {
        let number = self.number(value, rounding);
        if self.symbol.is_empty() { number } else { format!("{number} {}", self.symbol) }
    }

    /// "12.38 to 12.47", rounded outwards, with the unit if asked.
    #[must_use]
    pub fn ends(&self, interval: Option<Interval>, with_unit: bool) -> String {
        let number = |value: f64, rounding: Rounding| {
            if with_unit { self.with_unit(value, rounding) } else { self.number(value, rounding) }
        };
        let Some(Interval { lower, upper }) = interval else { return "no interval".to_string() };
        match (lower.is_finite(), upper.is_finite()) {
            (true, true) => {
                format!("{} to {}", self.number(lower, Rounding::Down), number(upper, Rounding::Up))
            }
            (true, false) => format!("at least {}", number(lower, Rounding::Down)),
            (false, true) => format!("at most {}", number(upper, Rounding::Up)),
            (false, false) => "no interval".to_string(),
        }
    }
}

/// One number in a unit that fits, with four digits.
#[must_use]
pub fn quick(value: f64, unit: &Unit) -> String {
    Scale::new(unit, value, None).with_unit(value, Rounding::Nearest)
}

/// A number with this many decimals; negative ones round to tens, hundreds, ...
fn fixed(value: f64, decimals: i32, rounding: Rounding) -> String {
    if decimals >= 0 {
        return round_text(value, decimals.min(17) as usize, rounding);
    }
    let step = 10_f64.powi(-decimals);
    let steps = match rounding {
        Rounding::Nearest => (value / step).round(),
        Rounding::Down => (value / step).floor(),
        Rounding::Up => (value / step).ceil(),
    };
    // Adding zero turns -0 into 0.
    format!("{:.0}", steps * step + 0.0)
}

/// A number with four digits in powers of ten.
fn scientific(value: f64, rounding: Rounding) -> String {
    let nearest = format!("{value:.3e}");
    let (Ok(back), Some((digits, power))) = (nearest.parse::<f64>(), nearest.split_once('e'))
    else {
        return nearest;
    };
    let (Ok(digits), step) = (digits.parse::<f64>(), 1e-3) else { return nearest };
    match rounding {
        Rounding::Down if back > value => format!("{:.3}e{power}", digits - step),
        Rounding::Up if back < value => format!("{:.3}e{power}", digits + step),
        _ => nearest,
    }
}

/// Rounds in decimal, starting from the nearest text: 0.3 must not go down to 0.2 because its
/// double lies a hair below.
fn round_text(value: f64, decimals: usize, rounding: Rounding) -> String {
    let nearest = format!("{value:.decimals$}");
    let Ok(back) = nearest.parse::<f64>() else { return nearest };
    let tolerance = 1e-9 * 10_f64.powi(-(decimals as i32));
    let step = 10_f64.powi(-(decimals as i32));
    match rounding {
        Rounding::Down if back > value + tolerance => format!("{:.decimals$}", back - step),
        Rounding::Up if back < value - tolerance => format!("{:.decimals$}", back + step),
        _ => nearest,
    }
}

/// The power of ten of a number's first digit.
fn exponent(value: f64) -> i32 {
    value.abs().log10().floor() as i32
}

/// Decimals that show four significant digits.
fn decimals_of_value(value: f64) -> i32 {
    if value == 0.0 || !value.is_finite() { 0 } else { (3 - exponent(value)).max(0) }
}

/// What a rate is of, if that has units of several sizes.
fn rate_of(unit: &Unit) -> Option<Unit> {
    let Unit::Other(name) = unit else { return None };
    let of = Unit::parse(name.strip_suffix("/s")?);
    matches!(of, Unit::Time(_) | Unit::Bytes).then_some(of)
}

fn fitting_time(seconds: f64) -> TimeUnit {
    match seconds.abs() {
        s if s < 1e-6 => TimeUnit::Nanoseconds,
        s if s < 1e-3 => TimeUnit::Microseconds,
        s if s < 1.0 => TimeUnit::Milliseconds,
        _ => TimeUnit::Seconds,
    }
}

fn time_symbol(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Microseconds => "µs",
        other => other.symbol(),
    }
}

/// Five digits are still read at a glance.
fn fitting_count(count: f64) -> (f64, &'static str) {
    match count.abs() {
        c if c < 1e5 => (1.0, ""),
        c if c < 1e6 => (1e3, "k"),
        c if c < 1e9 => (1e6, "M"),
        _ => (1e9, "G"),
    }
}

fn fitting_bytes(bytes: f64) -> (f64, &'static str) {
    const KIB: f64 = 1024.0;
    match bytes.abs() {
        b if b < KIB => (1.0, "B"),
        b if b < KIB * KIB => (KIB, "KiB"),
        b if b < KIB * KIB * KIB => (KIB * KIB, "MiB"),
        _ => (KIB * KIB * KIB, "GiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(unit: &Unit, value: f64, lower: f64, upper: f64) -> String {
        let scale =
            Scale::new(unit, value, None).for_interval(value, Some(Interval { lower, upper }));
        format!(
            "{} ({} to {})",
            scale.with_unit(value, Rounding::Nearest),
            scale.number(lower, Rounding::Down),
            scale.number(upper, Rounding::Up)
        )
    }

    #[test]
    fn rates_of_times_and_bytes_have_the_unit_that_fits() {
        let shown = |value: f64, unit: &str| quick(value, &Unit::parse(unit));
        assert_eq!(shown(5e6, "ns/s"), "5.000 ms/s");
        assert_eq!(shown(2.5e8, "ns/s"), "250.0 ms/s");
        assert_eq!(shown(12.0, "faults/s"), "12.00 faults/s");
        let prefixed = |value: f64, unit: &str| {
            Scale::prefixed(&Unit::parse(unit), value, None).with_unit(value, Rounding::Nearest)
        };
        assert_eq!(prefixed(5e6, "ns/s"), "5.000 ms/s");
        assert_eq!(prefixed(5e6, "faults/s"), "5.000 M faults/s");
    }

    #[test]
    fn digits_follow_the_interval_and_ends_round_outwards() {
        assert_eq!(
            shown(&Unit::SECONDS, 0.011_623_4, 0.011_601, 0.011_649_9),
            "11.623 ms (11.601 to 11.650)"
        );
        assert_eq!(shown(&Unit::SECONDS, 12.4123, 12.38, 12.4707), "12.412 s (12.380 to 12.471)");
        assert_eq!(
            shown(&Unit::Unknown, 1_234_567.0, 1_232_000.0, 1_237_111.0),
            "1234600 (1232000 to 1237200)"
        );
        assert_eq!(
            shown(&Unit::Bytes, 5.0 * 1024.0, 4.0 * 1024.0, 6.0 * 1024.0),
            "5.00 KiB (4.00 to 6.00)"
        );
    }

    #[test]
    fn an_estimate_is_not_rounded_to_the_width_of_its_interval() {
        let nanoseconds = Unit::Time(TimeUnit::Nanoseconds);
        assert_eq!(shown(&nanoseconds, 22.8, 0.0, 7100.0), "22.8 ns (0.0 to 7100.0)");
        assert_eq!(shown(&nanoseconds, 22.84, 0.04, 7100.0), "22.8 ns (0.040 to 7100.0)");
        assert_eq!(shown(&Unit::Unknown, 109.73, -41_000.0, 52_345.6), "110 (-41000 to 52346)");
        assert_eq!(shown(&Unit::Unknown, 0.0, -7100.0, 7100.0), "0 (-7100 to 7100)");
        let open = Interval { lower: f64::NEG_INFINITY, upper: 98_000.0 };
        let scale = Scale::new(&Unit::Unknown, 109.73, None).for_interval(109.73, Some(open));
        assert_eq!(scale.number(109.73, Rounding::Nearest), "110");
        assert_eq!(scale.ends(Some(open), true), "at most 98000");
    }

    #[test]
    fn what_is_not_zero_never_reads_as_zero() {
        let scale = Scale::new(&Unit::SECONDS, 12.0, None);
        assert_eq!(scale.number(0.0, Rounding::Nearest), "0.00");
        assert_eq!(scale.number(0.0012, Rounding::Nearest), "0.0012");
        assert_eq!(scale.number(-0.0012, Rounding::Up), "-0.0012");
        assert_eq!(scale.number(1e-9, Rounding::Nearest), "1.000e-9");
    }

    #[test]
    fn exact_decimals_stay_when_rounded_outwards() {
        assert_eq!(shown(&Unit::Unknown, 0.3, 0.1, 0.7), "0.300 (0.100 to 0.700)");
    }

    #[test]
    fn constant_values_keep_four_digits() {
        assert_eq!(
            shown(&Unit::Time(TimeUnit::Nanoseconds), 12.0, 12.0, 12.0),
            "12.00 ns (12.00 to 12.00)"
        );
    }

    #[test]
    fn the_user_chooses_the_unit() {
        let scale = Scale::new(&Unit::SECONDS, 0.5, Some(TimeUnit::Microseconds));
        assert_eq!(scale.with_unit(0.5, Rounding::Nearest), "500000 µs");
    }

    #[test]
    fn a_column_has_one_unit_that_suits_its_ends() {
        let column = |values: &[f64]| {
            let scale = Scale::for_column(&Unit::SECONDS, values, None);
            let shown = values.iter().map(|&value| scale.number(value, Rounding::Nearest));
            (shown.collect::<Vec<_>>(), scale.symbol().to_string())
        };
        let (shown, symbol) = column(&[12e-9, 3.4e-3]);
        assert_eq!((shown.join(" "), symbol.as_str()), ("0.012 3400.000".into(), "µs"));
        let (shown, symbol) = column(&[1.5, 0.0, f64::INFINITY]);
        assert_eq!((shown.join(" "), symbol.as_str()), ("1.500 0.000 inf".into(), "s"));
        let (shown, _) = column(&[f64::MAX, f64::MAX]);
        assert_eq!(shown.join(" "), "1.798e308 1.798e308");
        let (shown, symbol) = column(&[0.0]);
        assert_eq!((shown.join(" "), symbol.as_str()), ("0".into(), "ns"));
        let chosen = Scale::for_column(&Unit::SECONDS, &[0.5, 2.0], Some(TimeUnit::Milliseconds));
        assert_eq!(chosen.with_unit(0.5, Rounding::Nearest), "500 ms");
    }

    #[test]
    fn tiny_and_huge_numbers_are_written_in_powers_of_ten() {
        let scale = Scale::new(&Unit::Unknown, 1e300, None);
        assert_eq!(scale.number(1e300, Rounding::Nearest), "1.000e300");
        let scale = Scale::new(&Unit::Unknown, 1e-12, None);
        assert_eq!(scale.number(1e-12, Rounding::Nearest), "1.000e-12");
        assert_eq!(scale.number(1.2346e-12, Rounding::Down), "1.234e-12");
        assert_eq!(scale.number(1.2344e-12, Rounding::Up), "1.235e-12");
        assert_eq!(scale.number(9.9999e-12, Rounding::Up), "1.000e-11");
        assert_eq!(scale.number(-9.9999e17, Rounding::Down), "-1.000e18");
    }

    /// How many digits a number shows from the first that is not 0 on.
    fn significant(text: &str) -> usize {
        let mantissa = text.split('e').next().unwrap_or_default();
        let digits = mantissa.chars().filter(char::is_ascii_digit);
        digits.skip_while(|digit| *digit == '0').count()
    }

    /// Half a unit of the last digit that is shown; of zeros before the point, of the last that counts.
    fn half_a_unit(text: &str) -> f64 {
        let (mantissa, power) = text.split_once('e').unwrap_or((text, "0"));
        let decimals = match mantissa.split_once('.') {
            Some((_, decimals)) => decimals.len() as i32,
            None => -((mantissa.len() - mantissa.trim_end_matches('0').len()) as i32),
        };
        0.5 * 10_f64.powi(power.parse::<i32>().unwrap() - decimals)
    }

    proptest! {
        #[test]
        fn the_estimate_is_read_back_and_lies_in_its_interval(
            size in -9_i32..16,
            digits in -9.999_f64..9.999,
            below in 1e-12_f64..1e6,
            above in 1e-12_f64..1e6,
            unit in 0_usize..3,
        ) {
            let value = digits * 10_f64.powi(size);
            let interval =
                Interval { lower: value - below * value.abs(), upper: value + above * value.abs() };
            let unit = [Unit::Unknown, Unit::Time(TimeUnit::Seconds), Unit::Bytes][unit].clone();
            let scale = Scale::new(&unit, value, None).for_interval(value, Some(interval));
            let in_unit = scale.apply(value);
            let [estimate, lower, upper] = [
                scale.number(value, Rounding::Nearest),
                scale.number(interval.lower, Rounding::Down),
                scale.number(interval.upper, Rounding::Up),
            ];
            let number = |text: &str| text.parse::<f64>().unwrap();
            let error = (number(&estimate) - in_unit).abs();
            let allowed = half_a_unit(&estimate) * (1.0 + 1e-9) + 1e-15 * in_unit.abs();
            prop_assert!(error <= allowed, "{estimate} for {in_unit}");
            prop_assert!(value == 0.0 || significant(&estimate) >= 3, "{estimate} for {in_unit}");
            prop_assert!(number(&lower) <= number(&estimate), "{lower} {estimate}");
            prop_assert!(number(&estimate) <= number(&upper), "{estimate} {upper}");
            let slack = |end: f64| 1e-9 * half_a_unit(&estimate) + 1e-12 * end.abs();
            let [low, high] = [interval.lower, interval.upper].map(|end| scale.apply(end));
            prop_assert!(number(&lower) <= low + slack(low), "{lower} for {low}");
            prop_assert!(number(&upper) >= high - slack(high), "{upper} for {high}");
            prop_assert!(low == 0.0 || number(&lower) != 0.0, "{lower} for {low}");
            prop_assert!(high == 0.0 || number(&upper) != 0.0, "{upper} for {high}");
        }
    }
}
