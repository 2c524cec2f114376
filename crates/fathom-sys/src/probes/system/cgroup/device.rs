//! What a control group did on each disk.

use super::super::proc_table::{Column, Layout, text, things};
use crate::probes::digits;
use fathom_record::Unit;
use fathom_record::trace::Value;

/// The second version: "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6".
#[derive(Debug)]
pub(super) struct PerDevice;

const FIELDS: [&[u8]; 4] = [b"rbytes", b"wbytes", b"rios", b"wios"];

impl Layout for PerDevice {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            let (key, rest) = digits::first_word(line);
            // A device without numbers did nothing yet.
            if rest.contains(&b'=') {
                row(key, rest);
            }
        }
    }

    fn columns(&self, key: &[u8], _rest: &[u8]) -> Vec<Column> {
        let column = |field: &&[u8]| {
            let unit = if field.ends_with(b"bytes") { Unit::Bytes } else { things("requests") };
            Column::counter(format!("io.stat.{}.{}", text(key), text(field)), unit)
        };
        FIELDS.iter().map(column).collect()
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        for word in digits::words(rest) {
            let Some(sign) = word.iter().position(|byte| *byte == b'=') else { continue };
            let (name, number) = word.split_at(sign);
            let place = FIELDS.iter().position(|field| *field == name);
            if let Some(value) = place.and_then(|place| values.get_mut(place)) {
                *value = Value::from(number.get(1..).and_then(digits::number));
            }
        }
    }
}

/// The first version: "8:0 Read 123", and a last line "Total 123".
#[derive(Debug)]
pub(super) struct PerDeviceAndDirection {
    pub(super) name: &'static str,
    pub(super) unit: Unit,
}

impl Layout for PerDeviceAndDirection {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            let line = line.trim_ascii();
            let last = line.iter().rposition(u8::is_ascii_whitespace);
            if let Some(last) = last {
                let (key, rest) = line.split_at(last);
                row(key.trim_ascii(), rest);
            }
        }
    }

    fn columns(&self, key: &[u8], _rest: &[u8]) -> Vec<Column> {
        let words: Vec<String> = digits::words(key).map(text).collect();
        let name = match words.as_slice() {
            [device, direction] if direction == "Read" || direction == "Write" => {
                format!("{}.{device}.{direction}", self.name)
            }
            [total] if total == "Total" => format!("{}.Total", self.name),
            // Synchronous, asynchronous and discarded requests, and sums.
            _ => return Vec::new(),
        };
        vec![Column::counter(name, self.unit.clone())]
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        if let Some(value) = values.first_mut() {
            *value = Value::from(digits::number(rest.trim_ascii()));
        }
    }
}
