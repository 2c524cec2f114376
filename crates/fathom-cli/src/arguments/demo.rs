//! The command lines of `fathom demo`, and of the program that it measures.

use super::measure::TerminalArguments;
use super::values::value;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fathom_engine::demo::{DemoWork, WorkSpan};
use fathom_record::{TimeUnit, Timestamp};
use fathom_render::demo::DemoStep;
use fathom_request::TypedSpan;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fathom demo
  fathom demo --step decide      only this step
  fathom demo | less             works in a pipe

Needs no set-up. Each step shows a command, runs it on this machine, and says
what to notice in its answer. Nothing is saved: no session is stored, and
temporary files are removed, also after Ctrl-C.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DemoArguments {
    /// Take only this step (repeatable) [default: all]
    #[arg(long = "step", value_name = "STEP", value_parser = step())]
    pub(crate) steps: Vec<DemoStep>,

    #[command(flatten)]
    pub(crate) terminal: TerminalArguments,

    /// Show one line for each answer
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl DemoArguments {
    /// The steps to take, in the order of the tour.
    pub(crate) fn steps(&self) -> Vec<DemoStep> {
        let is_wanted = |step: &DemoStep| self.steps.is_empty() || self.steps.contains(step);
        DemoStep::ALL.into_iter().filter(is_wanted).collect()
    }
}

fn step() -> impl TypedValueParser<Value = DemoStep> {
    let choice = |step: DemoStep| PossibleValue::new(step.name()).help(step.summary());
    PossibleValuesParser::new(DemoStep::ALL.map(choice)).try_map(|name| {
        let mut all = DemoStep::ALL.into_iter();
        all.find(|step| step.name() == name).ok_or("there is no such step")
    })
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DemoWorkArguments {
    /// Do N units of work
    #[arg(long = "work", value_name = "N", default_value_t = 50)]
    units: u64,

    /// Do three times the work in the first N runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    slow_start: u64,

    /// Do three times the work in the Nth run
    #[arg(long, value_name = "N")]
    slow_run: Option<u64>,

    /// Do a random amount of work, at least that of --work
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Serve requests for this long, and print how long each takes
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>)]
    serve: Option<Duration>,

    /// With --serve: touch new memory in requests from A to B
    #[arg(long, value_name = "A..B", value_parser = value::<TypedSpan>, requires = "serve")]
    churn: Option<TypedSpan>,
}

impl DemoWorkArguments {
    pub(crate) fn work(&self) -> DemoWork {
        DemoWork {
            units: self.units,
            slow_start: self.slow_start,
            slow_run: self.slow_run,
            seed: self.seed,
            serve: self.serve,
            churn: self.churn.as_ref().and_then(span),
        }
    }
}

/// A stretch of time; an open end is the program's. Rows are none.
fn span(typed: &TypedSpan) -> Option<WorkSpan> {
    let (start, end) = match typed {
        TypedSpan::Time { start, end } => (start.as_ref(), end.as_ref()),
        TypedSpan::Whole => (None, None),
        TypedSpan::Rows { .. } => return None,
    };
    let at = |moment: &fathom_request::TypedMoment| moment.timestamp(TimeUnit::Seconds);
    Some(WorkSpan { from: start.map_or(Timestamp::ZERO, at), to: end.map_or(Timestamp::MAX, at) })
}
