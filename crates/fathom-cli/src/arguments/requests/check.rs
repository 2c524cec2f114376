//! `fathom check`.

use crate::arguments::{CheckArguments, OutputFormat};
use crate::failure::Failure;
use fathom_measure::Tolerated;
use fathom_request::{
    CheckQuestion, CheckRequest, EstimateQuestion, ExecutionBudget, ExecutionOptions,
    ExecutionSource, Executor, ExecutorName, Frequency, Indifference, MetricUnit, NamedCommand,
    PropertyMethod, PropertyQuestion, ReadingOptions, SlurmSettings, SystemOptions,
};

impl CheckArguments {
    pub(crate) fn request(&self) -> CheckRequest {
        CheckRequest {
            question: self.question(),
            probability: self.probability,
            confidence: self.confidence,
            executions: self.source(),
            reading: self.reading(),
            on_failure: self.executions.on_failure,
        }
    }

    fn question(&self) -> CheckQuestion {
        if let Some(expression) = &self.interval {
            return CheckQuestion::Estimate(EstimateQuestion {
                expression: expression.clone(),
                direction: self.direction,
                precision: self.precision,
                method: self.method,
            });
        }
        let wald = self.indifference.and_then(Indifference::new).map(PropertyMethod::Wald);
        CheckQuestion::Property(PropertyQuestion {
            // A property that begins with a hyphen needs a space before it to be no flag.
            text: self.property.as_deref().unwrap_or_default().trim().to_string(),
            vacuous: self.vacuous,
            method: wald.or(self.method.map(PropertyMethod::Named)),
        })
    }

    fn source(&self) -> ExecutionSource {
        let executions = &self.executions;
        if !executions.data.is_empty() {
            let (files, rows) = (executions.data.clone(), executions.rows);
            return ExecutionSource::Data { files, rows };
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
                None => ExecutionBudget::AtMost { runs: self.max_runs, time: self.max_time },
            },
            ignore_failure: executions.failure.ignore_failure.clone().unwrap_or(Tolerated::Nothing),
            timeout: executions.failure.timeout,
            executor: self.executor(),
            keep_files: executions.keep_files.clone(),
            seed: executions.seed,
        }))
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
    pub(crate) fn refuse_options_without_effect(&self) -> Result<(), Failure> {
        let executions = &self.executions;
        let is_data = !executions.data.is_empty();
        if let (true, Some(option)) = (is_data, self.first_for_commands()) {
            return Err(Failure::input(format!(
                "{option} is for executions that Fathom runs, and has no effect with --data. Leave \
                 it out"
            )));
        }
        let is_table = matches!(self.output.format, OutputFormat::Csv | OutputFormat::Markdown);
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
