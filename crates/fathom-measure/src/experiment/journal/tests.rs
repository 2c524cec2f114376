use super::*;
use crate::experiment::{ExecutionFailure, Ticket};
use fathom_record::{Ending, Observation, Scalar, Span, Unit, Usage};
use proptest::prelude::*;

fn performed(number: u64) -> Performed {
    let outcome = if number.is_multiple_of(3) {
        let said = vec!["line 1".to_string(), "\u{fffd}\"\n".to_string()];
        Err(ExecutionFailure { how: "exited with status 3".into(), said, hint: None })
    } else {
        let mut seen = Observation::new();
        seen.set_scalar("ipc", Scalar::new(1.0 / number as f64, Unit::Unknown)).unwrap();
        seen.set_end(0.1).unwrap();
        Ok(seen)
    };
    Performed {
        ticket: Ticket { number, system: 1, seed: 77 },
        host: "here".to_string(),
        ending: Some(Ending::Exited(0)),
        usage: Usage { wall: Span::from_nanoseconds(5), ..Usage::default() },
        outcome,
        output: None,
        session: None,
    }
}

fn written(folder: &Path, numbers: &[u64]) -> Vec<u8> {
    let mut journal = Journal::open(folder).unwrap().journal;
    for &number in numbers {
        journal.append(&performed(number)).unwrap();
    }
    fs::read(folder.join(NAME)).unwrap()
}

#[test]
fn what_was_added_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new/folder");
    let numbers = [4, 0, 3, 1];
    written(&folder, &numbers);
    let OpenedJournal { mut journal, request, performed: read, torn } =
        Journal::open(&folder).unwrap();
    assert_eq!(read, numbers.map(performed));
    assert_eq!((request, torn), (None, None));
    // What follows is added, and of two with one number the first counts.
    journal.append(&performed(2)).unwrap();
    let mut second = performed(4);
    second.host = "elsewhere".to_string();
    journal.append(&second).unwrap();
    drop(journal);
    let read = Journal::open(&folder).unwrap().performed;
    assert_eq!(read, [4, 0, 3, 1, 2].map(performed));
}

#[test]
fn a_torn_end_is_cut_off_wherever_it_is_torn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let whole = written(folder.path(), &[0, 1, 2]);
    let starts: Vec<usize> =
        whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let lines = starts.iter().filter(|&&start| start <= length).count();
        let kept = starts[..lines].last().copied().unwrap_or(0);
        let OpenedJournal { mut journal, performed: read, torn, .. } =
            Journal::open(folder.path()).unwrap();
        assert_eq!(read.len(), lines, "{length}");
        let expected = Torn { line: lines as u64 + 1, bytes: (length - kept) as u64 };
        assert_eq!(torn, (length > kept).then_some(expected), "{length}");
        // What is added then is whole.
        journal.append(&performed(9)).unwrap();
        drop(journal);
        let again = Journal::open(folder.path()).unwrap();
        assert_eq!(again.torn, None);
        assert_eq!(again.performed.len(), lines + 1);
        assert_eq!(again.performed.last(), Some(&performed(9)));
    }
}

#[test]
fn what_was_asked_is_the_first_line_once() {
    let folder = tempfile::tempdir().unwrap();
    let request = serde_json::json!({ "question": "check", "version": 1 });
    let mut journal = Journal::open(folder.path()).unwrap().journal;
    journal.begin(&request).unwrap();
    journal.append(&performed(0)).unwrap();
    drop(journal);
    // A check that goes on asks the same; it is there already.
    let mut journal = Journal::open(folder.path()).unwrap().journal;
    journal.begin(&serde_json::json!("another")).unwrap();
    journal.append(&performed(1)).unwrap();
    drop(journal);
    let opened = Journal::open(folder.path()).unwrap();
    assert_eq!(opened.request, Some(request));
    assert_eq!(opened.performed, [0, 1].map(performed));
    assert_eq!(opened.torn, None);
    assert_eq!(Journal::read(folder.path()).unwrap(), [0, 1].map(performed));
}

#[test]
fn a_first_line_that_is_torn_or_damaged_is_as_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let mut journal = Journal::open(folder.path()).unwrap().journal;
    journal.begin(&serde_json::json!({ "question": "check" })).unwrap();
    drop(journal);
    let header = fs::read_to_string(&path).unwrap();
    for length in 1..header.len() {
        fs::write(&path, &header[..length]).unwrap();
        let opened = Journal::open(folder.path()).unwrap();
        assert_eq!(opened.torn, Some(Torn { line: 1, bytes: length as u64 }));
        assert_eq!((opened.request, opened.performed.len()), (None, 0));
    }
    let execution = serde_json::to_string(&performed(0)).unwrap();
    for (text, line) in [
        (format!("{{\"request\": 1\n{execution}\n"), 1),
        (format!("{{\"request\":1,\"other\":2}}\n{execution}\n"), 1),
        (format!("{header}{header}{execution}\n"), 2),
    ] {
        fs::write(&path, &text).unwrap();
        let error = Journal::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(&format!(".jsonl:{line}: damaged line")), "{error}");
    }
}

#[test]
fn zeros_that_a_crash_left_are_torn_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = written(folder.path(), &[0]);
    let whole = bytes.len();
    bytes.extend([0; 4096]);
    bytes.push(b'\n');
    fs::write(folder.path().join(NAME), &bytes).unwrap();
    let opened = Journal::open(folder.path()).unwrap();
    assert_eq!(opened.torn, Some(Torn { line: 2, bytes: 4097 }));
    assert_eq!(opened.performed.len(), 1);
    assert_eq!(fs::metadata(folder.path().join(NAME)).unwrap().len(), whole as u64);
    assert!(opened.torn.unwrap().to_string().contains("(number 2, 4097 bytes)"));
}

#[test]
fn damage_elsewhere_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let text = String::from_utf8(written(folder.path(), &[0, 1, 2])).unwrap();
    let damaged = text.replace("\"number\":1", "\"number\":-1");
    fs::write(folder.path().join(NAME), &damaged).unwrap();
    let error = Journal::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains(":2: damaged line: ") && error.contains("invalid value"), "{error}");
    assert!(error.ends_with("Delete the line, and Fathom repeats that execution."), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join(NAME)).unwrap(), damaged, "left alone");
    fs::write(folder.path().join(NAME), text.replacen('\n', "\n\n", 1)).unwrap();
    let error = Journal::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains(":2: damaged line: "), "{error}");
}

#[test]
fn only_one_at_a_time_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let first = Journal::open(folder.path()).unwrap();
    let error = Journal::open(folder.path()).unwrap_err();
    assert!(matches!(error, JournalError::InUse { .. }), "{error}");
    drop(first);
    Journal::open(folder.path()).unwrap();
}

#[test]
fn a_full_disk_says_what_to_do() {
    let file = File::options().write(true).open("/dev/full").unwrap();
    let mut journal = Journal { path: "/somewhere/journal".into(), file, length: 0 };
    let error = journal.append(&performed(0)).unwrap_err().to_string();
    assert!(error.starts_with("/somewhere/journal cannot be written: No space left"), "{error}");
    assert!(
        error.contains("free some space in /somewhere, then continue with `fathom resume`"),
        "{error}"
    );
    let error = Journal::open(Path::new("/dev/null/x")).unwrap_err().to_string();
    assert!(error.starts_with("/dev/null/x/observations.jsonl cannot be created:"), "{error}");
}

proptest! {
    #[test]
    fn whatever_is_in_the_file_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(NAME), &bytes).unwrap();
        let _ = Journal::open(folder.path());
    }
}
