//! The paper's tables I and II, on timings of our own.

use super::timings::{FULL, RUNS, SIMPLIFIED, Timings, WAYS};
use super::{cut_levels, percent, rules::Rule};
use crate::markdown::MarkdownTable;
use fathom_stats::mean::Moments;

pub(super) fn section(sets: &[Timings]) -> String {
    format!(
        "## The paper's tables, on our timings\n\n\
         60 sets of 5000 timings (`testdata/timings/`), 5 runs each. The paper's sets, from iOS \
         devices, are not public, so only the order of magnitude can be compared.\n\n{}\n{}\n{}",
        error_table(sets),
        compactness_table(sets),
        share_table(sets)
    )
}

/// Table I: |labelled by simplified − labelled by full| / n, averaged.
fn error_table(sets: &[Timings]) -> String {
    let error = |full: usize, simplified: usize| {
        let one = |set: &Timings| {
            let [a, b] = [full, simplified].map(|way| set.labels[way].indices.len());
            a.abs_diff(b) as f64 / set.values.len() as f64
        };
        let largest = sets.iter().map(one).fold(0.0, f64::max);
        [format!("{:.6}", mean(sets.iter().map(one))), format!("{largest:.6}")]
    };
    let mut table =
        MarkdownTable::new(["detection error of the simplified heuristic", "mean", "largest"]);
    let [average, largest] = error(FULL, SIMPLIFIED);
    table.row(["grid, bell curve".to_string(), average, largest]);
    let [average, largest] = cut_levels::error_of_polynomial(sets, WAYS[FULL]);
    table.row(["grid, polynomial of Figure 4".to_string(), average, largest]);
    let [average, largest] = error(FULL + 2, SIMPLIFIED + 2);
    table.row(["no grid, bell curve".to_string(), average, largest]);
    let [average, largest] = cut_levels::error_of_polynomial(sets, WAYS[FULL + 2]);
    table.row(["no grid, polynomial of Figure 4".to_string(), average, largest]);
    table.row(["the paper, no grid, bell curve", "0.004354", ""]);
    table.row(["the paper, no grid, polynomial", "0.004356", ""]);
    format!(
        "Table I: the difference between how many values simplified and full label, over n. A curve \
         matters only by where it is highest.\n\n{}",
        table.render()
    )
}

/// Table II: how compact the values are before and after.
fn compactness_table(sets: &[Timings]) -> String {
    type Measure = fn(&[f64]) -> f64;
    let measures: [(&str, Measure); 4] = [
        ("total distance", total_distance),
        ("depth", depth),
        ("radius", radius),
        ("centroid − medoid", centroid_to_medoid),
    ];
    let mut table = MarkdownTable::new([
        "measure",
        "all",
        "full",
        "simplified",
        "full, no grid",
        "simplified, no grid",
    ]);
    for (name, measure) in measures {
        let mut row = vec![name.to_string()];
        for way in [None, Some(FULL), Some(SIMPLIFIED), Some(FULL + 2), Some(SIMPLIFIED + 2)] {
            let each: Vec<f64> = sets
                .iter()
                .map(|set| measure(&way.map_or(set.values.clone(), |way| set.cleaned(way))))
                .collect();
            let moments = Moments::of(&each);
            row.push(moments.map_or(String::new(), |m| format!("{:.4e} ± {:.1e}", m.mean, m.sd)));
        }
        table.row(row);
    }
    format!(
        "Table II: compactness in ns, mean ± standard deviation over the sets. Total distance is the \
         sum over all pairs, depth is largest − smallest, radius the root mean square distance from \
         the mean, the medoid is the median value. The paper has total distance 2.33e9, 5.99e8 \
         (full), 5.94e8 (simplified); depth 41018, 381, 237; radius 1035, 48.0, 46.2; centroid − \
         medoid 58.6, 14.8, 15.0.\n\n{}",
        table.render()
    )
}

/// What is labelled, by benchmark.
fn share_table(sets: &[Timings]) -> String {
    let mut head = vec!["timings".to_string()];
    head.extend(WAYS.map(|way| Rule::Fathom(way.method, way.grid).name().to_string()));
    head.push("clustered in time".to_string());
    let mut table = MarkdownTable::new(head);
    for group in sets.chunks(RUNS) {
        let name = group[0].name.trim_end_matches("_1").replace('_', " ");
        let mut row = vec![name];
        for way in 0..WAYS.len() {
            let share = |set: &Timings| set.labels[way].indices.len() as f64 / 5000.0;
            row.push(percent(mean(group.iter().map(share))));
        }
        let is_burst = |set: &&Timings| {
            set.labels[SIMPLIFIED].clustered_in_time.is_some_and(|time| time.p_value <= 0.05)
        };
        row.push(format!("{} of {RUNS}", group.iter().filter(is_burst).count()));
        table.row(row);
    }
    format!(
        "The share of values labelled in %, mean of {RUNS} runs; and the number of runs in which \
         the labels of the simplified heuristic are clustered in time (p at most 0.05).\n\n\
         {}",
        table.render()
    )
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    values.for_each(|value| {
        sum += value;
        count += 1.0;
    });
    sum / count
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// Σ over pairs of |x − y|: the i-th smallest value is the larger one i times.
fn total_distance(values: &[f64]) -> f64 {
    let last = values.len() as f64 - 1.0;
    sorted(values).iter().enumerate().map(|(i, value)| value * (2.0 * i as f64 - last)).sum()
}

fn depth(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    sorted.last().zip(sorted.first()).map_or(0.0, |(last, first)| last - first)
}

fn radius(values: &[f64]) -> f64 {
    let centroid = mean(values.iter().copied());
    mean(values.iter().map(|value| (value - centroid) * (value - centroid))).sqrt()
}

fn centroid_to_medoid(values: &[f64]) -> f64 {
    let medoid = sorted(values).get((values.len() - 1) / 2).copied().unwrap_or(0.0);
    (mean(values.iter().copied()) - medoid).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_what_they_are_said_to_be() {
        let values = [4.0, 1.0, 9.0, 2.0_f64];
        let pairs: f64 =
            values.iter().flat_map(|a| values.iter().map(move |b| (a - b).abs())).sum();
        assert_eq!(total_distance(&values), pairs / 2.0);
        assert_eq!(depth(&values), 8.0);
        assert!((radius(&values) - (38.0_f64 / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(centroid_to_medoid(&values), 2.0);
    }
}
