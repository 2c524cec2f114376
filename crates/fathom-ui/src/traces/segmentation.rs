//! The lines that the target is cut into.

use super::{PageQuestion, Traces, Trouble};
use fathom_explain::align;
use fathom_explain::segment::{self, DrawnLine};
use fathom_record::Timestamp;
use serde::Serialize;

/// The target's lines in each window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSegmentation {
    /// In the order of time.
    pub windows: Vec<Lines>,
    /// How many lines a window has at most.
    pub count: usize,
    /// Why there are none.
    pub none: Option<String>,
}

/// The lines of one window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lines {
    /// From where to where: seconds and heights.
    pub lines: Vec<[[f64; 2]; 2]>,
}

impl Traces {
    /// Cuts the target as the correlators do that look at lines.
    pub fn segmentation(&self, question: &PageQuestion) -> Result<PageSegmentation, Trouble> {
        let selection = question.selection()?;
        let options = question.alignment();
        let asked = align::question_with(self.source(), &selection, &options, &self.cache)?;
        let drawn = match segment::drawn(&asked) {
            Ok(drawn) => drawn,
            // Nothing is wrong with the question: other correlators answer it.
            Err(why) => {
                let none = Some(why.to_string());
                return Ok(PageSegmentation { windows: Vec::new(), count: 0, none });
            }
        };
        let knot = |(time, height): (Timestamp, f64)| [time.seconds(), height];
        let line = |line: &DrawnLine| [knot(line.from), knot(line.to)];
        Ok(PageSegmentation {
            none: None,
            count: drawn.iter().map(Vec::len).max().unwrap_or(0),
            windows: drawn
                .iter()
                .map(|lines| Lines { lines: lines.iter().map(line).collect() })
                .collect(),
        })
    }
}
