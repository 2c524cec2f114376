//! What must hold whatever bytes come. The fuzzer uses it, and tests that replay the fuzzer's corpus.
//! Ordinary builds do not have it.

use crate::{probes, spawner};

/// Packets between the client and the server that starts commands.
pub fn worker_protocol(bytes: &[u8]) {
    spawner::check_packets(bytes);
}

/// The file in which HotSpot keeps its counters.
pub fn hsperfdata(bytes: &[u8]) {
    probes::check_hsperfdata(bytes);
}

#[cfg(test)]
mod tests {
    use fathom_testkit::corpus::replay;

    #[test]
    fn packets() {
        replay("worker_protocol", super::worker_protocol).unwrap();
    }

    #[test]
    fn counters_of_hotspot() {
        replay("hsperfdata", super::hsperfdata).unwrap();
    }
}
