//! A function called by several threads at once.

use super::Routine;
use crate::gauge::{Gauge, Reading};
use fathom_record::{Span, Timestamp};
use fathom_sys::clock::monotonic;
use std::hint::black_box;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Barrier;
use std::sync::mpsc::channel;

/// Threads do not leave the barrier together; what that takes must be lost in the batch.
const SHORTEST: Span = Span::from_milliseconds(2);

/// Every thread makes every call of a batch; a batch takes as long as its slowest thread.
///
/// The closure is behind a pointer because benches with other numbers of threads share it.
pub(crate) struct Threaded<P> {
    pub(crate) threads: usize,
    pub(crate) call: P,
}

/// A batch.
struct ThreadedBatch {
    reading: Reading,
    /// The time that the quickest thread took for its calls.
    quickest: Span,
}

impl<T, F: Fn() -> T + Sync, P: Deref<Target = F>> Threaded<P> {
    fn measured(&self, calls: u64, gauge: Gauge) -> ThreadedBatch {
        let start = Barrier::new(self.threads);
        let call = &*self.call;
        let timed = || {
            start.wait();
            let began = monotonic();
            for _ in 0..calls {
                black_box(call());
            }
            (began, monotonic())
        };
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            let mut signals = Vec::new();
            for n in 0..self.threads {
                // No thread waits at the barrier before all have started.
                let (signal, begin) = channel::<()>();
                let thread = move || begin.recv().is_ok().then(timed);
                match std::thread::Builder::new().spawn_scoped(scope, thread) {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        drop(signals);
                        let wanted = self.threads;
                        // Reported as any other panic of the function.
                        std::panic::resume_unwind(Box::new(format!(
                            "only {n} of {wanted} threads could be started ({error}); use fewer, or \
                             raise the limits on processes and memory (ulimit -u, ulimit -v)"
                        )));
                    }
                }
                signals.push(signal);
            }
            // A meter that does not see the threads would measure how this one waits.
            let meter = gauge.meter().filter(|meter| meter.sees_threads());
            if let Some(meter) = meter {
                meter.start();
            }
            for signal in signals {
                let _ = signal.send(());
            }
            let mut whole: Option<(Timestamp, Timestamp)> = None;
            let mut quickest: Option<Span> = None;
            for thread in threads {
                match thread.join() {
                    Ok(None) => {}
                    Ok(Some((began, ended))) => {
                        let (first, last) = whole.unwrap_or((began, ended));
                        whole = Some((first.min(began), last.max(ended)));
                        let own = ended - began;
                        quickest = Some(quickest.map_or(own, |other| other.min(own)));
                    }
                    // So that it is reported as any other panic of the function.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            let value = meter.map(|meter| meter.end());
            // What starting threads allocates cannot be told from what they do.
            let time = whole.map_or(Span::ZERO, |(began, ended)| ended - began);
            let reading = Reading { time, allocations: None, value };
            ThreadedBatch { reading, quickest: quickest.unwrap_or(Span::ZERO) }
        })
    }
}

impl<T, F: Fn() -> T + Sync, P: Deref<Target = F>> Routine for Threaded<P> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        self.measured(calls, gauge).reading
    }

    /// Where other programs run, the threads may begin milliseconds apart.
    fn calls_alone(&mut self, calls: u64) -> Span {
        self.measured(calls, Gauge::Time).quickest
    }

    fn shortest_batch(&self) -> Span {
        SHORTEST
    }
}

/// The same, with an argument that the threads share.
pub(crate) struct ThreadedWith<'b, F, A> {
    pub(crate) threads: usize,
    pub(crate) call: Rc<F>,
    pub(crate) argument: &'b A,
}

impl<'b, T, A: Sync, F: Fn(&'b A) -> T + Sync> Routine for ThreadedWith<'b, F, A> {
    fn batch(&mut self, calls: u64, gauge: Gauge) -> Reading {
        let (call, argument) = (&*self.call, self.argument);
        let call = || call(black_box(argument));
        Threaded { threads: self.threads, call: &call }.batch(calls, gauge)
    }

    fn calls_alone(&mut self, calls: u64) -> Span {
        let (call, argument) = (&*self.call, self.argument);
        let call = || call(black_box(argument));
        Threaded { threads: self.threads, call: &call }.calls_alone(calls)
    }

    fn shortest_batch(&self) -> Span {
        SHORTEST
    }
}
