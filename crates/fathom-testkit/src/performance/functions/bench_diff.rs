//! Reading bench_diff.

use super::super::reading::{document, number};
use super::super::said::Said;
use super::judge::{Finding, Judge};
use fathom_stats::Interval;

/// The level of its test.
const LEVEL: f64 = 0.05;

/// What our program prints of its results: the second function over the first.
pub(super) fn read(printed: &str) -> Result<Vec<Finding>, String> {
    let found = document(printed)?;
    let of = |name: &str| number(&found, &format!("/{name}"));
    let (ratio, p) = (of("ratio")?, of("p")?);
    let interval = Interval { lower: of("lower")?, upper: of("upper")? };
    let said = match p < LEVEL {
        true if ratio > 1.0 => Said::Slower,
        true => Said::Faster,
        false => Said::Nothing,
    };
    Ok(vec![Finding { judge: Judge::BenchDiff, said, ratio, interval: Some(interval) }])
}

/// Its median of the first function.
pub(super) fn seconds(printed: &str) -> Result<f64, String> {
    Ok(1e-9 * number(&document(printed)?, "/first_median")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As our program printed it with bench_diff 1.1.0.
    const PRINTED: &str = r#"{"ratio": 1.0107469470953627, "lower": 1.0084489724452432, "upper": 1.013050158190396, "p": 0.000000000000000000034993506467852027, "first_median": 20320, "second_median": 20520}"#;

    #[test]
    fn a_small_p_value_is_a_verdict() {
        let [found] = read(PRINTED).unwrap()[..] else { panic!() };
        assert_eq!(found.said, Said::Slower);
        assert!(found.interval.unwrap().contains(1.0107) && !found.interval.unwrap().contains(1.0));
        let large = PRINTED.replace("0.000000000000000000034993506467852027", "0.06");
        assert_eq!(read(&large).unwrap()[0].said, Said::Nothing);
        assert_eq!(seconds(PRINTED), Ok(1e-9 * 20_320.0));
        assert!(read("{}").is_err() && seconds("").is_err());
    }
}
