//! Fathom's own JSON. `--column` picks the subjects of a metric.

use fathom_record::Series;
use fathom_record::own_json::{self, OwnJsonError};

use crate::error::{ByOption, Flaw};
use crate::read::Request;
use crate::{json, metrics};

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    let series = own_json::read(text).map_err(|error| flaw(text, &error))?;
    if request.columns.is_empty() {
        return Ok(series);
    }
    let mut present: Vec<&str> = Vec::new();
    for metric in series.iter().filter_map(Series::metric) {
        if !present.contains(&metric) {
            present.push(metric);
        }
    }
    if present.is_empty() {
        return Err(Flaw::new(
            "the subjects have no named metrics",
            ByOption("leave out --column"),
        ));
    }
    let wanted = metrics::chosen(request.columns, "", &present)?;
    let is_wanted =
        |series: &Series| series.metric().is_some_and(|metric| wanted.contains(&metric));
    Ok(series.iter().filter(|series| is_wanted(series)).cloned().collect())
}

fn flaw(text: &str, error: &OwnJsonError) -> Flaw {
    match error {
        OwnJsonError::Json(error) => json::flaw(text, error),
        OwnJsonError::Schema { .. } => {
            Flaw::new(error.to_string(), "use the version of Fathom that wrote it, or a newer one")
        }
        OwnJsonError::NoSubjects => Flaw::new(error.to_string(), "check that it is the right file"),
        // The message itself says how to save the values.
        OwnJsonError::NoValues { .. } => Flaw::new(error.to_string(), "then use that file"),
        // Its values do not make a series.
        _ => Flaw::new(error.to_string(), "write the file again with Fathom"),
    }
}
