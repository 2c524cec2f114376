//! The two ways in which an alignment of traces goes wrong (Figures 4 and 5 of "Automating Vertical
//! Profiling"), and that a penalty for steps off the diagonal answers both.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_dtw::{Kernel, Step, Warp};

/// Levels and for how many samples they last.
fn trace(parts: &[(f64, usize)]) -> Vec<f64> {
    parts.iter().flat_map(|&(level, count)| std::iter::repeat_n(level, count)).collect()
}

const H1: f64 = 0.0;

/// Both are high for the same nine samples. The upper is at h3 with one sample at h2, the lower at
/// h2 with one sample at h3: nearly constant, and each deviation fits all of the other.
#[test]
fn figure_4_local_incorrectness() {
    let (h2, h3) = (9.0, 10.0);
    let upper = trace(&[(H1, 6), (h3, 5), (h2, 1), (h3, 3), (H1, 6)]);
    let lower = trace(&[(H1, 6), (h2, 2), (h3, 1), (h2, 6), (H1, 6)]);
    for kernel in Kernel::available() {
        let warp = Warp::new().kernel(kernel);
        let wrong = warp.align(&upper, &lower).unwrap();
        // Many samples match the one deviation, so a selection gets the wrong boundaries ...
        assert_eq!(wrong.path.longest_stretch().unwrap().len(), 3);
        assert_eq!(wrong.path.window(8..=10), Some(8..=8));
        // ... though it stays within the high part, which is found.
        assert_eq!(wrong.path.window(6..=14), Some(6..=14));

        let right = warp.penalty(1.0).align(&upper, &lower).unwrap();
        assert!(right.path.runs().iter().all(|run| run.step == Step::Both));
        assert_eq!(right.path.longest_stretch(), None);
        assert_eq!(right.path.window(8..=10), Some(8..=10));
    }
}

/// Both alternate between h1 and h3. The upper has one sample at h2 close to h3, which takes the
/// second period of the lower for itself. As the ends must meet again, the lower has such a sample
/// later on.
#[test]
fn figure_5_global_incorrectness() {
    let (h2, h3) = (9.0, 10.0);
    let upper =
        trace(&[(H1, 4), (h3, 5), (H1, 3), (h2, 1), (H1, 3), (h3, 5), (H1, 7), (h3, 5), (H1, 7)]);
    let lower =
        trace(&[(H1, 4), (h3, 5), (H1, 7), (h3, 5), (H1, 7), (h3, 5), (H1, 3), (h2, 1), (H1, 3)]);
    let (second, third) = (16..=20, 28..=32);
    for kernel in Kernel::available() {
        let warp = Warp::new().kernel(kernel);
        let wrong = warp.align(&upper, &lower).unwrap();
        assert_eq!(wrong.path.window(second.clone()), Some(third.clone()));
        // The sample at h2 got all of the lower's second period.
        assert_eq!(wrong.path.window(12..=12), Some(second.clone()));

        let right = warp.penalty(1.0).align(&upper, &lower).unwrap();
        assert_eq!(right.path.window(second.clone()), Some(second.clone()));
        assert_eq!(right.path.window(third.clone()), Some(third.clone()));
    }
}
