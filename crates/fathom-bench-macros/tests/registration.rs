//! What the attribute registers, in a crate that forbids unsafe code and allows no warning.
#![forbid(unsafe_code)]
#![deny(warnings, unused, trivial_numeric_casts, unused_qualifications, unused_lifetimes)]
#![deny(single_use_lifetimes, unused_results)]
#![deny(clippy::all, clippy::pedantic)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ptr_arg, clippy::needless_pass_by_value)]
#![allow(clippy::unused_async, clippy::type_complexity, clippy::unnecessary_wraps)]
#![allow(clippy::non_minimal_cfg, clippy::redundant_closure_for_method_calls)]

mod mock;

use mock::__private::Attributed;
use mock::{Bencher, Executor, Suite, Throughput};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::future::Future;
use std::hash::Hash;

thread_local! {
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Remembers that a function was called, and with what.
fn called(with: impl ToString) {
    CALLS.with(|calls| calls.borrow_mut().push(with.to_string()));
}

/// Runs a future that never waits.
struct Ready;

impl Executor for Ready {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = Box::pin(future);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match future.as_mut().poll(&mut context) {
            std::task::Poll::Ready(output) => output,
            std::task::Poll::Pending => panic!("it waits"),
        }
    }
}

/// All that the functions of a module registered, by line, each run twice: "NAME by METHOD: CALLS".
fn registered(module: &str) -> Vec<String> {
    let mut all: Vec<&Attributed> = inventory::iter::<Attributed>
        .into_iter()
        .filter(|one| one.module.ends_with(&format!("::{module}")))
        .collect();
    all.sort_by_key(|one| one.line);
    let mut suite = Suite::default();
    for one in all {
        (one.register)(&mut suite);
    }
    let entries = suite.entries.iter_mut().map(|entry| {
        CALLS.with(|calls| calls.borrow_mut().clear());
        (entry.run)();
        (entry.run)();
        let calls = CALLS.with(|calls| calls.borrow().join(" "));
        let throughput = entry.throughput.map(|amount| format!(", {amount:?}")).unwrap_or_default();
        let ignored = if entry.is_ignored { ", ignored" } else { "" };
        format!("{} by {}{throughput}{ignored}: {calls}", entry.name, entry.by)
    });
    entries.collect()
}

#[track_caller]
fn assert_registered(module: &str, expected: &[&str]) {
    assert_eq!(registered(module), expected);
}

mod plain {
    use super::*;

    #[fathom_bench_macros::bench(crate = crate::mock)]
    fn first() -> usize {
        called("first");
        1
    }

    #[fathom_bench_macros::bench(crate = crate::mock, name = "a second", bytes = 5_000_000_000,)]
    pub(crate) extern "C" fn second() {
        called("second");
    }

    #[fathom_bench_macros::bench(crate = self::super::mock, items = SIZE * 2, ignore)]
    const fn third() {}

    const SIZE: u8 = 20;

    #[fathom_bench_macros::bench(threads = [1, 2], crate = crate::mock, items = 1_u64)]
    pub(super) fn r#match() {
        called("match");
    }

    #[fathom_bench_macros::bench(crate = crate::mock)]
    #[cfg(any())]
    fn left_out() {
        missing()
    }

    #[fathom_bench_macros::bench(crate = crate::mock, name = r#"the "last""#)]
    #[allow(clippy::missing_errors_doc)]
    #[doc = "documented"]
    #[cfg(all())]
    pub(crate) fn last<'a>() -> Result<&'a str, Box<dyn Fn(u8) -> Vec<u8>>> {
        called("last");
        Ok("")
    }

    #[test]
    fn functions_are_registered_and_still_there() {
        let calls = [
            "first by bench: first first",
            "a second by bench, Bytes(5000000000): second second",
            "third by bench, Items(40), ignored: ",
            "match/1 threads by bench_threads, Items(1): match match",
            "match/2 threads by bench_threads, Items(1): match match",
            "the \"last\" by bench: last last",
        ];
        assert_registered("plain", &calls);
        assert_eq!(first(), 1);
        third();
    }
}

mod with_args {
    use super::*;

