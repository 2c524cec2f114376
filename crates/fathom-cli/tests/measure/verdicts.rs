//! Verdicts, gates and their exit codes.

use super::harness::*;

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
