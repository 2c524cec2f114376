//! A folder of executions.
//!
//! - A folder with a `stats.txt` is one that gem5 wrote, and holds one execution.
//! - Folders with a `stats.txt` in a folder are an execution each. Folders next to them without one
//!   are executions that failed: leaving them out would hide those that crashed.
//! - Otherwise every file is read. Hidden files and other folders are left alone.
//!
//! Everything goes in the natural order of names: `run-2` before `run-10`.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use crate::ReadError;
use crate::error::Flaw;

/// The names that gem5 gives its statistics.
const STATISTICS: [&str; 2] = ["stats.txt", "stats.txt.gz"];

/// What gem5 writes besides, and first.
const SIGNS: [&str; 2] = ["config.ini", "config.json"];

/// Where an execution is.
#[derive(Debug, PartialEq)]
pub(super) enum ExecutionPath {
    /// In this file.
    File(PathBuf),
    /// It should be in this folder of gem5, which has no statistics.
    WithoutStatistics(PathBuf),
}

/// The files of a folder that hold executions, in their order; none if it holds only folders that
/// are not gem5's.
pub(super) fn files(folder: &Path) -> Result<Vec<ExecutionPath>, ReadError> {
    if let Some(statistics) = statistics_in(folder) {
        return Ok(vec![ExecutionPath::File(statistics)]);
    }
    if is_of_gem5(folder) {
        return Ok(vec![ExecutionPath::WithoutStatistics(folder.to_path_buf())]);
    }
    let attach = |flaw| ReadError::new(&folder.display().to_string(), flaw, None);
    let unreadable = |error: std::io::Error| {
        attach(Flaw::new(
            format!("cannot read the folder ({error})"),
            "check its path and permissions",
        ))
    };
    let (mut files, mut of_gem5, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_empty = true;
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_none_or(|name| name.starts_with('.')) {
            continue;
        }
        is_empty = false;
        if path.is_dir() {
            match statistics_in(&path) {
                Some(statistics) => of_gem5.push(statistics),
                None => others.push(path),
            }
        } else if path.is_file() {
            files.push(path);
        }
    }
    let (files, of_gem5) = (sorted(files), sorted(of_gem5));
    match (files.first(), of_gem5.first()) {
        (Some(file), Some(statistics)) => Err(attach(Flaw::new(
            format!(
                "the folder contains both files such as {} and gem5 folders such as {}",
                shown(file, folder),
                shown(statistics.parent().unwrap_or(statistics), folder)
            ),
            "use only the files, or only the folders",
        ))),
        (None, None) if is_empty => {
            Err(attach(Flaw::new("the folder contains no files", "check the path")))
        }
        (None, None) if others.iter().any(|folder| is_of_gem5(folder)) => {
            Ok(sorted(others).into_iter().map(ExecutionPath::WithoutStatistics).collect())
        }
        (None, None) => Ok(Vec::new()),
        (None, Some(_)) => Ok(in_order(of_gem5, others)),
        (Some(_), None) => Ok(files.into_iter().map(ExecutionPath::File).collect()),
    }
}

/// Executions with and without statistics, in the order of their folders.
fn in_order(with: Vec<PathBuf>, without: Vec<PathBuf>) -> Vec<ExecutionPath> {
    let folder = |file: &PathBuf| file.parent().map_or_else(|| file.clone(), Path::to_path_buf);
    let mut all: Vec<(PathBuf, ExecutionPath)> = with
        .into_iter()
        .map(|file| (folder(&file), ExecutionPath::File(file)))
        .chain(
            without.into_iter().map(|path| (path.clone(), ExecutionPath::WithoutStatistics(path))),
        )
        .collect();
    all.sort_by(|(a, _), (b, _)| {
        natural(&a.to_string_lossy(), &b.to_string_lossy()).then(a.cmp(b))
    });
    all.into_iter().map(|(_, place)| place).collect()
}

fn is_of_gem5(folder: &Path) -> bool {
    SIGNS.iter().any(|name| folder.join(name).is_file())
}

/// Whether a file has the name that gem5 gives its statistics.
pub(super) fn is_statistics(file: &Path) -> bool {
    file.file_name().is_some_and(|name| STATISTICS.iter().any(|known| name == *known))
}

fn statistics_in(folder: &Path) -> Option<PathBuf> {
    STATISTICS.map(|name| folder.join(name)).into_iter().find(|path| path.is_file())
}

fn shown(path: &Path, folder: &Path) -> String {
    format!("{:?}", path.strip_prefix(folder).unwrap_or(path).display().to_string())
}

/// In the natural order of names.
pub(crate) fn sorted(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort_by(|a, b| natural(&a.to_string_lossy(), &b.to_string_lossy()).then(a.cmp(b)));
    paths
}

/// Compares names as people do: digits count as numbers.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match (digits(a), digits(b)) {
            (0, _) | (_, 0) => match (a.split_first(), b.split_first()) {
                (Some((x, rest_a)), Some((y, rest_b))) if x == y => (a, b) = (rest_a, rest_b),
                (x, y) => return x.map(|(x, _)| x).cmp(&y.map(|(y, _)| y)),
            },
            (of_a, of_b) => {
                let ((x, rest_a), (y, rest_b)) = (a.split_at(of_a), b.split_at(of_b));
                match number(x).len().cmp(&number(y).len()).then(number(x).cmp(number(y))) {
                    Ordering::Equal => (a, b) = (rest_a, rest_b),
                    other => return other,
                }
            }
        }
    }
}

/// Digits without leading zeros, which then compare by length first.
fn number(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_people_do() {
        let mut names =
            vec!["run-10", "run-9", "run-2b", "run-2", "run-02", "a", "run", "x1y10", "x1y9"];
        names.sort_by(|a, b| natural(a, b).then(a.cmp(b)));
        assert_eq!(
            names,
            ["a", "run", "run-02", "run-2", "run-2b", "run-9", "run-10", "x1y9", "x1y10"]
        );
    }
}
