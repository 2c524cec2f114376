//! `run`, `compare` and `doctor` for real: real commands, their failures, metrics and verdicts.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;

fn values(document: &Value, subject: usize) -> Vec<f64> {
    let values = document["subjects"][subject]["values"].as_array().unwrap();
    values.iter().map(|value| value.as_f64().unwrap()).collect()
}

/// Exit 4, with the name, how it ended, and what it said last.
#[test]
fn commands_that_fail() {
    let folder = scratch("failing");
    let script = folder.join("script");
    std::fs::write(&script, "#!/bin/sh\nexit 0\n").unwrap();
    let script = script.to_str().unwrap();
    let cases: [(&[&str], &[&str]); 8] = [
        (&["no-such-program x"], &["no-such-program", "PATH"]),
        (&["./no-such-program"], &["no-such-program", "spelling"]),
        (&[script], &["is not executable", "chmod +x"]),
        (&["crates"], &["crates"]),
        (
            &["-S", "sh", "echo first >&2; echo the reason >&2; exit 3"],
            &["status 3", "| the reason", "-i=3"],
        ),
        (&["-S", "sh", "kill -SEGV $$"], &["signal 11 (SIGSEGV)"]),
        (&["--timeout", "50ms", "sleep 5"], &["50ms", "--timeout"]),
        (&["-p", "exit 5", "true"], &["prepare", "status 5", "|| true"]),
    ];
    for command in ["run", "compare"] {
        for (words, wanted) in &cases {
            let mut arguments = vec![command, "--no-save"];
            arguments.extend(*words);
            if command == "compare" {
                arguments.push(words.last().unwrap());
            }
            let (code, text) = errors(&arguments);
            assert_eq!(code, Some(4), "{arguments:?}: {text}");
            for part in *wanted {
                assert!(text.contains(part), "{arguments:?}: no {part:?} in {text}");
            }
        }
    }
}

#[test]
fn what_only_a_shell_understands_is_refused_with_a_hint() {
    for command in ["ls | wc", "ls > x", "true && true", "ls *.rs", "echo $HOME", "A=1 true"] {
        let (code, text) = errors(&["run", "--no-save", command]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("-S"), "{text}");
    }
    let output = run(&["run", "--no-save", "-r", "2", "-S", "sh", "true | true && true"]);
    assert!(output.status.success());
}

