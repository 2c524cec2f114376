//! Suggestions in words.

use super::{Suggestion, SuggestionKind};

/// The sentence on a suggestion whose other fields are known.
pub(super) fn about(suggestion: &Suggestion) -> String {
    let Suggestion { kind, level, reached, times, seconds, every_seconds, .. } = suggestion;
    let duration = duration(*seconds);
    let to = change(*level, *reached);
    match kind {
        SuggestionKind::StepUp | SuggestionKind::StepDown => {
            let verb = if *kind == SuggestionKind::StepUp { "rises" } else { "falls" };
            format!("{verb} suddenly {to} and stays there for {duration}")
        }
        SuggestionKind::Rise | SuggestionKind::Fall => {
            let verb = if *kind == SuggestionKind::Rise { "rises" } else { "falls" };
            format!("{verb} gradually {to} over {duration}")
        }
        SuggestionKind::Dips | SuggestionKind::Spikes => {
            let verb = if *kind == SuggestionKind::Dips { "dips" } else { "rises briefly" };
            let often = match (times, every_seconds) {
                (1, _) => String::new(),
                (_, None) => format!(", {times} times"),
                (_, Some(every)) => {
                    format!(", {times} times, about every {}", self::duration(*every))
                }
            };
            format!("{verb} {to} for {duration}{often}")
        }
        SuggestionKind::Period => {
            let [low, high] = without_residue([*level, *reached]).map(figure);
            format!("repeats every {duration}, {times} times, between {low} and {high}")
        }
    }
}

/// "to 0.4 times its previous level", or from where to where if there is no such share.
fn change(level: f64, reached: f64) -> String {
    let [level, reached] = without_residue([level, reached]);
    let share = reached / level;
    if level.abs() > 0.0 && (0.01..100.0).contains(&share) && (share - 1.0).abs() >= 0.05 {
        return format!("to {} times its previous level", figure(share));
    }
    format!("from {} to {}", figure(level), figure(reached))
}

/// A value that is tiny next to the other is a rounding error of 0: sums of doubles rarely are 0.
fn without_residue(numbers: [f64; 2]) -> [f64; 2] {
    const NOTHING: f64 = 1e-9;
    let largest = numbers.iter().fold(0.0_f64, |largest, number| largest.max(number.abs()));
    numbers.map(|number| if number.abs() < NOTHING * largest { 0.0 } else { number })
}

/// A number in a few digits.
fn figure(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        "0".to_string()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{number:.2e}")
    } else {
        let digits = (1 - size.log10().floor() as i32).max(0) as usize;
        format!("{number:.digits$}")
    }
}

/// A time in a unit that fits.
fn duration(seconds: f64) -> String {
    let (value, unit) = if seconds < 1e-6 {
        (seconds * 1e9, "ns")
    } else if seconds < 1e-3 {
        (seconds * 1e6, "µs")
    } else if seconds < 1.0 {
        (seconds * 1e3, "ms")
    } else if seconds < 120.0 {
        (seconds, "s")
    } else if seconds < 7200.0 {
        (seconds / 60.0, "min")
    } else {
        (seconds / 3600.0, "h")
    };
    format!("{} {unit}", figure(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounding_leaves_is_0() {
        assert_eq!(change(101.0, 1.41e-13), "from 101 to 0");
        assert_eq!(change(-2e-14, 5.0), "from 0 to 5.0");
        assert_eq!(change(2e-14, 1e-14), "to 0.50 times its previous level");
        assert_eq!(change(1e6, 2.0), "from 1.00e6 to 2.0");
    }
}