    #[fathom_bench_macros::bench(crate = crate::mock, threads = [2, 4], args = [7])]
    fn threads_by_value(n: u16) {
        called(n);
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = [1, 300], items = |n| *n)]
    fn by_value(n: u16) {
        called(n);
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = 1..=2, items = |n| n + 1)]
    fn by_reference(n: &i64) {
        called(n);
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = ["a", "bc"], bytes = |text| text.len())]
    fn of_text(text: &str) -> &str {
        called(text);
        text
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = ["x"])]
    fn of_static_text(text: &'static str) -> Option<char> {
        called(text);
        text.chars().next()
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = ["a".to_string()], bytes = String::len)]
    fn borrowing(text: &String) -> std::str::Chars<'_> {
        called(text);
        text.chars()
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = vec![String::from("own")], ignore)]
    fn of_string(mut text: String) -> String {
        text.push('!');
        called(&text);
        text
    }

    #[fathom_bench_macros::bench(
        crate = crate::mock,
        args = BTreeSet::<u8, >::from([7, 3]),
        items = |&n: &u8| f64::from(n),
    )]
    fn patterned(&n: &u8) {
        called(n);
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = Some(0.5))]
    fn of_anything(value: impl Into<f64>) {
        called(value.into());
    }

    struct Pair<A, B>(A, B);

    impl<A: std::fmt::Display, B: std::fmt::Display> std::fmt::Display for Pair<A, B> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{}-{}", self.0, self.1)
        }
    }

    #[fathom_bench_macros::bench(
        crate = crate::mock,
        args = Some::<Pair<u8, u16>>(Pair(4, 5)),
        bytes = |pair: &Pair<u8, u16>| pair.1,
        name = "pairs",
    )]
    #[allow(unused_qualifications)]
    fn of_pairs(#[allow(unused)] self::Pair(a, b): &Pair<u8, u16>) {
        called(a);
    }

    #[test]
    fn each_argument_is_one() {
        let calls = [
            "threads_by_value/7/2 threads by bench_threads_args: 7 7",
            "threads_by_value/7/4 threads by bench_threads_args: 7 7",
            "by_value/1 by bench_args, Items(1): 1 1",
            "by_value/300 by bench_args, Items(300): 300 300",
            "by_reference/1 by bench_args, Items(2): 1 1",
            "by_reference/2 by bench_args, Items(3): 2 2",
            "of_text/a by bench_args, Bytes(1): a a",
            "of_text/bc by bench_args, Bytes(2): bc bc",
            "of_static_text/x by bench_args: x x",
            "borrowing/a by bench_args, Bytes(1): a a",
            "of_string/own by bench_args, ignored: own! own!",
            "patterned/3 by bench_args, Items(3): 3 3",
            "patterned/7 by bench_args, Items(7): 7 7",
            "of_anything/0.5 by bench_args: 0.5 0.5",
            "pairs/4-5 by bench_args, Bytes(5): 4 4",
        ];
        assert_registered("with_args", &calls);
    }
}

mod with_bencher {
    use super::*;
    use crate::mock as other;

    #[fathom_bench_macros::bench(crate = crate::mock, bytes = 3)]
    fn made(bencher: &mut Bencher<'_>) {
        called("made");
        let text = String::from("kept");
        bencher.iter(move || called(&text));
    }

    #[fathom_bench_macros::bench(crate = crate::mock)]
    #[allow(unused_qualifications)]
    fn static_made(bencher: &mut other::Bencher<'static>) {
        bencher.iter(|| called("static"));
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = [String::from("s")], items = |s| s.len())]
    #[allow(unused_qualifications)]
    fn borrowing<'a>(bencher: &mut self::other::Bencher<'a>, text: &'a String) {
        bencher.iter(move || called(text));
    }

    #[fathom_bench_macros::bench(crate = crate::mock, args = [2, 4])]
    fn by_value(bencher: &mut Bencher<'_>, n: usize) {
        bencher.iter(move || called(n));
    }

    #[test]
    fn functions_make_their_own_closure() {
        let calls = [
            "made by bench_with, Bytes(3): made kept kept",
            "static_made by bench_with: static static",
            "borrowing/s by bench_args_with, Items(1): s s",
            "by_value/2 by bench_args_with: 2 2",
            "by_value/4 by bench_args_with: 4 4",
        ];
        assert_registered("with_bencher", &calls);
    }
}

mod generic {
    use super::*;

