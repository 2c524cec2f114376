//! Gauges, counters and events, gaps, different samplers; windows and baselines.

use super::*;
use crate::Pattern;
use proptest::prelude::*;

fn phases(scale: usize) -> Vec<f64> {
    let parts = [(1.0, 20), (5.0, 15), (2.0, 25), (8.0, 10), (3.0, 20), (6.0, 10)];
    let slope = |values: Vec<f64>| -> Vec<f64> {
        values.iter().enumerate().map(|(n, value)| value + (n % 5) as f64 * 0.05).collect()
    };
    slope(levels(&parts.map(|(level, count)| (level, count * scale))))
}

#[test]
fn one_run_needs_no_common_metric() {
    let traces = Traces::default().gauge("r", "a", &phases(1));
    let aligned = traces.align(&select("a", &[time(60, 69)])).unwrap();
    assert_eq!((aligned.reference, aligned.common.as_deref()), (0, None));
    let only = &aligned.runs[0];
    // The first row is a moment, and as long as the second.
    assert_eq!(only.question.grid.edges()[..3], [-1, 0, 1].map(at));
    assert_eq!(only.question.windows, [60..70]);
    assert_eq!(only.windows, [(at(59), at(69))]);
    assert_eq!(only.question.baseline, Some(0..60));
    assert_eq!(only.baseline, Some((at(-1), at(59))));
    assert_eq!(only.question.target.bridged(), phases(1));
    assert_eq!(only.sequence(&traces.named("r", "a")), only.question.target);
    assert_eq!((only.quality, aligned.notes.len()), (None, 0));
}

#[test]
fn baselines() {
    let of = |windows: &[TargetRange], baseline: Option<TargetRange>| {
        let traces = Traces::default().gauge("r", "a", &phases(1));
        let selection = Selection { baseline, ..select("a", windows) };
        let aligned = traces.align(&selection).unwrap();
        (aligned.runs[0].question.baseline.clone(), aligned.notes)
    };
    assert_eq!(of(&[rows(40, 50)], None), (Some(0..40), vec![]));
    assert_eq!(of(&[rows(5, 9)], None), (Some(0..5), vec![]));
    // Five rows are too few for a window of fifty, and four for any.
    let (baseline, notes) = of(&[rows(5, 54)], None);
    assert_eq!(baseline, Some(55..100));
    assert_eq!(
        notes,
        ["not enough data before the window, so it is compared with the data after it"]
    );
    assert_eq!(of(&[rows(4, 9)], None).0, Some(10..100));
    // Unless nothing better follows.
    assert_eq!(of(&[rows(6, 96)], None), (Some(0..6), vec![]));
    let (baseline, notes) = of(&[TargetRange::Whole], None);
    assert_eq!((baseline, notes.len()), (None, 1));
    assert_eq!(of(&[rows(40, 50)], Some(rows(60, 80))).0, Some(60..81));
    // What lies between windows is neither.
    assert_eq!(of(&[rows(70, 80), rows(40, 50)], None), (Some(0..40), vec![]));
}

#[test]
fn windows_that_overlap_are_one() {
    let traces = Traces::default().gauge("r", "a", &phases(1));
    let selection = select("a", &[rows(50, 60), rows(20, 30), time(55, 70), rows(31, 33)]);
    let aligned = traces.align(&selection).unwrap();
    assert_eq!(aligned.runs[0].question.windows, [20..31, 31..34, 50..71]);
    let note = "the windows from row 50 to row 60 and from 55 s to 70 s overlap and were \
                merged";
    assert_eq!(aligned.notes, [note]);
    let aligned = traces.align(&select("a", &[rows(90, 120)])).unwrap();
    assert_eq!(aligned.runs[0].question.windows, [90..100]);
    let note = "the window from row 90 to row 120 extends beyond the metric, which has 100 rows \
                from 0 s to 99 s; it was clipped";
    assert_eq!(aligned.notes, [note]);
}

