//! `check` for real: verdicts and exit codes, values, failures, order, files, several systems.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;

/// A simulator: prints a number from 0 to 99 that follows from the seed.
const DIE: &str = "echo x: $(( {seed} % 100 ))";

/// `check` of that simulator, with a fixed seed.
fn check<'a>(words: &[&'a str], command: &'a str) -> Vec<&'a str> {
    let mut all = vec!["check"];
    all.extend(words);
    all.extend([
        "--metric",
        "x=last-number",
        "--seed",
        "1",
        "--no-save",
        "-S",
        "sh",
        "--",
        command,
    ]);
    all
}

#[test]
fn the_three_answers_and_a_value() {
    let mut text = String::new();
    for (words, code) in [
        (&["x < 97"][..], 0),
        (&["x < 70"], 1),
        (&["x < 90", "--max-runs", "200"], 3),
        (&["x < 97", "--runs", "100"], 0),
        (&["x < 90", "--indifference", "5%"], 1),
        // True of 92 in 100, and the paper's rule says no.
        (&["x < 92", "--method", "spa", "--confidence", "0.9"], 1),
        (&["abs(x@1 - x@2) < 90"], 0),
        (&["--estimate", "x", "--confidence", "0.9"], 0),
        (&["--estimate", "x", "--method", "spa", "--runs", "22", "--direction", "ge"], 3),
        (&["--estimate", "x", "--precision", "20%"], 0),
    ] {
        let words = check(words, DIE);
        let output = run(&words);
        let shown = transcript(&words, &output);
        assert_eq!(output.status.code(), Some(code), "{shown}");
        text += &shown;
    }
    insta::assert_snapshot!(text);
}

#[test]
fn wrong_usage_of_check() {
    let mut text = String::new();
    for words in [
        &["check"][..],
        &["check", "runtime < 1s"],
        &["check", "runtime < 1s", "--", "no-such-program"],
        &["check", "runtme < 1s", "--", "true"],
        &["check", "runtime < 1W", "--", "true"],
        &["check", "runtime <", "--", "true"],
        &["check", "runtime", "--", "true"],
        &["check", "--estimate", "runtime < 1s", "--", "true"],
        &["check", "x > 1", "--", "echo", "3"],
        &["check", "x > 1", "--metric", "x", "--", "echo", "3"],
        &["check", "runtime < 1s", "--probability", "95", "--", "true"],
        &["check", "runtime < 1s", "--indifference", "0.2", "--", "true"],
        &["check", "runtime < 1s", "--method", "exact", "--", "true"],
        &["check", "runtime < 1s", "--slurm-partition", "x", "--", "true"],
        &["check", "runtime < 1s", "--slurm-width", "8", "--", "true"],
        &["check", "runtime < 1s", "--executor", "slurm", "--no-save", "--", "true"],
        &["check", "--estimate", "runtime", "--vacuous", "skip", "--", "true"],
        &["check", "--estimate", "runtime", "--precision", "1%", "--runs", "9", "--", "true"],
        &["check", "runtime < 1s", "--system", "a b=true"],
        &["check", "runtime@a < 1s", "--system", "a=true", "--system", "a=true"],
        &["check", "runtime < 1s", "--system", "a=true", "--system", "b=echo"],
        &["check", "runtime@c < 1s", "--system", "a=true", "--system", "b=echo"],
        &["check", "speedup(a, b) > 1", "--", "true"],
        &["check", "ipc > 1", "--data", "no-such-file"],
        &["check", "ipc > 1", "--data", "testdata/properties/execution_x.json", "-j", "2"],
        &["check", "icp > 1", "--data", "testdata/properties/execution_x.json"],
        &["check", "ipc > 1", "--data", "testdata/properties/execution_x.json", "--unit", "w=W"],
        &["check", "runtime < 1s", "--event", "(", "--", "true"],
        &["check", "runtime < 1s", "--unit", "speed=W", "--", "true"],
        &["check", "--estimate", "runtime", "--precision", "1%", "--method", "exact", "--", "true"],
    ] {
        let output = run(words);
        // A program that is not there is a command that failed.
        let wanted = if words.contains(&"no-such-program") { 4 } else { 2 };
        text += &transcript(words, &output);
        assert_eq!(output.status.code(), Some(wanted), "{text}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
    insta::assert_snapshot!(text);
}

/// The tables of docs/properties.md say what is true of the example, and by how much.
#[test]
fn the_documented_properties_are_as_documented() {
    let guide = std::fs::read_to_string(top().join("docs/properties.md")).unwrap();
    let mut checked = 0;
    for line in guide.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [.., property, truth, margin] = cells.as_slice() else { continue };
        let Some(property) = property.strip_prefix('`').and_then(|text| text.strip_suffix('`'))
        else {
            continue;
        };
        if *truth != "true" && *truth != "false" {
            continue;
        }
        let data = "testdata/properties/execution_x.json";
        let words = ["check", property, "--data", data, "--format", "json", "--include-values"];
        let found = document(&run(&words));
        let execution = &found["executions"][0];
        assert_eq!(execution["truth"], *truth, "{property}: {found}");
        let (number, unit) = margin.split_once(' ').unwrap_or((margin, ""));
        let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
        let value = execution["robustness"][0].as_f64().unwrap();
        assert_eq!(format!("{value:.digits$}"), number, "{property}: {found}");
        assert_eq!(execution["robustness_unit"], unit, "{property}: {found}");
        checked += 1;
    }
    assert_eq!(checked, 14, "nine templates and five temporal properties");
}

fn without_circumstances(mut found: Value) -> Value {
    for name in ["command_line", "unused", "session"] {
        found.as_object_mut().unwrap().remove(name);
    }
    found
}

/// Executions that violate the property take much longer; in the order in which they finish they
/// would come last, and the true ones would be over-represented.
#[test]
fn several_at_a_time_count_by_number_not_by_speed() {
    let slow_if_false = "x=$(( {seed} % 100 )); test $x -ge 60 && sleep 0.3; echo $x";
    let options = ["x < 60", "--probability", "0.85", "--format", "json", "--include-values"];
    let answer = |jobs: &'static str| {
        let words = check(&[&options[..], &["-j", jobs]].concat(), slow_if_false);
        let output = run(&words);
        assert_eq!(output.status.code(), Some(1), "{}", transcript(&words, &output));
        without_circumstances(document(&output))
    };
    let (one, eight) = (answer("1"), answer("8"));
    assert_eq!(one, eight);
    // That is the answer that follows from the seeds alone.
    let executions = one["executions"].as_array().unwrap();
    for (index, execution) in executions.iter().enumerate() {
        assert_eq!(execution["runs"][0], index + 1);
        let is_small = execution["seeds"][0].as_u64().unwrap() % 100 < 60;
        assert_eq!(execution["truth"], if is_small { "true" } else { "false" });
    }
}

