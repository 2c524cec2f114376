//! Where the rows of a sampler are: in its one file, or in parts of it.

use super::TraceError;
use super::error::shown;
use super::part_name::{RowRange, part_name, span_of};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A file with rows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) path: PathBuf,
    /// Which rows; `None` if it has all of them.
    pub(super) span: Option<RowRange>,
}

/// How often a folder that changes is looked at again before what is wrong with it is believed. A
/// recording changes a few files a second.
const LOOKS: u32 = 100;
/// How long to wait in between.
const PAUSE: Duration = Duration::from_millis(2);

/// The files that hold all rows of `file`, in their order; none if nothing was written yet. What lies
/// within another part is left out: merged parts are deleted after what they became is there.
pub(super) fn pieces(folder: &Path, file: &str) -> Result<Vec<Piece>, TraceError> {
    let mut seen = list(folder, file)?;
    let mut looks = 0;
    loop {
        // A listing is not a snapshot. One that missed deleted parts and what they were merged into
        // is short of it in the next listing, so two that are the same are right.
        let again = list(folder, file)?;
        let is_settled = seen == again;
        seen = again;
        looks += 1;
        if is_settled {
            match chosen(folder, file, &seen) {
                Err(TraceError::MissingRows { .. }) if looks < LOOKS => {}
                settled => return settled,
            }
        } else if looks >= LOOKS {
            return chosen(folder, file, &seen);
        }
        thread::sleep(PAUSE);
    }
}

/// What is there: whether the whole file is, and the parts, sorted.
#[derive(PartialEq, Eq)]
struct Listing {
    has_whole: bool,
    spans: Vec<RowRange>,
}

fn list(folder: &Path, file: &str) -> Result<Listing, TraceError> {
    let failed = |error| TraceError::io("read", folder, error);
    let mut spans = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        spans.extend(name.to_str().and_then(|name| span_of(file, name)));
    }
    // Of two that start together the longer one comes first.
    spans.sort_by_key(|span| (span.first, u64::MAX - span.last));
    // Looked for last: it is there before any part of it is deleted.
    let has_whole = folder.join(file).try_exists().map_err(failed)?;
    Ok(Listing { has_whole, spans })
}

fn chosen(folder: &Path, file: &str, listing: &Listing) -> Result<Vec<Piece>, TraceError> {
    if listing.has_whole {
        return Ok(vec![Piece { path: folder.join(file), span: None }]);
    }
    let mut pieces = Vec::new();
    let mut next = 0;
    for &span in &listing.spans {
        if span.last < next {
            continue;
        }
        if span.first > next {
            let (first, last) = (next, span.first - 1);
            return Err(TraceError::MissingRows { file: shown(&folder.join(file)), first, last });
        }
        if span.first < next {
            return Err(TraceError::Unfit {
                file: shown(&folder.join(part_name(file, span))),
                what: "its rows overlap with those of another part".to_string(),
                remedy: "move one of the two away".to_string(),
            });
        }
        next = span.last.saturating_add(1);
        pieces.push(Piece { path: folder.join(part_name(file, span)), span: Some(span) });
    }
    Ok(pieces)
}

/// All parts of a file, whether they lie within others or not.
pub(super) fn parts(folder: &Path, file: &str) -> Result<Vec<PathBuf>, TraceError> {
    let listing = list(folder, file)?;
    Ok(listing.spans.iter().map(|&span| folder.join(part_name(file, span))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        folder
    }

    fn names(pieces: &[Piece]) -> Vec<String> {
        let name = |piece: &Piece| piece.path.file_name().unwrap().to_str().unwrap().to_string();
        pieces.iter().map(name).collect()
    }

    #[test]
    fn parts_within_others_and_leftovers_are_left_out() {
        let folder = folder_with(&[
            "a.rows-0-9.parquet",
            "a.rows-0-29.parquet",
            "a.rows-20-29.parquet",
            "a.rows-100-109.parquet",
            "a.rows-30-99.parquet",
            ".a.rows-110-119.parquet.tmp",
            "b.rows-0-5.parquet",
        ]);
        let found = names(&pieces(folder.path(), "a.parquet").unwrap());
        assert_eq!(
            found,
            ["a.rows-0-29.parquet", "a.rows-30-99.parquet", "a.rows-100-109.parquet"]
        );
        assert_eq!(parts(folder.path(), "a.parquet").unwrap().len(), 5);
        fs::write(folder.path().join("a.parquet"), "").unwrap();
        assert_eq!(names(&pieces(folder.path(), "a.parquet").unwrap()), ["a.parquet"]);
    }

    #[test]
    fn gaps_and_overlaps_are_errors() {
        let folder = folder_with(&["a.rows-0-9.parquet", "a.rows-20-29.parquet"]);
        let error = pieces(folder.path(), "a.parquet").unwrap_err().to_string();
        assert!(error.contains("a.parquet: rows 10 to 19 are missing"), "{error}");
        fs::write(folder.path().join("a.rows-5-19.parquet"), "").unwrap();
        let error = pieces(folder.path(), "a.parquet").unwrap_err().to_string();
        assert!(error.contains("a.rows-5-19.parquet: its rows overlap"), "{error}");
        assert!(pieces(folder.path(), "c.parquet").unwrap().is_empty());
    }
}
