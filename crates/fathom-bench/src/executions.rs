//! Functions measured over several executions of this program.
//!
//! Where code and data lie in memory, and what else an execution has from birth, changes how fast a
//! function is. Two executions can differ by more than the interval of either is wide. So this
//! program starts itself several times. Each execution measures every function, and counts once.
//! The number is fixed before the first is measured, or after the first by what it costs, never by
//! how fast a function was: there are no looks that would need correcting.

mod function_record;
mod own_program;
mod part;
mod plan;
mod single_benches;
mod worker_process;

pub(crate) use own_program::own_program;
pub(crate) use part::{CodeSettings, Part, PartOrder};
pub(crate) use plan::{WantedExecutions, fewest};
pub(crate) use single_benches::{SingleBench, SingleBenches};

use crate::duel::dialogue::{Order, Reply};
use crate::duel::memory_offsets::MemoryOffsets;
use crate::function::Broken;
use crate::instrument::Instrument;
use crate::measure::{Disturbance, Settings, Surroundings, TIME_ALONE, is_precise};
use crate::selection::BenchFilters;
use fathom_analyze::{StopReason, Subject};
use fathom_stats::drawn_number;
use fathom_sys::signals::Interrupt;
use function_record::FunctionRecord;
use plan::{ExecutionCost, FEWEST_BATCHES, Plan};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use worker_process::{NoAnswer, WorkerProcess};

/// No order takes longer, so that the user can interrupt between two.
const LONGEST_PART: Duration = Duration::from_millis(250);
/// The share of its time that an execution measures at least.
const EARLIEST: f64 = 0.2;
/// Looks at an execution's own batches are apart by this factor.
const GROWTH: f64 = 1.25;
/// The share of its time that warms up caches and branch predictors.
const WARM_UP: f64 = 0.1;
/// A function with a single execution has at least this many batches.
const FEWEST_ALONE: u64 = 20;
/// But not for more than this many times its time.
const PATIENCE_ALONE: f64 = 5.0;
/// A function is given up after this many times its time, and never before the other.
const PATIENCE: u32 = 100;
const PATIENCE_AT_FIRST: Duration = Duration::from_secs(20);
const PATIENCE_LATER: Duration = Duration::from_secs(5);

/// How functions are measured over executions.
pub(crate) struct Executions<'a> {
    pub(crate) wanted: WantedExecutions,
    pub(crate) settings: &'a Settings,
    /// Whether the user said how sure to be: then the code's word does not count.
    pub(crate) has_confidence: bool,
    pub(crate) instrument: Instrument,
    pub(crate) interrupt: Option<Interrupt>,
    /// Whether a program comes to its functions in their order, and to none twice.
    pub(crate) is_in_order: bool,
    /// A word for workers, where one is needed.
    pub(crate) word: Option<&'static str>,
}

/// What executions gave.
#[derive(Default)]
pub(crate) struct OverExecutions {
    pub(crate) found: BTreeMap<String, Subject>,
    /// Functions that broke, and executions that could not be started.
    pub(crate) failures: Vec<(String, Broken)>,
    /// Settings in the code that change nothing.
    pub(crate) without_effect: Vec<String>,
}