#[test]
fn wrong_usage_of_run_and_compare() {
    let mut text = String::new();
    for arguments in [
        &["run"][..],
        &["run", "--no-save", "-m", "5", "-M", "3", "true"],
        &["run", "--no-save", "-L", "x", "1,2", "true"],
        &["run", "--no-save", "-P", "x", "5", "1", "true {x}"],
        &["run", "--no-save", "--precision", "0", "true"],
        &["run", "--no-save", "--max-time", "soon", "true"],
        &["run", "--no-save", "--on", "speed", "true"],
        &["run", "--no-save", "--on", "metric:x", "true"],
        &["run", "--no-save", "--metric", "x=(", "true"],
        &["run", "--no-save", "--counters=sheep", "true"],
        &["run", "--no-save", "-n", "a", "-n", "b", "true"],
        &["run", "--no-save", "-p", "true", "-p", "true", "-p", "true", "true", "true"],
        &["run", "--no-save", "-i=x", "true"],
        &["run", "--no-save", "'true"],
        &["run", "--no-save", "--save", "x", "true"],
        &["compare", "--no-save", "true"],
        &["compare", "--no-save", "--margin", "-1%", "true", "true"],
        &["compare", "--no-save", "--on", "wall-time", "--on", "user-time", "true", "true"],
        &["compare", "--files", "Cargo.toml"],
        &["compare", "--files", "no such file", "nor this"],
        &["compare", "--baseline", "nobody", "--session-dir", "no such folder", "true"],
        &["show", "--session-dir", "no such folder"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", transcript(arguments, &output));
        text += &transcript(arguments, &output);
    }
    // A folder that cannot be made is not wrong usage.
    let (code, unusable) = errors(&["run", "--session-dir", "Cargo.toml/x", "-r", "1", "true"]);
    assert_eq!(code, Some(5), "{unusable}");
    assert!(unusable.contains("cannot use Cargo.toml/x for sessions"), "{unusable}");
    // Which there are depends on the machine.
    let (code, text_of_cpu) = errors(&["run", "--no-save", "--cpu", "4096", "true"]);
    assert_eq!(code, Some(2));
    assert!(text_of_cpu.contains("CPU 4096"), "{text_of_cpu}");
    let top = top().display().to_string();
    insta::assert_snapshot!(text.replace(&top, "[TOP]"));
}

#[test]
fn the_verdict_and_its_gates_set_the_exit_code() {
    let base = ["compare", "--no-save", "--format", "json", "-w", "1"];
    let compared = |words: &[&str]| {
        let output = run(&[&base, words].concat());
        let code = output.status.code().unwrap();
        let comparison = document(&output)["comparisons"][0].clone();
        (code, comparison)
    };
    let sleeps = ["sleep 0.01", "sleep 0.02"];
    let (code, found) = compared(&sleeps);
    assert_eq!((code, found["verdict"].as_str().unwrap()), (0, "slower"), "{found}");
    let [lower, upper] = ["lower", "upper"].map(|end| found[end].as_f64().unwrap());
    assert!(1.2 < lower && lower <= upper && upper < 3.0, "{found}");
    let (code, found) = compared(&["sleep 0.02", "sleep 0.01"]);
    assert_eq!((code, found["verdict"].as_str().unwrap()), (0, "faster"), "{found}");
    let (code, found) = compared(&[&["--fail-if-slower", "5%"], &sleeps[..]].concat());
    assert_eq!((code, found["gates"][0]["outcome"].as_str().unwrap()), (1, "failed"));
    let (code, _) = compared(&["--fail-if-slower", "5%", "sleep 0.02", "sleep 0.01"]);
    assert_eq!(code, 0);
    let (code, found) = compared(&[&["--require-equivalent", "5%"], &sleeps[..]].concat());
    assert_eq!((code, found["gates"][0]["outcome"].as_str().unwrap()), (1, "failed"));
    // One block says nothing, whatever the machine does.
    let open = ["--require-equivalent", "1%", "-r", "2", "true", "true"];
    let (code, found) = compared(&open);
    assert_eq!(
        (code, found["gates"][0]["outcome"].as_str().unwrap()),
        (3, "inconclusive"),
        "{found}"
    );
    let (code, found) = compared(&[&["--allow-inconclusive"], &open[..]].concat());
    let outcome = found["gates"][0]["outcome"].as_str().unwrap();
    assert_eq!((code, outcome), (0, "inconclusive"), "{found}");
}

/// Ten samples of each give no interval (or one on a condition): whatever their medians are, a gate
/// does not pass without a word.
#[test]
fn a_gate_on_few_saved_samples_does_not_pass() {
    let folder = scratch("few_saved_samples");
    let file = |name: &str, base: f64| {
        let path = folder.join(name);
        let values: Vec<String> =
            (0..10).map(|i| format!("{}", base + 0.01 * f64::from(i * 7 % 10))).collect();
        std::fs::write(&path, format!("time_ms\n{}\n", values.join("\n"))).unwrap();
        path.display().to_string()
    };
    let (old, new) = (file("old.csv", 100.0), file("new.csv", 300.0));
    let words = ["compare", "--files", &old, &new, "--fail-if-slower", "2%"];
    let output = run(&words);
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    assert_ne!(output.status.code(), Some(0), "{text}");
    assert!(!text.contains("passed"), "{text}");
    // The gate's line carries the condition, where it says anything at all.
    let assumed = run(&[&words[..], &["--assume-independent"]].concat());
    let text = String::from_utf8_lossy(&assumed.stdout).replace("\n    ", " ").replace("\n  ", " ");
    assert_eq!(assumed.status.code(), Some(1), "{text}");
    assert!(text.contains(", assuming independent samples; not checked"), "{text}");
    assert!(text.contains("by more than 2%, assuming independent samples"), "{text}");
}

/// A result is equivalent to itself whatever it is, so that is not an answer.
#[test]
fn a_result_is_not_compared_with_its_copy() {
    let folder = scratch("copies");
    let values: Vec<String> = (0..30).map(|i| format!("{}", 100 + i * 7 % 30)).collect();
    let file = |name: &str| {
        let path = folder.join(name);
        std::fs::write(&path, format!("time_ms\n{}\n", values.join("\n"))).unwrap();
        path.display().to_string()
    };
    let (old, new) = (file("old.csv"), file("new.csv"));
    for pair in [[&old, &new], [&old, &old]] {
        let (code, text) =
            errors(&["compare", "--files", pair[0], pair[1], "--require-equivalent", "5%"]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("exactly the same 30 samples"), "{text}");
    }
}

#[test]
fn a_bare_number_is_not_a_percentage() {
    for words in [
        &["compare", "--fail-if-slower", "5", "true", "true"][..],
        &["compare", "--margin", "1", "true", "true"],
        &["compare", "--require-equivalent", "2", "true", "true"],
        &["run", "--precision", "2", "true"],
        &["run", "--confidence", "95", "true"],
    ] {
        let (code, text) = errors(words);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(&format!("Did you mean {}%?", words[2])), "{text}");
    }
}

