//! Time in whole nanoseconds: a moment ([`Timestamp`]) and a length ([`Span`]).
//!
//! Both are a single integer, so arrays of them cost what arrays of integers cost. In JSON they are
//! that integer, so fields keep the names that say the unit: `start_ns`, `wall_ns`.
//!
//! No operation panics. What does not fit ends at the nearest value that does.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};
use std::time::Duration;

/// A moment, in whole nanoseconds after the zero of the clock that it was read from.
///
/// It is signed because moments may lie before that zero: a trace's rows before its origin, a wall
/// clock before 1970, or the start of a session that was resumed after a reboot.
///
/// There is one type for all clocks: the monotonic clock, the wall clock since 1970, the time after
/// the origin of a trace, and the time after the start of a session. Each structure holds moments of
/// one clock, and its documentation says which. The few places that change the clock call
/// [`relative_to`](Timestamp::relative_to) or [`absolute_from`](Timestamp::absolute_from). A type
/// parameter for the clock would be in every signature to guard those few.
///
/// ```
/// use fathom_record::{Span, Timestamp};
/// let start = Timestamp::from_nanoseconds(-500);
/// let end = start + Span::from_nanoseconds(2_000);
/// assert_eq!(end - start, Span::from_nanoseconds(2_000));
/// assert_eq!(start - end, Span::ZERO);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "commands", serde(transparent))]
#[repr(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The zero of its clock.
    pub const ZERO: Timestamp = Timestamp(0);
    /// Before everything: 292 years before the zero.
    pub const MIN: Timestamp = Timestamp(i64::MIN);
    /// After everything: 292 years after the zero.
    pub const MAX: Timestamp = Timestamp(i64::MAX);

    /// So many nanoseconds after the zero, or before it.
    #[must_use]
    #[inline]
    pub const fn from_nanoseconds(nanoseconds: i64) -> Timestamp {
        Timestamp(nanoseconds)
    }

    /// So many seconds after the zero, to the nearest nanosecond. Not a number is the zero.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "what does not fit ends at the ends")]
    #[inline]
    pub fn from_seconds(seconds: f64) -> Timestamp {
        Timestamp((seconds * 1e9).round() as i64)
    }

    /// Nanoseconds after the zero.
    #[must_use]
    #[inline]
    pub const fn nanoseconds(self) -> i64 {
        self.0
    }

    /// The same as a double, for what is computed with it: exact up to 104 days (2^53 ns).
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "its documentation says how exact it is")]
    #[inline]
    pub const fn nanoseconds_f64(self) -> f64 {
        self.0 as f64
    }

    /// Seconds after the zero.
    #[must_use]
    #[inline]
    pub const fn seconds(self) -> f64 {
        self.nanoseconds_f64() / 1e9
    }

    /// How far two moments are apart, whichever comes first.
    #[must_use]
    #[inline]
    pub const fn abs_diff(self, other: Timestamp) -> Span {
        Span(self.0.abs_diff(other.0))
    }

    /// This moment on a clock whose zero is at `origin`.
    ///
    /// ```
    /// use fathom_record::Timestamp;
    /// let [origin, moment] = [1_000, 1_250].map(Timestamp::from_nanoseconds);
    /// assert_eq!(moment.relative_to(origin).nanoseconds(), 250);
    /// assert_eq!(moment.relative_to(origin).absolute_from(origin), moment);
    /// ```
    #[must_use]
    #[inline]
    pub const fn relative_to(self, origin: Timestamp) -> Timestamp {
        Timestamp(self.0.saturating_sub(origin.0))
    }

    /// This moment of a clock whose zero is at `origin`, on the clock that `origin` was read from:
    /// the reverse of [`relative_to`](Timestamp::relative_to).
    #[must_use]
    #[inline]
    pub const fn absolute_from(self, origin: Timestamp) -> Timestamp {
        Timestamp(self.0.saturating_add(origin.0))
    }
}

/// How long it is from an earlier moment to this one. Zero if the other moment is later, as with
/// [`std::time::Instant`]. Exact for any two moments in order.
impl Sub for Timestamp {
    type Output = Span;

