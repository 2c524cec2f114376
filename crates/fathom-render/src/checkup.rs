//! What `fathom doctor` found, for people.

use crate::layout::{FAINT, STRONG, WARNING, push_wrapped};
use crate::plural;
use crate::quantity::quick;
use fathom_analyze::checkup::{
    Checkup, CpuInterruptions, InterruptionCause, Interruptions, NoiseFloorReport,
};
use fathom_record::Unit;
use fathom_record::finding::{Finding, Level};
use std::fmt::Write;

/// The page of a checkup in `width` columns.
#[must_use]
pub fn render(checkup: &Checkup, width: usize) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &answer(checkup), "", STRONG, width);
    text.push('\n');
    let mut sorted: Vec<&Finding> = checkup.findings.iter().collect();
    sorted.sort_by_key(|finding| match finding.level {
        Level::Spoils => 0,
        Level::Note => 1,
        Level::Good => 2,
        Level::Unknown => 3,
    });
    for finding in sorted {
        let (mark, style) = match finding.level {
            Level::Spoils => ("bad", WARNING),
            Level::Note => ("note", STRONG),
            Level::Good => ("good", FAINT),
            Level::Unknown => ("?", FAINT),
        };
        let _ = write!(text, "  {style}{mark:<7}{style:#}");
        let mut body = String::new();
        push_wrapped(&mut body, &finding.says, "         ", anstyle::Style::new(), width);
        text.push_str(body.trim_start());
        // What is good needs no explanation.
        if matches!(finding.level, Level::Spoils | Level::Note) {
            push_wrapped(&mut text, &finding.why, "         ", FAINT, width);
            if let Some(remedy) = &finding.remedy {
                push_wrapped(&mut text, &format!("-> {remedy}"), "         ", FAINT, width);
            }
        }
    }
    if let Some(floor) = &checkup.floor {
        text.push('\n');
        for line in floor_lines(floor) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    if let Some(interruptions) = &checkup.interruptions {
        text.push('\n');
        for (indent, line) in interruption_lines(interruptions) {
            push_wrapped(&mut text, &line, indent, FAINT, width);
        }
    }
    text
}

fn answer(checkup: &Checkup) -> String {
    let spoils = checkup.findings.iter().filter(|one| one.level == Level::Spoils).count();
    let machine = match spoils {
        0 => "No serious source of noise found".to_string(),
        1 => "1 serious source of noise found".to_string(),
        n => format!("{n} serious sources of noise found"),
    };
    match checkup.floor.as_ref().and_then(|floor| floor.smallest.first()) {
        Some(smallest) => format!(
            "{machine}. This machine can detect differences of {} or more in {:.0} s.",
            share(smallest.share),
            smallest.seconds
        ),
        None => format!("{machine}."),
    }
}

fn floor_lines(floor: &NoiseFloorReport) -> Vec<String> {
    let run = quick(floor.run_seconds, &Unit::SECONDS);
    let mut lines = vec![format!(
        "noise floor: a {run} program compared with itself, {} pairs in {:.0} s: ratio {:.4} ({:.4} \
         to {:.4})",
        floor.pairs, floor.seconds, floor.ratio, floor.lower, floor.upper
    )];
    if floor.lower > 1.0 || floor.upper < 1.0 {
        lines.push(
            "the interval excludes 1, although the program is the same: that happens in 1 of 20 checks. \
             Run `fathom doctor` again; if it happens again, trust no difference smaller than this"
                .to_string(),
        );
    }
    if floor.set_aside > 0 {
        lines.push(format!(
            "{} of {} blocks ran under other load and were excluded",
            floor.set_aside, floor.blocks
        ));
    }
    let budgets: Vec<String> = floor
        .smallest
        .iter()
        .map(|one| {
            let time = if one.seconds < 100.0 {
                format!("{:.0} s", one.seconds)
            } else {
                format!("{:.0} min", one.seconds / 60.0)
            };
            format!("{} in {time}", share(one.share))
        })
        .collect();
    lines.push(format!(
        "smallest difference that `fathom compare` detects four times in five: {}; programs that \
         wait or use a lot of memory need longer",
        budgets.join(", ")
    ));
    lines
}

/// What each CPU lost, with how far to the right it stands.
fn interruption_lines(found: &Interruptions) -> Vec<(&'static str, String)> {
    let Some(first) = found.cpus.first() else { return Vec::new() };
    let time = format!("{:.0} ms", 1000.0 * first.seconds);
    let whom = match (found.cpus.len(), found.allowed) {
        (1, _) => format!("on CPU {}", first.cpu),
        (tried, allowed) if tried < allowed => format!("on {tried} of {allowed} CPUs in turn"),
        _ => "on each CPU in turn".to_string(),
    };
    let heading =
        format!("interruptions: a program that does nothing but read the clock, {whom} for {time}");
    let mut lines = vec![("  ", heading)];
    lines.extend(found.cpus.iter().map(|one| ("    ", cpu_line(one))));
    if found.cpus.len() > 1 {
        let answer = match found.quietest {
            Some(cpu) => format!("CPU {cpu} is the quietest: measure there with --cpu {cpu}"),
            None => "the CPUs are about equally quiet; choosing one gains little".to_string(),
        };
        lines.push(("  ", answer));
    }
    lines
}

/// "CPU 0 lost 0.080%: 126 stalls, one every 4 ms, the longest 21 µs; probably the kernel's timer
/// tick, which it counted 126 times; detects 0.42% in 10 s".
fn cpu_line(one: &CpuInterruptions) -> String {
    let seconds = |seconds: f64| quick(seconds, &Unit::SECONDS);
    let detects =
        one.noise_floor.as_ref().and_then(|floor| floor.smallest.first()).map(|smallest| {
            format!("; detects {} in {:.0} s", share(smallest.share), smallest.seconds)
        });
    let detects = detects.unwrap_or_default();
    let Some(&longest) = one.longest_seconds.first() else {
        return format!("CPU {} lost nothing{detects}", one.cpu);
    };
    let stalls = plural(one.stalls, "stall");
    let period = one.period_seconds.map(|period| format!(", one every {}", seconds(period)));
    let kernel = &one.kernel;
    let counted = |count: Option<u64>| plural(count.unwrap_or(0), "time");
    let taken = |time: Option<f64>| seconds(time.unwrap_or(0.0));
    let cause = match one.cause {
        Some(InterruptionCause::Timer) => format!(
            "probably the kernel's timer tick, which it counted {}",
            counted(kernel.timer_interrupts)
        ),
        Some(InterruptionCause::Interrupts) => format!(
            "probably interrupts of devices or other CPUs, which the kernel counted {}",
            counted(kernel.other_interrupts)
        ),
        Some(InterruptionCause::Programs) => {
            format!("probably other programs, for which it waited {}", taken(kernel.waited_seconds))
        }
        Some(InterruptionCause::Hypervisor) => {
            format!("probably the hypervisor, which took {}", taken(kernel.stolen_seconds))
        }
        None => "the kernel's counts do not explain it".to_string(),
    };
    format!(
        "CPU {} lost {}: {stalls}{}, the longest {}; {cause}{detects}",
        one.cpu,
        share(one.lost),
        period.unwrap_or_default(),
        seconds(longest)
    )
}

/// Two digits of a percentage.
fn share(share: f64) -> String {
    let percents = 100.0 * share;
    let decimals = (1.0 - percents.abs().max(1e-9).log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{percents:.decimals$}%")
}
