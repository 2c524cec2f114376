//! Events by the names that the kernel gives them: `context-switches`, `r01c2`, `sched:sched_switch`,
//! `cpu/cache-misses/`.

use super::event_table::{self, Known};
use crate::perf_event::Event;
use fathom_record::nearest;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a name is not that of an event here: what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EventNameError(String);

/// Where the kernel lists its events.
#[derive(Debug, Clone)]
pub(super) struct EventFolders {
    /// Tracepoints, in folders by subsystem; the first that is there counts.
    tracing: Vec<PathBuf>,
    /// The units that count something.
    devices: PathBuf,
}

impl EventFolders {
    pub(super) fn of_this_machine() -> EventFolders {
        let tracing = ["/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"];
        EventFolders {
            tracing: tracing.map(PathBuf::from).to_vec(),
            devices: PathBuf::from("/sys/bus/event_source/devices"),
        }
    }

    /// The event of a name.
    pub(super) fn event(&self, name: &str) -> Result<Event, EventNameError> {
        if let Some((unit, rest)) = name.split_once('/') {
            let Some(terms) = rest.strip_suffix('/') else {
                return Err(wrong(
                    name,
                    "a slash is missing at its end, as in `cpu/cache-misses/`",
                ));
            };
            return self.of_unit(name, unit, terms);
        }
        if let Some((subsystem, point)) = name.split_once(':') {
            return self.tracepoint(name, subsystem, point);
        }
        if let Some(known) = known().into_iter().find(|known| known.name == name) {
            return Ok(known.event);
        }
        let code = name.strip_prefix('r').filter(|code| !code.is_empty());
        if let Some(code) = code.and_then(|code| u64::from_str_radix(code, 16).ok()) {
            return Ok(Event::raw(code));
        }
        let names: Vec<&str> = known().iter().map(|known| known.name).collect();
        let near = nearest(name, &names).first().map(|near| format!("did you mean {near}? "));
        let near = near.unwrap_or_default();
        Err(wrong(
            name,
            &format!(
                "{near}Write a name such as context-switches, a tracepoint such as \
                 sched:sched_switch, UNIT/EVENT/ of a folder in {}, or a raw code such as r01c2",
                self.devices.display()
            ),
        ))
    }

    fn tracepoint(
        &self,
        name: &str,
        subsystem: &str,
        point: &str,
    ) -> Result<Event, EventNameError> {
        let is_plain = |part: &str| !part.is_empty() && !part.contains(['/', '.', '\0']);
        if !is_plain(subsystem) || !is_plain(point) {
            return Err(wrong(name, "a tracepoint is written like sched:sched_switch"));
        }
        // Reading the folder tells whether it is mounted, and whether this user may.
        let mut refused = None;
        for folder in &self.tracing {
            match fs::read_dir(folder) {
                Ok(_) => return tracepoint_in(folder, name, subsystem, point),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    refused = Some(format!(
                        "{} cannot be read: {error}; record as root",
                        folder.display()
                    ));
                }
                Err(_) => {}
            }
        }
        let why = refused.unwrap_or_else(|| {
            "the kernel's list of tracepoints is not mounted; run `sudo mount -t tracefs nodev \
             /sys/kernel/tracing`"
                .to_string()
        });
        Err(wrong(name, &why))
    }

    /// `cpu/cache-misses/` or `cpu/event=0x3c,umask=0x1/`.
    fn of_unit(&self, name: &str, unit: &str, terms: &str) -> Result<Event, EventNameError> {
        let folder = self.devices.join(unit);
        let kind = (!unit.is_empty() && !unit.contains('.'))
            .then(|| fs::read_to_string(folder.join("type")).ok())
            .flatten()
            .and_then(|text| text.trim().parse::<u32>().ok());
        let Some(kind) = kind else {
            let units = listed(&self.devices);
            return Err(wrong(name, &format!("there is no unit {unit}; there are {units}")));
        };
        let mut configs = [0_u64; 2];
        for term in terms.split(',').filter(|term| !term.trim().is_empty()) {
            let term = term.trim();
            let alias = fs::read_to_string(folder.join("events").join(term));
            match alias {
                Ok(alias) if !term.contains(['=', '/', '.']) => {
                    for term in alias.trim().split(',') {
                        set(&folder, name, term, &mut configs)?;
                    }
                }
                _ => set(&folder, name, term, &mut configs)?,
            }
        }
        if terms.trim().is_empty() {
            let events = listed(&folder.join("events"));
            return Err(wrong(name, &format!("it names no event; {unit} has {events}")));
        }
        Ok(Event::of_unit(kind, configs))
    }
}

/// All events with a name of their own.
fn known() -> Vec<Known> {
    let mut known = event_table::software();
    known.extend(event_table::base());
    known.extend(event_table::bundles().into_iter().flatten());
    known
}

fn wrong(name: &str, why: &str) -> EventNameError {
    EventNameError(format!("{}: {why}", fathom_record::foreign_text::escaped(name)))
}

fn tracepoint_in(
    folder: &Path,
    name: &str,
    subsystem: &str,
    point: &str,
) -> Result<Event, EventNameError> {
    let file = folder.join(subsystem).join(point).join("id");
    match fs::read_to_string(&file) {
        Ok(text) => match text.trim().parse() {
            Ok(id) => Ok(Event::tracepoint(id)),
            Err(_) => Err(wrong(name, &format!("{} holds no number", file.display()))),
        },
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(wrong(name, &format!("{} cannot be read: {error}; record as root", file.display())))
        }
        Err(_) => {
            let subsystem_folder = folder.join(subsystem);
            let (what, names) = match subsystem_folder.is_dir() {
                true => {
                    (format!("{subsystem} has no tracepoint {point}"), names(&subsystem_folder))
                }
                false => (format!("there is no subsystem {subsystem}"), names(folder)),
            };
            let wanted = if subsystem_folder.is_dir() { point } else { subsystem };
            let near = nearest(wanted, &names.iter().map(String::as_str).collect::<Vec<_>>())
                .first()
                .map(|near| format!("; did you mean {near}?"));
            let more = format!("; `ls {}` lists what there is", folder.join(subsystem).display());
            Err(wrong(name, &format!("{what}{}", near.unwrap_or(more))))
        }
    }
}