#[test]
fn the_common_metric_is_chosen() {
    let traces = |common: Option<&str>| {
        let mut traces = Traces::default()
            .gauge("r", "flat", &[3.0; 100])
            .gauge("r", "work", &phases(1))
            .gauge("r", "target", &phases(1))
            .gauge("s", "flat", &[3.0; 100])
            .gauge("s", "work", &phases(1))
            .gauge("s", "other", &phases(1));
        traces.common = common.map(str::to_string);
        traces
    };
    let chosen = |common: Option<&str>, wanted: Option<&str>, target: &str| {
        let options = AlignOptions { common: wanted.map(str::to_string), ..Default::default() };
        let selection = select(target, &[rows(20, 34)]);
        traces(common).align_with(&selection, &options).unwrap().common.unwrap()
    };
    // A metric that does not change cannot be it, unless it is named.
    assert_eq!(chosen(None, None, "target"), "work");
    assert_eq!(chosen(None, None, "work"), "work");
    assert_eq!(chosen(Some("flat"), None, "work"), "flat");
    assert_eq!(chosen(Some("flat"), Some("work"), "target"), "work");
    // What was recorded for it is of no use if a run lacks it.
    assert_eq!(chosen(Some("other"), None, "target"), "work");
    let flat = traces(Some("flat")).align(&select("target", &[rows(20, 34)])).unwrap();
    let warning = &run(&flat, "s").warnings[0];
    assert!(warning.starts_with("\"flat\" never changes, here or in the reference"), "{warning}");
    assert!(run(&flat, "r").warnings[0].starts_with("\"flat\" never changes in the window"));
}

#[test]
fn counters_are_rates_and_gaps_stay_gaps() {
    let rates = phases(1);
    let mut total = 0.0;
    let rows_of: Vec<_> = rates
        .iter()
        .enumerate()
        .map(|(n, rate)| {
            total += rate;
            let n = n as i64;
            // A moment at 1 s, then a row per second; 10 rows are missing.
            ((n.max(1)) * S, (n + 1) * S, (!(40..50).contains(&n)).then_some(total))
        })
        .collect();
    let traces = Traces::default().rows("r", "c", Kind::Counter, &rows_of);
    let aligned = traces.align(&select("c", &[rows(60, 69)])).unwrap();
    let question = &aligned.runs[0].question;
    assert_eq!((question.target.len(), question.windows[0].clone()), (100, 60..70));
    // The first total has no rate, nor has the one after the gap.
    let missing: Vec<usize> = (0..100).filter(|row| question.target.get(*row).is_none()).collect();
    assert_eq!(missing, std::iter::once(0).chain(40..51).collect::<Vec<_>>());
    for row in [1, 39, 51, 99] {
        assert!((question.target.get(row).unwrap() - rates[row]).abs() < 1e-9);
    }
    let short = traces.align(&select("c", &[rows(40, 52)])).unwrap_err().to_string();
    assert!(short.contains("has 2 rows with a value"), "{short}");
}

#[test]
fn gauges_with_gaps_between_rows() {
    // Rows 4 and 5 are far apart, rows 1 and 2 only a little.
    let rows_of: Vec<_> = (0..20)
        .map(|n: i64| {
            let start = if n < 5 { n * S } else { (n + 10) * S };
            (start + i64::from(n == 2) * (S / 10), start + S, Some(n as f64))
        })
        .collect();
    let traces = Traces::default().rows("r", "a", Kind::Gauge, &rows_of);
    let aligned = traces.align(&select("a", &[rows(5, 19)])).unwrap();
    let question = &aligned.runs[0].question;
    assert_eq!(question.grid.rows(), 21);
    assert_eq!(question.target.get(5), None);
    assert_eq!(question.target.get(6), Some(5.0));
    // Rows are asked for by the metric's own numbers.
    assert_eq!(question.windows, [6..21]);
    assert_eq!(question.target.seen().count(), 20);
}

