//! Bytes into lines.

/// The longest line that is looked at, in bytes. What a line has more is dropped and counted.
pub const LONGEST_LINE: usize = 1_000_000;

/// Cuts what arrives in pieces into lines, the same lines wherever the pieces end.
///
/// A line ends with a line feed, a carriage return, or both: progress bars draw themselves again
/// with carriage returns alone.
#[derive(Debug, Default)]
pub(super) struct LineSplitter {
    /// The beginning of a line whose end has not come.
    partial: Vec<u8>,
    /// Whether the last byte was a carriage return: a line feed after it ends nothing.
    after_return: bool,
    dropped: u64,
    cut: u64,
    /// Whether the line that has not ended is too long already.
    is_cut: bool,
}

impl LineSplitter {
    /// At the beginning of a line.
    pub(super) fn new() -> LineSplitter {
        LineSplitter::default()
    }

    /// Takes a piece and passes on every line that it completes, without its end.
    pub(super) fn push(&mut self, mut piece: &[u8], each: &mut dyn FnMut(&[u8])) {
        if self.after_return && !piece.is_empty() {
            self.after_return = false;
            piece = piece.strip_prefix(b"\n").unwrap_or(piece);
        }
        while let Some(end) = piece.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = piece.split_at_checked(end).unwrap_or_default();
            if self.partial.is_empty() && line.len() <= LONGEST_LINE {
                each(line);
            } else {
                self.keep(line);
                each(&self.partial);
                self.restart();
            }
            piece = match rest {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_return = true;
                    return;
                }
                [_, rest @ ..] => rest,
                [] => return,
            };
        }
        self.keep(piece);
    }

    /// Passes on the line that has not ended, if there is one: nothing comes after it.
    pub(super) fn finish(&mut self, each: &mut dyn FnMut(&[u8])) {
        if self.is_within_line() {
            each(&self.partial);
        }
        self.restart();
        self.after_return = false;
    }

    /// Drops the line that has not ended; whether there was one.
    pub(super) fn forget(&mut self) -> bool {
        let was_within = self.is_within_line();
        self.restart();
        self.after_return = false;
        was_within
    }

    /// Whether a line has begun that has not ended.
    pub(super) fn is_within_line(&self) -> bool {
        !self.partial.is_empty()
    }

    /// How many lines were too long.
    pub(super) fn cut(&self) -> u64 {
        self.cut
    }

    /// How many bytes of them were dropped.
    pub(super) fn dropped_bytes(&self) -> u64 {
        self.dropped
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LONGEST_LINE.saturating_sub(self.partial.len());
        let (kept, dropped) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.partial.extend_from_slice(kept);
        if !dropped.is_empty() {
            self.dropped += dropped.len() as u64;
            self.cut += u64::from(!self.is_cut);
            self.is_cut = true;
        }
    }

    fn restart(&mut self) {
        self.partial.clear();
        self.is_cut = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&str]) -> Vec<String> {
        let mut splitter = LineSplitter::new();
        let mut lines = Vec::new();
        let mut each = |line: &[u8]| lines.push(String::from_utf8_lossy(line).into_owned());
        for piece in pieces {
            splitter.push(piece.as_bytes(), &mut each);
        }
        splitter.finish(&mut each);
        lines
    }

    #[test]
    fn lines_end_in_three_ways() {
        assert_eq!(lines(&["a\nb\r\nc\rd"]), ["a", "b", "c", "d"]);
        assert_eq!(lines(&["a\r", "\nb", "c", "\n"]), ["a", "bc"]);
        assert_eq!(lines(&["\n\r\n\r\r\n"]), ["", "", "", ""]);
        assert_eq!(lines(&["a\r", "", "\n", "\n"]), ["a", ""]);
        assert_eq!(lines(&[""]), Vec::<String>::new());
    }

    #[test]
    fn long_lines_are_cut_and_counted_once() {
        for chunk in [1_000, 300_000, 5_000_000] {
            let mut text = vec![b'x'; LONGEST_LINE + 7];
            text.extend_from_slice(b"\nshort\n");
            let mut splitter = LineSplitter::new();
            let mut lengths = Vec::new();
            for piece in text.chunks(chunk) {
                splitter.push(piece, &mut |line| lengths.push(line.len()));
            }
            assert_eq!(lengths, [LONGEST_LINE, 5]);
            assert_eq!((splitter.cut(), splitter.dropped_bytes()), (1, 7));
        }
    }

    #[test]
    fn what_is_forgotten_is_no_line() {
        let mut splitter = LineSplitter::new();
        let mut lines = Vec::new();
        splitter.push(b"half", &mut |line| lines.push(line.to_vec()));
        assert!(splitter.forget());
        assert!(!splitter.forget());
        splitter.push(b"whole\n", &mut |line| lines.push(line.to_vec()));
        splitter.finish(&mut |line| lines.push(line.to_vec()));
        assert_eq!(lines, [b"whole".to_vec()]);
    }
}
