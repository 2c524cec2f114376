//! Which columns a row of a file has, found by its key.

use std::collections::BTreeMap;

/// The keys that were seen. Rows mostly come in the order in which they came before, so the key after
/// the last one is tried first.
#[derive(Debug, Default)]
pub(super) struct RowKeys {
    rows: Vec<(Box<[u8]>, Row)>,
    places: BTreeMap<Box<[u8]>, usize>,
    next: usize,
}

/// What is known of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// Its first column, and how many it has.
    Columns(usize, usize),
    /// It has none.
    Ignored,
}

impl RowKeys {
    /// Begins at the top of the file.
    pub(super) fn rewind(&mut self) {
        self.next = 0;
    }

    /// The row of that key; `None` if it was never there.
    pub(super) fn find(&mut self, key: &[u8]) -> Option<Row> {
        if let Some((expected, row)) = self.rows.get(self.next)
            && **expected == *key
        {
            self.next += 1;
            return Some(*row);
        }
        let place = *self.places.get(key)?;
        self.next = place + 1;
        self.rows.get(place).map(|(_, row)| *row)
    }

    pub(super) fn insert(&mut self, key: &[u8], row: Row) {
        self.places.insert(key.into(), self.rows.len());
        self.rows.push((key.into(), row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_any_order() {
        let mut keys = RowKeys::default();
        keys.insert(b"a", Row::Columns(0, 2));
        keys.insert(b"b", Row::Ignored);
        keys.insert(b"c", Row::Columns(2, 1));
        for order in [[&b"a"[..], b"b", b"c"], [b"c", b"a", b"b"], [b"b", b"b", b"a"]] {
            keys.rewind();
            for key in order {
                let row = match key {
                    b"a" => Row::Columns(0, 2),
                    b"b" => Row::Ignored,
                    _ => Row::Columns(2, 1),
                };
                assert_eq!(keys.find(key), Some(row));
                assert_eq!(keys.find(b"d"), None);
            }
        }
    }
}
