//! The clock of the standard library.

use fathom_record::Timestamp;
use std::sync::OnceLock;
use std::time::Instant;

/// The monotonic clock, whose zero is when this process first asked. It never goes back.
#[must_use]
pub fn monotonic() -> Timestamp {
    static ZERO: OnceLock<Instant> = OnceLock::new();
    let zero = *ZERO.get_or_init(Instant::now);
    let since = Instant::now().duration_since(zero);
    // No process runs for 292 years; without checks for that, nothing delays a timing.
    let seconds = (since.as_secs() as i64).wrapping_mul(1_000_000_000);
    Timestamp::from_nanoseconds(seconds.wrapping_add(i64::from(since.subsec_nanos())))
}
