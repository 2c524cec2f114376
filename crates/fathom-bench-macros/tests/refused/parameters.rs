#![allow(unused)]

use fathom_bench_macros::bench;

#[bench(args = [1])]
fn takes_none() {}

#[bench]
fn nothing_to_pass(n: &[u8]) {}

#[bench(args = [1])]
fn two(n: u8, m: std::collections::HashMap<u8, u8>) {}

#[bench]
fn two_and_nothing(n: u8, m: u8) {}

#[bench(args = [1])]
fn changed(n: &mut u8) {}

#[bench(args = [1])]
fn bencher_and_two(bencher: &mut Bencher, n: u8, m: u8) {}

#[bench(args = [1])]
fn bencher_alone(bencher: &mut mock::Bencher<'static>) {}

#[bench]
fn bencher_and_nothing(bencher: &'static mut Bencher<'_>, n: u8) {}

#[bench(args = [1])]
fn bencher_second(n: u8, bencher: &mut Bencher) {}

#[bench]
fn bencher_shared(bencher: &Bencher) {}

#[bench]
fn bencher_owned(bencher: Bencher<'static>) {}

fn main() {}
