#![allow(unused)]

use fathom_bench_macros::bench;

#[bench]
struct Thing;

#[bench]
pub(crate) const N: u8 = 1;

#[bench]
unsafe impl Send for Other {}

#[bench]
mod inner {}

trait Shape {
    #[bench]
    fn area();
}

#[bench]
pub unsafe fn dangerous() {}

#[bench]
unsafe extern "C" fn dangerous_too() {}

fn main() {}