#[test]
fn events_are_counted_in_rows_of_others() {
    let pauses: Vec<_> =
        (0..30).map(|n| (n * 3 * S + S / 2, n * 3 * S + S, Some(1.0 + (n % 4) as f64))).collect();
    let traces = Traces::default()
        .rows("r", "pause", Kind::Event, &pauses)
        .gauge("r", "slow", &[1.0, 2.0, 3.0, 4.0])
        .gauge("r", "fast", &phases(1));
    let aligned = traces.align(&select("pause", &[rows(40, 60)])).unwrap();
    let question = &aligned.runs[0].question;
    assert_eq!(question.grid.rows(), 100);
    assert_eq!(question.target.get(1), Some(1.0));
    assert_eq!(question.target.get(2), Some(0.0));
    assert_eq!(question.target.seen().sum::<f64>(), 73.0);
    assert_eq!(
        aligned.notes,
        ["\"pause\" consists of events, counted per row of \"fast\" in run \"r\""]
    );
    // Those of the common metric, if there is one.
    let mut said = traces;
    said.common = Some("slow".to_string());
    let aligned = said.align(&select("pause", &[TargetRange::Whole])).unwrap();
    assert_eq!(aligned.runs[0].question.grid.rows(), 4);
    assert!(
        aligned.notes[0].ends_with("in run \"r\"; 29 events outside those rows"),
        "{aligned:?}"
    );
    // Nothing else: even rows.
    let alone = Traces::default().rows("r", "pause", Kind::Event, &pauses);
    let aligned = alone.align(&select("pause", &[rows(100, 200)])).unwrap();
    assert_eq!(aligned.runs[0].question.grid.rows(), 500);
    let moment = Traces::default().rows("r", "pause", Kind::Event, &[(5, 5, Some(1.0)); 4]);
    assert_eq!(
        moment.align(&select("pause", &[TargetRange::Whole])).unwrap().runs[0].question.asked(),
        500
    );
}

#[test]
fn different_samplers() {
    // The common metric every 0.25 s, the target every second, the other run half as fast.
    let quick = |scale: usize| -> Vec<_> {
        let values = phases(4 * scale);
        let quarter = S / 4;
        let row = |(n, value): (usize, &f64)| {
            (n as i64 * quarter, (n as i64 + 1) * quarter, Some(*value))
        };
        values.iter().enumerate().map(row).collect()
    };
    let traces = Traces::default()
        .rows("r", "work", Kind::Gauge, &quick(1))
        .gauge("r", "target", &phases(1))
        .rows("s", "work", Kind::Gauge, &quick(2))
        .gauge("s", "other", &phases(2));
    let aligned = traces.align(&select("target", &[time(61, 70)])).unwrap();
    assert_eq!(aligned.common.as_deref(), Some("work"));
    let other = run(&aligned, "s");
    assert_eq!(other.windows, [(at(120), at(140))]);
    assert!((other.quality.unwrap().slope - 2.0).abs() < 0.05, "{:?}", other.quality);
    assert!(!other.has_own_target && other.question.windows == [61..71]);
    // What happened at twice the time is aligned with the target.
    let put = other.sequence(&traces.named("s", "other"));
    assert_eq!(put.len(), other.question.target.len());
    for row in [10, 30, 50, 65, 80, 95] {
        let (there, here) = (put.get(row).unwrap(), other.question.target.get(row).unwrap());
        assert!((there - here).abs() < 0.5, "row {row}: {there} against {here}");
    }
}

#[test]
fn baselines_and_patterns_are_carried_too() {
    let traces = Traces::default().gauge("r", "a", &phases(1)).gauge("s", "a", &phases(2));
    let pattern = Pattern::new(vec![(at(59), 1.0), (at(64), 5.0), (at(69), 1.0)]);
    let selection = Selection {
        baseline: Some(rows(20, 34)),
        pattern: pattern.clone(),
        ..select("a", &[rows(60, 69)])
    };
    let aligned = traces.align(&selection).unwrap();
    assert_eq!(run(&aligned, "r").question.pattern, pattern);
    let other = run(&aligned, "s");
    assert!(other.has_own_target);
    assert_eq!(other.question.windows, [120..140]);
    assert_eq!(other.question.baseline, Some(40..70));
    assert_eq!(other.baseline, Some((at(39), at(69))));
    let knots = other.question.pattern.as_ref().unwrap().knots().to_vec();
    assert_eq!((knots[0], knots[2]), ((at(119), 1.0), (at(139), 1.0)));
    assert!(knots[0].0 < knots[1].0 && knots[1].0 < knots[2].0 && knots[1].1 == 5.0, "{knots:?}");
    // The default is what precedes the window in each run.
    let aligned = traces.align(&select("a", &[rows(60, 69)])).unwrap();
    assert_eq!(run(&aligned, "s").question.baseline, Some(0..120));
}

