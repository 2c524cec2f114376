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
            "--probability",
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

/// What so few samples say holds on condition, in every form.
#[test]
fn few_samples_have_an_interval_on_condition() {
    let ten = "12.1\n11.8\n12.6\n12.0\n12.3\n11.9\n12.4\n12.2\n12.7\n11.7\n";
    let said = |options: &[&str]| {
        let output = run_with_input(&[&["analyze", "-"], options].concat(), ten);
        String::from_utf8(output.stdout).unwrap()
    };
    const CONDITION: &str = "assuming independent runs; too few to check";
    let text = said(&[]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("(median, 95% CI 11.80 to 12.60, assuming independent runs"), "{text}");
    assert!(text.contains("mean 12.17 ± 0.33, range 11.70 to 12.70"), "{text}");
    let quiet = said(&["-q"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(quiet.contains(CONDITION), "{quiet}");
    assert!(said(&["--statistic", "mean", "-q"]).contains("independent"));
    assert!(said(&["--format", "markdown"]).contains(CONDITION));
    let csv = said(&["--format", "csv"]);
    assert!(csv.lines().next().unwrap().contains(",if_independent,mean,stddev,min,max"), "{csv}");
    assert!(csv.contains(",true,") && csv.trim_end().ends_with(",11.7,12.7"), "{csv}");
    let document: serde_json::Value = serde_json::from_str(&said(&["--format", "json"])).unwrap();
    let estimate = &document["subjects"][0]["estimates"][0];
    assert_eq!((&estimate["if_independent"], &estimate["lower"]), (&true.into(), &11.8.into()));
    assert_eq!(document["subjects"][0]["autocorrelation"]["sufficient"], false);
    let told = said(&["--assume-independent", "-q"]);
    assert!(told.contains("95% CI 11.80 to 12.60).") && !told.contains("too few"), "{told}");
    let five: Vec<&str> = ten.lines().take(5).collect();
    let output = run_with_input(&["analyze", "-q", "-"], &five.join("\n"));
    let five = String::from_utf8(output.stdout).unwrap();
    let five = five.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(five.contains("range 11.80 to 12.60, no interval: 5 samples are too few"), "{five}");
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
    assert!(text.contains("subject,metric,unit") && text.contains("95% CI"));
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

#[test]
fn decimal_commas_are_chosen_not_guessed() {
    let text = "12,24\n13,1\n11,987\n12,5\n12,75\n13,25\n12\n";
    let refused = run_with_input(&["analyze", "-"], text);
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.contains("\"12,24\" is two numbers or one number"), "{error}");
    assert!(error.contains("--decimal") && error.contains("--column"), "{error}");
    let names_and_sizes = |words: &[&str], text: &str| {
        let words: Vec<&str> = words.iter().copied().chain(["--format", "json"]).collect();
        let found = document(&run_with_input(&words, text));
        let subjects = found["subjects"].as_array().unwrap().clone();
        let of = |one: &serde_json::Value| (one["estimates"][0]["value"].clone(), one["n"].clone());
        subjects.iter().map(of).collect::<Vec<_>>()
    };
    let commas = names_and_sizes(&["analyze", "-", "--decimal", ","], text);
    assert_eq!(commas, [(12.5.into(), 7.into())]);
    let columns = names_and_sizes(&["analyze", "-", "--decimal", "."], "12,24\n13,1\n14,3\n");
    assert_eq!(columns, [(13.0.into(), 3.into()), (3.0.into(), 3.into())]);
    let picked = names_and_sizes(&["analyze", "-", "--column", "2"], "12,24\n13,1\n14,3\n");
    assert_eq!(picked, [(3.0.into(), 3.into())]);
}

#[test]
fn text_columns_are_skipped_and_every_format_says_so() {
    let text = "host;t_ms\na;1,5\nb;2\na;1,75\n";
    let page = shown_with_input(&["analyze", "-"], text);
    assert!(page.contains("skipped column with text: \"host\""), "{page}");
    assert!(page.contains("decimal commas"), "{page}");
    let found = document(&run_with_input(&["analyze", "-", "--format", "json"], text));
    assert!(found["warnings"].to_string().contains("skipped column with text"), "{found}");
    for words in [&["analyze", "-", "--format", "csv"][..], &["analyze", "-", "-q"]] {
        let output = run_with_input(words, text);
        assert!(String::from_utf8_lossy(&output.stderr).contains("skipped column with text"));
    }
}

#[test]
fn json_of_any_program_is_read() {
    let file = "testdata/formats/json/requests.ndjson";
    let found = json(&["analyze", file, "--column", "latency_ms", "--column", "db.wait_ms"]);
    assert_eq!(found["subjects"][0]["unit"], "ms");
    assert_eq!(found["subjects"][1]["n"], 4);
}
