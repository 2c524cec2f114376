//! What a piece of code asks of the allocator: a wrapper around the program's allocator that counts
//! on request.
//!
//! ```
//! use fathom_sys::allocation::{self, CountingAllocator};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator::new();
//!
//! let (text, asked) = allocation::count(|| String::with_capacity(100));
//! assert!(allocation::is_installed());
//! assert_eq!((asked.allocations, asked.bytes, asked.frees), (1, 100, 0));
//! # drop(text);
//! ```
#![allow(unsafe_code, reason = "an allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// An allocator that counts what is asked of another one while [`count`] runs, in all threads.
///
/// At other times it adds one relaxed load to each call, so that it may stay installed while time
/// is measured.
#[derive(Debug, Clone, Copy, Default)]
pub struct CountingAllocator<A = System> {
    inner: A,
}

impl CountingAllocator<System> {
    /// Around the system's allocator, which programs use if they choose none.
    #[must_use]
    pub const fn new() -> CountingAllocator<System> {
        CountingAllocator::around(System)
    }
}

impl<A> CountingAllocator<A> {
    /// Around another allocator.
    #[must_use]
    pub const fn around(inner: A) -> CountingAllocator<A> {
        CountingAllocator { inner }
    }
}

/// What was asked of the allocator. Requests that it refused do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allocations {
    /// New pieces of memory.
    pub allocations: u64,
    /// Pieces whose size was changed, as by a vector that grows. They are apart from the
    /// `allocations`: the allocator often does it in place, and a vector that was given its
    /// capacity avoids them.
    pub reallocations: u64,
    /// Pieces that were given back.
    pub frees: u64,
    /// The bytes asked for: the sizes of new pieces, and by how much others grew. A vector that
    /// grows byte by byte to 1000 asked for its capacity at the end, not for the sum of all
    /// capacities on the way. What was given back is not taken off.
    pub bytes: u64,
    /// The most bytes that were held at once, above what was held at the start. Exact unless
    /// another [`count`] is running; then it may be that one's, which is not smaller.
    pub most_held: u64,
}

/// Whether an allocation was ever seen (the lowest bit), and how many [`count`] are under way
/// (the others). One word, so that one load tells that there is nothing to do.
static STATE: AtomicU32 = AtomicU32::new(0);
const SEEN: u32 = 1;
const ONE_COUNT: u32 = 2;

// They only grow, and each count takes differences, so counts may overlap.
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static REALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static FREES: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
/// Bytes taken less bytes given back, while counting; below 0 where older pieces were given back.
static HELD: AtomicI64 = AtomicI64::new(0);
static MOST_HELD: AtomicI64 = AtomicI64::new(0);

/// Held while a count begins or ends, so that the first of several that overlap is known.
static TURN: Mutex<()> = Mutex::new(());

/// Runs `f` and counts what the whole process asks of the allocator meanwhile; all zero if no
/// [`CountingAllocator`] [`is_installed`]. Counting costs time, so time something else.
///
/// Counts may be nested and may overlap in several threads; each then has what happened during it.
pub fn count<R>(f: impl FnOnce() -> R) -> (R, Allocations) {
    let counting = Counting::begin();
    let result = f();
    let counted = counting.so_far();
    (result, counted)
}

/// Whether the program has a [`CountingAllocator`], so that counts mean something.
#[must_use]
pub fn is_installed() -> bool {
    // Hardly a program gets this far without an allocation, but hardly is not never.
    drop(black_box(Box::new(black_box(0_u8))));
    STATE.load(Ordering::Relaxed) & SEEN != 0
}

/// A count under way, for code that is not a closure; it ends when it is dropped, so also when what
/// is counted panics. [`count`] says what it means.
#[derive(Debug)]
#[must_use = "counting ends when this is dropped"]
pub struct Counting {
    start: Allocations,
    start_held: i64,
}

