//! What a message of the log says.

use super::gc_decorations::duration;
use super::gc_sizes::{self, Change};
use fathom_record::{Decimal, Span, TimeUnit};

/// A message, as far as it is understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message<'a> {
    /// The end of a pause: what kind, what stands in parentheses, how the heap changed.
    Pause { kind: &'a str, details: Vec<&'a str>, heap: Option<Change>, took: Span },
    /// The end of a phase beside the program.
    Concurrent { name: &'a str, heap: Option<Change>, took: Span },
    /// The end of a whole cycle of ZGC.
    Cycle { heap: Change },
    /// A part of a pause.
    Phase { name: &'a str, took: Span },
    /// Spaces, generations, numbers of regions, metaspace.
    Changes(Vec<(&'a str, Change)>),
    /// ZGC's metaspace: used and committed.
    Metaspace { used: i64, committed: i64 },
    /// Processor times of a pause: user, system, and how long it took.
    Cpu([Span; 3]),
    /// A safepoint: what for, and its named durations.
    Safepoint { operation: Option<&'a str>, times: Vec<(&'a str, Span)> },
    /// A thread had to wait for memory, or for an object to be moved.
    Stall { kind: &'a str, took: Span },
    /// Something begins whose end will be logged.
    Start,
    /// The collector, logged once when the machine starts.
    Using,
}

const COLLECTORS: [&str; 7] = [
    "G1",
    "Parallel",
    "Serial",
    "Shenandoah",
    "Epsilon",
    "Concurrent Mark Sweep",
    "The Z Garbage Collector",
];

impl<'a> Message<'a> {
    /// Reads a message; the number of the collection if it has one.
    pub(super) fn parse(text: &'a str) -> (Option<u64>, Option<Message<'a>>) {
        let (id, text) = collection(text);
        (id, Message::of(id, text))
    }

    fn of(id: Option<u64>, text: &'a str) -> Option<Message<'a>> {
        if let Some(rest) = text.strip_prefix("Pause ") {
            return timed(rest, |name, heap, took| {
                let (kind, details) = parenthesised(name);
                Message::Pause { kind, details, heap, took }
            });
        }
        if let Some(rest) = text.strip_prefix("Concurrent ") {
            // Shenandoah's statistics have the same words, microseconds, and no collection's number.
            id?;
            return timed(rest, |name, heap, took| Message::Concurrent {
                name: parenthesised(name).0,
                heap,
                took,
            });
        }
        if let Some(rest) = text.strip_prefix("Safepoint ") {
            return safepoint(rest);
        }
        if let Some(rest) =
            text.strip_prefix("Total time for which application threads were stopped: ")
        {
            return stopped(rest);
        }
        if let Some(rest) = text.strip_prefix("Metaspace: ")
            && let Some(message) = metaspace(rest)
        {
            return Some(message);
        }
        if let Some(collector) = text.strip_prefix("Using ")
            && COLLECTORS.contains(&collector)
        {
            return Some(Message::Using);
        }
        if let Some(change) = cycle(text) {
            return Some(Message::Cycle { heap: change });
        }
        if let Some((what, rest)) = text.split_once(" Stall (") {
            let took = duration(rest.rsplit_once(") ")?.1)?;
            return Some(Message::Stall { kind: what, took });
        }
        if text.starts_with("User=") {
            return cpu(text);
        }
        if let Some(changes) = changes(text) {
            return Some(Message::Changes(changes));
        }
        id?;
        let (name, took) = text.rsplit_once(' ')?;
        let took = took.ends_with("ms").then(|| duration(took)).flatten()?;
        let name = name.trim().trim_end_matches(':');
        (!name.is_empty()).then_some(Message::Phase { name, took })
    }
}

/// `GC(12) `, and the generation's letter in ZGC: `GC(12) y: `.
fn collection(text: &str) -> (Option<u64>, &str) {
    let found = text.strip_prefix("GC(").and_then(|rest| rest.split_once(')'));
    let Some((number, rest)) = found else { return (None, text) };
    let Ok(id) = number.parse() else { return (None, text) };
    let rest = rest.trim();
    let generation = ["Y: ", "y: ", "O: ", "o: "].iter().find_map(|mark| rest.strip_prefix(mark));
    (Some(id), generation.map_or(rest, str::trim))
}

/// A name, a change of the heap perhaps, and a duration; without one it is a start.
fn timed<'a>(
    text: &'a str,
    message: impl Fn(&'a str, Option<Change>, Span) -> Message<'a>,
) -> Option<Message<'a>> {
    let last = text.rsplit_once(' ');
    let Some((rest, took)) = last.and_then(|(rest, last)| Some((rest, duration(last)?))) else {
        // `39 us` and sums are statistics, not starts.
        let is_start = !text.contains([':', '=']) && !text.ends_with("us");
        return is_start.then_some(Message::Start);
    };
    Some(match rest.rsplit_once(' ').and_then(|(name, word)| Some((name, Change::parse(word)?))) {
        Some((name, heap)) => message(name, Some(heap), took),
        None => message(rest, None, took),
    })
}

/// The words before the first parenthesis, and what is inside each pair of them: `System.gc()` has
/// its own.
fn parenthesised(text: &str) -> (&str, Vec<&str>) {
    let (name, mut rest) = match text.find('(') {
        Some(place) => text.split_at_checked(place).unwrap_or((text, "")),
        None => (text, ""),
    };
    let mut details = Vec::new();
    while let Some(inside) = rest.trim_start().strip_prefix('(') {
        let mut depth = 1_usize;
        let end = inside.char_indices().find(|(_, letter)| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some((end, _)) = end else { break };
        details.extend(inside.get(..end));
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    (name.trim(), details)
}

fn cycle(text: &str) -> Option<Change> {
    let starts = ["Garbage Collection (", "Major Collection (", "Minor Collection ("];
    starts.iter().any(|start| text.starts_with(start)).then_some(())?;
    // Generational ZGC says the duration behind the change.
    text.rsplit(' ').find_map(Change::parse)
}

fn metaspace(text: &str) -> Option<Message<'_>> {
    let mut sizes = text.split(", ");
    let used = gc_sizes::bytes(sizes.next()?.strip_suffix(" used")?)?;
    let committed = gc_sizes::bytes(sizes.next()?.strip_suffix(" committed")?)?;
    Some(Message::Metaspace { used, committed })
}

/// `DefNew: 4410K(4928K)->512K(4928K) Eden: 4410K(4416K)->0K(4416K)`, `Eden regions: 6->0(4)`.
fn changes(text: &str) -> Option<Vec<(&str, Change)>> {
    let mut changes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, behind) = rest.split_once(": ")?;
        let (change, after) = behind.split_once(' ').unwrap_or((behind, ""));
        changes.push((name.trim(), Change::parse(change)?));
        rest = after.trim_start();
    }
    (!changes.is_empty()).then_some(changes)
}

fn cpu(text: &str) -> Option<Message<'static>> {
    let mut words = text.split_ascii_whitespace();
    let mut time = |name: &str| duration(words.next()?.strip_prefix(name)?);
    Some(Message::Cpu([time("User=")?, time("Sys=")?, time("Real=")?]))
}

/// `"G1CollectForAllocation", Time since last: 18643020 ns, ..., Total: 2670613 ns`.
fn safepoint(text: &str) -> Option<Message<'_>> {
    let (operation, rest) = text.strip_prefix('"')?.split_once("\", ")?;
    let mut times = Vec::new();
    for part in rest.split(", ") {
        // Later versions add numbers of threads, which are not times.
        let Some((name, time)) = part.split_once(": ") else { continue };
        if let Some(time) = time.strip_suffix(" ns").and_then(|time| time.parse().ok()) {
            times.push((name, Span::from_nanoseconds(time)));
        }
    }
    let has_total = times.iter().any(|(name, _)| *name == "Total");
    has_total.then_some(Message::Safepoint { operation: Some(operation), times })
}

