//! Rows as comma-separated values.

use super::TraceError;
use super::scan::{Batch, scan};
use super::{END, START};
use fathom_record::Timestamp;
use fathom_record::foreign_text::guarded;
use fathom_record::trace::{TraceMetric, Values};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// Writes all rows of a sampler below a header. A missing value is an empty field; doubles are
/// written with as many digits as it takes to read them back exactly. `times` says what is written for a
/// moment of the run.
pub(super) fn write_csv(
    folder: &Path,
    file: &str,
    metrics: &[TraceMetric],
    times: &dyn Fn(Timestamp) -> Timestamp,
    output: &mut dyn Write,
) -> Result<(), TraceError> {
    let names = [START, END].into_iter().chain(metrics.iter().map(|metric| metric.name.as_str()));
    let header: Vec<String> = names.map(field).collect();
    writeln!(output, "{}", header.join(",")).map_err(TraceError::Output)?;
    let mut text = String::new();
    scan(folder, file, metrics, &mut |batch: Batch| {
        text.clear();
        for (row, (start, end)) in batch.starts.iter().zip(&batch.ends).enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{},{}", times(*start).nanoseconds(), times(*end).nanoseconds());
            for column in &batch.columns {
                text.push(',');
                push(&mut text, column, row);
            }
            text.push('\n');
        }
        output.write_all(text.as_bytes()).map_err(TraceError::Output)
    })?;
    output.flush().map_err(TraceError::Output)
}

fn push(text: &mut String, column: &Values, row: usize) {
    let _ = match column {
        Values::Integers(values) => match values.get(row).copied().flatten() {
            Some(value) => write!(text, "{value}"),
            None => Ok(()),
        },
        // Unlike `{}` this writes 1e300 with five letters.
        Values::Reals(values) => match values.get(row).copied().flatten() {
            Some(value) => write!(text, "{value:?}"),
            None => Ok(()),
        },
    };
}

/// A field in quotes where it needs them; import takes off what keeps it from being a formula.
fn field(name: &str) -> String {
    let name = &*guarded(name);
    let is_plain = !name.contains([',', '"', '\n', '\r', ';', '\t'])
        && !name.starts_with([' ', '#'])
        && !name.ends_with(' ');
    if is_plain { name.to_string() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
