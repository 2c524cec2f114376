//! Comparisons in the JSON contract.

use crate::compare::{Comparison, Design, Gate, GateOutcome, Paired, RatioAside, Verdict};
use fathom_record::own_json::End;
use fathom_stats::Interval;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct ComparisonEntry<'a> {
    reference: &'a str,
    subject: &'a str,
    ratio: f64,
    lower: End,
    upper: End,
    confidence: f64,
    #[serde(skip_serializing_if = "super::is_false")]
    if_independent: bool,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict_of_all_blocks: Option<&'static str>,
    measurable: bool,
    margin: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    medians: Option<MediansEntry>,
    p_value: Option<f64>,
    pairs: usize,
    more_pairs_needed: Option<usize>,
    more_seconds_needed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_samples_needed: Option<usize>,
    design: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    paired: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<BlocksEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shell: Option<ShellEntry<'a>>,
    tests: TestsEntry,
    gates: Vec<GateEntry>,
    warnings: &'a [String],
}

/// The medians of both sides in the samples that the ratio rests on.
#[derive(Debug, Serialize)]
struct MediansEntry {
    reference: f64,
    subject: f64,
    quotient: f64,
    quotient_in_interval: bool,
}

/// What the start-up of the shell that ran the commands means for a comparison.
#[derive(Debug, Serialize)]
struct ShellEntry<'a> {
    startup_included: bool,
    cannot_be_told: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_reference: Option<AsideEntry>,
    with_startup: AsideEntry,
}

impl<'a> ShellEntry<'a> {
    fn of(comparison: &'a Comparison) -> Option<ShellEntry<'a>> {
        let shell = comparison.shell?;
        let names = [comparison.reference.as_str(), comparison.subject.as_str()];
        let hidden = names.into_iter().zip(shell.hidden);
        let aside = |RatioAside { ratio, interval }| AsideEntry::of(ratio, interval);
        Some(ShellEntry {
            startup_included: shell.is_hidden(),
            cannot_be_told: hidden
                .filter(|(_, is_hidden)| *is_hidden)
                .map(|(name, _)| name)
                .collect(),
            share_of_reference: shell.share.map(aside),
            with_startup: aside(shell.whole),
        })
    }
}

#[derive(Debug, Serialize)]
struct BlocksEntry<'a> {
    measured: usize,
    used: usize,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    set_aside: &'a [usize],
    planned: usize,
    lag1: f64,
    widened_by: f64,
    drift: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_all_blocks: Option<AsideEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log_ratios: Option<&'a [f64]>,
}

#[derive(Debug, Serialize)]
struct AsideEntry {
    ratio: f64,
    lower: End,
    upper: End,
}

/// What other tools would say in a single look; empty for saved results.
#[derive(Debug, Default, Serialize)]
struct TestsEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_rank: Option<PEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_ln: Option<AsideEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<TEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sign: Option<SignEntry>,
}

#[derive(Debug, Serialize)]
struct PEntry {
    p_value: f64,
}

#[derive(Debug, Serialize)]
struct TEntry {
    t: f64,
    degrees: usize,
    p_value: Option<f64>,
}

#[derive(Debug, Serialize)]
struct SignEntry {
    slower: usize,
    faster: usize,
    p_value: f64,
}

#[derive(Debug, Serialize)]
struct GateEntry {
    gate: &'static str,
    margin: f64,
    outcome: &'static str,
}

impl<'a> ComparisonEntry<'a> {
    pub(super) fn of(comparison: &'a Comparison, include_values: bool) -> ComparisonEntry<'a> {
        let paired = match &comparison.design {
            Design::Paired(paired) => Some(paired.as_ref()),
            Design::Unpaired { .. } => None,
        };
        let more = comparison.further.map(|further| further.pairs);
        ComparisonEntry {
            reference: &comparison.reference,
            subject: &comparison.subject,
            ratio: comparison.ratio,
            lower: End(comparison.interval.lower),
            upper: End(comparison.interval.upper),
            confidence: comparison.confidence.get(),
            if_independent: comparison.if_independent,
            verdict: comparison.verdict.name(),
            verdict_of_all_blocks: comparison.verdict_of_all_blocks().map(Verdict::name),
            measurable: comparison.is_measurable(),
            margin: comparison.margin.get(),
            medians: comparison.medians.map(|[reference, subject]| MediansEntry {
                reference,
                subject,
                quotient: subject / reference,
                quotient_in_interval: comparison.interval.contains(subject / reference),
            }),
            p_value: comparison.p_value,
            pairs: comparison.pairs(),
            more_pairs_needed: more.filter(|_| paired.is_some()),
            more_seconds_needed: comparison.further.and_then(|further| further.seconds),
            more_samples_needed: more.filter(|_| paired.is_none()),
            design: if paired.is_some() { "paired" } else { "unpaired" },
            paired: paired.map(|paired| paired.pairing.name()),
            samples: match comparison.design {
                Design::Unpaired { samples } => Some(samples),
                Design::Paired(_) => None,
            },
            blocks: paired.map(|paired| BlocksEntry::of(paired, include_values)),
            shell: ShellEntry::of(comparison),
            tests: paired.map_or_else(TestsEntry::default, TestsEntry::of),
            gates: comparison.gates.iter().map(GateEntry::of).collect(),
            warnings: &comparison.warnings,
        }
    }
}

impl<'a> BlocksEntry<'a> {
    fn of(paired: &'a Paired, include_values: bool) -> BlocksEntry<'a> {
        BlocksEntry {
            measured: paired.blocks,
            used: paired.used,
            set_aside: &paired.set_aside,
            planned: paired.planned,
            lag1: paired.lag1,
            widened_by: paired.widened_by,
            drift: paired.drift,
            with_all_blocks: paired
                .with_all_blocks
                .map(|RatioAside { ratio, interval }| AsideEntry::of(ratio, interval)),
            log_ratios: include_values.then_some(paired.log_ratios.as_slice()),
        }
    }
}

impl AsideEntry {
    fn of(ratio: f64, interval: Interval) -> AsideEntry {
        AsideEntry { ratio, lower: End(interval.lower), upper: End(interval.upper) }
    }
}

impl TestsEntry {
    fn of(paired: &Paired) -> TestsEntry {
        let tests = &paired.tests;
        TestsEntry {
            signed_rank: tests.signed_rank_p.map(|p_value| PEntry { p_value }),
            mean_ln: tests.mean_ln.map(|found| {
                let ends = found.interval;
                let ratio = |end: f64| if end.is_finite() { end.exp() } else { end };
                AsideEntry::of(
                    found.mean.exp(),
                    Interval { lower: ratio(ends.lower), upper: ratio(ends.upper) },
                )
            }),
            t: tests.mean_ln.and_then(|found| {
                let degrees = found.degrees;
                found.t.map(|t| TEntry { t, degrees, p_value: found.p_value })
            }),
            sign: Some(SignEntry {
                slower: tests.sign.slower,
                faster: tests.sign.faster,
                p_value: tests.sign.p_value,
            }),
        }
    }
}

impl GateEntry {
    fn of((gate, outcome): &(Gate, GateOutcome)) -> GateEntry {
        let (gate, margin) = match gate {
            Gate::NotSlower(margin) => ("fail_if_slower", margin),
            Gate::Equivalent(margin) => ("require_equivalent", margin),
        };
        GateEntry { gate, margin: margin.get(), outcome: outcome.name() }
    }
}
