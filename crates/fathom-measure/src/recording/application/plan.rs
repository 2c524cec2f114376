//! What is listened to in every run.

use super::listening::{Opened, Prepared, output_pipe};
use super::log_file::{LogError, LogFile};
use super::pass_on::Tee;
use super::{AppMetric, AppMetricError, AppSource, EndpointError};
use fathom_sys::pipes::NamedPipe;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Where a program's own metrics come from, and which are read there. Every metric is looked for in
/// every source that has lines.
#[derive(Debug, Clone)]
pub struct ApplicationPlan {
    /// What to find in lines.
    pub metrics: Vec<AppMetric>,
    /// Whether all numbers of lines that are JSON objects are taken: members by their names, with
    /// dots between them and `[0]` for the elements of arrays, as gauges; true is 1, false is 0.
    /// Members `time`, `timestamp`, `ts` and `@timestamp` of the line itself are passed over.
    pub json: bool,
    /// Where.
    pub sources: Vec<AppSource>,
    /// How often servers are asked (at most every 100 ms) and logs are looked at (every 1 to
    /// 100 ms).
    pub interval: Duration,
}

/// Why a program cannot be listened to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplicationError {
    /// An option.
    #[error("{0}")]
    Metric(#[from] AppMetricError),
    /// An address.
    #[error("{0}")]
    Endpoint(#[from] EndpointError),
    /// Lines are read, but no metric is defined for them.
    #[error(
        "no metric is defined for the lines of {place}. Define one with --app-metric NAME=REGEX, \
         or use --app-json for all numbers in JSON lines."
    )]
    NothingSought {
        /// The first such source.
        place: String,
    },
    /// A metric needs lines, but no source has lines.
    #[error(
        "{what} needs lines, but no source with lines is recorded. Add standard output, a named \
         pipe or a log."
    )]
    NoLines {
        /// Which metric, or "--app-json".
        what: String,
    },
    /// The same source twice.
    #[error("{place} is named twice. Remove one.")]
    Twice {
        /// Which.
        place: String,
    },
    /// More than one named pipe.
    #[error(
        "there are two pipes, {first} and {second}, but FATHOM_PIPE can name only one. Remove one."
    )]
    TwoPipes {
        /// The first.
        first: String,
        /// The second.
        second: String,
    },
    /// A file is where the pipe should be.
    #[error("{0} already exists and is not a named pipe. Use another path, or remove it.")]
    InTheWay(String),
    /// The pipe cannot be created.
    #[error("cannot create the named pipe {path}: {why}")]
    Pipe {
        /// Where.
        path: String,
        /// The system's reason.
        why: String,
    },
    /// The log is a folder or a device.
    #[error(
        "the log {0} is not a file. To read from a named pipe, use it as the one for FATHOM_PIPE; \
         it may already exist."
    )]
    NotALog(String),
    /// The log cannot be read.
    #[error("cannot read the log {path}: {why}")]
    Log {
        /// Where.
        path: String,
        /// The system's reason.
        why: String,
    },
    /// What standard output is passed on to.
    #[error("cannot copy standard output to {path}: {why}")]
    PassOn {
        /// Where.
        path: String,
        /// The system's reason.
        why: String,
    },
    /// The system refuses a thread or a pipe.
    #[error("cannot listen to the program: {0}")]
    System(String),
}