    #[inline]
    fn sub(self, earlier: Timestamp) -> Span {
        if self.0 < earlier.0 { Span::ZERO } else { self.abs_diff(earlier) }
    }
}

impl Add<Span> for Timestamp {
    type Output = Timestamp;

    #[inline]
    fn add(self, span: Span) -> Timestamp {
        Timestamp(self.0.saturating_add_unsigned(span.0))
    }
}

impl AddAssign<Span> for Timestamp {
    #[inline]
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Timestamp {
    type Output = Timestamp;

    #[inline]
    fn sub(self, span: Span) -> Timestamp {
        Timestamp(self.0.saturating_sub_unsigned(span.0))
    }
}

/// A length of time that was measured or recorded, in whole nanoseconds; never negative.
///
/// [`Duration`] is for what is asked of the operating system and what users ask for: sleeps,
/// timeouts, time budgets. A `Span` is for what comes back: the time between two moments, processor
/// time, the interval and lateness of samples. It is a type of its own because files and the
/// protocols between processes hold one integer, while a `Duration` is two. They are converted where
/// one meets the other.
///
/// ```
/// use fathom_record::Span;
/// use std::time::Duration;
/// let span = Span::from_milliseconds(1_500);
/// assert_eq!(span.seconds(), 1.5);
/// assert_eq!(Duration::from(span), Duration::from_millis(1_500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "commands", serde(transparent))]
#[repr(transparent)]
pub struct Span(u64);

impl Span {
    /// No time.
    pub const ZERO: Span = Span(0);
    /// The longest: 584 years.
    pub const MAX: Span = Span(u64::MAX);

    /// So many nanoseconds.
    #[must_use]
    #[inline]
    pub const fn from_nanoseconds(nanoseconds: u64) -> Span {
        Span(nanoseconds)
    }

    /// So many milliseconds.
    #[must_use]
    #[inline]
    pub const fn from_milliseconds(milliseconds: u64) -> Span {
        Span(milliseconds.saturating_mul(1_000_000))
    }

    /// In nanoseconds.
    #[must_use]
    #[inline]
    pub const fn nanoseconds(self) -> u64 {
        self.0
    }

    /// The same as a double, for what is computed with it: exact up to 104 days (2^53 ns).
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "its documentation says how exact it is")]
    #[inline]
    pub const fn nanoseconds_f64(self) -> f64 {
        self.0 as f64
    }

    /// In seconds.
    #[must_use]
    #[inline]
    pub const fn seconds(self) -> f64 {
        self.nanoseconds_f64() / 1e9
    }

    /// So many times as long.
    #[must_use]
    #[inline]
    pub const fn times(self, count: u64) -> Span {
        Span(self.0.saturating_mul(count))
    }

    /// One of so many equal parts, rounded down; all of it if there are none.
    #[must_use]
    #[inline]
    pub const fn divided_by(self, parts: u64) -> Span {
        match self.0.checked_div(parts) {
            Some(part) => Span(part),
            None => self,
        }
    }

    /// `n` of so many equal parts, rounded down, without overflow in between; all of it if there are
    /// none.
    ///
    /// ```
    /// use fathom_record::Span;
    /// let span = Span::from_nanoseconds(10);
    /// assert_eq!(span.part(2, 3), Span::from_nanoseconds(6));
    /// ```
    #[must_use]
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "what does not fit is caught before")]
    pub const fn part(self, n: u64, parts: u64) -> Span {
        let wide = self.0 as u128 * n as u128;
        match wide.checked_div(parts as u128) {
            Some(part) if part > u64::MAX as u128 => Span::MAX,
            Some(part) => Span(part as u64),
            None => self,
        }
    }

    /// How many times another span fits in whole; a span without length is counted as 1 ns.
    #[must_use]
    #[inline]
    pub const fn whole_times(self, other: Span) -> u64 {
        match self.0.checked_div(other.0) {
            Some(count) => count,
            None => self.0,
        }
    }

    /// Which share of another span it is: 0.5 of one twice as long. A span without length is counted
    /// as 1 ns.
    #[must_use]
    #[inline]
    pub fn share_of(self, whole: Span) -> f64 {
        self.nanoseconds_f64() / whole.max(Span(1)).nanoseconds_f64()
    }
}

