//! No sentence on a bench's page names an option that a bench lacks. Only tests read sentences: what
//! the page leaves out is decided by values (`fathom_record::Advice`).

use super::{HELP, OPTIONS, front_end, is_option};
use crate::example_reports::comparison;
use fathom_analyze::clean::OtherLoad;
use fathom_analyze::compare::{Comparison, Gate, GateOutcome, Margin, Pairing};
use fathom_analyze::{
    IndependenceSource, Method, MissingEnds, NoInterval, SamplesNeeded, Statistic, StopReason,
    Warning,
};
use fathom_record::{Advice, AdvisedOption, FrontEnd, Remedy, Unit};
use fathom_render::comparison_notes::{Spent, gate_line, settle};
use fathom_stats::Confidence;
use fathom_stats::work_rate::UnknownInterval;
use std::collections::BTreeSet;
use std::path::Path;

/// The words of a text that are options: "--method", "-r".
fn options_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| {
        let is_short = word.len() == 2 && word.ends_with(|c: char| c.is_ascii_alphabetic());
        (is_short && word.starts_with('-')) || (word.len() > 2 && word.starts_with("--"))
    })
}

/// Whether a text names an option that this command line lacks. Whole commands, in backquotes, have
/// options of their own.
fn names_other_options(text: &str) -> bool {
    let known: BTreeSet<&str> = options_in(HELP).collect();
    let outside = text.split('`').step_by(2);
    outside.flat_map(options_in).any(|option| !known.contains(option))
}

#[test]
fn options_are_found_outside_of_commands() {
    assert_eq!(options_in("a - b -- c, -r 3 or --max-time 4s, -1%").count(), 2);
    assert!(names_other_options("use --method exact"));
    assert!(names_other_options("would settle it: -r 20"));
    assert!(!names_other_options("accept a wider --margin (-v shows more)"));
    assert!(!names_other_options("busy; `fathom compare --on user-time` suffers less"));
}

/// What the command line understands is what its help lists.
#[test]
fn the_help_names_every_option_and_no_other() {
    let is_long = |option: &&str| option.starts_with("--") && *option != "--bench";
    let listed: BTreeSet<&str> = options_in(HELP).filter(is_long).collect();
    assert!(listed.iter().all(|option| is_option(option)), "{listed:?}");
    assert!(OPTIONS.iter().all(|option| listed.contains(option)), "{listed:?}");
}

#[test]
fn this_front_end_has_some_of_the_options_that_sentences_may_name() {
    for option in AdvisedOption::ALL {
        let has = matches!(
            option,
            AdvisedOption::AllowInconclusive
                | AdvisedOption::Margin
                | AdvisedOption::MaxTime
                | AdvisedOption::Statistic
        );
        assert_eq!(front_end().option(option).is_some(), has, "{option:?}");
    }
}

/// Every reason for no interval: the one after `why`, so that the compiler asks for new ones.
fn reason_after(why: &NoInterval) -> Option<NoInterval> {
    let why = match why {
        NoInterval::NoSamples => NoInterval::TooFew { n: 3 },
        NoInterval::TooFew { .. } => NoInterval::TooDependent { effective: 2.5, needed: 300 },
        NoInterval::TooDependent { .. } => NoInterval::Constant,
        NoInterval::Constant => NoInterval::NotPositive { smallest: -1.0 },
        NoInterval::NotPositive { .. } => {
            NoInterval::NotResampled { why: "equal".to_string(), statistic: Statistic::MEDIAN }
        }
        NoInterval::NotResampled { statistic: Statistic::Quantile(_), .. } => {
            NoInterval::NotResampled { why: "equal".to_string(), statistic: Statistic::Mean }
        }
        NoInterval::NotResampled { .. } => {
            NoInterval::WithoutBootstrap { statistic: Statistic::MEDIAN }
        }
        NoInterval::WithoutBootstrap { statistic: Statistic::Quantile(_) } => {
            NoInterval::WithoutBootstrap { statistic: Statistic::Mean }
        }
        NoInterval::WithoutBootstrap { .. } => NoInterval::OfShell(Box::new(NoInterval::Constant)),
        NoInterval::OfShell(_) => NoInterval::AlwaysAlike { range: 0.1 },
        NoInterval::AlwaysAlike { .. } => return None,
    };
    Some(why)
}

fn reasons() -> Vec<NoInterval> {
    std::iter::successors(Some(NoInterval::NoSamples), reason_after).collect()
}