impl ApplicationPlan {
    /// Whether there is nothing to listen to.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Looks for contradictions, so that the user sees them before anything runs.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check(&self) -> Result<(), ApplicationError> {
        let seeks = self.json || !self.metrics.is_empty();
        let mut with_lines = self.sources.iter().filter(|source| source.has_lines());
        match (seeks, with_lines.next()) {
            (false, Some(source)) => {
                return Err(ApplicationError::NothingSought { place: source.to_string() });
            }
            (true, None) => {
                let first = self.metrics.first();
                let what =
                    first.map_or("--app-json".into(), |one| format!("metric {}", one.name()));
                return Err(ApplicationError::NoLines { what });
            }
            _ => {}
        }
        let mut pipe: Option<&PathBuf> = None;
        for (n, source) in self.sources.iter().enumerate() {
            let place = source.to_string();
            if self.sources.iter().take(n).any(|earlier| earlier.to_string() == place) {
                return Err(ApplicationError::Twice { place });
            }
            if let AppSource::Pipe(path) = source {
                if let Some(first) = pipe {
                    return Err(ApplicationError::TwoPipes {
                        first: first.display().to_string(),
                        second: path.display().to_string(),
                    });
                }
                pipe = Some(path);
            }
        }
        Ok(())
    }

    /// Opens everything, before a command starts: what it says at once is not lost, and what others
    /// said before is not taken for its own.
    ///
    /// # Errors
    /// See [`ApplicationPlan::check`]; or something cannot be opened.
    pub fn prepare(&self) -> Result<Prepared, ApplicationError> {
        self.check()?;
        let mut output = None;
        let mut sources = Vec::new();
        for source in &self.sources {
            let opened = match source {
                AppSource::Output(pass_on) => {
                    let tee = Tee::open(pass_on).map_err(|(path, error)| {
                        let path = path.display().to_string();
                        ApplicationError::PassOn { path, why: error.to_string() }
                    })?;
                    let (reader, writer) = output_pipe()
                        .map_err(|error| ApplicationError::System(error.to_string()))?;
                    output = Some(writer);
                    Opened::Output(reader, tee)
                }
                AppSource::Pipe(path) => {
                    let pipe = NamedPipe::open(path).map_err(|error| {
                        let path = path.display().to_string();
                        match error.kind() {
                            io::ErrorKind::AlreadyExists => ApplicationError::InTheWay(path),
                            _ => ApplicationError::Pipe { path, why: error.to_string() },
                        }
                    });
                    Opened::Pipe(pipe?)
                }
                AppSource::Log(path) => {
                    let log = LogFile::open(path).map_err(|error| {
                        let path = path.display().to_string();
                        match error {
                            LogError::NotAFile => ApplicationError::NotALog(path),
                            LogError::Io(error) => {
                                ApplicationError::Log { path, why: error.to_string() }
                            }
                        }
                    });
                    Opened::Log(log?)
                }
                AppSource::Endpoint(endpoint) => Opened::Endpoint(endpoint.clone()),
            };
            sources.push((source.to_string(), opened));
        }
        Ok(Prepared {
            metrics: self.metrics.clone(),
            takes_json: self.json,
            interval: self.interval,
            sources,
            output,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::application::{Endpoint, PassOn};

    fn plan(metrics: &[&str], json: bool, sources: Vec<AppSource>) -> ApplicationPlan {
        let metrics = AppMetric::parse_all(metrics).unwrap();
        ApplicationPlan { metrics, json, sources, interval: Duration::from_millis(10) }
    }

    #[test]
    fn contradictions_are_told() {
        let output = || AppSource::Output(PassOn::Nowhere);
        let pipe = |path: &str| AppSource::Pipe(path.into());
        let server = || AppSource::Endpoint(Endpoint::parse("http://[::1]:1/").unwrap());
        for (plan, expected) in [
            (
                plan(&[], false, vec![server(), output()]),
                "no metric is defined for the lines of standard output. Define one with \
                 --app-metric NAME=REGEX, or use --app-json for all numbers in JSON lines.",
            ),
            (
                plan(&["a=x"], true, vec![server()]),
                "metric a needs lines, but no source with lines is recorded. Add standard output, \
                 a named pipe or a log.",
            ),
            (
                plan(&[], true, Vec::new()),
                "--app-json needs lines, but no source with lines is recorded. Add standard \
                 output, a named pipe or a log.",
            ),
            (
                plan(&[], true, vec![output(), output()]),
                "standard output is named twice. Remove one.",
            ),
            (
                plan(&[], false, vec![server(), server()]),
                "http://[::1]:1/ is named twice. Remove one.",
            ),
            (
                plan(&[], true, vec![pipe("a"), pipe("b")]),
                "there are two pipes, a and b, but FATHOM_PIPE can name only one. Remove one.",
            ),
        ] {
            assert_eq!(plan.prepare().unwrap_err().to_string(), expected);
        }
        assert!(plan(&[], false, Vec::new()).prepare().is_ok());
    }

    #[test]
    fn what_cannot_be_opened_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display().to_string();
        let missing = format!("{path}/no/such");
        let prepare = |source| plan(&[], true, vec![source]).prepare().unwrap_err().to_string();
        let in_the_way = prepare(AppSource::Pipe(folder.path().into()));
        let expected = format!(
            "{path} already exists and is not a named pipe. Use another path, or remove it."
        );
        assert_eq!(in_the_way, expected);
        let pipe = prepare(AppSource::Pipe(missing.clone().into()));
        assert!(pipe.starts_with(&format!("cannot create the named pipe {missing}: ")), "{pipe}");
        let log = prepare(AppSource::Log(folder.path().into()));
        assert!(log.starts_with(&format!("the log {path} is not a file. ")), "{log}");
        let copy = prepare(AppSource::Output(PassOn::File(missing.clone().into())));
        let expected = format!("cannot copy standard output to {missing}: ");
        assert!(copy.starts_with(&expected), "{copy}");
    }
}
