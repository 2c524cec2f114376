//! A set of events, counted for a program.

use super::event_table::Known;
use super::group::{Count, Group};
use super::kernel::Kernel;
use super::refusal;
use super::threads;
use crate::counters::Coverage;
use crate::perf_event;
use crate::probes::{Fault, Moment, Probe, Target, Unavailable};
use fathom_record::trace::{Kind, Layer, TraceMetric, Value};
use fathom_record::{TimeUnit, Unit};

/// The probe of one set of events.
#[derive(Debug)]
pub(super) struct Counting<K: Kernel> {
    name: String,
    kernel: K,
    /// One for a command that we start; one per thread of a program that ran already.
    groups: Vec<Group<K>>,
    metrics: Vec<TraceMetric>,
    counts: Vec<Count>,
    words: Vec<u64>,
    /// The last values: what is scaled could otherwise seem to shrink.
    last: Vec<u64>,
    with_times: bool,
}

/// How a set is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Presentation<'a> {
    pub(super) name: &'a str,
    pub(super) layer: Layer,
    /// Whether there are metrics for how long the events were counted, too. Counters of the
    /// processor may be taken away by others at any time, and then values are estimates.
    pub(super) with_times: bool,
}

impl<K: Kernel> Counting<K> {
    pub(super) fn open(
        kernel: &K,
        shown: Presentation<'_>,
        events: &[Known],
        target: Target,
    ) -> Result<Counting<K>, Unavailable> {
        let (groups, coverage) = match target {
            Target::Running(pid) => threads::attach(kernel, events, pid)?,
            Target::Awaiting(pid) => {
                let waiting = libc::pid_t::try_from(pid).unwrap_or(libc::pid_t::MAX);
                let (group, coverage) = Group::open(
                    kernel,
                    events,
                    perf_event::Target::Awaiting(waiting),
                )
                .map_err(|refused| {
                    refusal::of_process(kernel, &refused, pid, 1, Group::<K>::files(events.len()))
                })?;
                (vec![group], coverage)
            }
        };
        Ok(Counting {
            name: shown.name.to_string(),
            kernel: kernel.clone(),
            groups,
            metrics: metrics(shown, events, &coverage),
            counts: vec![Count::default(); events.len()],
            words: Vec::new(),
            last: vec![0; events.len()],
            with_times: shown.with_times,
        })
    }
}

fn metrics(shown: Presentation<'_>, events: &[Known], coverage: &[Coverage]) -> Vec<TraceMetric> {
    let metric = |name: &str, unit: Unit| {
        TraceMetric::integer(shown.name, name, shown.layer, Kind::Counter, unit)
    };
    let mut metrics: Vec<TraceMetric> = events
        .iter()
        .zip(coverage)
        .map(|(known, &coverage)| {
            let mut about = known.about.to_string();
            if coverage == Coverage::ProgramOnly && known.has_kernel_part {
                about += ", without events in the kernel, which this user may not count";
            }
            metric(known.name, known.unit()).about(&about)
        })
        .collect();
    if shown.with_times {
        let nanoseconds = Unit::Time(TimeUnit::Nanoseconds);
        metrics.extend([
            metric("time-enabled", nanoseconds.clone()).about("time its threads ran"),
            metric("time-running", nanoseconds).about(
                "part of that time that the processor counted; if it is less, the values are \
                 scaled up",
            ),
        ]);
    }
    metrics
}

impl<K: Kernel> Probe for Counting<K> {
    fn name(&self) -> &str {
        &self.name
    }

    fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    fn sample(&mut self, _moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        self.counts.fill(Count::default());
        for group in &self.groups {
            group.read(&self.kernel, &mut self.words, &mut self.counts).map_err(|error| Fault {
                what: self.name.clone(),
                why: format!("cannot read the kernel's counters: {error}"),
            })?;
        }
        let mut values = values.iter_mut();
        for (count, last) in self.counts.iter().zip(&mut self.last) {
            let Some(place) = values.next() else { return Ok(()) };
            if let Some(value) = count.whole() {
                *last = value.max(*last);
                *place = Value::from(*last);
            }
        }
        if self.with_times
            && let Some(count) = self.counts.first()
        {
            for (place, time) in values.zip([count.enabled, count.running]) {
                *place = Value::from(time);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::event_table;
    use super::super::fake::Fake;
    use super::*;
    use crate::perf_event::Target as Whose;
    use crate::probes::ProcessTree;
    use fathom_record::Timestamp;
    use std::collections::VecDeque;

    const SHOWN: Presentation<'_> =
        Presentation { name: "perf.x", layer: Layer::Hardware, with_times: true };

    fn open(kernel: &Fake, target: Target) -> Result<Counting<Fake>, Unavailable> {
        Counting::open(kernel, SHOWN, &event_table::base(), target)
    }

    fn sample(probe: &mut Counting<Fake>) -> Vec<Value> {
        let tree = ProcessTree::new(1);
        let mut values = vec![Value::Missing; probe.metrics().len()];
        probe.sample(&Moment { now: Timestamp::ZERO, tree: &tree }, &mut values).unwrap();
        values
    }

    fn integers(values: [i64; 4]) -> Vec<Value> {
        values.map(Value::Integer).to_vec()
    }

    #[test]
    fn a_command_is_one_group_and_one_reading() {
        let kernel = Fake::new();
        let mut probe = open(&kernel, Target::Awaiting(7)).unwrap();
        assert_eq!(sample(&mut probe), integers([0, 0, 0, 0]));
        kernel.count(Whose::Awaiting(7), 10);
        kernel.state().times = Some((500, 500));
        let reads = kernel.state().reads;
        assert_eq!(sample(&mut probe), integers([10, 11, 500, 500]));
        assert_eq!(kernel.state().reads, reads + 1);
    }

    #[test]
    fn kernels_that_cannot_read_at_once_are_read_one_by_one() {
        let kernel = Fake::with(|state| state.reads_inherited = false);
        let mut probe = open(&kernel, Target::Awaiting(7)).unwrap();
        kernel.count(Whose::Awaiting(7), 10);
        assert_eq!(sample(&mut probe), integers([10, 11, 0, 0]));
    }

    #[test]
    fn threads_of_a_running_program_are_added_up() {
        let kernel = Fake::with(|state| state.listings = VecDeque::from([vec![7, 8, 9]]));
        let mut probe = open(&kernel, Target::Running(7)).unwrap();
        for thread in [7, 8, 9] {
            kernel.count(Whose::Running(thread), 10);
        }
        assert_eq!(sample(&mut probe), integers([30, 33, 3000, 3000]));
    }

    #[test]
    fn threads_that_begin_meanwhile_do_not_spoil_the_reading() {
        for raced in [1, 5] {
            let kernel = Fake::with(|state| {
                state.listings = VecDeque::from([vec![7]]);
                state.raced = raced;
            });
            let mut probe = open(&kernel, Target::Running(7)).unwrap();
            kernel.count(Whose::Running(7), 10);
            assert_eq!(sample(&mut probe), integers([10, 11, 1000, 1000]), "{raced}");
            assert_eq!(kernel.state().files, 3);
        }
    }

    #[test]
    fn what_took_turns_is_scaled_and_says_so() {
        let kernel = Fake::new();
        let mut probe = open(&kernel, Target::Awaiting(7)).unwrap();
        kernel.count(Whose::Awaiting(7), 10);
        kernel.state().times = Some((400, 100));
        assert_eq!(sample(&mut probe), integers([40, 44, 400, 100]));
        // A counter never shrinks, though the estimate does.
        kernel.state().times = Some((500, 250));
        assert_eq!(sample(&mut probe), integers([40, 44, 500, 250]));
    }

    #[test]
    fn what_was_never_counted_is_missing() {
        let kernel = Fake::new();
        let mut probe = open(&kernel, Target::Awaiting(7)).unwrap();
        kernel.state().times = Some((400, 0));
        let values = sample(&mut probe);
        assert_eq!(values[..2], [Value::Missing, Value::Missing]);
        assert_eq!(values[2..], [Value::Integer(400), Value::Integer(0)]);
    }

    #[test]
    fn huge_counts_do_not_overflow() {
        let full = Count { value: u64::MAX, enabled: u64::MAX, running: 1 };
        assert_eq!(full.whole(), None);
        let half = Count { value: u64::MAX / 2, enabled: 2, running: 1 };
        assert_eq!(half.whole(), Some(u64::MAX - 1));
    }

    #[test]
    fn too_many_threads_for_the_limit_are_said_with_the_remedy() {
        let kernel = Fake::with(|state| {
            state.listings = VecDeque::from([(1..=3000).collect()]);
            state.most_files = 1024;
        });
        let why = open(&kernel, Target::Running(1)).unwrap_err().to_string();
        assert!(why.contains("3000 threads, which need 9000 open files"), "{why}");
        assert!(why.contains("1024") && why.contains("`ulimit -n 9256`"), "{why}");
        assert_eq!(kernel.state().files, 0, "nothing stays open");
    }

    #[test]
    fn the_limit_is_raised_as_far_as_it_goes() {
        let kernel = Fake::with(|state| {
            state.listings = VecDeque::from([(1..=3000).collect()]);
            state.most_files = 1024;
            state.more_files = 100_000;
        });
        let probe = open(&kernel, Target::Running(1)).unwrap();
        assert_eq!(probe.groups.len(), 3000);
        assert_eq!(kernel.state().files, 9000);
    }

    #[test]
    fn a_view_without_the_kernel_is_said_to_be_one() {
        let kernel = Fake::with(|state| state.coverage = Coverage::ProgramOnly);
        let events = [event_table::software(), event_table::base()].concat();
        let probe = Counting::open(&kernel, SHOWN, &events, Target::Awaiting(7)).unwrap();
        for metric in probe.metrics() {
            let is_time = metric.name.contains("clock") || metric.name.contains("time");
            assert_eq!(
                metric.about.contains("without events in the kernel"),
                !is_time,
                "{metric:?}"
            );
        }
    }

    #[test]
    fn another_users_process_is_said_to_be_one() {
        let kernel = Fake::with(|state| {
            state.listings = VecDeque::from([vec![7]]);
            state.refuses = |_, target| (target != Whose::SelfProbe).then_some(libc::EACCES);
        });
        for target in [Target::Running(7), Target::Awaiting(7)] {
            let why = open(&kernel, target).unwrap_err().to_string();
            assert!(why.contains("process 7: it belongs to another user"), "{why}");
        }
    }

    #[test]
    fn events_that_the_kernel_swapped_are_opened_again() {
        let kernel = Fake::with(|state| {
            state.listings = VecDeque::from([vec![7]]);
            state.swapped = 5;
        });
        let probe = open(&kernel, Target::Running(7)).unwrap();
        assert_eq!((probe.groups.len(), kernel.state().files), (1, 3));
        kernel.state().swapped = usize::MAX;
        let why = open(&kernel, Target::Running(7)).unwrap_err().to_string();
        assert!(why.starts_with("cannot count cycles of process 7"), "{why}");
    }

    #[test]
    fn threads_that_end_meanwhile_are_left_out() {
        let kernel = Fake::with(|state| {
            state.listings = VecDeque::from([vec![7, 8]]);
            state.refuses = |_, target| (target == Whose::Running(8)).then_some(libc::ESRCH);
        });
        assert_eq!(open(&kernel, Target::Running(7)).unwrap().groups.len(), 1);
        kernel.state().refuses = |_, _| Some(libc::ESRCH);
        let why = open(&kernel, Target::Running(7)).unwrap_err().to_string();
        assert_eq!(why, "there is no process 7, or it has ended");
    }
}
