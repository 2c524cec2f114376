#![allow(unused)]

use fathom_bench_macros::bench;

#[bench(args = [])]
fn args(n: u8) {}

#[bench(types = [])]
fn types<T>() {}

#[bench(consts = [])]
fn consts<const N: u8>() {}

#[bench(threads = [])]
fn threads() {}

#[bench(types = u8)]
fn no_list<T>() {}

#[bench(consts = SIZES)]
fn name_of_list<const N: u8>() {}

#[bench(consts = [1,,2])]
fn two_commas<const N: u8>() {}

fn main() {}
