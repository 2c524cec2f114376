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
        SuggestionKind::Still => {
            let often = if *times > 1 { format!(", {times} times") } else { String::new() };
            format!("stands still at {} for {duration}{often}", figure(*reached))
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
    // Of a negative level, "twice" would be lower.
    if level > 0.0 && (0.01..100.0).contains(&share) && (share - 1.0).abs() >= 0.05 {
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
pub(crate) fn duration(seconds: f64) -> String {
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

    #[test]
    fn shares_are_told_between_a_hundredth_and_a_hundred() {
        assert_eq!(change(2.0, 2.1), "to 1.1 times its previous level");
        assert_eq!(change(100.0, 104.0), "from 100 to 104");
        assert_eq!(change(100.0, 96.0), "from 100 to 96");
        assert_eq!(change(100.0, 94.0), "to 0.94 times its previous level");
        assert_eq!(change(100.0, 1.0), "to 0.010 times its previous level");
        assert_eq!(change(100.0, 0.9), "from 100 to 0.90");
        assert_eq!(change(1.0, 99.0), "to 99 times its previous level");
        assert_eq!(change(1.0, 100.0), "from 1.0 to 100");
        assert_eq!(change(0.0, 3.0), "from 0 to 3.0");
        assert_eq!(change(-4.0, -8.0), "from -4.0 to -8.0");
        assert_eq!(change(-4.0, 8.0), "from -4.0 to 8.0");
    }

    #[test]
    fn figures_have_two_digits_and_times_a_unit() {
        let figures = [0.0, 0.000_999, 0.001, 0.0123, 0.5, 9.96, 12.3, 999_999.0, 1e6, -2.5];
        let shown = figures.map(figure).join(" ");
        assert_eq!(shown, "0 9.99e-4 0.0010 0.012 0.50 10.0 12 999999 1.00e6 -2.5");
        let times = [0.0, 5e-9, 9.9e-7, 1e-6, 5e-4, 1e-3, 0.999, 1.0, 119.0, 120.0, 7199.0, 7200.0];
        let shown = times.map(duration).join(", ");
        let expected = "0 ns, 5.0 ns, 990 ns, 1.0 µs, 500 µs, 1.0 ms, 999 ms, 1.0 s, 119 s, 2.0 min, 120 min, 2.0 h";
        assert_eq!(shown, expected);
    }

    #[test]
    fn every_kind_has_its_sentence() {
        let of = |kind, times, every_seconds| {
            about(&Suggestion {
                kind,
                windows: Vec::new(),
                strength: 1.0,
                level: 10.0,
                reached: 5.0,
                times,
                seconds: 2.0,
                every_seconds,
                about: String::new(),
            })
        };
        let to = "to 0.50 times its previous level";
        assert_eq!(
            of(SuggestionKind::StepUp, 1, None),
            format!("rises suddenly {to} and stays there for 2.0 s")
        );
        assert_eq!(
            of(SuggestionKind::StepDown, 1, None),
            format!("falls suddenly {to} and stays there for 2.0 s")
        );
        assert_eq!(of(SuggestionKind::Rise, 1, None), format!("rises gradually {to} over 2.0 s"));
        assert_eq!(of(SuggestionKind::Fall, 1, None), format!("falls gradually {to} over 2.0 s"));
        assert_eq!(of(SuggestionKind::Dips, 1, Some(3.0)), format!("dips {to} for 2.0 s"));
        assert_eq!(of(SuggestionKind::Dips, 3, None), format!("dips {to} for 2.0 s, 3 times"));
        let regular = format!("rises briefly {to} for 2.0 s, 4 times, about every 30 s");
        assert_eq!(of(SuggestionKind::Spikes, 4, Some(30.0)), regular);
        assert_eq!(of(SuggestionKind::Still, 1, None), "stands still at 5.0 for 2.0 s");
        assert_eq!(
            of(SuggestionKind::Still, 2, Some(9.0)),
            "stands still at 5.0 for 2.0 s, 2 times"
        );
        let period = of(SuggestionKind::Period, 7, None);
        assert_eq!(period, "repeats every 2.0 s, 7 times, between 10 and 5.0");
    }
}
