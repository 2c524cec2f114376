//! Values that are kept as long as there is room.

use super::Held;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a thread that waits for another's work is asked whether it still wants it.
const PATIENCE: Duration = Duration::from_millis(20);

/// Values by their keys, up to this many bytes; those that were not asked for the longest go first.
pub(crate) struct BoundedCache<K, V> {
    limit: usize,
    entries: Mutex<CacheEntries<K, V>>,
    /// A thread has made a value, or has given up.
    settled: Condvar,
}

struct CacheEntries<K, V> {
    kept: HashMap<K, CacheEntry<V>>,
    /// The keys by when they were last asked for.
    order: BTreeMap<u64, K>,
    /// What a thread is working on.
    in_work: HashSet<K>,
    bytes: usize,
    clock: u64,
}

struct CacheEntry<V> {
    value: Arc<V>,
    bytes: usize,
    asked: u64,
}

impl<K: Eq + Hash + Clone, V: Held> BoundedCache<K, V> {
    pub(crate) fn new(limit: usize) -> BoundedCache<K, V> {
        let entries = CacheEntries {
            kept: HashMap::new(),
            order: BTreeMap::new(),
            in_work: HashSet::new(),
            bytes: 0,
            clock: 0,
        };
        BoundedCache { limit, entries: Mutex::new(entries), settled: Condvar::new() }
    }

    /// About how many bytes are kept.
    pub(crate) fn bytes(&self) -> usize {
        self.entries().bytes
    }

    /// How many bytes it may keep.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// The value, if it is there.
    pub(crate) fn get(&self, key: &K) -> Option<Arc<V>> {
        self.entries().get(key)
    }

    /// Keeps a value, unless there is one.
    pub(crate) fn put(&self, key: K, value: V) {
        self.entries().keep(key, &Arc::new(value), self.limit);
    }

    /// The value, made if it is missing. Other threads that want it meanwhile make it too: for what
    /// takes little time. What cannot be made is not kept.
    pub(crate) fn get_or<E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(value) = self.entries().get(&key) {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        self.entries().keep(key, &value, self.limit);
        Ok(value)
    }

    /// The value, made if it is missing; other threads that want it wait for it, and make it if the
    /// first one gives up. `still_wanted` is asked while waiting, and stops that by an error.
    pub(crate) fn get_or_await<E>(
        &self,
        key: K,
        still_wanted: impl Fn() -> Result<(), E>,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        let mut entries = self.entries();
        loop {
            if let Some(value) = entries.get(&key) {
                return Ok(value);
            }
            if entries.in_work.insert(key.clone()) {
                break;
            }
            let waited = self.settled.wait_timeout(entries, PATIENCE);
            // The watcher may be slow, or ask this very cache.
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            still_wanted()?;
            entries = self.entries();
        }
        drop(entries);
        // Also if it panics: others must not wait for ever.
        let _work = Work { cache: self, key: key.clone() };
        let value = Arc::new(make()?);
        self.entries().keep(key, &value, self.limit);
        Ok(value)
    }

    /// No work is done under the lock, so a panic leaves it intact.
    fn entries(&self) -> MutexGuard<'_, CacheEntries<K, V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A key that is being worked on, until this is dropped.
struct Work<'s, K: Eq + Hash + Clone, V: Held> {
    cache: &'s BoundedCache<K, V>,
    key: K,
}

impl<K: Eq + Hash + Clone, V: Held> Drop for Work<'_, K, V> {
    fn drop(&mut self) {
        self.cache.entries().in_work.remove(&self.key);
        self.cache.settled.notify_all();
    }
}

impl<K: Eq + Hash + Clone, V: Held> CacheEntries<K, V> {
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
        // What fills the cache alone would push out everything else.
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
        self.kept.insert(key, CacheEntry { value: Arc::clone(value), bytes, asked: self.clock });
    }
}

