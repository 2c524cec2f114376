//! `fathom check`.

use super::properties_file::{self, FileQuestion, FileQuestionKind};
use super::study_file::{self, StudyFile};
use crate::arguments::{CheckArguments, OutputFormat};
use crate::failure::Failure;
use fathom_measure::Tolerated;
use fathom_request::{
    CheckQuestion, CheckRequest, EstimateQuestion, ExecutionBudget, ExecutionOptions,
    ExecutionSource, Executor, ExecutorName, Frequency, GridOptions, Indifference, MetricUnit,
    NamedCommand, OnFailure, ParameterList, ParameterScan, PropertyMethod, PropertyQuestion,
    ReadingOptions, SAMPLED_EVERY, SlurmSettings, SystemOptions, name_and_text,
};

impl CheckArguments {
    /// What was asked, without the questions of `--properties`: those are read by [`asked`].
    ///
    /// [`asked`]: CheckArguments::asked
    pub(crate) fn request(&self) -> CheckRequest {
        let properties = self.property_texts.iter().map(|typed| self.property(typed));
        let estimates = self.estimates.iter().map(|typed| self.estimate(typed));
        self.request_about(properties.chain(estimates).collect())
    }

    /// What was asked, with the questions of `--properties`, and where each question comes from, for
    /// errors about it.
    ///
    /// # Errors
    /// The file cannot be read or holds something else, or an option has no effect on any question.
    pub(crate) fn asked(&self) -> Result<(CheckRequest, Vec<String>), Failure> {
        if let Some(study) = &self.study {
            let (arguments, places) = self.with_study(study_file::read(study)?);
            arguments.refuse_options_without_effect()?;
            return Ok((arguments.request(), places));
        }
        self.refuse_options_without_effect()?;
        let Some(file) = &self.properties else { return Ok((self.request(), Vec::new())) };
        let typed = |kind: fn(&CheckArguments, &str) -> CheckQuestion, texts: &[String]| {
            let question = |typed: &String| (kind(self, typed), format!("`{typed}`"));
            texts.iter().map(question).collect::<Vec<_>>()
        };
        let mut all = typed(CheckArguments::property, &self.property_texts);
        all.extend(typed(CheckArguments::estimate, &self.estimates));
        for FileQuestion { place, typed, kind } in properties_file::read(file)? {
            let question = match kind {
                FileQuestionKind::Property => self.property(&typed),
                FileQuestionKind::Estimate => self.estimate(&typed),
            };
            all.push((question, place));
        }
        let is_estimate = |(question, _): &(CheckQuestion, String)| {
            matches!(question, CheckQuestion::Estimate(_))
        };
        // The order of a request, which is the one in which questions are typed.
        all.sort_by_key(is_estimate);
        let without_effect = [
            ("--precision", self.precision.is_some() && !all.iter().any(is_estimate)),
            ("--indifference", self.indifference.is_some() && all.iter().all(is_estimate)),
        ];
        if let Some(option) = first_given(&without_effect) {
            return Err(Failure::input(format!(
                "{option} has no effect on the questions in {}. Leave it out",
                file.display()
            )));
        }
        let (questions, places) = all.into_iter().unzip();
        Ok((self.request_about(questions), places))
    }

    /// The same with what a study's file says, as if it had been typed.
    fn with_study(&self, study: StudyFile) -> (CheckArguments, Vec<String>) {
        let mut arguments = self.clone();
        arguments.study = None;
        arguments.command = study.command.into_iter().collect();
        arguments.lists = study.lists;
        arguments.baseline = study.baseline;
        arguments.shared_seeds = study.shared_seeds;
        let executions = &mut arguments.executions;
        executions.systems = study.systems;
        executions.shell = study.shell;
        executions.metrics = study.metrics;
        executions.files = study.files;
        let places = (study.properties.iter().chain(&study.estimates))
            .map(|(_, place)| place.clone())
            .collect();
        arguments.property_texts = study.properties.into_iter().map(|(typed, _)| typed).collect();
        arguments.estimates = study.estimates.into_iter().map(|(typed, _)| typed).collect();
        (arguments, places)
    }

