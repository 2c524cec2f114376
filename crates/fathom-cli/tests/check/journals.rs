//! What is saved, resumed and asked again.

use super::harness::*;
use super::{DIE, check, stdout_of_output, without_circumstances};
use serde_json::Value;

/// The journal of a session is data for another question.
#[test]
fn what_was_executed_can_be_asked_again() {
    let folder = scratch("check-again");
    let mut words = check(&["x < 97"], DIE);
    words.retain(|word| *word != "--no-save");
    let words = in_folder(&folder, &words);
    let output = run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&words, &output));
    let shown = run(&in_folder(&folder, &["show", "1"]));
    assert_eq!(shown.stdout, output.stdout);
    let journal = folder.join("check-1/observations.jsonl");
    let other = run(&["check", "x < 50", "--data", journal.to_str().unwrap()]);
    assert_eq!(other.status.code(), Some(1), "{}", String::from_utf8_lossy(&other.stderr));
    let list = stdout(&in_folder(&folder, &["list"]));
    assert!(list.contains("120 runs  done  check"), "{list}");
}

/// The journal says what was asked, as the session does. One of an older Fathom does not, and is
/// shown, asked again and resumed all the same.
#[test]
fn a_journal_says_what_was_asked() {
    let folder = scratch("check-journal-request");
    let mut words = check(&["x < 97", "--max-runs", "50"], DIE);
    words.retain(|word| *word != "--no-save");
    let words = in_folder(&folder, &words);
    assert_eq!(run(&words).status.code(), Some(3));
    let path = folder.join("check-1/observations.jsonl");
    let journal = std::fs::read_to_string(&path).unwrap();
    let (header, executions) = journal.split_once('\n').unwrap();
    let header: Value = serde_json::from_str(header).unwrap();
    let request = fathom_request::Request::from_value(header["request"].clone()).unwrap();
    assert_eq!(
        request.command_line(),
        "fathom check 'x < 97' --max-runs 50 --shell sh --metric x=last-number --seed 1 -- \
         'echo x: $(( {seed} % 100 ))'"
    );
    let store = fathom_store::Store::open_existing(&folder).unwrap().unwrap().store;
    let session = store.session(fathom_store::SessionId(1)).unwrap();
    assert_eq!(session.request, Some(request.to_json()));
    drop(store);
    let of_both = || {
        let asked_again = ["check", "x < 50", "--data", path.to_str().unwrap()];
        let shown = run(&in_folder(&folder, &["show", "1"]));
        (shown.stdout, shown.status.code(), run(&asked_again).stdout)
    };
    let with_request = of_both();
    assert_eq!(with_request.1, Some(0));
    std::fs::write(&path, executions).unwrap();
    assert_eq!(of_both(), with_request);
    let more = run(&in_folder(&folder, &["resume", "1", "--max-runs", "1000"]));
    assert_eq!(more.status.code(), Some(0), "{}", String::from_utf8_lossy(&more.stderr));
    // It stays as it is.
    assert!(std::fs::read_to_string(&path).unwrap().starts_with(executions));
}

/// Where nothing can be saved, the answer says so. Nodes of a cluster need a folder.
#[test]
fn a_home_that_cannot_be_written() {
    let mut words = check(&["x < 97"], DIE);
    words.retain(|word| *word != "--no-save");
    let asked = |words: &[&str]| {
        let output = fathom(words).env("XDG_DATA_HOME", "/dev/null/home").output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).to_string();
        (output.status.code(), stdout_of_output(&output), errors)
    };
    let (code, text, errors) = asked(&words);
    assert_eq!(code, Some(0), "{errors}");
    assert!(text.contains("nothing is saved"), "{text}");
    words.splice(2..2, ["--executor", "slurm"]);
    let (code, text, errors) = asked(&words);
    assert_eq!((code, text.as_str()), (Some(5), ""), "{errors}");
    assert!(errors.contains("/dev/null/home"), "{errors}");
}

