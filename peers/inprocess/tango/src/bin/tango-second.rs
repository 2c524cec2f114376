//! tango, which compares two executables: this is the second.

use std::hint::black_box;
use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks, tango_main};

fn benchmarks() -> impl IntoBenchmarks {
    let iterations = busy::second();
    [benchmark_fn("work", move |bencher| bencher.iter(move || busy::busy(black_box(iterations))))]
}

tango_benchmarks!(benchmarks());
tango_main!();
