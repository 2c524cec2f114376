//! What is made from a band, kept for every size: making it costs more than a trial.

use fathom_stats::Confidence;
use fathom_stats::band::Band;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many samples, and what they are worth.
type Size = (usize, usize);

/// Made once for every size.
pub(super) struct Cache<T> {
    confidence: Confidence,
    make: fn(Band) -> T,
    made: Mutex<HashMap<Size, Arc<T>>>,
}

impl<T> Cache<T> {
    pub(super) fn new(confidence: Confidence, make: fn(Band) -> T) -> Cache<T> {
        Cache { confidence, make, made: Mutex::default() }
    }

    pub(super) fn of(&self, n: usize, worth: usize) -> Arc<T> {
        let known = |cache: &Cache<T>| {
            let made = cache.made.lock().unwrap_or_else(PoisonError::into_inner);
            made.get(&(n, worth)).map(Arc::clone)
        };
        if let Some(found) = known(self) {
            return found;
        }
        let new = Arc::new((self.make)(Band::stretched(n, worth, self.confidence)));
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.insert((n, worth), Arc::clone(&new));
        new
    }
}
