//! Counters of the processor, in sets that fit on it at once.
//!
//! A processor has few counters. If more events are opened they take turns, and what each saw is
//! scaled up; at intervals of milliseconds that is no longer true. So events are spread over sets,
//! each for a run of its own.

use super::counting::{Counting, Presentation};
use super::event_table::{self, Known};
use super::group::{Count, Group};
use super::kernel::Kernel;
use super::refusal;
use crate::perf_event::Target as Whose;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable};
use fathom_record::trace::Layer;

/// The source "perf.hardware-N".
#[derive(Debug)]
struct Hardware<K: Kernel> {
    kernel: K,
    number: u8,
    name: String,
    about: String,
    /// The events of this set, or why there are none.
    events: Result<Vec<Known>, Unavailable>,
}

/// A source for each set of the processor's counters. Where there are none, one that says why.
pub(super) fn hardware<K: Kernel>(kernel: &K) -> Vec<Box<dyn Source>> {
    let source = |number: u8, about: String, events| -> Box<dyn Source> {
        let name = format!("perf.hardware-{number}");
        Box::new(Hardware { kernel: kernel.clone(), number, name, about, events })
    };
    let sets = match sets(kernel) {
        Ok(sets) => sets,
        Err(why) => {
            return vec![source(1, "cycles, instructions and more".to_string(), Err(why))];
        }
    };
    let coverage = match Group::open(kernel, &event_table::base(), Whose::SelfProbe) {
        Ok((_, coverage)) => coverage,
        Err(_) => Vec::new(),
    };
    let part = refusal::of_kernel_part(&coverage, kernel.paranoid());
    (1..)
        .zip(sets)
        .map(|(number, events)| {
            let names: Vec<&str> = events.iter().map(|known| known.name).collect();
            source(number, names.join(", ") + &part, Ok(events))
        })
        .collect()
}

/// The events that this processor has, in sets that it can count at once.
fn sets<K: Kernel>(kernel: &K) -> Result<Vec<Vec<Known>>, Unavailable> {
    let base = base(kernel)?;
    let mut sets = Vec::new();
    let mut set = base.clone();
    for bundle in event_table::bundles() {
        let bundle: Vec<Known> =
            bundle.into_iter().filter(|known| fits(kernel, &joined(&base, &[*known]))).collect();
        // Together where there is room, together in a set of their own, or else each alone.
        let pieces: Vec<Vec<Known>> = if fits(kernel, &joined(&base, &bundle)) {
            vec![bundle]
        } else {
            bundle.into_iter().map(|known| vec![known]).collect()
        };
        for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
            let more = joined(&set, &piece);
            if fits(kernel, &more) {
                set = more;
            } else {
                sets.push(std::mem::replace(&mut set, joined(&base, &piece)));
            }
        }
    }
    sets.push(set);
    Ok(sets)
}

/// What every set has: cycles and instructions, or what there is of them.
fn base<K: Kernel>(kernel: &K) -> Result<Vec<Known>, Unavailable> {
    let (mut base, mut why) = (Vec::new(), None);
    for known in event_table::base() {
        match Group::open(kernel, &[known], Whose::SelfProbe) {
            Ok(_) => base.push(known),
            Err(refused) => {
                why.get_or_insert(refused);
            }
        }
    }
    if let (true, Some(refused)) = (base.is_empty(), why) {
        let why = refusal::of_event(refused.name, &refused.error, kernel.paranoid());
        return Err(Unavailable(why));
    }
    if !fits(kernel, &base) {
        return Err(Unavailable(
            "the processor's counters are in use by another program or by the kernel's watchdog; \
             switch the watchdog off with `sudo sysctl kernel.nmi_watchdog=0`"
                .to_string(),
        ));
    }
    Ok(base)
}

fn joined(some: &[Known], more: &[Known]) -> Vec<Known> {
    [some, more].concat()
}

/// Whether the processor counts these at once and all the time, tried on this thread.
fn fits<K: Kernel>(kernel: &K, events: &[Known]) -> bool {
    let Ok((group, _)) = Group::open(kernel, events, Whose::SelfProbe) else { return false };
    let mut counts = vec![Count::default(); events.len()];
    if group.enable(kernel).is_err() {
        return false;
    }
    kernel.work();
    group.read(kernel, &mut Vec::new(), &mut counts).is_ok()
        && counts.iter().all(|count| count.enabled > 0 && count.running >= count.enabled)
}

