use super::*;
use crate::measuring::settings;
use crate::measuring::subjects::{Subjects, build};
use crate::run::RunPlan;
use fathom_request::ParameterList;

fn asked(work: &str, values: &str, commands: &[&str]) -> RunRequest {
    let mut request = RunRequest { work: Some(work.to_string()), ..RunRequest::default() };
    request.subjects.commands = commands.iter().map(|one| (*one).to_string()).collect();
    request.subjects.lists.push(list("n", values));
    request
}

fn list(name: &str, values: &str) -> ParameterList {
    ParameterList { name: name.to_string(), values: values.to_string() }
}

fn plan(asked: &RunRequest) -> Result<RunPlan, EngineError> {
    let Subjects { all, .. } = build(&asked.subjects, &asked.running)?;
    RunPlan::of(asked, all, &settings::prepare(&asked.running, 1)?, 1)
}

fn error(asked: &RunRequest) -> String {
    plan(asked).map(|plan| plan.lines).unwrap_err().to_string()
}

#[test]
fn each_command_with_each_other_parameter_is_a_line() {
    let mut asked = asked("n", "1,2,4", &["a {n} {x}", "b {n}"]);
    asked.subjects.lists.push(list("x", "p,q"));
    let plan = plan(&asked).unwrap();
    let lines = plan.lines.as_ref().unwrap();
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["a {n} p", "b {n} (x = p)", "a {n} q", "b {n} (x = q)"]);
    for line in lines {
        let of_line: Vec<&str> =
            line.subjects().map(|index| plan.subjects[index].name.as_str()).collect();
        assert_eq!(line.amounts(), 3);
        let amounts: Vec<f64> = line.members.iter().map(|member| member.amount).collect();
        assert_eq!(amounts, [1.0, 2.0, 4.0], "{of_line:?}");
        assert_eq!(line.parameters.len(), 1);
    }
    let of_last: Vec<&str> =
        lines[2].subjects().map(|index| plan.subjects[index].name.as_str()).collect();
    assert_eq!(of_last, ["a 1 q", "a 2 q", "a 4 q"]);
}

#[test]
fn rounds_are_random_orders_of_all_amounts_and_their_mirror_images() {
    let plan = plan(&asked("n", "1,2,4,8", &["a {n}", "b {n}"])).unwrap();
    let lines = plan.lines.as_ref().unwrap();
    let order = |line: &WorkLine, seed| -> Vec<usize> {
        (0..80).map(|n| line.subject_of_run(seed, n)).collect()
    };
    let of_first = order(&lines[0], 7);
    for block in of_first.chunks(8) {
        let mirrored: Vec<usize> = block.iter().rev().copied().collect();
        assert_eq!(block, mirrored);
        let mut round = block[..4].to_vec();
        round.sort_unstable();
        assert_eq!(round, lines[0].subjects().collect::<Vec<_>>());
    }
    assert!(of_first.chunks(8).any(|block| block[..4] != of_first[..4]), "{of_first:?}");
    assert_eq!(of_first, order(&lines[0], 7));
    assert_ne!(of_first, order(&lines[0], 8));
    let places = |line: &WorkLine| -> Vec<usize> {
        let first = line.subjects().next().unwrap();
        order(line, 7).iter().map(|subject| (subject - first) / 2).collect()
    };
    assert_ne!(places(&lines[0]), places(&lines[1]), "lines do not share orders");
}

#[test]
fn what_is_no_amount_of_work_is_refused() {
    let of_values = |values: &str| error(&asked("n", values, &["a {n}"]));
    assert_eq!(
        of_values("1,big"),
        "--work n: the value 'big' is not a number. Amounts of work are numbers above 0"
    );
    assert!(of_values("1,nan").contains("'nan' is not a number"));
    assert!(of_values("1,inf").contains("'inf' is not a number"));
    assert!(of_values("1,").contains("'' is not a number"));
    assert!(of_values("0,1").contains("'0' is not above 0"));
    assert!(of_values("-3,1").contains("'-3' is not above 0"));
    assert_eq!(
        of_values("5,5.0"),
        "--work n: n is always 5, so set-up and rate cannot be separated. Use at least two amounts \
         of work"
    );
    assert!(of_values("5").contains("n is always 5"));
}

#[test]
fn what_does_not_do_the_work_is_refused() {
    let other = error(&asked("size", "1,2", &["a {n}"]));
    assert_eq!(
        other,
        "--work size: there is no parameter size; there is n. Define it with -P size MIN MAX or -L \
         size A,B,..."
    );
    let unused = error(&asked("n", "1,2", &["a {n}", "b"]));
    assert!(unused.contains("the command `b` does not use {n}"), "{unused}");
    // A hook may prepare the work.
    let mut prepared = asked("n", "1,2", &["b"]);
    prepared.running.prepare = vec!["make {n}".to_string()];
    assert!(plan(&prepared).is_ok());
    let mut compared = asked("n", "1,2", &["a {n}", "b {n}"]);
    compared.subjects.reference = Some("a {n}".to_string());
    assert!(error(&compared).starts_with("--reference compares times"));
}

#[test]
fn only_times_have_a_rate() {
    let with = |metric: &str| {
        let mut asked = asked("n", "1,2", &["a {n}"]);
        asked.running.on = vec![Metric::parse(metric).unwrap()];
        asked
    };
    assert!(plan(&with("cpu-time")).is_ok());
    assert_eq!(
        error(&with("peak-memory")),
        "--work needs a time, and peak-memory is something else. Choose a time with --on, such as \
         wall-time or cpu-time"
    );
    let printing = |how: &str| {
        let mut asked = asked("n", "1,2", &["a {n}"]);
        asked.running.metrics = vec![how.parse().unwrap()];
        asked
    };
    assert!(plan(&printing("t[ms]=last-number")).is_ok());
    assert!(plan(&printing("t=last-number")).is_ok());
    assert!(error(&printing("t[MiB]=last-number")).contains("metric:t is something else"));
}

/// Numbers of runs are of each amount, and what nobody asked for completes a round.
#[test]
fn runs_are_counted_for_each_amount() {
    let mut asked = asked("n", "1,2,4", &["a {n}"]);
    let rule = |asked: &RunRequest| plan(asked).unwrap().rule;
    assert_eq!((rule(&asked).fewest, rule(&asked).most), (12, usize::MAX));
    let planned = plan(&asked).unwrap();
    let target = planned.targets()[0];
    let looks: Vec<usize> =
        std::iter::successors(planned.next_look(&target, 0), |n| planned.next_look(&target, *n))
            .take(4)
            .collect();
    assert_eq!(looks, [42, 51, 63, 81]);
    asked.runs = Some(7);
    assert_eq!((rule(&asked).fewest, rule(&asked).most), (21, 21));
    asked.runs = None;
    (asked.min_runs, asked.max_runs) = (Some(5), Some(9));
    assert_eq!((rule(&asked).fewest, rule(&asked).most), (15, 27));
    (asked.min_runs, asked.max_runs) = (Some(9), Some(5));
    assert!(error(&asked).contains("--min-runs 9 is more than --max-runs 5"));
}