#[test]
fn three_subjects_against_a_reference() {
    let words =
        ["compare", "--no-save", "--format", "json", "-r", "24", "--reference", "sleep 0.02"];
    let report = document(&run(&[&words[..], &["sleep 0.03", "sleep 0.01"]].concat()));
    let verdicts: Vec<(&str, &str)> = report["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["subject"].as_str().unwrap(), one["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(verdicts, [("sleep 0.03", "slower"), ("sleep 0.01", "faster")]);
    assert_eq!(report["comparisons"][0]["reference"], "sleep 0.02");
    assert_eq!(report["subjects"][0]["name"], "sleep 0.02");
    assert_eq!(report["comparisons"][0]["pairs"], 24);
}

#[test]
fn metrics_come_from_what_a_command_prints() {
    let base = ["run", "--no-save", "-r", "3", "--format", "json", "--include-values"];
    let printed = |words: &[&str]| {
        let report = document(&run(&[&base, words].concat()));
        let subjects = report["subjects"].as_array().unwrap().len();
        let last = &report["subjects"][subjects - 1];
        (
            last["metric"].as_str().unwrap().to_string(),
            values(&report, subjects - 1),
            last["unit"].clone(),
        )
    };
    let (metric, found, unit) =
        printed(&["--metric", "rate[B]=got ([0-9]+)", "--on", "metric:rate", "echo got 42 things"]);
    assert_eq!((metric.as_str(), found, unit), ("metric:rate", vec![42.0; 3], "B".into()));
    let json = r#"echo '{"a": [1, {"b": 2.5}]}'"#;
    assert_eq!(printed(&["--metric", "b=json:a[1].b", json]).1, [2.5; 3]);
    assert_eq!(printed(&["--metric", "n=last-number", "echo 1 2 7.5e2 end"]).1, [750.0; 3]);
    let (code, text) = errors(&["run", "--no-save", "--metric", "n=last-number", "echo nothing"]);
    assert_eq!(code, Some(4));
    assert!(text.contains("nothing") && text.contains('n'), "{text}");
}

#[test]
fn runs_are_pinned_counted_and_varied() {
    let base = ["run", "--no-save", "-r", "8", "--format", "json", "--include-values"];
    let last = |words: &[&str]| {
        let output = run(&[&base, words].concat());
        let report = document(&output);
        let subjects = report["subjects"].as_array().unwrap().len();
        (report.clone(), values(&report, subjects - 1))
    };
    let on = ["--metric", "n=last-number", "--on", "metric:n"];
    let cpus = ["--cpu", "0", "grep Cpus_allowed_list /proc/self/status"];
    assert_eq!(last(&[&on[..], &cpus].concat()).1, [0.0; 8]);
    let length = "echo ${#FATHOM_ENV_OFFSET}";
    let varied = last(&[&on[..], &["--env-offset", "random", "-S", "sh", length]].concat()).1;
    assert!(varied.iter().any(|value| *value != varied[0]), "{varied:?}");
    assert!(varied.iter().all(|value| (0.0..4096.0).contains(value)), "{varied:?}");
    let fixed = last(&[&on[..], &["--env-offset", "77", "-S", "sh", length]].concat()).1;
    assert_eq!(fixed, [77.0; 8]);
    let numbers = last(&[&on[..], &["-S", "sh", "echo $FATHOM_RUN"]].concat()).1;
    assert_eq!(numbers, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    let (report, faults) =
        last(&["--counters=page-faults,cycles", "--on", "counter:page-faults", "true"]);
    assert!(faults.iter().all(|faults| *faults > 10.0), "{faults:?}");
    // A machine without hardware counters says so; one with them counts.
    let counted = report["subjects"][0]["resources"].get("counter:cycles").is_some();
    let noted = report["warnings"].to_string().contains("cycles");
    assert!(counted || noted, "{report}");
    let (_, memory) = last(&["--on", "peak-memory", "true"]);
    assert!(memory.iter().all(|bytes| (100e3..8e6).contains(bytes)), "{memory:?}");
}

#[test]
fn input_and_output_go_where_they_are_sent() {
    let folder = scratch("streams");
    let (input, output) = (folder.join("in"), folder.join("out"));
    std::fs::write(&input, "12345").unwrap();
    let words = ["run", "--no-save", "-r", "2", "-q"];
    let [input, output] = [&input, &output].map(|path| path.to_str().unwrap());
    run(&[&words[..], &["--input", input, "--stdout", output, "cat"]].concat());
    assert_eq!(std::fs::read_to_string(output).unwrap(), "12345", "emptied before every run");
    let shown = run(&[&words[..], &["--show-output", "echo hello"]].concat());
    assert_eq!(String::from_utf8_lossy(&shown.stdout).matches("hello\n").count(), 2);
    let quiet = run(&[&words[..], &["echo hello"]].concat());
    assert!(!String::from_utf8_lossy(&quiet.stdout).contains("hello\n"));
}

/// What a shell adds is subtracted: by one that sleeps first, `true` takes less than that sleep.
#[test]
fn a_shells_start_up_is_subtracted() {
    use std::os::unix::fs::PermissionsExt;
    let shell = scratch("slow-shell").join("slow-shell");
    std::fs::write(&shell, "#!/bin/sh\nsleep 0.1\nexec /bin/sh \"$@\"\n").unwrap();
    std::fs::set_permissions(&shell, std::fs::Permissions::from_mode(0o755)).unwrap();
    let words = ["run", "--no-save", "--format", "json", "-r", "10", "true", "-S"];
    let found = document(&run(&[&words, &[shell.to_str().unwrap()][..]].concat()));
    let estimate = &found["subjects"][0]["estimates"][0]["value"];
    assert!(estimate.as_f64().is_some_and(|seconds| seconds < 0.1), "{estimate}");
    let (code, text) = errors(&["run", "--no-save", "-S", "no-such-shell", "true"]);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("no-such-shell"), "{text}");
}

/// A command that takes nothing is said to, also with -q, and never with a time of its own. At 95%,
/// one interval in twenty would exclude zero by chance, and the test would fail.
#[test]
fn what_cannot_be_told_from_the_shell_is_said() {
    for words in [&["-r", "40"][..], &["-r", "40", "-q"]] {
        let run_true = ["run", "--no-save", "-S", "sh", "true", "--confidence", "99.999%"];
        let output = run(&[&run_true, words].concat());
        let text = String::from_utf8_lossy(&output.stdout).replace("\n  ", " ");
        assert!(text.contains("true is too fast to separate from the shell's start-up"), "{text}");
        assert!(!text.contains("true takes"), "{text}");
    }
}

/// A value with a space is one word in a hook, and other files stay.
#[test]
fn a_hook_removes_the_file_that_a_parameter_names() {
    let folder = scratch("hook-values");
    let names = ["my", "data", "my data"];
    for name in names {
        std::fs::write(folder.join(name), "").unwrap();
    }
    let hook = format!("rm -f {}/{{f}}", folder.display());
    let output = run(&["run", "--no-save", "-r", "1", "-L", "f", "my data", "-p", &hook, "true"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(names.map(|name| folder.join(name).exists()), [true, true, false]);
}

#[test]
fn saved_results_are_compared_and_said_to_be_unpaired() {
    let folder = scratch("files");
    let export = |name: &str, command: &str| {
        let path = folder.join(name).display().to_string();
        let words = ["run", "--no-save", "-q", "-r", "25", "--export-json", &path, command];
        assert!(run(&words).status.success());
        path
    };
    let (old, new) = (export("old.json", "sleep 0.01"), export("new.json", "sleep 0.03"));
    let output = run(&["compare", "--files", &old, &new, "--assume-independent"]);
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(output.status.success());
    assert!(text.contains("times as long") && text.contains("from separate sessions"), "{text}");
    let gate = run(&[
        "compare",
        "--files",
        &old,
        &new,
        "--fail-if-slower",
        "10%",
        "--format",
        "json",
        "--assume-independent",
    ]);
    assert_eq!(gate.status.code(), Some(1));
    let found = &document(&gate)["comparisons"][0];
    assert_eq!((&found["design"], &found["verdict"]), (&"unpaired".into(), &"slower".into()));
    let (code, text) = errors(&["compare", "--files", HYPERFINE, RUNTIME]);
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn the_doctor_looks_and_measures() {
    let quick = document(&run(&["doctor", "--max-time", "0s", "--format", "json"]));
    let topics: Vec<&str> = quick["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["topic"].as_str().unwrap())
        .collect();
    for topic in [
        "governor",
        "turbo",
        "smt",
        "aslr",
        "load",
        "swap",
        "battery",
        "virtual-machine",
        "clock-source",
        "clock-grain",
        "perf-events",
    ] {
        assert!(topics.contains(&topic), "{topic}: {topics:?}");
    }
    assert!(quick["noise_floor"].is_null() && quick["interruptions"].is_null());
    let full = document(&run(&["doctor", "--max-time", "500ms", "--format", "json"]));
    let floor = &full["noise_floor"];
    assert!(floor["pairs"].as_u64().unwrap() >= 20, "{floor}");
    let smallest: Vec<f64> = floor["smallest_difference"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["difference"].as_f64().unwrap())
        .collect();
    assert!(smallest.len() == 3 && smallest[0] > smallest[1] && smallest[1] > smallest[2]);
    let interruptions = &full["interruptions"];
    let cpus = interruptions["cpus"].as_array().unwrap();
    assert!(!cpus.is_empty() && cpus.len() <= 8, "{interruptions}");
    for cpu in cpus {
        let lost = cpu["lost"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&lost) && cpu["seconds"].as_f64().unwrap() >= 0.25, "{cpu}");
        // Anything interrupts a quarter of a second, or nothing is said of it.
        assert_eq!(cpu["longest_seconds"].as_array().unwrap().is_empty(), lost == 0.0, "{cpu}");
    }
    let first = cpus[0]["cpu"].to_string();
    let one =
        document(&run(&["doctor", "--max-time", "10ms", "--cpu", &first, "--format", "json"]));
    let one = one["interruptions"]["cpus"].as_array().unwrap();
    assert!(one.len() == 1 && one[0]["seconds"].as_f64().unwrap() >= 1.0, "{one:?}");
    let text = stdout(&["doctor", "--max-time", "0s"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// Every option of `run` and `compare` that no other test here uses changes what is done or shown.
#[test]
fn other_options_change_something() {
    let shown = |words: &[&str]| {
        let output = run(&[&["run", "--no-save", "-r", "25"], words].concat());
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(shown(&["-u", "ns", "sleep 0.001"]).contains(" ns"));
    // Behind warnings about the machine, if there are any.
    assert!(shown(&["-n", "nap", "sleep 0.001"]).contains("nap takes"));
    assert!(shown(&["--style", "none", "true"]).is_empty());
    assert!(shown(&["--style", "full", "true"]).contains('\u{1b}'));
    assert!(!shown(&["--style", "basic", "--color", "always", "true"]).contains('\u{1b}'));
    assert!(shown(&["--style", "color", "true"]).contains('\u{1b}'));
    assert!(shown(&["--statistic", "mean", "true"]).contains("mean"));
    assert!(shown(&["--assume-independent", "--confidence", "99%", "true"]).contains("99%"));
    let order = |sort: &str| {
        let text = shown(&["--sort", sort, "sleep 0.02", "true"]);
        text.find("sleep 0.02").unwrap() < text.find("true").unwrap()
    };
    assert!(order("command") && !order("auto") && !order("mean-time"));
    assert!(
        shown(&["--reference", "true", "true", "sleep 0.02"]).contains("from separate sessions")
    );
    let markdown = shown(&["-q", "--export-markdown", "-", "true"]);
    assert!(markdown.contains("| subject |"), "{markdown}");
    let noisy = shown(&["-N", "-S", "sh", "-N", "true"]);
    assert!(noisy.contains("true takes"));
    let folder = scratch("compare-exports");
    let path = folder.join("c.csv").display().to_string();
    let base = ["compare", "--no-save", "-r", "12", "-q", "sleep 0.01", "sleep 0.02"];
    assert!(run(&[&base[..], &["--export-csv", &path]].concat()).status.success());
    let csv = std::fs::read_to_string(path).unwrap();
    // On a busy machine 12 pairs may be inconclusive.
    let row = csv.lines().nth(1).unwrap_or_default();
    assert!(csv.starts_with("reference,subject,ratio"), "{csv}");
    assert!(row.starts_with("sleep 0.01,sleep 0.02,"), "{csv}");
    assert!(row.contains(",slower,") || row.contains(",inconclusive,"), "{csv}");
    let table = run(&[&base[..], &["--format", "markdown"]].concat());
    assert!(String::from_utf8_lossy(&table.stdout).contains("| sleep 0.02 |"));
    let fewer =
        document(&run(&["compare", "--no-save", "--format", "json", "-M", "12", "true", "true"]));
    assert!(fewer["comparisons"][0]["pairs"].as_u64().unwrap() <= 12);
    let later = document(&run(&[
        "compare",
        "--no-save",
        "--format",
        "json",
        "-m",
        "40",
        "sleep 0.001",
        "sleep 0.004",
    ]));
    assert!(later["comparisons"][0]["pairs"].as_u64().unwrap() >= 40, "{later}");
    let seeded =
        document(&run(&["run", "--no-save", "--seed", "5", "-r", "1", "--format", "json", "true"]));
    assert_eq!(seeded["seed"], 5);
    // The seed is that of the bootstrap too: what is shown with it is what was shown then.
    let folder = scratch("seeded");
    let words = ["run", "-r", "25", "--seed", "9", "--statistic", "mean", "--method", "bca"];
    let first =
        document(&run(&in_folder(&folder, &[&words[..], &["--format", "json", "true"]].concat())));
    let again = document(&run(&in_folder(&folder, &["show", "--format", "json"])));
    assert_eq!(first["subjects"][0]["estimates"], again["subjects"][0]["estimates"]);
}

/// Parameters may have values that look like options.
#[test]
fn values_of_a_list_may_begin_with_a_hyphen() {
    let found = json(&[
        "run",
        "--no-save",
        "-r",
        "2",
        "-L",
        "how",
        "-a,--b,c",
        "-L",
        "n",
        "-1,2",
        "echo {how} {n}",
    ]);
    let names: Vec<&str> = found["subjects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    let expected =
        ["echo -a -1", "echo --b -1", "echo c -1", "echo -a 2", "echo --b 2", "echo c 2"];
    assert_eq!(names, expected);
}

/// The names and kinds of the fields of hyperfine's JSON.
fn fields(result: &Value) -> Vec<(String, &'static str)> {
    let kind = |value: &Value| match value {
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "integer",
        Value::String(_) => "text",
        Value::Array(all) if all.iter().all(Value::is_f64) => "floats",
        Value::Array(all) if all.iter().all(Value::is_i64) => "integers",
        Value::Object(all) if all.values().all(Value::is_string) => "texts",
        _ => "another",
    };
    let mut fields: Vec<_> = result
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.clone(), kind(value)))
        .collect();
    fields.sort();
    fields
}

/// What hyperfine writes has the same fields, and the importer reads the same numbers.
#[test]
fn hyperfines_json_is_written_as_hyperfine_writes_it() {
    let folder = scratch("hyperfine-json");
    let file = folder.join("out.json");
    let file = file.to_str().unwrap();
    let real = top().join("testdata/formats/hyperfine");
    let read = |path: &std::path::Path| -> Value {
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let sessions = folder.join("sessions");
    let words = ["run", "-r", "3", "-L", "seconds", "0.001,0.003", "sleep {seconds}"];
    let words = [&words[..], &["--export-hyperfine-json", file, "--include-values"]].concat();
    let measured =
        document(&run(&in_folder(&sessions, &[&words[..], &["--format", "json"]].concat())));
    let written = read(file.as_ref());
    let original = read(&real.join("v1-parameters.json"));
    for (place, result) in written["results"].as_array().unwrap().iter().enumerate() {
        assert_eq!(fields(result), fields(&original["results"][place]), "{result}");
        assert_eq!(result["command"], original["results"][place]["command"]);
        assert_eq!(result["parameters"], original["results"][place]["parameters"]);
        assert_eq!(result["times"], measured["subjects"][place]["values"]);
        assert_eq!(result["exit_codes"], serde_json::json!([0, 0, 0]));
    }
    let again = json(&["analyze", file, "--include-values"]);
    for place in 0..2 {
        assert_eq!(values(&again, place), values(&measured, place));
    }
    // A saved session has the same.
    let shown = folder.join("shown.json");
    let shown = shown.to_str().unwrap();
    run(&in_folder(&sessions, &["show", "-q", "--export-hyperfine-json", shown]));
    assert_eq!(read(shown.as_ref()), written);

    // Names, failures, another metric, standard output.
    let words = [
        "compare",
        "--no-save",
        "-i",
        "-r",
        "2",
        "-n",
        "good",
        "-n",
        "bad",
        "--on",
        "peak-memory",
        "--style",
        "none",
        "--export-hyperfine-json",
        "-",
        "-S",
        "sh",
        "true",
        "exit 3",
    ];
    let written: Value = serde_json::from_str(&stdout(&words)).unwrap();
    let original = read(&real.join("v1-two-commands.json"));
    for (place, name, code) in [(0, "good", 0), (1, "bad", 3)] {
        let result = &written["results"][place];
        assert_eq!(fields(result), fields(&original["results"][place]), "{result}");
        assert_eq!(
            (&result["command"], &result["exit_codes"]),
            (&name.into(), &serde_json::json!([code, code]))
        );
    }
    // Nothing is written where no command ran.
    let (code, text) = errors(&["show", "testdata/traces/shop", "--export-hyperfine-json", "-"]);
    assert!(code == Some(2) && text.contains("runs of commands"), "{text}");
}

/// Commands without a subcommand are timed, or compared.
#[test]
fn commands_need_no_subcommand() {
    let options = ["--no-save", "-r", "2", "--format", "json"];
    let found = document(&run(&[&options[..], &["sh -c :"]].concat()));
    assert!(found["comparisons"].is_null() && found["subjects"][0]["n"] == 2, "{found}");
    let found = document(&run(&[&["sh -c :", "true"], &options[..]].concat()));
    assert_eq!(found["comparisons"][0]["pairs"], 2);
    let (code, text) = errors(&["true"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("fathom run true"), "{text}");
    // A session of such a command can be shown.
    let folder = scratch("implied");
    let dir = folder.to_str().unwrap();
    assert!(run(&["-q", "-r", "2", "--session-dir", dir, "sh -c :"]).status.success());
    assert_eq!(
        document(&run(&["show", "--session-dir", dir, "--format", "json"]))["subjects"][0]["n"],
        2
    );
}

/// An effort is kept, and read back.
#[test]
fn an_effort_sets_the_limits_that_options_override() {
    let folder = scratch("effort");
    let words = ["run", "--effort", "thorough", "-M", "30", "-m", "5", "true"];
    let measured =
        document(&run(&in_folder(&folder, &[&words[..], &["--format", "json"]].concat())));
    assert_eq!(measured["subjects"][0]["n"], 30);
    let shown = document(&run(&in_folder(&folder, &["show", "--format", "json"])));
    assert_eq!(shown["subjects"][0]["estimates"], measured["subjects"][0]["estimates"]);
    let (code, text) = errors(&["run", "--effort", "heroic", "true"]);
    assert!(code == Some(2) && text.contains("thorough"), "{text}");
    assert_eq!(errors(&["run", "--effort", "quick", "-r", "3", "true"]).0, Some(2));
}
