//! The situations of the paper's Table 1, clean: the window is found, and nothing is doubted.

use super::*;
use crate::align::Fit;

/// Phases of a program, as heights and amounts of work.
const PHASES: [(f64, f64); 9] = [
    (1.0, 40.0),
    (4.0, 30.0),
    (2.0, 50.0),
    (7.0, 20.0),
    (3.0, 40.0),
    (6.0, 30.0),
    (0.5, 60.0),
    (5.0, 30.0),
    (1.5, 40.0),
];

/// What is measured at a point of the work: phases with a slope, so that it is never constant.
fn height(work: f64) -> f64 {
    let mut before = 0.0;
    for (height, amount) in PHASES {
        if work < before + amount {
            return height + 0.8 * ((work - before) / amount);
        }
        before += amount;
    }
    1.5
}

/// A run that does its work at a pace that depends on where it is.
fn at_pace(pace: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
    let total: f64 = PHASES.iter().map(|phase| phase.1).sum();
    let (mut values, mut work, mut done) = (Vec::new(), Vec::new(), 0.0);
    while done < total {
        values.push(height(done));
        work.push(done);
        done += pace(done);
    }
    (values, work)
}

/// How far the ends of a window of the reference are from where they should be, in samples.
fn off(pace: impl Fn(f64) -> f64, target_is_in_both: bool) -> (f64, AlignedRun) {
    let (here, work_here) = at_pace(|_| 1.0);
    let (there, work_there) = at_pace(pace);
    let (first, last) = (118, 190);
    let mut traces = Traces::default().gauge("here", "ipc", &here).gauge("there", "ipc", &there);
    let target = if target_is_in_both { "ipc" } else { "misses" };
    if !target_is_in_both {
        traces = traces.gauge("here", "misses", &here);
        traces.common = Some("ipc".to_string());
    }
    let aligned = traces.align(&select(target, &[rows(first, last)])).unwrap();
    let there = run(&aligned, "there").clone();
    let true_row = |row: usize| work_there.partition_point(|&done| done < work_here[row]) as f64;
    let (start, end) = there.windows[0];
    let (start, end) = (start.seconds() + 1.0, end.seconds());
    ((start - true_row(first)).abs().max((end - true_row(last)).abs()), there)
}

fn is_clean(name: &str, pace: impl Fn(f64) -> f64 + Copy) {
    for target_is_in_both in [true, false] {
        let (off, there) = off(pace, target_is_in_both);
        assert!(off <= 3.0, "{name}: off by {off} samples");
        assert_eq!(there.warnings, [] as [&str; 0], "{name}");
        assert_eq!(there.quality.unwrap().fit, Fit::Good, "{name}: {:?}", there.quality);
        assert_eq!(there.has_own_target, target_is_in_both);
    }
}

#[test]
fn scaled() {
    is_clean("slower", |_| 0.7);
    is_clean("faster", |_| 1.35);
}

#[test]
fn shifted() {
    // It starts late: the first phase takes 60 samples longer.
    is_clean("shifted", |done| if done < 40.0 { 0.4 } else { 1.0 });
}

#[test]
fn warped() {
    is_clean("warped", |done| 1.0 + 0.35 * (done / 40.0).sin());
    let (_, there) = off(|done| if (120.0..180.0).contains(&done) { 0.5 } else { 1.0 }, true);
    let slope = there.quality.unwrap().slope;
    assert!((1.6..2.1).contains(&slope), "{slope}");
}

#[test]
fn reordered_is_not_good() {
    let (here, _) = at_pace(|_| 1.0);
    let mut there = here.clone();
    there.rotate_left(130);
    there[..200].reverse();
    let traces = Traces::default().gauge("here", "ipc", &here).gauge("there", "ipc", &there);
    let aligned = traces.align(&select("ipc", &[rows(118, 190)])).unwrap();
    let there = run(&aligned, "there");
    assert_ne!(there.quality.unwrap().fit, Fit::Good);
    assert!(!there.warnings.is_empty());
}

#[test]
fn an_identical_run_is_perfect() {
    let (here, _) = at_pace(|_| 1.0);
    let traces = Traces::default().gauge("a", "ipc", &here).gauge("b", "ipc", &here);
    let aligned = traces.align(&select("ipc", &[rows(10, 30)])).unwrap();
    let quality = run(&aligned, "b").quality.unwrap();
    assert_eq!((quality.fit, quality.cost_per_step), (Fit::Good, 0.0));
    assert_eq!((quality.longest_stretch, quality.slope), (1, 1.0));
    assert_eq!(quality.against_chance, Some(0.0));
    assert_eq!(aligned.runs[0].question, aligned.runs[1].question);
    assert_eq!(aligned.runs[0].windows, aligned.runs[1].windows);
}

#[test]
fn other_levels_need_normalising() {
    let (here, _) = at_pace(|_| 1.0);
    let (there, _) = at_pace(|_| 0.8);
    let there: Vec<f64> = there.iter().map(|value| 50.0 + 3.0 * value).collect();
    let traces = Traces::default().gauge("here", "ipc", &here).gauge("there", "ipc", &there);
    let selection = select("ipc", &[rows(118, 190)]);
    let raw = traces.align(&selection).unwrap();
    assert_eq!(run(&raw, "there").quality.unwrap().fit, Fit::Poor);
    let options = AlignOptions { normalise: true, ..AlignOptions::default() };
    let normalised = traces.align_with(&selection, &options).unwrap();
    assert_eq!(run(&normalised, "there").quality.unwrap().fit, Fit::Good);
    assert_eq!(run(&normalised, "there").warnings, [] as [&str; 0]);
}
