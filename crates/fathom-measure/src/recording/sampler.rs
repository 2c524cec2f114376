//! A sampler: reads its probes on a schedule and makes rows of what they say.
//!
//! Its thread has no realtime priority: with one it would push the program aside at every sample,
//! and where it is late that is recorded. Nor is it bound to a processor, except away from the one
//! that the program is bound to: the kernel finds an idle one if there is any.

use super::live::Live;
use super::pace::Pace;
use super::schedule::Schedule;
use super::slot::{OpenProbe, ProbeTime, Slot};
use super::writer::{Handed, Outbox};
use fathom_record::trace::{Rows, TraceMetric, Value};
use fathom_record::{Span, Timestamp};
use fathom_sys::probes::{Moment, ProcessTree};
use fathom_sys::running_process::RunningProcess;
use std::sync::Arc;

/// Rows are handed over about this often, so that a kill loses no more.
const BUNDLE: Span = Span::from_milliseconds(1_000);

/// The most values in a bundle, about 4 MB. With those that wait for the writer, see
/// [`super::writer`], it bounds the memory of a sampler whatever the interval and the probes.
const MOST_VALUES: usize = 256 * 1024;

/// Reads probes and makes rows.
#[derive(Debug)]
pub(crate) struct Sampler {
    origin: Timestamp,
    interval: Span,
    schedule: Schedule,
    tree: ProcessTree,
    slots: Vec<Slot>,
    metrics: Vec<TraceMetric>,
    row: Vec<Value>,
    rows: Rows,
    /// Rows from before metrics were added.
    earlier: Vec<Rows>,
    values: usize,
    last_end: Option<Timestamp>,
    bundled: Timestamp,
    taken: u64,
    lost: u64,
    window: Span,
    cpu: Span,
    outbox: Outbox,
    live: Arc<Live>,
}

/// Whether a row is kept that has no values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    Always,
    IfAnything,
}

/// What a sampler has to say at its end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SamplerReport {
    /// Samples that were due and not taken, or taken and lost.
    pub(crate) missed: u64,
    /// Samples that were taken.
    pub(crate) taken: u64,
    /// Samples that were taken and lost because the writer was too far behind.
    pub(crate) lost: u64,
    pub(crate) lateness: Option<[Span; 3]>,
    /// When its last row ends.
    pub(crate) last_end: Timestamp,
    /// Processor time of its thread.
    pub(crate) cpu: Span,
    pub(crate) probes: Vec<ProbeTime>,
    pub(crate) notes: Vec<String>,
}

impl Sampler {
    /// Of these probes; times count from the origin.
    pub(crate) fn new(
        probes: Vec<OpenProbe>,
        tree: ProcessTree,
        (origin, interval): (Timestamp, Span),
        outbox: Outbox,
        live: Arc<Live>,
    ) -> Sampler {
        let mut sampler = Sampler {
            origin,
            interval,
            schedule: Schedule::new(origin, interval),
            tree,
            slots: probes.into_iter().map(Slot::new).collect(),
            metrics: Vec::new(),
            row: Vec::new(),
            rows: Rows::new(Arc::new([])),
            earlier: Vec::new(),
            values: 0,
            last_end: None,
            bundled: origin,
            taken: 0,
            lost: 0,
            window: Span::ZERO,
            cpu: Span::ZERO,
            outbox,
            live,
        };
        sampler.grow();
        sampler
    }

    /// Samples until it is asked to stop. `begun` is called after the first sample, which is taken
    /// at once: what the first reading of a file costs is over before the program begins.
    pub(crate) fn run(mut self, pace: &mut dyn Pace, begun: &mut dyn FnMut()) -> SamplerReport {
        let mut settled = pace.cpu();
        self.schedule.take(self.origin);
        self.tick(pace, Keep::Always);
        self.slots.iter_mut().for_each(Slot::has_begun);
        begun();
        let mut refused = false;
        let mut rows = 1;
        while !refused {
            if !pace.wait_until(self.schedule.deadline()) {
                break;
            }
            self.schedule.take(pace.now());
            self.tick(pace, Keep::Always);
            rows += 1;
            let now = pace.now();
            if now + self.interval >= self.bundled + BUNDLE || self.values > MOST_VALUES {
                let cpu = pace.cpu();
                self.settle(cpu - settled);
                settled = cpu;
                self.live.add(std::mem::take(&mut rows), Span::ZERO);
                refused = self.hand_over() == Handed::Refused;
                self.bundled = now;
            }
            self.schedule.pass(pace.now());
        }
        if !refused {
            // What the program did since the last sample, as far as it can still be read.
            self.tick(pace, Keep::IfAnything);
            rows += 1;
        }
        self.settle(pace.cpu() - settled);
        self.live.add(rows, Span::ZERO);
        self.finish()
    }

