//! Hears bytes and tells metrics.

use super::heard::{Heard, counted, now};
use super::line_search::LineSearch;
use super::lines::{LONGEST_LINE, LineSplitter};

/// The lines of one source and what is sought in them.
#[derive(Debug)]
pub(super) struct LineListener {
    splitter: LineSplitter,
    search: LineSearch,
}

impl LineListener {
    pub(super) fn new(search: LineSearch) -> LineListener {
        LineListener { splitter: LineSplitter::new(), search }
    }

    /// Takes bytes that have just arrived.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        let at = now();
        let search = &mut self.search;
        self.splitter.push(bytes, &mut |line| search.line(line, at));
    }

    /// A line that has not ended is complete: nothing comes after it.
    pub(super) fn end(&mut self) {
        let at = now();
        let search = &mut self.search;
        self.splitter.finish(&mut |line| search.line(line, at));
    }

    /// A line that has not ended never will; whether there was one.
    pub(super) fn forget(&mut self) -> bool {
        self.splitter.forget()
    }

    pub(super) fn is_within_line(&self) -> bool {
        self.splitter.is_within_line()
    }

    /// What was heard so far.
    pub(super) fn tell(&self, source: String) -> Heard {
        let mut heard = Heard { source, ..Heard::default() };
        self.search.tell(&mut heard);
        if self.splitter.cut() > 0 {
            let lines = counted(self.splitter.cut(), "line was", "lines were");
            let bytes = counted(self.splitter.dropped_bytes(), "byte", "bytes");
            heard.note(format!("{lines} longer than {LONGEST_LINE} bytes; {bytes} were dropped"));
        }
        heard
    }
}
