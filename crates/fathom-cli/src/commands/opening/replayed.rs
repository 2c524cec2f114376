//! A command that is done again on what it measured or read, with other options.

use crate::arguments::{
    AnalyzeArguments, CleaningArguments, Cli, Color, Command, CompareArguments, OutlierName,
    RunArguments,
};
use crate::commands::compare::{self, KeptRuns};
use crate::commands::sessions::Taken;
use crate::commands::{run, written};
use crate::failure::Failure;
use clap::Parser;
use fathom_analyze::{Report, Request, Statistic};
use fathom_engine::Engine;
use fathom_record::Run;
use fathom_ui::SessionSource;
use fathom_ui::session::SessionOptions;

/// A session, or files that are analysed or compared.
pub(super) struct Replayed {
    command: Again,
    runs: Vec<Run>,
    plan: Option<String>,
    seed: u64,
    id: Option<i64>,
    command_line: String,
    color: Color,
}

enum Again {
    Run(Box<RunArguments>),
    Compare(Box<CompareArguments>),
    Analyze(Box<AnalyzeArguments>),
}

impl Replayed {
    /// A session taken out of the store.
    pub(super) fn session(
        command: Command,
        taken: Taken,
        id: i64,
        color: Color,
    ) -> Result<Replayed, Failure> {
        let command = match command {
            Command::Run(of) => Again::Run(of),
            Command::Compare(of) => Again::Compare(of),
            _ => {
                return Err(Failure::input(format!(
                    "session {id} holds no measurement of this version of Fathom"
                )));
            }
        };
        let replayed = Replayed {
            command,
            command_line: written::command_line(taken.words.iter().map(String::as_str)),
            runs: taken.runs,
            plan: taken.plan,
            seed: taken.seed,
            id: Some(id),
            color,
        };
        replayed.checked()
    }

    /// One file is analysed, several are compared with the first.
    pub(super) fn files(files: &[String]) -> Result<Replayed, Failure> {
        let asked: &[&str] = if files.len() > 1 { &["compare", "--files"] } else { &["analyze"] };
        let words: Vec<&str> =
            asked.iter().copied().chain(files.iter().map(String::as_str)).collect();
        let parsed = Cli::try_parse_from(std::iter::once("fathom").chain(words.iter().copied()))
            .map_err(Failure::input)?;
        let command = match parsed.command {
            Command::Analyze(of) => Again::Analyze(of),
            Command::Compare(of) => Again::Compare(of),
            _ => return Err(Failure::input(format!("{} cannot be opened", files.join(" ")))),
        };
        let replayed = Replayed {
            command,
            command_line: written::command_line(words.into_iter()),
            runs: Vec::new(),
            plan: None,
            seed: 1,
            id: None,
            color: Color::Auto,
        };
        replayed.checked()
    }

    /// What cannot be read is said before a page is opened.
    fn checked(self) -> Result<Replayed, Failure> {
        self.made(&self.options())?;
        Ok(self)
    }

    fn made(&self, options: &SessionOptions) -> Result<Report, Failure> {
        let mut report = match &self.command {
            Again::Run(of) => {
                let mut of = of.clone();
                of.confidence = options.confidence;
                of.statistics = vec![options.statistic];
                cleaned(&mut of.cleaning, options);
                run::report_of_session(&of, self.runs.clone(), self.plan.as_deref(), self.seed)?
            }
            Again::Analyze(of) => {
                let mut of = of.clone();
                of.confidence = options.confidence;
                of.statistics = vec![options.statistic];
                cleaned(&mut of.cleaning, options);
                Engine::new(&mut ()).analyze(&of.request())?.report
            }
            Again::Compare(of) if self.id.is_none() => {
                let mut of = of.clone();
                of.confidence = options.confidence;
                cleaned(&mut of.cleaning, options);
                compare::report_of_files(&of)?
            }
            Again::Compare(of) => {
                // The comparison itself was planned for its confidence; what stands beside it was not.
                let request = Request {
                    statistics: vec![options.statistic],
                    confidence: options.confidence,
                    outliers: options.outliers,
                    steady_state: options.steady_state,
                    seed: self.seed,
                    correlogram: true,
                    ..of.cleaning.apply(Request::default())
                };
                let plan = self.plan.as_deref();
                let kept = KeptRuns { runs: self.runs.clone(), plan, seed: self.seed };
                let made = compare::report_of_session(of, kept, Some(request), self.color)?;
                made.map(|(report, _)| report).ok_or_else(|| {
                    Failure::input(
                        "the session has no finished block to show; go on with: fathom resume",
                    )
                })?
            }
        };
        if report.subjects.is_empty() {
            return Err(Failure::input("the session has no finished run to show"));
        }
        report.session = self.id;
        report.command_line.clone_from(&self.command_line);
        Ok(report)
    }
}

fn cleaned(cleaning: &mut CleaningArguments, options: &SessionOptions) {
    cleaning.outliers = OutlierName::of(options.outliers);
    cleaning.steady_state = options.steady_state;
    cleaning.correlogram = true;
}

impl SessionSource for Replayed {
    fn options(&self) -> SessionOptions {
        let (confidence, cleaning, statistic) = match &self.command {
            Again::Run(of) => (of.confidence, &of.cleaning, of.statistics.first()),
            Again::Analyze(of) => (of.confidence, &of.cleaning, of.statistics.first()),
            Again::Compare(of) => (of.confidence, &of.cleaning, None),
        };
        SessionOptions {
            confidence,
            outliers: cleaning.outliers.value(),
            steady_state: cleaning.steady_state,
            statistic: statistic.copied().unwrap_or(Statistic::MEDIAN),
        }
    }

    fn report(&self, options: &SessionOptions) -> Result<Report, String> {
        self.made(options).map_err(|failure| failure.to_string())
    }
}
