//! A path takes no more memory than it is allowed. One test alone, as all threads are counted.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    unsafe_code,
    reason = "a test fails by panicking, and an allocator is unsafe"
)]

mod naive;

use fathom_dtw::{Kernel, WarpError};
use naive::{Chance, Options, series};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts what is in use, and the most that ever was.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: it hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let before = IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        MOST.fetch_max(before + layout.size(), Ordering::Relaxed);
        // SAFETY: the caller promises what the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller promises what the system's allocator asks for.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn the_limit_is_kept() {
    let mut chance = Chance(21);
    for (n, m) in [(1, 1), (700, 900), (3000, 4000), (20, 9000), (9000, 20), (60_000, 1)] {
        // Ties and noise give paths that change direction often.
        let (x, y) = (series("ties", n, &mut chance), series("noise", m, &mut chance));
        for (band, free) in [(None, false), (None, true), (Some(100), false)] {
            let options = Options { band, free, penalty: 0.0 };
            for kernel in Kernel::available() {
                let warp = options.warp().kernel(kernel);
                let error = options.align(warp.memory(0), &x, &y).unwrap_err();
                let WarpError::Memory { needed, .. } = error else { panic!("{error}") };
                for limit in [needed, 2 * needed, 1 << 30] {
                    let before = IN_USE.load(Ordering::Relaxed);
                    MOST.store(before, Ordering::Relaxed);
                    let path = options.align(warp.memory(limit), &x, &y).unwrap().path;
                    let most = MOST.load(Ordering::Relaxed) - before;
                    assert!(most <= limit, "{kernel} {n}x{m} {options:?}: {most} of {limit}");
                    drop(path);
                }
            }
        }
    }
}
