//! `/proc/PID/net`: the network as the program sees it, which may have one of its own.

use super::proc_table::{Column, Layout, text, things};
use super::proc_tables::ProcTables;
use super::snmp::Protocols;
use crate::probes::{Fault, Moment, Probe, Source, SourceFamily, Target, Unavailable, digits};
use fathom_record::trace::{Layer, TraceMetric, Value};
use fathom_record::{Span, Timestamp, Unit};
use std::path::PathBuf;
use std::time::Duration;

const NAME: &str = "system.network";

/// How often to look whether the program has another network.
const BETWEEN_LOOKS: Span = Span::from_milliseconds(1_000);

/// The source.
#[derive(Debug)]
pub(super) struct Network(pub(super) PathBuf);

impl Source for Network {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "bytes and packets of each network interface, totals of TCP, UDP and IP"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let process = self.0.join(format!("proc/{}", target.pid()));
        let files: Vec<(PathBuf, Box<dyn Layout>)> = vec![
            (process.join("net/dev"), Box::new(Interfaces)),
            (process.join("net/snmp"), Box::new(Protocols)),
        ];
        let (tables, why) = ProcTables::open_what_is_there(NAME, files);
        if tables.is_empty() {
            return Err(Unavailable(why.unwrap_or_default()));
        }
        let namespace = process.join("ns/net");
        let seen = std::fs::read_link(&namespace).ok();
        Ok(Box::new(NetworkProbe { tables, namespace, seen, next_look: Timestamp::ZERO }))
    }
}

#[derive(Debug)]
struct NetworkProbe {
    tables: ProcTables,
    namespace: PathBuf,
    seen: Option<PathBuf>,
    next_look: Timestamp,
}

impl Probe for NetworkProbe {
    fn name(&self) -> &str {
        self.tables.name()
    }

    fn metrics(&self) -> &[TraceMetric] {
        self.tables.metrics()
    }

    fn refresh(&mut self, moment: &Moment<'_>) -> bool {
        if moment.now >= self.next_look {
            self.next_look = moment.now + BETWEEN_LOOKS;
            // Open files stay with the network that the program had when they were opened. When it
            // has ended they still describe that one.
            let now = std::fs::read_link(&self.namespace).ok();
            if now.is_some() && now != self.seen {
                self.seen = now;
                for table in self.tables.tables_mut() {
                    table.moves_to(table.path().to_path_buf());
                }
            }
        }
        self.tables.refresh(moment)
    }

    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        self.tables.sample(moment, values)
    }

    fn least_interval(&self) -> Duration {
        self.tables.least_interval()
    }
}

/// Lines such as "eth0: 1784825109 113869 0 0 0 0 0 0 9248120 108275 0 0 0 0 0 0".
#[derive(Debug)]
struct Interfaces;

/// The numbers that are told, by their place.
const FIELDS: [(usize, &str, &str); 8] = [
    (0, "rx_bytes", ""),
    (1, "rx_packets", "packets"),
    (2, "rx_errs", "packets"),
    (3, "rx_drop", "packets"),
    (8, "tx_bytes", ""),
    (9, "tx_packets", "packets"),
    (10, "tx_errs", "packets"),
    (11, "tx_drop", "packets"),
];

impl Layout for Interfaces {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            // A colon is in names of addresses ("eth0:1"), so it is the last one.
            let Some(colon) = line.iter().rposition(|byte| *byte == b':') else { continue };
            let (key, rest) = line.split_at(colon);
            let rest = rest.get(1..).unwrap_or_default();
            // Interfaces without traffic so far are skipped: there can be hundreds.
            if digits::words(rest).any(|word| word != b"0") {
                row(key.trim_ascii(), rest);
            }
        }
    }

    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column> {
        if digits::words(rest).count() < 16 {
            return Vec::new();
        }
        let key = text(key);
        let column = |&(_, name, what): &(usize, &str, &str)| {
            let unit = if what.is_empty() { Unit::Bytes } else { things(what) };
            Column::counter(format!("{key}.{name}"), unit)
        };
        FIELDS.iter().map(column).collect()
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        let mut fields = FIELDS.iter().map(|(place, ..)| *place).zip(values).peekable();
        for (place, word) in digits::words(rest).enumerate() {
            if let Some((_, value)) = fields.next_if(|(wanted, _)| *wanted == place) {
                *value = Value::from(digits::number(word));
            }
        }
    }
}
