#![allow(unused)]

use fathom_bench_macros::bench;

#[bench("parse")]
fn label() {}

#[bench([1, 2])]
fn list(n: u8) {}

#[bench(args)]
fn no_value(n: u8) {}

#[bench(args =)]
fn empty_value(n: u8) {}

#[bench(args[1])]
fn no_equals(n: u8) {}

#[bench(name = 3)]
fn not_a_string() {}

#[bench(name = "")]
fn empty_name() {}

#[bench(compare = sums)]
fn not_quoted() {}

#[bench(ignore = true)]
fn ignore_with_value() {}

#[bench(name = "a",, ignore)]
fn two_commas() {}

#[bench(crate = "mock")]
fn not_a_path() {}

#[bench(name = "a" ignore)]
fn no_comma() {}

#[bench(args = list() name = "b")]
fn no_comma_either(n: u8) {}

#[bench(args = LIST items = |n| *n)]
fn no_comma_again(n: u8) {}

#[bench(10)]
fn number() {}

fn main() {}
