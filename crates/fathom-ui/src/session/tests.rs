//! What a session's view says and shows, and that its JSON is what the page reads.

use super::counted::Counted;
use super::made_sessions::{Noise, USUAL, alone, compared, report, subject};
use super::{Label, SessionView, Tone, view};
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::compare::{Margin, compare_unpaired};
use fathom_analyze::{EstimateRequest, Statistic, analyze};
use fathom_record::{Series, Unit};
use fathom_stats::Confidence;
use fathom_stats::outliers::Method;
use fathom_stats::paired::Block;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web/src")
}

fn fixtures() -> [(&'static str, SessionView); 2] {
    [
        ("session-comparison.json", view(&compared(0.015, &USUAL), &USUAL)),
        ("session-subject.json", view(&alone(&USUAL), &USUAL)),
    ]
}

/// The page's tests read them. `UPDATE_FIXTURES=1` writes them again.
#[test]
fn fixtures_are_what_is_written() {
    for (name, view) in fixtures() {
        let path = web().join("fixtures").join(name);
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            let text = serde_json::to_string_pretty(&view).unwrap() + "\n";
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
        }
        let kept: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(
            are_alike(&kept, &serde_json::to_value(view).unwrap()),
            "{name} is not what is written now; UPDATE_FIXTURES=1 writes it"
        );
    }
}

/// The same but for rounding, which the system's mathematics may do otherwise.
fn are_alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            (one - other).abs() <= 1e-9 * one.abs().max(1e-6)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| are_alike(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, a)| other.get(name).is_some_and(|b| are_alike(a, b)))
        }
        _ => one == other,
    }
}

