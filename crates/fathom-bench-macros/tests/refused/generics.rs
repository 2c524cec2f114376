#![allow(unused)]

use fathom_bench_macros::bench;

#[bench]
fn no_types<T: Default>() {}

#[bench]
fn no_consts<const N: usize>() {}

#[bench(types = [u8])]
fn no_type_parameter<'a>() {}

#[bench(consts = [1])]
fn no_const_parameter<T>() {}

#[bench(types = [u8])]
fn two_types<A: Iterator<Item = u8>, B>() {}

#[bench(consts = [1])]
fn two_consts<const N: usize, const M: usize>() {}

#[bench(types = [u8])]
fn types_but_no_consts<T, const N: usize>() {}

fn main() {}
