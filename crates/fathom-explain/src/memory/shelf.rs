//! Values that are kept as long as there is room.

use super::Held;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often whoever waits for somebody else's work is asked whether it still wants it.
const PATIENCE: Duration = Duration::from_millis(20);

/// Values by their keys, up to so many bytes; those that were not asked for the longest go first.
pub(crate) struct Shelf<K, V> {
    limit: usize,
    books: Mutex<Books<K, V>>,
    /// Somebody has made a value, or has given up.
    settled: Condvar,
}

struct Books<K, V> {
    kept: HashMap<K, Kept<V>>,
    /// The keys by when they were last asked for.
    order: BTreeMap<u64, K>,
    /// What somebody is working on.
    in_work: HashSet<K>,
    bytes: usize,
    clock: u64,
}

struct Kept<V> {
    value: Arc<V>,
    bytes: usize,
    asked: u64,
}

impl<K: Eq + Hash + Clone, V: Held> Shelf<K, V> {
    pub(crate) fn new(limit: usize) -> Shelf<K, V> {
        let books = Books {
            kept: HashMap::new(),
            order: BTreeMap::new(),
            in_work: HashSet::new(),
            bytes: 0,
            clock: 0,
        };
        Shelf { limit, books: Mutex::new(books), settled: Condvar::new() }
    }

    /// About how many bytes are kept.
    pub(crate) fn bytes(&self) -> usize {
        self.books().bytes
    }

    /// How many bytes it may keep.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// The value, if it is there.
    pub(crate) fn get(&self, key: &K) -> Option<Arc<V>> {
        self.books().get(key)
    }

    /// Keeps a value, unless there is one.
    pub(crate) fn put(&self, key: K, value: V) {
        self.books().keep(key, &Arc::new(value), self.limit);
    }

    /// The value, made if it is not there. Whoever else wants it meanwhile makes it too: for what takes
    /// little time. What cannot be made is not kept.
    pub(crate) fn get_or<E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(value) = self.books().get(&key) {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        self.books().keep(key, &value, self.limit);
        Ok(value)
    }

    /// The value, made if it is not there; whoever else wants it waits for it, and makes it if the
    /// first one gives up. `still_wanted` is asked while waiting, and stops that by an error.
    pub(crate) fn get_or_await<E>(
        &self,
        key: K,
        still_wanted: impl Fn() -> Result<(), E>,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        let mut books = self.books();
        loop {
            if let Some(value) = books.get(&key) {
                return Ok(value);
            }
            if books.in_work.insert(key.clone()) {
                break;
            }
            let waited = self.settled.wait_timeout(books, PATIENCE);
            // Whoever watches may take its time, or ask this very shelf.
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            still_wanted()?;
            books = self.books();
        }
        drop(books);
        // Also if it panics: others must not wait for ever.
        let _work = Work { shelf: self, key: key.clone() };
        let value = Arc::new(make()?);
        self.books().keep(key, &value, self.limit);
        Ok(value)
    }

    /// No work is done under the lock, so that whoever panicked left it whole.
    fn books(&self) -> MutexGuard<'_, Books<K, V>> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A key that is being worked on, until this is dropped.
struct Work<'s, K: Eq + Hash + Clone, V: Held> {
    shelf: &'s Shelf<K, V>,
    key: K,
}

impl<K: Eq + Hash + Clone, V: Held> Drop for Work<'_, K, V> {
    fn drop(&mut self) {
        self.shelf.books().in_work.remove(&self.key);
        self.shelf.settled.notify_all();
    }
}

impl<K: Eq + Hash + Clone, V: Held> Books<K, V> {
    fn get(&mut self, key: &K) -> Option<Arc<V>> {
        let kept = self.kept.get_mut(key)?;
        self.clock += 1;
        self.order.remove(&kept.asked);
        self.order.insert(self.clock, key.clone());
        kept.asked = self.clock;
        Some(Arc::clone(&kept.value))
    }

    fn keep(&mut self, key: K, value: &Arc<V>, limit: usize) {
        let bytes = value.held();
        // What fills the shelf alone would push out everything else.
        if bytes > limit || self.kept.contains_key(&key) {
            return;
        }
        while self.bytes + bytes > limit {
            let Some((_, oldest)) = self.order.pop_first() else { break };
            self.bytes -= self.kept.remove(&oldest).map_or(0, |kept| kept.bytes);
        }
        self.clock += 1;
        self.bytes += bytes;
        self.order.insert(self.clock, key.clone());
        self.kept.insert(key, Kept { value: Arc::clone(value), bytes, asked: self.clock });
    }
}

