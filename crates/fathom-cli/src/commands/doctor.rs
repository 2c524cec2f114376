//! `fathom doctor`: what on this machine spoils measurements, and what it can detect.

use super::measuring::conduct::local;
use super::written;
use crate::arguments::{Color, DoctorArguments, PlainFormat, Style};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use crate::render::checkup::{self, Checkup, Floor, Smallest};
use fathom_analyze::compare::NoiseFloor;
use fathom_measure::{Invocation, Laboratory, LaboratoryError};
use fathom_record::{Ending, Environment, own_json};
use fathom_render::rough;
use fathom_stats::Interval;
use fathom_stats::paired::{Block, block_order};
use fathom_sys::counters::{self, CounterName, Unavailable};
use fathom_sys::host::{Access, Counter, CpuTimes, Host, Tried, findings};
use fathom_sys::{affinity, clock};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// The hidden word that makes this program do nothing but count, to be measured.
const BUSY: &str = "__fathom-busy";
/// The length of a run of the noise floor.
const RUN_SECONDS: f64 = 0.005;
/// The budgets whose smallest visible difference is told.
const BUDGETS: [f64; 3] = [10.0, 60.0, 600.0];

/// Counts and exits, if this process was started to do that.
pub(crate) fn busy_if_asked() {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() != Some(BUSY) {
        return;
    }
    let steps: u64 = words.next().and_then(|steps| steps.parse().ok()).unwrap_or(0);
    let mut state = 1_u64;
    for step in 0..steps {
        // A chain of dependent steps: its time follows from the clock speed alone.
        state = std::hint::black_box(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(step));
    }
    std::process::exit(i32::from(state == 0));
}

pub(crate) fn run(arguments: &DoctorArguments, color: Color) -> Result<Outcome, Failure> {
    if let Some(cpu) = arguments.cpu {
        affinity::check(cpu).map_err(Failure::input)?;
    }
    let root = Path::new("/");
    let host = Host::read(root);
    let before = CpuTimes::read(root);
    let mut progress = Progress::new(Style::Auto, arguments.format == PlainFormat::Json);
    let floor = if arguments.max_time.is_zero() {
        None
    } else {
        Some(noise_floor(arguments.max_time, arguments.cpu, &mut progress)?)
    };
    progress.clear();
    let window = before.zip(CpuTimes::read(root)).and_then(|(before, after)| after.since(&before));
    let counter = |(name, result): (CounterName, Result<_, Unavailable>)| Counter {
        name: name.as_str().to_string(),
        access: match result {
            Ok(_) => Access::Works,
            Err(Unavailable::NoPermission { .. }) => Access::Denied,
            Err(_) => Access::Missing,
        },
    };
    let hardware: Vec<CounterName> =
        CounterName::ALL.into_iter().filter(|name| name.is_hardware()).collect();
    let counters = counters::available(&hardware).into_iter().map(counter).collect();
    let tried = Tried {
        clock_grain: Some(Duration::from_nanos(clock::grain_ns())),
        counters: Some(counters),
        window: window.filter(|_| floor.is_some()),
    };
    let found = findings(&host, &tried);
    let checkup = Checkup { findings: found, floor };
    let text = match arguments.format {
        PlainFormat::Human => checkup::render(&checkup, output::width()),
        PlainFormat::Json => document(&checkup)?,
    };
    output::print(&text, color)?;
    Ok(Outcome::Done)
}

