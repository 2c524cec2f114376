//! What a number measures and in what: dimensions, and the factors between units of one.

use super::factor::Factor;
use super::suffix::{SUFFIXES, Suffix};
use fathom_record::Unit;
use std::collections::BTreeMap;

/// What units are made of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Base {
    Seconds,
    Cycles,
    Ticks,
    Bytes,
    Joules,
    Volts,
    Celsius,
    /// A number of things. It is pure, but per thing is not the same as nothing.
    Count,
    /// A word of the data's own.
    Word(String),
}

/// A unit: what it measures, and how large it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measure {
    bases: BTreeMap<Base, i32>,
    factor: Factor,
    /// How it is written after a number; empty for pure numbers.
    symbol: String,
}

/// Why one unit cannot be made another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// They measure different things.
    Kinds,
    /// One counts cycles, the other seconds.
    NeedsClock,
}

impl Measure {
    /// Numbers without a unit.
    pub(crate) fn pure() -> Measure {
        Measure { bases: BTreeMap::new(), factor: Factor::ONE, symbol: String::new() }
    }

    pub(crate) fn of_suffix(suffix: &Suffix) -> Measure {
        // "x" says that a number is a ratio; it is not printed.
        let is_pure = suffix.bases.is_empty() && suffix.factor.is_one();
        Measure {
            bases: suffix.bases.iter().cloned().collect(),
            factor: suffix.factor,
            symbol: if is_pure { String::new() } else { suffix.symbol.to_string() },
        }
    }

    /// A unit of the data; `None` if they do not say.
    pub(crate) fn of_unit(unit: &Unit) -> Option<Measure> {
        match unit {
            Unit::Unknown => None,
            Unit::Other(text) => Measure::of_text(text),
            known => Measure::of_text(known.symbol()),
        }
    }

    fn of_text(text: &str) -> Option<Measure> {
        let text = text.trim();
        // gem5 puts units into parentheses.
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
        let mut parts = inner.split('/').map(str::trim);
        let mut measure = Measure::of_word(parts.next().unwrap_or(""))?;
        let mut is_quotient = false;
        for part in parts {
            is_quotient = true;
            measure = measure.over(&Measure::of_word(part)?);
        }
        if is_quotient && measure.suffix().is_none_or(|suffix| suffix.factor != measure.factor) {
            measure.symbol = inner.to_string();
        }
        Some(measure)
    }

    fn of_word(word: &str) -> Option<Measure> {
        if let Some(suffix) = Suffix::parse(word) {
            return Some(Measure::of_suffix(suffix));
        }
        if let Unit::Time(time) = Unit::parse(word) {
            return Suffix::parse(time.symbol()).map(Measure::of_suffix);
        }
        let symbol = match word.to_lowercase().as_str() {
            "" | "unspecified" => return None,
            "1" | "ratio" => return Some(Measure::pure()),
            "count" | "counts" => {
                return Some(Measure { bases: [(Base::Count, 1)].into(), ..Measure::pure() });
            }
            "psec" | "picosecond" | "picoseconds" => "ps",
            "cycle" | "cycles" => "cycles",
            "tick" | "ticks" => "ticks",
            "hz" | "hertz" => "Hz",
            "khz" => "kHz",
            "mhz" => "MHz",
            "ghz" => "GHz",
            "byte" | "bytes" => "B",
            "watt" | "watts" => "W",
            "joule" | "joules" => "J",
            "volt" | "volts" => "V",
            "celsius" | "degreecelsius" | "degc" | "\u{b0}c" => "degC",
            "percent" => "%",
            _ => {
                return Some(Measure {
                    bases: [(Base::Word(word.to_string()), 1)].into(),
                    factor: Factor::ONE,
                    symbol: word.to_string(),
                });
            }
        };
        Suffix::parse(symbol).map(Measure::of_suffix)
    }

    pub(crate) fn symbol(&self) -> &str {
        &self.symbol
    }

