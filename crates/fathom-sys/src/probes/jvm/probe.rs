//! The counters of all machines of a program.

use super::hsperfdata::Odd;
use super::machine::{Machine, State};
use super::search::Search;
use crate::probes::{Fault, Moment, Probe, Source, SourceFamily, Target, Unavailable};
use fathom_record::trace::{Layer, TraceMetric, Value};
use std::path::PathBuf;

/// Each has some 150 metrics; a build that starts machines all day is not to fill the memory.
const MOST_MACHINES: usize = 16;

/// The source "jvm".
#[derive(Debug)]
struct Jvm;

/// The source of HotSpot's counters.
pub(in crate::probes) fn jvm() -> Box<dyn Source> {
    Box::new(Jvm)
}

impl Source for Jvm {
    fn name(&self) -> &str {
        "jvm"
    }

    fn about(&self) -> &str {
        "garbage collections, safepoints, allocation, compilations and classes of Java virtual \
         machines (HotSpot)"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::Process
    }

    fn layer(&self) -> Layer {
        Layer::Vm
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        Ok(Box::new(Machines::new(PathBuf::from("/proc"))))
    }
}

/// The probe.
#[derive(Debug)]
struct Machines {
    search: Search,
    machines: Vec<Machine>,
    found: usize,
    metrics: Vec<TraceMetric>,
    /// The note for the next sample.
    complaint: Option<Fault>,
}

impl Machines {
    fn new(proc: PathBuf) -> Machines {
        Machines {
            search: Search::new(proc),
            machines: Vec::new(),
            found: 0,
            metrics: Vec::new(),
            complaint: None,
        }
    }

    fn admit(&mut self, moment: &Moment<'_>) {
        let Machines { search, machines, .. } = self;
        let is_known = |pid| machines.iter().any(|machine| machine.pid == pid);
        for (pid, file) in search.look(moment.now, moment.tree.processes(), is_known) {
            self.found += 1;
            if self.found <= MOST_MACHINES {
                self.machines.push(Machine::new(pid, self.found, file));
            } else if self.found == MOST_MACHINES + 1 {
                self.complaint = Some(Fault {
                    what: "jvm".to_string(),
                    why: format!(
                        "the program started more than {MOST_MACHINES} Java virtual machines. \
                         Only the first {MOST_MACHINES} are recorded."
                    ),
                });
            }
        }
    }
}

impl Probe for Machines {
    fn name(&self) -> &str {
        "jvm"
    }

    fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    fn refresh(&mut self, moment: &Moment<'_>) -> bool {
        let living = moment.tree.processes();
        // One that was killed leaves its file as it was.
        self.machines.retain(|machine| living.contains(&machine.pid));
        if self.found <= MOST_MACHINES {
            self.admit(moment);
        }
        let Machines { machines, metrics, complaint, .. } = self;
        let mut are_new = false;
        for machine in machines {
            match machine.refresh(metrics) {
                Ok(is_new) => are_new |= is_new,
                Err(Odd::NotReady) => {}
                Err(odd) => {
                    let what = format!("the counters of Java process {}", machine.pid);
                    *complaint = Some(Fault { what, why: odd.to_string() });
                }
            }
        }
        are_new
    }

    fn sample(&mut self, _moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let Machines { machines, complaint, .. } = self;
        machines.retain_mut(|machine| match machine.sample(values) {
            Ok(state) => state == State::Lives,
            Err(error) => {
                let what = format!("the counters of Java process {}", machine.pid);
                *complaint = Some(Fault { what, why: error.to_string() });
                true
            }
        });
        complaint.take().map_or(Ok(()), Err)
    }
}