    fn request_about(&self, questions: Vec<CheckQuestion>) -> CheckRequest {
        let questions = if questions.is_empty() { vec![self.property("")] } else { questions };
        CheckRequest {
            questions,
            per_question: self.per_question,
            probability: self.probability,
            confidence: self.confidence,
            executions: self.source(),
            reading: self.reading(),
            on_failure: self.on_failure(),
        }
    }

    fn on_failure(&self) -> OnFailure {
        let is_study = !self.lists.is_empty() || !self.scans.is_empty();
        self.executions.on_failure.unwrap_or(OnFailure::usual(is_study))
    }

    /// A property as it was typed. One that begins with a hyphen needs a space before it to be no flag.
    fn property(&self, typed: &str) -> CheckQuestion {
        let (name, text) = name_and_text(typed);
        let wald = self.indifference.and_then(Indifference::new).map(PropertyMethod::Wald);
        CheckQuestion::Property(PropertyQuestion {
            name: name.map(str::to_string),
            text: text.to_string(),
            vacuous: self.vacuous,
            method: wald.or(self.method.map(PropertyMethod::Named)),
        })
    }

    fn estimate(&self, typed: &str) -> CheckQuestion {
        let (name, text) = name_and_text(typed);
        CheckQuestion::Estimate(EstimateQuestion {
            name: name.map(str::to_string),
            expression: text.to_string(),
            direction: self.direction,
            precision: self.precision,
            method: self.method,
        })
    }

    fn source(&self) -> ExecutionSource {
        let executions = &self.executions;
        if !executions.data.is_empty() {
            let (files, rows) = (executions.data.clone(), executions.rows);
            let group_by = executions.group_by.clone();
            return ExecutionSource::Data { files, rows, group_by };
        }
        let system = |(name, command): &(String, String)| NamedCommand {
            name: name.clone(),
            command: command.clone(),
        };
        ExecutionSource::Commands(Box::new(ExecutionOptions {
            systems: match executions.systems.is_empty() {
                true => SystemOptions::Command(self.command.clone()),
                false => SystemOptions::Several(executions.systems.iter().map(system).collect()),
            },
            shell: executions.shell.clone(),
            metrics: executions.metrics.clone(),
            files: executions.files.clone(),
            budget: match self.runs {
                Some(runs) => ExecutionBudget::Exactly(runs),
                None => ExecutionBudget::AtMost {
                    effort: self.effort.unwrap_or_default(),
                    runs: self.max_runs,
                    time: self.max_time,
                },
            },
            ignore_failure: executions.failure.ignore_failure.clone().unwrap_or(Tolerated::Nothing),
            timeout: executions.failure.timeout,
            executor: self.executor(),
            keep_files: executions.keep_files.clone(),
            record: executions.record.then(|| executions.every.unwrap_or(SAMPLED_EVERY)),
            seed: executions.seed,
            grid: self.grid(),
            shared_seeds: self.shared_seeds,
            warmup: executions.warmup,
            prepare: executions.prepare.clone(),
            cpu: executions.cpu,
            env_offset: executions.env_offset,
        }))
    }

    fn grid(&self) -> GridOptions {
        let scan = |words: &[String]| match words {
            [name, min, max] => {
                Some(ParameterScan { name: name.clone(), min: min.clone(), max: max.clone() })
            }
            _ => None,
        };
        let list = |words: &[String]| match words {
            [name, values] => Some(ParameterList { name: name.clone(), values: values.clone() }),
            _ => None,
        };
        GridOptions {
            scans: self.scans.chunks(3).filter_map(scan).collect(),
            steps: self.steps.clone(),
            lists: self.lists.chunks(2).filter_map(list).collect(),
            baseline: self.baseline.clone(),
        }
    }