    /// Takes one sample.
    fn tick(&mut self, pace: &mut dyn Pace, keep: Keep) {
        let now = pace.now();
        let end = now.relative_to(self.origin);
        self.tree.refresh(now);
        let root = self.tree.root();
        let lives = || RunningProcess::find(root).is_ok();
        let moment = Moment { now, tree: &self.tree };
        let mut before = pace.now();
        let mut grown = false;
        for slot in &mut self.slots {
            slot.sample(&moment, end, &lives);
            grown |= slot.has_grown();
            let after = pace.now();
            slot.took(after - before);
            before = after;
        }
        if grown {
            self.grow();
        }
        self.row.fill(Value::Missing);
        self.slots.iter().for_each(|slot| slot.fill(&mut self.row));
        if keep == Keep::IfAnything && self.row.iter().all(|value| *value == Value::Missing) {
            return;
        }
        self.rows.push(self.last_end.unwrap_or(end), end, &self.row);
        self.taken += 1;
        self.values += self.row.len() + 2;
        self.last_end = Some(end);
        self.window += pace.now() - now;
    }

    /// Gives a column to every metric that has none. New ones come behind those that were there.
    fn grow(&mut self) {
        let known = self.metrics.len();
        for slot in &mut self.slots {
            for metric in slot.probe.metrics().iter().skip(slot.columns.len()) {
                slot.columns.push(self.metrics.len());
                self.metrics.push(metric.clone());
            }
        }
        self.live.show(self.metrics.get(known..).unwrap_or_default());
        self.row.resize(self.metrics.len(), Value::Missing);
        let rows = std::mem::replace(&mut self.rows, Rows::new(self.metrics.clone().into()));
        if !rows.is_empty() {
            self.earlier.push(rows);
        }
    }

    /// Divides the thread's processor time among the probes, by the time that each took. The clock
    /// alone would count what others did while this thread was pushed aside; the processor time
    /// alone would have to be asked for at every probe, which costs more than some of them.
    fn settle(&mut self, cpu: Span) {
        self.cpu += cpu;
        self.live.add(0, cpu);
        let factor = cpu.share_of(std::mem::take(&mut self.window)).min(1.0);
        self.slots.iter_mut().for_each(|slot| slot.settle(factor));
    }

    /// The rows so far are passed on, and new ones begin.
    fn hand_over(&mut self) -> Handed {
        let bundle = self.bundle();
        let rows: usize = bundle.iter().map(Rows::len).sum();
        if rows == 0 {
            return Handed::Over;
        }
        let handed = self.outbox.offer(bundle);
        if handed == Handed::Lost {
            self.lost += rows as u64;
            self.schedule.lose(rows as u64);
        }
        handed
    }

    fn bundle(&mut self) -> Vec<Rows> {
        self.values = 0;
        let next = Rows::new(Arc::clone(self.rows.metrics()));
        let mut bundle = std::mem::take(&mut self.earlier);
        bundle.push(std::mem::replace(&mut self.rows, next));
        bundle
    }

    fn finish(mut self) -> SamplerReport {
        let bundle = self.bundle();
        // The schedule is over, so now there is time to wait for the writer.
        let _ = self.outbox.leave(bundle);
        let mut notes: Vec<String> = self.slots.iter().flat_map(Slot::notes).collect();
        if self.lost > 0 {
            notes.push(lost(self.lost));
        }
        SamplerReport {
            missed: self.schedule.missed(),
            taken: self.taken,
            lost: self.lost,
            lateness: self.schedule.lateness(),
            last_end: self.last_end.unwrap_or_default(),
            cpu: self.cpu,
            probes: self.slots.iter().map(Slot::time).collect(),
            notes,
        }
    }
}

/// The note about rows that the writer had no time for.
pub(crate) fn lost(rows: u64) -> String {
    format!(
        "{rows} samples were lost because they could not be written fast enough. Use a longer \
         --every or fewer probes."
    )
}

#[cfg(test)]
mod tests;
