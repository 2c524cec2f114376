//! What `run` and `compare` have in common, and `record` in part.

use crate::arguments::{
    CleaningArguments, CommandArguments, FailureArguments, RunningArguments, SessionArguments,
    StoreArguments, SubjectArguments,
};
use fathom_engine::{Saving, SessionFolder};
use fathom_measure::{Output, Tolerated};
use fathom_request::{
    CleaningOptions, CommandOptions, ParameterList, ParameterScan, RunningOptions, SubjectOptions,
};

impl SubjectArguments {
    pub(crate) fn options(&self) -> SubjectOptions {
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
        SubjectOptions {
            commands: self.commands.clone(),
            names: self.names.clone(),
            scans: self.scans.chunks(3).filter_map(scan).collect(),
            steps: self.steps.clone(),
            lists: self.lists.chunks(2).filter_map(list).collect(),
            reference: self.reference.clone(),
        }
    }
}

impl RunningArguments {
    pub(crate) fn options(&self) -> RunningOptions {
        RunningOptions {
            warmup: self.warmup,
            setup: self.setup.clone(),
            prepare: self.prepare.clone(),
            conclude: self.conclude.clone(),
            cleanup: self.cleanup.clone(),
            between: self.between.clone(),
            command: self.command.options(self.shell.clone()),
            env_offset: self.env_offset,
            counters: self.counters.clone(),
            metrics: self.metrics.clone(),
            on: self.on.clone(),
        }
    }
}

impl CommandArguments {
    pub(super) fn options(&self, shell: Option<String>) -> CommandOptions {
        let FailureArguments { ignore_failure, timeout } = self.failure.clone();
        CommandOptions {
            shell,
            ignore_failure: ignore_failure.unwrap_or(Tolerated::Nothing),
            timeout,
            output: if self.show_output { Output::Inherit } else { self.output_to.clone() },
            input: self.input.clone(),
            cpu: self.cpu,
        }
    }
}

impl CleaningArguments {
    pub(crate) fn options(&self) -> CleaningOptions {
        CleaningOptions {
            assume_independent: self.assume_independent,
            steady_state: self.steady_state,
            outliers: self.outliers,
            outlier_method: self.outlier_method,
            outlier_grid: self.outlier_grid,
            outlier_share: self.outlier_share,
            outlier_min_pts: self.outlier_min_pts,
            outlier_curve: self.outlier_curve,
            outlier_level: self.outlier_level,
            correlogram: self.correlogram,
        }
    }
}

impl StoreArguments {
    pub(crate) fn folder(&self) -> SessionFolder {
        SessionFolder(self.session_dir.clone())
    }
}

impl SessionArguments {
    pub(crate) fn saving(&self) -> Saving {
        Saving {
            is_off: self.no_save,
            name: self.save.clone(),
            takes_name: self.force,
            folder: self.folder.folder(),
        }
    }
}
