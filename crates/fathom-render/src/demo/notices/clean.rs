//! Which runs count? What cleaning found, against what was planted.

use crate::demo::DemoTruth;
use crate::plural;
use fathom_analyze::Report;
use fathom_analyze::clean::{Labelled, SlowBeginning, Steadiness};
use fathom_stats::steady_state::Class;

pub(super) fn notices(report: &Report, truth: &DemoTruth) -> Vec<String> {
    let subject = report.subjects.first();
    let labelled = subject.and_then(|subject| Some((subject, subject.labelled.as_ref()?)));
    let Some((subject, labelled)) = labelled else {
        return vec!["There were too few runs to clean.".to_string()];
    };
    let mut notices = vec![of_beginning(labelled, truth)];
    notices.extend(of_outliers(labelled, truth));
    let estimate = subject.estimates.first();
    if estimate.is_some_and(|one| one.with_everything.is_some()) {
        notices.push(
            "Nothing is hidden: the output also says what the median is with all samples."
                .to_string(),
        );
    }
    notices
}

fn of_beginning(labelled: &Labelled, truth: &DemoTruth) -> String {
    let (start, planted) = (labelled.start(), truth.slow_start);
    let has_none =
        matches!(&labelled.steadiness, Steadiness::Found(state) if state.class == Class::None);
    match labelled.slow_beginning() {
        _ if has_none => format!(
            "Fathom found no steady state here: the CPU time per run kept changing, as it does when \
             other programs come and go. So it counts every run, the {planted} slow ones included, and \
             warns."
        ),
        None if start == 0 => format!(
            "Fathom did not tell the {planted} slow runs at the start from the noise of this \
             machine, so it counts every run."
        ),
        Some(SlowBeginning::WarmUp) if start == planted => format!(
            "Fathom found the {planted} slow runs at the start and left them out of the median."
        ),
        Some(SlowBeginning::WarmUp) if start > planted => format!(
            "Fathom left the first {start} runs out of the median. {planted} of them do more work."
        ),
        Some(SlowBeginning::WarmUp) => format!(
            "Fathom left the first {start} runs out of the median, of the {planted} that do more work."
        ),
        _ => format!(
            "Fathom left the first {start} runs out of the median, although only {planted} of them do \
             more work: the level changed once more, and the warning says so."
        ),
    }
}

