#![allow(unused)]

use fathom_bench_macros::bench;

#[bench]
async fn no_executor() {}

#[bench(executor = Ready)]
fn no_future() {}

#[bench(threads = [2])]
async fn with_threads() {}

#[bench(threads = [2], executor = Ready)]
async fn with_threads_and_executor() {}

#[bench(executor = Ready)]
async fn with_bencher(bencher: &mut Bencher) {}

#[bench(executor = Ready)]
fn bencher_and_executor(bencher: &mut Bencher) {}

#[bench(executor = Ready, compare = "x")]
async fn compared() {}

fn main() {}
