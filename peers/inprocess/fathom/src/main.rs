//! fathom-bench: two functions compared, or one measured if BUSY_SECOND is not given.

use std::hint::black_box;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut suite = fathom_bench::Suite::new();
    let first = busy::first();
    if std::env::var_os("BUSY_SECOND").is_some() {
        let second = busy::second();
        suite
            .compare("work")
            .with("first", move || busy::busy(black_box(first)))
            .with("second", move || busy::busy(black_box(second)));
    } else {
        suite.bench("work", move || busy::busy(black_box(first)));
    }
    suite.run()
}
