//! The JSON of Prometheus' HTTP interface.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::error::{Flaw, quoted};
use crate::json;

/// A response, or a part of one: what is in `data`, or one series of it. Which, its keys tell.
#[derive(Deserialize)]
struct Piece<Result> {
    status: Option<String>,
    #[serde(rename = "errorType")]
    error_type: Option<String>,
    error: Option<String>,
    #[serde(default)]
    warnings: Vec<String>,
    data: Option<Data<Result>>,
    #[serde(rename = "resultType")]
    result_type: Option<String>,
    result: Option<Result>,
    metric: Option<BTreeMap<String, String>>,
    values: Option<Vec<Sample>>,
    histograms: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Data<Result> {
    #[serde(rename = "resultType")]
    result_type: Option<String>,
    result: Option<Result>,
}

/// One series of a matrix.
#[derive(Deserialize)]
pub(super) struct Series {
    pub(super) metric: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) values: Vec<Sample>,
    histograms: Option<IgnoredAny>,
}

/// A time in seconds since 1970, and a number as text.
#[derive(Deserialize)]
pub(super) struct Sample(pub(super) f64, pub(super) String);

/// All series of all responses, and their warnings.
pub(super) fn series(text: &str) -> Result<(Vec<Series>, Vec<String>), Flaw> {
    // What a response is comes first, so that an error of Prometheus is not taken for broken JSON.
    let mut warnings = Vec::new();
    for piece in pieces::<IgnoredAny>(text)? {
        check(&piece)?;
        warnings.extend(piece.warnings);
    }
    let mut all = Vec::new();
    for piece in pieces::<Vec<Series>>(text)? {
        let Piece { data, result, metric, values, histograms, .. } = piece;
        let result = data.and_then(|data| data.result).or(result);
        match (result, metric) {
            (Some(series), _) => all.extend(series),
            (None, Some(metric)) => {
                all.push(Series { metric, values: values.unwrap_or_default(), histograms });
            }
            (None, None) => {}
        }
    }
    if all.iter().any(|series| series.histograms.is_some()) {
        return Err(Flaw::new(
            "the answer contains native histograms, which Fathom cannot read",
            "query numbers instead, for example with histogram_quantile or histogram_count",
        ));
    }
    Ok((all, warnings))
}

fn pieces<R>(text: &str) -> Result<Vec<Piece<R>>, Flaw>
where
    Piece<R>: DeserializeOwned,
{
    if text.trim_ascii_start().starts_with('[') {
        return json::parse(text);
    }
    let mut pieces = Vec::new();
    json::each(text, json::flaw, |piece, _| {
        pieces.push(piece);
        Ok(())
    })?;
    Ok(pieces)
}

fn check<R>(piece: &Piece<R>) -> Result<(), Flaw> {
    if piece.status.as_deref().is_some_and(|status| status != "success") {
        let kind = piece.error_type.as_deref().unwrap_or("error");
        let message = piece.error.as_deref().unwrap_or("without a message");
        return Err(Flaw::new(
            format!("Prometheus returned an error ({kind}: {message})"),
            "correct the query and run it again",
        ));
    }
    let data = piece.data.as_ref();
    let kind = data.and_then(|data| data.result_type.as_deref()).or(piece.result_type.as_deref());
    match kind {
        Some("matrix") => Ok(()),
        Some("vector" | "scalar" | "string") => Err(Flaw::new(
            format!(
                "the result is a {}, which covers a single moment and is not a trace",
                kind.unwrap_or_default()
            ),
            "query /api/v1/query_range with a start, an end and a step",
        )),
        Some(other) => Err(Flaw::new(
            format!("the resultType {} is unknown", quoted(other)),
            "query /api/v1/query_range, which returns a matrix",
        )),
        None if piece.metric.is_some() => Ok(()),
        None if data.is_some_and(|data| data.result.is_some()) || piece.result.is_some() => Ok(()),
        None => Err(Flaw::new(
            "the answer has no series",
            "use the whole answer of /api/v1/query_range, including its \"data\"",
        )),
    }
}
