//! How commands are run, and what is read from them.

use super::harness::*;
use super::values;

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
