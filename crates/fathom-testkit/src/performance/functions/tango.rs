//! Reading tango.

use super::super::said::Said;
use super::judge::{Finding, Judge};

/// What `compare` prints: "work   [  25.0 us ...  24.2 us ]      -3.20%*", the second over the first;
/// the star marks a difference that it takes for one.
pub(super) fn read(printed: &str) -> Result<Vec<Finding>, String> {
    let find = || {
        let (percent, mark) = plain(printed)?
            .rsplit_once(']')?
            .1
            .trim()
            .split_once('%')
            .map(|(percent, mark)| (percent.parse::<f64>().ok(), mark.to_string()))?;
        let ratio = 1.0 + 0.01 * percent.filter(|percent| percent.is_finite())?;
        let said = match &*mark {
            "" => Said::Nothing,
            "*" if ratio > 1.0 => Said::Slower,
            "*" => Said::Faster,
            _ => return None,
        };
        Some(Finding { judge: Judge::Tango, said, ratio, interval: None })
    };
    find().map(|found| vec![found]).ok_or_else(|| problem(printed))
}

/// What `solo` prints: "work   [   5.4 ns ...   6.4 ns ...  13.3 us ]  stddev: 65.7 ns"; the mean.
pub(super) fn seconds(printed: &str) -> Result<f64, String> {
    let find = || {
        let line = plain(printed)?;
        let (_, mean) = (line.split("...").next()?, line.split("...").nth(1)?);
        let (number, unit) = mean.trim().split_once(' ')?;
        let unit = match unit {
            "ns" => 1e-9,
            "us" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            _ => return None,
        };
        Some(unit * number.parse::<f64>().ok()?)
    };
    find().ok_or_else(|| problem(printed))
}

/// The line of the function, without the codes for colours.
fn plain(printed: &str) -> Option<String> {
    let line = printed.lines().find(|line| line.contains("work"))?;
    let mut pieces = line.split('\u{1b}');
    let mut plain = pieces.next()?.to_string();
    for piece in pieces {
        plain.push_str(piece.split_once(['m', 'K'])?.1);
    }
    Some(plain)
}

fn problem(printed: &str) -> String {
    format!("tango printed {printed:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As tango-bench 0.7.2 printed it.
    const PRINTED: &str = "work                                               [  25.0 us ...  24.2 us ]      -3.20%\n";

    #[test]
    fn a_star_is_a_verdict() {
        let said = |percent: &str| {
            let found = read(&PRINTED.replace("-3.20%", percent)).unwrap()[0];
            (found.said, found.ratio)
        };
        assert_eq!(said("-3.20%"), (Said::Nothing, 0.968));
        assert_eq!(said("-3.20%*"), (Said::Faster, 0.968));
        assert_eq!(said("+1.00%*"), (Said::Slower, 1.01));
        let coloured = said("\u{1b}[31m+1.00\u{1b}[0m\u{1b}[31m%\u{1b}[0m*");
        assert_eq!(coloured, (Said::Slower, 1.01));
    }

    #[test]
    fn other_lines_are_errors() {
        assert!(read("").is_err() && read(&PRINTED.replace("-3.20", "NaN")).is_err());
        assert!(read(&PRINTED.replace("-3.20%", "")).is_err());
        assert!(seconds(PRINTED).is_err() && seconds("").is_err());
    }

    #[test]
    fn the_time_is_the_mean() {
        let printed = "work                                                [   5.4 ns ...   6.4 ns \
                       ...  13.3 us ]  stddev:  65.7 ns\n";
        assert_eq!(seconds(printed), Ok(1e-9 * 6.4));
    }
}
