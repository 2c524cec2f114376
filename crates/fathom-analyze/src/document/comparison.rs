//! Comparisons in the JSON contract.

use super::assumptions::AssumptionsEntry;
use super::said;
use crate::compare::{
    Comparison, Design, Gate, GateOutcome, Layouts, Paired, QuantileRatio, RatioAside, TwoBuilds,
    Verdict, percentile,
};
use fathom_derive::Serialize;
use fathom_record::own_json::End;
use fathom_record::{FrontEnd, MoreNeeded};
use fathom_stats::{Interval, RatioInterval};

/// A subject compared with the reference.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ComparisonEntry<'a> {
    /// The name of the reference.
    reference: &'a str,
    /// The name of the subject.
    subject: &'a str,
    /// What is compared: `p` and a percentage, such as `p99`, `mean`, `min`, or `quantiles`. Absent
    /// for the median.
    #[serde(skip_serializing_if = "Option::is_none")]
    statistic: Option<String>,
    /// Subject over reference: 1.05 means that the subject takes 5% longer. The Hodges-Lehmann
    /// estimate over blocks; for saved results, the ratio of the medians. With `statistic`, the ratio
    /// of that statistic; with `quantiles`, of the quantile that `headline` names.
    ratio: f64,
    /// The lower end of the interval of the ratio. It holds over all looks and all subjects.
    lower: End,
    /// The upper end of the interval.
    upper: End,
    /// The confidence of the interval and the verdict.
    confidence: f64,
    /// `true` if the answer holds only if the samples of the saved results are independent, which
    /// was not checked.
    #[serde(skip_serializing_if = "super::is_false")]
    if_independent: bool,
    /// The quantile that `ratio`, `lower` and `upper` belong to: the one that surely differs most, or
    /// the middle one if none does. Present with statistic `quantiles`.
    #[serde(skip_serializing_if = "Option::is_none")]
    headline: Option<String>,
    /// `equivalent`: the interval lies within `margin`. `mixed`: some of several quantiles are slower
    /// and others faster.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Verdict::ALL.map(Verdict::name))))]
    verdict: &'static str,
    /// The verdict if no block were set aside. Present if it differs.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Verdict::ALL.map(Verdict::name))))]
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict_of_all_blocks: Option<&'static str>,
    /// Whether the interval excludes 1, however small the difference is.
    measurable: bool,
    /// The largest difference that counts as equivalent: 0.01 is 1%.
    margin: f64,
    /// The medians of both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    medians: Option<MediansEntry>,
    /// The statistic of both sides. Present with `statistic`, unless that is `quantiles`.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<ValuesEntry>,
    /// Every quantile that was compared. The intervals hold together. Present with statistic
    /// `quantiles`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quantiles: Vec<QuantileEntry>,
    /// The p-value for no difference at all, valid over all looks and subjects (Holm). For saved
    /// results it is between 1e-6 and 0.5, and `null` without an interval.
    p_value: Option<f64>,
    /// The number of pairs. A block has two pairs of runs or batches, or one of single runs,
    /// executions or layouts. For saved results, the smaller number of samples.
    pairs: usize,
    /// What would probably decide the gates or, without gates, settle the verdict; `null` if
    /// nothing is needed or it cannot be predicted.
    more_needed: Option<MoreNeeded>,
    /// `unpaired` for saved results: any drift between the two measurements counts as a difference.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Design::NAMES)))]
    design: &'static str,
    /// What was measured side by side: `runs` of commands, `single_runs` of commands that take long,
    /// `batches` of calls in one process, `executions` of two builds, `layouts` of two builds.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::compare::Pairing::ALL.map(|pairing| pairing.name()))))]
    #[serde(skip_serializing_if = "Option::is_none")]
    paired: Option<&'static str>,
    /// The number of samples of reference and subject. Present for saved results.
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<[usize; 2]>,
    /// The blocks of a paired comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<BlocksEntry<'a>>,
    /// What the blocks say about the assumptions of the comparison. Present for `runs` and
    /// `batches`, whose order in the blocks is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumptions: Option<AssumptionsEntry>,
    /// What the start-up of the shell means for the comparison. Present with `-S`.
    #[serde(skip_serializing_if = "Option::is_none")]
    shell: Option<ShellEntry<'a>>,
    /// What is known of the two builds. Present if builds were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    builds: Option<BuildsEntry<'a>>,
    /// The results of other tests on these blocks in a single look. They are for comparison with
    /// other tools: verdicts do not use them.
    tests: TestsEntry,
    /// The gates you asked for.
    gates: Vec<GateEntry>,
    /// What may be wrong with this comparison, each with what to do.
    warnings: Vec<String>,
}