#[test]
fn a_reference_in_the_middle_and_runs_on_their_own() {
    let values: Vec<Vec<f64>> = (0..6)
        .map(|n| {
            let noise = |row: usize| ((row * (7 + n) + n * 13) % 11) as f64 * 0.02;
            phases(1 + n % 3).iter().enumerate().map(|(row, v)| v + noise(row)).collect()
        })
        .collect();
    let only = |which: &[usize]| {
        let common = Some("work".to_string());
        let none = Traces { common, ..Traces::default() };
        which.iter().fold(none, |traces, &n| {
            let id = format!("run-{n}");
            let traces = traces.gauge(&id, "work", &values[n]);
            if n % 2 == 0 { traces.gauge(&id, "target", &values[n]) } else { traces }
        })
    };
    let mut selection = select("target", &[rows(60, 69), rows(90, 99)]);
    selection.run = Some("run-4".to_string());
    let all = only(&[0, 1, 2, 3, 4, 5]).align(&selection).unwrap();
    assert_eq!(all.reference, 4);
    assert_eq!(all.runs[4].quality, None);
    // How runs are spread over threads does not matter: each is as if it were alone.
    for n in [0, 1, 2, 3, 5] {
        let pair = only(&[n, 4]).align(&selection).unwrap();
        assert_eq!(pair.runs.iter().find(|one| one.run == all.runs[n].run), Some(&all.runs[n]));
    }
    assert_eq!(only(&[0, 1, 2, 3, 4, 5]).align(&selection).unwrap(), all);
}

#[test]
fn long_runs_are_averaged() {
    let long = |scale: usize| -> Vec<f64> { phases(scale) };
    let traces = Traces::default().gauge("r", "a", &long(600)).gauge("s", "a", &long(500));
    let aligned = traces.align(&select("a", &[rows(36_000, 41_999)])).unwrap();
    let (start, end) = run(&aligned, "s").windows[0];
    let [start, end] = [start, end].map(|time| time.nanoseconds() / S);
    assert!((start - 30_000).abs() < 10 && (end - 35_000).abs() < 10, "{start} {end}");
    let note = "\"a\" has up to 60000 samples per run; they were averaged over 3 s for the \
                alignment, which limits its resolution";
    assert_eq!(aligned.notes, [note]);
}

proptest! {
    /// Whatever is measured: no panic, and what comes out can be relied on.
    #[test]
    fn hostile_values(
        here in prop::collection::vec(prop::option::of(any::<f64>()), 3..40),
        there in prop::collection::vec(prop::option::of(any::<f64>()), 3..40),
        normalise in any::<bool>(),
        whole in any::<bool>(),
    ) {
        let rows_of = |values: &[Option<f64>]| -> Vec<(i64, i64, Option<f64>)> {
            let finite = |value: &Option<f64>| value.filter(|value| value.is_finite());
            values.iter().enumerate().map(|(n, v)| (n as i64 * 3, n as i64 * 3 + 3, finite(v))).collect()
        };
        let traces = Traces::default()
            .rows("r", "a", Kind::Gauge, &rows_of(&here))
            .rows("s", "a", Kind::Gauge, &rows_of(&there));
        let window = if whole { TargetRange::Whole } else { rows(1, here.len() / 2) };
        let options = AlignOptions { normalise, ..AlignOptions::default() };
        if let Ok(aligned) = traces.align_with(&select("a", &[window]), &options) {
            for run in &aligned.runs {
                let question = &run.question;
                prop_assert_eq!(question.windows.len(), run.windows.len());
                prop_assert!(question.windows.iter().all(|w| w.end <= question.grid.rows()));
                prop_assert!(run.edges().windows(2).all(|pair| pair[0] <= pair[1]));
                if let Some(quality) = run.quality {
                    prop_assert!(quality.cost_per_step.is_finite() && quality.slope.is_finite());
                    prop_assert!(quality.relative_cost.is_none_or(f64::is_finite));
                    prop_assert!(quality.against_chance.is_none_or(f64::is_finite));
                }
            }
        }
    }
}
