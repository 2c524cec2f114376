//! Rows found in the pages of a damaged database, without its tables and trees.
//!
//! Every row carries a checksum over its key and its columns. So any piece of a page that reads
//! as a row and matches its checksum is one that was written, wherever it stands, and a bad page
//! costs the rows in it and no others.

use crate::pages::{Pages, View, bytes_at};
use crate::{run_row, session_row};
use rusqlite::types::{Value, ValueRef};
use std::io;

/// A row that matches its checksum.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CarvedRow {
    Session(Box<session_row::SessionRow>),
    /// The columns of a run.
    Run(Vec<Value>),
}

/// Hands every row in every copy of every page to `keep`, older copies first.
pub(crate) fn carve<E: From<io::Error>>(
    pages: &Pages,
    mut keep: impl FnMut(CarvedRow) -> Result<(), E>,
) -> Result<(), E> {
    pages.each(|number, page| {
        for found in rows(pages, number, page)? {
            keep(found)?;
        }
        Ok(())
    })
}

/// What kind of page of a tree holds a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Rows by number: sessions.
    TableLeaf,
    /// Rows by their columns: runs.
    IndexLeaf,
    /// The same, with the number of the page before each row.
    IndexInterior,
}

fn rows(pages: &Pages, number: u64, page: &[u8]) -> io::Result<Vec<CarvedRow>> {
    // The first page begins with the file's header.
    let start = if number == 1 { 100 } else { 0 };
    let kinds: &[Kind] = match page.get(start) {
        Some(0x0d) => &[Kind::TableLeaf],
        Some(0x0a) => &[Kind::IndexLeaf],
        Some(0x02) => &[Kind::IndexInterior],
        Some(0x05) | None => &[],
        // The byte that says so is damaged.
        Some(_) => &[Kind::TableLeaf, Kind::IndexLeaf, Kind::IndexInterior],
    };
    let mut found = Vec::new();
    for &kind in kinds {
        let count = bytes_at(page, start + 3).map_or(0, u16::from_be_bytes);
        let pointers = start + if kind == Kind::IndexInterior { 12 } else { 8 };
        for cell in 0..usize::from(count) {
            let Some(place) = bytes_at(page, pointers + 2 * cell).map(u16::from_be_bytes) else {
                break;
            };
            for view in [View::Newest, View::Main] {
                if let Some(row) = row(pages, page, usize::from(place), kind, view)? {
                    found.push(row);
                    break;
                }
            }
        }
    }
    Ok(found)
}

fn row(
    pages: &Pages,
    page: &[u8],
    place: usize,
    kind: Kind,
    view: View,
) -> io::Result<Option<CarvedRow>> {
    let mut cursor = Cursor { bytes: page, place };
    if kind == Kind::IndexInterior {
        cursor.place += 4;
    }
    let Some(length) = cursor.varint().filter(|length| *length <= pages.total()) else {
        return Ok(None);
    };
    let key = match kind {
        Kind::TableLeaf => match cursor.varint() {
            Some(key) => Some(key.cast_signed()),
            None => return Ok(None),
        },
        _ => None,
    };
    let Some(payload) = payload(pages, cursor, length as usize, kind, view)? else {
        return Ok(None);
    };
    Ok(record(&payload).and_then(|values| identify(key, values)))
}

/// The bytes of a row: as much as fits stands in the page, the rest in a chain of others.
fn payload(
    pages: &Pages,
    cursor: Cursor<'_>,
    length: usize,
    kind: Kind,
    view: View,
) -> io::Result<Option<Vec<u8>>> {
    let size = pages.size();
    let most = match kind {
        Kind::TableLeaf => size - 35,
        _ => (size - 12) * 64 / 255 - 23,
    };
    let least = (size - 12) * 32 / 255 - 23;
    let here = if length <= most {
        length
    } else {
        let fitting = least + (length - least) % (size - 4);
        if fitting <= most { fitting } else { least }
    };
    let Some(start) = cursor.bytes.get(cursor.place..cursor.place + here) else {
        return Ok(None);
    };
    let mut payload = start.to_vec();
    let mut next = bytes_at(cursor.bytes, cursor.place + here).map_or(0, u32::from_be_bytes);
    while payload.len() < length {
        let Some(page) = pages.read(u64::from(next), view)? else { return Ok(None) };
        next = bytes_at(&page, 0).map_or(0, u32::from_be_bytes);
        let rest = length - payload.len();
        payload.extend(page.iter().skip(4).take(rest));
    }
    Ok(Some(payload))
}

/// The values of a record: a header of types, then the values.
fn record(payload: &[u8]) -> Option<Vec<Value>> {
    let mut header = Cursor { bytes: payload, place: 0 };
    let end = usize::try_from(header.varint()?).ok()?;
    let mut body = Cursor { bytes: payload, place: end };
    let mut values = Vec::new();
    while header.place < end {
        if values.len() > run_row::COLUMNS {
            return None;
        }
        values.push(match header.varint()? {
            0 => Value::Null,
            8 => Value::Integer(0),
            9 => Value::Integer(1),
            size @ 1..=4 => Value::Integer(body.integer(size as usize)?),
            5 => Value::Integer(body.integer(6)?),
            6 => Value::Integer(body.integer(8)?),
            7 | 10 | 11 => return None,
            text if text % 2 == 1 => {
                let bytes = body.take(usize::try_from((text - 13) / 2).ok()?)?;
                Value::Text(String::from_utf8(bytes.to_vec()).ok()?)
            }
            // No table of ours has blobs.
            _ => return None,
        });
    }
    Some(values)
}

