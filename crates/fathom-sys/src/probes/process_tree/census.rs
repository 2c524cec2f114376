//! Whether any process or thread came or went on the whole machine, which is cheap to ask.

use crate::probes::digits;
use crate::probes::kept_open::{Buffer, Extent, KeptOpen};
use std::path::Path;

/// How many threads there are, and the last number that was given to one. If both are as before no
/// thread started: each new one gets a number. And none ended, or as many would have started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    threads: u64,
    last: u64,
}

/// What `/proc/loadavg` said when it was last asked.
#[derive(Debug)]
pub(super) struct Census {
    file: KeptOpen,
    count: Option<Count>,
}

impl Census {
    pub(super) fn new(proc: &Path) -> Census {
        Census { file: KeptOpen::new(proc.join("loadavg")), count: None }
    }

    /// Whether a process may have started or ended since this was last asked. If the file does not
    /// say, it may.
    pub(super) fn has_changed(&mut self, buffer: &mut Buffer) -> bool {
        let text = self.file.read(buffer, Extent::OneRecord).ok();
        let count = text.and_then(read);
        let is_same = count.is_some() && count == self.count;
        self.count = count;
        !is_same
    }
}

/// "0.08 0.10 0.09 1/512 4242": the load, the running threads of all, and the last number.
fn read(text: &[u8]) -> Option<Count> {
    let mut words = digits::words(text).skip(3);
    let of_all = words.next()?;
    let slash = of_all.iter().position(|byte| *byte == b'/')?;
    let threads = digits::number(of_all.get(slash + 1..)?)?;
    Some(Count { threads, last: digits::number(words.next()?)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_ones_do_not_matter() {
        let first = read(b"0.08 0.10 0.09 1/512 4242\n").unwrap();
        assert_eq!(read(b"0.09 0.10 0.09 7/512 4242\n"), Some(first));
        assert_ne!(read(b"0.08 0.10 0.09 1/513 4243\n"), Some(first));
        // One came and one went.
        assert_ne!(read(b"0.08 0.10 0.09 1/512 4243\n"), Some(first));
        assert_ne!(read(b"0.08 0.10 0.09 1/511 4242\n"), Some(first));
        for odd in [&b""[..], b"0.08 0.10 0.09 1 4242", b"0.08 0.10 0.09 1/512", b"a b c d/e f"] {
            assert_eq!(read(odd), None);
        }
    }

    #[test]
    fn what_cannot_be_asked_may_have_changed() {
        let folder = tempfile::tempdir().unwrap();
        let mut census = Census::new(folder.path());
        let mut buffer = Buffer::new();
        assert!(census.has_changed(&mut buffer) && census.has_changed(&mut buffer));
        let file = folder.path().join("loadavg");
        std::fs::write(&file, "0.08 0.10 0.09 1/512 4242\n").unwrap();
        assert!(census.has_changed(&mut buffer));
        assert!(!census.has_changed(&mut buffer));
        std::fs::write(&file, "0.08 0.10 0.09 1/512 4243\n").unwrap();
        assert!(census.has_changed(&mut buffer));
    }
}
