//! The outliers that were found, in the JSON contract.

use crate::clean::Flagged;
use fathom_derive::Serialize;
use fathom_stats::outliers::{CutCurve, Method, OutlierKind, Outlying};

/// The outliers that were found.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct OutliersEntry<'a> {
    /// The rule that finds them.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Method::ALL.map(|method| method.name()))))]
    method: &'static str,
    /// The grid on which values are compared, in the unit of the data; `null` if there is none.
    grid: Option<f64>,
    /// The gap that separates outliers from the rest, in the unit of the data; `null` if the method
    /// has none.
    cut_height: Option<f64>,
    /// The curve that ranks the gaps by where they are among all gaps: `--outlier-curve`. `null` unless
    /// the method is `simplified`.
    cut_curve: Option<String>,
    /// Where that gap is among all gaps, from 0 to 1: `--outlier-level`. `null` unless the method is
    /// `simplified` with the curve `bell`.
    cut_level: Option<f64>,
    /// How many samples a cluster of outliers can have: `--outlier-share` of the samples that were
    /// tested. `null` if the method has no clusters.
    largest_cluster: Option<usize>,
    /// How many neighbours the local outlier factor compares a sample with: `--outlier-min-pts`.
    min_pts: usize,
    /// How skewed the samples are, from -1 to 1. Present with the method `adjusted-boxplot`.
    #[serde(skip_serializing_if = "Option::is_none")]
    medcouple: Option<f64>,
    /// The number of outliers.
    count: usize,
    /// The same as a share of the samples that were tested.
    share: f64,
    /// Which samples they are, counted from 0.
    indices: &'a [usize],
    /// How each of them lies to the others, in the same order.
    samples: Vec<OutlyingEntry>,
    /// The p-value for outliers that are spread evenly over time. It is small if they lie close
    /// together; `null` if there are too few.
    clustered_in_time_p: Option<f64>,
    /// Whether the estimates leave the outliers out.
    applied: bool,
}

/// How an outlier lies to the others.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OutlyingEntry {
    /// Which sample it is, counted from 0.
    index: usize,
    /// `standalone`: it is a cluster of its own; `clustered`: it is one of a small cluster. `null` if
    /// the method has no clusters.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_record::own_json::or_null(OutlierKind::ALL.map(|kind| kind.name())))))]
    kind: Option<&'static str>,
    /// How many samples its cluster has; `null` if the method has no clusters.
    cluster_size: Option<usize>,
    /// About 1 if it is as close to its neighbours as they are to theirs, and more if it is alone.
    local_outlier_factor: f64,
}

impl<'a> OutliersEntry<'a> {
    pub(super) fn of(flagged: &'a Flagged) -> OutliersEntry<'a> {
        let found = &flagged.found;
        let rule = &found.rule;
        let is_simplified = rule.method == Method::Simplified;
        let each = found.indices.iter().zip(&flagged.outlying);
        OutliersEntry {
            method: rule.method.name(),
            grid: found.grid,
            cut_height: found.cut_height,
            cut_curve: is_simplified.then(|| rule.curve.to_string()),
            cut_level: (is_simplified && rule.curve == CutCurve::Bell).then(|| rule.level.get()),
            largest_cluster: rule.method.clusters().then(|| rule.share.of(flagged.among)),
            min_pts: rule.min_pts.get(),
            medcouple: found.medcouple,
            count: found.indices.len(),
            share: found.indices.len() as f64 / flagged.among.max(1) as f64,
            indices: &found.indices,
            samples: each.map(|(&index, outlying)| OutlyingEntry::of(index, outlying)).collect(),
            clustered_in_time_p: found.clustered_in_time.map(|in_time| in_time.p_value),
            applied: flagged.applied,
        }
    }
}

impl OutlyingEntry {
    fn of(index: usize, outlying: &Outlying) -> OutlyingEntry {
        OutlyingEntry {
            index,
            kind: outlying.kind().map(OutlierKind::name),
            cluster_size: outlying.cluster,
            local_outlier_factor: outlying.factor,
        }
    }
}
