//! The runs, aligned.

use super::on_edges::on_edges;
use super::quality::Quality;
use crate::mask::KeptRows;
use crate::{MaskedRows, Question, Sequence, Stretch};
use fathom_record::Timestamp;
use fathom_record::trace::Samples;

/// A question for every run.
#[derive(Debug, Clone, PartialEq)]
pub struct Aligned {
    /// Which of the runs the selection was made in.
    pub reference: usize,
    /// The metric by which they were aligned; `None` if there is but one run.
    pub common: Option<String>,
    /// The runs, in the source's order.
    pub runs: Vec<AlignedRun>,
    /// What a reader should know of the selection and of all runs.
    pub notes: Vec<String>,
}

/// One alignment on the way from the reference to a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlignmentLink {
    /// The id of the run that it begins at.
    pub from: String,
    /// The metric that both runs have.
    pub metric: String,
}

/// The question in one run.
#[derive(Debug, Clone, PartialEq)]
pub struct AlignedRun {
    /// Its id.
    pub run: String,
    /// Whether the question is on rows of this run's own target; otherwise they are the reference's,
    /// and the target is as well.
    pub has_own_target: bool,
    /// What metrics are compared with.
    pub question: Question,
    /// Where the question's windows are in this run's time.
    pub windows: Vec<(Timestamp, Timestamp)>,
    /// Where the baseline is in this run's time.
    pub baseline: Option<(Timestamp, Timestamp)>,
    /// The alignments that lead from the reference to this run: one, or several through runs between;
    /// none for the reference itself.
    pub links: Vec<AlignmentLink>,
    /// How well the run fits the reference; `None` for the reference itself.
    pub quality: Option<Quality>,
    /// What makes the alignment doubtful.
    pub warnings: Vec<String>,
    /// What a mask leaves of the target's rows; only of the run that the selection was made in, and if
    /// there is a mask.
    pub masked: Option<MaskedRows>,
    /// The rows that the question's are among, if some do not count.
    pub(super) kept: Option<KeptRows>,
    /// The edges of the question's rows in this run's time, if they are the reference's rows.
    pub(super) edges: Option<Vec<Timestamp>>,
}

impl AlignedRun {
    /// The edges of the question's rows in this run's time: one more than there are rows, never
    /// decreasing.
    #[must_use]
    pub fn edges(&self) -> &[Timestamp] {
        self.edges.as_deref().unwrap_or(self.question.grid.edges())
    }

    /// A metric of this run on the question's rows.
    #[must_use]
    pub fn sequence(&self, samples: &Samples) -> Sequence {
        match &self.kept {
            None => Sequence::new(&on_edges(samples, self.edges())),
            Some(kept) => Sequence::new(&kept.of(&on_edges(samples, &kept.edges))),
        }
    }

    /// A stretch of the question with the numbers that its rows have among all rows of the target.
    #[must_use]
    pub fn among_all_rows(&self, stretch: Stretch) -> Stretch {
        let number = |row: usize| match &self.kept {
            None => row,
            Some(kept) => kept.kept.get(row).copied().unwrap_or(row),
        };
        Stretch { first: number(stretch.first), last: number(stretch.last), ..stretch }
    }
}
