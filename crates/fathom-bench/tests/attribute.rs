//! Every form of the attribute, in a program that forbids unsafe code: what it registers, under
//! which name, in which order.
#![forbid(unsafe_code)]
#![deny(warnings, clippy::all)]

use fathom_bench::{Bencher, Executor, Suite, bench};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Asks a future until it is ready.
struct Spinning;

impl Executor for Spinning {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        loop {
            let context = &mut Context::from_waker(Waker::noop());
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                return output;
            }
        }
    }
}

#[bench]
fn plain() -> u64 {
    (0..10).sum()
}

#[fathom_bench::bench(name = "another name", bytes = 10, ignore)]
fn named() {}

#[bench(args = [1, 20], items = |n| *n)]
fn by_value(n: u64) -> u64 {
    (0..n).sum()
}

#[bench(args = ["one", "one two"], bytes = |text| text.len())]
fn by_reference(text: &str) -> &str {
    text.trim()
}

#[bench(args = vec![String::from("own")])]
#[allow(clippy::ptr_arg, reason = "what is in the list is what the function gets")]
fn by_reference_to_owned(text: &String) -> std::str::Chars<'_> {
    text.chars()
}

#[bench]
fn with_bencher(bencher: &mut Bencher<'_>) {
    let numbers: Vec<u64> = (0..10).collect();
    bencher.iter(move || numbers.iter().sum::<u64>());
}

#[bench(args = 2..4)]
fn with_bencher_and_args(bencher: &mut Bencher<'static>, n: usize) {
    bencher.iter_with_setup(move || vec![0_u8; n], |numbers| numbers.sort());
}

#[bench(types = [u8, Vec<String>], bytes = size_of::<T>())]
fn of_type<T: Default>() -> T {
    T::default()
}

#[bench(consts = [1, 1 << 4], items = N)]
fn of_const<const N: usize>() -> [u8; N] {
    [0; N]
}

#[bench(types = [u16, u32], consts = [true], args = ["x", "y"])]
fn of_all<T: Default, const B: bool>(text: &str) -> (T, usize) {
    (T::default(), text.len() + usize::from(B))
}

#[bench(threads = [1, 2])]
fn in_threads() -> u64 {
    (0..10).product()
}

#[bench(threads = [1, 2], args = ["a", "b"], bytes = |text| text.len())]
fn in_threads_with(text: &str) -> usize {
    text.len()
}

#[bench(executor = Spinning)]
async fn awaited() -> u64 {
    std::future::ready(1).await
}

#[bench(executor = Spinning, args = ["a", "b"])]
async fn awaited_with(text: &str) -> &str {
    text
}

#[bench(compare = "compared", items = 10)]
fn reference() -> u64 {
    (0..10).sum()
}

mod module {
    use super::bench;

    #[bench]
    fn inside() {}

    #[bench(compare = "compared")]
    fn compared_inside() {}

    pub(super) mod deeper {
        #[fathom_bench::bench(args = [1])]
        pub(crate) fn inside(n: i32) -> i32 {
            n + 1
        }
    }
}

#[bench(compare = "compared", items = 10)]
fn other(bencher: &mut Bencher<'_>) {
    bencher.iter(|| 9 * 10 / 2);
}

macro_rules! generated {
    ($($name:ident)*) => {$(
        #[bench]
        fn $name() {}
    )*};
}

generated!(third_of_three first_of_three second_of_three);

#[bench(crate = ::fathom_bench)]
fn last() {}

#[test]
fn all_are_registered_in_order() {
    let expected = [
        "plain",
        "another name",
        "by_value/1",
        "by_value/20",
        "by_reference/one",
        "by_reference/one two",
        "by_reference_to_owned/own",
        "with_bencher",
        "with_bencher_and_args/2",
        "with_bencher_and_args/3",
        "of_type/u8",
        "of_type/Vec<String>",
        "of_const/1",
        "of_const/16",
        "of_all/u16/true/x",
        "of_all/u16/true/y",
        "of_all/u32/true/x",
        "of_all/u32/true/y",
        "in_threads/1 thread",
        "in_threads/2 threads",
        "in_threads_with/a/1 thread",
        "in_threads_with/a/2 threads",
        "in_threads_with/b/1 thread",
        "in_threads_with/b/2 threads",
        "awaited",
        "awaited_with/a",
        "awaited_with/b",
        "compared",
        "third_of_three",
        "first_of_three",
        "second_of_three",
        "last",
        "module/inside",
        "module/compared",
        "module/deeper/inside/1",
    ];
    assert_eq!(Suite::of_attributes().names(), expected);
}

#[test]
fn closures_that_borrow_can_be_added() {
    let text = String::from("one two three");
    let mut suite = Suite::of_attributes();
    suite.bench("borrows", || text.find("three"));
    assert_eq!(suite.names().last().map(String::as_str), Some("borrows"));
}

#[test]
fn functions_can_still_be_called() {
    assert_eq!(plain(), 45);
    assert_eq!(by_reference(" a "), "a");
    assert_eq!(of_const::<3>(), [0; 3]);
    assert_eq!(Spinning.block_on(awaited()), 1);
    assert_eq!(module::deeper::inside(1), 2);
}