/// As [`reason_after`], of warnings.
fn warning_after(warning: &Warning) -> Option<Warning> {
    let statistic = Statistic::MEDIAN;
    let confidence = Confidence::DEFAULT;
    let load = OtherLoad { before: 0.4, after: 0.01 };
    let warning = match warning {
        Warning::SameValues { .. } => Warning::Pooled { executions: 3 },
        Warning::Pooled { .. } => Warning::TailOfExecutions { statistic },
        Warning::TailOfExecutions { .. } => Warning::NoSteadyState { change_points: vec![7, 9] },
        Warning::NoSteadyState { .. } => Warning::SlowDown { start: 7 },
        Warning::SlowDown { .. } => Warning::DisturbedBeginning { start: 7, n: 90, load },
        Warning::DisturbedBeginning { .. } => Warning::LongBeginning { start: 50, n: 90 },
        Warning::LongBeginning { .. } => Warning::RandomDrift,
        Warning::RandomDrift => Warning::NearlyAllSkipped { asked: 90, n: 90 },
        Warning::NearlyAllSkipped { .. } => {
            Warning::TooFewToCheck { n: 9, lag1: Some(0.7), needed: SamplesNeeded::AtLeast(20) }
        }
        Warning::TooFewToCheck { .. } => {
            Warning::NotIndependent { by: IndependenceSource::User, n: 90, effective: 7.0 }
        }
        Warning::NotIndependent { by: IndependenceSource::User, n, effective } => {
            let by = IndependenceSource::Method(Method::Z);
            Warning::NotIndependent { by, n: *n, effective: *effective }
        }
        Warning::NotIndependent { .. } => Warning::Skewed { skewness: 4.0, n: 9, confidence },
        Warning::Skewed { .. } => Warning::MeanOfRates { unit: Unit::Other("B/s".to_string()) },
        Warning::MeanOfRates { .. } => {
            Warning::ManyOutliers { count: 2, among: 20, are_removed: false }
        }
        Warning::ManyOutliers { count: 2, .. } => {
            Warning::ManyOutliers { count: 9, among: 90, are_removed: true }
        }
        Warning::ManyOutliers { .. } => {
            Warning::NoInterval { statistic, method: Method::Exact, why: NoInterval::Constant }
        }
        Warning::NoInterval { .. } => Warning::MissingEnds {
            missing: MissingEnds::Upper,
            statistic,
            confidence,
            n: 9,
            effective: Some(4.0),
            needed: 30,
        },
        Warning::MissingEnds { .. } => {
            Warning::SpaCoverage { statistic, coverage: 0.9, confidence }
        }
        Warning::SpaCoverage { .. } => {
            Warning::SubsessionCoverage { statistic: Statistic::Mean, coverage: 0.9, confidence }
        }
        Warning::SubsessionCoverage { .. } => Warning::Curved { p_value: 1e-4 },
        Warning::Curved { .. } => Warning::NegativeSetup,
        Warning::NegativeSetup => Warning::NoRateInterval {
            why: UnknownInterval::TooDependent { effective: 2.5, needed: 80 },
        },
        Warning::NoRateInterval { why: UnknownInterval::TooDependent { .. } } => {
            Warning::NoRateInterval { why: UnknownInterval::OneRunDecides }
        }
        Warning::NoRateInterval { why: UnknownInterval::OneRunDecides } => {
            Warning::NoRateInterval { why: UnknownInterval::NoSpread }
        }
        Warning::NoRateInterval { why: UnknownInterval::NoSpread } => {
            Warning::NoRateInterval { why: UnknownInterval::AmountsInOrder }
        }
        Warning::NoRateInterval { why: UnknownInterval::AmountsInOrder } => Warning::RatioChanged,
        Warning::RatioChanged => Warning::CarryOver {
            names: ["old", "new"].map(String::from),
            carried: Some([0.0, 0.05]),
            difference: 0.05,
            without: Some([1.0, 1.03]),
        },
        Warning::CarryOver { names, carried: Some(_), difference, .. } => Warning::CarryOver {
            names: names.clone(),
            carried: None,
            difference: *difference,
            without: None,
        },
        Warning::CarryOver { .. } => {
            Warning::RatioDependsOnSpeed { ratios: [1.1, 1.05], is_additive: true }
        }
        Warning::RatioDependsOnSpeed { .. } => {
            let names = ["old", "new"].map(String::from);
            Warning::SkewedBlocks { names, mean: 1.1, centre: 1.02 }
        }
        Warning::SkewedBlocks { .. } => Warning::NoiseChanged { halves: [0.01, 0.04] },
        Warning::NoiseChanged { .. } => Warning::RareRunsDecide { skewness: 3.0, blocks: 40 },
        Warning::RareRunsDecide { .. } => Warning::PairingCosts { factor: 0.8 },
        Warning::PairingCosts { .. } => {
            Warning::NoIntervalOfSide { name: "old".to_string(), why: NoInterval::Constant }
        }
        Warning::NoIntervalOfSide { .. } => Warning::Other(
            Advice::new("the machine is busy")
                .or(Remedy::new("wait"))
                .or(Remedy::using(AdvisedOption::Method, "exact")),
        ),
        Warning::Other(_) => return None,
    };
    Some(warning)
}

fn warnings() -> Vec<Warning> {
    let first = Warning::SameValues { n: 9, value: 2.0, unit: Unit::SECONDS };
    let mut all: Vec<Warning> = std::iter::successors(Some(first), warning_after).collect();
    all.extend(reasons().into_iter().flat_map(|why| {
        let (statistic, method) = (Statistic::MEDIAN, Method::Bca);
        let name = "old".to_string();
        [
            Warning::NoInterval { statistic, method, why: why.clone() },
            Warning::NoIntervalOfSide { name, why },
        ]
    }));
    all
}