#[test]
fn failed_executions_are_told_and_handled_as_asked() {
    let fails = "test $(( {seed} % 10 )) = 3 && { echo out of memory >&2; exit 7; }; echo 1";
    let words = check(&["x > 0"], fails);
    let (code, text) = errors(&words);
    assert_eq!(code, Some(4), "{text}");
    for part in
        ["exited with status 7", "in run 5 (seed 1112622493)", "out of memory", "--on-failure"]
    {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let answer = |how: &'static str| {
        let options = ["x > 0", "--on-failure", how, "--probability", "0.8", "--format", "json"];
        document(&run(&check(&options, fails)))
    };
    let skipped = answer("skip");
    assert_eq!(skipped["verdict"], "true");
    assert_eq!(skipped["satisfied"], skipped["samples"]);
    assert!(skipped["counts"]["skipped"].as_u64().unwrap() > 0);
    let counted = answer("count-as-false");
    let counts = &counted["counts"];
    assert!(counts["failed"].as_u64().unwrap() > 0, "{counted}");
    let sum = counts["true"].as_u64().unwrap() + counts["failed"].as_u64().unwrap();
    assert_eq!(counted["samples"], sum);
}

/// An execution that is cut off has run for at least its limit, which is enough to say no.
#[test]
fn a_timeout_is_judged_and_not_dropped() {
    let hangs = "test $(( {seed} % 2 )) = 0 && sleep 20; true";
    let options =
        ["runtime < 100ms", "--timeout", "300ms", "--probability", "0.95", "--format", "json"];
    let output = run(&["check"]
        .iter()
        .chain(&options)
        .copied()
        .chain(["--seed", "1", "--no-save", "-S", "sh", "--", hangs])
        .collect::<Vec<_>>());
    let found = document(&output);
    assert_eq!((output.status.code(), &found["verdict"]), (Some(1), &"false".into()), "{found}");
    assert_eq!(found["counts"]["unknown"], 0);
}