fn of_outliers(labelled: &Labelled, truth: &DemoTruth) -> Option<String> {
    let run = truth.slow_run;
    let place =
        run.checked_sub(1).filter(|place| (labelled.start()..labelled.len()).contains(place))?;
    let outliers = labelled.outliers();
    let is_first = |outlier: &&usize| **outlier < truth.slow_start;
    let first = outliers.iter().filter(is_first).count();
    let others = outliers.iter().filter(|outlier| !truth.is_slow(**outlier)).count();
    let first = (first > 0).then(|| format!("{first} of the first {} runs", truth.slow_start));
    let others = (others > 0).then(|| format!("{} without extra work", plural(others, "run")));
    let besides: Vec<String> = first.into_iter().chain(others).collect();
    let besides = besides.join(" and ");
    Some(match (outliers.contains(&place), besides.is_empty()) {
        (true, true) => format!(
            "It flagged run {run} as an outlier. That run still counts: rare slow runs are real. \
             --outliers remove leaves it out."
        ),
        (true, false) => format!(
            "It flagged run {run} as an outlier, and {besides}. All still count: rare slow runs are \
             real. --outliers remove leaves them out."
        ),
        (false, true) => format!("It did not flag run {run}: here, that run does not stand apart."),
        (false, false) => format!("It did not flag run {run}, but {besides}."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::truth::EXAMPLE;
    use fathom_analyze::clean::{OtherLoad, SteadyStatePolicy};
    use fathom_analyze::{EstimateRequest, StopReason, analyze};
    use fathom_record::{Environment, Series, Unit};
    use fathom_stats::outliers::{Method, OutlierRule};

    fn noise(i: usize) -> f64 {
        ((31 * i * i + 37 * i) % 101) as f64 / 1e4
    }

    fn report(values: Vec<f64>) -> Report {
        let series = Series::new("work", Unit::SECONDS, values).unwrap();
        let mut subject = analyze(series, &EstimateRequest::default());
        subject.stopped = StopReason::Fixed;
        Report {
            command_line: String::new(),
            seed: 1,
            environment: Environment::of_this_build(),
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            subjects: vec![subject],
            comparisons: None,
            warnings: Vec::new(),
        }
    }

    /// As the tour's program runs where nothing else does.
    fn as_planted(n: usize) -> Vec<f64> {
        let value = |run: usize| if EXAMPLE.is_slow(run) { 3.0 } else { 1.0 } + noise(run);
        (0..n).map(value).collect()
    }

    #[test]
    fn what_was_planted_is_compared_with_what_was_found() {
        let text = notices(&report(as_planted(200)), &EXAMPLE).join(" ");
        assert!(text.contains("found the 15 slow runs at the start"), "{text}");
        assert!(text.contains("flagged run 120 as an outlier. That run"), "{text}");
        assert!(text.contains("with all samples"), "{text}");
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        let flat = (0..200).map(|run| 1.0 + noise(run)).collect();
        let text = notices(&report(flat), &EXAMPLE).join(" ");
        assert!(text.contains("did not tell the 15 slow runs"), "{text}");
        assert!(text.contains("did not flag run 120"), "{text}");
        assert!(!text.contains("left out") && !text.contains("with all samples"), "{text}");
    }

    #[test]
    fn a_level_that_keeps_changing_is_no_warm_up() {
        let level = |run: usize| 1.0 + 0.5 * ((run / 45) % 2) as f64;
        let text =
            notices(&report((0..200).map(|run| level(run) + noise(run)).collect()), &EXAMPLE);
        assert!(text[0].contains("no steady state"), "{text:?}");
        assert!(!text[0].contains("left"), "{text:?}");
    }

    #[test]
    fn outliers_are_named_by_what_they_are() {
        // All runs count, so that the first ones can be outliers, too.
        let request = EstimateRequest {
            steady_state: SteadyStatePolicy::Off,
            outlier_rule: OutlierRule { method: Method::Tukey, ..OutlierRule::default() },
            ..EstimateRequest::default()
        };
        let mut values = as_planted(200);
        values[60] = 9.0;
        let labelled = |values: Vec<f64>| {
            let series = Series::new("work", Unit::SECONDS, values).unwrap();
            analyze(series, &request).labelled.unwrap()
        };
        let all = of_outliers(&labelled(values.clone()), &EXAMPLE).unwrap();
        assert!(
            all.contains("run 120 as an outlier, and 15 of the first 15 runs and 1 run without")
        );
        values[119] = 1.0;
        let others = of_outliers(&labelled(values), &EXAMPLE).unwrap();
        assert!(others.starts_with("It did not flag run 120, but 15 of the first 15"), "{others}");
        assert_eq!(of_outliers(&labelled(as_planted(100)), &EXAMPLE), None);
    }

    #[test]
    fn a_longer_beginning_is_not_claimed_to_be_the_planted_one() {
        let slow = |run: usize| if run < 40 { 3.0 } else { 1.0 };
        let mut longer = report((0..200).map(|run| slow(run) + noise(run)).collect());
        let text = notices(&longer, &EXAMPLE);
        assert!(
            text[0].contains("first 40 runs") && text[0].contains("15 of them do more work"),
            "{text:?}"
        );
        longer.subjects[0].tell_load(OtherLoad { before: 0.6, after: 0.02 });
        let text = notices(&longer, &EXAMPLE);
        assert!(text[0].contains("only 15 of them do"), "{text:?}");
        let shorter = (0..200).map(|run| if run < 9 { 3.0 } else { 1.0 } + noise(run)).collect();
        let text = notices(&report(shorter), &EXAMPLE);
        assert!(text[0].contains("first 9 runs") && text[0].contains("of the 15"), "{text:?}");
    }
}
