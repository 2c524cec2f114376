//! Files as HotSpot writes them, and worse.

/// A file to be.
#[derive(Debug, Clone)]
pub(super) struct MadeUp {
    pub(super) is_big_endian: bool,
    pub(super) version: (u8, u8),
    pub(super) is_accessible: bool,
    pub(super) stamp: i64,
    /// How many entries it says it has more than it has.
    pub(super) entries_more: i32,
    pub(super) entries: Vec<MadeUpEntry>,
}

/// An entry to be.
#[derive(Debug, Clone)]
pub(super) struct MadeUpEntry {
    pub(super) name: String,
    pub(super) kind: u8,
    pub(super) vector: i32,
    pub(super) unit: u8,
    pub(super) variability: u8,
    pub(super) value: i64,
    /// Other than it should be.
    pub(super) length: Option<i32>,
    pub(super) name_offset: Option<i32>,
    pub(super) data_offset: Option<i32>,
}

/// A number of events that only grows.
pub(super) fn entry(name: &str, value: i64) -> MadeUpEntry {
    MadeUpEntry {
        name: name.to_string(),
        kind: b'J',
        vector: 0,
        unit: 4,
        variability: 2,
        value,
        length: None,
        name_offset: None,
        data_offset: None,
    }
}

impl MadeUp {
    pub(super) fn new(entries: Vec<MadeUpEntry>) -> MadeUp {
        MadeUp {
            is_big_endian: cfg!(target_endian = "big"),
            version: (2, 0),
            is_accessible: true,
            stamp: 1,
            entries_more: 0,
            entries,
        }
    }

    /// As long as HotSpot makes it, with nothing behind what is used.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; 32];
        for entry in &self.entries {
            self.append(&mut bytes, entry);
        }
        let used = bytes.len() as i32;
        bytes[..4].copy_from_slice(&[0xca, 0xfe, 0xc0, 0xc0]);
        bytes[4] = u8::from(!self.is_big_endian);
        (bytes[5], bytes[6]) = self.version;
        bytes[7] = u8::from(self.is_accessible);
        bytes[8..12].copy_from_slice(&self.int(used));
        bytes[16..24].copy_from_slice(&self.long(self.stamp));
        bytes[24..28].copy_from_slice(&self.int(32));
        let entries = self.entries.len() as i32 + self.entries_more;
        bytes[28..32].copy_from_slice(&self.int(entries));
        bytes.resize(bytes.len().max(32 * 1024), 0);
        bytes
    }

    fn append(&self, bytes: &mut Vec<u8>, entry: &MadeUpEntry) {
        let data = (20 + entry.name.len() + 1).next_multiple_of(8);
        let length = data + 8;
        let start = bytes.len();
        bytes.resize(start + length, 0);
        let made = &mut bytes[start..];
        made[..4].copy_from_slice(&self.int(entry.length.unwrap_or(length as i32)));
        made[4..8].copy_from_slice(&self.int(entry.name_offset.unwrap_or(20)));
        made[8..12].copy_from_slice(&self.int(entry.vector));
        made[12..16].copy_from_slice(&[entry.kind, 0, entry.unit, entry.variability]);
        made[16..20].copy_from_slice(&self.int(entry.data_offset.unwrap_or(data as i32)));
        made[20..20 + entry.name.len()].copy_from_slice(entry.name.as_bytes());
        made[data..].copy_from_slice(&self.long(entry.value));
    }

    fn int(&self, value: i32) -> [u8; 4] {
        if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn long(&self, value: i64) -> [u8; 8] {
        if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }
}
