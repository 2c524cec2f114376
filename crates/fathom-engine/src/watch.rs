//! A watcher of the progress of a request.

use fathom_property::{CheckCost, CheckExpectation};

/// Told how far it is. Front ends draw it; `()` ignores it. Work on several threads tells it from any of
/// them, one at a time.
pub trait Watch: Send {
    /// How far it is, in a line. It is called between runs and while waiting for a long one; `line`
    /// is made only if it is shown.
    fn progress(&mut self, line: &dyn Fn() -> String) {
        let _ = line;
    }

    /// There is no progress to show any more.
    fn clear(&mut self) {}

    /// A check of commands begins; its first execution is about to start.
    fn check_begins(&mut self, expectation: &CheckExpectation) {
        let _ = expectation;
    }

    /// The first few executions of a check ended, and show what all will cost.
    fn check_costs(&mut self, cost: &CheckCost) {
        let _ = cost;
    }

    /// Something to know at once, before the answer.
    fn note(&mut self, text: &str) {
        let _ = text;
    }
}

/// Nobody watches.
impl Watch for () {}
