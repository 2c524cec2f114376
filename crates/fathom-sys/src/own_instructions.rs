//! The instructions that this process executes, counted by the processor.

use crate::counters::{CounterName, Unavailable, explain, paranoid};
use crate::perf_event::{self, Target};
use std::fs::File;

/// A running count of the instructions of this thread and of threads that it starts from now on,
/// without those of the kernel.
#[derive(Debug)]
pub struct OwnInstructions {
    counter: File,
}

impl OwnInstructions {
    /// Begins to count; why that cannot be done, if not.
    pub fn begin() -> Result<OwnInstructions, Unavailable> {
        let name = CounterName::Instructions;
        let problem = |error| explain(name, &error, paranoid());
        let counter = perf_event::open_without_kernel(name.event(), Target::SelfProbe)
            .and_then(|counter| perf_event::enable(&counter).map(|()| counter))
            .map_err(problem)?;
        let counting = OwnInstructions { counter };
        // Some virtual machines have a counter that stays at 0.
        match counting.so_far() {
            Some(count) if count > 0 => Ok(counting),
            _ => Err(Unavailable::NotSupported { name }),
        }
    }

    /// How many there were so far; `None` if other programs used the counter meanwhile.
    #[must_use]
    pub fn so_far(&self) -> Option<u64> {
        let mut words = [0; 3];
        let read = perf_event::read_words(&self.counter, &mut words).ok()?;
        let [value, enabled, running] = words;
        (read == words.len() && enabled == running).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most virtual machines have no counters, and say so.
    #[test]
    fn instructions_are_counted_or_the_reason_is_named() {
        match OwnInstructions::begin() {
            Ok(counting) => {
                let before = counting.so_far().unwrap();
                std::hint::black_box((0..1000).fold(0_u64, |sum, n| std::hint::black_box(sum + n)));
                assert!(counting.so_far().unwrap() > before + 1000);
            }
            Err(error) => assert!(error.to_string().contains("instructions"), "{error}"),
        }
    }
}