/// Compares a program with itself for a while.
fn noise_floor(
    time: Duration,
    cpu: Option<usize>,
    progress: &mut Progress,
) -> Result<Floor, Failure> {
    let mut local = local()?;
    let mut laboratory = Loop { laboratory: &mut local, cpu, steps: 100_000 };
    laboratory.calibrate()?;
    let began = laboratory.laboratory.now_ns();
    let mut blocks = Vec::new();
    let mut quickest = u64::MAX;
    let elapsed = |laboratory: &Loop<'_>| {
        Duration::from_nanos(laboratory.laboratory.now_ns().saturating_sub(began))
    };
    while elapsed(&laboratory) < time || blocks.len() < 10 {
        progress.draw(|| {
            let left = time.saturating_sub(elapsed(&laboratory)).as_secs_f64();
            format!("comparing a program with itself, {} left", rough(left))
        });
        let mut times: [Vec<f64>; 2] = Default::default();
        for subject in block_order(began, blocks.len(), &[0, 1]) {
            let ns = laboratory.time()?;
            quickest = quickest.min(ns);
            times[subject].push(ns as f64);
        }
        let block = Block::of([times[0][0], times[0][1]], [times[1][0], times[1][1]]);
        blocks.extend(block);
    }
    let seconds = elapsed(&laboratory).as_secs_f64();
    let found = NoiseFloor::of(&blocks, seconds)
        .ok_or_else(|| Failure::input("the noise floor could not be measured"))?;
    let smallest =
        |seconds: f64| found.smallest_difference(seconds).map(|share| Smallest { seconds, share });
    let Interval { lower, upper } = found.interval();
    Ok(Floor {
        pairs: 2 * found.blocks(),
        seconds,
        run_seconds: quickest as f64 / 1e9,
        ratio: found.ratio(),
        lower,
        upper,
        set_aside: found.set_aside(),
        blocks: found.blocks(),
        smallest: BUDGETS.into_iter().filter_map(smallest).collect(),
    })
}

/// A program that counts for a while, again and again.
struct Loop<'a> {
    laboratory: &'a mut dyn Laboratory,
    cpu: Option<usize>,
    steps: u64,
}

impl Loop<'_> {
    /// Finds how far to count for a run of a few milliseconds.
    fn calibrate(&mut self) -> Result<(), Failure> {
        // Long enough that starting the program is a small part of it.
        self.steps = 10_000_000;
        let long = self.time()?.min(self.time()?);
        let steps = self.steps as f64 * RUN_SECONDS * 1e9 / long as f64;
        self.steps = (steps as u64).max(1000);
        // The first runs fill caches.
        for _ in 0..10 {
            self.time()?;
        }
        Ok(())
    }

    fn time(&mut self) -> Result<u64, Failure> {
        let words = ["/proc/self/exe", BUSY, &self.steps.to_string()].map(str::to_string).to_vec();
        let invocation = Invocation { words, cpu: self.cpu, ..Invocation::default() };
        match self.laboratory.execute(&invocation, &mut || {}) {
            Ok(execution) if execution.ending == Ending::Exited(0) => {
                if self.laboratory.is_interrupted() {
                    return Err(Failure::Interrupted);
                }
                Ok(execution.usage.wall_ns)
            }
            Ok(_) => Err(Failure::input("Fathom's own busy loop failed")),
            Err(LaboratoryError::Interrupted) => Err(Failure::Interrupted),
            Err(error) => Err(Failure::input(error)),
        }
    }
}

fn document(checkup: &Checkup) -> Result<String, Failure> {
    let findings: Vec<serde_json::Value> = checkup
        .findings
        .iter()
        .map(|finding| {
            json!({
                "topic": finding.topic.name(),
                "level": finding.level.name(),
                "says": finding.says,
                "why": finding.why,
                "remedy": finding.remedy,
            })
        })
        .collect();
    let floor = checkup.floor.as_ref().map(|floor| {
        let smallest: Vec<serde_json::Value> = floor
            .smallest
            .iter()
            .map(|one| json!({ "seconds": one.seconds, "difference": one.share }))
            .collect();
        json!({
            "pairs": floor.pairs,
            "seconds": floor.seconds,
            "run_seconds": floor.run_seconds,
            "ratio": floor.ratio,
            "lower": floor.lower,
            "upper": floor.upper,
            "blocks": floor.blocks,
            "blocks_set_aside": floor.set_aside,
            "smallest_difference": smallest,
        })
    });
    let words = written::typed();
    let document = json!({
        "schema": own_json::SCHEMA,
        "command_line": written::command_line(words.iter().map(String::as_str)),
        "environment": Environment::of_this_build(),
        "findings": findings,
        "noise_floor": floor,
    });
    Ok(serde_json::to_string_pretty(&document).map_err(Failure::input)? + "\n")
}