/// Before JDK 12: `0.0029961 seconds, Stopping threads took: 0.0000424 seconds`.
fn stopped(text: &str) -> Option<Message<'_>> {
    let (total, rest) = text.split_once(" seconds")?;
    let seconds = |text: &str| {
        let nanoseconds = Decimal::parse(text)?.nanoseconds(TimeUnit::Seconds)?;
        u64::try_from(nanoseconds).ok().map(Span::from_nanoseconds)
    };
    let mut times = vec![("Total", seconds(total)?)];
    let reaching = rest.strip_prefix(", Stopping threads took: ");
    if let Some(reaching) = reaching.and_then(|text| seconds(text.strip_suffix(" seconds")?)) {
        times.push(("Reaching safepoint", reaching));
    }
    Some(Message::Safepoint { operation: None, times })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Message<'_>> {
        Message::parse(text).1
    }

    #[test]
    fn pauses_name_their_kind_cause_and_heap() {
        let heap = Change::parse("6M->2M(18M)");
        let pause = |kind, details, heap, took| {
            let took = Span::from_nanoseconds(took);
            Some(Message::Pause { kind, details, heap, took })
        };
        for (text, expected) in [
            (
                "GC(0) Pause Young (Normal) (G1 Evacuation Pause) 6M->2M(18M) 2.306ms",
                pause("Young", vec!["Normal", "G1 Evacuation Pause"], heap, 2_306_000),
            ),
            (
                "GC(1) Pause Full (System.gc()) 6M->2M(18M) 1.5ms",
                pause("Full", vec!["System.gc()"], heap, 1_500_000),
            ),
            ("GC(6) Pause Remark 6M->2M(18M) 0.205ms", pause("Remark", vec![], heap, 205_000)),
            (
                "GC(0) Pause Init Mark (unload classes) 0.020ms",
                pause("Init Mark", vec!["unload classes"], None, 20_000),
            ),
            ("GC(3) y: Pause Mark Start 0.010ms", pause("Mark Start", vec![], None, 10_000)),
            ("GC(0) Pause Young (Normal) (G1 Evacuation Pause)", Some(Message::Start)),
            ("Pause Init Mark (G)                 136 us", None),
            ("Pause Degenerated GC (G)       =    0.004 s (a =     4486 us)", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn other_messages_are_understood() {
        let ns = Span::from_nanoseconds;
        for (text, expected) in [
            (
                "GC(0) Concurrent Mark 5.734ms",
                Some(Message::Concurrent { name: "Mark", heap: None, took: ns(5_734_000) }),
            ),
            (
                "GC(0)   Evacuate Collection Set: 1.7ms",
                Some(Message::Phase { name: "Evacuate Collection Set", took: ns(1_700_000) }),
            ),
            (
                "GC(11) Phase 1: Mark live objects 0.626ms",
                Some(Message::Phase { name: "Phase 1: Mark live objects", took: ns(626_000) }),
            ),
            (
                "GC(0) User=0.01s Sys=0.00s Real=0.02s",
                Some(Message::Cpu([10_000_000, 0, 20_000_000].map(ns))),
            ),
            (
                "Allocation Stall (main) 15.927ms",
                Some(Message::Stall { kind: "Allocation", took: ns(15_927_000) }),
            ),
            (
                "GC(0) Metaspace: 0M used, 1M committed, 1088M reserved",
                Some(Message::Metaspace { used: 0, committed: 1 << 20 }),
            ),
            (
                "Total time for which application threads were stopped: 0.0029961 seconds, Stopping threads took: 0.0000424 seconds",
                Some(Message::Safepoint {
                    operation: None,
                    times: vec![("Total", ns(2_996_100)), ("Reaching safepoint", ns(42_400))],
                }),
            ),
            (
                "Safepoint \"X\", Total: 5 ns, Threads: 0 runnable, 12 total",
                Some(Message::Safepoint { operation: Some("X"), times: vec![("Total", ns(5))] }),
            ),
            ("Using G1", Some(Message::Using)),
            ("GC(0) Using 2 workers of 2 for evacuation", None),
            ("GC(0) Load: 0.89/1.15/1.32", None),
            ("Concurrent Reset                     39 us", None),
            ("Heap Region Size: 1M", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        let text = "GC(0) DefNew: 4K(8K)->1K(8K) Eden: 4K(4K)->0K(4K) From: 0K(4K)->1K(4K)";
        let Some(Message::Changes(changes)) = parse(text) else { panic!("{text}") };
        assert_eq!(
            changes.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            ["DefNew", "Eden", "From"]
        );
        let text = "GC(0) Garbage Collection (Allocation Stall) 48M(100%)->16M(33%)";
        assert_eq!(parse(text), Some(Message::Cycle { heap: Change::parse("48M->16M").unwrap() }));
    }
}
