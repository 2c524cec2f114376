//! A grade: robustness and truth in one number.

use std::fmt;

/// How well a formula holds at a time, as an integer in the order of robustness. Its sign is the
/// truth, so that at robustness 0, where robustness does not say, true is above false.
///
/// That one order serves both: the truth of a minimum is "and", of a maximum "or", because truth
/// follows robustness wherever it is not 0. One pass computes what would else take two. Inside,
/// it is a float's bits, the lower 63 flipped if it is negative: false at 0 is -0, true is +0.
///
/// Numbers that are compared later are kept in it as well; it never holds NaN.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Grade(i64);

impl Grade {
    /// True without any doubt.
    pub(super) const TRUE: Grade = Grade::of(f64::INFINITY);
    /// False without any doubt.
    pub(super) const FALSE: Grade = Grade::of(f64::NEG_INFINITY);
    /// True, but nothing to spare.
    pub(super) const JUST_TRUE: Grade = Grade(0);
    /// False, for want of almost nothing.
    pub(super) const JUST_FALSE: Grade = Grade(-1);

    /// The grade of a robustness; of zeros, the positive one is true.
    #[inline]
    pub(super) const fn of(robustness: f64) -> Grade {
        let bits = robustness.to_bits().cast_signed();
        Grade(bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed())
    }

    /// True or false without any doubt.
    #[inline]
    pub(super) const fn certain(is_true: bool) -> Grade {
        if is_true { Grade::TRUE } else { Grade::FALSE }
    }

    /// The robustness, or the number that is kept.
    #[inline]
    pub(super) const fn value(self) -> f64 {
        let bits = self.0 ^ ((self.0 >> 63).cast_unsigned() >> 1).cast_signed();
        f64::from_bits(bits.cast_unsigned())
    }

    /// The truth.
    #[inline]
    pub(super) const fn holds(self) -> bool {
        self.0 >= 0
    }

    /// The grade of the contrary.
    #[inline]
    pub(super) const fn negated(self) -> Grade {
        Grade(!self.0)
    }

    /// Whether a number is kept that is neither infinite nor none.
    #[inline]
    pub(super) fn is_finite(self) -> bool {
        self > Grade::FALSE && self < Grade::TRUE
    }

    /// The value on a straight line between two, at this fraction of the way. If that is 0, its
    /// sign is that of the line around it, on which zeros stand at ends only.
    pub(super) fn between(self, end: Grade, fraction: f64) -> Grade {
        if self == end {
            return self;
        }
        let (from, to) = (self.value(), end.value());
        // max and min, not clamp: a difference beyond the largest number must not become NaN.
        let value = (from + (to - from) * fraction).max(from.min(to)).min(from.max(to));
        if value == 0.0 {
            return if self.max(end).holds() { Grade::JUST_TRUE } else { Grade::JUST_FALSE };
        }
        Grade::of(value)
    }
}

impl fmt::Debug for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_ordered_and_their_sign_is_the_truth() {
        let rising = [f64::NEG_INFINITY, -2.5, -5e-324, -0.0, 0.0, 5e-324, 1.0, f64::INFINITY];
        for (i, &low) in rising.iter().enumerate() {
            let grade = Grade::of(low);
            assert_eq!(grade.value().to_bits(), low.to_bits());
            assert_eq!(grade.holds(), low.is_sign_positive());
            assert_eq!(grade.negated().value().to_bits(), (-low).to_bits());
            assert!(rising[i + 1..].iter().all(|&high| grade < Grade::of(high)));
        }
        assert_eq!(Grade::JUST_TRUE, Grade::of(0.0));
        assert_eq!(Grade::JUST_FALSE, Grade::of(-0.0));
    }

    #[test]
    fn a_line_keeps_its_sign_up_to_its_end() {
        let line = |from, to, fraction| Grade::of(from).between(Grade::of(to), fraction);
        assert_eq!(line(1.0, 3.0, 0.5), Grade::of(2.0));
        assert_eq!(line(5e-324, 0.0, 0.9), Grade::JUST_TRUE);
        assert_eq!(line(-5e-324, -0.0, 0.9), Grade::JUST_FALSE);
    }
}
