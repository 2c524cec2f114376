//! Two groups of whole runs, contrasted.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod made_source;

use fathom_explain::ExplainCache;
use fathom_explain::align::AlignOptions;
use fathom_explain::contrast::{
    Contrast, ContrastError, ContrastQuestion, ContrastedMetric, MetricOrigin, PhaseChoice,
    RunSide, contrast_with,
};
use made_source::{Made, noise};

/// How long the three phases of a run last, in seconds: no two runs are alike.
fn lengths(run: usize) -> [usize; 3] {
    [40 + run % 3, 60 + (run * 5) % 7, 50 + (run * 3) % 4]
}

/// Runs in which `work` shows three phases. In the second group `pause` is higher in the second phase,
/// and `still` never changes.
fn traces(first: usize, second: usize) -> Made {
    let mut made = Made::default();
    for run in 0..first + second {
        let seed = run as u64 * 100;
        let phases = lengths(run);
        let rows: usize = phases.iter().sum();
        let phase: Vec<usize> =
            phases.iter().enumerate().flat_map(|(n, rows)| std::iter::repeat_n(n, *rows)).collect();
        let level = |levels: [f64; 3], seed: u64, size: f64| -> Vec<f64> {
            let noise = noise(seed, rows);
            phase.iter().zip(noise).map(|(phase, noise)| levels[*phase] + size * noise).collect()
        };
        let id = format!("run-{}", run + 1);
        let pause = if run < first { 2.0 } else { 3.0 };
        made = made
            .with(&id, "work", level([1.0, 8.0, 4.0], seed + 1, 0.3))
            .with(&id, "pause", level([2.0, pause, 2.0], seed + 2, 0.5))
            .with(&id, "other", level([5.0; 3], seed + 3, 1.0))
            .with(&id, "still", vec![7.0; rows]);
    }
    made
}

fn question(first: usize, second: usize) -> ContrastQuestion {
    let side = |run: usize| if run < first { RunSide::First } else { RunSide::Second };
    ContrastQuestion {
        names: ["good".to_string(), "bad".to_string()],
        sides: (0..first + second).map(|run| Some(side(run))).collect(),
        reference: None,
        alignment: AlignOptions { common: Some("work".to_string()), ..AlignOptions::default() },
        phases: PhaseChoice::Auto,
        only: Vec::new(),
        selected_by: Vec::new(),
    }
}

fn asked(made: &Made, question: &ContrastQuestion) -> Result<Contrast, ContrastError> {
    contrast_with(made, question, &ExplainCache::new(0), &|_| Ok(()))
}

fn metric<'c>(found: &'c Contrast, name: &str) -> &'c ContrastedMetric {
    found.metrics.iter().find(|one| one.metric.name == name).unwrap()
}

#[test]
fn what_differs_is_found_where_it_does() {
    let found = asked(&traces(5, 5), &question(5, 5)).unwrap();
    assert_eq!((found.sizes(), found.phases.len(), found.still), ([5, 5], 3, 1));
    let first = &found.metrics[0];
    assert_eq!((first.metric.name.as_str(), first.place()), ("pause", Some(1)));
    assert!(first.is_significant());
    let (change, relative) = first.most().change().unwrap();
    assert!((change - 1.0).abs() < 0.1 && (relative.unwrap() - 0.5).abs() < 0.06, "{change}");
    // Elsewhere it does not differ.
    assert!(!first.phases[0].is_significant() && !first.phases[2].is_significant());
    for name in ["work", "other", "duration"] {
        assert!(!metric(&found, name).is_significant(), "{name}");
    }
    assert_eq!(metric(&found, "duration").origin, MetricOrigin::Duration);
}

