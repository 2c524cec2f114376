//! The units that may follow a number.

use super::factor::Factor;
use super::measure::Base;
use fathom_record::{TimeUnit, Unit, nearest};

/// A unit that may follow a number.
#[derive(Debug)]
pub(crate) struct Suffix {
    pub(crate) symbol: &'static str,
    /// Other ways to write it.
    also: &'static [&'static str],
    /// What it is made of, with exponents.
    pub(crate) bases: &'static [(Base, i32)],
    pub(crate) factor: Factor,
}

impl PartialEq for Suffix {
    fn eq(&self, other: &Suffix) -> bool {
        self.symbol == other.symbol
    }
}

const TIME: &[(Base, i32)] = &[(Base::Seconds, 1)];
const FREQUENCY: &[(Base, i32)] = &[(Base::Seconds, -1)];
const DATA: &[(Base, i32)] = &[(Base::Bytes, 1)];
const POWER: &[(Base, i32)] = &[(Base::Joules, 1), (Base::Seconds, -1)];
const ENERGY: &[(Base, i32)] = &[(Base::Joules, 1)];
const VOLTAGE: &[(Base, i32)] = &[(Base::Volts, 1)];
const TEMPERATURE: &[(Base, i32)] = &[(Base::Celsius, 1)];
const CYCLES: &[(Base, i32)] = &[(Base::Cycles, 1)];
const TICKS: &[(Base, i32)] = &[(Base::Ticks, 1)];

const fn suffix(
    symbol: &'static str,
    also: &'static [&'static str],
    bases: &'static [(Base, i32)],
    up: f64,
    tens: i32,
) -> Suffix {
    Suffix { symbol, also, bases, factor: Factor { up, down: 1.0, tens } }
}

/// All of them. Among those that measure the same, the plainest comes first.
pub(crate) static SUFFIXES: [Suffix; 40] = [
    suffix("s", &["sec"], TIME, 1.0, 0),
    suffix("ps", &[], TIME, 1.0, -12),
    suffix("ns", &[], TIME, 1.0, -9),
    // Both Unicode characters for micro: the sign U+00B5 and the Greek letter U+03BC.
    suffix("us", &["\u{b5}s", "\u{3bc}s"], TIME, 1.0, -6),
    suffix("ms", &[], TIME, 1.0, -3),
    suffix("min", &[], TIME, 6.0, 1),
    suffix("h", &[], TIME, 36.0, 2),
    suffix("cycles", &["cycle"], CYCLES, 1.0, 0),
    suffix("ticks", &["tick"], TICKS, 1.0, 0),
    suffix("Hz", &[], FREQUENCY, 1.0, 0),
    suffix("kHz", &["KHz"], FREQUENCY, 1.0, 3),
    suffix("MHz", &[], FREQUENCY, 1.0, 6),
    suffix("GHz", &[], FREQUENCY, 1.0, 9),
    suffix("B", &["bytes", "byte"], DATA, 1.0, 0),
    suffix("kB", &[], DATA, 1.0, 3),
    suffix("MB", &[], DATA, 1.0, 6),
    suffix("GB", &[], DATA, 1.0, 9),
    suffix("TB", &[], DATA, 1.0, 12),
    suffix("KiB", &[], DATA, 1024.0, 0),
    suffix("MiB", &[], DATA, 1_048_576.0, 0),
    suffix("GiB", &[], DATA, 1_073_741_824.0, 0),
    suffix("TiB", &[], DATA, 1_099_511_627_776.0, 0),
    suffix("W", &[], POWER, 1.0, 0),
    suffix("uW", &["\u{b5}W", "\u{3bc}W"], POWER, 1.0, -6),
    suffix("mW", &[], POWER, 1.0, -3),
    suffix("kW", &[], POWER, 1.0, 3),
    suffix("J", &[], ENERGY, 1.0, 0),
    suffix("pJ", &[], ENERGY, 1.0, -12),
    suffix("nJ", &[], ENERGY, 1.0, -9),
    suffix("uJ", &["\u{b5}J", "\u{3bc}J"], ENERGY, 1.0, -6),
    suffix("mJ", &[], ENERGY, 1.0, -3),
    suffix("kJ", &[], ENERGY, 1.0, 3),
    suffix("V", &[], VOLTAGE, 1.0, 0),
    suffix("uV", &["\u{b5}V", "\u{3bc}V"], VOLTAGE, 1.0, -6),
    suffix("mV", &[], VOLTAGE, 1.0, -3),
    suffix("kV", &[], VOLTAGE, 1.0, 3),
    suffix("degC", &["\u{b0}C"], TEMPERATURE, 1.0, 0),
    suffix("x", &[], &[], 1.0, 0),
    suffix("%", &[], &[], 1.0, -2),
    suffix("ppm", &[], &[], 1.0, -6),
];

impl Suffix {
    pub(crate) fn parse(text: &str) -> Option<&'static Suffix> {
        SUFFIXES.iter().find(|suffix| suffix.symbol == text || suffix.also.contains(&text))
    }

    /// The error for something that is not a unit.
    pub(crate) fn remedy(text: &str) -> String {
        if text.starts_with('K') && text.len() == 2 {
            return "write `kB` for 1000 bytes or `KiB` for 1024".to_string();
        }
        let known = Unit::parse(text).time().map(TimeUnit::symbol);
        let known = known.or(match text.to_lowercase().as_str() {
            "watt" | "watts" => Some("W"),
            "joule" | "joules" => Some("J"),
            "volt" | "volts" => Some("V"),
            "hz" | "hertz" => Some("Hz"),
            "mhz" => Some("MHz"),
            "ghz" => Some("GHz"),
            "percent" => Some("%"),
            "c" | "celsius" => Some("degC"),
            _ => None,
        });
        if let Some(symbol) = known {
            return format!("write `{symbol}`");
        }
        let symbols: Vec<&str> = SUFFIXES.iter().map(|suffix| suffix.symbol).collect();
        let all = "units are ps ns us ms s min h, cycles, ticks, Hz kHz MHz GHz, B kB MB GB TB \
                   KiB MiB GiB TiB, mW W, pJ nJ uJ mJ J, mV V, degC, %, x";
        match nearest(text, &symbols).first() {
            Some(near) => format!("did you mean `{near}`? The {all}"),
            None => format!("the {all}"),
        }
    }
}

/// Reads the frequency of a clock, such as 2GHz, in hertz.
///
/// # Errors
/// What to write instead.
pub fn parse_frequency(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let hint = || format!("\"{text}\" is not a frequency. Use a value such as 2GHz or 800MHz.");
    let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.').map_or(0, |at| at + 1);
    let (digits, unit) = text.split_at_checked(end).ok_or_else(hint)?;
    let unit =
        Suffix::parse(unit.trim()).filter(|unit| unit.bases == FREQUENCY).ok_or_else(hint)?;
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let hertz = unit.factor.apply(digits).filter(|&hertz| is_number && hertz > 0.0);
    hertz.ok_or_else(hint)
}
