//! Which process started a process, and when.

use crate::probes::digits;
use crate::probes::kept_open::{Buffer, Extent, read_once};
use std::path::Path;

/// Its `/proc/PID/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Birth {
    /// Its current parent: the one that started it, or the one that adopted it.
    pub(super) parent: u32,
    /// Clock ticks since the machine was started; with its number it names a process for good.
    pub(super) started: u64,
}

impl Birth {
    pub(super) fn of(proc: &Path, pid: u32, buffer: &mut Buffer) -> Option<Birth> {
        let path = proc.join(format!("{pid}/stat"));
        Birth::read(read_once(&path, buffer, Extent::OneRecord).ok()?)
    }

    fn read(stat: &[u8]) -> Option<Birth> {
        // The program's name stands in parentheses and may hold anything, even these.
        let end = stat.iter().rposition(|byte| *byte == b')')?;
        let mut words = digits::words(stat.get(end + 1..)?);
        let parent = words.nth(1).and_then(digits::number)?;
        let started = words.nth(17).and_then(digits::number)?;
        Some(Birth { parent: u32::try_from(parent).ok()?, started })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_is_no_obstacle() {
        let stat = b"6891 (a) R 1 (b)) S 6888 6888 1874 0 -1 4194304 99 0 0 0 0 0 0 0 20 0 1 0 \
                     4390064 3133440 390\n";
        assert_eq!(Birth::read(stat), Some(Birth { parent: 6888, started: 4_390_064 }));
        assert_eq!(Birth::read(b"6891 (a) S 6888"), None);
    }
}
