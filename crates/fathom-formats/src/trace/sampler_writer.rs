//! Writing the rows of one sampler so that no kill can spoil them.

use super::TraceError;
use super::error::shown;
use super::folder::write_whole;
use super::layout::{Layout, Purpose, check_names};
use super::merge::merge;
use super::part_name::{RowRange, part_name};
use super::pieces::{parts, pieces};
use fathom_record::trace::{Rows, TraceMetric};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// Writes the rows of one sampler.
///
/// Every [`append`](SamplerWriter::append) is a Parquet file of its own, a part. Parts never change;
/// they are merged by sixteens, so that there are few of them and a row is written a few times only.
/// [`finish`](SamplerWriter::finish) makes one file of them.
#[derive(Debug)]
pub struct SamplerWriter {
    folder: PathBuf,
    file: String,
    run: Option<String>,
    /// Every metric so far, in the order of appearance.
    metrics: Vec<TraceMetric>,
    places: HashMap<String, usize>,
    /// The layout of the latest rows.
    latest: Option<Layout>,
    parts: Vec<Part>,
    rows: u64,
    /// How many parts may come before merging is tried again.
    rest: usize,
    buffer: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    span: RowRange,
    /// How often its rows were merged.
    level: u32,
}

/// How many parts become one.
const FAN_IN: usize = 16;
/// The most values that are merged while recording, about a tenth of a second's work. Nothing is
/// appended meanwhile, so a kill could lose more if this were larger.
const MOST_MERGED: u64 = 4 << 20;

impl SamplerWriter {
    pub(super) fn new(
        folder: PathBuf,
        file: &str,
        run: Option<&str>,
    ) -> Result<SamplerWriter, TraceError> {
        if !pieces(&folder, file)?.is_empty() {
            return Err(TraceError::Unfit {
                file: shown(&folder.join(file)),
                what: "it was already written".to_string(),
                remedy: "use a separate file for every run and sampler".to_string(),
            });
        }
        Ok(SamplerWriter {
            folder,
            file: file.to_string(),
            run: run.map(str::to_string),
            metrics: Vec::new(),
            places: HashMap::new(),
            latest: None,
            parts: Vec::new(),
            rows: 0,
            rest: 0,
            buffer: Vec::new(),
        })
    }

    /// How many rows were appended.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Every metric so far, in the order of appearance.
    #[must_use]
    pub fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    /// Appends rows. When it returns they are in a complete file, which a kill cannot spoil. Their
    /// metrics may be others than before; what a row has no column for is missing.
    ///
    /// After an error none of these rows is there, and all rows before are; it may be tried again.
    pub fn append(&mut self, rows: &Rows) -> Result<(), TraceError> {
        self.know(rows.metrics())?;
        if rows.is_empty() {
            return Ok(());
        }
        let span = RowRange::from(self.rows, rows.len() as u64);
        let path = self.folder.join(part_name(&self.file, span));
        let layout = match self.latest.take().filter(|layout| layout.is_of(rows.metrics())) {
            Some(layout) => layout,
            None => {
                let metrics = Arc::clone(rows.metrics());
                Layout::new(metrics, self.run.as_deref(), Purpose::Part, &path)?
            }
        };
        self.buffer.clear();
        let encoded = layout.encode(rows, &mut self.buffer);
        self.latest = Some(layout);
        encoded.map_err(|error| TraceError::writing(&path, error))?;
        write_whole(&path, &self.buffer)?;
        self.rows += rows.len() as u64;
        self.parts.push(Part { span, level: 0 });
        if self.rest > 0 {
            self.rest -= 1;
        } else if self.merge_latest().is_err() {
            // The rows are safe where they are, and the caller would append them again. The disk may
            // be full: there may be room later.
            self.rest = FAN_IN;
        }
        Ok(())
    }

    /// Makes one file of all parts, and says how many rows it has. After an error the parts are still
    /// there, and readers take them for the file.
    pub fn finish(self) -> Result<u64, TraceError> {
        let path = self.folder.join(&self.file);
        let sources: Vec<PathBuf> = self.parts.iter().map(|part| self.path_of(part.span)).collect();
        let layout = self.layout(Purpose::Whole)?;
        let rows = merge(&sources, &layout, &path, true)?;
        for part in parts(&self.folder, &self.file)? {
            fs::remove_file(&part).map_err(|error| TraceError::io("deleted", &part, error))?;
        }
        Ok(rows)
    }

    /// Learns metrics that are new.
    fn know(&mut self, metrics: &Arc<[TraceMetric]>) -> Result<(), TraceError> {
        if self.latest.as_ref().is_some_and(|layout| layout.is_of(metrics)) {
            return Ok(());
        }
        // Checked before anything is learned: what is refused leaves no trace.
        check_names(metrics, &self.folder.join(&self.file))?;
        for metric in metrics.iter() {
            let known = self.places.get(&metric.name).and_then(|&place| self.metrics.get(place));
            if known.is_some_and(|known| known.number != metric.number) {
                return Err(TraceError::Unfit {
                    file: shown(&self.folder.join(&self.file)),
                    what: format!("metric {:?} switched between integers and doubles", metric.name),
                    remedy: "use another name for one of the two".to_string(),
                });
            }
        }
        for metric in metrics.iter() {
            if !self.places.contains_key(&metric.name) {
                self.places.insert(metric.name.clone(), self.metrics.len());
                self.metrics.push(metric.clone());
            }
        }
        Ok(())
    }

    /// Merges the latest parts if there are enough of one level, and what comes of it likewise.
    fn merge_latest(&mut self) -> Result<(), TraceError> {
        while let Some(last) = self.parts.last().copied() {
            let same = self.parts.iter().rev().take_while(|part| part.level == last.level).count();
            let from = self.parts.len() - same;
            let first = self.parts.get(from).map_or(last.span.first, |part| part.span.first);
            let span = RowRange { first, last: last.span.last };
            let columns = self.metrics.len() as u64 + 2;
            if same < FAN_IN || span.rows().saturating_mul(columns) > MOST_MERGED {
                break;
            }
            let sources: Vec<PathBuf> =
                self.parts.iter().skip(from).map(|part| self.path_of(part.span)).collect();
            merge(&sources, &self.layout(Purpose::Part)?, &self.path_of(span), false)?;
            // From here on the merged part counts, whatever becomes of its pieces.
            self.parts.truncate(from);
            self.parts.push(Part { span, level: last.level + 1 });
            for source in &sources {
                fs::remove_file(source)
                    .map_err(|error| TraceError::io("deleted", source, error))?;
            }
        }
        Ok(())
    }

    fn layout(&self, purpose: Purpose) -> Result<Layout, TraceError> {
        let path = self.folder.join(&self.file);
        Layout::new(self.metrics.as_slice().into(), self.run.as_deref(), purpose, &path)
    }

    fn path_of(&self, span: RowRange) -> PathBuf {
        self.folder.join(part_name(&self.file, span))
    }
}
