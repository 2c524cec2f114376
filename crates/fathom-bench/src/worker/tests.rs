//! Answers to orders, without pipes.

use super::*;
use crate::Measurement;
use crate::gauge::{Gauge, Reading};
use crate::measure::scripted::Scripted;
use crate::meter::kept;
use crate::routine::Routine;
use std::cell::RefCell;
use std::rc::Rc;

fn ask(line: &str, functions: &mut [Function<'_>]) -> Result<Reply, String> {
    answer(line, functions, &WorkerInstrument::new(None))
}

#[test]
fn a_batch_has_a_tenth_more_calls_that_are_not_timed() {
    let routine = Scripted::of(1000.0);
    let batches = routine.batches();
    let mut functions = [Scripted::of(1.0).named("other"), routine.named("f")];
    let mut calls_of = |order: &str| {
        batches.borrow_mut().clear();
        let Ok(Reply::PerCall(seconds)) = ask(order, &mut functions) else { unreachable!() };
        assert!((0.9e-6..1.1e-6).contains(&seconds), "{order}: {seconds}");
        batches.borrow().clone()
    };
    assert_eq!(calls_of("batch 1 100"), [10, 100]);
    assert_eq!(calls_of("batch 1 19"), [1, 19]);
    assert_eq!(calls_of("batch 1 5"), [1, 5]);
    assert_eq!(calls_of("batch 1 1"), [1, 1]);
    // A millisecond brings its own caches: one call is enough.
    let long = Scripted::of(1_100_000.0);
    let batches = long.batches();
    let mut functions = [long.named("long")];
    assert!(matches!(ask("batch 0 1", &mut functions), Ok(Reply::PerCall(_))));
    assert_eq!(*batches.borrow(), [1]);
    assert!(matches!(ask("batch 0 2", &mut functions), Ok(Reply::PerCall(_))));
    assert_eq!(*batches.borrow(), [1, 1, 2]);
}

#[test]
fn a_batch_has_as_many_calls_as_the_clock_needs() {
    let mut functions = [Scripted::of(1000.0).named("f"), Scripted::of(1e-4).named("nothing")];
    let Ok(Reply::Size(calls)) = ask("size 0", &mut functions) else { unreachable!() };
    // 80 µs, or more where the clock is coarse.
    assert!(calls >= 80, "{calls}");
    assert_eq!(ask("size 1", &mut functions), Ok(Reply::Zero));
}

#[test]
fn orders_that_cannot_be_carried_out_say_why() {
    let mut functions = [
        Function::new("panics".to_string(), |bencher| bencher.iter(|| panic!("no"))),
        Function::new("empty".to_string(), |_| ()),
    ];
    for (order, why) in [
        ("size 2", "function 2 does not exist"),
        ("batch 2 1", "function 2 does not exist"),
        ("count 2", "function 2 does not exist"),
        ("code 2", "function 2 does not exist"),
        ("size 0", "it panicked: no"),
        ("batch 0 10", "it panicked: no"),
        ("batch 1 10", "it timed nothing; call `bencher.iter(...)` in it"),
        ("dance", "unknown order \"dance\""),
        ("pin 100000", "Invalid argument (os error 22)"),
    ] {
        assert_eq!(ask(order, &mut functions), Err(why.to_string()), "{order}");
    }
}

#[test]
fn the_address_of_the_code_is_that_of_the_linker() {
    let mut functions = [Scripted::of(1.0).named("f"), Scripted::of(2.0).named("g")];
    let mut code = |order| match ask(order, &mut functions) {
        Ok(Reply::Code(address)) => address,
        other => unreachable!("{other:?}"),
    };
    let address = code("code 0");
    assert!(address > 0);
    assert_eq!(code("code 1"), address, "the same routine");
}

/// Counts something, and says so.
struct Faults;

impl Measurement for Faults {
    type Started = ();

    fn start(&self) {}

    fn end(&self, (): ()) -> f64 {
        0.0
    }

    fn name(&self) -> &str {
        "faults"
    }

    fn unit(&self) -> &str {
        "pages"
    }
}

/// A routine that counted this much in every batch.
struct Counted(Rc<RefCell<f64>>);

impl Routine for Counted {
    fn batch(&mut self, _calls: u64, gauge: Gauge) -> Reading {
        assert!(gauge.meter().is_some(), "asked for what the suite measures");
        Reading { value: Some(*self.0.borrow()), ..Reading::of_time(Span::from_milliseconds(1)) }
    }

    fn calls_alone(&mut self, calls: u64) -> Span {
        Span::from_nanoseconds(1_000_000 * calls)
    }
}

#[test]
fn other_measurements_than_time_have_a_name_and_are_above_0() {
    let instrument = WorkerInstrument::new(Some(kept(Faults)));
    let measured = MeasuredUnit { name: "faults".to_string(), unit: "pages".to_string() };
    assert_eq!(instrument.measured(), Some(measured));
    assert_eq!(WorkerInstrument::new(None).measured(), None);
    let count = Rc::new(RefCell::new(40.0));
    let counted = Counted(Rc::clone(&count));
    let mut functions = [Function::new("f".to_string(), |bencher| bencher.take(counted))];
    let mut ask = |order| answer(order, &mut functions, &instrument);
    assert!(matches!(ask("size 0"), Ok(Reply::Size(_))));
    assert_eq!(ask("batch 0 10"), Ok(Reply::PerCall(4.0)));
    *count.borrow_mut() = 0.0;
    let why = "its faults was 0 in a batch, so there is no ratio";
    assert_eq!(ask("batch 0 10"), Err(why.to_string()));
}
