//! Which metrics of a tool's file to read: `--column` on JSON.

use crate::error::{ByOption, Flaw, listed, quoted};
use crate::nearest::did_you_mean;

/// The metrics asked for, or the default; an error that lists what is there.
pub(crate) fn chosen<'a>(
    asked: &'a [String],
    default: &'a str,
    present: &[&str],
) -> Result<Vec<&'a str>, Flaw> {
    let wanted: Vec<&str> =
        if asked.is_empty() { vec![default] } else { asked.iter().map(String::as_str).collect() };
    for metric in &wanted {
        if !present.contains(metric) {
            return Err(unknown(metric, present));
        }
    }
    Ok(wanted)
}

fn unknown(metric: &str, present: &[&str]) -> Flaw {
    let what = format!("there is no metric {}{}", quoted(metric), did_you_mean(metric, present));
    Flaw::new(what, ByOption(format!("choose with --column: {}", listed(present, 12))))
}

/// For files with a single metric: `--column` has nothing to pick.
pub(crate) fn refuse_columns(asked: &[String], tool: &str) -> Result<(), Flaw> {
    match asked.first() {
        None => Ok(()),
        Some(column) => Err(Flaw::new(
            format!(
                "there is no column {}, because files from {tool} have only one metric",
                quoted(column)
            ),
            ByOption("leave out --column"),
        )),
    }
}
