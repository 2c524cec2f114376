//! Conditions that hold in some rows of a trace and not in others.

use super::common_rows::CommonRows;
use super::term::RowFormula;
use crate::language::{PropertyError, RowExpression, RowExpressionKind, RowProgram};
use fathom_record::trace::{Samples, TraceMetric};
use fathom_record::{Span, Timestamp};

/// A condition on the rows of a trace, as it was written: `gc.active == 0`.
#[derive(Debug, Clone, PartialEq)]
pub struct RowCondition(RowExpression);

/// A condition that can be judged in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedRowCondition(RowProgram<RowFormula>);

impl RowCondition {
    /// Reads a condition.
    ///
    /// # Errors
    /// Its grammar is wrong.
    pub fn parse(text: &str) -> Result<RowCondition, PropertyError> {
        RowExpression::parse(text, RowExpressionKind::Condition).map(RowCondition)
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// What it is in a run with these metrics.
    ///
    /// # Errors
    /// A name that the run does not have, units that do not fit, or something without a meaning.
    pub fn resolve(&self, metrics: &[TraceMetric]) -> Result<ResolvedRowCondition, PropertyError> {
        self.0.condition(metrics).map(ResolvedRowCondition)
    }
}

impl ResolvedRowCondition {
    /// The metrics that it needs, each once.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.0.inputs
    }

    /// The stretches of time in which it does not hold or is unknown, in order and apart. Each but the
    /// first is after its start and up to its end.
    ///
    /// Samplers do not begin and end at the same moment, so the first and the last row are taken to reach
    /// one usual row further; what lies beyond is unknown.
    #[must_use]
    pub fn fails_in(&self, inputs: &[&Samples]) -> Vec<(Timestamp, Timestamp)> {
        let program = &self.0;
        let rows = match program.is_of_events {
            true => CommonRows::of_events(&program.leaves, inputs),
            false => CommonRows::of(&program.leaves, inputs),
        };
        // Between events nothing is missing: there was none.
        let (from, to) = match program.is_of_events {
            true => (Timestamp::MIN, Timestamp::MAX),
            false => known_range(&rows),
        };
        let mut fails: Vec<(Timestamp, Timestamp)> = Vec::new();
        let mut add = |start: Timestamp, end: Timestamp| match fails.last_mut() {
            Some(last) if last.1 >= start => last.1 = last.1.max(end),
            _ if start < end => fails.push((start, end)),
            _ => {}
        };
        add(Timestamp::MIN, from);
        let last = rows.len().saturating_sub(1);
        for row in 0..rows.len() {
            let Some((start, end)) = rows.span(row) else { continue };
            if program.of.truth(&rows, row) != Some(true) {
                let start = if row == 0 { from } else { start };
                add(start, if row == last { to } else { end });
            }
        }
        add(to, Timestamp::MAX);
        fails
    }
}

/// From when to when rows tell something.
fn known_range(rows: &CommonRows) -> (Timestamp, Timestamp) {
    let (Some((first, _)), Some(&last)) = (rows.span(0), rows.ends.last()) else {
        return (Timestamp::MAX, Timestamp::MAX);
    };
    let usual = usual_length(rows);
    (first - usual, last + usual)
}

/// The length in the middle of all rows'.
fn usual_length(rows: &CommonRows) -> Span {
    let mut lengths: Vec<Span> =
        rows.ends.windows(2).map(|pair| pair[1].max(pair[0]) - pair[0]).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(Span::ZERO)
}