/// The medians of both sides, from the samples that the ratio is based on. The ratio compares runs
/// side by side, which is more precise than dividing medians.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MediansEntry {
    /// The median of the reference.
    reference: f64,
    /// The median of the subject.
    subject: f64,
    /// Subject over reference.
    quotient: f64,
    /// Whether the quotient lies in the interval of the ratio.
    quotient_in_interval: bool,
}

/// The compared statistic of both sides.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ValuesEntry {
    /// The statistic of the reference.
    reference: f64,
    /// The statistic of the subject.
    subject: f64,
}

/// A quantile of the subject compared with that of the reference.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct QuantileEntry {
    /// Its name, such as `p99`.
    quantile: String,
    /// Its level: 0.99.
    p: f64,
    /// The quantile of the reference.
    reference: f64,
    /// The quantile of the subject.
    subject: f64,
    /// Subject over reference.
    ratio: f64,
    /// The lower end of the interval of the ratio. It holds together with those of all quantiles.
    lower: End,
    /// The upper end of the interval.
    upper: End,
    /// What this interval says.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Verdict::ALL.map(Verdict::name))))]
    verdict: &'static str,
}

impl QuantileEntry {
    fn of(one: &QuantileRatio) -> QuantileEntry {
        let Interval { lower, upper } = one.interval.ends();
        let [reference, subject] = one.sides;
        QuantileEntry {
            quantile: percentile(one.p),
            p: one.p.get(),
            reference,
            subject,
            ratio: one.ratio,
            lower: End(lower),
            upper: End(upper),
            verdict: one.verdict.name(),
        }
    }
}

/// What the start-up of the shell means for a comparison.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShellEntry<'a> {
    /// `true` if the reference or the subject cannot be distinguished from the shell. `ratio`,
    /// `lower` and `upper` are then those of whole runs, and the verdict only says which is faster.
    startup_included: bool,
    /// The commands that cannot be distinguished from the shell.
    cannot_be_told: Vec<&'a str>,
    /// The start-up of the shell as a share of the runs of the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_reference: Option<AsideEntry>,
    /// The ratio of whole runs.
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

/// What is known of two builds of a function.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BuildsEntry<'a> {
    /// The number of layouts of each build. 1: the ratio holds for these two executables only.
    layouts: usize,
    /// How often each layout was executed. Present if there are several layouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    executions_of_each: Option<usize>,
    /// How the layouts were made: `shuffled` moves every function, `padded` moves all code by the
    /// same number of bytes. Present if there are several layouts.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::compare::LayoutArrangement::ALL.map(|one| one.name()))))]
    #[serde(skip_serializing_if = "Option::is_none")]
    arrangement: Option<&'static str>,
    /// Why there is only one layout. Absent if you asked for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_layout_because: Option<&'a str>,
    /// Whether the machine code that the function reaches is the same in both builds; `null` if it
    /// is not known. Gates do not fail for unchanged code, unless you ask for it.
    code_unchanged: Option<bool>,
}

impl<'a> BuildsEntry<'a> {
    fn of(builds: &'a TwoBuilds) -> BuildsEntry<'a> {
        let one = BuildsEntry {
            layouts: 1,
            executions_of_each: None,
            arrangement: None,
            one_layout_because: None,
            code_unchanged: builds.is_code_unchanged,
        };
        match &builds.layouts {
            Layouts::One { why } => BuildsEntry { one_layout_because: why.as_deref(), ..one },
            Layouts::Several { count, executions, arrangement } => BuildsEntry {
                layouts: *count,
                executions_of_each: Some(*executions),
                arrangement: Some(arrangement.name()),
                ..one
            },
        }
    }
}

/// The blocks of a paired comparison.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BlocksEntry<'a> {
    /// The number of blocks measured.
    measured: usize,
    /// The number of blocks used: all that ran without other load.
    used: usize,
    /// The other blocks, counted from 0.
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    set_aside: &'a [usize],
    /// The largest number of blocks that was planned.
    planned: usize,
    /// The correlation of the log-ratios of neighbouring blocks.
    lag1: f64,
    /// The factor by which the interval is wider because of it.
    widened_by: f64,
    /// How much the machine drifted meanwhile. Pairing cancels it.
    drift: f64,
    /// The ratio from all blocks. Present if some were set aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_all_blocks: Option<AsideEntry>,
    /// The log-ratio of each block. Present with `--include-values` and in `--export-json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_ratios: Option<&'a [f64]>,
}

/// A ratio with its interval.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Ratio"))]
struct AsideEntry {
    /// The ratio.
    ratio: f64,
    /// The lower end of its interval.
    lower: End,
    /// The upper end of its interval.
    upper: End,
}

