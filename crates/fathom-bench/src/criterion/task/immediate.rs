//! Measuring functions as the bench comes to them.

use super::{ELSEWHERE, Run, Task, attempt, is_confidence, names, suite_of};
use crate::benching::{BenchSetup, Findings, concluded, nothing_to_measure, planned, show};
use crate::command_line::CommandLine;
use crate::criterion::current_task::{ReachedFunction, leave};
use crate::criterion::routines::Lent;
use crate::criterion::settings::BenchSettings;
use crate::executions::{Executions, SingleBench, SingleBenches};
use crate::function::{Broken, Function};
use crate::instrument::Instrument;
use crate::measure::{Laboratory, Measured, SampleKind, Settings, alone};
use crate::outcome::BenchOutcome;
use crate::page::{Block, Page};
use crate::selection::BenchFilters;
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
    without_effect: BTreeSet<String>,
    singles: SingleBenches,
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
            without_effect: without_effect.into_iter().map(str::to_string).collect(),
            singles: SingleBenches::new(Vec::new(), false),
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
        let instrument = self.instrument();
        let settings = self.settings(reached.settings);
        let terminal = &mut self.terminal;
        let interrupt = self.interrupt;
        let found = attempt(run, |routine| {
            let mut function =
                Function::new(reached.name.clone(), |bencher| bencher.take(Lent(routine)));
            function.asked = reached.asked();
            function.input = InputSize::of_name(&reached.name);
            let mut show = |line: &dyn Fn() -> String| terminal.progress(line);
            let settings = &settings;
            let sample = match reached.foreign_unit {
                Some(unit) => SampleKind::Other(Measured::by_the_routine(unit)),
                None => SampleKind::Time(instrument),
            };
            let mut laboratory =
                Laboratory { instrument, sample, settings, interrupt, show: &mut show };
            alone(&mut function, &mut laboratory)
        });
        self.terminal.clear();
        found
    }

    fn take(&mut self, name: &str, mut subject: Subject) {
        if let Some(function) = &mut subject.function {
            function.input = InputSize::of_name(name);
        }
        let block = Block::of_single(name, subject);
        show(&self.page.next(&block), &self.line, &self.terminal);
        self.findings.report.subjects.extend(block.subjects);
    }

    /// Measures functions over executions of this program, in all of which the bench comes to them
    /// on its own. `None` if there can be one execution only: then they are measured in this one.
    pub(super) fn over_executions(&mut self, selection: &BenchFilters) -> Option<BenchOutcome> {
        let wanted = self.line.executions()?;
        let names = match names::of_this_program(selection) {
            Ok(names) => names,
            Err(why) => {
                self.singles = SingleBenches::here_because(why);
                return None;
            }
        };
        let names: Vec<String> =
            names.into_iter().filter(|name| selection.takes_name(name)).collect();
        if names.is_empty() {
            // What there is becomes known as the bench comes to it.
            return None;
        }
        let instrument = self.instrument();
        let executions = Executions {
            has_confidence: self.has_confidence,
            is_in_order: true,
            ..Executions::new(wanted, &self.plan.settings, instrument, self.interrupt, selection)
        };
        self.singles = SingleBenches::new(names.clone(), true);
        let mut subjects = Vec::new();
        for name in &names {
            let terminal = &mut self.terminal;
            let mut show = |line: &dyn Fn() -> String| terminal.progress(line);
            match self.singles.next(name, &executions, &mut show) {
                SingleBench::Measured(subject) => subjects.push((name, subject)),
                SingleBench::Nothing => (),
                SingleBench::Here if subjects.is_empty() => return None,
                // It worked before: the machine is out of something, or the program changed.
                SingleBench::Here => {
                    let broken =
                        Broken::Elsewhere("its execution could not be started".to_string());
                    self.findings.failures.push((name.clone(), broken));
                }
            }
            self.terminal.clear();
            self.findings.failures.extend(self.singles.take_failures());
        }
        for (name, subject) in subjects {
            self.take(name, *subject);
        }
        self.findings.is_interrupted = self.interrupt.is_some_and(Interrupt::requested);
        self.without_effect.extend(self.singles.without_effect().iter().cloned());
        Some(self.conclude(&names))
    }

    fn conclude(&mut self, names: &[String]) -> BenchOutcome {
        if self.line.is_verbose && !self.without_effect.is_empty() {
            let settings: Vec<&str> = self.without_effect.iter().map(String::as_str).collect();
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
        let names = reached.settings.without_effect.iter();
        self.without_effect.extend(names.map(|name| (*name).to_string()));
        match self.measured(reached, run) {
            Ok(mut subject) => {
                self.singles.label(&mut subject);
                self.take(&reached.name, subject);
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
