//! What requests to run and to compare have in common.

use super::values::{any_text, duration, name, path, text};
use crate::value::{Named, OptionValue};
use crate::{
    CleaningOptions, CommandOptions, MetricOption, ParameterList, ParameterScan, RunningOptions,
    SubjectOptions,
};
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_measure::{EnvironmentOffset, Input, Output, Tolerated};
use fathom_record::Metric;
use fathom_stats::outliers::{
    ClusterShare, CutCurve, CutLevel, CutPolynomial, Method, MinPts, OutlierGrid, OutlierRule,
};
use proptest::prelude::*;

/// Any commands with parameters.
pub(super) fn subjects() -> impl Strategy<Value = SubjectOptions> {
    let number = || prop_oneof!["[0-9]{1,4}", "-[1-9][0-9]{0,3}", "[0-9]\\.[0-9]{1,3}"];
    let scan =
        (name(), number(), number()).prop_map(|(name, min, max)| ParameterScan { name, min, max });
    let list = (name(), "-{0,2}[a-z0-9 ]{1,4}(,[a-z0-9-]{0,4}){0,3}")
        .prop_map(|(name, values)| ParameterList { name, values });
    let few = |n| prop::collection::vec(text(), 0..n);
    (
        few(4),
        few(3),
        prop::collection::vec(scan, 0..3),
        prop::collection::vec(number(), 0..3),
        prop::collection::vec(list, 0..3),
        prop::option::of(text()),
    )
        .prop_map(|(commands, names, scans, steps, lists, reference)| SubjectOptions {
            commands,
            names,
            // A step without a range is refused.
            steps: if scans.is_empty() { Vec::new() } else { steps },
            scans,
            lists,
            reference,
        })
}

/// Any way to run commands.
pub(super) fn running() -> impl Strategy<Value = RunningOptions> {
    let hooks = || prop::collection::vec(text(), 0..3);
    let offset = prop_oneof![
        Just(EnvironmentOffset::Random),
        (0..100_000_usize).prop_map(EnvironmentOffset::Fixed),
    ];
    let metric =
        (name(), prop::sample::select(vec!["last-number", "json:a.b[0]", "csv:c", "x: ([0-9.]+)"]))
            .prop_filter_map("valid", |(name, how)| {
                MetricOption::read(&format!("{name}={how}")).ok()
            });
    let on = prop_oneof![
        prop::sample::select(Metric::OF_EVERY_RUN.to_vec()),
        name().prop_map(Metric::Printed),
    ];
    let before = (prop::option::of(0..100_usize), hooks(), hooks(), hooks(), hooks());
    let what = (
        prop::option::of(offset),
        prop::collection::vec("[a-z-]{2,10}", 0..3),
        prop::collection::vec(metric, 0..2),
        prop::collection::vec(on, 0..2),
    );
    let between = prop::option::of(text());
    (before, between, command(), what).prop_map(|(before, between, command, what)| {
        let (warmup, setup, prepare, conclude, cleanup) = before;
        let (env_offset, counters, metrics, on) = what;
        RunningOptions {
            warmup,
            setup,
            prepare,
            conclude,
            cleanup,
            between,
            command,
            env_offset,
            counters,
            metrics,
            on,
        }
    })
}

/// Any way to run one command.
pub(super) fn command() -> impl Strategy<Value = CommandOptions> {
    let tolerated = prop_oneof![
        Just(Tolerated::Nothing),
        Just(Tolerated::Everything),
        prop::collection::vec(0..256_i32, 1..4).prop_map(Tolerated::Codes),
    ];
    let output = prop_oneof![
        Just(Output::Null),
        Just(Output::Pipe),
        Just(Output::Inherit),
        path().prop_map(Output::File),
        Just(Output::File("-x".into())),
    ];
    let input = prop_oneof![
        Just(Input::Null),
        path().prop_map(Input::File),
        Just(Input::File("-x".into())),
    ];
    let shell = prop_oneof!["[a-z][a-z -]{0,8}", any_text()];
    (
        prop::option::of(shell),
        tolerated,
        prop::option::of(duration()),
        output,
        input,
        prop::option::of(any::<usize>()),
    )
        .prop_map(|(shell, ignore_failure, timeout, output, input, cpu)| CommandOptions {
            shell,
            ignore_failure,
            timeout,
            output,
            input,
            cpu,
        })
}

/// Any way to clean samples.
pub(super) fn cleaning() -> impl Strategy<Value = CleaningOptions> {
    let steady = prop_oneof![
        Just(SteadyStatePolicy::Auto),
        Just(SteadyStatePolicy::Off),
        any::<usize>().prop_map(SteadyStatePolicy::Skip),
    ];
    let grid = prop_oneof![
        Just(OutlierGrid::Auto),
        Just(OutlierGrid::Off),
        (1e-9..1e9_f64).prop_map(OutlierGrid::Step),
    ];
    let outliers = prop::sample::select(<OutlierPolicy as Named>::ALL.to_vec());
    let method = prop::sample::select(<Method as Named>::ALL.to_vec());
    let polynomial = prop::collection::vec(-1e6..1e6_f64, 2..=CutPolynomial::MOST)
        .prop_filter_map("a curve", |all| CutPolynomial::new(&all).ok());
    let curve = prop_oneof![Just(CutCurve::Bell), polynomial.prop_map(CutCurve::Polynomial)];
    let rule = (method, grid, 1e-6..0.5_f64, 1..1000_usize, curve, 0.0..1.0_f64).prop_map(
        |(method, grid, share, min_pts, curve, level)| {
            let usual = OutlierRule::default();
            OutlierRule {
                method,
                grid,
                share: ClusterShare::new(share).unwrap_or(usual.share),
                min_pts: MinPts::new(min_pts).unwrap_or(usual.min_pts),
                curve,
                level: CutLevel::new(level).unwrap_or(usual.level),
            }
        },
    );
    (any::<bool>(), steady, outliers, rule, any::<bool>()).prop_map(
        |(assume_independent, steady_state, outliers, rule, correlogram)| CleaningOptions {
            assume_independent,
            steady_state,
            outliers,
            outlier_method: rule.method,
            outlier_grid: rule.grid,
            outlier_share: rule.share,
            outlier_min_pts: rule.min_pts,
            outlier_curve: rule.curve,
            outlier_level: rule.level,
            correlogram,
        },
    )
}