#[test]
fn two_systems_and_their_speed_up() {
    let command = |base: u32| format!("NAME=echo time: $(( {base} + {{seed}} % 7 ))");
    let (old, new) = (command(100).replace("NAME", "old"), command(80).replace("NAME", "new"));
    let options =
        ["--system", &old, "--system", &new, "--metric", "runtime=last-number", "-S", "sh"];
    let asked = |question: &[&'static str]| {
        let words = [&["check"], question, &options[..], &["--seed", "3", "--no-save"]].concat();
        let output = run(&[&words[..], &["--format", "json", "--include-values"]].concat());
        (output.status.code(), document(&output))
    };
    let (code, found) = asked(&["speedup(old, new) >= 1.1"]);
    assert_eq!(code, Some(0), "{found}");
    assert_eq!(found["tuple"], serde_json::json!(["old", "new"]));
    // Tuples take executions that no other has.
    let executions = found["executions"].as_array().unwrap();
    let runs: Vec<u64> = executions
        .iter()
        .flat_map(|execution| execution["runs"].as_array().unwrap())
        .map(|run| run.as_u64().unwrap())
        .collect();
    assert_eq!(runs, (1..=runs.len() as u64).collect::<Vec<_>>());
    let (code, found) =
        asked(&["--estimate", "speedup(old, new)", "--direction", "ge", "--confidence", "0.9"]);
    assert_eq!(code, Some(0), "{found}");
    assert_eq!(found["samples"], 22);
    let end = |name: &str| found[name].as_f64().unwrap();
    assert!(end("lower") >= 100.0 / 86.0 - 1e-9 && end("upper") <= 106.0 / 80.0, "{found}");
}

/// Each execution writes a trace into a folder of its own.
#[test]
fn traces_that_executions_write_are_read() {
    let writes =
        "printf 'time_ms,load[W]\\n0,1\\n%s,9\\n10,2\\n' $(( {seed} % 4 + 1 )) > {dir}/t.csv";
    let property = "G[4ms,5ms] load > 7W";
    let options = [property, "--read", "{dir}/t.csv", "--linear", "load", "--max-runs", "60"];
    let steps = [property, "--read", "{dir}/t.csv", "--max-runs", "60", "-j", "2"];
    let verdict = |options: &[&'static str]| {
        let mut words = vec!["check"];
        words.extend(options);
        words.extend(["--seed", "1", "--no-save", "--format", "json", "-S", "sh", "--", writes]);
        document(&run(&words))["verdict"].as_str().unwrap().to_string()
    };
    // A step holds its 9 W until 10 ms; the line falls from it at once.
    assert_eq!(verdict(&steps), "true");
    assert_eq!(verdict(&options), "false");
}

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

#[test]
fn executions_from_files() {
    let words = ["check", "value < 0.4", "--data", RUNTIME, "--format", "json"];
    let found = document(&run(&words));
    let values = std::fs::read_to_string(top().join(RUNTIME)).unwrap();
    let numbers = values.split(',').map(|value| value.trim().parse::<f64>().unwrap());
    let below = numbers.filter(|value| *value < 0.4).count();
    assert_eq!(found["satisfied"], below, "{found}");
    assert_eq!(found["samples"], 500);
    assert_eq!(found["method"], "anytime");
}

/// A counter that grows from execution to execution is not independent of the last one: executions
/// are worth less, and a verdict that rests on them is put off or not given.
#[test]
fn dependent_executions_are_noticed() {
    let folder = scratch("check-dependent");
    let count = folder.join("count");
    let file = count.display();
    let grows = format!("n=$(cat {file}); echo $((n + 1)) | tee {file}");
    let found = |limit: &'static str, command: &str| {
        std::fs::write(&count, "0").unwrap();
        let words = check(&[limit, "--runs", "60", "--format", "json"], command);
        document(&run(&words))
    };
    // It crosses the limit, or only drifts.
    for limit in ["x < 50", "x < 1000000"] {
        let dependent = found(limit, &grows);
        assert_eq!(dependent["verdict"], "inconclusive", "{dependent}");
        assert!(dependent["dependence"]["lag1"].as_f64().unwrap() > 0.9, "{dependent}");
        assert!(dependent["dependence"]["counts_as"].as_u64().unwrap() < 10, "{dependent}");
        assert!(found(limit, DIE)["dependence"].is_null());
    }
    // Watched as they come in, it ends where the budget could not be enough.
    std::fs::write(&count, "0").unwrap();
    let words = check(&["x < 1000000", "-q"], &grows);
    let output = run(&words);
    let text = stdout_of_output(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.contains("Inconclusive: cannot tell") && text.contains("are autocorrelated"),
        "{text}"
    );
}