impl<K: Eq + Hash + Clone, V: Held> fmt::Debug for Shelf<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let books = self.books();
        write!(f, "{} in {} of {} bytes", books.kept.len(), books.bytes, self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    struct Block(usize);

    impl Held for Block {
        fn held(&self) -> usize {
            self.0
        }
    }

    fn shelf(limit: usize) -> Shelf<&'static str, Block> {
        Shelf::new(limit)
    }

    fn put(shelf: &Shelf<&'static str, Block>, key: &'static str, bytes: usize) {
        shelf.get_or(key, || Ok::<_, ()>(Block(bytes))).unwrap();
    }

    fn has(shelf: &Shelf<&'static str, Block>, key: &'static str) -> bool {
        shelf.get_or(key, || Err(())).is_ok()
    }

    #[test]
    fn what_nobody_asked_for_the_longest_goes_first() {
        let shelf = shelf(100);
        put(&shelf, "a", 40);
        put(&shelf, "b", 40);
        assert!(has(&shelf, "a"));
        put(&shelf, "c", 30);
        assert_eq!(["a", "b", "c"].map(|key| has(&shelf, key)), [true, false, true]);
        assert_eq!(shelf.bytes(), 70);
        // What is too large pushes nothing out.
        put(&shelf, "d", 101);
        assert_eq!(["a", "c", "d"].map(|key| has(&shelf, key)), [true, true, false]);
        put(&shelf, "e", 100);
        assert_eq!(["a", "c", "e"].map(|key| has(&shelf, key)), [false, false, true]);
        assert_eq!(format!("{shelf:?}"), "1 in 100 of 100 bytes");
    }

    #[test]
    fn a_shelf_without_room_keeps_nothing() {
        let shelf = shelf(0);
        put(&shelf, "a", 1);
        assert!(!has(&shelf, "a"));
    }

    #[test]
    fn what_fails_is_made_anew() {
        let shelf = shelf(100);
        let wanted = || Ok::<(), &str>(());
        assert!(shelf.get_or_await("a", wanted, || Err("torn")).is_err());
        assert!(shelf.get_or_await("a", wanted, || Ok(Block(1))).is_ok());
        assert!(shelf.get_or_await("a", wanted, || Err("not asked")).is_ok());
    }

    #[test]
    fn whoever_panics_lets_others_go_on() {
        let shelf = shelf(100);
        std::thread::scope(|scope| {
            let panics = scope.spawn(|| {
                shelf.get_or_await("a", || Ok(()), || -> Result<Block, ()> { panic!("on purpose") })
            });
            assert!(panics.join().is_err());
        });
        assert!(shelf.get_or_await("a", || Ok::<(), ()>(()), || Ok(Block(1))).is_ok());
    }

    #[test]
    fn many_wait_for_one() {
        let shelf = shelf(100);
        let made = AtomicUsize::new(0);
        let make = || {
            std::thread::sleep(3 * PATIENCE);
            made.fetch_add(1, Ordering::Relaxed);
            Ok::<_, ()>(Block(1))
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| shelf.get_or_await("a", || Ok(()), make).unwrap());
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    /// One gives up in the middle; of those who wait, one makes it, and one that is stopped is not held.
    #[test]
    fn who_gives_up_hands_over_and_who_waits_can_leave() {
        let shelf = shelf(100);
        let ((begin, begun), (release, released)) = (channel(), channel());
        std::thread::scope(|scope| {
            let shelf = &shelf;
            let first = scope.spawn(move || {
                let make = || {
                    begin.send(()).unwrap();
                    released.recv().unwrap();
                    Err("stopped")
                };
                shelf.get_or_await("a", || Ok(()), make)
            });
            begun.recv().unwrap();
            let waits =
                scope.spawn(|| shelf.get_or_await("a", || Ok(()), || Ok::<_, &str>(Block(7))));
            let leaves = shelf.get_or_await("a", || Err("had enough"), || Ok(Block(9)));
            assert_eq!(leaves.err(), Some("had enough"));
            release.send(()).unwrap();
            assert_eq!(first.join().unwrap().err(), Some("stopped"));
            assert_eq!(waits.join().unwrap().map(|block| block.0), Ok(7));
        });
        assert!(has(&shelf, "a"));
    }
}
