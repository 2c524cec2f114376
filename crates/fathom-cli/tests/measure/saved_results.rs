//! `compare --files`.

use super::harness::*;

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

/// Every statistic that commands are compared by also compares saved results, with gates.
#[test]
fn saved_results_are_compared_by_any_statistic() {
    let folder = scratch("files_by_statistic");
    let file = |name: &str, slowed: f64| {
        let path = folder.join(name);
        let value = |i: u32| {
            let place = f64::from((i * 7919) % 1009) / 1009.0;
            100.0 + 20.0 * place + if place > 0.9 { slowed } else { 0.0 }
        };
        let values: Vec<String> = (0..1000).map(|i| value(i).to_string()).collect();
        std::fs::write(&path, format!("time_ms\n{}\n", values.join("\n"))).unwrap();
        path.display().to_string()
    };
    let (old, new) = (file("old.csv", 0.0), file("new.csv", 30.0));
    let answer = |statistic: &str| {
        let words = ["compare", "--files", &old, &new, "--statistic", statistic];
        let output = run(&[&words[..], &["--fail-if-slower", "5%", "--format", "json"]].concat());
        (output.status.code(), document(&output)["comparisons"][0].clone())
    };
    for (statistic, code, verdict) in [
        ("p99", 1, "slower"),
        ("p50", 0, "equivalent"),
        ("mean", 0, "equivalent"),
        ("quantiles", 1, "slower"),
    ] {
        let (exit, found) = answer(statistic);
        assert_eq!((exit, &found["verdict"]), (Some(code), &verdict.into()), "{found}");
        assert_eq!(found["statistic"], statistic);
    }
    assert_eq!(answer("quantiles").1["headline"], "p99");
}

/// One number for what is missing: that of the ratio. One side alone would need fewer samples.
#[test]
fn what_a_tail_of_saved_results_needs_is_one_number() {
    let folder = scratch("files_too_short_for_a_tail");
    let file = |name: &str, from: u32| {
        let values: Vec<String> =
            (from..from + 50).map(|i| (100 + i * 7919 % 101).to_string()).collect();
        let path = folder.join(name);
        std::fs::write(&path, format!("time_ms\n{}\n", values.join("\n"))).unwrap();
        path.display().to_string()
    };
    let (old, new) = (file("old.csv", 0), file("new.csv", 1000));
    let words = ["compare", "--files", &old, &new, "--statistic", "p99"];
    let output = run(&words);
    let page = String::from_utf8(output.stdout).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("more samples of each command would give an interval"), "{page}");
    assert!(!page.contains("are needed"), "{page}");
    let found = document(&run(&[&words[..], &["--format", "json"]].concat()));
    assert!(found["comparisons"][0]["more_needed"]["samples"].as_u64().unwrap() > 250, "{found}");
    assert_eq!(found["subjects"][0]["warnings"].as_array().map_or(0, Vec::len), 0, "{found}");
}
