//! One line of `perf stat -I -x`.
//!
//! The fields are, by `perf-stat(1)`: the time; with `-A`, `--per-core`, `--per-thread` and the like
//! the place, and often how many processors that is; the value; its unit; the event; its control
//! group if there is one; the variance with `-r`; how long it was counted; what share of the time
//! that is; and a derived metric with its unit. A line may also hold a derived metric alone, after
//! empty fields.

use fathom_record::trace::Layer;
use fathom_record::{Decimal, TimeUnit, Timestamp};

use crate::error::{Flaw, quoted};
use crate::number;

/// What a line says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PerfLine<'a> {
    pub(super) time: Timestamp,
    /// `CPU0`, `S0-D0-C1`, a thread; empty if everything is counted together.
    pub(super) place: String,
    pub(super) reading: Option<Reading<'a>>,
    pub(super) derived: Option<Derived<'a>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading<'a> {
    pub(super) event: String,
    pub(super) unit: &'a str,
    /// `None` if it was not counted, or cannot be.
    pub(super) value: Option<Decimal>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Derived<'a> {
    pub(super) value: f64,
    pub(super) unit: &'a str,
}

/// The field separator: what follows the time, which perf writes with nine decimals.
pub(super) fn separator(line: &str) -> Option<&str> {
    let (whole, behind) = line.trim_start_matches(' ').split_once('.')?;
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (fraction, rest) = behind.split_at_checked(9)?;
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let first = rest.chars().next().filter(|c| !c.is_ascii_alphanumeric())?;
    if matches!(first, ',' | ';' | '\t' | '|' | ' ') {
        return rest.get(..first.len_utf8());
    }
    rest.get(..rest.find(|c: char| c.is_ascii_alphanumeric() || c == '<')?)
}

impl<'a> PerfLine<'a> {
    /// Reads a line; `None` for those of `--summary`, which say nothing new.
    pub(super) fn parse(line: &'a str, separator: &str) -> Result<Option<PerfLine<'a>>, Flaw> {
        let fields: Vec<&str> = line
            .trim_start_matches(' ')
            .split(separator)
            .map(|field| field.trim_matches(' '))
            .collect();
        let field = |place: usize| fields.get(place).copied().unwrap_or_default();
        if field(0) == "summary" {
            return Ok(None);
        }
        let Some(time) =
            Decimal::parse(field(0)).and_then(|number| number.nanoseconds(TimeUnit::Seconds))
        else {
            return Err(Flaw::new(
                format!("{} is not a time in seconds", quoted(field(0))),
                "write the file with perf stat -I 1000 -x, -o FILE, and write nothing else to it",
            ));
        };
        let time = Timestamp::from_nanoseconds(time);
        let has_place = !field(1).is_empty() && !is_value(field(1));
        let mut at = if has_place { 2 } else { 1 };
        let mut place = if has_place { field(1).to_string() } else { String::new() };
        if has_place && number::parse(field(at)).is_ok() && is_value(field(at + 1)) {
            at += 1;
        }
        if fields.len() < at + 3 {
            return Err(Flaw::new(
                format!(
                    "found {} fields, but expected a time, a value, its unit and an event",
                    fields.len()
                ),
                "if the program printed between the lines, write the counts to a separate file \
                 with -o",
            ));
        }
        let (event, mut next) = event(&fields, at + 2, separator);
        if event.is_empty() {
            let derived = match fields.as_slice() {
                [.., value, unit] => derived(value, unit)?,
                _ => None,
            };
            return Ok(Some(PerfLine { time, place, reading: None, derived }));
        }
        let value =
            value(field(at)).map_err(|flaw| flaw.within(format!("event {}", quoted(&event))))?;
        let is_share =
            |text: &str| text.strip_suffix('%').is_some_and(|n| number::parse(n).is_ok());
        let is_number = |text: &str| number::parse(text).is_ok();
        if !field(next).is_empty() && !is_number(field(next)) && !is_share(field(next)) {
            place = if place.is_empty() {
                field(next).to_string()
            } else {
                format!("{place}@{}", field(next))
            };
            next += 1;
        }
        if is_share(field(next)) {
            next += 1;
        }
        let derived = derived(field(next + 2), field(next + 3))?;
        let reading = Some(Reading { event, unit: field(at + 1), value });
        Ok(Some(PerfLine { time, place, reading, derived }))
    }
}

fn is_value(text: &str) -> bool {
    text.starts_with('<') || number::is_meant_as_number(text)
}

/// An event such as `cpu/event=0x3c,umask=0x1/` may hold the separator. Also where the next field is.
fn event(fields: &[&str], at: usize, separator: &str) -> (String, usize) {
    let mut event = fields.get(at).copied().unwrap_or_default().to_string();
    let mut next = at + 1;
    let is_open = |event: &str| event.bytes().filter(|&byte| byte == b'/').count() == 1;
    let closes =
        fields.iter().skip(next).any(|field| field.contains('/') && !field.ends_with("/sec"));
    while is_open(&event) && closes {
        let Some(more) = fields.get(next) else { break };
        event = format!("{event}{separator}{more}");
        next += 1;
    }
    (event, next)
}

fn value(text: &str) -> Result<Option<Decimal>, Flaw> {
    if matches!(text, "<not counted>" | "<not supported>") {
        return Ok(None);
    }
    match Decimal::parse(text) {
        Some(decimal) => Ok(Some(decimal)),
        None => {
            let remedy = "correct it, or remove the line";
            let flaw = number::parse(text).err().unwrap_or(number::NumberFlaw::TooLarge);
            Err(match flaw {
                number::NumberFlaw::Comma => Flaw::new(
                    format!("{} is not a number because of its comma", quoted(text)),
                    "run perf with LC_ALL=C",
                ),
                number::NumberFlaw::Text | number::NumberFlaw::Empty => {
                    Flaw::new(format!("{} is not a number", quoted(text)), remedy)
                }
                flaw => flaw.about(text, remedy),
            })
        }
    }
}

fn derived<'a>(value: &str, unit: &'a str) -> Result<Option<Derived<'a>>, Flaw> {
    if value.is_empty() || unit.is_empty() {
        return Ok(None);
    }
    match number::parse(value) {
        Ok(value) => Ok(Some(Derived { value, unit })),
        Err(number::NumberFlaw::NotFinite) => Ok(None),
        Err(_) => Err(Flaw::new(
            format!("{} is not a number", quoted(value)),
            "remove the line, or record again; this field must be a derived metric",
        )
        .within(format!("metric {}", quoted(unit)))),
    }
}