    fn executor(&self) -> Executor {
        let cluster = &self.cluster;
        match self.executions.on {
            ExecutorName::Local => Executor::Local { jobs: self.executions.jobs },
            ExecutorName::Slurm => Executor::Slurm(SlurmSettings {
                partition: cluster.partition.clone(),
                time: cluster.time.clone(),
                memory: cluster.memory.clone(),
                account: cluster.account.clone(),
                options: cluster.options.clone(),
                width: cluster.width,
            }),
        }
    }

    fn reading(&self) -> ReadingOptions {
        let executions = &self.executions;
        let unit = |(metric, unit): &(String, String)| MetricUnit {
            metric: metric.clone(),
            unit: unit.clone(),
        };
        ReadingOptions {
            input_format: executions.input_format,
            columns: executions.columns.clone(),
            units: executions.units.iter().map(unit).collect(),
            linear: executions.linear.clone(),
            events: executions.events.clone(),
            clock: executions.clock.and_then(Frequency::new),
        }
    }

    /// Refuses options that a request has no place for, because they would have no effect.
    fn refuse_options_without_effect(&self) -> Result<(), Failure> {
        let executions = &self.executions;
        let is_data = !executions.data.is_empty();
        if let (true, Some(baseline)) = (is_data, &self.baseline) {
            return Err(Failure::input(format!(
                "--baseline {baseline} is for parameters of commands, and has no effect with --data. \
                 Leave it out"
            )));
        }
        if let (true, Some(option)) = (is_data, self.first_for_commands()) {
            return Err(Failure::input(format!(
                "{option} is for executions that Fathom runs, and has no effect with --data. Leave \
                 it out"
            )));
        }
        let is_one =
            self.properties.is_none() && self.property_texts.len() + self.estimates.len() < 2;
        let is_grid = !self.lists.is_empty() || !self.scans.is_empty();
        if self.per_question && is_one && executions.group_by.is_none() && !is_grid {
            return Err(Failure::input(
                "--per-question is for several questions or groups. Leave it out, or ask more",
            ));
        }
        let is_table = matches!(
            self.output.format,
            OutputFormat::Csv | OutputFormat::Markdown | OutputFormat::Latex
        );
        if self.dry_run && is_table {
            return Err(Failure::input("--dry-run writes no table. Use --format human or json"));
        }
        if self.dry_run && self.output.exports().next().is_some() {
            return Err(Failure::input(
                "--dry-run exports nothing. Use --format json to get the plan as JSON",
            ));
        }
        if executions.rows.is_some() && !is_data {
            return Err(Failure::input("--rows is about the files of --data"));
        }
        let of_files = [
            ("--input-format", executions.input_format.is_some()),
            ("--column", !executions.columns.is_empty()),
        ];
        let reads_files = is_data || !executions.files.is_empty();
        if let (false, Some(option)) = (reads_files, first_given(&of_files)) {
            return Err(Failure::input(format!("{option} is about the files of --data or --read")));
        }
        match (executions.on, self.cluster.first_given()) {
            (ExecutorName::Local, Some(option)) => {
                Err(Failure::input(format!("{option} needs --executor slurm")))
            }
            (ExecutorName::Slurm, _) if executions.jobs > 1 => Err(Failure::input(
                "-j is for this machine. On Slurm, --slurm-width says how many executions run at \
                 once",
            )),
            (ExecutorName::Slurm, _) if executions.record => Err(Failure::input(
                "--record works on this machine only. Leave out --executor slurm, or have the command \
                 run `fathom record -o {dir}/trace --runs 1 -- ...` on its node",
            )),
            _ => Ok(()),
        }
    }

