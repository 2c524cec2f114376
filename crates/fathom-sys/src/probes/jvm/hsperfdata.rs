//! The format of hsperfdata, version 2.0. Nothing in such a file is relied upon.

use std::collections::HashSet;

/// How long the part before the entries is.
pub(super) const PROLOGUE: usize = 32;

/// The file's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prologue {
    order: Order,
    /// How many bytes are in use.
    pub(super) used: usize,
    /// Changes when entries are added.
    stamp: i64,
    first_entry: usize,
    entries: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Big,
    Little,
}

/// Why a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Odd {
    /// The machine is still preparing it; later it can.
    #[error("it is not ready yet")]
    NotReady,
    #[error("it is not a file of HotSpot counters")]
    NotOne,
    #[error("it has format version {0}.{1}; Fathom reads only 2.0")]
    Version(u8, u8),
}

/// A number that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// HotSpot's name for it.
    pub(super) name: String,
    pub(super) unit: EntryUnit,
    /// Whether it only grows.
    pub(super) is_monotonic: bool,
    /// Where in the file its eight bytes are.
    pub(super) offset: usize,
}

/// The units that the format knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryUnit {
    None,
    Bytes,
    Ticks,
    Events,
    Hertz,
}

/// All entries that are of use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) entries: Vec<Entry>,
    /// How many ticks a second has.
    pub(super) ticks_per_second: Option<i64>,
}

impl Prologue {
    /// Reads the beginning of a file.
    pub(super) fn read(bytes: &[u8]) -> Result<Prologue, Odd> {
        let [magic @ .., order, major, minor, accessible] =
            *bytes.first_chunk::<8>().ok_or(Odd::NotReady)?;
        match magic {
            [0xca, 0xfe, 0xc0, 0xc0] => {}
            // A file that was made just now.
            [0, 0, 0, 0] => return Err(Odd::NotReady),
            _ => return Err(Odd::NotOne),
        }
        let order = match order {
            0 => Order::Big,
            1 => Order::Little,
            _ => return Err(Odd::NotOne),
        };
        match (accessible, major, minor) {
            (0, ..) => return Err(Odd::NotReady),
            (_, 2, 0) => {}
            _ => return Err(Odd::Version(major, minor)),
        }
        let size = |at| order.size(bytes, at).ok_or(Odd::NotOne);
        Ok(Prologue {
            order,
            used: size(8)?,
            stamp: order.long(bytes, 16).ok_or(Odd::NotOne)?,
            first_entry: size(24)?,
            entries: size(28)?,
        })
    }

    /// Reads the entries. One that is just being added is counted already, but not there; when it
    /// is, the stamp changes.
    pub(super) fn contents(&self, bytes: &[u8]) -> Contents {
        let bytes = bytes.get(..self.used).unwrap_or(bytes);
        let mut contents = Contents { entries: Vec::new(), ticks_per_second: None };
        let mut names = HashSet::new();
        let mut at = self.first_entry;
        for _ in 0..self.entries {
            let Some(raw) = RawEntry::read(self.order, bytes, at) else { break };
            at = raw.end;
            let Some(name) = raw.name else { continue };
            if name == "sun.os.hrt.frequency" {
                contents.ticks_per_second = raw.offset.and_then(|at| self.value(bytes, at));
            }
            if let (Some(unit), Some(is_monotonic), Some(offset)) =
                (raw.unit, raw.is_monotonic, raw.offset)
                && names.insert(name)
            {
                let name = name.to_string();
                contents.entries.push(Entry { name, unit, is_monotonic, offset });
            }
        }
        contents
    }

    /// The number at a place.
    pub(super) fn value(&self, bytes: &[u8], offset: usize) -> Option<i64> {
        self.order.long(bytes, offset)
    }
}

/// An entry of any kind. What makes no sense, or is of no use, is `None`.
struct RawEntry<'a> {
    end: usize,
    name: Option<&'a str>,
    unit: Option<EntryUnit>,
    is_monotonic: Option<bool>,
    /// Of a single number.
    offset: Option<usize>,
}