impl<K: Eq + Hash + Clone, V: Held> fmt::Debug for BoundedCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.entries();
        write!(f, "{} in {} of {} bytes", entries.kept.len(), entries.bytes, self.limit)
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

    fn cache(limit: usize) -> BoundedCache<&'static str, Block> {
        BoundedCache::new(limit)
    }

    fn put(cache: &BoundedCache<&'static str, Block>, key: &'static str, bytes: usize) {
        cache.get_or(key, || Ok::<_, ()>(Block(bytes))).unwrap();
    }

    fn has(cache: &BoundedCache<&'static str, Block>, key: &'static str) -> bool {
        cache.get_or(key, || Err(())).is_ok()
    }

    #[test]
    fn what_nobody_asked_for_the_longest_goes_first() {
        let cache = cache(100);
        put(&cache, "a", 40);
        put(&cache, "b", 40);
        assert!(has(&cache, "a"));
        put(&cache, "c", 30);
        assert_eq!(["a", "b", "c"].map(|key| has(&cache, key)), [true, false, true]);
        assert_eq!(cache.bytes(), 70);
        // What is too large pushes nothing out.
        put(&cache, "d", 101);
        assert_eq!(["a", "c", "d"].map(|key| has(&cache, key)), [true, true, false]);
        put(&cache, "e", 100);
        assert_eq!(["a", "c", "e"].map(|key| has(&cache, key)), [false, false, true]);
        assert_eq!(format!("{cache:?}"), "1 in 100 of 100 bytes");
    }

    #[test]
    fn a_shelf_without_room_keeps_nothing() {
        let cache = cache(0);
        put(&cache, "a", 1);
        assert!(!has(&cache, "a"));
    }

    #[test]
    fn what_fails_is_made_anew() {
        let cache = cache(100);
        let wanted = || Ok::<(), &str>(());
        assert!(cache.get_or_await("a", wanted, || Err("torn")).is_err());
        assert!(cache.get_or_await("a", wanted, || Ok(Block(1))).is_ok());
        assert!(cache.get_or_await("a", wanted, || Err("not asked")).is_ok());
    }

    #[test]
    fn whoever_panics_lets_others_go_on() {
        let cache = cache(100);
        std::thread::scope(|scope| {
            let panics = scope.spawn(|| {
                cache.get_or_await("a", || Ok(()), || -> Result<Block, ()> { panic!("on purpose") })
            });
            assert!(panics.join().is_err());
        });
        assert!(cache.get_or_await("a", || Ok::<(), ()>(()), || Ok(Block(1))).is_ok());
    }

    #[test]
    fn many_wait_for_one() {
        let cache = cache(100);
        let made = AtomicUsize::new(0);
        let make = || {
            std::thread::sleep(3 * PATIENCE);
            made.fetch_add(1, Ordering::Relaxed);
            Ok::<_, ()>(Block(1))
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| cache.get_or_await("a", || Ok(()), make).unwrap());
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    /// One gives up in the middle; one of the waiting threads makes it, and one that is stopped does not
    /// hang.
    #[test]
    fn who_gives_up_hands_over_and_who_waits_can_leave() {
        let cache = cache(100);
        let ((begin, begun), (release, released)) = (channel(), channel());
        std::thread::scope(|scope| {
            let cache = &cache;
            let first = scope.spawn(move || {
                let make = || {
                    begin.send(()).unwrap();
                    released.recv().unwrap();
                    Err("stopped")
                };
                cache.get_or_await("a", || Ok(()), make)
            });
            begun.recv().unwrap();
            let waits =
                scope.spawn(|| cache.get_or_await("a", || Ok(()), || Ok::<_, &str>(Block(7))));
            let leaves = cache.get_or_await("a", || Err("had enough"), || Ok(Block(9)));
            assert_eq!(leaves.err(), Some("had enough"));
            release.send(()).unwrap();
            assert_eq!(first.join().unwrap().err(), Some("stopped"));
            assert_eq!(waits.join().unwrap().map(|block| block.0), Ok(7));
        });
        assert!(has(&cache, "a"));
    }
}
