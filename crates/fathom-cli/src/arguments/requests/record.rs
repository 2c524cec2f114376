//! `fathom record`.

use crate::arguments::RecordArguments;
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
                events: sampling.events.clone(),
                runs: sampling.runs,
                common: sampling.common.clone(),
            },
            application: ApplicationOptions {
                metrics: application.metrics.clone(),
                json: application.json,
                sources: application.sources.clone(),
            },
            derived: self.derived.clone(),
            running: RecordedCommandOptions {
                prepare: running.prepare.clone(),
                conclude: running.conclude.clone(),
                command: running.command.options(running.shell.clone()),
            },
        }
    }
}