    #[fathom_bench_macros::bench(crate = crate::mock, types = [u8, Vec<(u8, u8)>, &str], bytes = size_of::<T>())]
    fn defaults<T: Default>() -> T {
        called(mock::type_name::<T>());
        T::default()
    }

    const FOUR: usize = 4;

    #[fathom_bench_macros::bench(crate = crate::mock, consts = [1, 1 << 4, FOUR], items = N)]
    fn arrays<const N: usize>() -> [u8; N] {
        called(N);
        [0; N]
    }

    #[fathom_bench_macros::bench(crate = crate::mock, consts = [-1, i8::MAX], args = ["x", "y"])]
    fn numbers<const N: i8>(text: &str) {
        called(format!("{text}{N}"));
    }

    #[fathom_bench_macros::bench(crate = crate::mock, consts = ['a', 'b'], types = [BTreeSet<u8>, HashSet<u8>], args = [2, 3], items = |n| n * 10)]
    fn both<const C: char, S>(n: u8) -> S
    where
        S: FromIterator<u8> + IntoIterator<Item: Hash>,
    {
        called(format!("{C}{n}"));
        (0..n).collect()
    }

    #[fathom_bench_macros::bench(crate = crate::mock, types = [String], args = ["t"].map(T::from))]
    fn lifetimes<'a, T: From<&'a str> + AsRef<str> + std::fmt::Display>(text: &T) -> usize {
        called(text);
        text.as_ref().len()
    }

    #[fathom_bench_macros::bench(crate = crate::mock, types = [str, [u8]])]
    #[allow(clippy::extra_unused_type_parameters)]
    fn unsized_types<T: ?Sized>() {
        called("unsized");
    }

    #[fathom_bench_macros::bench(crate = crate::mock, consts = [true], threads = vec![3])]
    fn in_threads<const B: bool>() {
        called(B);
    }

    #[fathom_bench_macros::bench(
        crate = crate::mock,
        types = [std::iter::Empty<fn() -> u8>, std::vec::IntoIter<fn() -> u8>],
        consts = [1],
    )]
    fn arrows<#[cfg(all())] T: Default + Iterator<Item = fn() -> u8>, const N: u8>() {
        called(T::default().count());
    }

    #[test]
    fn each_instance_is_one() {
        let calls = [
            "defaults/u8 by bench, Bytes(1): u8 u8",
            "defaults/Vec<(u8, u8)> by bench, Bytes(24): Vec<(u8, u8)> Vec<(u8, u8)>",
            "defaults/&str by bench, Bytes(16): &str &str",
            "arrays/1 by bench, Items(1): 1 1",
            "arrays/16 by bench, Items(16): 16 16",
            "arrays/4 by bench, Items(4): 4 4",
            "numbers/-1/x by bench_args: x-1 x-1",
            "numbers/-1/y by bench_args: y-1 y-1",
            "numbers/127/x by bench_args: x127 x127",
            "numbers/127/y by bench_args: y127 y127",
            "both/BTreeSet<u8>/a/2 by bench_args, Items(20): a2 a2",
            "both/BTreeSet<u8>/a/3 by bench_args, Items(30): a3 a3",
            "both/HashSet<u8>/a/2 by bench_args, Items(20): a2 a2",
            "both/HashSet<u8>/a/3 by bench_args, Items(30): a3 a3",
            "both/BTreeSet<u8>/b/2 by bench_args, Items(20): b2 b2",
            "both/BTreeSet<u8>/b/3 by bench_args, Items(30): b3 b3",
            "both/HashSet<u8>/b/2 by bench_args, Items(20): b2 b2",
            "both/HashSet<u8>/b/3 by bench_args, Items(30): b3 b3",
            "lifetimes/String/t by bench_args: t t",
            "unsized_types/str by bench: unsized unsized",
            "unsized_types/[u8] by bench: unsized unsized",
            "in_threads/true/3 threads by bench_threads: true true",
            "arrows/Empty<fn() -> u8>/1 by bench: 0 0",
            "arrows/IntoIter<fn() -> u8>/1 by bench: 0 0",
        ];
        assert_registered("generic", &calls);
    }
}

mod asynchronous {
    use super::*;

    #[fathom_bench_macros::bench(crate = crate::mock, executor = Ready, bytes = 1)]
    async fn alone() -> u8 {
        called("alone");
        1
    }

