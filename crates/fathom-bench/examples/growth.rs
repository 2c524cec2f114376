//! How the time of functions grows with the size of their input.
//!
//!     cargo run --release -p fathom-bench --example growth -- --bench

use fathom_bench::{Suite, black_box};
use std::collections::HashMap;
use std::process::ExitCode;

fn numbers(n: usize) -> Vec<u64> {
    let mut state = 88_172_645_463_325_252_u64;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..n).map(next).collect()
}

fn main() -> ExitCode {
    let mut suite = Suite::new();
    let sizes = [10, 100, 1_000, 10_000, 100_000];
    suite.bench_args_with("sum", sizes, |bencher, n| {
        let input = numbers(*n);
        bencher.iter(move || black_box(&input).iter().fold(0_u64, |a, b| a.wrapping_add(*b)));
    });
    suite.bench_args_with("sort", sizes, |bencher, n| {
        let input = numbers(*n);
        bencher.iter_with_setup(move || input.clone(), |input| input.sort_unstable());
    });
    suite.bench_args_with("stable", sizes, |bencher, n| {
        let input = numbers(*n);
        bencher.iter_with_setup(move || input.clone(), |input| input.sort());
    });
    suite.bench_args_with(
        "binary search",
        [10, 100, 1_000, 10_000, 100_000, 1_000_000],
        |bencher, n| {
            let mut input = numbers(*n);
            input.sort_unstable();
            let mut i = 0;
            let keys = numbers(1024);
            bencher.iter(move || {
                i = (i + 1) % 1024;
                input.binary_search(&keys[i])
            });
        },
    );
    suite.bench_args_with(
        "hash lookup",
        [10, 100, 1_000, 10_000, 100_000, 1_000_000],
        |bencher, n| {
            let keys = numbers(*n);
            let table: HashMap<u64, u64> = keys.iter().map(|k| (*k, 1)).collect();
            let mut i = 0;
            bencher.iter(move || {
                i = (i + 7919) % keys.len();
                table.get(&keys[i]).copied()
            });
        },
    );
    suite.bench_args_with("collect", sizes, |bencher, n| {
        let n = *n as u64;
        bencher.iter(move || (0..black_box(n)).map(|x| x * x).collect::<Vec<u64>>());
    });
    suite.bench_args_with("insertion sort", [10, 30, 100, 300, 1_000, 3_000], |bencher, n| {
        let input = numbers(*n);
        bencher.iter_with_setup(
            move || input.clone(),
            |input| {
                for i in 1..input.len() {
                    let mut j = i;
                    while j > 0 && input[j - 1] > input[j] {
                        input.swap(j - 1, j);
                        j -= 1;
                    }
                }
            },
        );
    });
    suite.bench_args_with("matrix product", [4, 8, 16, 32, 64, 128, 256], |bencher, n| {
        let n = *n;
        let (a, b) = (vec![1.5_f64; n * n], vec![2.5_f64; n * n]);
        bencher.iter(move || {
            let (a, b) = (black_box(&a), black_box(&b));
            let mut c = vec![0.0; n * n];
            for i in 0..n {
                for k in 0..n {
                    for j in 0..n {
                        c[i * n + j] += a[i * n + k] * b[k * n + j];
                    }
                }
            }
            c
        });
    });
    suite.bench_args_with("btree insert", sizes, |bencher, n| {
        let input = numbers(*n);
        bencher.iter(move || {
            black_box(&input)
                .iter()
                .map(|k| (*k, 1))
                .collect::<std::collections::BTreeMap<u64, i32>>()
        });
    });
    suite.bench_args_with("utf8", sizes, |bencher, n| {
        let input = vec![b'a'; *n];
        bencher.iter(move || std::str::from_utf8(black_box(&input)).is_ok());
    });
    suite.bench_args_with("subsets", [2, 4, 8, 12, 16, 20], |bencher, n| {
        let n = *n;
        bencher
            .iter(move || (0..1_u32 << black_box(n)).filter(|set| set.count_ones() == 3).count());
    });
    suite.run()
}