/// The names of an interface's own fields, in their order, and whether they may be missing.
fn fields(contract: &str, interface: &str) -> Vec<(String, bool)> {
    let start = contract.find(&format!("export interface {interface} {{")).unwrap();
    let mut depth = 0;
    let mut names = Vec::new();
    for line in contract[start..].lines() {
        let code = line.trim();
        let is_comment = code.starts_with("/*") || code.starts_with('*');
        if depth == 1
            && !is_comment
            && let Some((name, _)) = code.split_once(':')
        {
            names.push((name.trim_end_matches('?').to_string(), name.ends_with('?')));
        }
        if !is_comment {
            depth += code.matches('{').count();
            depth -= code.matches('}').count();
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn keys(value: &Value) -> Vec<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

#[test]
fn json_has_the_names_of_the_contract() {
    let contract = std::fs::read_to_string(web().join("contract.ts")).unwrap();
    let [(_, both), (_, one)] = fixtures();
    let (both, one) = (serde_json::to_value(both).unwrap(), serde_json::to_value(one).unwrap());
    let subject = &one["subjects"][0];
    let comparison = &both["comparisons"][0];
    for (interface, value) in [
        ("SessionView", &both),
        ("SessionOptions", &both["options"]),
        ("SubjectView", subject),
        ("EstimateView", &subject["estimates"][0]),
        ("ComparisonView", comparison),
    ] {
        let found = keys(value);
        let expected = fields(&contract, interface).into_iter();
        let expected = expected.filter(|(name, may_miss)| !may_miss || found.contains(name));
        let expected = sorted(expected.map(|(name, _)| name).collect());
        assert!(expected.len() >= 4, "{interface}: {expected:?}");
        assert_eq!(sorted(found), expected, "{interface}");
    }
    for (value, names) in [
        (&both["verdict"], "sentence tone"),
        (&subject["samples"], "change_points index label left_out n outlying thinned values"),
        (&subject["samples"]["outlying"][0], "factor index kind"),
        (&subject["histogram"], "beyond counts edges"),
        (&subject["ecdf"], "band p x"),
        (&subject["ecdf"]["band"], "lower upper"),
        (&subject["correlogram"], "band r"),
        (&comparison["shift"], "band p ratio"),
        (&comparison["shift"]["band"], "lower upper"),
        (&comparison["blocks"], "counts log_ratio"),
    ] {
        assert_eq!(sorted(keys(value)).join(" "), names);
        // The names above are those of the contract.
        let is_there =
            |name: &str| [":", "?:"].iter().any(|end| contract.contains(&format!("{name}{end}")));
        assert!(names.split(' ').all(is_there), "{names}");
    }
}

#[test]
fn a_comparison_is_told_in_words_and_pictures() {
    let found = view(&compared(0.015, &USUAL), &USUAL);
    assert_eq!(found.verdict.tone, Tone::Worse);
    assert!(found.verdict.sentence.starts_with("./sort --new is "), "{}", found.verdict.sentence);
    assert!(found.options_note.as_ref().unwrap().contains("95%, was fixed before"));
    let comparison = &found.comparisons[0];
    let blocks = comparison.blocks.as_ref().unwrap();
    assert_eq!(blocks.log_ratio.len(), blocks.counts.len());
    for (place, counts) in blocks.counts.iter().enumerate() {
        assert_eq!(*counts, !(4..10).contains(&place), "block {place}");
    }
    assert!(comparison.notes.iter().any(|note| note.contains("excluded; with all")));
    assert!(comparison.notes.iter().any(|note| note.starts_with("gate --fail-if-slower 1%: ")));
    let shift = comparison.shift.as_ref().unwrap();
    assert_eq!((shift.p.len(), shift.p[0], shift.p[98]), (99, 0.01, 0.99));
    let band = shift.band.as_ref().unwrap();
    for place in 0..99 {
        let (low, high) = (band.lower[place].0, band.upper[place].0);
        assert!(low <= shift.ratio[place] && shift.ratio[place] <= high);
        assert!(low <= 1.015 && 1.015 <= high, "the truth at {}", shift.p[place]);
    }
    assert_eq!(band.upper[98].0, f64::INFINITY, "so few samples do not bound p99");
    // The same blocks of both, although each alone has another steady state.
    assert!(shift.ratio.iter().all(|ratio| (0.99..1.05).contains(ratio)), "{:?}", shift.ratio);
    assert!(band.lower[49].0 > 0.9 && band.upper[49].0 < 1.1);
}

#[test]
fn options_change_subjects_but_not_the_verdict() {
    let other = super::SessionOptions {
        confidence: Confidence::new(0.8).unwrap(),
        outliers: OutlierPolicy::Remove,
        outlier_method: Method::Mad,
        steady_state: SteadyStatePolicy::Skip(10),
        statistic: Statistic::Mean,
    };
    let (usual, changed) =
        (view(&compared(0.015, &USUAL), &USUAL), view(&compared(0.015, &other), &other));
    assert_eq!(usual.verdict, changed.verdict);
    assert_eq!(usual.comparisons[0].lower, changed.comparisons[0].lower);
    assert_eq!(changed.subjects[0].estimates[0].statistic, "mean");
    assert_eq!(changed.subjects[0].samples.label[..10], [Label::Warmup; 10]);
    assert_eq!(changed.options, other);
    assert!(serde_json::to_string(&changed).unwrap().contains("\"steady_state\":10"));
}

#[test]
fn a_single_subject_shows_its_warm_up_and_outliers() {
    let found = view(&alone(&USUAL), &USUAL);
    assert_eq!((found.verdict.tone, &found.options_note), (Tone::Plain, &None));
    let subject = &found.subjects[0];
    assert_eq!(found.verdict.sentence, subject.sentence);
    assert!(subject.sentence.starts_with("./render scene takes 83."), "{}", subject.sentence);
    assert!(subject.trail.contains("first 80 are warm-up (excluded)"), "{}", subject.trail);
    let count = |label: Label| subject.samples.label.iter().filter(|one| **one == label).count();
    assert_eq!((count(Label::Warmup), count(Label::Outlier)), (80, 6));
    let histogram = subject.histogram.as_ref().unwrap();
    assert_eq!(histogram.beyond, 6);
    assert_eq!(histogram.counts.iter().sum::<usize>(), 520 - 6);
    let ecdf = subject.ecdf.as_ref().unwrap();
    assert_eq!(ecdf.p.last(), Some(&1.0));
    assert_eq!(subject.correlogram.as_ref().unwrap().r.len(), 100);
    let estimate = &subject.estimates[0];
    assert!(estimate.text.starts_with("83.") && estimate.text.contains(" ms ("));
    assert!(estimate.lower.unwrap().0 < estimate.value && estimate.declined.is_none());
}

/// Rules with clusters say whether an outlier has company; fences do not know.
#[test]
fn the_rule_can_be_switched() {
    let kinds = |outlier_method| {
        let options = super::SessionOptions { outlier_method, ..USUAL };
        let found = view(&alone(&options), &options);
        let all = found.subjects[0].samples.outlying.clone();
        assert!(!all.is_empty() && all.iter().all(|one| one.factor > 0.0), "{all:?}");
        all.iter().map(|one| one.kind.is_some()).collect::<Vec<bool>>()
    };
    assert!(kinds(Method::Full).into_iter().all(|is_known| is_known));
    assert!(!kinds(Method::Tukey).into_iter().any(|is_known| is_known));
}

#[test]
fn without_outliers_the_dependence_shows() {
    let options = super::SessionOptions { outliers: OutlierPolicy::Remove, ..USUAL };
    let found = view(&alone(&options), &options);
    let subject = &found.subjects[0];
    let correlogram = subject.correlogram.as_ref().unwrap();
    assert!((0.3..0.5).contains(&correlogram.r[0]), "{:?}", correlogram.r[0]);
    assert!(correlogram.r[0] > correlogram.band && correlogram.r[40].abs() < 0.2);
    assert_eq!(subject.histogram.as_ref().unwrap().beyond, 0);
    assert!(subject.samples.label.contains(&Label::Outlier), "labelled all the same");
}

#[test]
fn dependence_widens_the_band_and_can_take_it_away() {
    let mut noise = Noise::from(3);
    let mut walk = |phi: f64, n: usize| {
        let mut level = 0.0;
        let values = (0..n).map(|_| {
            level = phi * level + noise.normal();
            1.0 + 0.01 * level
        });
        let options = super::SessionOptions { steady_state: SteadyStatePolicy::Off, ..USUAL };
        view(&report(vec![subject("walk", values.collect(), &options)], None), &options)
    };
    let width = |view: &SessionView| {
        let ecdf = view.subjects[0].ecdf.as_ref().unwrap();
        let (middle, band) = (ecdf.x.len() / 2, ecdf.band.as_ref().unwrap());
        band.upper[middle] - band.lower[middle]
    };
    let (apart, alike) = (walk(0.0, 400), walk(0.8, 400));
    assert!(width(&alike) > 2.0 * width(&apart), "{} {}", width(&alike), width(&apart));
    let random = walk(1.0, 200);
    let alone = random.subjects[0].ecdf.as_ref().unwrap();
    assert_eq!(
        (alone.x.len(), &alone.band),
        (200, &None),
        "what was measured is seen all the same"
    );
    let warning = random.subjects[0].warnings.join(" ");
    assert!(
        warning.contains("no confidence band for the distribution: the samples are so strongly"),
        "{warning}"
    );
}

#[test]
fn ratios_are_drawn_without_a_band_where_a_side_has_none() {
    let few = |by: f64| (0..12).map(|i| by + f64::from(i * 5 % 12)).collect::<Vec<f64>>();
    let sides = [few(11.0), few(1.0)]
        .map(|values| Counted::some(&subject("x", values.clone(), &USUAL), values));
    let (shift, why) = super::ShiftView::of(&sides, Confidence::DEFAULT).unwrap();
    assert_eq!((shift.p.len(), shift.band), (99, None));
    assert!(why.unwrap().contains("12 samples are too few"));
}

#[test]
fn few_constant_and_single_samples_have_words_instead() {
    let of = |values: Vec<f64>| {
        let found = view(&report(vec![subject("x", values, &USUAL)], None), &USUAL);
        found.subjects.into_iter().next().unwrap()
    };
    let few = of((0..12).map(|i| 1.0 + f64::from(i * 5 % 12)).collect());
    assert!(few.ecdf.is_some_and(|ecdf| ecdf.band.is_none()) && few.histogram.is_some());
    assert!(few.warnings.iter().any(|one| one.contains("12 samples are too few")));
    assert!(few.estimates[0].if_independent && few.estimates[0].declined.is_none());
    let condition = ", assuming independent runs; too few to check)";
    assert!(few.estimates[0].text.ends_with(condition), "{}", few.estimates[0].text);
    let constant = of(vec![2.0; 50]);
    assert!(constant.ecdf.is_none() && constant.histogram.is_none());
    assert!(constant.correlogram.is_none());
    assert!(constant.warnings[0].contains("limited by its resolution"));
    let one = of(vec![3.0]);
    assert_eq!((one.samples.n, one.ecdf, one.histogram), (1, None, None));
}

#[test]
fn samples_taken_as_independent_have_a_band_from_the_first_on() {
    let series = Series::new("x", Unit::SECONDS, vec![1.0, 2.0, 4.0]).unwrap();
    let request = EstimateRequest { assume_independent: true, ..EstimateRequest::default() };
    let found = view(&report(vec![analyze(series, &request)], None), &USUAL);
    let ecdf = found.subjects[0].ecdf.as_ref().unwrap();
    assert_eq!(ecdf.x, [1.0, 2.0, 4.0]);
    assert!(found.subjects[0].trail.contains("assumed independent"));
}

#[test]
fn executions_count_once() {
    let values: Vec<f64> = (0..90).map(|i| 1.0 + 0.01 * f64::from(i * 7 % 30)).collect();
    let series = Series::new("x", Unit::SECONDS, values).unwrap();
    let series = series.with_executions(vec![3; 30]).unwrap();
    let found = view(&report(vec![analyze(series, &EstimateRequest::default())], None), &USUAL);
    assert_eq!(found.subjects[0].samples.n, 30);
    assert_eq!(found.subjects[0].estimates[0].n_used, 30);
}

#[test]
fn saved_results_are_compared_without_blocks() {
    let mut noise = Noise::from(11);
    let mut values = |middle: f64| -> Vec<f64> {
        (0..200).map(|_| middle * (0.02 * noise.normal()).exp()).collect()
    };
    let [old, new] =
        [("old", values(1.0)), ("new", values(0.8))].map(|(n, v)| subject(n, v, &USUAL));
    let comparison =
        compare_unpaired(&old, &new, &EstimateRequest::default(), Margin::DEFAULT, &[]).unwrap();
    let found = view(&report(vec![old, new], Some(vec![comparison])), &USUAL);
    assert_eq!((found.verdict.tone, &found.options_note), (Tone::Better, &None));
    assert!(found.comparisons[0].blocks.is_none() && found.comparisons[0].shift.is_some());
    let middle = &found.comparisons[0].shift.as_ref().unwrap();
    let band = middle.band.as_ref().unwrap();
    assert!(band.upper[49].0 < 0.85 && band.lower[49].0 > 0.75, "{:?}", middle.ratio[49]);
}

#[test]
fn blocks_that_runs_do_not_give_are_drawn_alike() {
    let mut report = compared(0.015, &USUAL);
    let series = report.subjects[1].series.clone();
    let values = series.values().iter().map(|value| 1.001 * value * value.sqrt()).collect();
    report.subjects[1] = subject(series.name(), values, &USUAL);
    // A document of before 2026-11, which says how many blocks were set aside, and not which.
    let comparison = &mut report.comparisons.as_mut().unwrap()[0];
    if let fathom_analyze::compare::Design::Paired(paired) = &mut comparison.design {
        paired.set_aside.clear();
    }
    let found = view(&report, &USUAL);
    let comparison = &found.comparisons[0];
    assert!(comparison.blocks.as_ref().unwrap().counts.iter().all(|counts| *counts));
    assert!(comparison.notes.iter().any(|note| note.contains("all look alike in the chart")));
}

/// Which blocks were set aside is found again from the runs, where a document does not say it; also if the
/// last block is a single pair.
#[test]
fn blocks_that_were_set_aside_are_found_again() {
    let usual = view(&compared(0.015, &USUAL), &USUAL);
    let known = usual.comparisons[0].blocks.clone().unwrap().counts;
    assert!(known.contains(&false));
    for is_halved in [false, true] {
        let mut report = compared(0.015, &USUAL);
        let mut last = Vec::new();
        for side in &mut report.subjects {
            let mut values = side.series.values().to_vec();
            if is_halved {
                values.pop();
                last.push([*values.last().unwrap(); 2]);
            }
            *side = subject(side.series.name(), values, &USUAL);
        }
        let mut comparison = report.comparisons.take().unwrap().remove(0);
        if is_halved {
            comparison = comparison.with_last_block_halved();
        }
        if let fathom_analyze::compare::Design::Paired(paired) = &mut comparison.design {
            paired.set_aside.clear();
            if let ([old, new], Some(log_ratio)) = (last.as_slice(), paired.log_ratios.last_mut()) {
                *log_ratio = Block::of(*new, *old).unwrap().log_ratio;
            }
        }
        report.comparisons = Some(vec![comparison]);
        let found = view(&report, &USUAL);
        let comparison = &found.comparisons[0];
        assert_eq!(comparison.blocks.as_ref().unwrap().counts, known, "halved: {is_halved}");
        assert!(!comparison.notes.iter().any(|note| note.contains("all look alike in the chart")));
    }
}

#[test]
fn only_what_is_known_to_be_good_or_bad_is_coloured() {
    let mut noise = Noise::from(5);
    let mut tone = |unit: Unit, factor: f64| {
        let mut side = |name: &str, middle: f64| {
            let values = (0..100).map(|_| middle * (0.01 * noise.normal()).exp()).collect();
            let series = Series::new(name, unit.clone(), values).unwrap();
            analyze(series, &EstimateRequest::default())
        };
        let [old, new] = [side("old", 100.0), side("new", 100.0 * factor)];
        let request = EstimateRequest::default();
        let comparison = compare_unpaired(&old, &new, &request, Margin::DEFAULT, &[]).unwrap();
        view(&report(vec![old, new], Some(vec![comparison])), &USUAL).verdict.tone
    };
    assert_eq!(tone(Unit::SECONDS, 1.2), Tone::Worse);
    assert_eq!(tone(Unit::Bytes, 1.2), Tone::Worse);
    assert_eq!(tone(Unit::parse("requests"), 1.2), Tone::Plain);
    assert_eq!(tone(Unit::parse("requests"), 1.0), Tone::Same);
    assert_eq!(tone(Unit::SECONDS, 0.8), Tone::Better);
}
