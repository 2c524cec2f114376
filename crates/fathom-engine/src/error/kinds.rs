//! The kind of every error of our crates: the one table from which exit codes follow.

use super::ErrorKind;
use fathom_bench::for_the_program::duel::DuelError;
use fathom_explain::ExplainError;
use fathom_explain::align::AlignError;
use fathom_explain::contrast::ContrastError;
use fathom_fetch::prometheus::{PrometheusError, PrometheusErrorKind};
use fathom_formats::ReadError;
use fathom_formats::trace::TraceError;
use fathom_measure::experiment::{FleetError, JournalError};
use fathom_measure::recording::application::{AppMetricError, ApplicationError, EndpointError};
use fathom_measure::recording::{PlanError, RecordError};
use fathom_measure::slurm::TaskError;
use fathom_measure::{
    EmptyShellError, ExpandError, LaboratoryError, MeasureError, MetricOptionError, ParameterError,
    ShellTextError, UnusedParameter, WordsError,
};
use fathom_property::{CatalogueError, DeriveError, PropertyError};
use fathom_record::ObservationError;
use fathom_request::RequestError;
use fathom_store::StoreError;
use fathom_sys::affinity::AffinityError;
use fathom_sys::counters::CounterNameError;
use fathom_sys::probes::EventNameError;
use std::io;

/// An error whose kind is known.
pub(crate) trait Classified {
    /// Its kind.
    fn kind_of_failure(&self) -> ErrorKind;
}

/// Errors that are always mistakes in the request or its input.
macro_rules! mistakes {
    ($($error:ty),+ $(,)?) => { $(
        impl Classified for $error {
            fn kind_of_failure(&self) -> ErrorKind {
                ErrorKind::Usage
            }
        }
    )+ };
}

mistakes!(
    AffinityError,
    AppMetricError,
    ApplicationError,
    CatalogueError,
    CounterNameError,
    DeriveError,
    EndpointError,
    EventNameError,
    ExpandError,
    MetricOptionError,
    ObservationError,
    ParameterError,
    PlanError,
    PropertyError,
    ReadError,
    RequestError,
    ShellTextError,
    UnusedParameter,
    WordsError,
    serde_json::Error,
    fathom_stats::proportion::IndifferenceError,
    fathom_analyze::MethodError,
    fathom_stats::work_rate::WorkRateError,
);

impl Classified for io::Error {
    fn kind_of_failure(&self) -> ErrorKind {
        use io::ErrorKind::{
            FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, ResourceBusy,
            StorageFull,
        };
        match self.kind() {
            StorageFull | QuotaExceeded | FileTooLarge | PermissionDenied | ReadOnlyFilesystem
            | ResourceBusy => ErrorKind::CannotBeDone,
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for StoreError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            StoreError::NoSuchSession { .. }
            | StoreError::BadName { .. }
            | StoreError::NameTaken { .. }
            | StoreError::NotClaimed { .. }
            | StoreError::NotFinite { .. }
            | StoreError::NotOurs { .. }
            | StoreError::Newer { .. } => ErrorKind::Usage,
            _ => ErrorKind::CannotBeDone,
        }
    }
}

impl Classified for PrometheusError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self.kind() {
            PrometheusErrorKind::Stopped => ErrorKind::Interrupted,
            PrometheusErrorKind::Unavailable => ErrorKind::CannotBeDone,
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for TraceError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            TraceError::Full { .. } => ErrorKind::CannotBeDone,
            TraceError::Io { source, .. } | TraceError::Output(source) => source.kind_of_failure(),
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for MeasureError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            MeasureError::Command(_) | MeasureError::Hook(_) | MeasureError::Metric { .. } => {
                ErrorKind::Command
            }
            MeasureError::Store(error) => error.kind_of_failure(),
            MeasureError::Interrupted => ErrorKind::Interrupted,
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for LaboratoryError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            LaboratoryError::CannotStart(_) => ErrorKind::Command,
            LaboratoryError::Interrupted => ErrorKind::Interrupted,
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for EmptyShellError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            EmptyShellError::Interrupted => ErrorKind::Interrupted,
            _ => ErrorKind::Command,
        }
    }
}

impl Classified for JournalError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            JournalError::File { source, .. } => source.kind_of_failure(),
            JournalError::InUse { .. } => ErrorKind::CannotBeDone,
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for FleetError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            FleetError::Interrupted => ErrorKind::Interrupted,
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for TaskError {
    fn kind_of_failure(&self) -> ErrorKind {
        ErrorKind::Task(self.exit_status())
    }
}

impl Classified for RecordError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            RecordError::CannotStart(_) => ErrorKind::Command,
            RecordError::Interrupted => ErrorKind::Interrupted,
            RecordError::Folder(error) => error.kind_of_failure(),
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for ExplainError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            ExplainError::Stopped(_) => ErrorKind::Interrupted,
            ExplainError::Align(error) => error.kind_of_failure(),
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for ContrastError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            ContrastError::Stopped(_) => ErrorKind::Interrupted,
            ContrastError::Align(error) => error.kind_of_failure(),
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for AlignError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            AlignError::Stopped(_) => ErrorKind::Interrupted,
            _ => ErrorKind::Usage,
        }
    }
}

impl Classified for DuelError {
    fn kind_of_failure(&self) -> ErrorKind {
        match self {
            DuelError::Interrupted => ErrorKind::Interrupted,
            _ => ErrorKind::Usage,
        }
    }
}
