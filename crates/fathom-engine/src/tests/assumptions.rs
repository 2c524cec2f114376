//! What a comparison says about its own assumptions.

use super::{compare_in, noise, shown};
use crate::measuring::scripted::Scripted;
use fathom_analyze::Report;
use fathom_analyze::compare::{Assumption, AssumptionOutcome, Comparison};

fn compared(words: &[&str], millis: impl FnMut(&str, usize) -> f64 + 'static) -> (Report, String) {
    let mut laboratory = Scripted::timed(millis);
    let (measured, report) = compare_in(&mut laboratory, words, (Vec::new(), None));
    let report = report.unwrap();
    let page = shown(&report, words, measured.seconds);
    (report, page.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn first(report: &Report) -> &Comparison {
    &report.comparisons.as_ref().unwrap()[0]
}

/// The second command takes 5% longer after the first.
fn carrying() -> impl FnMut(&str, usize) -> f64 {
    let (mut last, mut count) = (String::new(), 0);
    move |words, _| {
        let is_carried = words == "./b" && last == "./a";
        last = words.to_string();
        count += 1;
        20.0 * (1.0 + 0.003 * noise(count)) * if is_carried { 1.05 } else { 1.0 }
    }
}

#[test]
fn a_run_that_depends_on_the_run_before_is_told_with_a_remedy() {
    let (report, page) = compared(&["-v", "-r", "80", "./a", "./b"], carrying());
    let found = first(&report).assumptions().unwrap();
    let outcome = Assumption::NoCarryOver.judge(found, first(&report).margin);
    assert_eq!(outcome, AssumptionOutcome::Broken);
    let [of_a, of_b] = found.carry_over.unwrap().of_each().unwrap();
    assert!(of_a.abs() < 0.005 && (of_b - 1.05_f64.ln()).abs() < 0.005, "{of_a} {of_b}");
    assert!(page.contains("warning: after the other command, ./a takes 0."), "{page}");
    assert!(page.contains("reset before each run what they share"), "{page}");
    assert!(page.contains("carry-over: after the other command"), "{page}");
    // Without it the commands are equal.
    let bias = found.carry_over.unwrap().bias;
    assert!((first(&report).ratio * (-bias).exp() - 1.0).abs() < 0.01, "{bias}");
    let (_, brief) = compared(&["-r", "80", "./a", "./b"], carrying());
    assert!(brief.contains("warning: after the other command"), "{brief}");
    assert!(!brief.contains("carry-over:"), "{brief}");
}

#[test]
fn a_fixed_time_that_load_adds_is_told_from_a_factor() {
    let slow = |count: usize| 0.5 * (count as f64 / 60.0).sin().abs();
    let time = move |is_b: bool, count: usize, is_added: bool| {
        let work = if is_b { 26.0 } else { 20.0 } * (1.0 + 0.003 * noise(count));
        if is_added { work + 20.0 * slow(count) } else { work * (1.0 + slow(count)) }
    };
    let script = move |is_added: bool| {
        let mut count = 0;
        move |words: &str, _: usize| {
            count += 1;
            time(words == "./b", count, is_added)
        }
    };
    let (_, added) = compared(&["-r", "120", "./a", "./b"], script(true));
    assert!(added.contains("warning: the ratio depends on how slow the machine is"), "{added}");
    assert!(added.contains("as if other load added a fixed time to both"), "{added}");
    let (report, multiplied) = compared(&["-v", "-r", "120", "./a", "./b"], script(false));
    assert!(!multiplied.contains("warning"), "{multiplied}");
    assert!(multiplied.contains("other load multiplies both times"), "{multiplied}");
    assert!(first(&report).assumptions().unwrap().gain.unwrap().factor > 3.0, "{multiplied}");
}

#[test]
fn few_blocks_tell_nothing_and_say_so() {
    let (report, page) = compared(&["-v", "-r", "5", "./a", "./b"], |_, n| 20.0 + noise(n));
    let outcomes = Assumption::ALL
        .map(|one| one.judge(first(&report).assumptions().unwrap(), first(&report).margin));
    assert_eq!(outcomes, [AssumptionOutcome::CannotTell; 5]);
    assert!(page.contains("not enough data in 2 blocks to check: carry-over,"), "{page}");
}

/// With several commands only the difference of what runs carry over is known.
#[test]
fn several_commands_have_no_carry_over_of_each() {
    let (report, page) = compared(&["-v", "-r", "100", "./a", "./b", "./c"], |words, n| {
        20.0 * (1.0 + 0.01 * noise(3 * n + usize::from(words.as_bytes()[2])))
    });
    let found = first(&report).assumptions().unwrap();
    assert!(found.carry_over.unwrap().of_each().is_none());
    assert!(page.contains("running after another command costs ./b"), "{page}");
}
