//! Reading criterion.

use super::super::reading::{document, number};
use super::super::said::Said;
use super::judge::{Finding, Judge};
use fathom_stats::Interval;
use serde_json::Value;

/// What the second run prints, and its `change/estimates.json`.
pub(super) fn read(printed: &str, change: &str) -> Result<Vec<Finding>, String> {
    let problem = || format!("criterion printed {printed:?}");
    let change = document(change)?;
    let (mean, mean_interval) = ratio(&change, "mean")?;
    let (median, median_interval) = ratio(&change, "median")?;
    // "change: [−8.3665% −2.5987% +3.7723%] (p = 0.41 > 0.05)"
    let p = printed.split_once("(p = ").ok_or_else(problem)?.1;
    let by_p = match p.split(' ').nth(1) {
        Some("<") if mean > 1.0 => Said::Slower,
        Some("<") => Said::Faster,
        Some(">") => Said::Nothing,
        _ => return Err(problem()),
    };
    let sentences = [
        ("Performance has regressed.", Said::Slower),
        ("Performance has improved.", Said::Faster),
        ("Change within noise threshold.", Said::Nothing),
        ("No change in performance detected.", Said::Nothing),
    ];
    let verdict = sentences.into_iter().find(|(sentence, _)| printed.contains(sentence));
    let (_, verdict) = verdict.ok_or_else(problem)?;
    Ok(vec![
        Finding {
            judge: Judge::CriterionP,
            said: by_p,
            ratio: mean,
            interval: Some(mean_interval),
        },
        Finding { judge: Judge::CriterionVerdict, said: verdict, ratio: mean, interval: None },
        Finding {
            judge: Judge::CriterionMedian,
            said: Said::by_excluding(1.0, median_interval),
            ratio: median,
            interval: Some(median_interval),
        },
    ])
}

/// Of `new/estimates.json`: the seconds that it prints as the time.
pub(super) fn seconds(estimates: &str) -> Result<f64, String> {
    let estimates = document(estimates)?;
    // As it does: the slope, and the mean where it made no fit.
    let slope = number(&estimates, "/slope/point_estimate");
    Ok(1e-9 * slope.or_else(|_| number(&estimates, "/mean/point_estimate"))?)
}

fn ratio(change: &Value, what: &str) -> Result<(f64, Interval), String> {
    let of = |name: &str| Ok::<f64, String>(1.0 + number(change, &format!("/{what}/{name}"))?);
    let lower = of("confidence_interval/lower_bound")?;
    let upper = of("confidence_interval/upper_bound")?;
    Ok((of("point_estimate")?, Interval { lower, upper }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As criterion 0.8.2 printed and wrote it.
    const PRINTED: &str = "work                    time:   [22.461 µs 23.593 µs 24.826 µs]
                        change: [−8.3665% −2.5987% +3.7723%] (p = 0.41 > 0.05)
                        No change in performance detected.
Found 16 outliers among 100 measurements (16.00%)
  16 (16.00%) high severe

";
    const CHANGE: &str = r#"{"mean":{"confidence_interval":{"confidence_level":0.95,"lower_bound":-0.08366473616841848,"upper_bound":0.03772258585237212},"point_estimate":-0.0259870522771406,"standard_error":0.03103757986748809},"median":{"confidence_interval":{"confidence_level":0.95,"lower_bound":0.008912760949876253,"upper_bound":0.01816306105894805},"point_estimate":0.014076099930173225,"standard_error":0.002414389898370518}}"#;

    #[test]
    fn no_change_of_the_mean_and_one_of_the_median() {
        let [p, verdict, median] = read(PRINTED, CHANGE).unwrap()[..] else { panic!() };
        assert_eq!(
            (p.said, verdict.said, median.said),
            (Said::Nothing, Said::Nothing, Said::Slower)
        );
        assert!((p.ratio - 0.974_012_947_7).abs() < 1e-9, "{p:?}");
        assert!((median.ratio - 1.014_076_099_9).abs() < 1e-9, "{median:?}");
        let (mean, median) = (p.interval.unwrap(), median.interval.unwrap());
        assert!(mean.contains(1.0) && mean.contains(0.917) && !mean.contains(0.916), "{mean:?}");
        assert!(median.contains(1.0090) && !median.contains(1.0), "{median:?}");
        assert_eq!(verdict.interval, None);
    }

    #[test]
    fn its_p_value_and_its_verdict_are_two_things() {
        let said = |p: &str, sentence: &str| {
            let printed = PRINTED
                .replace("(p = 0.41 > 0.05)", p)
                .replace("No change in performance detected.", sentence);
            let [p, verdict, _] = read(&printed, CHANGE).unwrap()[..] else { panic!() };
            (p.said, verdict.said)
        };
        let significant = "(p = 0.00 < 0.05)";
        let found = said(significant, "Change within noise threshold.");
        assert_eq!(found, (Said::Faster, Said::Nothing));
        let found = said(significant, "Performance has improved.");
        assert_eq!(found, (Said::Faster, Said::Faster));
    }

    #[test]
    fn other_texts_are_errors() {
        assert!(read("", CHANGE).is_err() && read(PRINTED, "{}").is_err());
        assert!(read(&PRINTED.replace("No change", "Some change"), CHANGE).is_err());
    }

    #[test]
    fn the_time_is_the_slope() {
        let estimates =
            r#"{"mean":{"point_estimate":22778.0},"slope":{"point_estimate":23593.25}}"#;
        assert_eq!(seconds(estimates), Ok(1e-9 * 23_593.25));
        let flat = r#"{"mean":{"point_estimate":22778.0},"slope":null}"#;
        assert_eq!(seconds(flat), Ok(1e-9 * 22_778.0));
        assert!(seconds("{}").is_err());
    }
}
