//! What the terminal shows, at 80 columns.

use super::{compare_in, noise, run_in, shown};
use crate::measuring::scripted::Scripted;
use insta::assert_snapshot;

fn comparison(words: &[&str], millis: impl FnMut(&str, usize) -> f64 + 'static) -> String {
    let mut laboratory = Scripted::timed(millis);
    let (measured, report) = compare_in(&mut laboratory, words, (Vec::new(), None));
    shown(&report.unwrap(), words, measured.seconds)
}

#[test]
fn slower() {
    let words = ["./old input", "./new input"];
    assert_snapshot!(comparison(&words, |words, n| {
        let is_new = words.contains("new");
        let base = if is_new { 12.09 } else { 11.62 };
        base * (1.0 + 0.01 * noise(2 * n + usize::from(is_new)))
    }));
}

#[test]
fn faster_by_far_and_hardly() {
    let words = ["./old", "./new", "./newer"];
    assert_snapshot!(comparison(&words, |words, n| {
        let base = match words {
            "./old" => 50.0,
            "./new" => 48.0,
            _ => 5.0,
        };
        base * (1.0 + 0.02 * noise(3 * n + words.len()))
    }));
}

#[test]
fn equivalent() {
    let words = ["./a", "./b"];
    assert_snapshot!(comparison(&words, |words, n| 20.0
        * (1.0 + 0.01 * noise(2 * n + usize::from(words == "./a")))));
}

#[test]
fn cannot_tell() {
    let words = ["--max-time", "2s", "./a", "./b"];
    assert_snapshot!(comparison(&words, |words, n| 20.0
        * (1.0 + 0.2 * noise(2 * n + usize::from(words == "./a")))));
}

#[test]
fn too_little_to_tell() {
    let words = ["--max-time", "100ms", "./a", "./b"];
    assert_snapshot!(comparison(&words, |_, n| 20.0 * (1.0 + 0.2 * noise(n))));
}

#[test]
fn a_gate_that_fails_and_one_that_stays_open() {
    let words = ["--fail-if-slower", "2%", "./a", "./b"];
    let slow = |words: &str, n: usize| {
        (if words == "./b" { 21.0 } else { 20.0 })
            * (1.0 + 0.01 * noise(2 * n + words.len() % 2 + usize::from(words.ends_with('b'))))
    };
    assert_snapshot!("gate_failed", comparison(&words, slow));
    let words = ["--require-equivalent", "2%", "--max-time", "2s", "./a", "./b"];
    assert_snapshot!(
        "gate_open",
        comparison(&words, |words, n| 20.0
            * (1.0 + 0.2 * noise(2 * n + usize::from(words == "./a"))))
    );
}

#[test]
fn with_the_tests_of_other_tools() {
    let words = ["-v", "--on", "peak-memory", "-r", "20", "./a", "./b"];
    assert_snapshot!(comparison(&words, |_, n| 20.0 * (1.0 + 0.01 * noise(n))));
}

#[test]
fn a_run() {
    let words = ["make -j2"];
    let mut laboratory = Scripted::timed(|_, n| {
        // The first two are cold.
        let cold = [1.3, 1.1].get(n).copied().unwrap_or(1.0);
        12_410.0 * cold * (1.0 + 0.01 * noise(n))
    });
    let (_, report) = run_in(&mut laboratory, &["-m", "40", "make -j2"]);
    assert_snapshot!(shown(&report, &words, 0.0));
}

#[test]
fn several_runs() {
    let words = ["-L", "n", "1,2,4", "./work -j {n}"];
    let mut laboratory = Scripted::timed(|words, n| {
        let threads: f64 = words.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(1.0);
        100.0 / threads
            * (1.0 + 0.02 * noise(2 * n + words.len() % 2 + usize::from(words.ends_with('b'))))
    });
    let (_, report) = run_in(&mut laboratory, &words);
    assert_snapshot!(shown(&report, &words, 0.0));
}

#[test]
fn too_few_runs() {
    let words = ["-r", "5", "./slow"];
    let mut laboratory = Scripted::timed(|_, n| 100.0 * (1.0 + 0.02 * noise(n)));
    let (_, report) = run_in(&mut laboratory, &words);
    assert_snapshot!(shown(&report, &words, 0.0));
}

#[test]
fn a_run_of_another_metric() {
    let words = ["--on", "peak-memory", "-r", "30", "./tool"];
    let mut laboratory = Scripted::new(|_| {
        let mut execution = crate::measuring::scripted::took(20.0);
        execution.usage.peak_memory = 4_000_000;
        execution
    });
    let (_, report) = run_in(&mut laboratory, &words);
    assert_snapshot!(shown(&report, &words, 0.0));
}

/// With a gate, the headline and the gate say the same.
#[test]
fn a_gate_that_passes_has_its_headline() {
    let words = ["--fail-if-slower", "3%", "--max-time", "2s", "./a", "./b"];
    let page = comparison(&words, |words, n| {
        20.0 * (1.0 + 0.2 * noise(2 * n + usize::from(words == "./a")))
    });
    assert!(page.contains("gate --fail-if-slower 3%: passed"), "{page}");
    assert!(!page.contains("Inconclusive"), "{page}");
}

/// An interval beyond twice the limit could not have failed the gate.
#[test]
fn a_gate_that_could_not_fail_is_inconclusive() {
    let words = ["--fail-if-slower", "0.5%", "--max-time", "2s", "./a", "./b"];
    let page = comparison(&words, |words, n| {
        20.0 * (1.0 + 0.2 * noise(2 * n + usize::from(words == "./a")))
    });
    assert!(page.contains("gate --fail-if-slower 0.5%: INCONCLUSIVE"), "{page}");
    assert!(page.contains("would settle it: --max-time"), "{page}");
}

#[test]
fn removed_outliers_are_not_said_to_be_kept() {
    let words = ["--outliers", "remove", "-r", "40", "./a", "./b"];
    let page = comparison(&words, |words, n| {
        // Far enough for an outlier, and not so far that the block is excluded as under other load.
        let far = if n == 5 && words == "./a" { 1.03 } else { 1.0 };
        20.0 * far * (1.0 + 0.01 * noise(2 * n + usize::from(words == "./a")))
    });
    assert!(page.contains("flagged as outliers (removed from the medians"), "{page}");
    assert!(!page.contains("(kept)"), "{page}");
}

/// If CPU time is judged already, nothing advises to judge it.
#[test]
fn advice_does_not_name_the_option_in_use() {
    let waits = |words: &str, n: usize| 20.0 + 0.1 * noise(2 * n + usize::from(words == "./a"));
    let page = comparison(&["--on", "cpu-time", "-r", "12", "./a", "./b"], waits);
    assert!(!page.contains("--on cpu-time"), "{page}");
    let few = comparison(&["-r", "4", "./a", "./b"], waits);
    assert!(few.contains("better 20: -r 20") && !few.contains("--max-time"), "{few}");
}