/// Sets one term of a unit's event: `event=0x3c`, or `edge` for 1.
fn set(
    folder: &Path,
    name: &str,
    term: &str,
    configs: &mut [u64; 2],
) -> Result<(), EventNameError> {
    let (key, value) = term.split_once('=').unwrap_or((term, "1"));
    let (key, value) = (key.trim(), value.trim());
    let number = match value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => value.parse().ok(),
    };
    let Some(number) = number else {
        return Err(wrong(name, &format!("{value} in {term} is not a number such as 60 or 0x3c")));
    };
    let format = match key {
        "config" | "config1" => format!("{key}:0-63"),
        key if key.contains(['/', '.']) => String::new(),
        key => fs::read_to_string(folder.join("format").join(key)).unwrap_or_default(),
    };
    let place = format.trim().split_once(':').and_then(|(config, bits)| match config {
        "config" => Some((0, bits)),
        "config1" => Some((1, bits)),
        _ => None,
    });
    let (Some((config, bits)), true) = (place, !format.is_empty()) else {
        let (events, terms) = (listed(&folder.join("events")), listed(&folder.join("format")));
        let why = format!(
            "this unit has no event or term {key}; its events are {events}, its terms {terms}"
        );
        return Err(wrong(name, &why));
    };
    let Some(spread) = spread(number, bits) else {
        return Err(wrong(name, &format!("{value} is too large for {key} (bits {bits})")));
    };
    if let Some(config) = configs.get_mut(config) {
        *config |= spread;
    }
    Ok(())
}

/// A number in these bits: `0-7,32-35`. `None` if it does not fit.
fn spread(number: u64, bits: &str) -> Option<u64> {
    let mut left = number;
    let mut all = 0;
    for range in bits.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        for bit in first..=last.min(63) {
            all |= (left & 1) << bit;
            left >>= 1;
        }
    }
    (left == 0).then_some(all)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    // `cache-misses.unit` describes another file.
    names.retain(|name| !name.contains('.'));
    names.sort_unstable();
    names
}

fn listed(folder: &Path) -> String {
    match names(folder).as_slice() {
        [] => "none".to_string(),
        names => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel with one unit and one tracepoint.
    fn folders() -> (tempfile::TempDir, EventFolders) {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("events/sched/sched_switch/id", "314\n");
        write("events/sched/sched_wakeup/id", "315\n");
        write("devices/cpu/type", "4\n");
        write("devices/cpu/events/cache-misses", "event=0x2e,umask=0x41\n");
        write("devices/cpu/events/cache-misses.unit", "lines\n");
        write("devices/cpu/format/event", "config:0-7\n");
        write("devices/cpu/format/umask", "config:8-15\n");
        write("devices/cpu/format/wide", "config1:0-3,60-63\n");
        write("devices/cpu/format/edge", "config:18\n");
        write("devices/cpu/format/far", "config2:0-7\n");
        let folders = EventFolders {
            tracing: vec![folder.path().join("none"), folder.path().join("events")],
            devices: folder.path().join("devices"),
        };
        (folder, folders)
    }

    #[test]
    fn names_are_the_kernels() {
        let (_kept, folders) = folders();
        for (name, event) in [
            ("page-faults", Event::software(2)),
            ("cycles", Event::hardware(0)),
            ("r01c2", Event::raw(0x1c2)),
            ("sched:sched_switch", Event::tracepoint(314)),
            ("cpu/cache-misses/", Event::of_unit(4, [0x412e, 0])),
            ("cpu/event=0x3c,umask=1,edge/", Event::of_unit(4, [0x4013c, 0])),
            ("cpu/wide=0xa5/", Event::of_unit(4, [0, 0xa000_0000_0000_0005])),
            ("cpu/config=0x99/", Event::of_unit(4, [0x99, 0])),
        ] {
            assert_eq!(folders.event(name).unwrap(), event, "{name}");
        }
    }

    #[test]
    fn what_is_no_event_is_answered() {
        let (_kept, folders) = folders();
        for (name, part) in [
            ("page-fault", "did you mean page-faults?"),
            ("r", "Write a name such as context-switches"),
            ("sched:sched_swich", "did you mean sched_switch?"),
            ("shed:x", "there is no subsystem shed; did you mean sched?"),
            ("sched:../x", "a tracepoint is written like"),
            ("gpu/x/", "there is no unit gpu; there are cpu"),
            ("cpu/cache-misses", "a slash is missing at its end"),
            ("cpu//", "it names no event; cpu has cache-misses"),
            (
                "cpu/nothing/",
                "its events are cache-misses, its terms edge, event, far, umask, wide",
            ),
            ("cpu/event=x/", "x in event=x is not a number"),
            ("cpu/event=0x100/", "0x100 is too large for event (bits 0-7)"),
            ("cpu/far=1/", "no event or term far"),
        ] {
            let why = folders.event(name).unwrap_err().to_string();
            assert!(why.contains(part), "{name}: {why}");
        }
        let unmounted = EventFolders { tracing: Vec::new(), ..folders };
        let why = unmounted.event("sched:sched_switch").unwrap_err().to_string();
        assert!(why.contains("sudo mount -t tracefs nodev /sys/kernel/tracing"), "{why}");
    }
}