fn stdout_of_output(output: &std::process::Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Rows that are each much like the last are not as many executions; the same rows in another order
/// may be.
#[test]
fn dependent_rows_are_worth_less() {
    let folder = scratch("check-dependent-rows");
    let mut state = 7_u64;
    let mut noise = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 / (1_u64 << 31) as f64) - 0.5
    };
    let mut level = 0.0;
    let rows: Vec<f64> = (0..300)
        .map(|_| {
            level = 0.97 * level + noise();
            level
        })
        .collect();
    let file = |name: &str, rows: &[f64]| {
        let path = folder.join(name);
        let lines: Vec<String> = rows.iter().map(|row| format!("{row},0")).collect();
        std::fs::write(&path, format!("latency,other\n{}\n", lines.join("\n"))).unwrap();
        path.to_str().unwrap().to_string()
    };
    let mixed: Vec<f64> = (0..300).map(|i| rows[(i * 89) % 300]).collect();
    let (in_order, mixed) = (file("in-order.csv", &rows), file("mixed.csv", &mixed));
    for question in [&["latency < 1000"][..], &["--estimate", "latency"]] {
        let ask = |data: &str| run(&[&["check"], question, &["--data", data, "-q"]].concat());
        let dependent = ask(&in_order);
        let text = stdout_of_output(&dependent);
        assert_eq!(dependent.status.code(), Some(3), "{text}");
        assert!(text.contains("are autocorrelated (lag-1 0.9"), "{text}");
        let independent = ask(&mixed);
        assert_eq!(independent.status.code(), Some(0), "{}", stdout_of_output(&independent));
    }
}

