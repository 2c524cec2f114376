//! Checks whether at least 90% of executions answer within 60 ms, and stops as soon as that is known:
//!
//!     cargo run -p fathom-property --example latency
#![allow(clippy::print_stdout, reason = "it prints its result")]

use fathom_property::decide::{CheckCourse, ExecutionOutcome, Method, ProportionQuestion};
use fathom_property::decide::{CheckVerdict, VacuousRule};
use fathom_property::{Catalogue, Property, judge};
use fathom_record::{Observation, Scalar, Unit};
use fathom_stats::{Confidence, Probability};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let property = Property::parse("latency < 60ms")?;
    let question = ProportionQuestion {
        probability: Probability::new(0.9)?,
        confidence: Confidence::new(0.95)?,
        method: Method::Anytime,
    };
    let mut course = CheckCourse::new(question, 1000, VacuousRule::default())?;
    let mut verdict = CheckVerdict::Inconclusive;
    for number in 0_u32..1000 {
        let seen = execution(number)?;
        let formula = property.resolve(&[(String::new(), Catalogue::of(&seen))])?.formula;
        let outcome = ExecutionOutcome::from(judge(&formula, &[&seen]).truth);
        if let Some(decided) = course.feed(outcome) {
            verdict = decided;
            break;
        }
    }
    let counts = course.counts();
    let (satisfied, all) = (counts.counted_true(), counts.samples());
    println!("{}: {satisfied} of {all} executions satisfy {}", verdict.name(), property.text());
    Ok(())
}

/// Stands in for an execution of your program: every fortieth is slow.
fn execution(number: u32) -> Result<Observation, Box<dyn Error>> {
    let latency = if number % 40 == 39 { 90.0 } else { 50.0 };
    let mut seen = Observation::new();
    seen.set_scalar("latency", Scalar::new(latency, Unit::parse("ms")))?;
    Ok(seen)
}
