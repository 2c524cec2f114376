//! How much of the values goes into a report of traces.

/// From most to least: every row, then this many points of a line.
const COLUMNS: [usize; 7] = [usize::MAX, 4000, 2000, 1000, 500, 250, 125];

/// The line that is drawn large has this many times the points of the others.
const TARGET: usize = 8;

/// How much of the values goes into a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValueBudget {
    /// How many points a line has at most.
    pub(super) columns: usize,
    /// How many metrics have lines, from the first of the ranking on; those that take no part come
    /// last.
    pub(super) metrics: usize,
}

/// What is tried, in this order: fewer points first, then fewer metrics.
pub(super) fn plans(longest: usize, metrics: usize) -> impl Iterator<Item = ValueBudget> {
    let columns = COLUMNS.into_iter().filter(move |&columns| is_of_use(columns, longest));
    let all = columns.map(move |columns| ValueBudget { columns, metrics });
    let half = |&count: &usize| (count > 1).then_some(count / 2);
    let fewer = std::iter::successors(Some(metrics), half).skip(1);
    let least = ValueBudget::least(longest);
    all.chain(fewer.map(move |metrics| ValueBudget { metrics, ..least }))
}

/// Whether fewer points are fewer than there are rows.
fn is_of_use(columns: usize, longest: usize) -> bool {
    columns == usize::MAX || columns < longest
}

impl ValueBudget {
    /// No more than the target and what runs are aligned by, in few points.
    pub(super) fn least(longest: usize) -> ValueBudget {
        let columns = COLUMNS.into_iter().rfind(|&columns| is_of_use(columns, longest));
        ValueBudget { columns: columns.unwrap_or(usize::MAX), metrics: 0 }
    }

    /// How many points the target has at most, in the run that was asked about.
    pub(super) fn target_columns(self) -> usize {
        self.columns.saturating_mul(TARGET)
    }

    /// What the reader should know of it; `None` if nothing is left out.
    pub(super) fn words(self, longest: usize, metrics: usize, limit: usize) -> Option<String> {
        let mut parts = Vec::new();
        if self.columns < longest {
            parts.push(format!(
                "lines show up to {} points, and the target {}, instead of {longest} rows, with a band \
                 for the values in between and more points around the window",
                self.columns,
                self.target_columns().min(longest)
            ));
        }
        match metrics.saturating_sub(self.metrics) {
            0 => {}
            left if self.metrics == 0 => parts.push(format!("none of {left} metrics has a line")),
            left => parts.push(format!("the last {left} of {metrics} metrics have no line")),
        }
        (!parts.is_empty()).then(|| {
            format!(
                "Thinned for display, to stay under {}: {}. Tables and the ranking are complete.",
                size_words(limit),
                parts.join("; ")
            )
        })
    }
}

/// "10 MB".
pub(super) fn size_words(bytes: usize) -> String {
    match bytes {
        bytes if bytes >= 1_000_000 => format!("{} MB", bytes / 1_000_000),
        bytes if bytes >= 1000 => format!("{} kB", bytes / 1000),
        bytes => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_go_first_then_metrics() {
        let tried: Vec<ValueBudget> = plans(1500, 5).collect();
        let columns: Vec<usize> = tried.iter().map(|plan| plan.columns).collect();
        assert_eq!(columns, [usize::MAX, 1000, 500, 250, 125, 125, 125]);
        let metrics: Vec<usize> = tried.iter().map(|plan| plan.metrics).collect();
        assert_eq!(metrics, [5, 5, 5, 5, 5, 2, 1]);
        assert_eq!(ValueBudget::least(1500), ValueBudget { columns: 125, metrics: 0 });
    }

    #[test]
    fn short_lines_lose_metrics_only() {
        let all = ValueBudget { columns: usize::MAX, metrics: 1 };
        assert_eq!(plans(100, 1).collect::<Vec<_>>(), [all]);
        assert_eq!(ValueBudget::least(100), ValueBudget { metrics: 0, ..all });
    }

    #[test]
    fn words_say_what_is_left_out() {
        let all = ValueBudget { columns: usize::MAX, metrics: 5 };
        assert_eq!(all.words(1500, 5, 10_000_000), None);
        let thin = ValueBudget { columns: 250, metrics: 2 };
        assert_eq!(
            thin.words(1500, 5, 10_000_000).as_deref(),
            Some(
                "Thinned for display, to stay under 10 MB: lines show up to 250 points, and the \
                 target 1500, instead of 1500 rows, with a band for the values in between and \
                 more points around the window; the last 3 of 5 metrics have no line. Tables and \
                 the ranking are complete."
            )
        );
        let none = ValueBudget { columns: usize::MAX, metrics: 0 };
        assert!(none.words(100, 5, 2500).unwrap().contains("under 2 kB: none of 5 metrics"));
    }
}
