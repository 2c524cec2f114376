//! Questions about traces.

use super::values::{any_text as text, any_texts as texts, duration, one_of, path, paths};
use crate::value::{Named, OptionValue};
use crate::{
    AlignmentOptions, AlignmentPenalty, ContrastRequest, ExplainRequest, MetricStore, NamedQuery,
    RankingOptions, RunSpan, StoreAccess, SuggestRequest, TraceFiles, TypedPattern, TypedSpan,
};
use fathom_explain::contrast::PhaseChoice;
use fathom_explain::{Correlator, Segments};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Any explanation.
pub fn explain_request() -> impl Strategy<Value = ExplainRequest> {
    let question = (text(), option::of(text()), vec(span(), 0..3), option::of(span()));
    let of_runs = (vec(run_span(), 0..2), vec(run_span(), 0..2));
    (files(), question, of_runs, alignment(), ranking()).prop_map(
        |(traces, (target, run, windows, against), of_runs, alignment, ranking)| ExplainRequest {
            traces,
            target,
            run,
            windows,
            against,
            run_windows: of_runs.0,
            run_baselines: of_runs.1,
            alignment,
            ranking,
        },
    )
}

/// Any contrast of two groups of runs.
pub fn contrast_request() -> impl Strategy<Value = ContrastRequest> {
    let phases = prop_oneof![
        Just(PhaseChoice::Auto),
        Just(PhaseChoice::Whole),
        (2..=50_usize).prop_map(PhaseChoice::Exactly)
    ];
    // The groups are two sets of traces, or made by a condition.
    let groups = prop_oneof![
        "[b-z]{1,8}(/[a-z]{1,5})?".prop_map(|path| (vec![path.into()], None)),
        text().prop_map(|condition| (Vec::new(), Some(condition))),
    ];
    (files(), groups, option::of(text()), phases, alignment(), texts()).prop_map(
        |(traces, (against, runs_where), run, phases, alignment, filter)| ContrastRequest {
            // Whole runs are compared.
            traces: TraceFiles { conditions: Vec::new(), except: Vec::new(), ..traces },
            against,
            runs_where,
            run,
            phases,
            alignment,
            filter,
        },
    )
}

/// Any search for windows.
pub fn suggest_request() -> impl Strategy<Value = SuggestRequest> {
    (files(), option::of(text()), option::of(text()))
        .prop_map(|(traces, target, run)| SuggestRequest { traces, target, run })
}

fn files() -> impl Strategy<Value = TraceFiles> {
    let counted = (texts(), vec(span(), 0..3), texts());
    let unit = option::of(one_of(&["s", "ms", "us", "ns"]));
    (paths(), unit, texts(), texts(), counted, option::of(store())).prop_map(
        |(paths, time_unit, counters, derived, (conditions, except, layers), store)| TraceFiles {
            paths: if store.is_some() { Vec::new() } else { paths },
            time_unit,
            counters,
            layers,
            derived,
            conditions,
            except,
            store,
        },
    )
}

fn store() -> impl Strategy<Value = MetricStore> {
    let query = "[a-z][a-z0-9_.]{0,5}=[!-~][ -~]{0,8}[!-~]";
    let query = query.prop_filter_map("a query", |text| NamedQuery::read(&text).ok());
    let address = "http://[a-z]{1,6}:[1-9][0-9]{0,3}(/[a-z]{1,4})?";
    let times = (option::of(span()), option::of(duration()), option::of(duration()));
    (address, texts(), vec(query, 0..3), times, access()).prop_map(
        |(address, matches, queries, (range, history, step), access)| MetricStore {
            address,
            matches,
            queries,
            range,
            history,
            step,
            access,
        },
    )
}

fn access() -> impl Strategy<Value = StoreAccess> {
    let token = (option::of(path()), option::of("[A-Z_]{1,8}"));
    let password = (option::of(text()), option::of(path()), option::of("[A-Z_]{1,8}"));
    (token, password, texts(), option::of(path())).prop_map(
        |((token_file, token_env), (user, password_file, password_env), headers, header_file)| {
            StoreAccess {
                token_file,
                token_env,
                user,
                password_file,
                password_env,
                headers,
                header_file,
            }
        },
    )
}

/// A time as it is typed.
fn moment() -> impl Strategy<Value = String> {
    "-?[0-9]{1,10}(\\.[0-9]{1,9})?(ns|us|ms|s|min|h)?"
}

/// Any stretch that does not end before it begins.
fn span() -> impl Strategy<Value = TypedSpan> {
    let times = (moment(), option::of(moment()), any::<bool>()).prop_map(|(one, other, is_end)| {
        match (other, is_end) {
            (Some(other), _) => format!("{one}..{other}"),
            (None, true) => format!("..{one}"),
            (None, false) => format!("{one}.."),
        }
    });
    let clocks = prop_oneof![
        Just("14:02..14:05:30.5"),
        Just("2026-11-19T23:58Z..2026-11-20T00:02Z"),
        Just("23:58..00:02+01:00")
    ];
    let clocks = clocks.prop_map(String::from);
    let texts =
        prop_oneof![Just("all".to_string()), times, clocks, "rows:[0-9]{0,4}\\.\\.[0-9]{0,4}"];
    texts.prop_filter_map("it ends before it begins", |text| TypedSpan::read(&text).ok())
}

/// Any stretch of a run.
fn run_span() -> impl Strategy<Value = RunSpan> {
    ("run-[0-9]{1,3}", span()).prop_map(|(run, span)| RunSpan { run, span })
}

fn pattern() -> impl Strategy<Value = TypedPattern> {
    let height = prop_oneof![-10.0..10.0_f64, -1e300..1e300, Just(1e-20)];
    let knots = vec((moment(), height), 2..5).prop_map(|knots| {
        knots.iter().map(|(at, height)| format!("{at}:{height:e}")).collect::<Vec<_>>().join(",")
    });
    knots.prop_filter_map("no pattern", |text| TypedPattern::read(&text).ok())
}

fn alignment() -> impl Strategy<Value = AlignmentOptions> {
    let penalty = prop_oneof![Just(0.0), 0.0..1e6, Just(1e-30)];
    (option::of(text()), any::<bool>(), penalty).prop_map(|(common, normalize, penalty)| {
        let penalty = AlignmentPenalty::new(penalty).unwrap_or_default();
        AlignmentOptions { common, normalize, penalty }
    })
}

fn ranking() -> impl Strategy<Value = RankingOptions> {
    let segments = prop_oneof![Just(Segments::Auto), (1..=100_usize).prop_map(Segments::Exactly)];
    (
        select(<Correlator as Named>::ALL),
        segments,
        option::of(pattern()),
        one_of(&["every", "nearest"]),
        one_of(&["evidence", "onset"]),
        texts(),
    )
        .prop_map(|(correlator, segments, pattern, score_in, by, filter)| RankingOptions {
            correlator,
            segments,
            pattern,
            score_in,
            by,
            filter,
        })
}
