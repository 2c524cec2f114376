//! What the naive evaluator knows at each time of its grid.

use fathom_property::Truth;

/// What is known of a formula at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mark {
    pub(crate) level: (u8, u8),
    pub(crate) robustness: (f64, f64),
}

pub(crate) const TRUE: Mark = Mark { level: (2, 2), robustness: (f64::INFINITY, f64::INFINITY) };
pub(crate) const FALSE: Mark =
    Mark { level: (0, 0), robustness: (f64::NEG_INFINITY, f64::NEG_INFINITY) };
pub(crate) const UNKNOWN: Mark =
    Mark { level: (0, 2), robustness: (f64::NEG_INFINITY, f64::INFINITY) };

impl Mark {
    pub(crate) fn not(self) -> Mark {
        Mark {
            level: (2 - self.level.1, 2 - self.level.0),
            robustness: (-self.robustness.1, -self.robustness.0),
        }
    }

    pub(crate) fn and(self, other: Mark) -> Mark {
        let ((a, b), (c, d)) = (self.level, other.level);
        let ((e, f), (g, h)) = (self.robustness, other.robustness);
        Mark { level: (a.min(c), b.min(d)), robustness: (e.min(g), f.min(h)) }
    }

    pub(crate) fn or(self, other: Mark) -> Mark {
        self.not().and(other.not()).not()
    }

    pub(crate) fn truth(self) -> Truth {
        match self.level {
            (2, _) => Truth::True,
            (_, 0) => Truth::False,
            (1, _) => Truth::Vacuous,
            _ => Truth::Unknown,
        }
    }

    pub(crate) fn certain(is_true: bool) -> Mark {
        if is_true { TRUE } else { FALSE }
    }
}

/// Something over time: at each time of the grid, just after it and just before the next, and
/// beyond the end. Something timeless has one time.
#[derive(Debug, Clone)]
pub(crate) struct Over<V> {
    pub(crate) points: Vec<V>,
    pub(crate) cells: Vec<(V, V)>,
    pub(crate) beyond: V,
    pub(crate) reach: Reach,
}

/// Up to which time of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reach {
    pub(crate) end: Option<usize>,
    pub(crate) is_cut: bool,
    pub(crate) is_timeless: bool,
}

impl Reach {
    pub(crate) const EVERYWHERE: Reach = Reach { end: None, is_cut: false, is_timeless: true };

    pub(crate) fn and(self, other: Reach) -> Reach {
        match (self.is_timeless, other.is_timeless) {
            (true, false) => other,
            (false, true) => self,
            _ => match (self.end, other.end) {
                (None, _) => other,
                (_, None) => self,
                (Some(a), Some(b)) if a != b => {
                    if a < b {
                        self
                    } else {
                        other
                    }
                }
                _ => Reach { is_cut: self.is_cut && other.is_cut, ..self },
            },
        }
    }
}

impl<V: Copy> Over<V> {
    pub(crate) fn everywhere(value: V, reach: Reach) -> Over<V> {
        let reach = Reach { is_timeless: true, ..reach };
        Over { points: vec![value], cells: vec![], beyond: value, reach }
    }

    pub(crate) fn at(&self, time: usize) -> V {
        self.points[if self.reach.is_timeless { 0 } else { time }]
    }

    pub(crate) fn cell(&self, time: usize) -> (V, V) {
        if self.reach.is_timeless { (self.points[0], self.points[0]) } else { self.cells[time] }
    }

    pub(crate) fn map<W>(&self, f: impl Fn(V) -> W) -> Over<W> {
        Over {
            points: self.points.iter().map(|&v| f(v)).collect(),
            cells: self.cells.iter().map(|&(a, b)| (f(a), f(b))).collect(),
            beyond: f(self.beyond),
            reach: self.reach,
        }
    }

    pub(crate) fn zip<U: Copy, W: Copy>(
        &self,
        other: &Over<U>,
        lost: (V, U),
        f: impl Fn(V, U) -> W,
    ) -> Over<W> {
        let reach = self.reach.and(other.reach);
        let shortened = |mine: Reach| !mine.is_timeless && mine.end != reach.end;
        let (a, b) = (
            if shortened(self.reach) { lost.0 } else { self.beyond },
            if shortened(other.reach) { lost.1 } else { other.beyond },
        );
        let beyond = f(a, b);
        if reach.is_timeless {
            return Over { beyond, ..Over::everywhere(f(self.at(0), other.at(0)), reach) };
        }
        let end = reach.end.unwrap();
        Over {
            points: (0..=end).map(|t| f(self.at(t), other.at(t))).collect(),
            cells: (0..end)
                .map(|t| {
                    let (a, b) = (self.cell(t), other.cell(t));
                    (f(a.0, b.0), f(a.1, b.1))
                })
                .collect(),
            beyond,
            reach,
        }
    }
}
