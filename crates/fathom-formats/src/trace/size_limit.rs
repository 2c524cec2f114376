//! How much of a trace is held in memory at once.
//!
//! Parquet packs repeated values into almost nothing, so a small file can unfold into more than the
//! machine has, and running out of memory ends the process. The file's description of its rows is
//! checked before they are read.

use super::TraceError;
use super::error::shown;
use std::path::Path;

/// A value takes 16 bytes, so this is 4 GiB.
const MOST_VALUES: usize = 1 << 28;

/// Refuses rows that are more than Fathom reads at once; `None` is a number beyond counting.
pub(super) fn check(path: &Path, rows: Option<usize>, columns: usize) -> Result<(), TraceError> {
    let values = rows.and_then(|rows| rows.checked_mul(columns));
    match values {
        Some(values) if values <= MOST_VALUES => Ok(()),
        _ => Err(TraceError::TooLarge {
            file: shown(path),
            rows: rows.map_or("an excessive number of".to_string(), |rows| rows.to_string()),
            columns,
            why: format!("Fathom reads at most {MOST_VALUES} values at once"),
        }),
    }
}

/// The memory for rows cannot be had.
pub(super) fn no_memory(path: &Path, rows: usize, columns: usize) -> TraceError {
    TraceError::TooLarge {
        file: shown(path),
        rows: rows.to_string(),
        columns,
        why: "there is not enough memory for them".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_read_and_what_does_not_is_refused() {
        let path = Path::new("x.parquet");
        assert!(check(path, Some(10_000_000), 20).is_ok());
        for (rows, columns) in [(Some(MOST_VALUES), 2), (Some(usize::MAX), 2), (None, 1)] {
            let error = check(path, rows, columns).unwrap_err().to_string();
            assert!(error.contains("x.parquet") && error.contains("Split"), "{error}");
        }
    }
}
