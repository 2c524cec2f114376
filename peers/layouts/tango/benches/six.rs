//! The six functions under tango-bench.

use six::Inputs;
use std::hint::black_box;
use std::sync::LazyLock;
use tango_bench::{benchmark_fn, tango_benchmarks, tango_main, IntoBenchmarks};

static INPUTS: LazyLock<Inputs> = LazyLock::new(Inputs::new);

fn benchmarks() -> impl IntoBenchmarks {
    black_box(six::set_up());
    let inputs: &'static Inputs = &INPUTS;
    [
        benchmark_fn("digest", move |b| b.iter(move || six::digest(black_box(&inputs.bytes)))),
        benchmark_fn("count_words", move |b| {
            b.iter(move || six::count_words(black_box(&inputs.text)))
        }),
        benchmark_fn("sum_of_numbers", move |b| {
            b.iter(move || six::sum_of_numbers(black_box(&inputs.numbers)))
        }),
        benchmark_fn("found", move |b| {
            b.iter(move || six::found(black_box(&inputs.sorted), black_box(&inputs.keys)))
        }),
        benchmark_fn("median", move |b| b.iter(move || six::median(black_box(&inputs.few)))),
        benchmark_fn("distance", move |b| {
            b.iter(move || six::distance(black_box(&inputs.words.0), &inputs.words.1))
        }),
    ]
}

tango_benchmarks!(benchmarks());
tango_main!();