/// A full disk is not wrong usage, and what was saved before stays.
#[test]
fn a_full_disk_ends_a_check() {
    let folder = scratch("check-full");
    // A limit on the size of files, in KiB, is as good as a full disk.
    let script = format!(
        "ulimit -f 100; exec {} check --session-dir {} 'x < 1' --metric x=last-number --runs 5000 \
         -- echo 0",
        env!("CARGO_BIN_EXE_fathom"),
        folder.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{error}");
    assert!(error.contains("fathom resume 1"), "{error}");
    let list = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
    assert!(list["sessions"][0]["runs"].as_u64().unwrap() > 5, "{list}");
}

/// A kill loses at most what was under way, and the answer is the one that would have been.
#[test]
fn a_killed_check_is_resumed() {
    let folder = scratch("check-killed");
    let slow = "sleep 0.02; echo x: $(( {seed} % 100 ))";
    let mut words = check(&["x < 97", "--format", "json", "--include-values"], slow);
    let undisturbed = document(&run(&words));
    words.retain(|word| *word != "--no-save");
    let words = in_folder(&folder, &words);
    let mut child = fathom(&words).stdout(std::process::Stdio::null()).spawn().unwrap();
    let journal = folder.join("check-1/observations.jsonl");
    let lines = || std::fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while lines() < 10 {
        assert!(child.try_wait().unwrap().is_none(), "ended before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = lines();
    let words = ["resume", "1", "--format", "json", "--include-values"];
    let output = run(&in_folder(&folder, &words));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(without_circumstances(document(&output)), without_circumstances(undisturbed));
    assert!(kept >= 10 && lines() > kept);
}

/// A kill can come after an execution was written to the journal and before it is in the store.
#[test]
fn what_only_the_journal_has_is_saved_when_resumed() {
    let words = ["check", "runtime < 1000 s", "--runs", "30", "--seed", "5", "--", "sleep", "0.02"];
    let whole = scratch("check-whole-journal");
    run(&in_folder(&whole, &words));
    let folder = scratch("check-longer-journal");
    let mut child =
        fathom(&in_folder(&folder, &words)).stdout(std::process::Stdio::null()).spawn().unwrap();
    let path = folder.join("check-1/observations.jsonl");
    let journal = || std::fs::read_to_string(&path).unwrap_or_default();
    while journal().lines().count() < 5 {
        assert!(child.try_wait().unwrap().is_none(), "ended before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let all = std::fs::read_to_string(whole.join("check-1/observations.jsonl")).unwrap();
    // A line that was cut off runs again; here it is as if it had not begun.
    let kept = journal().matches('\n').count();
    let lines: Vec<String> = (journal().lines().take(kept))
        .chain(all.lines().skip(kept).take(2))
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(&path, lines.concat()).unwrap();
    run(&in_folder(&folder, &["resume", "1"]));
    let list = document(&run(&in_folder(&folder, &["list", "--format", "json"])));
    assert_eq!(list["sessions"][0]["runs"], 30, "{list}");
}

/// Names from elsewhere do not steer the terminal.
#[test]
fn a_command_to_repeat_is_shown_harmless() {
    let words =
        ["check", "runtime < 1000 s", "--runs", "3", "--no-save", "--", "echo", "\u{9b}31m"];
    let output = run(&words);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("to repeat: echo"), "{text}");
    assert!(!text.contains('\u{9b}'), "{text:?}");
}

/// What the default test promises holds at every look, so one may go on after an answer that was
/// none; the answer is that of a larger budget from the start. Other methods may not.
#[test]
fn a_check_that_could_not_tell_goes_on() {
    let folder = scratch("check-goes-on");
    let asked = |options: &[&'static str]| {
        let mut words = check(&[&["x < 97", "--format", "json"], options].concat(), DIE);
        words.retain(|word| *word != "--no-save");
        run(&in_folder(&folder, &words))
    };
    assert_eq!(asked(&["--max-runs", "50"]).status.code(), Some(3));
    let more = ["resume", "1", "--max-runs", "1000", "--format", "json"];
    let gone_on = run(&in_folder(&folder, &more));
    assert_eq!(gone_on.status.code(), Some(0), "{}", String::from_utf8_lossy(&gone_on.stderr));
    let at_once = asked(&[]);
    let answer = |output| without_circumstances(document(output));
    assert_eq!(answer(&gone_on), answer(&at_once));
    assert_eq!(asked(&["--runs", "30"]).status.code(), Some(3));
    let (code, text) = errors(&in_folder(&folder, &["resume", "3", "--max-runs", "100"]));
    assert_eq!(code, Some(2));
    assert!(text.contains("whose error rate holds at every look"), "{text}");
}

/// A check that ends when it has its answer has as many executions as that took: an interval of
/// them must hold at every number.
#[test]
fn an_interval_of_a_journal_holds_at_every_number() {
    let folder = scratch("check-journal-interval");
    let mut words = check(&["x < 97"], DIE);
    words.retain(|word| *word != "--no-save");
    assert_eq!(run(&in_folder(&folder, &words)).status.code(), Some(0));
    let journal = folder.join("check-1/observations.jsonl");
    let journal = journal.to_str().unwrap();
    let ask = |more: &[&str]| {
        let words = ["check", "--estimate", "x", "--data", journal, "--format", "json"];
        document(&run(&[&words[..], more].concat()))
    };
    let (found, exact) = (ask(&[]), ask(&["--method", "exact"]));
    assert_eq!((&found["method"], &found["samples"]), (&"anytime".into(), &120.into()));
    let width = |found: &Value| found["upper"].as_f64().unwrap() - found["lower"].as_f64().unwrap();
    assert!(width(&found) > width(&exact), "{found} {exact}");
    assert!(
        exact["warnings"].to_string().contains("only if the check fixed the number"),
        "{exact}"
    );
    // What ended first after a gap favours the fast.
    let text = std::fs::read_to_string(journal).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("\"number\":50,")).collect();
    let torn = folder.join("torn.jsonl");
    std::fs::write(&torn, lines.join("\n") + "\n").unwrap();
    let words = ["check", "x < 50", "--data", torn.to_str().unwrap(), "--format", "json"];
    let found = document(&run(&words));
    assert_eq!(found["samples"], 50, "{found}");
    assert!(found["warnings"].to_string().contains("69 of the journal are left out"), "{found}");
}
