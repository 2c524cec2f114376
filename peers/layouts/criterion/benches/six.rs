//! The six functions under criterion.

use criterion::Criterion;
use six::Inputs;
use std::hint::black_box;

fn main() {
    black_box(six::set_up());
    let inputs = Inputs::new();
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("digest", |b| b.iter(|| six::digest(black_box(&inputs.bytes))));
    criterion
        .bench_function("count_words", |b| b.iter(|| six::count_words(black_box(&inputs.text))));
    criterion.bench_function("sum_of_numbers", |b| {
        b.iter(|| six::sum_of_numbers(black_box(&inputs.numbers)))
    });
    criterion.bench_function("found", |b| {
        b.iter(|| six::found(black_box(&inputs.sorted), black_box(&inputs.keys)))
    });
    criterion.bench_function("median", |b| b.iter(|| six::median(black_box(&inputs.few))));
    criterion.bench_function("distance", |b| {
        b.iter(|| six::distance(black_box(&inputs.words.0), &inputs.words.1))
    });
    criterion.final_summary();
}