    #[fathom_bench_macros::bench(crate = crate::mock, executor = Ready, args = ["a"])]
    async fn of_text(text: &str) -> &str {
        called(text);
        text
    }

    #[fathom_bench_macros::bench(crate = crate::mock, executor = Ready, args = ["b".to_string()])]
    async fn of_string(text: String) {
        called(text);
    }

    #[fathom_bench_macros::bench(crate = crate::mock, executor = Ready, args = [8], types = [u8, i64])]
    fn returned<T: From<u8> + ToString>(n: &u8) -> impl Future<Output = T> + use<'_, T> {
        called(T::from(*n));
        std::future::ready(T::from(*n))
    }

    #[test]
    fn futures_are_driven() {
        let calls = [
            "alone by bench_async, Bytes(1): alone alone",
            "of_text/a by bench_async_args: a a",
            "of_string/b by bench_async_args: b b",
            "returned/u8/8 by bench_async_args: 8 8",
            "returned/i64/8 by bench_async_args: 8 8",
        ];
        assert_registered("asynchronous", &calls);
    }
}

mod compared {
    use super::*;

    #[fathom_bench_macros::bench(crate = crate::mock, compare = "sums", items = 9)]
    fn adding() -> u64 {
        called("adding");
        (0..9).sum()
    }

    #[fathom_bench_macros::bench(crate = crate::mock, compare = "sums", name = "by formula", ignore)]
    fn formula(bencher: &mut Bencher<'_>) {
        bencher.iter(|| called("formula"));
    }

    #[fathom_bench_macros::bench(crate = crate::mock, compare = "sums", types = [u8, u64], consts = [1])]
    fn generic<T: From<u8>, const N: u8>() -> T {
        called(N);
        T::from(N)
    }

    #[test]
    fn compared_functions_share_a_name() {
        let calls = [
            "adding of sums by compare.with, Items(9): adding adding",
            "by formula of sums by compare.with_bencher, ignored: formula formula",
            "generic/u8/1 of sums by compare.with: 1 1",
            "generic/u64/1 of sums by compare.with: 1 1",
        ];
        assert_registered("compared", &calls);
    }
}

mod from_macros {
    use super::*;

    macro_rules! benches {
        ($($vis:vis fn $name:ident($argument:ident: $type:ty) of $args:expr, $label:literal, $amount:expr;)*) => {$(
            #[fathom_bench_macros::bench(crate = crate::mock, name = $label, args = $args, items = $amount)]
            $vis fn $name($argument: $type) {
                called($argument);
            }
        )*};
    }

    benches! {
        fn one(n: &u8) of [1, 2], "first", |n| n * 2 + 1;
    }

    macro_rules! generic {
        ($name:ident, $parameter:ident: $bound:path, $types:tt, $amount:expr) => {
            #[fathom_bench_macros::bench(crate = crate::mock, types = $types, bytes = $amount)]
            fn $name<$parameter: $bound>() -> $parameter {
                called("generic");
                <$parameter>::default()
            }
        };
    }

    generic!(two, Item: Default, [u8, u16], 1 + 2);

    fn argument() -> u8 {
        3
    }

    // The attribute's own variables and parameters are out of sight.
    #[fathom_bench_macros::bench(crate = crate::mock, args = [argument()], items = |suite| suite + argument())]
    fn suite(bencher: u8) {
        called(bencher);
    }

    #[test]
    fn macros_may_write_the_attribute() {
        let calls = [
            "first/1 by bench_args, Items(3): 1 1",
            "first/2 by bench_args, Items(5): 2 2",
            "two/u8 by bench, Bytes(3): generic generic",
            "two/u16 by bench, Bytes(3): generic generic",
            "suite/3 by bench_args, Items(6): 3 3",
        ];
        assert_registered("from_macros", &calls);
    }
}

#[test]
fn functions_in_functions_are_registered_too() {
    #[fathom_bench_macros::bench(crate = crate::mock, args = [1])]
    fn inner(n: u8) {
        called(n);
    }
    inner(2);
    let names = inventory::iter::<Attributed>.into_iter().flat_map(|one| {
        let mut suite = Suite::default();
        (one.register)(&mut suite);
        suite.entries.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>()
    });
    assert!(names.into_iter().any(|name| name == "inner/1"));
    assert_eq!(Throughput::Bytes(1), Throughput::Bytes(1));
}
