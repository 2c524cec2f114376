//! The description at the end of a Parquet file, and those of its pages, walked before the Parquet reader
//! parses them.
//!
//! They are in Thrift's compact protocol. The reader skips fields that it does not know, and goes through
//! each element of a list. Elements without bytes cost a file nothing: a list of two thousand million
//! booleans takes six bytes and seconds to skip, and a file may have many. So a list has no more
//! elements than bytes follow it.

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

/// The length of the description and the mark, at the end of every file.
const TAIL: u64 = 8;

/// Descriptions have about six levels.
const DEEPEST: usize = 32;

/// The bytes of the description; `None` if there are none, which the reader reports.
pub(super) fn footer<C: ChunkReader + Length>(file: &C) -> Result<Option<Bytes>> {
    let Some(tail) = file.len().checked_sub(TAIL) else { return Ok(None) };
    let bytes = file.get_bytes(tail, TAIL as usize)?;
    let Some((length, b"PAR1")) = bytes.split_first_chunk() else { return Ok(None) };
    let length = u32::from_le_bytes(*length);
    match tail.checked_sub(u64::from(length)) {
        Some(start) => file.get_bytes(start, length as usize).map(Some),
        None => Ok(None),
    }
}

/// What is wrong with the description. What is cut off or unknown is left to the reader, which reports
/// it.
pub(super) fn flaw(footer: &[u8]) -> Option<&'static str> {
    match (Walk { left: footer, beyond: 0 }).structure(DEEPEST) {
        Err(Stop::Flaw(what)) => Some(what),
        Ok(()) | Err(Stop::End) => None,
    }
}

/// What is wrong with the description of a page that begins here, unless it is the end of the file.
pub(super) fn flaw_of_page<C: ChunkReader + Length>(
    file: &C,
    start: u64,
) -> Result<Option<&'static str>> {
    // Most have fewer bytes; statistics may make them longer.
    let mut length = 512;
    loop {
        let Some(left) = file.len().checked_sub(start).filter(|left| *left > TAIL) else {
            return Ok(None);
        };
        let bytes = file.get_bytes(start, usize::try_from(left).unwrap_or(length).min(length))?;
        let beyond = left - bytes.len() as u64;
        match (Walk { left: &bytes, beyond }).structure(DEEPEST) {
            Err(Stop::Flaw(what)) => return Ok(Some(what)),
            Err(Stop::End) if beyond > 0 => length *= 8,
            Ok(()) | Err(Stop::End) => return Ok(None),
        }
    }
}

/// Why the walk ends early.
enum Stop {
    Flaw(&'static str),
    End,
}

struct Walk<'a> {
    left: &'a [u8],
    /// How many bytes of the file follow those.
    beyond: u64,
}

impl Walk<'_> {
    fn byte(&mut self) -> std::result::Result<u8, Stop> {
        let (&byte, rest) = self.left.split_first().ok_or(Stop::End)?;
        self.left = rest;
        Ok(byte)
    }

    fn pass(&mut self, bytes: u64) -> std::result::Result<(), Stop> {
        let rest = usize::try_from(bytes).ok().and_then(|bytes| self.left.get(bytes..));
        self.left = rest.ok_or(Stop::End)?;
        Ok(())
    }

    fn number(&mut self) -> std::result::Result<u64, Stop> {
        let mut number = 0;
        for place in 0.. {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(7 * place).unwrap_or(0);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(number)
    }

    fn structure(&mut self, depth: usize) -> std::result::Result<(), Stop> {
        loop {
            let head = self.byte()?;
            if head & 0xf == 0 {
                return Ok(());
            }
            // Without a step from the field before, its number follows.
            if head >> 4 == 0 {
                self.number()?;
            }
            // A boolean is in the head.
            if !matches!(head & 0xf, 1 | 2) {
                self.value(head & 0xf, depth)?;
            }
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> std::result::Result<(), Stop> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Stop::Flaw("its description is nested too deep"));
        };
        match kind {
            3 => self.pass(1),
            4..=6 => self.number().map(|_| ()),
            7 => self.pass(8),
            8 => self.number().and_then(|length| self.pass(length)),
            9 | 10 => self.list(depth),
            12 => self.structure(depth),
            // Booleans in a list, and maps, which no description has.
            _ => Err(Stop::Flaw("its description has a part of an unknown kind")),
        }
    }

    fn list(&mut self, depth: usize) -> std::result::Result<(), Stop> {
        let head = self.byte()?;
        let elements = match head >> 4 {
            15 => self.number()?,
            few => u64::from(few),
        };
        if elements > (self.left.len() as u64).saturating_add(self.beyond) {
            return Err(Stop::Flaw("a list in its description is longer than the file"));
        }
        (0..elements).try_for_each(|_| self.value(head & 0xf, depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_no_more_elements_than_bytes() {
        // Field 1 is a list of two integers, field 2 a text, field 3 a structure with a boolean.
        let right = [0x19, 0x25, 2, 4, 0x18, 1, b'a', 0x1c, 0x11, 0, 0];
        assert_eq!(flaw(&right), None);
        for end in 0..right.len() {
            // What is cut off is left to the reader; a list with more elements than bytes is too long.
            let expected = (2..=3)
                .contains(&end)
                .then_some("a list in its description is longer than the file");
            assert_eq!(flaw(&right[..end]), expected, "{end}");
        }
        let too_long = [0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 7, 0];
        assert!(flaw(&too_long).unwrap().contains("longer than the file"));
        let booleans = [0x19, 0x21, 1, 1, 0];
        assert!(flaw(&booleans).unwrap().contains("unknown kind"));
        let deep = [0x1c; 100];
        assert!(flaw(&deep).unwrap().contains("too deep"));
    }

    #[test]
    fn pages_are_described_by_a_few_bytes_or_by_many() {
        let page = |description: &[u8], rest: usize| {
            let bytes = [b"PAR1", description, &vec![7; rest]].concat();
            flaw_of_page(&Bytes::from(bytes), 4).unwrap()
        };
        // A number, a text of 3000 bytes, a list of as many numbers, and the end.
        let long = [&[0x15, 2, 0x18, 0xb8, 0x17][..], &[b'a'; 3000]].concat();
        let right = [&long[..], &[0x19, 0xf5, 0xb8, 0x17], &[2; 3000], &[0]].concat();
        assert_eq!(page(&right, 100), None);
        let booleans = [&long[..], &[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 7]].concat();
        assert!(page(&booleans, 100).unwrap().contains("longer than the file"));
        assert!(page(&[0x19, 0x21, 1, 1, 0], 100).unwrap().contains("unknown kind"));
        // What is cut off is left to the reader, as is the end of the file, which describes no page.
        assert_eq!(page(&right[..2000], 0), None);
        assert_eq!(page(&[0x19, 0x21], 6), None);
        assert_eq!(flaw_of_page(&Bytes::from_static(b"PAR1"), 4000).unwrap(), None);
    }
}
