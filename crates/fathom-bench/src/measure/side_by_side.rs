//! Alternating functions, in blocks of batches, until there is an answer or the time is over.

use super::batch_size::BatchSize;
use super::{Laboratory, SampleKind, TIME_TOGETHER, TimeBudget, WARM_UP, allocations};
use crate::function::{Broken, Function};
use crate::gauge::Gauge;
use fathom_analyze::compare::{
    Comparison, Course, Design, Paired, Pairing, analyze_counted, counted_in, counted_places,
    median_at,
};
use fathom_analyze::{
    AllocationsPerCall, EstimateRequest, Function as Facts, MeasuredExecutions, StopReason,
    Subject, analyze,
};
use fathom_record::Span;
use fathom_render::difference_so_far;
use fathom_stats::paired::{Assumptions, Looks, SlottedBlock, block_order};
use fathom_stats::tails::BlockRuns;
use fathom_sys::surroundings::Surroundings;

/// No verdict before this share of the blocks: the coins make the first look as honest as the
/// last, but what a machine does over the first milliseconds is not what it does.
const EARLIEST: f64 = 0.1;
/// A comparison of long functions has at least this many blocks, even if the time is over by then.
const FEWEST: usize = 10;
/// A plan that would end with time left goes on if this share of its blocks still fits.
const WORTH_ANOTHER_LOOK: f64 = 0.05;
/// But not for more than this many times the time.
const PATIENCE: f64 = 5.0;

/// What each batch of a block took, in time order, with the number of its function.
type SlotRuns = Vec<(usize, f64)>;

/// A function and what is known of it so far.
struct Participant<'f, 'b> {
    function: &'f mut Function<'b>,
    size: BatchSize,
    /// What a call took, batch by batch.
    values: Vec<f64>,
    allocations: Option<AllocationsPerCall>,
}

