//! Which kind every error is, and with which words it leaves.

use super::kinds::Classified;
use super::{EngineError, ErrorKind};
use fathom_bench::for_the_program::duel::DuelError;
use fathom_explain::ExplainError;
use fathom_formats::trace::TraceError;
use fathom_measure::experiment::FleetError;
use fathom_measure::recording::RecordError;
use fathom_measure::{CommandFailure, EmptyShellError, LaboratoryError, MeasureError};
use fathom_store::StoreError;
use std::error::Error;
use std::io;
use std::path::Path;

#[test]
fn a_full_disk_is_no_mistake_of_the_user() {
    use io::ErrorKind as Io;
    for kind in [
        Io::StorageFull,
        Io::QuotaExceeded,
        Io::FileTooLarge,
        Io::PermissionDenied,
        Io::ReadOnlyFilesystem,
        Io::ResourceBusy,
    ] {
        assert_eq!(io::Error::from(kind).kind_of_failure(), ErrorKind::CannotBeDone, "{kind:?}");
        let file = EngineError::writing(Path::new("a b.json"), io::Error::from(kind));
        assert_eq!(file.kind(), ErrorKind::CannotBeDone);
        assert!(file.to_string().starts_with("a b.json cannot be written ("), "{file}");
        let folder = RecordError::Folder(TraceError::Output(io::Error::from(kind)));
        assert_eq!(folder.kind_of_failure(), ErrorKind::CannotBeDone);
    }
    for kind in [Io::NotFound, Io::InvalidInput, Io::IsADirectory] {
        assert_eq!(io::Error::from(kind).kind_of_failure(), ErrorKind::Usage, "{kind:?}");
    }
}

#[test]
fn commands_that_fail_and_users_who_stop_have_their_kinds() {
    let failure = || {
        Box::new(CommandFailure {
            what: "./old".to_string(),
            how: "exited with status 3".to_string(),
            said: Vec::new(),
            hint: None,
        })
    };
    let of = |error: MeasureError| error.kind_of_failure();
    assert_eq!(of(MeasureError::Command(failure())), ErrorKind::Command);
    assert_eq!(of(MeasureError::Hook(failure())), ErrorKind::Command);
    let full = || StoreError::Full { path: "runs.db".into(), what: "full".to_string() };
    assert_eq!(of(MeasureError::Store(full())), ErrorKind::CannotBeDone);
    assert_eq!(
        StoreError::Busy { path: "runs.db".into() }.kind_of_failure(),
        ErrorKind::CannotBeDone
    );
    assert_eq!(of(MeasureError::Interrupted), ErrorKind::Interrupted);
    assert_eq!(of(MeasureError::Broken("x".to_string())), ErrorKind::Usage);
    assert_eq!(LaboratoryError::Interrupted.kind_of_failure(), ErrorKind::Interrupted);
    assert_eq!(EmptyShellError::Interrupted.kind_of_failure(), ErrorKind::Interrupted);
    assert_eq!(FleetError::Interrupted.kind_of_failure(), ErrorKind::Interrupted);
    assert_eq!(RecordError::Interrupted.kind_of_failure(), ErrorKind::Interrupted);
    assert_eq!(DuelError::Interrupted.kind_of_failure(), ErrorKind::Interrupted);
    assert_eq!(DuelError::Nothing("x".to_string()).kind_of_failure(), ErrorKind::Usage);
    let stopped = ExplainError::Stopped(fathom_explain::Stopped);
    assert_eq!(stopped.kind_of_failure(), ErrorKind::Interrupted);
    assert_eq!(EngineError::cannot_be_done("x").kind(), ErrorKind::CannotBeDone);
    assert_eq!(EngineError::command("x").kind(), ErrorKind::Command);
    assert_eq!(EngineError::interrupted().kind(), ErrorKind::Interrupted);
    assert_eq!(EngineError::interrupted_tour().kind(), ErrorKind::Interrupted);
    let session = EngineError::interrupted_session(12);
    assert_eq!(session.kind(), ErrorKind::Interrupted);
    assert!(session.to_string().ends_with("fathom resume 12"), "{session}");
}

#[test]
fn an_error_keeps_what_is_behind_it_and_says_what_it_is_about() {
    let error = EngineError::from(MeasureError::Interrupted);
    assert!(error.downcast_ref::<MeasureError>().is_some());
    assert!(error.downcast_ref::<StoreError>().is_none());
    let error = EngineError::usage("the text").with_advice("one".to_string()).with_advice(None);
    assert_eq!(error.to_string(), "the text\none");
    assert_eq!(EngineError::usage("no").about("runs.csv").to_string(), "runs.csv: no");
    let places = ["first: x < 1".to_string()];
    let placed = |question: Option<usize>| {
        EngineError::usage("no").of_question(question).placed(&places).to_string()
    };
    assert_eq!(placed(None), "no");
    assert_eq!(placed(Some(0)), "first: x < 1: no");
    assert_eq!(placed(Some(2)), "question 3: no");
    // The place that was said first stays.
    let twice = EngineError::usage("no").of_question(0).of_question(5).placed(&places);
    assert_eq!(twice.to_string(), "first: x < 1: no");
}

#[test]
fn a_closed_pipe_is_found_behind_other_errors() {
    let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
    assert!(EngineError::from(closed()).is_broken_pipe());
    assert!(EngineError::file("a file", closed()).is_broken_pipe());
    assert!(EngineError::file("a file", closed()).about("x").is_broken_pipe());
    assert!(!EngineError::from(io::Error::from(io::ErrorKind::NotFound)).is_broken_pipe());
    assert!(!EngineError::usage("no").is_broken_pipe());
    let hidden: Box<dyn Error + Send + Sync> = "text".into();
    assert!(!EngineError::new(ErrorKind::Usage, hidden).is_broken_pipe());
}
