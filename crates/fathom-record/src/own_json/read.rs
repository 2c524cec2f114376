//! The subjects of a document, as series.

use super::SCHEMA;
use crate::foreign_text::escaped;
use crate::{Series, SeriesError, Startup, Unit};
use serde::Deserialize;

/// Why a document cannot be read as series.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnJsonError {
    /// It is not JSON, or a field has the wrong type.
    #[error("{}", escaped(&.0.to_string()))]
    Json(#[from] serde_json::Error),
    /// The schema is another version.
    #[error(
        "the file has the schema \"{}\", but this version of Fathom reads \"{SCHEMA}\"",
        escaped(found)
    )]
    Schema {
        /// What the document says.
        found: String,
    },
    /// There are no subjects.
    #[error("the file has no subjects, so there is nothing to analyze")]
    NoSubjects,
    /// A subject was saved without its values.
    #[error(
        "\"{}\" has {n} samples but not their values. Save them with --export-json FILE or \
         --include-values",
        escaped(name)
    )]
    NoValues {
        /// The subject's name.
        name: String,
        /// How many samples it had.
        n: usize,
    },
    /// The values do not make a series.
    #[error(transparent)]
    Series(#[from] SeriesError),
}

#[derive(Deserialize)]
struct Document {
    schema: String,
    #[serde(default)]
    subjects: Vec<OwnSubject>,
}

#[derive(Deserialize)]
struct OwnSubject {
    name: String,
    #[serde(default)]
    unit: Unit,
    #[serde(default)]
    metric: Option<String>,
    #[serde(default)]
    n: usize,
    #[serde(default)]
    values: Option<Vec<f64>>,
    #[serde(default)]
    executions: Option<Vec<usize>>,
    #[serde(default)]
    shell_startup: Option<ShellStartup>,
}

/// A subject's entry about the shell that ran it.
#[derive(Deserialize)]
struct ShellStartup {
    subtracted: f64,
    #[serde(default)]
    values: Vec<f64>,
}

/// Reads the subjects of a document.
///
/// ```
/// let text = r#"{"schema":"fathom/1","subjects":[{"name":"a","unit":"s","values":[1.5,2]}]}"#;
/// let series = fathom_record::own_json::read(text)?;
/// assert_eq!(series[0].values(), [1.5, 2.0]);
/// # Ok::<(), fathom_record::own_json::OwnJsonError>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Series>, OwnJsonError> {
    let document: Document = serde_json::from_str(text)?;
    if document.schema != SCHEMA {
        return Err(OwnJsonError::Schema { found: document.schema });
    }
    if document.subjects.is_empty() {
        return Err(OwnJsonError::NoSubjects);
    }
    document.subjects.into_iter().map(OwnSubject::into_series).collect()
}

impl OwnSubject {
    fn into_series(self) -> Result<Series, OwnJsonError> {
        let Some(values) = self.values else {
            return Err(OwnJsonError::NoValues { name: self.name, n: self.n });
        };
        let mut series = Series::new(self.name, self.unit, values)?;
        if let Some(metric) = self.metric {
            series = series.with_metric(metric);
        }
        if let Some(sizes) = self.executions {
            series = series.with_executions(sizes)?;
        }
        let startup =
            self.shell_startup.and_then(|shell| Startup::new(shell.values, shell.subtracted));
        if let Some(startup) = startup {
            series = series.with_startup(startup);
        }
        Ok(series)
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_document_without_values_says_how_to_save_them() {
        let text = r#"{"schema":"fathom/1","subjects":[{"name":"a","unit":"s","n":9}]}"#;
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains("--export-json"), "{error}");
    }

    #[test]
    fn another_schema_is_refused() {
        let error = read(r#"{"schema":"fathom/9","subjects":[]}"#).unwrap_err().to_string();
        assert!(error.contains("fathom/9"), "{error}");
    }
}
