//! `fathom analyze` as a user meets it: the real binary, real files, 80 columns.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;

#[test]
fn one_subject() {
    insta::assert_snapshot!(shown(&["analyze", RUNTIME, "--unit", "s"]));
}

#[test]
fn one_subject_verbose_with_several_statistics() {
    insta::assert_snapshot!(shown(&[
        "analyze",
        RUNTIME,
        "--unit",
        "s",
        "--statistic",
        "median",
        "--statistic",
        "mean",
        "--statistic",
        "p99.9",
        "-v",
    ]));
}

#[test]
fn several_subjects() {
    insta::assert_snapshot!(shown(&[
        "analyze",
        HYPERFINE,
        "--statistic",
        "median",
        "--statistic",
        "p90"
    ]));
}

#[test]
fn quiet() {
    insta::assert_snapshot!(
        shown(&["analyze", RUNTIME, "-q"]) + &shown(&["analyze", HYPERFINE, "-q"])
    );
}

#[test]
fn every_method() {
    let mut text = String::new();
    for (method, statistic) in [
        ("exact", "p90"),
        ("sequence", "p90"),
        ("spa", "p90"),
        ("bca", "p90"),
        ("sign", "median"),
        ("t", "mean"),
        ("z", "mean"),
        ("bca", "mean"),
    ] {
        text += &shown(&["analyze", RUNTIME, "--method", method, "--statistic", statistic]);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn one_sided_bounds() {
    insta::assert_snapshot!(
        shown(&["analyze", RUNTIME, "--sides", "upper", "--statistic", "p99"])
            + &shown(&["analyze", RUNTIME, "--sides", "lower", "--statistic", "mean"])
    );
}

#[test]
fn the_papers_question_in_all_four_directions() {
    let mut text = String::new();
    for direction in ["lt", "le", "gt", "ge"] {
        text += &shown(&[
            "analyze",
            MAXLOAD,
            "--method",
            "spa",
            "--proportion",
            "0.9",
            "--direction",
            direction,
            "--confidence",
            "90%",
            "-q",
        ]);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn too_few_samples() {
    let mut text = String::new();
    for n in [1, 2, 5] {
        let input: String = (1..=n).map(|i| format!("{i}\n")).collect();
        text += &shown_with_input(&["analyze", "-"], &input);
    }
    text +=
        &shown_with_input(&["analyze", "-", "--statistic", "mean", "--statistic", "p99"], "3\n");
    insta::assert_snapshot!(text);
}

#[test]
fn tables() {
    insta::assert_snapshot!(
        shown(&["analyze", HYPERFINE, "--format", "csv", "--statistic", "p99"])
            + &shown(&["analyze", HYPERFINE, "--format", "markdown"])
    );
}

#[test]
fn the_json_contract() {
    let text = stdout(&[
        "analyze",
        HYPERFINE,
        "--format",
        "json",
        "--include-values",
        "--statistic",
        "p90",
        "--statistic",
        "mean",
    ]);
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn infinite_ends_are_strings_and_missing_samples_are_counted() {
    let document = json(&["analyze", HYPERFINE, "--statistic", "p99", "--assume-independent"]);
    let estimate = &document["subjects"][0]["estimates"][0];
    assert_eq!(estimate["upper"], "inf");
    assert_eq!(estimate["n_needed"], 299);
    assert_eq!(document["schema"], "fathom/1");
    assert_eq!(document["subjects"][0]["stopped"], "fixed");
}

#[test]
fn exports_are_written_and_fathoms_own_json_reads_back() {
    let folder = scratch("exports");
    let path = |name: &str| folder.join(name).display().to_string();
    let [json_file, csv, markdown, asciidoc, orgmode] =
        ["out.json", "out.csv", "out.md", "out.adoc", "out.org"].map(path);
    stdout(&[
        "analyze",
        HYPERFINE,
        "--export-json",
        &json_file,
        "--export-csv",
        &csv,
        "--export-markdown",
        &markdown,
        "--export-asciidoc",
        &asciidoc,
        "--export-orgmode",
        &orgmode,
    ]);
    let read = |file: &str| std::fs::read_to_string(file).unwrap();
    insta::assert_snapshot!(
        [read(&csv), read(&markdown), read(&asciidoc), read(&orgmode)].join("\n")
    );
    let (first, again) = (json(&["analyze", HYPERFINE]), json(&["analyze", &json_file]));
    assert_eq!(first["subjects"], again["subjects"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_export_to_standard_output_comes_with_the_report() {
    let text = stdout(&["analyze", RUNTIME, "--export-csv", "-"]);
    assert!(text.contains("subject,metric,unit") && text.contains("sure at 95%"));
}

#[test]
fn files_of_single_executions_are_joined() {
    let folder = scratch("join");
    let files: Vec<String> = (0..8)
        .map(|i| {
            let file = folder.join(format!("run{i}.txt"));
            std::fs::write(&file, format!("{}\n", 10 + i)).unwrap();
            file.display().to_string()
        })
        .collect();
    let mut arguments = vec!["analyze", "--join"];
    arguments.extend(files.iter().map(String::as_str));
    let document = json(&arguments);
    assert_eq!(document["subjects"].as_array().unwrap().len(), 1);
    assert_eq!(document["subjects"][0]["name"], "8 files");
    assert_eq!(document["subjects"][0]["estimates"][0]["value"], 13.5);
    std::fs::write(folder.join("run7.txt"), "x_ms\n17\n").unwrap();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("one unit, say it with --unit"));
    arguments.extend(["--unit", "ms"]);
    assert_eq!(json(&arguments)["subjects"][0]["unit"], "ms");
    std::fs::remove_dir_all(folder).unwrap();
}