    /// The first option that was given and is for executions that Fathom runs.
    fn first_for_commands(&self) -> Option<&'static str> {
        let executions = &self.executions;
        first_given(&[
            ("--read", !executions.files.is_empty()),
            ("--metric", !executions.metrics.is_empty()),
            ("--shell", executions.shell.is_some()),
            ("--timeout", executions.failure.timeout.is_some()),
            ("--jobs", executions.jobs > 1),
            ("--executor slurm", executions.on == ExecutorName::Slurm),
            ("--keep-files", executions.keep_files.is_some()),
            ("--seed", executions.seed.is_some()),
            ("--ignore-failure", executions.failure.ignore_failure.is_some()),
            ("--warmup", executions.warmup > 0),
            ("--prepare", executions.prepare.is_some()),
            ("--cpu", executions.cpu.is_some()),
            ("--env-offset", executions.env_offset.is_some()),
            ("--effort", self.effort.is_some()),
            ("--runs", self.runs.is_some()),
            ("--max-runs", self.max_runs.is_some()),
            ("--max-time", self.max_time.is_some()),
            ("--precision", self.precision.is_some()),
            ("--dry-run", self.dry_run),
            ("--save", self.session.save.is_some()),
        ])
    }
}

fn first_given(options: &[(&'static str, bool)]) -> Option<&'static str> {
    options.iter().find_map(|(name, is_given)| is_given.then_some(*name))
}

#[cfg(test)]
mod tests {
    use crate::arguments::{Cli, Command};
    use clap::Parser;

    /// Why a check with these words is refused; empty if it is not.
    fn refused(words: &str) -> String {
        let words = ["fathom", "check"].into_iter().chain(words.split_whitespace());
        let Command::Check(arguments) = Cli::try_parse_from(words).unwrap().command else {
            unreachable!("that is not a check")
        };
        let refused = arguments.refuse_options_without_effect();
        refused.map_or_else(|failure| failure.to_string(), |()| String::new())
    }

    #[test]
    fn what_has_no_effect_on_files_is_refused() {
        for (option, name) in [
            ("--read result.json", "--read"),
            ("--metric x=1", "--metric"),
            ("--shell sh", "--shell"),
            ("--timeout 1s", "--timeout"),
            ("-j 2", "--jobs"),
            ("--executor slurm", "--executor slurm"),
            ("--keep-files kept", "--keep-files"),
            ("--seed 1", "--seed"),
            ("--ignore-failure=3", "--ignore-failure"),
            ("--effort quick", "--effort"),
            ("--runs 5", "--runs"),
            ("--max-runs 5", "--max-runs"),
            ("--max-time 5s", "--max-time"),
            ("--dry-run", "--dry-run"),
            ("--save name", "--save"),
        ] {
            let refused = refused(&format!("x<1 {option} --data runs.csv"));
            assert!(refused.starts_with(&format!("{name} is for executions that")), "{refused}");
        }
        assert!(
            refused("--interval x --precision 0.1 --data runs.csv").starts_with("--precision is")
        );
        assert_eq!(refused("x<1 --data runs.csv"), "");
        assert_eq!(
            refused("x<1 -j 1 --rows samples --input-format csv --column x --data runs.csv"),
            ""
        );
    }

    #[test]
    fn what_has_no_effect_on_commands_is_refused() {
        for (words, why) in [
            ("--dry-run --format csv", "--dry-run writes no table"),
            ("--dry-run --format markdown", "--dry-run writes no table"),
            ("--dry-run --export-csv a.csv", "--dry-run exports nothing"),
            ("--rows samples", "--rows is about the files of --data"),
            ("--input-format csv", "--input-format is about the files of --data or --read"),
            ("--column x", "--column is about the files of --data or --read"),
            ("--slurm-partition fast", "--slurm-partition needs --executor slurm"),
            ("--executor slurm -j 2", "-j is for this machine"),
            ("--executor slurm --record", "--record works on this machine only"),
        ] {
            let refused = refused(&format!("x<1 {words} -- true"));
            assert!(refused.starts_with(why), "{words}: {refused}");
        }
        for words in [
            "--dry-run",
            "--dry-run --format json",
            "--format csv --export-csv a.csv",
            "--column x --read result.csv",
            "--executor slurm -j 1 --slurm-partition fast",
        ] {
            assert_eq!(refused(&format!("x<1 {words} -- true")), "", "{words}");
        }
    }
}
