//! Warnings, word by word.

use super::*;

fn steps() -> Vec<f64> {
    levels(&[(1.0, 20), (5.0, 20), (2.0, 20), (8.0, 20), (3.0, 20)])
}

fn of(here: &[f64], there: &[f64], window: TargetRange) -> Aligned {
    let traces = Traces::default().gauge("here", "work", here).gauge("there", "work", there);
    traces.align(&select("work", &[window])).unwrap()
}

#[test]
fn constant_windows() {
    let aligned = of(&steps(), &steps(), rows(22, 30));
    let known = "\"work\" never changes in the window from 21 s to 30 s, so only the window's ends \
                 align other runs with it";
    assert_eq!(aligned.runs[0].warnings, [known]);
    let mut nearly = steps();
    nearly.iter_mut().enumerate().for_each(|(n, value)| *value += (n % 2) as f64 * 0.01);
    let aligned = of(&nearly, &nearly, rows(22, 30));
    assert!(aligned.runs[0].warnings[0].starts_with("\"work\" hardly changes in the window from"));
    assert_eq!(of(&steps(), &steps(), rows(10, 30)).runs[0].warnings, [] as [&str; 0]);
}

#[test]
fn even_stretches_of_other_lengths() {
    // The second level takes 40 samples instead of 20: where its middle is cannot be known.
    let there = levels(&[(1.0, 20), (5.0, 40), (2.0, 20), (8.0, 20), (3.0, 20)]);
    let aligned = of(&steps(), &there, rows(30, 50));
    let known = "the ends of the window may be off by 10 s: \"work\" changes too little around \
                 them to match moments (local incorrectness); choose window ends where \"work\" \
                 changes, or try --penalty 0.5";
    assert_eq!(run(&aligned, "there").warnings, [known]);
    // From where it begins to where it ends it is certain.
    let aligned = of(&steps(), &there, rows(20, 59));
    assert_eq!(run(&aligned, "there").warnings, [] as [&str; 0]);
    assert_eq!(run(&aligned, "there").windows, [(at(19), at(79))]);
}

#[test]
fn runs_of_other_lengths() {
    let aligned = of(&steps(), &steps()[..40], rows(15, 30));
    let warning = &run(&aligned, "there").warnings;
    let known = "the run is less than half as long as the reference (\"work\" lasts 40 s, there \
                 100 s): it may have stopped early or done other work";
    assert!(warning.iter().any(|warning| warning == known), "{warning:?}");
    let aligned = of(&steps()[..40], &steps(), rows(15, 30));
    let warning = run(&aligned, "there").warnings.join("");
    assert!(warning.contains("the run is more than twice as long as the reference"), "{warning}");
}

#[test]
fn windows_beyond_the_common_metric() {
    let mut traces = Traces::default()
        .gauge("here", "target", &steps())
        .gauge("here", "work", &steps()[..50])
        .gauge("there", "work", &steps()[..50]);
    traces.common = Some("work".to_string());
    let aligned = traces.align(&select("target", &[rows(60, 70)])).unwrap();
    let there = run(&aligned, "there");
    assert_eq!(there.windows, [(at(59), at(70))]);
    let known =
        "\"work\" has no values in the reference's window, so the window is mapped by time alone";
    assert_eq!(there.warnings, [known]);
    assert_eq!(there.quality.unwrap().cost_in_window, None);
}
