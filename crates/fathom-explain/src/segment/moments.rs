//! What a stretch of points must be known by to fit a line to it.

/// Means, and sums of squares and products about them. Stretches are put together point by point
/// or one to another, which loses no digits, as differences of running sums would.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments {
    count: f64,
    time: f64,
    value: f64,
    times: f64,
    products: f64,
    values: f64,
}

impl Moments {
    /// Of a single point.
    pub(super) fn of(time: f64, value: f64) -> Moments {
        Moments { count: 1.0, time, value, ..Moments::default() }
    }

    /// Of two stretches, as one.
    #[inline]
    pub(super) fn and(self, other: Moments) -> Moments {
        let count = self.count + other.count;
        if count == 0.0 {
            return self;
        }
        let share = other.count / count;
        let weight = self.count * share;
        let (time, value) = (other.time - self.time, other.value - self.value);
        Moments {
            count,
            time: self.time + time * share,
            value: self.value + value * share,
            times: self.times + other.times + time * time * weight,
            products: self.products + other.products + time * value * weight,
            values: self.values + other.values + value * value * weight,
        }
    }

    /// The sum of squares about the line that fits best; 0 for two points or fewer.
    #[inline]
    pub(super) fn error(&self) -> f64 {
        if self.count <= 2.0 {
            return 0.0;
        }
        (self.values - self.products * self.slope()).max(0.0)
    }

    /// The sum of squares about the mean.
    pub(super) fn spread(&self) -> f64 {
        self.values
    }

    /// The height of the line at a time.
    pub(super) fn at(&self, time: f64) -> f64 {
        self.value + self.slope() * (time - self.time)
    }

    #[inline]
    fn slope(&self) -> f64 {
        if self.times > 0.0 { self.products / self.times } else { 0.0 }
    }
}
