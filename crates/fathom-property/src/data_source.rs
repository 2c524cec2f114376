//! Where an execution is from that was made elsewhere.

use std::fmt;
use std::sync::Arc;

/// Where an execution is from that was made elsewhere, or each execution of a tuple: a file, and
/// which of the executions in it. Many executions share the name of their file.
///
/// ```
/// use fathom_property::DataSource;
/// let file: std::sync::Arc<str> = "runs.csv".into();
/// let pair = DataSource::of_tuple(vec![DataSource::in_file(&file, 3), DataSource::from("a.json")]);
/// assert_eq!(pair.to_string(), "runs.csv, execution 3 and a.json");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSource(Places);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Places {
    One {
        file: Arc<str>,
        /// From 1; 0 where the file has only one.
        number: u64,
    },
    Several(Arc<[DataSource]>),
}

impl DataSource {
    /// The execution with this number, from 1, of a file with several.
    #[must_use]
    pub fn in_file(file: &Arc<str>, number: u64) -> DataSource {
        DataSource(Places::One { file: Arc::clone(file), number })
    }

    /// The execution of a file with no other.
    #[must_use]
    pub fn file(file: &Arc<str>) -> DataSource {
        DataSource(Places::One { file: Arc::clone(file), number: 0 })
    }

    /// The executions of a tuple, in order.
    #[must_use]
    pub fn of_tuple(mut sources: Vec<DataSource>) -> DataSource {
        match (sources.len(), sources.pop()) {
            (1, Some(only)) => only,
            (_, last) => DataSource(Places::Several(sources.into_iter().chain(last).collect())),
        }
    }
}

impl From<&str> for DataSource {
    fn from(file: &str) -> DataSource {
        DataSource(Places::One { file: file.into(), number: 0 })
    }
}

impl fmt::Display for DataSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Places::One { file, number: 0 } => f.write_str(file),
            Places::One { file, number } => write!(f, "{file}, execution {number}"),
            Places::Several(sources) => {
                for (place, source) in sources.iter().enumerate() {
                    if place > 0 {
                        f.write_str(" and ")?;
                    }
                    write!(f, "{source}")?;
                }
                Ok(())
            }
        }
    }
}
