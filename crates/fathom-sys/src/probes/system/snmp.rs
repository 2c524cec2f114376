//! `/proc/net/snmp`: totals of the network's protocols.

use super::proc_table::{Column, Layout, text, things};
use crate::probes::digits;
use fathom_record::trace::Value;

/// What is reported for a protocol, and whether it is a level.
const WANTED: [(&[u8], &[u8], &str); 20] = [
    (b"Ip", b"InReceives", "packets"),
    (b"Ip", b"InDiscards", "packets"),
    (b"Ip", b"InDelivers", "packets"),
    (b"Ip", b"OutRequests", "packets"),
    (b"Ip", b"OutDiscards", "packets"),
    (b"Tcp", b"ActiveOpens", "connections"),
    (b"Tcp", b"PassiveOpens", "connections"),
    (b"Tcp", b"AttemptFails", "connections"),
    (b"Tcp", b"EstabResets", "connections"),
    (b"Tcp", b"CurrEstab", "connections"),
    (b"Tcp", b"InSegs", "segments"),
    (b"Tcp", b"OutSegs", "segments"),
    (b"Tcp", b"RetransSegs", "segments"),
    (b"Tcp", b"InErrs", "segments"),
    (b"Tcp", b"OutRsts", "segments"),
    (b"Udp", b"InDatagrams", "datagrams"),
    (b"Udp", b"NoPorts", "datagrams"),
    (b"Udp", b"InErrors", "datagrams"),
    (b"Udp", b"OutDatagrams", "datagrams"),
    (b"Udp", b"RcvbufErrors", "datagrams"),
];

/// Pairs of lines, "Tcp: ActiveOpens PassiveOpens" and "Tcp: 45093 43658". A row is such a pair.
#[derive(Debug)]
pub(super) struct Protocols;

impl Layout for Protocols {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        let mut left = text;
        while let Some(end) = end_of_line(left) {
            let (line, next) = left.split_at(end + 1);
            let Some((key, names)) = digits::before_colon(line) else { return };
            let until = end_of_line(next).unwrap_or(next.len());
            // From the first name to the last number, with the end of a line between.
            let first = line.len() - names.len();
            if let Some(both) = left.get(first..line.len() + until) {
                row(key, both);
            }
            left = next.get(until + 1..).unwrap_or_default();
        }
    }

    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column> {
        let column = |(name, what, _): (&[u8], &str, &[u8])| {
            let full = format!("{}.{}", text(key), text(name));
            // The only level among them.
            if name == b"CurrEstab" {
                Column::gauge(full, things(what))
            } else {
                Column::counter(full, things(what))
            }
        };
        wanted(key, rest).map(column).collect()
    }

    fn values(&self, key: &[u8], rest: &[u8], values: &mut [Value]) {
        for (value, (_, _, number)) in values.iter_mut().zip(wanted(key, rest)) {
            *value = Value::from(digits::number(number));
        }
    }
}

/// Name, unit and number of what is wanted of a pair of lines.
fn wanted<'t>(
    key: &'t [u8],
    rest: &'t [u8],
) -> impl Iterator<Item = (&'t [u8], &'static str, &'t [u8])> {
    let end = end_of_line(rest).unwrap_or(rest.len());
    let (names, numbers) = rest.split_at(end);
    let numbers = digits::before_colon(numbers).map_or(&b""[..], |(_, numbers)| numbers);
    let pairs = digits::words(names).zip(digits::words(numbers));
    pairs.filter_map(move |(name, number)| {
        let found = WANTED.iter().find(|(protocol, wanted, _)| *wanted == name && *protocol == key);
        found.map(|(_, _, what)| (name, *what, number))
    })
}

fn end_of_line(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| *byte == b'\n')
}
