//! Programs that answer, that answer nonsense, and that do not answer: shell scripts.

use super::*;
use std::path::PathBuf;

const HELLO: &str = r#"echo '{"fathom-bench":1,"functions":["f","g"]}';"#;

fn launched(script: &str, patience: Duration) -> Result<Opponent, DuelError> {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Opponent::launch(command, "the script".to_string(), patience)
}

/// One that says what it can do, and then answers every order with this.
fn answering(answer: &str) -> Opponent {
    launched(&format!("{HELLO} while read order; do {answer}; done"), PATIENCE).unwrap()
}

fn why(found: Result<Opponent, DuelError>) -> String {
    match found {
        Err(DuelError::NoBench { executable, why }) if executable == "the script" => why,
        Err(other) => unreachable!("{other:?}"),
        Ok(_) => unreachable!("it was launched"),
    }
}

/// Whether there is still a process that has written its number into this file.
fn is_there(file: &Path) -> bool {
    let number = std::fs::read_to_string(file).unwrap();
    PathBuf::from("/proc").join(number.trim()).exists()
}

#[test]
fn orders_are_passed_on_and_answers_come_back() {
    let script = r#"case $order in
        "pin 3") echo "done ";; "size 1") echo "size 12";; "batch 1 12") echo "took 2.5e-7";;
        "code 0") echo "code 4096";; "count 0") echo "counts 5 1e2 1.5e2";;
        *) echo "broken \"$order\"";; esac"#;
    let mut opponent = answering(script);
    assert_eq!(opponent.functions, ["f", "g"]);
    assert_eq!(opponent.measured, None);
    assert_eq!(opponent.pin(3), Ok(()));
    assert_eq!(opponent.size(1), Ok(12));
    assert_eq!(opponent.batch(1, 12), Ok(2.5e-7));
    assert_eq!(opponent.code(0), Some(4096));
    let counts = opponent.count(0).unwrap();
    assert_eq!((counts.calls, counts.per_call), (5, vec![100.0, 150.0]));
    // What it cannot do, it says.
    let broken = |order: &str| Refusal::Broken(order.to_string());
    assert_eq!(opponent.pin(4), Err(broken("pin 4")));
    assert_eq!(opponent.size(0), Err(broken("size 0")));
    assert_eq!(opponent.batch(0, 7), Err(broken("batch 0 7")));
    assert_eq!(opponent.count(1).unwrap_err(), broken("count 1"));
    assert_eq!(opponent.code(1), None);
}

#[test]
fn what_is_measured_is_heard() {
    let script = r#"echo '{"fathom-bench":1,"functions":[],"measured":{"name":"n","unit":"u"}}'"#;
    let measured = launched(script, PATIENCE).unwrap().measured.clone();
    assert_eq!(measured, Some(MeasuredUnit { name: "n".to_string(), unit: "u".to_string() }));
}

#[test]
fn answers_to_another_question_are_no_answers() {
    let gone = |said: &str| Refusal::Gone(format!("it answered {said:?}"));
    let mut opponent = answering(r#"echo "size 12""#);
    assert_eq!(opponent.pin(0), Err(gone("size 12")));
    assert_eq!(opponent.batch(0, 1), Err(gone("size 12")));
    assert_eq!(opponent.count(0).unwrap_err(), gone("size 12"));
    assert_eq!(opponent.code(0), None);
    assert_eq!(answering(r#"echo "zero ""#).size(0), Err(Refusal::Zero));
    assert_eq!(answering("echo dance").size(0), Err(gone("dance")));
    assert_eq!(answering(r#"echo "took 1""#).size(0), Err(gone("took 1e0")));
}

#[test]
fn a_process_that_ends_is_gone() {
    let gone = Refusal::Gone("the process ended with exit status: 3".to_string());
    assert_eq!(answering("exit 3").size(0), Err(gone));
}

#[test]
fn a_program_that_is_no_bench_is_told_by_what_it_says_and_how_it_ends() {
    assert_eq!(why(launched("echo hello", PATIENCE)), "it wrote \"hello\"");
    let said = why(launched("exit 3", PATIENCE));
    assert_eq!(said, "it wrote nothing and ended with exit status: 3");
    let mut nothing = Command::new("/does/not/exist");
    nothing.arg("x");
    let found = Opponent::launch(nothing, "nothing".to_string(), PATIENCE);
    assert!(
        matches!(found, Err(DuelError::NotStarted { executable, .. }) if executable == "nothing")
    );
}

#[test]
fn a_program_that_says_nothing_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("number");
    let begin = format!("echo $$ >'{}';", file.display());
    let said = why(launched(&format!("{begin} exec sleep 1000"), Duration::from_secs(1)));
    assert!(said.starts_with("it did not respond for 1 s"), "{said}");
    assert!(!is_there(&file));
    // So is one that says something else and stays.
    let said = why(launched(&format!("{begin} echo hello; exec sleep 1000"), PATIENCE));
    assert_eq!(said, "it wrote \"hello\"");
    assert!(!is_there(&file));
    // And one that is needed no longer, even if it hangs.
    let opponent = launched(&format!("{begin} {HELLO} exec sleep 1000"), PATIENCE).unwrap();
    assert!(is_there(&file));
    drop(opponent);
    assert!(!is_there(&file));
}
