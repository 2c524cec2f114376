//! A contrast as a table, for programs and for documents: a row per metric and place.

use super::words::{self, LevelScale};
use crate::Table;
use crate::explanation::q_words;
use crate::layout::Side::{self, Left, Right};
use fathom_explain::contrast::{Contrast, ContrastedMetric, Difference};

const SIDES: &[Side] = &[Right, Left, Left, Right, Right, Right, Right, Right, Right, Right, Left];

const HEAD: [&str; 11] = [
    "rank",
    "metric",
    "phase",
    "first",
    "second",
    "change",
    "relative",
    "separation",
    "p_value",
    "family_p_value",
    "unit",
];

/// A row for each metric over whole runs and in each phase, of the `top` that are shown.
#[must_use]
pub fn contrast_table(contrast: &Contrast, top: usize) -> Table {
    let mut table = Table::with_head(&HEAD, SIDES);
    let [first, second] = contrast.sizes();
    let [one, other] = &contrast.names;
    table.notes.push(format!("first: {one} ({first} runs); second: {other} ({second} runs)"));
    for (place, metric) in contrast.metrics.iter().enumerate().take(top) {
        for (phase, difference) in metric.differences() {
            table.records.push(record(place, metric, phase, difference));
            table.cells.push(cell(place, metric, phase, difference));
        }
    }
    table
}

fn record(
    place: usize,
    metric: &ContrastedMetric,
    phase: Option<usize>,
    difference: &Difference,
) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let [first, second] = difference.groups.map(|group| number(group.map(|group| group.median)));
    let change = difference.change();
    let chance = difference.chance;
    vec![
        (place + 1).to_string(),
        metric.metric.name.clone(),
        phase.map_or("all".to_string(), |phase| (phase + 1).to_string()),
        first,
        second,
        number(change.map(|(change, _)| change)),
        number(change.and_then(|(_, relative)| relative)),
        number(chance.map(|chance| chance.separation)),
        number(chance.map(|chance| chance.p_value)),
        number(chance.map(|chance| chance.family_p_value)),
        metric.metric.unit.symbol().to_string(),
    ]
}

fn cell(
    place: usize,
    metric: &ContrastedMetric,
    phase: Option<usize>,
    difference: &Difference,
) -> Vec<String> {
    let scale = LevelScale::new(metric, difference, None);
    let [first, second] = difference.groups.map(|group| scale.median(group));
    let chance = difference.chance;
    let change = words::change(difference);
    vec![
        (place + 1).to_string(),
        metric.metric.name.clone(),
        phase.map_or("all".to_string(), |phase| (phase + 1).to_string()),
        first,
        second,
        change.clone(),
        change,
        chance.map_or("-".to_string(), |chance| format!("{:.2}", chance.separation)),
        q_words(chance.map(|chance| chance.p_value)),
        q_words(chance.map(|chance| chance.family_p_value)),
        metric.metric.unit.symbol().to_string(),
    ]
}
