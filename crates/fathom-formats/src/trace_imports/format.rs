//! The kinds of file that traces are imported from.

use std::fmt;
use std::str::FromStr;

/// A kind of file that another tool wrote a trace in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImportFormat {
    /// A table with the time first and a metric per column.
    Csv,
    /// A Parquet file with a column of times and a metric per column.
    Parquet,
    /// `perf stat -I 1000 -x,`.
    PerfStat,
    /// The JSON of Prometheus' range queries.
    Prometheus,
    /// Netdata's CSV and JSON.
    Netdata,
    /// OpenJDK's unified log of collections and safepoints.
    GcLog,
}

impl ImportFormat {
    /// All of them.
    pub const ALL: [ImportFormat; 6] = [
        ImportFormat::Csv,
        ImportFormat::Parquet,
        ImportFormat::PerfStat,
        ImportFormat::Prometheus,
        ImportFormat::Netdata,
        ImportFormat::GcLog,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ImportFormat::Csv => "csv",
            ImportFormat::Parquet => "parquet",
            ImportFormat::PerfStat => "perf-stat",
            ImportFormat::Prometheus => "prometheus",
            ImportFormat::Netdata => "netdata",
            ImportFormat::GcLog => "gc-log",
        }
    }
}

impl fmt::Display for ImportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not a trace format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{name}\" is not a trace format. Use one of: {}.",
    fathom_record::listed(&ImportFormat::ALL.map(ImportFormat::name))
)]
pub struct UnknownImportFormat {
    /// The name.
    pub name: String,
}

impl FromStr for ImportFormat {
    type Err = UnknownImportFormat;

    fn from_str(text: &str) -> Result<ImportFormat, UnknownImportFormat> {
        let name = text.trim();
        ImportFormat::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownImportFormat { name: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_and_others_are_refused_with_the_list() {
        for format in ImportFormat::ALL {
            assert_eq!(format.name().to_uppercase().parse(), Ok(format));
        }
        let error = "xls".parse::<ImportFormat>().unwrap_err().to_string();
        assert!(
            error.ends_with("csv, parquet, perf-stat, prometheus, netdata, gc-log."),
            "{error}"
        );
    }
}
