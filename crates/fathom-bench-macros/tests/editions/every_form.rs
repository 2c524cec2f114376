//! One function for every form of registration, in words that every edition knows.

use crate::mock::__private::Attributed;
use crate::mock::{Bencher, Executor, Suite};
use fathom_bench_macros::bench;
use std::future::Future;

struct Never;

impl Executor for Never {
    fn block_on<F: Future>(&self, _: F) -> F::Output {
        std::process::abort()
    }
}

#[bench(crate = crate::mock, bytes = 8)]
fn plain() -> u64 {
    1
}

#[bench(crate = crate::mock, args = [1, 2], items = |n| *n)]
fn by_value(n: u64) -> u64 {
    n
}

#[bench(crate = crate::mock, args = ["a", "b"], bytes = |text| text.len())]
fn by_reference(text: &str) -> &str {
    text
}

#[bench(crate = crate::mock)]
fn with_bencher(bencher: &mut Bencher) {
    bencher.iter(|| 1);
}

#[bench(crate = crate::mock, args = [3])]
fn with_bencher_and_args(bencher: &mut Bencher, n: usize) {
    bencher.iter(move || n);
}

#[bench(crate = crate::mock, types = [u8, Vec<u8>], consts = [4], ignore)]
fn generic<T: Default, const N: usize>() -> (T, [u8; N]) {
    (T::default(), [0; N])
}

#[bench(crate = crate::mock, threads = vec![2])]
fn in_threads() {}

#[bench(crate = crate::mock, executor = Never)]
async fn awaited() {}

#[bench(crate = crate::mock, executor = Never, args = ["x"])]
async fn awaited_with(text: &str) -> &str {
    text
}

#[bench(crate = crate::mock, compare = "both")]
fn compared() {}

#[bench(crate = crate::mock, compare = "both", name = "other")]
fn compared_with_bencher(bencher: &mut Bencher) {
    bencher.iter(|| 2);
}

/// All of them are registered.
pub fn check() {
    let mut all: Vec<&Attributed> = inventory::iter::<Attributed>.into_iter().collect();
    all.sort_by_key(|one| one.line);
    let mut suite = Suite::default();
    for one in all {
        assert!(one.module.ends_with("::every_form"), "{}", one.module);
        (one.register)(&mut suite);
    }
    let names: Vec<&str> = suite.entries.iter().map(|entry| entry.name.as_str()).collect();
    let expected = [
        "plain",
        "by_value/1",
        "by_value/2",
        "by_reference/a",
        "by_reference/b",
        "with_bencher",
        "with_bencher_and_args/3",
        "generic/u8/4",
        "generic/Vec<u8>/4",
        "in_threads/2 threads",
        "awaited",
        "awaited_with/x",
        "compared of both",
        "other of both",
    ];
    assert_eq!(names, expected);
}