impl Counting {
    /// Counts from now on.
    pub fn begin() -> Counting {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let held = HELD.load(Ordering::Relaxed);
        if STATE.fetch_add(ONE_COUNT, Ordering::Relaxed) < ONE_COUNT {
            MOST_HELD.store(held, Ordering::Relaxed);
        }
        Counting { start: totals(), start_held: held }
    }

    /// What was asked for since the beginning.
    #[must_use]
    pub fn so_far(&self) -> Allocations {
        let (now, start) = (totals(), self.start);
        let most = MOST_HELD.load(Ordering::Relaxed).saturating_sub(self.start_held);
        Allocations {
            allocations: now.allocations.wrapping_sub(start.allocations),
            reallocations: now.reallocations.wrapping_sub(start.reallocations),
            frees: now.frees.wrapping_sub(start.frees),
            bytes: now.bytes.wrapping_sub(start.bytes),
            most_held: u64::try_from(most).unwrap_or(0),
        }
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        STATE.fetch_sub(ONE_COUNT, Ordering::Relaxed);
    }
}

fn totals() -> Allocations {
    Allocations {
        allocations: ALLOCATIONS.load(Ordering::Relaxed),
        reallocations: REALLOCATIONS.load(Ordering::Relaxed),
        frees: FREES.load(Ordering::Relaxed),
        bytes: BYTES.load(Ordering::Relaxed),
        most_held: 0,
    }
}

/// What was asked for.
#[derive(Clone, Copy)]
enum AllocationCall {
    New { size: usize },
    Resized { from: usize, to: usize },
    Freed { size: usize },
}

#[inline]
fn note(asked: AllocationCall) {
    let state = STATE.load(Ordering::Relaxed);
    if state != SEEN {
        note_first_or_counted(asked, state);
    }
}

// Out of line, to keep the common way short. It must not allocate.
#[cold]
#[inline(never)]
fn note_first_or_counted(asked: AllocationCall, state: u32) {
    if state & SEEN == 0 {
        STATE.fetch_or(SEEN, Ordering::Relaxed);
    }
    if state < ONE_COUNT {
        return;
    }
    // No piece is larger than isize::MAX bytes, so the sizes fit.
    let (counter, bytes, given_back) = match asked {
        AllocationCall::New { size } => (&ALLOCATIONS, size, 0),
        AllocationCall::Resized { from, to } => {
            (&REALLOCATIONS, to.saturating_sub(from), from.saturating_sub(to))
        }
        AllocationCall::Freed { size } => (&FREES, 0, size),
    };
    counter.fetch_add(1, Ordering::Relaxed);
    BYTES.fetch_add(bytes as u64, Ordering::Relaxed);
    let change = bytes as i64 - given_back as i64;
    let held = HELD.fetch_add(change, Ordering::Relaxed).wrapping_add(change);
    MOST_HELD.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: every call goes to the inner allocator as it came, and its answer comes back; what is
// done besides are operations on atomics, which neither allocate nor unwind.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promised us.
        let piece = unsafe { self.inner.alloc(layout) };
        if !piece.is_null() {
            note(AllocationCall::New { size: layout.size() });
        }
        piece
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promised us.
        let piece = unsafe { self.inner.alloc_zeroed(layout) };
        if !piece.is_null() {
            note(AllocationCall::New { size: layout.size() });
        }
        piece
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: as the caller promised us.
        let piece = unsafe { self.inner.realloc(piece, layout, new_size) };
        if !piece.is_null() {
            note(AllocationCall::Resized { from: layout.size(), to: new_size });
        }
        piece
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        note(AllocationCall::Freed { size: layout.size() });
        // SAFETY: as the caller promised us.
        unsafe { self.inner.dealloc(piece, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // This program has no counting allocator; tests/allocation.rs has one.
    #[test]
    fn without_the_allocator_nothing_is_counted_and_one_can_know() {
        let (text, counted) = count(|| String::with_capacity(100));
        assert_eq!(text.capacity(), 100);
        assert_eq!(counted, Allocations::default());
        assert!(!is_installed());
    }
}
