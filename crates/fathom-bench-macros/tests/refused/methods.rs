#![allow(unused)]

use fathom_bench_macros::bench;

struct Thing;

impl Thing {
    #[bench]
    fn shared(&self) {}

    #[bench]
    fn exclusive(&mut self) {}

    #[bench]
    fn owned(mut self) {}

    #[bench(args = [1])]
    fn boxed(self: Box<Self>, n: u8) {}
}

fn main() {}
