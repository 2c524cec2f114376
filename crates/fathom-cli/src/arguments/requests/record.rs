//! `fathom record`.

use crate::arguments::RecordArguments;
use fathom_measure::{Output, Tolerated};
use fathom_request::{ApplicationOptions, RecordRequest, RecordedCommandOptions, SamplingOptions};

impl RecordArguments {
    pub(crate) fn request(&self) -> RecordRequest {
        let (sampling, application, running) = (&self.sampling, &self.application, &self.running);
        RecordRequest {
            command: self.command.clone(),
            pid: sampling.pid,
            duration: sampling.duration,
            sampling: SamplingOptions {
                every: sampling.interval,
                probes: sampling.probes.clone(),
                groups: sampling.groups.clone(),
                runs: sampling.runs,
                common: sampling.common.clone(),
            },
            application: ApplicationOptions {
                metrics: application.metrics.clone(),
                json: application.json,
                sources: application.sources.clone(),
            },
            running: RecordedCommandOptions {
                prepare: running.prepare.clone(),
                conclude: running.conclude.clone(),
                shell: running.shell.clone(),
                ignore_failure: running.ignore_failure.clone().unwrap_or(Tolerated::Nothing),
                timeout: running.timeout,
                output: match running.show_output {
                    true => Output::Inherit,
                    false => running.output_to.clone(),
                },
                input: running.input.clone(),
                cpu: running.cpu,
            },
        }
    }
}