impl Add for Span {
    type Output = Span;

    #[inline]
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Span {
    #[inline]
    fn add_assign(&mut self, other: Span) {
        *self = *self + other;
    }
}

/// What is left; zero if the other is longer.
impl Sub for Span {
    type Output = Span;

    #[inline]
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Sum for Span {
    #[inline]
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::ZERO, Add::add)
    }
}

impl From<Duration> for Span {
    #[inline]
    fn from(duration: Duration) -> Span {
        Span(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl From<Span> for Duration {
    #[inline]
    fn from(span: Span) -> Duration {
        Duration::from_nanos(span.0)
    }
}

// As integers: documents do not tell the types of fields that hold one number.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        i64::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        i64::json_schema(generator)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Span {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        u64::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        u64::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    fn long(nanoseconds: u64) -> Span {
        Span::from_nanoseconds(nanoseconds)
    }

    #[test]
    fn what_does_not_fit_ends_at_the_nearest_that_does() {
        assert_eq!(Timestamp::MAX - Timestamp::MIN, Span::MAX);
        assert_eq!(Timestamp::MIN - Timestamp::MAX, Span::ZERO);
        assert_eq!(Timestamp::MAX + long(1), Timestamp::MAX);
        assert_eq!(Timestamp::MIN - long(1), Timestamp::MIN);
        assert_eq!(Timestamp::MIN + Span::MAX, Timestamp::MAX);
        assert_eq!(Timestamp::MAX - Span::MAX, Timestamp::MIN);
        assert_eq!(at(-2).relative_to(Timestamp::MAX), Timestamp::MIN);
        assert_eq!(at(1).absolute_from(Timestamp::MAX), Timestamp::MAX);
        assert_eq!(Span::MAX + long(1), Span::MAX);
        assert_eq!(long(1) - long(2), Span::ZERO);
        assert_eq!(Span::MAX.times(2), Span::MAX);
        assert_eq!(Span::from_milliseconds(u64::MAX), Span::MAX);
        assert_eq!([Span::MAX, long(1)].into_iter().sum::<Span>(), Span::MAX);
        assert_eq!(Span::from(Duration::MAX), Span::MAX);
        assert_eq!(Timestamp::from_seconds(1e300), Timestamp::MAX);
        assert_eq!(Timestamp::from_seconds(-1e300), Timestamp::MIN);
        assert_eq!(Timestamp::from_seconds(f64::NAN), Timestamp::ZERO);
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        assert_eq!(long(7).divided_by(0), long(7));
        assert_eq!(long(7).divided_by(2), long(3));
        assert_eq!(long(7).part(3, 0), long(7));
        assert_eq!(Span::MAX.part(2, 4), long(u64::MAX / 2));
        assert_eq!(Span::MAX.part(2, 1), Span::MAX);
        assert_eq!(long(7).whole_times(Span::ZERO), 7);
        assert_eq!(long(7).whole_times(long(2)), 3);
        assert_eq!(long(7).share_of(Span::ZERO), 7.0);
        assert_eq!(long(1).share_of(long(4)), 0.25);
    }

    #[test]
    fn seconds_are_nanoseconds_divided_once() {
        assert_eq!(at(-1_500_000_000).seconds(), -1.5);
        // A multiplication with 1e-9, which is not exact, would give 0.30000000000000004.
        assert_eq!(at(300_000_000).seconds(), 0.3);
        assert_eq!(Span::from_milliseconds(300).seconds(), 0.3);
        assert_eq!(Timestamp::from_seconds(0.3), at(300_000_000));
    }

    /// Pages count seconds, traces nanoseconds. Exact for runs of up to 25 days.
    #[test]
    fn nanoseconds_come_back_from_seconds() {
        for ns in [0, 1, -7, 12_400_000_001, 2_160_000_000_000_001, -123_456_789] {
            assert_eq!(Timestamp::from_seconds(at(ns).seconds()), at(ns));
        }
    }

    /// Files and protocols hold bare integers, and old ones must be read.
    #[test]
    fn json_is_the_bare_integer() {
        assert_eq!(serde_json::to_string(&at(-5)).unwrap(), "-5");
        assert_eq!(serde_json::to_string(&Span::MAX).unwrap(), "18446744073709551615");
        assert_eq!(serde_json::from_str::<Timestamp>("-5").unwrap(), at(-5));
        assert_eq!(serde_json::from_str::<[Span; 2]>("[1,2]").unwrap(), [long(1), long(2)]);
        assert!(serde_json::from_str::<Span>("-1").is_err());
        assert!(serde_json::from_str::<Timestamp>("1.5").is_err());
        assert!(serde_json::from_str::<Timestamp>("9223372036854775808").is_err());
    }

    /// All integers, and those at the ends more often.
    fn any_time() -> impl Strategy<Value = i64> {
        prop_oneof![any::<i64>(), -5..5_i64, Just(i64::MIN), Just(i64::MAX)]
    }

    fn any_length() -> impl Strategy<Value = u64> {
        prop_oneof![any::<u64>(), 0..5_u64, Just(u64::MAX)]
    }

    fn clamped_time(exact: i128) -> Timestamp {
        at(i64::try_from(exact.clamp(i64::MIN.into(), i64::MAX.into())).unwrap())
    }

    fn clamped_length(exact: i128) -> Span {
        long(u64::try_from(exact.clamp(0, u64::MAX.into())).unwrap())
    }

    proptest! {
        /// Against integers that cannot overflow.
        #[test]
        fn arithmetic_is_exact_or_ends_at_the_ends(
            a in any_time(), b in any_time(), s in any_length(), t in any_length(),
        ) {
            let (wide_a, wide_b) = (i128::from(a), i128::from(b));
            let (wide_s, wide_t) = (i128::from(s), i128::from(t));
            prop_assert_eq!(at(a) - at(b), clamped_length(wide_a - wide_b));
            prop_assert_eq!(at(a).abs_diff(at(b)), clamped_length((wide_a - wide_b).abs()));
            prop_assert_eq!(at(a) + long(s), clamped_time(wide_a + wide_s));
            prop_assert_eq!(at(a) - long(s), clamped_time(wide_a - wide_s));
            prop_assert_eq!(at(a).relative_to(at(b)), clamped_time(wide_a - wide_b));
            prop_assert_eq!(at(a).absolute_from(at(b)), clamped_time(wide_a + wide_b));
            prop_assert_eq!(long(s) + long(t), clamped_length(wide_s + wide_t));
            prop_assert_eq!(long(s) - long(t), clamped_length(wide_s - wide_t));
            prop_assert_eq!(long(s).times(t), long(s.saturating_mul(t)));
            prop_assert_eq!(long(s).divided_by(t.max(1)), long(s / t.max(1)));
            let part = wide_s * i128::from(a.unsigned_abs()) / wide_t.max(1);
            prop_assert_eq!(long(s).part(a.unsigned_abs(), t.max(1)), clamped_length(part));
            prop_assert_eq!(long(s).whole_times(long(t.max(1))), s / t.max(1));
            prop_assert_eq!(at(a).cmp(&at(b)), a.cmp(&b));
        }

        #[test]
        fn what_is_added_can_be_taken_away(a in any_time(), b in any_time()) {
            let (first, last) = (at(a.min(b)), at(a.max(b)));
            prop_assert_eq!(first + (last - first), last);
            prop_assert_eq!(last - (last - first), first);
        }

        #[test]
        fn durations_and_json_come_back(a in any_time(), s in any_length()) {
            prop_assert_eq!(Span::from(Duration::from(long(s))), long(s));
            let text = serde_json::to_string(&(at(a), long(s))).unwrap();
            prop_assert_eq!(&text, &format!("[{a},{s}]"));
            prop_assert_eq!(serde_json::from_str::<(Timestamp, Span)>(&text).unwrap(), (at(a), long(s)));
        }
    }
}