impl<'a> RawEntry<'a> {
    /// `None` if there is no whole entry.
    fn read(order: Order, bytes: &'a [u8], at: usize) -> Option<RawEntry<'a>> {
        const HEADER: usize = 20;
        let length = order.size(bytes, at)?;
        let end = at.checked_add(length)?;
        let entry = bytes.get(at..end).filter(|_| length >= HEADER)?;
        let name = order.size(entry, 4)?;
        let is_single = order.size(entry, 8)? == 0;
        let [kind, _flags, unit, variability] = *entry.get(12..)?.first_chunk()?;
        let data = order.size(entry, 16)?;
        let is_number = kind == b'J' && is_single;
        Some(RawEntry {
            end,
            name: text(entry.get(name..)?),
            unit: match unit {
                1 => Some(EntryUnit::None),
                2 => Some(EntryUnit::Bytes),
                3 => Some(EntryUnit::Ticks),
                4 => Some(EntryUnit::Events),
                6 => Some(EntryUnit::Hertz),
                _ => None,
            },
            // 1 is a constant.
            is_monotonic: match variability {
                2 => Some(true),
                3 => Some(false),
                _ => None,
            },
            offset: (is_number && order.long(entry, data).is_some()).then_some(at + data),
        })
    }
}

/// A name, up to its zero. One that no metric can have is none.
fn text(bytes: &[u8]) -> Option<&str> {
    const LONGEST: usize = 200;
    let length = bytes.iter().position(|&byte| byte == 0)?;
    let name = bytes.get(..length)?;
    let is_name = (1..=LONGEST).contains(&length) && name.iter().all(u8::is_ascii_graphic);
    std::str::from_utf8(name).ok().filter(|_| is_name)
}

impl Order {
    /// A length or offset; negative ones are none.
    fn size(self, bytes: &[u8], at: usize) -> Option<usize> {
        let raw = *bytes.get(at..)?.first_chunk()?;
        let number = match self {
            Order::Big => i32::from_be_bytes(raw),
            Order::Little => i32::from_le_bytes(raw),
        };
        usize::try_from(number).ok()
    }

