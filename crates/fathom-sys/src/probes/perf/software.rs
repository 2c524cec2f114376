//! Events that the kernel counts itself: there wherever it permits.

use super::counting::{Counting, Presentation};
use super::event_table::{self, Known};
use super::kernel::Kernel;
use super::refusal;
use crate::perf_event::{Membership, Target as Whose};
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable};
use fathom_record::trace::Layer;

/// The source "perf.software".
#[derive(Debug)]
struct Software<K: Kernel> {
    kernel: K,
    events: Vec<Known>,
    about: String,
    /// If there are no events, why.
    refusal: String,
}

/// The source of the kernel's own counters, with those that are permitted.
pub(super) fn software<K: Kernel>(kernel: K) -> Box<dyn Source> {
    let (mut events, mut coverage) = (Vec::new(), Vec::new());
    let (mut refused, mut refusal) = (Vec::new(), String::new());
    for known in event_table::software() {
        let leader = Membership::Leader { reads_all: false };
        match kernel.open(leader, known.event, Whose::SelfProbe) {
            Ok((_, sees)) => {
                events.push(known);
                coverage.push(sees);
            }
            Err(error) => {
                if refusal.is_empty() {
                    refusal = refusal::of_event(known.name, &error, kernel.paranoid());
                }
                refused.push(known.name);
            }
        }
    }
    let mut about = "CPU time, page faults, context switches, migrations".to_string();
    about += &refusal::of_kernel_part(&coverage, kernel.paranoid());
    if !refused.is_empty() {
        about += &format!("; without {} ({refusal})", refused.join(", "));
    }
    Box::new(Software { kernel, events, about, refusal })
}

impl<K: Kernel> Source for Software<K> {
    fn name(&self) -> &str {
        "perf.software"
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::Perf
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        if self.events.is_empty() {
            return Err(Unavailable(self.refusal.clone()));
        }
        let shown = Presentation { name: self.name(), layer: self.layer(), with_times: false };
        Ok(Box::new(Counting::open(&self.kernel, shown, &self.events, target)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::Fake;
    use super::*;
    use crate::counters::CounterName;

    #[test]
    fn what_is_not_permitted_is_named_with_the_remedy() {
        let kernel = Fake::with(|state| {
            state.refuses = |event, _| {
                let switches = CounterName::ContextSwitches.event();
                let migrations = CounterName::CpuMigrations.event();
                (event == switches || event == migrations).then_some(libc::EACCES)
            };
        });
        let source = software(kernel);
        let about = source.about();
        assert!(about.contains("; without context-switches, cpu-migrations (no perm"), "{about}");
        assert!(about.contains("sysctl kernel.perf_event_paranoid=1"), "{about}");
        let probe = source.open(Target::Awaiting(7)).unwrap();
        let names: Vec<&str> = probe.metrics().iter().map(|metric| metric.name.as_str()).collect();
        assert!(names.contains(&"perf.software.major-faults"), "{names:?}");
        assert!(!names.contains(&"perf.software.context-switches"), "{names:?}");
    }

    #[test]
    fn where_nothing_is_permitted_it_cannot_be_opened() {
        let kernel = Fake::with(|state| state.refuses = |_, _| Some(libc::EPERM));
        let why = software(kernel).open(Target::Awaiting(7)).unwrap_err().to_string();
        assert!(why.contains("--cap-add PERFMON"), "{why}");
    }
}