/// Events that the kernel counts itself.
const SOFTWARE: [&str; 18] = [
    "task-clock",
    "cpu-clock",
    "page-faults",
    "faults",
    "minor-faults",
    "major-faults",
    "context-switches",
    "cs",
    "cpu-migrations",
    "migrations",
    "alignment-faults",
    "emulation-faults",
    "bpf-output",
    "cgroup-switches",
    "dummy",
    "duration_time",
    "user_time",
    "system_time",
];

/// What counts an event: the processor, or the kernel, which also has the tracepoints
/// (`sched:sched_switch`).
pub(super) fn layer(event: &str) -> Layer {
    let event = event.split('@').next().unwrap_or(event);
    let (name, modifier) = event.split_once(':').unwrap_or((event, ""));
    let is_modifier = modifier.chars().all(|letter| "ukhIGHpPSDWeb".contains(letter));
    let name = name.split('.').next().unwrap_or(name);
    if SOFTWARE.contains(&name) || !is_modifier { Layer::Os } else { Layer::Hardware }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_follows_the_time() {
        for (line, found) in [
            ("     0.200286259,0.68,msec,task-clock,684705,100.00,,", Some(",")),
            ("1.000000000;1;;faults;1;100.00;;", Some(";")),
            ("1.000000000\t1\t\tfaults", Some("\t")),
            ("1.000000000::1::::faults", Some("::")),
            ("1.000000000,(sd-pam)-12,1,,faults", Some(",")),
            ("     0.103666032               0.80 msec task-clock", Some(" ")),
            ("1.00000000,1,,faults", None),
            ("1.0000000001", None),
            ("time,faults", None),
            ("1", None),
        ] {
            assert_eq!(separator(line), found, "{line}");
        }
    }

    fn parse(line: &str) -> PerfLine<'_> {
        PerfLine::parse(line, ",").unwrap().unwrap()
    }

    #[test]
    fn every_form_of_line_is_understood() {
        for (line, place, event, unit, is_counted) in [
            ("1.0,31,,context-switches,1,100.00,2.9,K/sec", "", "context-switches", "", true),
            (
                "1.0,CPU0,200.53,msec,task-clock,1,100.00,1.003,CPUs utilized",
                "CPU0",
                "task-clock",
                "msec",
                true,
            ),
            ("1.0,S0,2,31,,cs,4,100.00,77.293,/sec", "S0", "cs", "", true),
            ("1.0,S0-D0-C1,1,<not counted>,,cycles,0,100.00,,", "S0-D0-C1", "cycles", "", false),
            ("1.0,bash-1859,<not supported>,,cycles,0,100.00,,", "bash-1859", "cycles", "", false),
            ("1.0,5,,faults,353.63%,54691,100.00,0.001,/sec", "", "faults", "", true),
            (
                "1.0,5,,cpu/event=0x3c,umask=0x1/,7,100.00,,",
                "",
                "cpu/event=0x3c,umask=0x1/",
                "",
                true,
            ),
            ("1.0,5,,faults,my.slice,7,100.00,,", "my.slice", "faults", "", true),
            (
                "1.0,7.25,Joules,power/energy-pkg/,7,100.00,,",
                "",
                "power/energy-pkg/",
                "Joules",
                true,
            ),
            ("1.0,5,,faults", "", "faults", "", true),
        ] {
            let read = parse(line);
            let reading = read.reading.unwrap();
            assert_eq!((read.place.as_str(), reading.event.as_str()), (place, event), "{line}");
            assert_eq!((reading.unit, reading.value.is_some()), (unit, is_counted), "{line}");
        }
        let ipc = parse("1.0,CPU1,,,,,,0.25,stalled cycles per insn");
        assert_eq!(ipc.reading, None);
        assert_eq!(ipc.derived, Some(Derived { value: 0.25, unit: "stalled cycles per insn" }));
        assert_eq!(ipc.place, "CPU1");
        assert_eq!(PerfLine::parse("         summary,1.06,msec,task-clock", ","), Ok(None));
    }

    #[test]
    fn the_kernels_events_are_told_from_the_processors() {
        for event in ["task-clock", "faults:u", "sched:sched_switch", "cs@CPU0", "task-clock.x"] {
            assert_eq!(layer(event), Layer::Os, "{event}");
        }
        for event in
            ["cycles", "instructions:u", "cpu/event=0x3c,umask=0x1/", "r1a8@S0", "cycles:ukp"]
        {
            assert_eq!(layer(event), Layer::Hardware, "{event}");
        }
    }
}