/// Compares functions with the first of them: all of them by themselves, and all but the first
/// against the first. Where one broke, which.
pub(crate) fn side_by_side(
    functions: &mut [Function<'_>],
    laboratory: &mut Laboratory<'_>,
) -> Result<(Vec<Subject>, Vec<Comparison>), (usize, Broken)> {
    let settings = laboratory.settings;
    let instrument = laboratory.instrument;
    let sample = laboratory.sample.clone();
    let names: Vec<String> = functions.iter().map(|function| function.name.clone()).collect();
    let budget = TimeBudget::begin(settings.max_time.unwrap_or(TIME_TOGETHER));
    let surroundings = Surroundings::look();
    (laboratory.show)(&|| format!("{}: warming up", names[0]));
    let mut participants = Vec::new();
    for (index, function) in functions.iter_mut().enumerate() {
        let size = BatchSize::of(function, &instrument, 1.0, sample.shortest_batch())
            .map_err(|broken| (index, broken))?;
        participants.push(Participant { function, size, values: Vec::new(), allocations: None });
    }
    if settings.statistic.depends_on_batches() {
        // A tail of longer batches is another one: single slow calls weigh less in it.
        let mut calls = participants.iter().map(|one| one.size.calls).max().unwrap_or(1);
        for (index, one) in participants.iter_mut().enumerate() {
            let limits = one.function.limits().map_err(|broken| (index, broken))?;
            calls = calls.min(limits.0);
        }
        for one in &mut participants {
            one.size = one.size.with_calls(calls);
        }
    }
    let quickest = warm_up(&mut participants, &budget)?;
    for (index, one) in participants.iter_mut().enumerate() {
        one.allocations = allocations(one.function, one.size).map_err(|broken| (index, broken))?;
    }
    let is_zero: Vec<bool> = participants
        .iter()
        .zip(&quickest)
        .map(|(one, ns)| {
            let time = Span::from_nanoseconds(*ns as u64);
            sample.is_zero(instrument.per_call(time, one.size.calls))
        })
        .collect();

    // Fixed before anybody has seen which is faster.
    let block_ns = 2.0 * quickest.iter().sum::<f64>() * (1.0 + super::LEAD_IN);
    let most = ((budget.left().nanoseconds_f64() / block_ns) as usize).max(FEWEST);
    let shortest = quickest.iter().copied().fold(f64::INFINITY, f64::min);
    let looks = Looks::plan(most).not_before((EARLIEST * most as f64) as usize);
    let others = participants.len() - 1;
    let tick = if sample.name().is_none() { instrument.tick(shortest) } else { 0.0 };
    let gates = settings.gates.clone();
    let mut course = Course::new(others, most, settings.confidence, settings.margin, gates, tick)
        .comparing(settings.statistic, 2, settings.seed)
        .with_looks(looks);
    let began_blocks = budget.elapsed().seconds();
    let mut block = 0;
    let mut slots: Vec<SlotRuns> = Vec::new();
    let stopped = loop {
        if course.open().is_empty() && block > 0 {
            break StopReason::Verdict;
        }
        if laboratory.is_interrupted() && block > 0 {
            course.end();
            break StopReason::Interrupted;
        }
        let is_over = (budget.left() == Span::ZERO && block >= FEWEST) || budget.has_used(PATIENCE);
        let planned = course.looks().most();
        if course.blocks() >= planned || (is_over && block > 0) {
            if course.blocks() < planned {
                course.end();
            }
            break StopReason::MaxTime;
        }
        if course.blocks() + 1 == planned {
            // Blocks got shorter, or functions were settled: the time that is left is used.
            let each = 1e9 * (budget.elapsed().seconds() - began_blocks) / block.max(1) as f64;
            let further = budget.left().nanoseconds_f64() / each - 1.0;
            if further > WORTH_ANOTHER_LOOK * planned as f64 {
                course.extend(planned + (further as usize).max(1));
            }
        }
        let in_turn: Vec<usize> =
            std::iter::once(0).chain(course.open().into_iter().map(|other| other + 1)).collect();
        let (runs, blocks) = one_block(&mut participants, &in_turn, settings.seed, block, &sample)?;
        slots.push(runs);
        course.take_runs(&blocks);
        block += 1;
        let seconds_left = budget.left().seconds();
        (laboratory.show)(&|| progress(&names, &course, seconds_left));
    };
    let per_block = (budget.elapsed().seconds() - began_blocks) / block.max(1) as f64;
    let disturbance = surroundings.disturbance();

    let comparisons: Vec<Comparison> = (0..others)
        .filter(|other| !is_zero[0] && !is_zero[other + 1])
        .filter(|other| has_ratio(&participants[0]) && has_ratio(&participants[other + 1]))
        .filter_map(|other| {
            let pair = [names[0].as_str(), names[other + 1].as_str()];
            let found = Comparison::of(&course, other, pair, Pairing::Batches, per_block)?;
            let Design::Paired(paired) = &found.design else { return Some(found) };
            let counted = counted_places(paired);
            let [reference, subject] =
                [0, other + 1].map(|index: usize| median_at(&participants[index].values, &counted));
            let assumptions = assumptions(paired, &slots, other + 1);
            Some(found.with_medians(reference, subject).with_assumptions(assumptions))
        })
        .collect();
    // The medians use the same samples as the comparisons.
    let of_all: Vec<(&str, &[f64])> = names
        .iter()
        .zip(&participants)
        .map(|(name, one)| (name.as_str(), one.values.as_slice()))
        .collect();
    let counted: Vec<Option<Vec<usize>>> =
        names.iter().map(|name| counted_in(name, &comparisons, &of_all)).collect();
    let request = EstimateRequest {
        statistics: vec![settings.statistic.of_each_side()],
        ..settings.request()
    };
    let mut subjects = Vec::new();
    for ((index, one), counted) in participants.into_iter().enumerate().zip(counted) {
        let series = sample
            .series(one.function.name.clone(), one.values)
            .map_err(|_| (index, Broken::Empty))?;
        let mut subject = match counted {
            Some(counted) => analyze_counted(series, &counted, &request),
            None => analyze(series, &request),
        };
        // Drift and dependence affect the medians next to the verdict, not the verdict.
        subject.warnings.clear();
        subject.stopped = stopped;
        subject.function = Some(Facts {
            calls_per_batch: one.size.calls,
            is_zero: is_zero[index],
            timing: one.function.timing().ok(),
            executions: Some(MeasuredExecutions::One { why: None }),
            throughput: one.function.asked.throughput,
            input: one.function.input.clone(),
            allocations: one.allocations,
            stolen: disturbance.stolen,
            others: disturbance.others,
        });
        subjects.push(subject);
    }
    Ok((subjects, comparisons))
}

/// Whether all values are above 0. Leaving out blocks that have no ratio would favour one of the two.
fn has_ratio(participant: &Participant<'_, '_>) -> bool {
    participant.values.iter().all(|value| *value > 0.0)
}

/// Takes turns for a while; the quickest batch of each, in nanoseconds.
fn warm_up(
    participants: &mut [Participant<'_, '_>],
    budget: &TimeBudget,
) -> Result<Vec<f64>, (usize, Broken)> {
    let mut quickest = vec![f64::INFINITY; participants.len()];
    loop {
        for (index, one) in participants.iter_mut().enumerate() {
            let reading = one.size.read(one.function, Gauge::Time);
            let time = reading.map_err(|broken| (index, broken))?.time;
            quickest[index] = quickest[index].min(time.nanoseconds_f64().max(1.0));
        }
        if budget.has_used(WARM_UP) {
            return Ok(quickest);
        }
    }
}

/// What the blocks of a function say about the assumptions of its comparison with the first.
fn assumptions(paired: &Paired, slots: &[SlotRuns], function: usize) -> Assumptions {
    let last = |place: usize| slots.get(place.checked_sub(1)?)?.last().map(|(who, _)| *who);
    // A settled function is in no further block.
    let of = |place: usize| SlottedBlock::of(slots.get(place)?, [0, function], last(place));
    let blocks: Vec<SlottedBlock> = (0..paired.blocks).map_while(of).collect();
    let mut counts = vec![true; blocks.len()];
    for &place in &paired.set_aside {
        if let Some(counts) = counts.get_mut(place) {
            *counts = false;
        }
    }
    Assumptions::of(&blocks, &counts)
}

/// What ran in a block, and the block of each function.
type MeasuredBlock = (SlotRuns, Vec<(usize, BlockRuns)>);

/// A block: every participant twice, mirrored in time, in an order that coins decide.
fn one_block(
    participants: &mut [Participant<'_, '_>],
    in_turn: &[usize],
    seed: u64,
    block: usize,
    sample: &SampleKind,
) -> Result<MeasuredBlock, (usize, Broken)> {
    let mut runs = Vec::with_capacity(2 * in_turn.len());
    for index in block_order(seed, block, in_turn) {
        let one = &mut participants[index];
        let reading = one.size.read(one.function, sample.gauge());
        let value = reading.and_then(|reading| sample.per_call(reading, one.size.calls));
        let value = value.map_err(|broken| (index, broken))?;
        one.values.push(value);
        runs.push((index, value));
    }
    let last_two = |index: usize| -> [f64; 2] {
        let values = &participants[index].values;
        [values[values.len() - 2], values[values.len() - 1]]
    };
    let reference = last_two(0);
    let blocks = in_turn.iter().filter(|index| **index > 0).filter_map(|&index| {
        // There is one, unless a measurement other than time gave 0.
        Some((index - 1, BlockRuns::of(last_two(index), reference)?))
    });
    let blocks = blocks.collect();
    Ok((runs, blocks))
}

fn progress(names: &[String], course: &Course, seconds_left: f64) -> String {
    let open = course.open();
    let so_far = open.iter().find_map(|&index| {
        let subject = &course.subjects()[index];
        let log_ratio = subject.log_ratio()?;
        Some(format!(", so far {}", difference_so_far(log_ratio, subject.interval(), 2)))
    });
    let name = open.first().map_or(&names[0], |&index| &names[index + 1]);
    format!("{name}{}, at most {seconds_left:.1} s left", so_far.unwrap_or_default())
}

#[cfg(test)]
mod tests;
