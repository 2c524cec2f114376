//! How many of one unit make another, without rounding twice.

/// How many of one unit make another: `up` times ten to the power of `tens`, over `down`. Kept
/// apart because both are exact integers and a power of ten only moves the decimal point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Factor {
    pub(crate) up: f64,
    pub(crate) down: f64,
    pub(crate) tens: i32,
}

impl Factor {
    pub(crate) const ONE: Factor = Factor { up: 1.0, down: 1.0, tens: 0 };

    /// A number as a factor.
    pub(crate) fn of(mut number: f64) -> Factor {
        let mut tens = 0;
        while number % 10.0 == 0.0 && number != 0.0 && tens < 300 {
            number /= 10.0;
            tens += 1;
        }
        Factor { up: number, down: 1.0, tens }
    }

    pub(crate) fn times(self, other: Factor) -> Factor {
        let (up, down) = reduced(self.up * other.up, self.down * other.down);
        Factor { up, down, tens: self.tens.saturating_add(other.tens) }
    }

    pub(crate) fn inverse(self) -> Factor {
        Factor { up: self.down, down: self.up, tens: self.tens.saturating_neg() }
    }

    pub(crate) fn is_one(self) -> bool {
        self == Factor::ONE
    }

    /// The number with these digits, converted: the nearest double of the exact product wherever
    /// the factor is a power of ten.
    pub(crate) fn apply(self, digits: &str) -> Option<f64> {
        let (digits, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
        // An exponent too long for a number is one that ends in 0 or infinity all the same.
        let exponent: i64 = match exponent.parse() {
            Ok(exponent) => exponent,
            Err(_) if exponent.starts_with('-') => i64::MIN,
            Err(_) => i64::MAX,
        };
        let exponent = exponent.saturating_add(i64::from(self.tens));
        let number: f64 = format!("{digits}e{exponent}").parse().ok()?;
        let number = number * self.up / self.down;
        number.is_finite().then_some(number)
    }

    /// Two numbers, to multiply by and to divide by.
    pub(crate) fn scale(self) -> (f64, f64) {
        // The text of a power of ten reads as the nearest double, exact up to 1e22.
        let ten = format!("1e{}", self.tens.unsigned_abs()).parse().unwrap_or(f64::INFINITY);
        if self.tens >= 0 {
            reduced(self.up * ten, self.down)
        } else {
            reduced(self.up, self.down * ten)
        }
    }
}

/// Both divided by what divides both, if they are integers.
fn reduced(up: f64, down: f64) -> (f64, f64) {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let is_exact = |x: f64| x.fract() == 0.0 && (1.0..=LARGEST).contains(&x);
    if !(is_exact(up) && is_exact(down)) {
        return (up, down);
    }
    let (mut a, mut b) = (up, down);
    while b > 0.0 {
        (a, b) = (b, a % b);
    }
    (up / a, down / a)
}
