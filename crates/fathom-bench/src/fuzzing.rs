//! What must hold whatever bytes come. The fuzzer uses it, and a test that replays the fuzzer's corpus.
//! Ordinary builds do not have it.
#![allow(clippy::expect_used, reason = "a check fails by panicking")]

use crate::duel::dialogue::{Hello, Order, Reply};
use fathom_record::foreign_text::is_steering;

/// What a process that compares and bench executables say to each other.
pub fn worker_protocol(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.split_inclusive('\n') {
        match Hello::read(line) {
            Ok(hello) => {
                assert_eq!(Hello::read(&hello.line()).expect("our own line"), hello);
                assert_eq!(hello.line().lines().count(), 1);
            }
            Err(why) => assert!(!why.is_empty() && !why.contains(is_steering), "{why:?}"),
        }
        if let Some(order) = Order::read(line) {
            assert_eq!(Order::read(&order.line()), Some(order));
        }
        if let Some(reply) = Reply::read(line) {
            assert_eq!(Reply::read(&reply.line()).as_ref(), Some(&reply));
            assert_eq!(reply.line().matches('\n').count(), 1);
            if let Reply::PerCall(seconds) = reply {
                assert!(seconds.is_finite() && seconds > 0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_benches() {
        fathom_testkit::corpus::replay("worker_protocol", super::worker_protocol).unwrap();
    }
}
