//! Which function is faster, and how sure is that?
//!
//!     cargo run --release -p fathom-bench --example which_is_faster -- --bench

use fathom_bench::{Suite, black_box};
use std::collections::{BTreeMap, HashMap};

fn main() -> std::process::ExitCode {
    let words: Vec<String> = (0..1000).map(|i| format!("word {i}")).collect();
    let sorted: Vec<&String> = {
        let mut sorted: Vec<&String> = words.iter().collect();
        sorted.sort();
        sorted
    };
    let tree: BTreeMap<&String, usize> = words.iter().zip(0..).collect();
    let hash: HashMap<&String, usize> = words.iter().zip(0..).collect();
    let wanted = "word 617".to_string();

    let mut suite = Suite::new();
    // The first one is the reference.
    suite
        .compare("lookup")
        .with("binary search", || sorted.binary_search(&black_box(&wanted)))
        .with("tree", || tree.get(black_box(&wanted)))
        .with("hash", || hash.get(black_box(&wanted)));
    suite.run()
}
