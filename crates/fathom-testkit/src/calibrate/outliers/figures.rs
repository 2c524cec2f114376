//! The paper's Figures 1, 2 and 5 and its Table III, on our timings.

use super::timings::{FULL, RUNS, SIMPLIFIED, Timings, WAYS};
use crate::markdown::MarkdownTable;
use fathom_stats::outliers::{Dendrogram, Positions, full_cut, local_outlier_factors, medcouple};
use fathom_stats::{Probability, quantile};

/// The set of Figure 2.
const EXAMPLE: &str = "sort_noisy_1";
/// How many clusters Figure 2 lists.
const LISTED: usize = 12;
const BINS: usize = 32;

pub(super) fn section(sets: &[Timings]) -> String {
    format!("{}\n{}\n{}", distributions(sets), example(sets), steps(sets))
}

/// Figure 1, and the skewness of section III.
fn distributions(sets: &[Timings]) -> String {
    let mut table = MarkdownTable::new([
        "timings",
        "medcouple",
        "median, ns",
        "largest, ns",
        "all",
        "largest that stays",
        "without outliers",
    ]);
    for set in sets.iter().step_by(RUNS) {
        let kept = set.cleaned(SIMPLIFIED);
        let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let median = quantile::of_unsorted(&mut set.values.clone(), Probability::HALF);
        table.row([
            set.name.replace('_', " "),
            medcouple(&set.values).map_or(String::new(), |skewness| format!("{skewness:.2}")),
            median.map_or(String::new(), |median| format!("{median:.0}")),
            format!("{:.0}", largest(&set.values)),
            format!("`{}`", bars(&set.values)),
            format!("{:.0}", largest(&kept)),
            format!("`{}`", bars(&kept)),
        ]);
    }
    let skewness: Vec<f64> = sets.iter().filter_map(|set| medcouple(&set.values)).collect();
    let least = skewness.iter().copied().fold(f64::INFINITY, f64::min);
    let most = skewness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    format!(
        "Figure 1: one run of each benchmark in full, and once the simplified heuristic (grid) has \
         removed what it labels. Bars are counts on a scale of logarithms, from the smallest value to \
         the largest. The medcouples of all 60 sets are from {least:.2} to {most:.2}; the paper's are \
         from -1 to 1.\n\n{}",
        table.render()
    )
}

/// How many values there are in each part of their range; one is seen as well as a thousand.
fn bars(values: &[f64]) -> String {
    const MARKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut counts = [0_u32; BINS];
    for value in values {
        let place = (value - least) / (most - least).max(f64::MIN_POSITIVE) * BINS as f64;
        counts[(place as usize).min(BINS - 1)] += 1;
    }
    let largest = f64::from(counts.iter().copied().max().unwrap_or(0)).ln_1p();
    let mark = |count: u32| MARKS[(8.0 * f64::from(count).ln_1p() / largest).ceil() as usize];
    counts.map(mark).iter().collect()
}

/// Figure 2: what the full heuristic labels in a set.
fn example(sets: &[Timings]) -> String {
    let Some(set) = sets.iter().find(|set| set.name == EXAMPLE) else { return String::new() };
    let rule = WAYS[FULL];
    let positions = Positions::new(&set.values, rule.grid);
    let factors = local_outlier_factors(&positions, rule.min_pts);
    let tree = Dendrogram::of(&positions, rule.share);
    let clusters = full_cut(&tree, &factors).map_or(Vec::new(), |cut| tree.clusters_at(cut));
    let mut sorted = set.values.clone();
    sorted.sort_by(f64::total_cmp);
    // How many values are up to each position.
    let up_to: Vec<usize> = std::iter::once(0)
        .chain(positions.count().iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }))
        .collect();
    let is_inlier = |place: &usize| !clusters.iter().any(|(range, _)| range.contains(place));
    let inliers: Vec<usize> = (0..factors.len()).filter(is_inlier).collect();
    let mut table =
        MarkdownTable::new(["from, ns", "to, ns", "values", "kind", "local outlier factor"]);
    let mut row = |places: &[usize], kind: &str| {
        let (first, last) = (places[0], places[places.len() - 1]);
        let each = || places.iter().map(|&place| factors[place]);
        let [least, most] = [each().fold(f64::INFINITY, f64::min), each().fold(0.0, f64::max)];
        let factors = match places.len() {
            1 => format!("{least:.2}"),
            _ => format!("{least:.2} to {most:.2}"),
        };
        let count: usize = places.iter().map(|&place| positions.count()[place]).sum();
        table.row([
            format!("{:.0}", sorted[up_to[first]]),
            format!("{:.0}", sorted[up_to[last + 1] - 1]),
            count.to_string(),
            kind.to_string(),
            factors,
        ]);
    };
    row(&inliers, "inliers");
    for (range, size) in clusters.iter().take(LISTED) {
        let places: Vec<usize> = range.clone().collect();
        row(&places, if *size == 1 { "standalone" } else { "clustered" });
    }
    let more = clusters.len().saturating_sub(LISTED);
    format!(
        "Figure 2: `{EXAMPLE}`, labelled by the full heuristic (grid): the inliers, and the first \
         {LISTED} of {} clusters of outliers; {more} more are further out.\n\n{}",
        clusters.len(),
        table.render()
    )
}

/// Figure 5 in steps, since seconds differ from machine to machine; and Table III.
fn steps(sets: &[Timings]) -> String {
    let mut table = MarkdownTable::new([
        "n",
        "unique heights, no grid",
        "grid",
        "full, as in the paper",
        "simplified, as in the paper",
        "both, Fathom",
    ]);
    for n in [50, 100, 200, 500, 1000, 2000, 5000] {
        let mut heights = [0.0; 2];
        for set in sets {
            let values = &set.values[..n];
            let plain = Positions::as_given(values);
            let gridded = Positions::new(values, WAYS[FULL].grid);
            for (sum, positions) in heights.iter_mut().zip([plain, gridded]) {
                *sum += Dendrogram::of(&positions, WAYS[FULL].share).heights().len() as f64;
            }
        }
        let [plain, gridded] = heights.map(|sum| sum / sets.len() as f64);
        let size = n as f64;
        table.row([
            n.to_string(),
            format!("{plain:.1}"),
            format!("{gridded:.1}"),
            format!("{:.0}", plain * size),
            format!("{:.0}", size * plain.log2().max(1.0)),
            format!("{:.0}", 2.0 * size),
        ]);
    }
    let mut complexity = MarkdownTable::new(["heuristic", "the paper", "Fathom, after one sort"]);
    complexity.row(["full", "O(n²)", "O(n)"]);
    complexity.row(["simplified", "O(n log n)", "O(n)"]);
    format!(
        "Figure 5: steps after the tree is built, mean of the 60 sets (their first n timings): the \
         paper cuts n values once for each unique height (full), or looks each of n merges up among \
         them (simplified); Fathom passes once over the merges and once over the values. Seconds are in \
         [performance.md](../docs/performance.md).\n\n{}\n\
         Table III: the worst case after the tree is built; Fathom builds the tree in O(n), too, since \
         the values are on a line.\n\n{}",
        table.render(),
        complexity.render()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_is_seen_beside_many() {
        let mut values = vec![0.0; 1000];
        values.push(100.0);
        let bars: Vec<char> = bars(&values).chars().collect();
        assert_eq!((bars.len(), bars[0]), (BINS, '█'));
        assert!(bars[1..BINS - 1].iter().all(|&mark| mark == ' ') && bars[BINS - 1] != ' ');
        assert_eq!(super::bars(&[5.0, 5.0]).trim_end(), "█");
    }
}
