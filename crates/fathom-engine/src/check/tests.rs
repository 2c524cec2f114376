//! What can be seen of checks without running a command.

use crate::{Engine, EngineError, ErrorKind, Gates, Saving, SessionFolder};
use fathom_property::JudgedAs;
use fathom_request::{
    CheckQuestion, CheckRequest, ExecutionBudget, ExecutionOptions, ExecutionSource, Executor,
    OnFailure, PropertyQuestion, SlurmSettings, SystemOptions,
};

fn property(text: &str) -> CheckQuestion {
    CheckQuestion::Property(PropertyQuestion { text: text.into(), ..PropertyQuestion::default() })
}

fn of_command(text: &str, options: ExecutionOptions) -> CheckRequest {
    let systems = SystemOptions::Command(vec!["true".into(), "{seed}".into()]);
    let options = ExecutionOptions { systems, seed: Some(1), ..options };
    CheckRequest {
        questions: vec![property(text)],
        executions: ExecutionSource::Commands(Box::new(options)),
        ..CheckRequest::default()
    }
}

fn refused(request: &CheckRequest, saving: Saving) -> EngineError {
    let mut nobody = ();
    let mut engine = Engine::new(&mut nobody);
    engine.saving = saving;
    engine.check(request).unwrap_err()
}

#[test]
fn both_forms_of_a_journal_are_data() {
    let checked = |name: &str| {
        let folder = fathom_testkit::repository::top().join("testdata/observations");
        let files = vec![folder.join(name).display().to_string()];
        let request = CheckRequest {
            questions: vec![property("ipc > 0.5")],
            executions: ExecutionSource::Data { files, rows: None, group_by: None },
            on_failure: OnFailure::Skip,
            ..CheckRequest::default()
        };
        let answer = Engine::new(&mut ()).check(&request).unwrap();
        assert_eq!(answer.gates, Gates::Inconclusive);
        assert!(answer.ended_early.is_none() && answer.seconds.is_none());
        let report = answer.report.report.first;
        assert!(report.command_line.starts_with("fathom check 'ipc > 0.5' --on-failure skip"));
        report.judged.into_iter().map(|judged| judged.result).collect::<Vec<JudgedAs>>()
    };
    let old = checked("journal.jsonl");
    assert_eq!(old.len(), 4);
    assert_eq!(old, checked("journal-with-request.jsonl"));
}

#[test]
fn a_plan_runs_nothing() {
    let budget = ExecutionBudget::Exactly(2);
    let request = of_command("runtime < 1s", ExecutionOptions { budget, ..Default::default() });
    let plan = Engine::new(&mut ()).check_plan(&request).unwrap();
    assert!(plan.expectation.is_some());
    assert_eq!(plan.commands.len(), 2, "{:?}", plan.commands);
    assert!(plan.commands.iter().all(|command| command.starts_with("true ")));
    assert_ne!(plan.commands[0], plan.commands[1]);
}

#[test]
fn only_a_name_that_is_unknown_is_read_in_another_way() {
    let told = |text: &str| {
        let error = refused(&of_command(text, ExecutionOptions::default()), Saving::off());
        assert_eq!(error.kind(), ErrorKind::Usage);
        error.to_string().contains("--metric NAME=REGEX")
    };
    assert!(told("ipc > 1"));
    assert!(!told("runtime > 1W") && !told("runtime >") && !told(""));
}

#[test]
fn a_cluster_needs_a_folder_that_nodes_write_to() {
    let executor = Executor::Slurm(SlurmSettings::default());
    let request = of_command("runtime < 1s", ExecutionOptions { executor, ..Default::default() });
    let error = refused(&request, Saving::off());
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("Leave out --no-save"), "{error}");
}

#[test]
fn a_folder_that_was_asked_for_must_be_written() {
    let request = of_command("runtime < 1s", ExecutionOptions::default());
    let folder = SessionFolder(Some("/dev/null/sessions".into()));
    let asked = super::asked(&request);
    let mut nobody = ();
    let mut engine = Engine::new(&mut nobody);
    engine.saving = Saving { folder, ..Saving::default() };
    let check = super::PreparedCheck::of(&request, ".".into(), 1).unwrap();
    let saving = engine.saving.clone();
    let error = engine.begin_check(&check, &saving, &asked).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CannotBeDone, "{error}");
}