/// The results of other tests on these blocks in a single look; empty for saved results.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TestsEntry {
    /// The Wilcoxon signed-rank test of the log-ratios, as scipy computes it. Absent if all
    /// log-ratios are 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_rank: Option<PEntry>,
    /// The geometric mean of the ratios, as bench_diff computes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_ln: Option<AsideEntry>,
    /// The t test of the log-ratios.
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<TEntry>,
    /// The sign test of the log-ratios.
    #[serde(skip_serializing_if = "Option::is_none")]
    sign: Option<SignEntry>,
}

/// A p-value.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SignedRankTest"))]
struct PEntry {
    /// The p-value for no difference.
    p_value: f64,
}

/// A t test.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TTest"))]
struct TEntry {
    /// The test statistic.
    t: f64,
    /// The degrees of freedom.
    degrees: usize,
    /// The p-value for no difference; `null` if it cannot be computed.
    p_value: Option<f64>,
}

/// A sign test.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SignTest"))]
struct SignEntry {
    /// Blocks in which the subject was slower.
    slower: usize,
    /// Blocks in which the subject was faster.
    faster: usize,
    /// The p-value for no difference.
    p_value: f64,
}

/// A gate.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct GateEntry {
    /// The option that asked for it.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Gate::ALL.map(|of| of(crate::compare::Margin::DEFAULT).name()))))]
    gate: &'static str,
    /// Its margin: 0.01 is 1%.
    margin: f64,
    /// Whether it passed.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = GateOutcome::ALL.map(GateOutcome::name))))]
    outcome: &'static str,
}

impl<'a> ComparisonEntry<'a> {
    pub(super) fn of(
        comparison: &'a Comparison,
        include_values: bool,
        front_end: FrontEnd,
    ) -> ComparisonEntry<'a> {
        let paired = match &comparison.design {
            Design::Paired(paired) => Some(paired.as_ref()),
            Design::Unpaired { .. } => None,
        };
        let is_median = comparison.statistic.is_median();
        let sides = |is_wanted: bool| comparison.sides.filter(|_| is_wanted);
        ComparisonEntry {
            reference: &comparison.reference,
            subject: &comparison.subject,
            statistic: (!is_median).then(|| comparison.statistic.to_string()),
            headline: comparison.headline().map(|one| percentile(one.p)),
            ratio: comparison.ratio,
            lower: End(comparison.interval.ends().lower),
            upper: End(comparison.interval.ends().upper),
            confidence: comparison.confidence.get(),
            if_independent: comparison.if_independent,
            verdict: comparison.verdict.name(),
            verdict_of_all_blocks: comparison.verdict_of_all_blocks().map(Verdict::name),
            measurable: comparison.is_measurable(),
            margin: comparison.margin.get(),
            medians: sides(is_median).map(|[reference, subject]| MediansEntry {
                reference,
                subject,
                quotient: subject / reference,
                quotient_in_interval: comparison.interval.ends().contains(subject / reference),
            }),
            values: sides(!is_median)
                .map(|[reference, subject]| ValuesEntry { reference, subject }),
            quantiles: comparison.quantiles.iter().map(QuantileEntry::of).collect(),
            p_value: comparison.p_value,
            pairs: comparison.pairs(),
            more_needed: comparison.further.map(|further| {
                let is_paired = paired.is_some();
                MoreNeeded {
                    pairs: is_paired.then_some(further.pairs),
                    seconds: further.seconds,
                    samples: (!is_paired).then_some(further.pairs),
                    ..MoreNeeded::default()
                }
            }),
            design: comparison.design.name(),
            paired: paired.map(|paired| paired.pairing.name()),
            samples: match comparison.design {
                Design::Unpaired { samples } => Some(samples),
                Design::Paired(_) => None,
            },
            blocks: paired.map(|paired| BlocksEntry::of(paired, include_values)),
            assumptions: comparison
                .assumptions()
                .map(|found| AssumptionsEntry::of(found, comparison.margin)),
            shell: ShellEntry::of(comparison),
            builds: comparison.builds.as_ref().map(BuildsEntry::of),
            tests: paired.map_or_else(TestsEntry::default, TestsEntry::of),
            gates: comparison.gates.iter().map(GateEntry::of).collect(),
            warnings: said(&comparison.warnings, front_end),
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
    fn of(ratio: f64, interval: RatioInterval) -> AsideEntry {
        let Interval { lower, upper } = interval.ends();
        AsideEntry { ratio, lower: End(lower), upper: End(upper) }
    }
}

impl TestsEntry {
    fn of(paired: &Paired) -> TestsEntry {
        let tests = &paired.tests;
        TestsEntry {
            signed_rank: tests.signed_rank_p.map(|p_value| PEntry { p_value }),
            mean_ln: tests
                .mean_ln
                .map(|found| AsideEntry::of(found.mean.exp(), found.interval.ratio())),
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
    pub(super) fn of((gate, outcome): &(Gate, GateOutcome)) -> GateEntry {
        GateEntry { gate: gate.name(), margin: gate.margin().get(), outcome: outcome.name() }
    }
}