#[test]
fn no_warning_names_an_option_that_benches_lack() {
    let all = warnings();
    for warning in &all {
        let text = warning.said(front_end());
        assert!(!names_other_options(&text), "{text}");
        assert!(!text.is_empty() && !text.ends_with([' ', ';', ',']), "{text}");
        // What happened is the same everywhere, but for the option that was used.
        if !names_other_options(&warning.to_string()) {
            assert_eq!(text, warning.to_string());
        }
    }
    let named = all.iter().filter(|warning| names_other_options(&warning.to_string())).count();
    assert!(named >= 10, "{named} name an option in `fathom`: the test sees nothing");
}

#[test]
fn no_reason_names_an_option_that_benches_lack() {
    for why in reasons() {
        let text = why.said(front_end());
        assert!(!names_other_options(&text) && text.starts_with(why.advice().what()), "{text}");
    }
    let duplicates = reasons().into_iter().find(|why| names_other_options(&why.to_string()));
    assert_eq!(duplicates.unwrap().said(front_end()), "equal");
}

#[test]
fn no_note_names_an_option_that_benches_lack() {
    let gates = vec![Gate::NotSlower(Margin::DEFAULT), Gate::Equivalent(Margin::DEFAULT)];
    let of = |spread: f64| comparison(["a", "b"], 0.004, spread, Pairing::Batches, gates.clone());
    let open = of(0.02);
    assert!(open.further.is_some());
    let hopeless = Comparison { further: None, ..open.clone() };
    let stops = [
        None,
        Some(StopReason::Fixed),
        Some(StopReason::Precision),
        Some(StopReason::Verdict),
        Some(StopReason::MaxTime),
        Some(StopReason::MaxRuns),
        Some(StopReason::Interrupted),
    ];
    let (mut here, mut in_fathom) = (Vec::new(), Vec::new());
    for found in [&open, &hopeless] {
        for stopped in stops {
            for seconds in [Some(1.0), Some(1e5), None] {
                let spent = Spent { seconds, stopped };
                here.extend(settle(found, spent, front_end()));
                in_fathom.extend(settle(found, spent, FrontEnd::FATHOM));
            }
        }
        for (gate, _) in &found.gates {
            let outcome = GateOutcome::Inconclusive;
            here.push(gate_line(found, *gate, outcome, front_end()));
        }
    }
    assert!(here.iter().all(|line| !names_other_options(line)), "{here:#?}");
    assert!(here.iter().any(|line| line.contains("--max-time")), "{here:#?}");
    assert!(here.iter().any(|line| line.contains("accept a wider --margin")), "{here:#?}");
    assert!(in_fathom.iter().any(|line| line.contains(": -r ")), "{in_fathom:#?}");
}

/// Every sentence in the sources of the crates whose words end up on a bench's page.
#[test]
fn no_sentence_of_the_harness_names_an_option_that_it_lacks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for file in [
        "src",
        "../fathom-analyze/src/decide/no_interval.rs",
        "../fathom-analyze/src/decide/warnings.rs",
        "../fathom-analyze/src/warning.rs",
        "../fathom-analyze/src/warning",
        "../fathom-render/src/comparison_notes.rs",
        "../fathom-sys/src/host/warnings.rs",
    ] {
        visit(&root.join(file), &mut |path, text| {
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for sentence in line.split('"').skip(1).step_by(2) {
                    // There `fathom` is started, which has options of these names.
                    let of_fathom =
                        path.ends_with("report_page.rs") && ["-o", "--version"].contains(&sentence);
                    let of_cargo = sentence.contains("cargo")
                        || sentence.contains("fathom-worker")
                        || of_fathom;
                    let of_tests = [
                        "--bench",
                        "--test",
                        "--nocapture",
                        "--no-capture",
                        "--show-output",
                        "--test-threads",
                    ]
                    .contains(&sentence);
                    // Where criterion's options are read they are words, not advice.
                    let of_criterion =
                        path.ends_with("criterion/words.rs") && options_in(sentence).eq([sentence]);
                    checked += 1;
                    assert!(
                        of_cargo || of_tests || of_criterion || !names_other_options(sentence),
                        "{}: {sentence}",
                        path.display()
                    );
                }
            }
        });
    }
    assert!(checked > 100, "{checked}");
}

/// Every source but this one, which has counterexamples, and those with the words of linkers,
/// valgrind and cargo.
fn visit(path: &Path, check: &mut dyn FnMut(&Path, &str)) {
    let others = ["command_line/named_options.rs", "duel/relink", "instructions/valgrind.rs"];
    if others.iter().any(|other| path.ends_with(other)) {
        return;
    }
    if path.is_file() {
        return check(path, &std::fs::read_to_string(path).unwrap());
    }
    for entry in std::fs::read_dir(path).unwrap() {
        visit(&entry.unwrap().path(), check);
    }
}