    pub(crate) fn times(&self, other: &Measure) -> Measure {
        let symbol = match (self.symbol.as_str(), other.symbol.as_str()) {
            ("", symbol) | (symbol, "") => symbol.to_string(),
            (left, right) => format!("{left}*{right}"),
        };
        self.combined(other, 1, symbol)
    }

    pub(crate) fn over(&self, other: &Measure) -> Measure {
        let symbol = match (self.symbol.as_str(), other.symbol.as_str()) {
            (symbol, "") => symbol.to_string(),
            ("", right) => format!("1/{right}"),
            (left, right) if right.contains(['/', '*']) => format!("{left}/({right})"),
            (left, right) => format!("{left}/{right}"),
        };
        self.combined(other, -1, symbol)
    }

    /// The plainest unit of the same kind: seconds, bytes, watts.
    pub(crate) fn base(&self) -> Measure {
        self.of_bases(self.bases.clone())
    }

    /// The unit of what [base](Measure::base) units become when raised to a power; `None` where an
    /// exponent would not be whole.
    pub(crate) fn raised(&self, exponent: f64) -> Option<Measure> {
        let mut bases = BTreeMap::new();
        for (base, &old) in &self.bases {
            let new = f64::from(old) * exponent;
            if new.fract() != 0.0 || new.abs() > f64::from(i32::MAX) {
                return None;
            }
            bases.insert(base.clone(), new as i32);
        }
        bases.retain(|_, exponent| *exponent != 0);
        Some(self.of_bases(bases))
    }

    fn of_bases(&self, bases: BTreeMap<Base, i32>) -> Measure {
        let mut made = Measure { bases, factor: Factor::ONE, symbol: String::new() };
        let suffix = made.suffix().filter(|suffix| suffix.factor == made.factor);
        match suffix {
            Some(suffix) => made.symbol = Measure::of_suffix(suffix).symbol,
            None if made.is_pure() => {}
            None => made.symbol = made.spelled(),
        }
        made
    }

    /// The same with a shorter symbol, if there is one: `ns/(faults/s)/s` is `ns/faults`.
    pub(crate) fn tidied(self) -> Measure {
        if !self.symbol.contains('(') {
            return self;
        }
        let all = SUFFIXES.iter().filter(|suffix| suffix.bases.len() == 1);
        for suffix in all.filter(|suffix| !suffix.factor.is_one()) {
            let rest = self.over(&Measure::of_suffix(suffix));
            let has_it = suffix.bases.iter().any(|(base, _)| rest.exponent(base) != 0);
            if rest.factor.is_one() && !has_it && rest.bases.values().all(|&one| one < 0) {
                let power = |(base, exponent): (&Base, &i32)| match exponent {
                    -1 => format!("/{}", Measure::name_of(base)),
                    exponent => format!("/{}^{}", Measure::name_of(base), -exponent),
                };
                let under: String = rest.bases.iter().map(power).collect();
                return Measure { symbol: format!("{}{under}", suffix.symbol), ..self };
            }
        }
        self
    }

    /// Its bases and their exponents, as in `s*s`.
    fn spelled(&self) -> String {
        let power = |(base, exponent): (&Base, &i32)| match exponent {
            1 => Measure::name_of(base).to_string(),
            exponent => format!("{}^{exponent}", Measure::name_of(base)),
        };
        self.bases.iter().map(power).collect::<Vec<_>>().join("*")
    }

    fn name_of(base: &Base) -> &str {
        match base {
            Base::Seconds => "s",
            Base::Cycles => "cycles",
            Base::Ticks => "ticks",
            Base::Bytes => "B",
            Base::Joules => "J",
            Base::Volts => "V",
            Base::Celsius => "degC",
            Base::Count => "1",
            Base::Word(word) => word,
        }
    }

    fn combined(&self, other: &Measure, sign: i32, symbol: String) -> Measure {
        let mut bases = self.bases.clone();
        for (base, exponent) in &other.bases {
            let sum = bases.entry(base.clone()).or_insert(0);
            *sum = sum.saturating_add(sign * exponent);
        }
        bases.retain(|_, exponent| *exponent != 0);
        let factor = if sign > 0 { other.factor } else { other.factor.inverse() };
        let mut made = Measure { bases, factor: self.factor.times(factor), symbol };
        let suffix = made.suffix().filter(|suffix| suffix.factor == made.factor);
        if let Some(suffix) = suffix {
            made.symbol = Measure::of_suffix(suffix).symbol;
        } else if made.is_pure() {
            made.symbol.clear();
        }
        made
    }

