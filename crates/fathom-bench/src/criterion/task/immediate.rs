//! Measuring functions as the bench comes to them.

use super::{ELSEWHERE, Run, Task, attempt, check_unit, is_confidence, suite_of};
use crate::benching::{BenchSetup, Findings, concluded, nothing_to_measure, planned, show};
use crate::command_line::CommandLine;
use crate::criterion::current_task::{ReachedFunction, leave};
use crate::criterion::routines::Lent;
use crate::criterion::settings::BenchSettings;
use crate::function::{Broken, Function};
use crate::instrument::Instrument;
use crate::measure::{Laboratory, Settings, alone};
use crate::outcome::BenchOutcome;
use crate::page::{Block, Page};
use crate::terminal::Terminal;
use fathom_analyze::{InputSize, Report, Subject};
use fathom_sys::signals::Interrupt;
use std::collections::BTreeSet;

/// Measures every function alone, there and then.
pub(super) struct Immediate {
    line: CommandLine,
    plan: BenchSetup,
    /// Once something is measured.
    instrument: Option<Instrument>,
    interrupt: Option<Interrupt>,
    has_confidence: bool,
    findings: Findings,
    page: Page,
    terminal: Terminal,
    without_effect: BTreeSet<&'static str>,
}

impl Immediate {
    pub(super) fn begin(
        line: CommandLine,
        typed: &[String],
        without_effect: BTreeSet<&'static str>,
        terminal: Terminal,
    ) -> Result<Immediate, String> {
        let plan = planned(&line, typed)?;
        let report = plan.report.clone();
        Ok(Immediate {
            page: Page::new(line.view(), terminal.width()),
            plan,
            instrument: None,
            interrupt: None,
            has_confidence: typed.iter().any(|word| is_confidence(word)),
            findings: Findings { report, failures: Vec::new(), is_interrupted: false },
            line,
            terminal,
            without_effect,
        })
    }

    /// How to measure, where the command line says nothing about it.
    fn settings(&self, of_bench: &BenchSettings) -> Settings {
        let mut settings = self.plan.settings.clone();
        settings.max_time = settings.max_time.or(of_bench.measurement_time);
        if let Some(confidence) = of_bench.confidence.filter(|_| !self.has_confidence) {
            settings.confidence = confidence;
        }
        settings
    }

    fn instrument(&mut self) -> Instrument {
        *self.instrument.get_or_insert_with(|| {
            self.interrupt = Interrupt::install().ok();
            self.terminal.progress(&|| "measuring the cost of the clock and the loop".to_string());
            let instrument = Instrument::calibrated();
            self.findings.report.harness = Some(instrument.harness());
            instrument
        })
    }

    fn measured(&mut self, reached: &ReachedFunction<'_>, run: Run<'_>) -> Result<Subject, Broken> {
        check_unit(reached)?;
        let instrument = self.instrument();
        let settings = self.settings(reached.settings);
        let terminal = &mut self.terminal;
        let interrupt = self.interrupt;
        let found = attempt(run, |routine| {
            let mut function =
                Function::new(reached.name.clone(), |bencher| bencher.take(Lent(routine)));
            function.throughput = reached.throughput;
            function.input = InputSize::of_name(&reached.name);
            let mut show = |line: &dyn Fn() -> String| terminal.progress(line);
            let settings = &settings;
            let mut laboratory = Laboratory { instrument, settings, interrupt, show: &mut show };
            alone(&mut function, &mut laboratory)
        });
        self.terminal.clear();
        found
    }

    fn conclude(&mut self, names: &[String]) -> BenchOutcome {
        if self.line.is_verbose && !self.without_effect.is_empty() {
            let settings: Vec<&str> = self.without_effect.iter().copied().collect();
            self.terminal.note(&format!(
                "note: accepted from criterion without effect: {}",
                settings.join(", ")
            ));
        }
        let Immediate { line, plan, findings, page, terminal, .. } = self;
        if findings.report.subjects.is_empty() && findings.failures.is_empty() {
            if names.is_empty() {
                terminal.note("note: the bench has no functions; nothing was measured");
                return BenchOutcome::Done;
            }
            let report = Report { harness: None, ..plan.report.clone() };
            return nothing_to_measure(&suite_of(names), line, report, terminal);
        }
        concluded(findings, line, &plan.place, page, terminal)
    }
}

impl Task for Immediate {
    fn reach(&mut self, reached: &ReachedFunction<'_>, run: Run<'_>) {
        self.without_effect.extend(&reached.settings.without_effect);
        match self.measured(reached, run) {
            Ok(subject) => {
                let subjects = vec![subject];
                let name = reached.name.clone();
                let block = Block { name, subjects, comparisons: Vec::new(), seconds: None };
                show(&self.page.next(&block), &self.line, &self.terminal);
                self.findings.report.subjects.extend(block.subjects);
            }
            Err(broken) => self.findings.failures.push((reached.name.clone(), broken)),
        }
        if self.interrupt.is_some_and(Interrupt::requested) {
            // What comes next in the bench may take long, and the user wants no more.
            self.findings.is_interrupted = true;
            leave(self.conclude(&[]));
        }
    }

    fn end(&mut self, names: &[String]) -> BenchOutcome {
        self.conclude(names)
    }

    fn is_broken(&self) -> bool {
        !self.findings.failures.is_empty()
    }

    fn broke_elsewhere(&mut self) {
        let broken = Broken::Elsewhere("it panicked".to_string());
        self.findings.failures.push((ELSEWHERE.to_string(), broken));
    }
}
