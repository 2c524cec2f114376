//! The names of parts: `run-1.fast.rows-0-999.parquet` is a part of `run-1.fast.parquet`.

/// The rows that a part holds, counted from 0, the last one included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowRange {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl RowRange {
    /// `rows` rows from `first` on; there is at least one.
    pub(super) fn from(first: u64, rows: u64) -> RowRange {
        RowRange { first, last: first.saturating_add(rows.saturating_sub(1)) }
    }

    pub(super) fn rows(self) -> u64 {
        (self.last - self.first).saturating_add(1)
    }
}

const SUFFIX: &str = ".parquet";

/// The name of that part of `file`.
pub(super) fn part_name(file: &str, span: RowRange) -> String {
    let stem = file.strip_suffix(SUFFIX).unwrap_or(file);
    format!("{stem}.rows-{}-{}{SUFFIX}", span.first, span.last)
}

/// The rows of a part of `file`; `None` if the name is not that of one.
pub(super) fn span_of(file: &str, name: &str) -> Option<RowRange> {
    let stem = file.strip_suffix(SUFFIX).unwrap_or(file);
    let span = span_in(name.strip_prefix(stem)?.strip_suffix(SUFFIX)?)?;
    // Only what we write: "+1" and "007" are numbers, but not ours.
    (part_name(file, span) == name).then_some(span)
}

/// Whether it could be the name of a part of some file.
pub(super) fn is_part_name(name: &str) -> bool {
    let stem = name.strip_suffix(SUFFIX).unwrap_or(name);
    stem.rfind(".rows-").and_then(|at| stem.get(at..)).and_then(span_in).is_some()
}

fn span_in(text: &str) -> Option<RowRange> {
    let (first, last) = text.strip_prefix(".rows-")?.split_once('-')?;
    let span = RowRange { first: first.parse().ok()?, last: last.parse().ok()? };
    (span.first <= span.last).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_rows() {
        let span = RowRange::from(1000, 250);
        assert_eq!(span, RowRange { first: 1000, last: 1249 });
        assert_eq!(span.rows(), 250);
        let name = part_name("run-1.fast.parquet", span);
        assert_eq!(name, "run-1.fast.rows-1000-1249.parquet");
        assert_eq!(span_of("run-1.fast.parquet", &name), Some(span));
        assert_eq!(part_name("bare", span), "bare.rows-1000-1249.parquet");
        assert!(is_part_name(&name) && !is_part_name("run-1.fast.parquet"));
    }

    #[test]
    fn other_names_are_not_parts() {
        for name in [
            "run-1.fast.parquet",
            "run-1.fast.rows-0-9.parquet.tmp",
            ".run-1.fast.rows-0-9.parquet",
            "run-1.fast.rows-9-0.parquet",
            "run-1.fast.rows-0-+9.parquet",
            "run-1.fast.rows-00-9.parquet",
            "run-1.fast.rows-0-9-9.parquet",
            "run-1.fast.rows--1-9.parquet",
            "run-1.fast.rows-0-99999999999999999999.parquet",
            "run-10.fast.rows-0-9.parquet",
        ] {
            assert_eq!(span_of("run-1.fast.parquet", name), None, "{name}");
        }
    }
}