impl<'a> Executions<'a> {
    /// For the functions of a suite, which can be measured in any order.
    pub(crate) fn new(
        wanted: WantedExecutions,
        settings: &'a Settings,
        instrument: Instrument,
        interrupt: Option<Interrupt>,
        selection: &BenchFilters,
    ) -> Executions<'a> {
        let word = selection.word_for_workers();
        let (has_confidence, is_in_order) = (true, false);
        Executions { wanted, settings, has_confidence, instrument, interrupt, is_in_order, word }
    }

    /// Measures these functions in every execution. An error says why there is no second execution.
    pub(crate) fn measure(
        &self,
        names: &[String],
        show: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> Result<OverExecutions, String> {
        let surroundings = Surroundings::look();
        let mut cpu = Duration::ZERO;
        let began = Instant::now();
        let first = self
            .start(0, names.len())
            .map_err(|why| format!("another could not be started: {why}"))?;
        let start = began.elapsed() / u32::try_from(names.len().max(1)).unwrap_or(u32::MAX);
        let mut records = Vec::new();
        for name in names {
            let place = first.functions.iter().position(|known| known == name);
            let place = place.ok_or_else(|| format!("another execution has no bench {name}"))?;
            records.push(FunctionRecord::new(name, place));
        }
        let mut over = OverExecutions::default();
        let mut process = Some(first);
        let mut number = 0;
        while !self.is_interrupted() {
            let order = self.order(&records, number);
            if order.is_empty() {
                break;
            }
            for index in order {
                let open = match process.take() {
                    Some(process) => Ok(process),
                    None => self.start(number, names.len()),
                };
                let mut open = match open {
                    Ok(open) => open,
                    Err(_) if self.is_interrupted() => break,
                    Err(why) => {
                        let name = format!("execution {}", number + 1);
                        over.failures.push((name, Broken::Elsewhere(why)));
                        let disturbance = surroundings.disturbance_besides(cpu.into());
                        return Ok(self.concluded(over, &records, disturbance));
                    }
                };
                let record = &mut records[index];
                show(&|| self.progress(record, number));
                let before = open.cpu;
                let executed = self.execute(record, &mut open, number, start);
                cpu += open.cpu.saturating_sub(before);
                match executed {
                    Ok(()) => process = Some(open),
                    Err(_) if self.is_interrupted() => break,
                    Err(NoAnswer::NotTime) => {
                        return Err(format!("{} measures something else than time", record.name));
                    }
                    Err(no_answer) => {
                        let (why, is_gone) = match no_answer {
                            NoAnswer::NotTime => continue,
                            NoAnswer::Broken(why) => (why, false),
                            NoAnswer::Gone(why) => (why, true),
                        };
                        let why = match number {
                            0 => why,
                            _ => format!("in execution {} {why}", number + 1),
                        };
                        record.broken = Some(Broken::Elsewhere(why));
                        // The process went down with the function; the others need a new one.
                        process = (!is_gone).then_some(open);
                    }
                }
                if self.is_interrupted() {
                    break;
                }
            }
            process = None;
            number += 1;
        }
        let disturbance = surroundings.disturbance_besides(cpu.into());
        Ok(self.concluded(over, &records, disturbance))
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::requested)
    }

    fn concluded(
        &self,
        mut over: OverExecutions,
        records: &[FunctionRecord],
        disturbance: Disturbance,
    ) -> OverExecutions {
        for record in records {
            over.without_effect.extend(record.first.asked.without_effect.iter().cloned());
            if let Some(broken) = &record.broken {
                over.failures.push((record.name.clone(), broken.clone()));
                continue;
            }
            let settings = self.settings_of(record);
            let subject =
                record.subject(&settings, &self.instrument, disturbance, self.is_interrupted());
            over.found.extend(subject.map(|subject| (record.name.clone(), subject)));
        }
        over
    }

    /// Where the command line says nothing, the bench's code may.
    fn settings_of(&self, record: &FunctionRecord) -> Settings {
        let asked = &record.first.asked;
        let mut settings = self.settings.clone();
        settings.max_time = settings.max_time.or(asked.max_time);
        if let Some(confidence) = asked.confidence.filter(|_| !self.has_confidence) {
            settings.confidence = confidence;
        }
        settings
    }

    /// How long a function may take in all executions together.
    fn time(&self, record: &FunctionRecord) -> Duration {
        self.settings_of(record).max_time.unwrap_or(TIME_ALONE)
    }

    /// The functions that an execution measures, in a random order if that can be: what a function
    /// leaves in memory for the next is a matter of chance as well.
    fn order(&self, records: &[FunctionRecord], number: usize) -> Vec<usize> {
        let mut open: Vec<usize> =
            (0..records.len()).filter(|index| records[*index].is_open(number)).collect();
        if !self.is_in_order {
            const ORDER: u64 = 0x6f72_6465_7273;
            let seed = drawn_number(self.settings.seed ^ ORDER, number as u64);
            open.sort_by_key(|index| drawn_number(seed, *index as u64));
        }
        open
    }

    fn start(&self, number: usize, functions: usize) -> Result<WorkerProcess, String> {
        let offsets = MemoryOffsets::draw(self.settings.seed, number, 0);
        let time = self.settings.max_time.unwrap_or(TIME_ALONE);
        let all = time * u32::try_from(functions).unwrap_or(u32::MAX);
        let limit = match self.wanted {
            // Slower, and there would not be time for several.
            WantedExecutions::AsTimeAllows if number == 0 => all.max(PATIENCE_LATER),
            _ => all.max(PATIENCE_AT_FIRST),
        };
        WorkerProcess::start(offsets, self.word, limit, self.interrupt)
    }

    /// Lets an execution measure a function.
    fn execute(
        &self,
        record: &mut FunctionRecord,
        process: &mut WorkerProcess,
        number: usize,
        start: Duration,
    ) -> Result<(), NoAnswer> {
        let began = Instant::now();
        let is_first = number == 0;
        let mut values: Vec<f64> = Vec::new();
        let mut measured = Duration::ZERO;
        let mut look = 0;
        loop {
            let (time, _) = self.extent(record);
            let limit = self.limit(record, is_first);
            let order = PartOrder {
                function: record.place,
                calls: record.first.calls,
                warm_up: if values.is_empty() {
                    time.mul_f64(WARM_UP).min(LONGEST_PART).max(Duration::from_nanos(1))
                } else {
                    Duration::ZERO
                },
                time: time.mul_f64(EARLIEST).min(LONGEST_PART),
                fewest: if values.is_empty() { FEWEST_BATCHES } else { 1 },
                counts_allocations: is_first && values.is_empty(),
                instrument: self.instrument.to_bits(),
            };
            let mut part = match process.ask(&Order::Measure(order), limit)? {
                Reply::Measured(part) => *part,
                Reply::NotTime => return Err(NoAnswer::NotTime),
                other => {
                    let line = other.line();
                    return Err(NoAnswer::Gone(format!("it answered {:?}", line.trim_end())));
                }
            };
            process.cpu = part.cpu;
            measured += part.spent;
            let part_values = std::mem::take(&mut part.values);
            if is_first && record.plan.is_none() {
                let batch = measured / u32::try_from(part_values.len()).unwrap_or(1).max(1);
                let cost = ExecutionCost { start, set_up: part.set_up, batch };
                record.first = part;
                let confidence = self.settings_of(record).confidence;
                record.plan = Some(self.wanted.plan(self.time(record), cost, confidence));
            }
            values.extend(part_values);
            let stopped = self.stopped(record, &values, measured, began, &mut look);
            if let Some(stopped) = stopped {
                record.stopped = stopped;
                let is_cut = stopped == StopReason::Interrupted;
                // An execution that was cut short counts if there is nothing else to show.
                if !is_cut || record.executions.is_empty() {
                    record.executions.push(values);
                }
                return Ok(());
            }
        }
    }

    /// How long an execution measures a function, and how many batches at least.
    fn extent(&self, record: &FunctionRecord) -> (Duration, u64) {
        let time = self.time(record);
        match &record.plan {
            None => {
                let most = self.wanted.most(self.settings_of(record).confidence);
                (time / u32::try_from(most).unwrap_or(u32::MAX), FEWEST_BATCHES)
            }
            Some(Plan::Several { time, .. }) => (*time, FEWEST_BATCHES),
            Some(Plan::One { .. }) => (time, FEWEST_ALONE),
        }
    }

    /// Whether an execution has measured enough of a function, and why. What that depends on is its
    /// own batches, so executions remain independent.
    fn stopped(
        &self,
        record: &FunctionRecord,
        values: &[f64],
        measured: Duration,
        began: Instant,
        look: &mut usize,
    ) -> Option<StopReason> {
        let (time, fewest) = self.extent(record);
        let is_alone = matches!(record.plan, Some(Plan::One { .. }));
        if self.is_interrupted() {
            return Some(StopReason::Interrupted);
        }
        let is_late = is_alone && began.elapsed() >= time.mul_f64(PATIENCE_ALONE);
        let has_enough = values.len() as u64 >= fewest;
        if (measured >= time && has_enough) || is_late {
            return Some(if is_alone { StopReason::MaxTime } else { StopReason::Fixed });
        }
        let is_early = measured < time.mul_f64(EARLIEST) || !has_enough || values.len() < *look;
        if !is_early {
            *look = (GROWTH * values.len() as f64) as usize;
        }
        let is_precise = !is_early && is_precise(&record.name, values, &self.settings_of(record));
        is_precise.then_some(if is_alone { StopReason::Precision } else { StopReason::Fixed })
    }

    /// How long an answer may take before the function counts as hanging. The first execution shows
    /// how long it takes.
    fn limit(&self, record: &FunctionRecord, is_first: bool) -> Duration {
        let usual = self.time(record) * PATIENCE;
        if is_first { usual + PATIENCE_AT_FIRST } else { usual.max(PATIENCE_LATER) }
    }

    fn progress(&self, record: &FunctionRecord, number: usize) -> String {
        let most = match &record.plan {
            Some(Plan::Several { count, .. }) => *count,
            _ => self.wanted.most(self.settings.confidence),
        };
        format!("execution {} of {most}: {}", number + 1, record.name)
    }
}

#[cfg(test)]
mod tests;