/// In Markdown, a head and a rule of different lengths are not a table.
#[test]
fn every_line_of_a_markdown_table_has_the_same_columns() {
    let folder = scratch("check-markdown");
    let table = folder.join("table.csv");
    std::fs::write(&table, "power,x\n3,1\n4,2\n5,0\n").unwrap();
    for question in [&["x > 0"][..], &["--estimate", "power"]] {
        let data = ["--data", table.to_str().unwrap(), "--format", "markdown"];
        let output = run(&[&["check"], question, &data].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let columns: Vec<usize> = text.lines().map(|line| line.matches('|').count()).collect();
        assert_eq!(columns.len(), 3, "{text}");
        assert!(columns.iter().all(|&count| count == columns[0]), "{text}");
    }
}

#[test]
fn the_plan_runs_nothing() {
    let folder = scratch("check-plan");
    let mark = folder.join("mark");
    let command = format!("touch {}; echo {{seed}}", mark.display());
    let words = check(&["x < 97", "--dry-run"], &command);
    let text = stdout(&words);
    assert!(text.contains("An answer needs at least 43 executions"), "{text}");
    assert!(text.contains("echo 1") || text.contains("touch"), "{text}");
    let short = stdout(&check(&["x < 97", "--dry-run", "-q"], &command));
    assert!(short.starts_with("An answer needs at least 43 executions"), "{short}");
    assert_eq!(short.lines().count(), 1, "{short}");
    assert!(!mark.exists());
}

fn stdout_of(words: &[&str]) -> String {
    let text = String::from_utf8(run(words).stdout).unwrap();
    // Where lines break depends on the folder's name.
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every option of `check` that changes what is judged does so.
#[test]
fn every_option_changes_the_answer() {
    let folder = scratch("check-options");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let table = file("table.csv", "power,x\n3,1\n4,2\n5,0\n");
    let trace = file("trace.csv", "cycle,temp\n0,0\n10,10\n20,10\n");
    let quiet = file("quiet.csv", "time,event,size\n1,other,3\n");
    let tool = file("tool.csv", "a,b\n1,5\n2,6\n");
    let lapse = file("lapse.csv", "elapsed,x\n1,5\n2,6\n3,5\n4,6\n5,7\n");
    let answer = |words: &[&str]| {
        let words: Vec<&str> =
            ["check"].iter().chain(words).copied().chain(["--format", "json"]).collect();
        let output = run(&words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(2) => text,
            _ => {
                let found = document(&output);
                let parts =
                    ["satisfied", "verdict", "value", "lower", "samples", "method", "evidence"];
                parts.map(|part| found[part].to_string()).join(" ")
            }
        }
    };
    let (table, trace) = (table.as_str(), trace.as_str());
    let (quiet, tool, lapse) = (quiet.as_str(), tool.as_str(), lapse.as_str());
    let cases: &[(&[&str], &[&str])] = &[
        (&["power > 3W", "--data", table], &["--unit", "power=W"]),
        (&["x > 0", "--data", table], &["--probability", "0.1"]),
        (&["x > 0", "--data", table], &["--confidence", "0.5"]),
        (&["x > 0", "--data", table], &["--method", "exact"]),
        (&["x > 0", "--data", table], &["--indifference", "2%"]),
        (&["G[4,6] temp > 3", "--data", trace], &["--linear", "temp"]),
        (&["F[0,5ns] temp > 9", "--data", trace], &["--clock", "2GHz"]),
        (&["P(other at error) < 50%", "--data", quiet], &["--event", "error"]),
        (&["--estimate", "power", "--data", table], &["--direction", "ge"]),
        (&["b > 5", "--data", tool], &["--column", "a"]),
        (&["b > 5", "--data", tool], &["--input-format", "gem5"]),
        (&["x > 5", "--data", lapse], &["--rows", "executions"]),
        (&["avg(x) > 5", "--data", lapse], &["--rows", "samples"]),
    ];
    for (words, option) in cases {
        let plain = answer(words);
        let with = answer(&[*words, *option].concat());
        assert_ne!(plain, with, "{words:?} {option:?}");
    }
    let timed = file("timed.csv", "wait_ms\n5\n6\n");
    let shown = |unit: &str| stdout_of(&["check", "wait_ms < 9ms", "--data", &timed, "-u", unit]);
    assert!(shown("us").contains("3000 µs") && shown("ms").contains("3 ms"), "{}", shown("us"));
    let vacuous = ["P(other at error) < 50%", "--data", quiet, "--event", "error", "--vacuous"];
    let [as_true, as_false, skipped] =
        ["true", "false", "skip"].map(|how| answer(&[&vacuous[..], &[how]].concat()));
    assert!(as_true != as_false && as_false != skipped && as_true != skipped);
}

/// A log that does not name an event is of an execution in which it did not occur.
#[test]
fn an_event_that_a_file_does_not_name_did_not_occur() {
    let folder = scratch("check-absent-event");
    for (name, text) in
        [("1.csv", "time,event\n1,start\n2,error\n"), ("2.csv", "time,event\n1,start\n")]
    {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let data = folder.to_str().unwrap();
    let words = ["check", "count(error) < 1", "--data", data, "--format", "json"];
    let counts = document(&run(&words))["counts"].clone();
    assert_eq!((&counts["true"], &counts["false"]), (&1.into(), &1.into()), "{counts}");
}

/// Tuples take executions in the order of the file, none twice, and what is left over is said.
#[test]
fn tuples_from_a_file() {
    let folder = scratch("check-tuples");
    std::fs::write(folder.join("x.csv"), "x,y\n1,0\n2,0\n5,0\n4,0\n9,0\n").unwrap();
    let data = folder.join("x.csv");
    let words = ["check", "x@1 < x@2", "--data", data.to_str().unwrap(), "--format", "json"];
    let found = document(&run(&[&words[..], &["--include-values"]].concat()));
    let executions = found["executions"].as_array().unwrap();
    let truths: Vec<&Value> = executions.iter().map(|execution| &execution["truth"]).collect();
    assert_eq!(truths, ["true", "false"], "{found}");
    let first = executions[0]["source"].as_str().unwrap();
    assert!(first.contains("execution 1 and") && first.ends_with("execution 2"), "{first}");
    assert!(found["warnings"][0].as_str().unwrap().contains("1 execution left over"));
}

/// Files of executions stay where they are wanted, and only there.
#[test]
fn files_are_kept_on_request() {
    let folder = scratch("check-kept");
    let kept = folder.join("kept");
    let writes = "echo $(( {seed} % 5 )) | tee {dir}/out";
    let words = check(&["x >= 0", "--keep-files", kept.to_str().unwrap(), "--runs", "3"], writes);
    assert_eq!(run(&words).status.code(), Some(3));
    let kept_file = std::fs::read_to_string(kept.join("run-000002/out")).unwrap();
    assert_eq!(std::fs::read_to_string(kept.join("run-000002.out")).unwrap(), kept_file);
    let (code, text) = errors(&words);
    assert_eq!(code, Some(2), "a second check must not mix its files in: {text}");
}

/// Half of a number that an execution was printing when it was cut is not a number of it.
#[test]
fn what_a_cut_execution_was_printing_is_unknown() {
    let hangs =
        "echo x: 4; test $(( {seed} % 2 )) = 0 && { printf 'x: 48'; sleep 20; }; echo x: 485";
    let options = ["x > 100", "--timeout", "200ms", "--runs", "6"];
    let ask = |more: &[&'static str]| run(&check(&[&options[..], more].concat(), hangs));
    let found = document(&ask(&["--format", "json", "--include-values"]));
    let executions = found["executions"].as_array().unwrap();
    let cut: Vec<&Value> = executions.iter().filter(|one| one["cut"] == true).collect();
    assert!(!cut.is_empty() && cut.len() < 6, "{found}");
    assert!(cut.iter().all(|one| one["truth"] == "unknown"), "{found}");
    let (counts, total) = (&found["counts"], cut.len());
    assert_eq!((&counts["unknown"], &counts["cut"]), (&total.into(), &total.into()), "{found}");
    assert_eq!(counts["false"], 0);
    let said = stdout_of_output(&ask(&["-q"]));
    assert!(said.contains(&format!("Of 6 executions, {total} were cut short")), "{said}");
}

/// Numbers in a file for an execution marked as cut are not final either.
#[test]
fn numbers_of_a_cut_execution_in_a_file_are_unknown() {
    let folder = scratch("check-cut-file");
    let one = |cut: bool| {
        format!(
            "{{\"schema\": \"fathom-execution/1\", \"cut\": {cut}, \"scalars\": {{\"x\": 8}}}}\n"
        )
    };
    let data = folder.join("x.jsonl");
    std::fs::write(&data, one(true) + &one(false) + &one(false)).unwrap();
    let words = ["check", "x > 100", "--data", data.to_str().unwrap(), "--format", "json"];
    let found = document(&run(&words));
    let counts = &found["counts"];
    assert_eq!(
        (&counts["unknown"], &counts["false"], &counts["cut"]),
        (&1.into(), &2.into(), &1.into())
    );
}

/// Executions that fail are part of the budget, of every answer, and of what is said.
#[test]
fn budgets_hold_and_failures_are_told() {
    // The slow ones crash: of all, nine in ten take at most 11, of those that succeed, 8.
    let crashes = "x=$(( {seed} % 12 + 1 )); test $x -gt 8 && exit 3; echo $x";
    let skip = ["--runs", "60", "--on-failure", "skip"];
    for question in [&["--estimate", "x"][..], &["x < 9"]] {
        let words = [question, &skip[..]].concat();
        let json = [&words[..], &["--format", "json", "--include-values"]].concat();
        let found = document(&run(&check(&json, crashes)));
        assert_eq!(found["executions"].as_array().unwrap().len(), 60, "{found}");
        let counts = if question.len() == 2 { &found } else { &found["counts"] };
        let skipped = counts["skipped"].as_u64().unwrap();
        assert!(skipped > 5, "{found}");
        assert_eq!(found["samples"].as_u64().unwrap() + skipped, 60);
        assert_eq!((&found["stopped"], &found["failures"]), (&"fixed".into(), &"skipped".into()));
        assert_eq!(
            found["of_all"]["unknown"].as_u64().or(found["of_all"]["counts"]["unknown"].as_u64()),
            Some(skipped)
        );
        for detail in [&["-q"][..], &[]] {
            let text = stdout_of_output(&run(&check(&[&words[..], detail].concat(), crashes)));
            assert!(text.contains("of executions that succeed"), "{text}");
            assert!(
                text.contains(&format!("Of 60 executions, {skipped} failed (excluded)")),
                "{text}"
            );
            assert!(!text.contains("precision"), "{text}");
        }
    }
    let counted = ["--estimate", "x", "--runs", "60", "--on-failure", "count-as-false"];
    let text = stdout_of_output(&run(&check(&counted, crashes)));
    assert!(
        text.contains("No value of")
            && text.contains("holds for 90%")
            && text.contains("too many failed"),
        "{text}"
    );
}

/// No number is given where values that are not known decide it.
#[test]
fn no_estimate_where_unknown_values_decide_it() {
    let folder = scratch("check-unknown-values");
    let data = folder.join("x.csv");
    let ask = |missing: usize| {
        let cell =
            |i: usize| if i % 100 < missing { String::new() } else { ((i * 37) % 100).to_string() };
        let rows: Vec<String> = (0..100).map(|i| format!("{},0", cell(i))).collect();
        std::fs::write(&data, format!("x,y\n{}\n", rows.join("\n"))).unwrap();
        let words = ["check", "--estimate", "x", "--data", data.to_str().unwrap()];
        let found = document(&run(&[&words[..], &["--format", "json"]].concat()));
        (found, stdout_of(&[&words[..], &["-q"]].concat()))
    };
    let (all, _) = ask(0);
    assert!(all["value"].as_f64().is_some(), "{all}");
    let (found, text) = ask(20);
    assert!(found["value"].is_null(), "{found}");
    assert!(text.contains("depends on those without a known value"), "{text}");
    assert!(text.contains("Of 100 executions, 20 have no known value"), "{text}");
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

/// "False" names an execution, when it was false, and how to have it again.
#[test]
fn false_names_an_execution_and_when() {
    let writes = "printf 'time_ms,load[W]\\n0,1\\n4,%s\\n10,2\\n' $(( {seed} % 5 + 5 ))";
    let words = ["check", "G load < 8W", "--read", "-", "--seed", "1", "--no-save", "-S", "sh"];
    let output = run(&[&words[..], &["--", writes]].concat());
    let text = stdout_of_output(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("misses by 1 W in `load < 8W`, at time 4 ms"), "{text}");
    assert!(text.contains("to repeat: sh -c"), "{text}");
    let found = document(&run(&[&words[..], &["--format", "json", "--", writes]].concat()));
    let example = &found["counterexample"];
    assert_eq!(
        (&example["truth"], &example["at"], &example["at_unit"]),
        (&"false".into(), &4.0.into(), &"ms".into())
    );
    // One that hangs is false by at least so much, and one that fails by its failing.
    let hangs =
        ["check", "runtime < 10ms", "--timeout", "100ms", "--seed", "1", "--no-save", "-M", "30"];
    let text = stdout_of_output(&run(&[&hangs[..], &["--", "sleep", "20"]].concat()));
    assert!(text.contains("worst: run") && text.contains("misses by"), "{text}");
    let fails = check(&["x > 0", "--on-failure", "count-as-false"], "exit 3");
    let text = stdout_of_output(&run(&fails));
    assert!(text.contains("false in run 1, which exited with status 3"), "{text}");
}

/// What cannot be told names the reason that is the reason, and a way on that is one.
#[test]
fn cannot_tell_says_why_and_what_to_do() {
    let folder = scratch("check-cannot-tell");
    let asked = |options: &[&'static str]| {
        let mut words = check(&[&["x < 97"], options].concat(), DIE);
        words.retain(|word| *word != "--no-save");
        stdout_of_output(&run(&in_folder(&folder, &words)))
    };
    let text = asked(&["--max-runs", "50"]);
    assert!(text.contains("fathom resume 1 --max-runs"), "{text}");
    let (code, text) = errors(&in_folder(&folder, &["resume", "1"]));
    assert_eq!(code, Some(2));
    assert!(text.contains("fathom resume 1 --max-runs N") && !text.contains("less sure"), "{text}");
    assert!(asked(&["--runs", "30"]).contains("start again with --runs"));
    // Nine of ten are not a share near 90%.
    let data = folder.join("x.csv");
    let rows: Vec<String> = (0..10).map(|i| format!("{i},0")).collect();
    std::fs::write(&data, format!("x,y\n{}\n", rows.join("\n"))).unwrap();
    let text = stdout_of(&["check", "x < 9", "--data", data.to_str().unwrap()]);
    assert!(!text.contains("so close to 90%"), "{text}");
    // Nor where what is unknown decides.
    let rows: Vec<String> =
        (0..40).map(|i| if i < 10 { ",0".into() } else { format!("{i},0") }).collect();
    std::fs::write(&data, format!("x,y\n{}\n", rows.join("\n"))).unwrap();
    let text = stdout_of(&["check", "x < 90", "--data", data.to_str().unwrap()]);
    assert!(text.contains("the undecided ones decide it"), "{text}");
}