    fn long(self, bytes: &[u8], at: usize) -> Option<i64> {
        let raw = *bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Order::Big => i64::from_be_bytes(raw),
            Order::Little => i64::from_le_bytes(raw),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{MadeUp, MadeUpEntry, entry};
    use super::*;
    use proptest::prelude::*;

    fn contents(file: &MadeUp) -> Contents {
        let bytes = file.bytes();
        Prologue::read(&bytes).unwrap().contents(&bytes)
    }

    fn names(file: &MadeUp) -> Vec<String> {
        contents(file).entries.into_iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn numbers_that_change_are_read_in_either_order_of_bytes() {
        for is_big_endian in [false, true] {
            let constant = MadeUpEntry { variability: 1, unit: 6, ..entry("", 0) };
            let file = MadeUp {
                is_big_endian,
                ..MadeUp::new(vec![
                    MadeUpEntry { name: "sun.os.hrt.frequency".into(), value: 9, ..constant },
                    entry("a", -5),
                    MadeUpEntry { kind: b'B', vector: 8, unit: 5, ..entry("text", 0) },
                    MadeUpEntry { vector: 3, ..entry("numbers", 0) },
                    MadeUpEntry { variability: 3, unit: 2, ..entry("b", i64::MAX) },
                    MadeUpEntry { unit: 9, ..entry("odd.unit", 0) },
                ])
            };
            let bytes = file.bytes();
            let prologue = Prologue::read(&bytes).unwrap();
            let contents = prologue.contents(&bytes);
            assert_eq!(contents.ticks_per_second, Some(9));
            let [a, b] = &contents.entries[..] else { panic!("{contents:?}") };
            assert_eq!((&*a.name, a.unit, a.is_monotonic), ("a", EntryUnit::Events, true));
            assert_eq!((&*b.name, b.unit, b.is_monotonic), ("b", EntryUnit::Bytes, false));
            assert_eq!(prologue.value(&bytes, a.offset), Some(-5));
            assert_eq!(prologue.value(&bytes, b.offset), Some(i64::MAX));
        }
    }

    #[test]
    fn what_is_no_such_file_is_said_to_be_none() {
        let good = MadeUp::new(vec![]);
        let read = |bytes: &[u8]| Prologue::read(bytes).map(|_| ());
        assert_eq!(read(&good.bytes()), Ok(()));
        assert_eq!(read(b""), Err(Odd::NotReady));
        assert_eq!(read(&[0; 4096]), Err(Odd::NotReady));
        assert_eq!(read(b"#!/bin/sh\nexit"), Err(Odd::NotOne));
        assert_eq!(read(&good.bytes()[..31]), Err(Odd::NotOne));
        let early = MadeUp { is_accessible: false, ..good.clone() };
        assert_eq!(read(&early.bytes()), Err(Odd::NotReady));
        let old = MadeUp { version: (1, 0), ..good.clone() };
        assert_eq!(read(&old.bytes()), Err(Odd::Version(1, 0)));
        let mut odd = good.bytes();
        odd[4] = 2;
        assert_eq!(read(&odd), Err(Odd::NotOne));
    }

    #[test]
    fn hostile_offsets_lead_nowhere() {
        let odd = [i32::MIN, -1, 1, 19, 1000, 40_000, i32::MAX];
        for number in odd {
            let long = MadeUpEntry { length: Some(number), ..entry("b", 2) };
            let read = names(&MadeUp::new(vec![entry("a", 1), long, entry("c", 3)]));
            assert_eq!(read[..1], ["a"], "length {number}");
            let data = MadeUpEntry { data_offset: Some(number), ..entry("b", 2) };
            let read = names(&MadeUp::new(vec![entry("a", 1), data, entry("c", 3)]));
            assert!(read.contains(&"a".to_string()), "data {number}");
            let bytes = MadeUp::new(vec![entry("a", 1)]).bytes();
            let mut moved = bytes.clone();
            for field in [8, 24, 28] {
                moved[field..field + 4].copy_from_slice(&number.to_ne_bytes());
                let _ = Prologue::read(&moved).map(|prologue| prologue.contents(&moved));
                moved.clone_from(&bytes);
            }
            let name = MadeUpEntry { name_offset: Some(number), ..entry("b", 2) };
            let _ = names(&MadeUp::new(vec![entry("a", 1), name]));
        }
    }

    #[test]
    fn an_entry_that_is_being_added_is_left_for_later() {
        let file = MadeUp { entries_more: 1, ..MadeUp::new(vec![entry("a", 1)]) };
        assert_eq!(names(&file), ["a"]);
    }

    #[test]
    fn names_that_no_metric_can_have_are_left_out() {
        let odd = ["", "two words", "new\nline", "\u{7f}", &"x".repeat(201)];
        let mut entries: Vec<MadeUpEntry> = odd.into_iter().map(|name| entry(name, 1)).collect();
        entries.extend([entry("a", 1), entry("a", 2)]);
        assert_eq!(names(&MadeUp::new(entries)), ["a"], "and a name counts once");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Prologue::read(&bytes).map(|prologue| prologue.contents(&bytes));
        }

        #[test]
        fn a_spoilt_file_gives_no_place_outside(
            spoilt in prop::collection::vec((0_usize..400, any::<u8>()), 1..20),
            length in 0_usize..500,
        ) {
            let entries = (0..8).map(|n| entry(&format!("sun.gc.collector.{n}"), n)).collect();
            let mut bytes = MadeUp::new(entries).bytes();
            // The first eight bytes decide whether anything else is read.
            spoilt.iter().for_each(|&(at, byte)| bytes[8 + at] = byte);
            bytes.truncate(length);
            if let Ok(prologue) = Prologue::read(&bytes) {
                for entry in prologue.contents(&bytes).entries {
                    prop_assert!(prologue.value(&bytes, entry.offset).is_some());
                }
            }
        }
    }
}
