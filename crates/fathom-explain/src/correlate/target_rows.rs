//! The rows that are asked about, and what metrics are compared with in them.

use crate::segment::centred::{Centred, dot};
use crate::{NoAnswer, Question, Sequence};
use std::borrow::Cow;

/// Two rows always lie on a line.
pub(super) const FEWEST: usize = 3;

/// What metrics are compared with: the target, or its substitute, row by row.
#[derive(Debug)]
pub(super) struct TargetRows {
    /// The rows that have a value, one window after the other.
    rows: Vec<usize>,
    values: Vec<f64>,
    /// The values with sum 0 and sum of squares 1; `None` if they do not change.
    standard: Option<Vec<f64>>,
}

/// The rows that both were seen in.
#[derive(Debug)]
pub(super) struct Common<'a> {
    pub(super) rows: Cow<'a, [usize]>,
    pub(super) asked: Cow<'a, [f64]>,
    pub(super) metric: Vec<f64>,
}

impl Common<'_> {
    /// Whether every row that was asked about is among them.
    pub(super) fn is_all(&self) -> bool {
        matches!(self.rows, Cow::Borrowed(_))
    }
}

impl TargetRows {
    /// The target itself.
    pub(super) fn target(question: &Question) -> Result<TargetRows, NoAnswer> {
        let asked = TargetRows::new(question, |row| question.target.get(row))?;
        if asked.standard.is_none() {
            let hint = "select a window where it does";
            return Err(NoAnswer(format!("the target does not change within the window: {hint}")));
        }
        Ok(asked)
    }

    /// Whatever has a value in each row, or has none.
    pub(super) fn new(
        question: &Question,
        value: impl Fn(usize) -> Option<f64>,
    ) -> Result<TargetRows, NoAnswer> {
        let rows = question.windows.iter().flat_map(|window| window.clone());
        let (rows, values): (Vec<usize>, Vec<f64>) =
            rows.filter_map(|row| Some((row, value(row)?))).unzip();
        if rows.len() < FEWEST {
            let count = rows.len();
            return Err(NoAnswer(format!(
                "the window has {count} rows with a value of the target, but at least {FEWEST} are needed: select a longer window"
            )));
        }
        let standard = Centred::new(values.clone()).map(Centred::standard);
        Ok(TargetRows { rows, values, standard })
    }

    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Whether the values are all the same.
    pub(super) fn is_constant(&self) -> bool {
        self.standard.is_none()
    }

    /// The rows that both were seen in; `None` if they are too few.
    pub(super) fn common(&self, metric: &Sequence) -> Option<Common<'_>> {
        let past = self.rows.last()? + 1;
        let is_seen = match metric.mask() {
            _ if metric.len() < past => false,
            None => true,
            Some(mask) => self.rows.iter().all(|&row| mask.get(row) == Some(&true)),
        };
        if is_seen {
            let values = metric.bridged();
            let value = |row: &usize| values.get(*row).copied();
            let first = self.rows.first().copied()?;
            let metric = if past - first == self.rows.len() {
                values.get(first..past)?.to_vec()
            } else {
                self.rows.iter().filter_map(value).collect()
            };
            let (rows, asked) = (Cow::Borrowed(&*self.rows), Cow::Borrowed(&*self.values));
            return Some(Common { rows, asked, metric });
        }
        let (mut rows, mut asked, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (&row, &value) in self.rows.iter().zip(&self.values) {
            if let Some(seen) = metric.get(row) {
                rows.push(row);
                asked.push(value);
                values.push(seen);
            }
        }
        let enough = rows.len() >= FEWEST;
        enough.then_some(Common { rows: rows.into(), asked: asked.into(), metric: values })
    }

    /// Both with sum 0 and sum of squares 1, where both were seen; `None` if one does not change
    /// there.
    pub(super) fn standard(&self, metric: &Sequence) -> Option<(Cow<'_, [f64]>, Vec<f64>)> {
        let common = self.common(metric)?;
        let asked = if common.is_all() {
            Cow::Borrowed(self.standard.as_deref()?)
        } else {
            Cow::Owned(Centred::new(common.asked.into_owned())?.standard())
        };
        Some((asked, Centred::new(common.metric)?.standard()))
    }

    /// Pearson's coefficient.
    pub(super) fn correlation(&self, metric: &Sequence) -> Option<f64> {
        let (asked, metric) = self.standard(metric)?;
        Some(coefficient(&asked, &metric))
    }
}

/// Pearson's coefficient of standard values.
pub(super) fn coefficient(left: &[f64], right: &[f64]) -> f64 {
    dot(left, right).clamp(-1.0, 1.0)
}
