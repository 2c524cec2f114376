//! The PetShop data set: issues of a web shop, each with the node that caused it.

use super::worlds::question;
use crate::repository;
use fathom_explain::{Question, Sequence};
use std::collections::BTreeMap;
use std::fs;

/// How many rows before an issue are looked at.
const HISTORY: usize = 60;

/// What was wrong at the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symptom {
    Latency,
    Availability,
}

/// An issue: what is asked, and the same metric of all other nodes.
pub(super) struct Issue {
    pub(super) symptom: Symptom,
    pub(super) question: Question,
    pub(super) metrics: Vec<Sequence>,
    /// Which of them is the cause's.
    pub(super) cause: usize,
}

/// All issues that are in the repository.
pub(super) fn issues() -> Result<Vec<Issue>, String> {
    let list = read("issues.csv")?;
    let issues: Vec<Issue> =
        (0..list.rows).map(|row| issue(&list, row)).collect::<Result<_, String>>()?;
    if issues.is_empty() {
        return Err("testdata/petshop/issues.csv has no issues".to_string());
    }
    Ok(issues)
}

fn issue(list: &Columns, row: usize) -> Result<Issue, String> {
    let of = |column: &str| list.cell(column, row);
    let (before, during) = (read(of("normal_file")?)?, read(of("file")?)?);
    let suffix = format!("|{}|{}", of("target_metric")?, of("target_stat")?);
    let front = format!("{}{suffix}", of("target_node")?);
    let culprit = format!("{}{suffix}", of("root_cause_node")?);
    let rows = |name: &str| -> Result<Sequence, String> {
        let mut values = before.numbers(name)?;
        values.drain(..values.len().saturating_sub(HISTORY));
        values.extend(during.numbers(name)?);
        Ok(Sequence::new(&values))
    };
    let names: Vec<&String> =
        during.by_name.keys().filter(|name| name.ends_with(&suffix) && **name != front).collect();
    let cause = names.iter().position(|name| **name == culprit);
    let target = rows(&front)?;
    let window = target.len() - during.rows..target.len();
    Ok(Issue {
        symptom: match of("target_metric")? {
            "latency" => Symptom::Latency,
            "availability" => Symptom::Availability,
            other => return Err(format!("testdata/petshop/issues.csv: what is \"{other}\"?")),
        },
        question: question(target, window)?,
        metrics: names.iter().map(|name| rows(name)).collect::<Result<_, String>>()?,
        cause: cause.ok_or_else(|| format!("{} has no column {culprit}", list.file))?,
    })
}

/// A file of comma-separated values, by column.
struct Columns {
    file: String,
    rows: usize,
    by_name: BTreeMap<String, Vec<String>>,
}

impl Columns {
    fn cell(&self, column: &str, row: usize) -> Result<&str, String> {
        let cell = self.by_name.get(column).and_then(|cells| cells.get(row));
        let missing = || format!("{}: row {} has no {column}", self.file, row + 1);
        cell.map(String::as_str).ok_or_else(missing)
    }

    /// The numbers of a column; nothing where a cell is empty, nowhere anything if there is no column.
    fn numbers(&self, column: &str) -> Result<Vec<Option<f64>>, String> {
        let Some(cells) = self.by_name.get(column) else {
            return Ok(vec![None; self.rows]);
        };
        let number = |cell: &String| match cell.as_str() {
            "" => Ok(None),
            cell => cell
                .parse()
                .map(Some)
                .map_err(|_| format!("{}, column {column}: \"{cell}\" is not a number", self.file)),
        };
        cells.iter().map(number).collect()
    }
}

fn read(name: &str) -> Result<Columns, String> {
    let path = repository::testdata().join("petshop").join(name);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    // No cell of this data set has a comma or a quote within.
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_string));
    let head: Vec<String> = lines.next().map(Iterator::collect).unwrap_or_default();
    let mut columns: Vec<Vec<String>> = head.iter().map(|_| Vec::new()).collect();
    let mut rows = 0;
    for line in lines {
        rows += 1;
        let mut cells = line;
        for column in &mut columns {
            let cell = cells.next();
            column.push(cell.ok_or_else(|| format!("{}: row {rows} is short", path.display()))?);
        }
    }
    let by_name = head.into_iter().zip(columns).collect();
    Ok(Columns { file: path.display().to_string(), rows, by_name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_issues_are_whole() {
        let issues = issues().unwrap();
        assert_eq!(issues.len(), 16);
        for issue in &issues {
            assert_eq!(issue.question.target.len(), HISTORY + 5);
            assert!(issue.metrics.len() > 30, "{}", issue.metrics.len());
            assert!(issue.metrics[issue.cause].count() > 5);
        }
    }
}
