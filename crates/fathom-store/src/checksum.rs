//! A checksum over the columns of a row, for flipped bits that SQLite does not notice.

use rusqlite::types::ValueRef;

/// FNV-1a in 64 bits over `table`, then over each value in the order of the columns: a byte for
/// its kind (0 null, 1 integer, 2 real, 3 text, 4 blob), then eight bytes, little-endian, of the
/// integer, of the real's bits, or of the length, then text and blobs themselves.
///
/// Each step of FNV-1a is one-to-one, so that any change of a single byte changes the sum.
pub(crate) fn checksum(table: &str, values: &[ValueRef<'_>]) -> i64 {
    let mut sum = Fnv(0xcbf2_9ce4_8422_2325);
    sum.add(table.as_bytes());
    for value in values {
        match value {
            ValueRef::Null => sum.add(&[0]),
            ValueRef::Integer(number) => sum.add_tagged(1, &number.to_le_bytes()),
            ValueRef::Real(number) => sum.add_tagged(2, &number.to_bits().to_le_bytes()),
            ValueRef::Text(bytes) => sum.add_sized(3, bytes),
            ValueRef::Blob(bytes) => sum.add_sized(4, bytes),
        }
    }
    sum.0.cast_signed()
}

struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add_tagged(&mut self, tag: u8, bytes: &[u8]) {
        self.add(&[tag]);
        self.add(bytes);
    }

    fn add_sized(&mut self, tag: u8, bytes: &[u8]) {
        self.add_tagged(tag, &(bytes.len() as u64).to_le_bytes());
        self.add(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_fnv_1a() {
        // From the reference: FNV-1a 64 of "foobar".
        assert_eq!(checksum("foobar", &[]).cast_unsigned(), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn every_bit_kind_and_border_counts() {
        let text = |text: &'static str| ValueRef::Text(text.as_bytes());
        let base = checksum("t", &[ValueRef::Integer(5), text("ab"), text("c")]);
        for bit in 0..64 {
            let flipped = ValueRef::Integer(5 ^ (1_i64 << bit));
            assert_ne!(base, checksum("t", &[flipped, text("ab"), text("c")]));
        }
        assert_ne!(base, checksum("t", &[ValueRef::Integer(5), text("a"), text("bc")]));
        assert_ne!(base, checksum("u", &[ValueRef::Integer(5), text("ab"), text("c")]));
        assert_ne!(checksum("t", &[ValueRef::Null]), checksum("t", &[ValueRef::Integer(0)]));
    }
}