#[test]
fn phases_are_carried_into_every_run() {
    let found = asked(&traces(4, 4), &question(4, 4)).unwrap();
    for (place, run) in found.runs.iter().enumerate() {
        let [one, two, _] = lengths(place);
        let ends: Vec<f64> = run.moments.iter().map(|moment| moment.seconds()).collect();
        assert!((ends[1] - one as f64).abs() <= 3.0, "{place}: {ends:?}");
        assert!((ends[2] - (one + two) as f64).abs() <= 3.0, "{place}: {ends:?}");
    }
    // The reference is of middle length, whichever group it is in.
    let lengths: Vec<usize> = (0..8).map(|run| lengths(run).iter().sum()).collect();
    let longer = lengths.iter().filter(|length| **length > lengths[found.reference]).count();
    let shorter = lengths.iter().filter(|length| **length < lengths[found.reference]).count();
    assert!(longer <= 4 && shorter <= 4, "{longer} {shorter}");
}

#[test]
fn few_runs_show_nothing_and_say_how_many_are_needed() {
    let found = asked(&traces(2, 2), &question(2, 2)).unwrap();
    assert!(!found.is_enough());
    assert_eq!((found.sizes_needed, found.divisions), ([4, 3], (3, true)));
    assert!(found.metrics.iter().all(|one| !one.is_significant()));
    // What differs most is known all the same.
    assert_eq!(found.metrics[0].metric.name, "pause");
}

#[test]
fn groups_made_by_a_metric_do_not_discover_it() {
    let by = ContrastQuestion { selected_by: vec!["pause".to_string()], ..question(5, 5) };
    let found = asked(&traces(5, 5), &by).unwrap();
    let pause = metric(&found, "pause");
    assert_eq!((pause.origin, pause.is_significant()), (MetricOrigin::SelectedBy, false));
    assert!(
        pause.phases[1].change().is_some() && found.compared().all(|one| !one.is_significant())
    );
}

#[test]
fn runs_without_a_shared_metric_are_compared_whole() {
    let mut made = Made::default();
    for run in 0..8 {
        let own = format!("own-{run}");
        let seed = run as u64;
        made = made.with(&format!("run-{run}"), &own, noise(seed, 50));
    }
    let mut plain = question(4, 4);
    plain.alignment.common = None;
    let found = asked(&made, &plain).unwrap();
    assert!(found.phases.is_empty() && found.notes[0].contains("without phases"), "{found:?}");
    assert_eq!(found.one_sided.len(), 8);
    // Phases that were asked for are not left out in silence.
    plain.phases = PhaseChoice::Exactly(3);
    assert!(matches!(asked(&made, &plain), Err(ContrastError::Align(_))));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let made = traces(3, 3);
    let mut empty = question(3, 3);
    empty.sides = vec![Some(RunSide::First); 6];
    let refused = asked(&made, &empty).unwrap_err().to_string();
    assert!(refused.contains("no run is in the group bad"), "{refused}");
    let unknown = ContrastQuestion { only: vec!["zzz".to_string()], ..question(3, 3) };
    let refused = asked(&made, &unknown).unwrap_err().to_string();
    assert!(refused.contains("with zzz in its name"), "{refused}");
    let elsewhere = ContrastQuestion { reference: Some("run-9".to_string()), ..question(3, 3) };
    assert!(asked(&made, &elsewhere).unwrap_err().to_string().contains("run-9"));
}

/// A run that is left out changes nothing, and neither does the order of groups.
#[test]
fn only_chosen_runs_count() {
    let all = traces(5, 5);
    let mut fewer = question(5, 5);
    fewer.sides[0] = None;
    let found = asked(&all, &fewer).unwrap();
    assert_eq!((found.sizes(), found.runs.len()), ([4, 5], 9));
    let mut turned = question(5, 5);
    for side in turned.sides.iter_mut().flatten() {
        *side = if *side == RunSide::First { RunSide::Second } else { RunSide::First };
    }
    let (one, other) = (asked(&all, &question(5, 5)).unwrap(), asked(&all, &turned).unwrap());
    for (a, b) in one.metrics.iter().zip(&other.metrics) {
        assert_eq!(a.metric.name, b.metric.name);
        assert!((a.most().separation() - b.most().separation()).abs() < 1e-9);
    }
}
