//! A program with the counting allocator: counts are exact, of all threads, and only of their time.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]
#![allow(unsafe_code, reason = "an allocator is unsafe to implement and to call")]

mod harness;

use fathom_sys::allocation::{Allocations, Counting, CountingAllocator, count, is_installed};
use harness::Case;
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Refuses one size, and knows on its own how often it was asked.
struct Inner;

const REFUSED: usize = 12_347;
static ASKED: AtomicU64 = AtomicU64::new(0);

// SAFETY: all is the system's allocator's, or nothing.
unsafe impl GlobalAlloc for Inner {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        if layout.size() == REFUSED {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        if layout.size() == REFUSED {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promised.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        if size == REFUSED {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promised.
        unsafe { System.realloc(piece, layout, size) }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        ASKED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(piece, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator<Inner> = CountingAllocator::around(Inner);

fn main() {
    let cases: &[Case] = &[
        ("the_allocator_is_seen", || assert!(is_installed())),
        ("every_kind_of_request_counts", every_kind),
        ("growing_counts_by_what_it_adds", growing),
        ("freeing_what_is_older_is_not_negative", freeing_older),
        ("the_most_held_is_above_the_start", most_held),
        ("refused_requests_do_not_count", refused),
        ("every_request_reaches_the_inner_allocator", reaches_the_inner),
        ("other_threads_count", other_threads),
        ("nested_counts_each_have_their_own", nested),
        ("overlapping_counts_each_have_their_own", overlapping),
        ("many_counts_at_once", many_at_once),
        ("a_count_under_way_can_be_read_twice", read_twice),
        ("a_panic_ends_its_count", panicking),
        ("an_allocator_that_is_not_the_programs_counts_too", not_installed),
    ];
    harness::main(cases, |_, _| {});
}

fn counted<R>(f: impl FnOnce() -> R) -> Allocations {
    let (result, counted) = count(f);
    drop(result);
    counted
}

fn bytes(count: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(count))
}

fn every_kind() {
    let asked = counted(|| {
        let mut vector = bytes(100);
        vector.reserve_exact(300);
        vector.shrink_to(200);
        drop(black_box(vec![0_u64; 5]));
        black_box(vector)
    });
    let expected = Allocations {
        allocations: 2,
        reallocations: 2,
        frees: 1,
        bytes: 100 + 200 + 40,
        most_held: 300,
    };
    assert_eq!(asked, expected);
    assert_eq!(counted(|| black_box(3) + 4), Allocations::default());
}

fn growing() {
    let (vector, asked) = count(|| {
        let mut vector = bytes(1);
        for n in 0..1000 {
            black_box(&mut vector).push(n as u8);
        }
        vector
    });
    assert_eq!(asked.allocations, 1);
    assert!(asked.reallocations > 3 && asked.reallocations < 20, "{asked:?}");
    assert_eq!(asked.bytes, vector.capacity() as u64);
    assert_eq!(asked.most_held, asked.bytes);
}

fn freeing_older() {
    let old = bytes(1000);
    let asked = counted(|| drop(old));
    assert_eq!(asked, Allocations { frees: 1, ..Allocations::default() });
    let old = bytes(1000);
    let asked = counted(|| {
        drop(old);
        bytes(300)
    });
    assert_eq!((asked.allocations, asked.bytes, asked.most_held), (1, 300, 0));
}

fn most_held() {
    let _before = bytes(5000);
    for _ in 0..3 {
        let asked = counted(|| {
            for _ in 0..10 {
                drop(bytes(70));
            }
            let _kept = bytes(20);
            drop((bytes(30), bytes(40)));
        });
        assert_eq!((asked.most_held, asked.bytes), (90, 790));
        assert_eq!((asked.allocations, asked.frees), (13, 13));
    }
}

fn refused() {
    let layout = Layout::array::<u8>(REFUSED).unwrap();
    let asked = counted(|| {
        // SAFETY: the layout is not empty, and nothing is done with the answer.
        unsafe {
            assert!(black_box(std::alloc::alloc(layout)).is_null());
            assert!(black_box(std::alloc::alloc_zeroed(layout)).is_null());
        }
        let mut vector = bytes(10);
        vector.try_reserve_exact(REFUSED).unwrap_err();
        vector
    });
    let ten = Allocations { allocations: 1, bytes: 10, most_held: 10, ..Allocations::default() };
    assert_eq!(asked, ten);
}

fn reaches_the_inner() {
    let before = ASKED.load(Ordering::Relaxed);
    let asked = counted(every_kind_once);
    let while_counting = ASKED.load(Ordering::Relaxed) - before;
    every_kind_once();
    let all = ASKED.load(Ordering::Relaxed) - before;
    assert_eq!((while_counting, all), (5, 10));
    assert_eq!(asked.allocations + asked.reallocations + asked.frees, 5);
}

fn every_kind_once() {
    let mut vector = bytes(10);
    vector.reserve_exact(20);
    // Zeroed by the allocator: the memory is not written to.
    let zeros = black_box(vec![0_u8; 100]);
    assert!(zeros.iter().all(|byte| *byte == 0));
}

fn other_threads() {
    // Neither channels nor locks: a thread that waits at one for the first time may allocate.
    static SIZE: AtomicUsize = AtomicUsize::new(0);
    const END: usize = usize::MAX;
    let pool = std::thread::spawn(|| {
        loop {
            match SIZE.load(Ordering::Acquire) {
                0 => std::thread::yield_now(),
                END => return,
                size => {
                    drop(bytes(size));
                    SIZE.store(0, Ordering::Release);
                }
            }
        }
    });
    let round = |size: usize| {
        SIZE.store(size, Ordering::Release);
        while SIZE.load(Ordering::Acquire) != 0 {
            std::thread::yield_now();
        }
    };
    // The thread has begun, and is done with what it allocates for that.
    round(1);
    let asked = counted(|| round(777));
    assert_eq!((asked.allocations, asked.frees, asked.bytes), (1, 1, 777));
    SIZE.store(END, Ordering::Release);
    pool.join().unwrap();
}

fn nested() {
    let ((inner, later), outer) = count(|| {
        drop(bytes(500));
        let (_, inner) = count(|| drop(bytes(30)));
        let (_, later) = count(|| drop(bytes(600)));
        (inner, later)
    });
    assert_eq!((inner.allocations, inner.frees, inner.bytes), (1, 1, 30));
    // As promised: not less than its own, and here the outer one's.
    assert_eq!((inner.most_held, later.most_held), (500, 600));
    assert_eq!((outer.allocations, outer.frees, outer.bytes), (3, 3, 1130));
    assert_eq!(outer.most_held, 600);
    assert_eq!(counted(|| bytes(7)).most_held, 7);
}

fn overlapping() {
    let (tell, told) = mpsc::sync_channel::<()>(0);
    let (reply, replied) = mpsc::sync_channel::<()>(0);
    let other = std::thread::spawn(move || {
        count(|| {
            told.recv().unwrap();
            drop(bytes(1000));
            reply.send(()).unwrap();
            told.recv().unwrap();
            drop(bytes(10_000));
        })
        .1
    });
    // Blocking in a channel may allocate what a thread needs for it, once.
    tell.send(()).unwrap();
    replied.recv().unwrap();
    let (_, ours) = count(|| drop(bytes(100_000)));
    tell.send(()).unwrap();
    let theirs = other.join().unwrap();
    assert!(ours.bytes >= 100_000 && ours.bytes < 102_000, "{ours:?}");
    assert!(theirs.bytes >= 111_000 && theirs.bytes < 113_000, "{theirs:?}");
}

fn many_at_once() {
    let threads: Vec<_> = (1..=4_usize)
        .map(|thread| {
            std::thread::spawn(move || {
                for round in 0..500 {
                    let (_, asked) = count(|| drop(bytes(thread * 1000 + round)));
                    assert!(asked.allocations >= 1 && asked.frees >= 1);
                    assert!(asked.bytes >= (thread * 1000 + round) as u64);
                    assert!(asked.most_held <= 1 << 20, "{asked:?}");
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(counted(|| bytes(5)).bytes, 5);
}

fn read_twice() {
    let counting = Counting::begin();
    drop(bytes(10));
    let first = counting.so_far();
    drop(bytes(20));
    let second = counting.so_far();
    drop(counting);
    assert_eq!((first.allocations, first.bytes, first.most_held), (1, 10, 10));
    assert_eq!((second.allocations, second.bytes, second.most_held), (2, 30, 20));
}

fn panicking() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let ended = std::panic::catch_unwind(|| count(|| panic!("on purpose")));
    std::panic::set_hook(hook);
    assert!(ended.is_err());
    drop(bytes(40_000));
    let asked = counted(|| bytes(9));
    let nine = Allocations { allocations: 1, bytes: 9, most_held: 9, ..Allocations::default() };
    assert_eq!(asked, nine);
}

fn not_installed() {
    let other = CountingAllocator::new();
    let layout = Layout::from_size_align(64, 64).unwrap();
    let asked = counted(|| {
        // SAFETY: the layout is not empty, and what is given back is what was given.
        unsafe {
            let piece = other.alloc(layout);
            assert!(!piece.is_null() && piece.addr().is_multiple_of(64));
            other.dealloc(piece, layout);
        }
    });
    assert_eq!((asked.allocations, asked.frees, asked.bytes), (1, 1, 64));
}
