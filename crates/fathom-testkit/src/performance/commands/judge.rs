//! What a reader takes from the output of each tool.

use super::super::reading::{document, number, numbers};
use super::super::said::Said;
use super::tools::Tool;
use super::welch;
use fathom_stats::Confidence;

/// A way to read a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judge {
    /// The verdict of Fathom.
    Fathom,
    /// hyperfine's "x ± y", as printed, if it excludes 1.00.
    Range,
    /// hyperfine's x, as printed, if it is at least 1.01.
    Headline,
    /// Welch's t test on hyperfine's times, at 95%.
    Welch,
    /// cbdr's interval, at the confidence it has by default.
    Cbdr,
}

impl Judge {
    /// The ways to read a tool.
    pub(super) fn of(tool: Tool) -> &'static [Judge] {
        match tool {
            Tool::Fathom => &[Judge::Fathom],
            Tool::Hyperfine => &[Judge::Range, Judge::Headline, Judge::Welch],
            Tool::Cbdr => &[Judge::Cbdr],
        }
    }

    /// Its name in tables and in what is kept of the trials.
    pub(super) fn name(self) -> &'static str {
        match self {
            Judge::Fathom => "Fathom",
            Judge::Range => "hyperfine, \"x ± y\" excludes 1.00",
            Judge::Headline => "hyperfine, x is at least 1.01",
            Judge::Welch => "Welch's t test on hyperfine's times",
            Judge::Cbdr => "cbdr, interleaved, at 99.9%",
        }
    }
}

/// hyperfine's JSON, read in each of its ways.
pub(super) fn hyperfine(printed: &str) -> Result<Vec<(Judge, Said)>, String> {
    let found = document(printed)?;
    let mut sides = Vec::new();
    for index in 0..2 {
        let of = |name: &str| format!("/results/{index}/{name}");
        let (mean, sd) = (number(&found, &of("mean"))?, number(&found, &of("stddev"))?);
        sides.push((mean, sd, numbers(&found, &of("times"))?));
    }
    let [(first, first_sd, first_times), (second, second_sd, second_times)] = &sides[..] else {
        return Err("hyperfine compared other than two commands".to_string());
    };
    // As its summary does: how many times slower than the faster one.
    let which = if second > first { Said::Slower } else { Said::Faster };
    let ratio = (second / first).max(first / second);
    let spread = ratio * ((first_sd / first).powi(2) + (second_sd / second).powi(2)).sqrt();
    let hundredths = |value: f64| (100.0 * value).round();
    let said_if = |is_said: bool| if is_said { which } else { Said::Nothing };
    let interval = welch::difference(first_times, second_times, Confidence::DEFAULT);
    Ok(vec![
        (Judge::Range, said_if(hundredths(ratio) - hundredths(spread) > 100.0)),
        (Judge::Headline, said_if(hundredths(ratio) >= 101.0)),
        (
            Judge::Welch,
            interval.map_or(Said::Nothing, |interval| Said::by_excluding(0.0, interval)),
        ),
    ])
}

/// What `cbdr analyze` prints: "wall_time  0.015 ± 0.003  0.016 ± 0.003  [ -1.5% ..  +3.0%]".
pub(super) fn cbdr(printed: &str) -> Result<Said, String> {
    let problem = || format!("cbdr printed {printed:?}");
    let line = printed.lines().find(|line| line.starts_with("wall_time")).ok_or_else(problem)?;
    // Past the escape codes of colours, which have brackets too.
    let (lower, upper) = line.rsplit_once("..").ok_or_else(problem)?;
    let lower = lower.rsplit('[').next().unwrap_or_default();
    let upper = upper.split('%').next().unwrap_or_default();
    let end = |text: &str| text.trim().trim_end_matches('%').parse::<f64>().map_err(|_| problem());
    let (lower, upper) = (end(lower)?, end(upper)?);
    if lower.is_nan() || upper.is_nan() {
        return Err(problem());
    }
    // The sign of a rounded 0 is still that of the value.
    Ok(match (lower.is_sign_positive(), upper.is_sign_positive()) {
        (true, true) => Said::Slower,
        (false, false) => Said::Faster,
        _ => Said::Nothing,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyperfine_is_read_as_it_prints() {
        let text = |second: f64, sd: f64| {
            let times = |mean: f64| [mean - sd, mean, mean + sd];
            let side =
                |mean: f64| serde_json::json!({"mean": mean, "stddev": sd, "times": times(mean)});
            serde_json::json!({"results": [side(1.0), side(second)]}).to_string()
        };
        let said = |text: &str| -> Vec<Said> {
            hyperfine(text).unwrap().into_iter().map(|(_, said)| said).collect()
        };
        let (slower, faster, nothing) = (Said::Slower, Said::Faster, Said::Nothing);
        assert_eq!(said(&text(1.05, 0.001)), [slower, slower, slower]);
        assert_eq!(said(&text(0.95, 0.001)), [faster, faster, faster]);
        // "1.05 ± 0.06"
        assert_eq!(said(&text(1.05, 0.04)), [nothing, slower, nothing]);
        // "1.00 ± 0.00"
        assert_eq!(said(&text(1.004, 0.0001)), [nothing, nothing, slower]);
    }

    #[test]
    fn cbdr_is_read_through_its_colours() {
        let line = |interval: &str| {
            format!(
                "           \u{1b}[35mbefore\u{1b}[0m   difference (99.9% CI)\n\
                 user_time  0.002 ± 0.004  0.002 ± 0.004  \u{1b}[2m[-182.1% .. +223.2%]\u{1b}[0m\n\
                 wall_time  0.015 ± 0.003  0.016 ± 0.003  \u{1b}[2m[{interval}]\u{1b}[0m\n"
            )
        };
        assert_eq!(cbdr(&line(" -10.5% ..  +23.0%")), Ok(Said::Nothing));
        assert_eq!(cbdr(&line("+0.0% .. +1.0%")), Ok(Said::Slower));
        assert_eq!(cbdr(&line("-0.0% .. +1.0%")), Ok(Said::Nothing));
        assert_eq!(cbdr(&line("-2.0% .. -1.0%")), Ok(Said::Faster));
        assert!(cbdr(&line("NaN% .. NaN%")).is_err());
        assert!(cbdr("nothing").is_err());
    }
}
