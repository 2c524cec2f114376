//! The shortest suite: times of functions.
use fathom_bench::{Suite, Throughput, black_box};

fn main() -> std::process::ExitCode {
    let text = "one two three ".repeat(1000);
    let mut suite = Suite::new();
    suite.group("text", |suite| {
        suite
            .bench("words", || black_box(&text).split(' ').count())
            .throughput(Throughput::Bytes(14_000));
        suite.bench("lines", || black_box(&text).lines().count());
        suite.bench_args("repeat", [10, 1000], |n| "x".repeat(*n));
    });
    suite.bench("nothing", || 1 + 1);
    suite.bench_with_setup("sort", || vec![3, 1, 2, 7, 9, 5], |numbers| numbers.sort_unstable());
    suite.bench_threads("atomic", [1, 2], || {
        static N: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        N.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    });
    suite
        .compare("find")
        .with("str", || black_box(&text).find("four"))
        .with("bytes", || black_box(&text).as_bytes().windows(4).position(|w| w == b"four"));
    suite
        .compare("same")
        .with("a", || busy(black_box(1000)))
        .with("b", || busy(black_box(1000)))
        .with("c", || busy(black_box(1010)));
    suite.run()
}
#[inline(never)]
fn busy(n: u64) -> u64 {
    let mut x = n | 1;
    for _ in 0..n {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        x ^= x >> 29;
    }
    x
}
