//! How time and memory grow with runs, metrics and samples.

use super::super::figures::{count, time};
use super::super::reading::median;
use super::bytes;
use super::subject::{Answer, Subject};
use crate::made_traces::Size;
use crate::markdown::MarkdownTable;

/// A folder of traces, and what came out in each round.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) subject: Subject,
    pub(super) answers: Vec<Answer>,
}

/// The sizes that differ from a base in one way, the base once.
pub(super) fn sizes(base: Size, runs: &[usize], metrics: &[usize], samples: &[usize]) -> Vec<Size> {
    let runs = runs.iter().map(|&runs| Size { runs, ..base });
    let metrics = metrics.iter().map(|&metrics| Size { metrics, ..base });
    let samples = samples.iter().map(|&samples| Size { samples, ..base });
    let mut all: Vec<Size> = Vec::new();
    for size in runs.chain(metrics).chain(samples) {
        if !all.contains(&size) {
            all.push(size);
        }
    }
    all
}

impl Row {
    pub(super) fn seconds(&self) -> f64 {
        median(&self.answers.iter().map(|answer| answer.seconds).collect::<Vec<_>>())
    }

    pub(super) fn peak(&self) -> Option<f64> {
        self.answers.iter().filter_map(|answer| answer.peak).reduce(f64::max)
    }

    /// The fewest causes that were among the first, and how many there are.
    pub(super) fn hits(&self) -> (usize, usize) {
        let fewest = self.answers.iter().map(|answer| answer.hits).min();
        (fewest.unwrap_or(0), self.subject.truth.causes.len())
    }
}

/// A table of rows, the base marked.
pub(super) fn table(rows: &[Row], base: Option<Size>) -> String {
    let head =
        ["runs", "metrics", "samples", "time", "per million samples", "memory", "causes found"];
    let mut table = MarkdownTable::new(head);
    for row in rows {
        let size = row.subject.size;
        let mark = if base == Some(size) { " (base)" } else { "" };
        // With its share of the metrics and the common one, a run has fewer.
        let columns =
            if size.spread { size.metrics + size.runs - 1 } else { size.runs * size.metrics };
        let millions = (columns * size.samples) as f64 / 1e6;
        let (hits, causes) = row.hits();
        table.row([
            format!("{}{mark}", size.runs),
            if size.spread {
                format!("{}, spread", size.metrics)
            } else {
                size.metrics.to_string()
            },
            count(size.samples),
            time(row.seconds()),
            time(row.seconds() / millions),
            row.peak().map_or_else(|| "-".to_string(), bytes),
            format!("{hits} of {causes}"),
        ]);
    }
    table.render()
}

/// The power of a quantity by which time grows, from the first to the last of the sizes that differ
/// from the base in it alone.
pub(super) fn exponent(rows: &[Row], base: Size, of: fn(&Size) -> usize) -> Option<f64> {
    let differs = |size: &Size| {
        let others =
            [size.runs != base.runs, size.metrics != base.metrics, size.samples != base.samples];
        others.into_iter().filter(|&differs| differs).count() <= usize::from(of(size) != of(&base))
    };
    let mut points: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| differs(&row.subject.size))
        .map(|row| (of(&row.subject.size) as f64, row.seconds()))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((from, short), (to, long)) = (*points.first()?, *points.last()?);
    (to > from).then(|| (long / short).ln() / (to / from).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_traces::PlantedTruth;

    const BASE: Size = Size { runs: 2, metrics: 30, samples: 1000, spread: false, seed: 1 };

    fn row(size: Size, seconds: f64) -> Row {
        let folder = std::env::temp_dir().join("fathom-no-such-folder-of-traces");
        let truth =
            PlantedTruth { windows: Vec::new(), causes: vec!["a".to_string(), "b".to_string()] };
        let answer = |seconds, hits| Answer { seconds, peak: Some(2e8), hits };
        let answers = vec![answer(seconds, 2), answer(9.0 * seconds, 1), answer(0.1 * seconds, 2)];
        Row { subject: Subject { size, folder, truth }, answers }
    }

    #[test]
    fn sizes_differ_from_the_base_in_one_way() {
        let all = sizes(BASE, &[1, 2, 4], &[30, 60], &[1000, 3000]);
        assert_eq!(all.len(), 5);
        assert_eq!(all.iter().filter(|&&size| size == BASE).count(), 1);
    }

    #[test]
    fn growth_is_seen_in_the_right_direction() {
        let all = sizes(BASE, &[1, 2, 4], &[30, 60], &[1000, 4000]);
        let rows: Vec<Row> = all
            .into_iter()
            .map(|size| {
                row(size, 1e-3 * (size.runs * size.metrics) as f64 * (size.samples as f64).sqrt())
            })
            .collect();
        let near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-9;
        assert!(near(exponent(&rows, BASE, |size| size.runs), 1.0));
        assert!(near(exponent(&rows, BASE, |size| size.metrics), 1.0));
        assert!(near(exponent(&rows, BASE, |size| size.samples), 0.5));
        assert_eq!(exponent(&rows[..1], BASE, |size| size.samples), None);
        let text = table(&rows, Some(BASE));
        assert!(text.contains("| 2 (base) | 30      | 1,000   | 1.90 s |"), "{text}");
        assert!(text.contains("1 of 2") && text.contains("200 MB"), "{text}");
    }
}