    /// The unit to write after numbers that measure the same: the same unit if it can be written,
    /// else the plainest of its kind.
    pub(crate) fn suffix(&self) -> Option<&'static Suffix> {
        let mut same = SUFFIXES.iter().filter(|suffix| {
            suffix.bases.len() == self.bases.len()
                && suffix.bases.iter().all(|(base, exponent)| self.exponent(base) == *exponent)
        });
        let first = same.clone().next();
        same.find(|suffix| suffix.factor == self.factor).or(first)
    }

    fn exponent(&self, base: &Base) -> i32 {
        self.bases.get(base).copied().unwrap_or(0)
    }

    /// Whether it is a number without a unit, or a number of things.
    pub(crate) fn is_pure(&self) -> bool {
        self.bases.keys().all(|base| *base == Base::Count)
    }

    /// Whether it is a plain number: pure and not a percentage.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_pure() && self.factor.is_one()
    }

    /// Whether it is a share of things the data have their own words for, as in misses/accesses.
    pub(crate) fn is_share_of_words(&self) -> bool {
        let is_word = |base: &Base| matches!(base, Base::Word(_) | Base::Count);
        self.factor.is_one()
            && self.bases.keys().all(is_word)
            && self.bases.values().map(|&exponent| i64::from(exponent)).sum::<i64>() == 0
    }

    /// Whether it is so many counted things for each of others, as in misses/accesses: that is a plain
    /// number to readers. If the data do not name all that is counted, what is named may be either side.
    pub(crate) fn is_ratio_of_counts(&self, are_some_unnamed: bool) -> bool {
        let is_counted =
            |base: &Base| matches!(base, Base::Word(_) | Base::Count | Base::Cycles | Base::Ticks);
        let sum: i64 = self.bases.values().map(|&exponent| i64::from(exponent)).sum();
        let is_ratio = sum == 0 || are_some_unnamed;
        self.factor.is_one() && self.bases.keys().all(is_counted) && is_ratio
    }

    /// How many of `to` one of this is.
    pub(crate) fn conversion(&self, to: &Measure, clock: Option<f64>) -> Result<Factor, Mismatch> {
        let kinds = |measure: &Measure| {
            let is_tied = |base: &Base| matches!(base, Base::Seconds | Base::Cycles | Base::Count);
            let mut bases = measure.bases.clone();
            bases.retain(|base, _| !is_tied(base));
            let of_time =
                measure.exponent(&Base::Seconds).saturating_add(measure.exponent(&Base::Cycles));
            (bases, of_time)
        };
        if kinds(self) != kinds(to) {
            return Err(Mismatch::Kinds);
        }
        let factor = self.factor.times(to.factor.inverse());
        let cycles = self.exponent(&Base::Cycles).saturating_sub(to.exponent(&Base::Cycles));
        if cycles == 0 {
            return Ok(factor);
        }
        let clock = Factor::of(clock.ok_or(Mismatch::NeedsClock)?);
        let step = if cycles > 0 { clock.inverse() } else { clock };
        // As many steps as exponents; a property has no more of them than factors.
        Ok((0..cycles.unsigned_abs()).fold(factor, |factor, _| factor.times(step)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(text: &str) -> Measure {
        Measure::of_text(text).unwrap()
    }

    fn convert(digits: &str, from: &str, to: &str, clock: Option<f64>) -> f64 {
        measure(from).conversion(&measure(to), clock).unwrap().apply(digits).unwrap()
    }

    #[test]
    fn numbers_are_converted_to_the_nearest_double() {
        for (digits, from, to, expected) in [
            ("0.25", "s", "ms", 250.0),
            ("250", "ms", "s", 0.25),
            ("1.1", "s", "ns", 1.1e9),
            ("99.9", "%", "Ratio", 0.999),
            ("20", "%", "x", 0.2),
            ("0.3", "Ratio", "%", 30.0),
            ("1.5", "KiB", "Byte", 1536.0),
            ("30", "min", "h", 0.5),
            ("1.5", "h", "ms", 5.4e6),
            ("3e-3", "kB", "B", 3.0),
            ("7", "J/s", "mW", 7000.0),
            ("7", "GHz", "1/ns", 7.0),
            ("5", "ps", "ns", 0.005),
            ("12", "Cycle/Count", "cycles", 12.0),
            ("1e-99999999999999999999", "s", "ns", 0.0),
        ] {
            assert_eq!(convert(digits, from, to, None), expected, "{digits} {from} {to}");
        }
        assert_eq!(convert("10", "ns", "cycles", Some(2e9)), 20.0);
        assert_eq!(convert("0.3", "us", "Cycle", Some(1e9)), 300.0);
        assert_eq!(convert("20", "cycles", "ns", Some(2e9)), 10.0);
        assert_eq!(convert("6", "B/cycles", "B/s", Some(2e9)), 12e9);
        let overflow = measure("GB").conversion(&measure("B"), None).unwrap().apply("1e308");
        assert_eq!(overflow, None);
    }

    #[test]
    fn scales_are_exact_integers() {
        let scale = |from, to| measure(from).conversion(&measure(to), None).unwrap().scale();
        assert_eq!(scale("s", "ms"), (1000.0, 1.0));
        assert_eq!(scale("ms", "s"), (1.0, 1000.0));
        assert_eq!(scale("min", "h"), (1.0, 60.0));
        assert_eq!(scale("KiB", "kB"), (128.0, 125.0));
        assert_eq!(scale("ps", "h"), (1.0, 36e14));
    }

    #[test]
    fn what_measures_different_things_is_not_converted() {
        let conversion = |from, to| measure(from).conversion(&measure(to), None);
        for (from, to) in
            [("W", "s"), ("ticks", "s"), ("misses", "hits"), ("misses", "Count"), ("J", "W")]
        {
            assert_eq!(conversion(from, to), Err(Mismatch::Kinds), "{from} {to}");
        }
        assert_eq!(conversion("cycles", "ns"), Err(Mismatch::NeedsClock));
        assert!(conversion("Count", "Ratio").is_ok());
    }

    #[test]
    fn units_of_the_data_are_known_by_word_and_symbol() {
        for (text, symbol) in [
            ("Second", "s"),
            ("Tick", "ticks"),
            ("Cycle", "cycles"),
            ("Count", ""),
            ("Byte", "B"),
            ("Joule", "J"),
            ("Watt", "W"),
            ("Volt", "V"),
            ("Celsius", "degC"),
            ("Ratio", ""),
            ("(Cycle/Count)", "Cycle/Count"),
            ("Count/Cycle", "Count/Cycle"),
            ("Byte/Second", "Byte/Second"),
            ("Joule/Second", "W"),
            ("requests/s", "requests/s"),
            ("µs", "us"),
            ("%", "%"),
            ("misses", "misses"),
        ] {
            assert_eq!(measure(text).symbol(), symbol, "{text}");
        }
        assert_eq!(Measure::of_text("Unspecified"), None);
        assert_eq!(Measure::of_text("/s"), None);
        assert!(measure("misses/accesses").is_share_of_words());
        assert!(!measure("Count/Cycle").is_share_of_words());
        assert_eq!(measure("Cycle/Count").suffix(), None);
    }

    #[test]
    fn products_have_the_unit_they_amount_to() {
        assert_eq!(measure("W").times(&measure("s")).symbol(), "J");
        assert_eq!(measure("mJ").over(&measure("ms")).symbol(), "W");
        assert_eq!(measure("s").over(&measure("s")).symbol(), "");
        assert_eq!(measure("B").over(&measure("ms")).symbol(), "B/ms");
        assert_eq!(Measure::pure().over(&measure("s")).symbol(), "Hz");
        assert_eq!(measure("s").times(&measure("s")).symbol(), "s*s");
    }
}
