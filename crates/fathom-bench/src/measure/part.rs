//! Some batches of a function, as another process orders them.

use super::batch_size::BatchSize;
use super::{LONGER, allocations};
use crate::executions::{Part, PartOrder};
use crate::function::{Broken, Function};
use crate::gauge::Gauge;
use crate::instrument::Instrument;
use fathom_record::Span;
use fathom_sys::cpu_time::process;
use std::time::{Duration, Instant};

/// Carries out an order.
pub(crate) fn part(function: &mut Function<'_>, order: &PartOrder) -> Result<Part, Broken> {
    let instrument = Instrument::from_bits(order.instrument);
    let began = Instant::now();
    // Makes what the function needs, if it was not made yet.
    let timing = function.timing()?;
    let set_up = began.elapsed();
    let calls = match order.calls {
        0 => BatchSize::of(function, &instrument, LONGER, Span::ZERO)?.calls,
        calls => calls,
    };
    let began = Instant::now();
    while !order.warm_up.is_zero() {
        function.batch(calls)?;
        if began.elapsed() >= order.warm_up {
            break;
        }
    }
    let allocations = match order.counts_allocations {
        true => allocations(function, BatchSize { calls, ns: 0.0 })?,
        false => None,
    };
    let began = Instant::now();
    let mut values = Vec::new();
    while (values.len() as u64) < order.fewest.max(1) || began.elapsed() < order.time {
        let time = function.read(calls, Gauge::Time)?.time;
        values.push(instrument.per_call(time, calls));
    }
    let spent = began.elapsed();
    Ok(Part {
        values,
        calls,
        set_up,
        allocations,
        spent,
        cpu: Duration::from_nanos(process().nanoseconds()),
        timing: Some(timing),
        asked: function.asked.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Throughput;
    use std::cell::Cell;

    #[test]
    fn a_part_warms_up_and_then_has_its_batches() {
        let calls = Cell::new(0_u64);
        let mut function =
            Function::new("f".into(), |bencher| bencher.iter(|| calls.set(calls.get() + 1)));
        function.asked.throughput = Some(Throughput::Items(3));
        let order = PartOrder {
            function: 0,
            calls: 10,
            warm_up: Duration::from_nanos(1),
            time: Duration::ZERO,
            fewest: 4,
            counts_allocations: false,
            instrument: Instrument::calibrated().to_bits(),
        };
        let found = part(&mut function, &order).unwrap();
        assert_eq!((found.values.len(), found.calls, calls.get()), (4, 10, 50));
        assert_eq!(found.asked.throughput, Some(Throughput::Items(3)));
        // What continues it needs no warm-up.
        let further = PartOrder { warm_up: Duration::ZERO, fewest: 1, ..order };
        assert_eq!(part(&mut function, &further).unwrap().values.len(), 1);
        assert_eq!(calls.get(), 60);
        assert!(part(&mut function, &PartOrder { calls: 0, ..order }).unwrap().calls > 10);
    }
}
