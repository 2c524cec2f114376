//! The thread that writes what a sampler made. Sampling never waits for it.

use super::live::Live;
use super::observers::stay_away;
use fathom_formats::trace::SamplerWriter;
use fathom_record::Span;
use fathom_record::trace::Rows;
use fathom_sys::cpu_time;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// How many bundles of rows may wait for the writer. A bundle is what a sampler makes in a second,
/// or less where that is much; see [`super::sampler`].
const WAITING: usize = 4;

/// Where rows are kept.
pub(crate) trait Sink: Send {
    /// Adds rows. When it returns they are safe.
    fn append(&mut self, rows: &Rows) -> Result<(), String>;

    /// There are no more; how many there were.
    fn finish(self: Box<Self>) -> Result<u64, String>;
}

impl Sink for SamplerWriter {
    fn append(&mut self, rows: &Rows) -> Result<(), String> {
        SamplerWriter::append(self, rows).map_err(|error| error.to_string())
    }

    fn finish(self: Box<Self>) -> Result<u64, String> {
        SamplerWriter::finish(*self).map_err(|error| error.to_string())
    }
}

/// The first thing that went wrong with writing, seen by everybody.
#[derive(Debug, Default)]
pub(crate) struct Trouble(Mutex<Option<String>>);

impl Trouble {
    /// Notes it, unless something was wrong already.
    pub(crate) fn note(&self, reason: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    }

    /// What it is.
    pub(crate) fn reason(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The sampler's end of the way to the writer.
#[derive(Debug)]
pub(crate) struct Outbox(SyncSender<Vec<Rows>>);

/// What became of the rows.
#[derive(Debug, PartialEq)]
pub(crate) enum Handed {
    /// They wait to be written.
    Over,
    /// The writer is too far behind: they are lost.
    Lost,
    /// The writer has given up.
    Refused,
}

impl Outbox {
    /// Hands rows over at once or not at all.
    pub(crate) fn offer(&self, rows: Vec<Rows>) -> Handed {
        match self.0.try_send(rows) {
            Ok(()) => Handed::Over,
            Err(TrySendError::Full(_)) => Handed::Lost,
            Err(TrySendError::Disconnected(_)) => Handed::Refused,
        }
    }

    /// Hands the last rows over, however long it takes.
    pub(crate) fn leave(self, rows: Vec<Rows>) -> Handed {
        if self.0.send(rows).is_ok() { Handed::Over } else { Handed::Refused }
    }
}

/// What a writer did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct WriterTotals {
    /// How many rows are safe.
    pub(crate) rows: u64,
    /// Processor time it took until all parts were written.
    pub(crate) cpu: Span,
}

/// A writer at work.
#[derive(Debug)]
pub(crate) struct Writer(JoinHandle<WriterTotals>);

impl Writer {
    /// Starts one. When it cannot write it notes why and refuses what comes after.
    pub(crate) fn start(
        sink: Box<dyn Sink>,
        live: Arc<Live>,
        avoid: Option<usize>,
    ) -> std::io::Result<(Outbox, Writer)> {
        let (outbox, inbox) = sync_channel(WAITING);
        let thread = thread::Builder::new().name("fathom-writer".to_string()).spawn(move || {
            stay_away(avoid);
            write_all(sink, &inbox, &live)
        })?;
        Ok((Outbox(outbox), Writer(thread)))
    }

    /// Waits until all is written; the sampler must have left.
    pub(crate) fn end(self) -> WriterTotals {
        self.0.join().unwrap_or_default()
    }
}

fn write_all(mut sink: Box<dyn Sink>, inbox: &Receiver<Vec<Rows>>, live: &Live) -> WriterTotals {
    let mut written = WriterTotals::default();
    let count_time = |written: &mut WriterTotals| {
        let cpu = cpu_time::thread();
        live.add(0, cpu - written.cpu);
        written.cpu = cpu;
    };
    for bundle in inbox {
        for part in bundle.iter().filter(|part| !part.is_empty()) {
            if let Err(reason) = sink.append(part) {
                // What was written stays; it is not finished, since that would write again.
                live.trouble.note(reason);
                count_time(&mut written);
                return written;
            }
            written.rows += part.len() as u64;
        }
        count_time(&mut written);
    }
    // By now the program is over: merging all parts into one file disturbs nothing, and does not
    // count.
    match sink.finish() {
        Ok(rows) => written.rows = rows,
        Err(reason) => live.trouble.note(reason),
    }
    written
}
