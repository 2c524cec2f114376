//! A bench executable that takes orders: which function, how many calls.
//!
//! It speaks over the pipes that were its standard input and output; see `duel::dialogue` for the
//! other end. What the functions print goes to standard error.

use crate::Suite;
use crate::duel::code::linked_address;
use crate::duel::dialogue::{Hello, Order, Reply};
use crate::function::{Broken, Function};
use crate::instrument::Instrument;
use crate::measure::{BatchSize, LONGER, part};
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use fathom_record::Span;
use std::cell::LazyCell;
use std::io::{self, BufRead, BufReader, Write};

/// Takes orders until there are no more.
pub(crate) fn serve(suite: Suite<'_>, selection: &BenchFilters) -> io::Result<BenchOutcome> {
    let (input, mut output) = fathom_sys::standard_streams::claim()?;
    let taken = suite.entries.into_iter().filter(|entry| selection.takes(entry));
    let mut functions: Vec<Function<'_>> = taken.flat_map(|entry| entry.functions).collect();
    let names = functions.iter().map(|function| function.name.clone()).collect();
    output.write_all(Hello { functions: names }.line().as_bytes())?;
    let instrument = LazyCell::new(Instrument::calibrated as fn() -> Instrument);
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
    instrument: &LazyCell<Instrument>,
) -> Result<Reply, String> {
    match Order::read(line) {
        Some(Order::Pin(cpu)) => {
            fathom_sys::affinity::pin(cpu).map_err(|error| error.to_string())?;
            Ok(Reply::Done)
        }
        Some(Order::Size(index)) => {
            let size = BatchSize::of(numbered(functions, index)?, instrument, LONGER)
                .map_err(|broken| broken.to_string())?;
            let per_call = instrument.per_call(Span::from_nanoseconds(size.ns as u64), size.calls);
            Ok(if instrument.is_zero(per_call) { Reply::Zero } else { Reply::Size(size.calls) })
        }
        Some(Order::Batch(index, calls)) => {
            let seconds = batch(numbered(functions, index)?, calls, instrument)
                .map_err(|broken| broken.to_string())?;
            Ok(Reply::PerCall(seconds))
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

/// The seconds per call of a batch, after a lead-in that wakes up the caches.
fn batch(function: &mut Function<'_>, calls: u64, instrument: &Instrument) -> Result<f64, Broken> {
    /// A single call as long as this brings its own caches.
    const LONG: Span = Span::from_milliseconds(1);
    let size = BatchSize { calls, ns: 0.0 };
    let lead_in = size.lead_in().max(1);
    let mut time = function.batch(lead_in)?;
    // A long function was just measured by its lead-in, were it not for the caches.
    if calls > 1 || time < LONG {
        time = function.batch(calls)?;
    }
    Ok(instrument.per_call(time, calls))
}