/// Which table a record is of; `None` if of none, or if it does not match its checksum.
fn identify(key: Option<i64>, mut values: Vec<Value>) -> Option<CarvedRow> {
    match key {
        Some(id) if values.len() == session_row::COLUMNS => {
            // The key stands before the record, not in it.
            if let Some(first) = values.first_mut() {
                *first = Value::Integer(id);
            }
            session_row::SessionRow::decode(&refs(&values))
                .ok()
                .map(Box::new)
                .map(CarvedRow::Session)
        }
        None if values.len() == run_row::COLUMNS => {
            run_row::decode(&refs(&values)).ok()?;
            Some(CarvedRow::Run(values))
        }
        _ => None,
    }
}

fn refs(values: &[Value]) -> Vec<ValueRef<'_>> {
    values.iter().map(ValueRef::from).collect()
}

/// A place in bytes that may end at any time.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let end = self.place.checked_add(length)?;
        let taken = self.bytes.get(self.place..end)?;
        self.place = end;
        Some(taken)
    }

    /// Seven bits a byte, the highest first; the ninth byte, if it comes to that, gives eight.
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for index in 0..9 {
            let byte = *self.take(1)?.first()?;
            if index == 8 {
                return Some(value << 8 | u64::from(byte));
            }
            value = value << 7 | u64::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// A signed integer of this many bytes, the highest first.
    fn integer(&mut self, size: usize) -> Option<i64> {
        let bytes = self.take(size)?;
        let negative = bytes.first()? & 0x80 != 0;
        let start = if negative { -1_i64 } else { 0 };
        Some(bytes.iter().fold(start, |value, &byte| value << 8 | i64::from(byte)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_sqlite_writes_them() {
        let varint = |bytes: &[u8]| Cursor { bytes, place: 0 }.varint();
        assert_eq!(varint(&[0x7f]), Some(127));
        assert_eq!(varint(&[0x81, 0x00]), Some(128));
        assert_eq!(varint(&[0xff; 9]), Some(u64::MAX));
        assert_eq!(varint(&[0xff; 8]), None);
        let integer = |bytes: &[u8]| Cursor { bytes, place: 0 }.integer(bytes.len());
        assert_eq!(integer(&[0xff]), Some(-1));
        assert_eq!(integer(&[0x80, 0, 0]), Some(-8_388_608));
        assert_eq!(integer(&[0x7f, 0xff]), Some(32_767));
        assert_eq!(integer(&i64::MIN.to_be_bytes()), Some(i64::MIN));
    }

    #[test]
    fn values_of_every_type_are_read() {
        let integer = |value: i64| Some(vec![Value::Integer(value)]);
        for (bytes, value) in [
            (&[2, 1, 0x81][..], -127),
            (&[2, 2, 1, 2], 0x0102),
            (&[2, 3, 1, 2, 3], 0x01_02_03),
            (&[2, 4, 1, 2, 3, 4], 0x0102_0304),
            (&[2, 5, 1, 2, 3, 4, 5, 6], 0x0102_0304_0506),
            (&[2, 6, 1, 2, 3, 4, 5, 6, 7, 8], 0x0102_0304_0506_0708),
            (&[2, 8], 0),
            (&[2, 9], 1),
        ] {
            assert_eq!(record(bytes), integer(value), "{bytes:?}");
        }
        assert_eq!(record(&[2, 13]), Some(vec![Value::Text(String::new())]));
        let both = [3, 17, 1, b'o', b'k', 5];
        assert_eq!(record(&both), Some(vec![Value::Text("ok".into()), Value::Integer(5)]));
        // Reserved, real, and blobs: none of ours has them.
        for bytes in
            [&[2, 7, 0, 0, 0, 0, 0, 0, 0, 0][..], &[2, 10], &[2, 11], &[2, 12], &[2, 14, 0]]
        {
            assert_eq!(record(bytes), None, "{bytes:?}");
        }
        // More columns than any table has.
        let many = |count: u8| [vec![count + 1], vec![8; count.into()]].concat();
        assert!(record(&many(run_row::COLUMNS as u8 + 1)).is_some());
        assert_eq!(record(&many(run_row::COLUMNS as u8 + 2)), None);
    }

    #[test]
    fn only_rows_that_match_their_checksum_are_ours() {
        let session = session_row::SessionRow::unknown(5, 0);
        let row = session.encode().unwrap();
        let mut stored = row.clone();
        stored[0] = Value::Null;
        let found = identify(Some(5), stored.clone());
        assert_eq!(found, Some(CarvedRow::Session(Box::new(session))));
        assert_eq!(identify(Some(6), stored.clone()), None, "another key");
        assert_eq!(identify(None, stored.clone()), None, "a row of another kind of page");
        assert_eq!(identify(Some(5), stored[1..].to_vec()), None);
        let runs = vec![Value::Integer(1); run_row::COLUMNS];
        assert_eq!(identify(None, runs.clone()), None);
        assert_eq!(identify(Some(1), runs), None);
    }

    #[test]
    fn records_that_end_early_or_lie_are_none() {
        for bytes in [&[][..], &[5], &[3, 6], &[2, 0xff], &[0x81], &[2, 7], &[2, 12], &[200; 40]] {
            assert_eq!(record(bytes), None, "{bytes:?}");
        }
        // Zero columns are a record, though of no table.
        assert_eq!(record(&[1]), Some(vec![]));
        assert_eq!(
            record(&[4, 1, 0, 15, 0xfe, b'a']),
            Some(vec![Value::Integer(-2), Value::Null, Value::Text("a".into())])
        );
    }
}
