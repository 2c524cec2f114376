//! Events that the user names.

use super::counting::{Counting, Presentation};
use super::event_names::{EventFolders, EventNameError};
use super::event_table::Known;
use super::kernel::{Kernel, Linux};
use crate::probes::{Fault, Moment, Probe, Source, SourceFamily, Target, Unavailable};
use fathom_record::trace::{Layer, TraceMetric, Value};

/// The name of the source of events that the user names.
pub const NAME: &str = "perf.events";

/// The source of the events with these names.
///
/// # Errors
/// A name is not that of an event here.
pub fn event_source(names: &[String]) -> Result<Box<dyn Source>, EventNameError> {
    let folders = EventFolders::of_this_machine();
    let mut events = Vec::with_capacity(names.len());
    for name in names {
        let event = folders.event(name)?;
        // The few names of a command line are needed as long as the program runs.
        let name: &'static str = Box::leak(name.clone().into_boxed_str());
        if events.iter().all(|known: &Known| known.name != name) {
            events.push(Known {
                name,
                event,
                about: "as named by the user",
                has_kernel_part: true,
            });
        }
    }
    Ok(Box::new(Chosen { kernel: Linux, about: names.join(", "), events }))
}

#[derive(Debug)]
struct Chosen<K: Kernel> {
    kernel: K,
    events: Vec<Known>,
    about: String,
}

impl<K: Kernel> Source for Chosen<K> {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::Perf
    }

    fn layer(&self) -> Layer {
        let is_hardware = |known: &Known| known.event.is_hardware();
        if self.events.iter().any(is_hardware) { Layer::Hardware } else { Layer::Os }
    }

    /// Each event by itself: those of different units cannot be one group.
    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let mut parts = Vec::with_capacity(self.events.len());
        for event in &self.events {
            let layer = if event.event.is_hardware() { Layer::Hardware } else { Layer::Os };
            let shown = Presentation { name: NAME, layer, with_times: false };
            parts.push(Counting::open(&self.kernel, shown, &[*event], target)?);
        }
        let metrics = parts.iter().flat_map(|part| part.metrics().to_vec()).collect();
        Ok(Box::new(ChosenProbe { parts, metrics }))
    }
}

/// Open events, each a set of its own.
#[derive(Debug)]
struct ChosenProbe<K: Kernel> {
    parts: Vec<Counting<K>>,
    metrics: Vec<TraceMetric>,
}

impl<K: Kernel> Probe for ChosenProbe<K> {
    fn name(&self) -> &str {
        NAME
    }

    fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let mut outcome = Ok(());
        for (part, value) in self.parts.iter_mut().zip(values.chunks_mut(1)) {
            // One that fails does not hide the others.
            if let Err(fault) = part.sample(moment, value) {
                outcome = Err(fault);
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::Fake;
    use super::*;
    use crate::perf_event::{Event, Target as Whose};
    use crate::probes::ProcessTree;
    use fathom_record::Timestamp;

    #[test]
    fn each_event_is_a_metric() {
        let kernel = Fake::new();
        let known = |name, event| Known { name, event, about: "x", has_kernel_part: true };
        let events =
            vec![known("sched:x", Event::tracepoint(7)), known("page-faults", Event::software(2))];
        let source = Chosen { kernel: kernel.clone(), events, about: String::new() };
        assert_eq!((source.name(), source.layer()), ("perf.events", Layer::Os));
        let mut probe = source.open(Target::Awaiting(7)).unwrap();
        let names: Vec<&str> = probe.metrics().iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["perf.events.sched:x", "perf.events.page-faults"]);
        kernel.count(Whose::Awaiting(7), 10);
        let mut values = vec![Value::Missing; 2];
        let tree = ProcessTree::new(1);
        probe.sample(&Moment { now: Timestamp::ZERO, tree: &tree }, &mut values).unwrap();
        assert_eq!(values, [Value::Integer(10), Value::Integer(10)]);
    }

    #[test]
    fn a_name_that_is_none_is_refused() {
        let why = event_source(&["nothing".to_string()]).unwrap_err().to_string();
        assert!(why.starts_with("nothing: "), "{why}");
    }
}
