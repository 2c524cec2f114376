//! Questions about traces.

use super::values::{any_text as text, any_texts as texts, one_of, paths};
use crate::value::{Named, OptionValue};
use crate::{
    AlignmentOptions, AlignmentPenalty, ExplainRequest, RankingOptions, SuggestRequest, TraceFiles,
    TypedPattern, TypedSpan,
};
use fathom_explain::{Correlator, Segments};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Any explanation.
pub fn explain_request() -> impl Strategy<Value = ExplainRequest> {
    let question = (text(), option::of(text()), vec(span(), 0..3), option::of(span()));
    (files(), question, alignment(), ranking()).prop_map(
        |(traces, (target, run, windows, against), alignment, ranking)| ExplainRequest {
            traces,
            target,
            run,
            windows,
            against,
            alignment,
            ranking,
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
    (paths(), option::of(one_of(&["s", "ms", "us", "ns"])), texts(), texts(), counted).prop_map(
        |(paths, time_unit, counters, derived, (conditions, except, layers))| TraceFiles {
            paths,
            time_unit,
            counters,
            layers,
            derived,
            conditions,
            except,
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
    let texts = prop_oneof![Just("all".to_string()), times, "rows:[0-9]{0,4}\\.\\.[0-9]{0,4}"];
    texts.prop_filter_map("it ends before it begins", |text| TypedSpan::read(&text).ok())
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
