//! Reading divan, by eye.

use super::super::said::Said;
use super::judge::{Finding, Judge};

/// Where the median is among the columns that follow the name.
const MEDIAN: usize = 2;

/// The printed medians, and whether a reader sees a difference of at least 1%: rounded to whole
/// percents, as one compares numbers by eye.
pub(super) fn read(printed: &str) -> Result<Vec<Finding>, String> {
    let ratio = seconds(printed, "second")? / seconds(printed, "first")?;
    let said = match (100.0 * ratio).round() {
        101.0.. => Said::Slower,
        ..=99.0 => Said::Faster,
        _ => Said::Nothing,
    };
    Ok(vec![Finding { judge: Judge::Divan, said, ratio, interval: None }])
}

/// The printed median of a function.
pub(super) fn seconds(printed: &str, name: &str) -> Result<f64, String> {
    let find = || {
        // "├─ first    20.29 µs      │ 8.084 ms      │ 20.31 µs      │ ..."
        let is_it = |line: &&str| line.split_whitespace().nth(1) == Some(name);
        let cell = printed.lines().find(is_it)?.split('│').nth(MEDIAN)?;
        let (number, unit) = cell.trim().split_once(' ')?;
        let unit = match unit {
            "ps" => 1e-12,
            "ns" => 1e-9,
            "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            _ => return None,
        };
        number.parse::<f64>().ok().filter(|number| *number > 0.0).map(|number| number * unit)
    };
    find().ok_or_else(|| format!("divan printed no median of {name}: {printed:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As divan 0.1.21 printed it.
    const PRINTED: &str = "\
with_divan  fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ first    20.29 µs      │ 8.084 ms      │ 20.31 µs      │ 25.01 µs      │ 39512   │ 39512
╰─ second   20.49 µs      │ 4.157 ms      │ 20.51 µs      │ 23.19 µs      │ 42866   │ 42866

";

    #[test]
    fn medians_are_compared_as_they_are_printed() {
        let [found] = read(PRINTED).unwrap()[..] else { panic!() };
        assert_eq!((found.said, found.interval), (Said::Slower, None));
        assert!((found.ratio - 20.51 / 20.31).abs() < 1e-12, "{found:?}");
        let said = |median: &str| read(&PRINTED.replace("20.51 µs", median)).unwrap()[0].said;
        assert_eq!(said("20.40 µs"), Said::Nothing);
        assert_eq!(said("20.11 µs"), Said::Faster);
        assert_eq!(said("1.001 ms"), Said::Slower);
    }

    #[test]
    fn other_tables_are_errors() {
        assert!((seconds(PRINTED, "first").unwrap() - 20.31e-6).abs() < 1e-15);
        assert!(seconds(PRINTED, "third").is_err());
        assert!(
            read("").is_err() && read(&PRINTED.replace("20.51 µs", "20.51 fortnights")).is_err()
        );
    }
}
