//! A bench executable that takes orders: which function, how many calls.
//!
//! It speaks over the pipes that were its standard input and output; see `duel::dialogue` for the
//! other end. What the functions print goes to standard error.

use crate::Suite;
use crate::duel::code::linked_address;
use crate::duel::dialogue::{Hello, MeasuredUnit, Order, Reply};
use crate::function::{Broken, Function};
use crate::instructions::counted;
use crate::instrument::Instrument;
use crate::measure::{BatchSize, LONGER, SampleKind, part};
use crate::meter::Meter;
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use fathom_record::Span;
use std::cell::OnceCell;
use std::io::{self, BufRead, BufReader, Write};

/// Takes orders until there are no more.
pub(crate) fn serve(suite: &mut Suite<'_>, selection: &BenchFilters) -> io::Result<BenchOutcome> {
    let (input, mut output) = fathom_sys::standard_streams::claim()?;
    let taken = suite.entries.drain(..).filter(|entry| selection.takes(entry));
    let mut functions: Vec<Function<'_>> = taken.flat_map(|entry| entry.functions).collect();
    let names = functions.iter().map(|function| function.name.clone()).collect();
    let instrument = WorkerInstrument::new(suite.meter);
    let hello = Hello { functions: names, measured: instrument.measured() };
    output.write_all(hello.line().as_bytes())?;
    for line in BufReader::new(input).lines() {
        let reply = answer(&line?, &mut functions, &instrument);
        output.write_all(reply.unwrap_or_else(Reply::Broken).line().as_bytes())?;
    }
    Ok(BenchOutcome::Done)
}

/// Carries out an order; why not, if not.
pub(crate) fn answer(
    line: &str,
    functions: &mut [Function<'_>],
    instrument: &WorkerInstrument,
) -> Result<Reply, String> {
    match Order::read(line) {
        Some(Order::Pin(cpu)) => {
            fathom_sys::affinity::pin(cpu).map_err(|error| error.to_string())?;
            Ok(Reply::Done)
        }
        Some(Order::Size(index)) => {
            let (instrument, sample) = instrument.calibrated();
            let function = numbered(functions, index)?;
            let size = BatchSize::of(function, instrument, LONGER, sample.shortest_batch())
                .map_err(|broken| broken.to_string())?;
            let per_call = instrument.per_call(Span::from_nanoseconds(size.ns as u64), size.calls);
            Ok(if sample.is_zero(per_call) { Reply::Zero } else { Reply::Size(size.calls) })
        }
        Some(Order::Batch(index, calls)) => {
            let (_, sample) = instrument.calibrated();
            let per_call = batch(numbered(functions, index)?, calls, sample)
                .map_err(|broken| broken.to_string())?;
            Ok(Reply::PerCall(per_call))
        }
        Some(Order::Count(index)) => {
            let counts =
                counted(numbered(functions, index)?).map_err(|broken| broken.to_string())?;
            Ok(Reply::Counts(counts.calls, counts.per_call))
        }
        Some(Order::Measure(order)) => {
            let part = part(numbered(functions, order.function)?, &order);
            Ok(Reply::Measured(Box::new(part.map_err(|broken| broken.to_string())?)))
        }
        Some(Order::Code(index)) => {
            let code = numbered(functions, index)?.code().map_err(|broken| broken.to_string())?;
            let address = linked_address(code).ok_or("its machine code is not in a file")?;
            Ok(Reply::Code(address))
        }
        None => Err(format!("unknown order {line:?}")),
    }
}

fn numbered<'f, 'b>(
    functions: &'f mut [Function<'b>],
    index: usize,
) -> Result<&'f mut Function<'b>, String> {
    functions.get_mut(index).ok_or_else(|| format!("function {index} does not exist"))
}

/// What a call of a batch took, after a lead-in that wakes up the caches.
fn batch(function: &mut Function<'_>, calls: u64, sample: &SampleKind) -> Result<f64, Broken> {
    /// A single call as long as this brings its own caches.
    const LONG: Span = Span::from_milliseconds(1);
    let size = BatchSize { calls, ns: 0.0 };
    let lead_in = size.lead_in().max(1);
    let mut reading = function.read(lead_in, sample.gauge())?;
    // A long function was just measured by its lead-in, were it not for the caches.
    if calls > 1 || reading.time < LONG {
        reading = function.read(calls, sample.gauge())?;
    }
    let per_call = sample.per_call(reading, calls)?;
    match sample.name() {
        Some(name) if per_call <= 0.0 => {
            Err(Broken::Elsewhere(format!("its {name} was 0 in a batch, so there is no ratio")))
        }
        _ => Ok(per_call),
    }
}

/// What a worker measures with, calibrated when it is first needed: counting instructions does not
/// need it, and takes many times as long in valgrind.
pub(crate) struct WorkerInstrument {
    meter: Option<&'static dyn Meter>,
    calibrated: OnceCell<(Instrument, SampleKind)>,
}

impl WorkerInstrument {
    pub(crate) fn new(meter: Option<&'static dyn Meter>) -> WorkerInstrument {
        WorkerInstrument { meter, calibrated: OnceCell::new() }
    }

    /// What is measured, if it is not time.
    fn measured(&self) -> Option<MeasuredUnit> {
        self.meter.map(|meter| MeasuredUnit {
            name: meter.name().to_string(),
            unit: meter.unit().to_string(),
        })
    }

    fn calibrated(&self) -> (&Instrument, &SampleKind) {
        let (instrument, sample) = self.calibrated.get_or_init(|| {
            let instrument = Instrument::calibrated();
            (instrument, SampleKind::of(instrument, self.meter))
        });
        (instrument, sample)
    }
}

#[cfg(test)]
mod tests;
