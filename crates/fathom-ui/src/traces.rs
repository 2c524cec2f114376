//! Traces as the page shows them: what `web/src/contract.ts` defines, computed.

mod alignments;
mod answer;
mod command;
mod commands;
mod context;
mod correlators;
mod events;
mod explaining;
mod labels;
#[cfg(test)]
mod made_up;
mod opening_question;
mod overview;
mod points;
mod preload;
mod question;
mod ribbon;
mod segmentation;
mod series;
mod suggestions;
mod thinning;
mod trouble;

pub use answer::{PageRanking, answer};
pub use commands::{Commands, ViewQuery};
pub use context::PageContext;
pub use labels::{Label, Labels, Marking};
pub use opening_question::OpeningQuestion;
pub use overview::{CorrelatorInfo, MetricInfo, RunInfo, TracesOverview};
pub use question::{Auto, PageQuestion, SegmentCount, WireScoreIn};
pub use ribbon::{PageRibbon, WarpQuery};
pub use segmentation::{Lines, PageSegmentation};
pub use series::PageSeries;
pub use suggestions::PageSuggestion;
pub use trouble::Trouble;

use crate::OpenedTraces;
use alignments::Alignments;
use fathom_explain::{ExplainCache, TraceSource};
use labels::LabelBook;
use preload::Preloaded;

/// Traces that are asked again and again: what was read and aligned is remembered.
pub struct Traces {
    opened: OpenedTraces,
    cache: ExplainCache,
    alignments: Alignments,
    preloaded: Preloaded,
    labels: LabelBook,
}

impl Traces {
    /// With nothing remembered yet.
    #[must_use]
    pub fn new(opened: OpenedTraces) -> Traces {
        Traces {
            labels: LabelBook::new(opened.labels_file.clone()),
            opened,
            cache: ExplainCache::default(),
            alignments: Alignments::default(),
            preloaded: Preloaded::default(),
        }
    }

    /// What was opened.
    #[must_use]
    pub fn overview(&self) -> TracesOverview {
        overview::overview(&self.opened)
    }

    pub(crate) fn opened(&self) -> &OpenedTraces {
        &self.opened
    }

    fn source(&self) -> &dyn TraceSource {
        self.opened.source.as_ref()
    }
}