impl<K: Kernel> Source for Hardware<K> {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::Hardware(self.number)
    }

    fn layer(&self) -> Layer {
        Layer::Hardware
    }

    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let events = self.events.as_ref().map_err(Clone::clone)?;
        let shown = Presentation { name: &self.name, layer: self.layer(), with_times: true };
        Ok(Box::new(Counting::open(&self.kernel, shown, events, target)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::Fake;
    use super::*;
    use crate::counters::Coverage;
    use crate::perf_event::{Event, Target as Whose};

    fn abouts(kernel: &Fake) -> Vec<String> {
        hardware(kernel).iter().map(|source| source.about().to_string()).collect()
    }

    fn why_not(kernel: &Fake) -> String {
        let sources = hardware(kernel);
        assert_eq!(sources.len(), 1);
        assert_eq!(sources[0].name(), "perf.hardware-1");
        sources[0].open(Target::Running(1)).unwrap_err().to_string()
    }

    #[test]
    fn every_event_is_in_one_set_that_fits() {
        let kernel = Fake::new();
        let sets = sets(&kernel).unwrap();
        let base: Vec<Known> = event_table::base();
        assert!(sets.iter().all(|set| set.len() <= 6 && set[..2] == base[..]));
        let beyond: Vec<Known> = sets.iter().flat_map(|set| set[2..].to_vec()).collect();
        assert_eq!(beyond, event_table::bundles().concat());
        assert_eq!(
            abouts(&kernel)[0],
            "cycles, instructions, branches, branch-misses, cache-references, cache-misses"
        );
        let families: Vec<SourceFamily> =
            hardware(&kernel).iter().map(|one| one.family()).collect();
        assert_eq!(families[..2], [SourceFamily::Hardware(1), SourceFamily::Hardware(2)]);
        assert_eq!(kernel.state().files, 0, "what was tried is closed");
    }

    #[test]
    fn counters_of_others_are_left_to_them() {
        let kernel = Fake::with(|state| state.taken = 1);
        let sets = sets(&kernel).unwrap();
        // Of five, two are the base's, and pairs stay together.
        assert!(sets.iter().all(|set| set.len() <= 5));
        assert_eq!(abouts(&kernel)[1], "cycles, instructions, cache-references, cache-misses");
    }

    #[test]
    fn pairs_are_parted_where_they_do_not_fit() {
        let kernel = Fake::with(|state| state.slots = 3);
        let abouts = abouts(&kernel);
        assert_eq!(abouts[0], "cycles, instructions, branches");
        assert_eq!(abouts[1], "cycles, instructions, branch-misses");
        assert_eq!(abouts.len(), event_table::bundles().concat().len());
    }

    #[test]
    fn a_processor_with_room_for_the_base_only_has_one_set() {
        let kernel = Fake::with(|state| state.slots = 2);
        assert_eq!(abouts(&kernel), ["cycles, instructions"]);
    }

    #[test]
    fn events_that_are_not_there_are_left_out() {
        let kernel = Fake::with(|state| {
            state.refuses = |event, _| {
                let there = [Event::hardware(0), Event::hardware(1), Event::hardware(4)];
                (!there.contains(&event)).then_some(libc::ENOENT)
            };
        });
        assert_eq!(abouts(&kernel), ["cycles, instructions, branches"]);
    }

    #[test]
    fn without_counters_it_says_why() {
        let none = Fake::with(|state| state.refuses = |_, _| Some(libc::ENOENT));
        assert!(why_not(&none).starts_with("this machine has no counter for cycles; most virtual"));
        let strict = Fake::with(|state| {
            state.refuses = |_, _| Some(libc::EACCES);
            state.paranoid = Some(4);
        });
        assert!(
            why_not(&strict).ends_with("allow it with `sudo sysctl kernel.perf_event_paranoid=1`")
        );
        let filtered = Fake::with(|state| state.refuses = |_, _| Some(libc::EPERM));
        assert!(why_not(&filtered).contains("seccomp"));
        let busy = Fake::with(|state| state.taken = 5);
        assert!(why_not(&busy).contains("nmi_watchdog=0"));
        let built_without = Fake::with(|state| state.refuses = |_, _| Some(libc::ENOSYS));
        assert!(why_not(&built_without).contains("built without"));
    }

    #[test]
    fn what_the_kernel_does_is_said_to_be_missing() {
        let kernel = Fake::with(|state| state.coverage = Coverage::ProgramOnly);
        let about = &abouts(&kernel)[0];
        assert!(about.contains("cache-misses; without kernel events (/proc"), "{about}");
        assert!(about.contains("kernel.perf_event_paranoid=1"), "{about}");
    }

    #[test]
    fn only_cycles_are_better_than_nothing() {
        let kernel = Fake::with(|state| {
            state.refuses = |event, _| (event != Event::hardware(0)).then_some(libc::EOPNOTSUPP);
        });
        assert_eq!(abouts(&kernel), ["cycles"]);
    }

    #[test]
    fn a_set_is_opened_for_a_command() {
        let kernel = Fake::new();
        let probe = hardware(&kernel)[1].open(Target::Awaiting(7)).unwrap();
        assert_eq!(probe.name(), "perf.hardware-2");
        let names: Vec<&str> = probe.metrics().iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names[..2], ["perf.hardware-2.cycles", "perf.hardware-2.instructions"]);
        assert_eq!(names[names.len() - 1], "perf.hardware-2.time-running");
        kernel.count(Whose::Awaiting(7), 1);
        assert_eq!(kernel.state().files, 7);
    }
}
