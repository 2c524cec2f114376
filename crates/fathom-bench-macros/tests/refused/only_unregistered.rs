//! What is right compiles, and counts as used. Here the only error is the function without the attribute.
#![deny(dead_code)]

use fathom_bench_macros::bench;
use mock::{Bencher, Executor};

#[path = "../mock/mod.rs"]
#[allow(dead_code)]
mod mock;

#[bench(crate = crate::mock, bytes = (8) as usize)]
pub(crate) extern "C" fn plain() {}

#[bench(crate = crate::mock, threads = [1, 2], args = [3], items = |n| *n)]
const fn in_threads(_: u8) {}

#[bench(crate = crate::mock, args = vec![1, 2], items = |n| f64::from(*n))]
fn by_value(n: u8) -> u8 {
    n
}

#[bench(crate = crate::mock, args = std::collections::BTreeSet::<u8, >::from([7, 3]), name = "of a set")]
fn of_a_set(n: u8) -> u8 {
    n
}

#[bench(crate = crate::mock, args = ["a"], bytes = move |text| text.len())]
fn by_reference(text: &str) -> &str {
    text
}

#[bench(crate = crate::mock, args = [7], ignore)]
fn with_bencher(bencher: &mut self::mock::Bencher<'_>, n: u8) {
    bencher.iter(move || n);
}

#[bench(crate = crate::mock, name = r#"a "name""#)]
fn with_bencher_alone(bencher: &mut Bencher) {
    bencher.iter(|| 1);
}

#[bench(crate = crate::mock, types = [u8, Vec<(u8, u8)>,], consts = [1, 1 << 4], items = N)]
fn filled<'a, T: Default + IntoLabel<'a, Of = fn() -> T>, const N: usize>() -> [T; N]
where
    T: Send,
{
    [(); N].map(|()| T::default())
}

#[bench(crate = crate::mock)]
#[rustfmt::skip]
fn without_a_space(bencher:&mut Bencher) {
    bencher.iter(|| 1);
}

#[bench(crate = crate::mock, compare = "two")]
fn compared() {}

#[bench(crate = crate::mock, compare = "two")]
fn compared_too(bencher: &mut Bencher<'_>) {
    bencher.iter(|| 1);
}

trait IntoLabel<'a> {
    type Of;
}

impl<T> IntoLabel<'_> for T {
    type Of = fn() -> T;
}

struct Ready;

impl Executor for Ready {
    fn block_on<F: Future>(&self, _: F) -> F::Output {
        unimplemented!()
    }
}

#[bench(crate = crate::mock, executor = Ready)]
async fn future() {}

#[bench(crate = crate::mock, executor = Ready, args = [1])]
fn returned_future(n: u8) -> impl Future<Output = u8> {
    std::future::ready(n)
}

fn without_the_attribute() {}

fn main() {}
