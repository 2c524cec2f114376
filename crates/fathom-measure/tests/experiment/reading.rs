//! One execution: what is filled in, what is read, and how it fails.

use crate::harness::{Case, once, recipe, this_program, ticket};
use fathom_measure::experiment::{
    ExecutionFailure, FleetError, Performed, Recipe, Scratch, System, Ticket, built_in_names,
    perform, seed_of,
};
use fathom_measure::{Local, Tolerated};
use fathom_record::{Certainty, Ending, Observation, Span, Unit};
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) const CASES: &[Case] = &[
    ("seed_run_and_folder_are_filled_in", placeholders),
    ("values_stay_one_word", values_stay_one_word),
    ("every_execution_has_the_numbers_of_its_cost", built_in_numbers),
    ("metrics_come_from_output_and_files", metrics),
    ("names_of_the_user_replace_built_in_ones", user_wins),
    ("traces_come_from_output_and_files", traces),
    ("failures_say_how_and_what_was_said", failures),
    ("what_is_missing_is_a_failure", missing),
    ("a_program_that_is_not_there_is_a_failure", no_program),
    ("one_that_was_cut_off_is_read_as_far_as_it_goes", cut),
    ("a_tolerated_exit_status_can_be_judged", tolerated),
    ("output_need_not_be_text", any_bytes),
    ("huge_output_is_refused_or_not_needed", huge_output),
    ("a_file_of_an_earlier_execution_is_not_taken", stale_file),
    ("folders_go_unless_they_are_kept", folders),
    ("a_folder_that_cannot_be_made_breaks_off", unwritable),
    ("systems_have_folders_of_their_own", systems),
];

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn performed(of: &TempDir, change: impl FnOnce(&mut Recipe), text: &str) -> Performed {
    let mut recipe = recipe(of.path(), text);
    change(&mut recipe);
    let performed = once(&recipe, &Scratch::temporary(of.path().join("scratch")));
    let left = fs::read_dir(of.path().join("scratch")).unwrap().count();
    assert_eq!(left, 0, "folders are left behind");
    // What a journal or another process makes of it is the same.
    let again: Performed =
        serde_json::from_str(&serde_json::to_string(&performed).unwrap()).unwrap();
    assert_eq!(format!("{again:?}"), format!("{performed:?}"));
    performed
}

fn seen(text: &str, metrics: &[&str]) -> Observation {
    let metrics = metrics.iter().map(|metric| metric.to_string()).collect();
    performed(&folder(), |recipe| recipe.metrics = metrics, text).outcome.unwrap()
}

fn failure(performed: Performed) -> ExecutionFailure {
    performed.outcome.unwrap_err()
}

fn value(seen: &Observation, name: &str) -> f64 {
    seen.scalars()[name].value
}

fn placeholders() {
    let seen = seen(
        "echo {seed} {run}; test -d '{dir}' && test -z \"$(ls '{dir}')\" && echo empty 1; \
         test \"$FATHOM_SEED $FATHOM_RUN $FATHOM_DIR\" = '{seed} {run} {dir}' && echo same 1; \
         echo '{other} {}'",
        &["seed=^([0-9]+) [0-9]+$", "run=^[0-9]+ ([0-9]+)$", "empty=empty (1)", "same=same (1)"],
    );
    assert_eq!(value(&seen, "seed"), f64::from(seed_of(7, 0)));
    assert_eq!(value(&seen, "run"), 1.0, "runs count from 1");
}

fn values_stay_one_word() {
    // A scratch folder with a space, and words without a shell.
    let of = folder();
    let mut recipe = recipe(of.path(), "");
    let words = ["sh", "-c", "echo $# \"$1\"", "x", "{dir}", "a{run}"];
    recipe.systems[0].words = words.map(str::to_string).to_vec();
    recipe.metrics = vec!["n=^([0-9]+)".into(), "ok=a b/run-(000001)$".into()];
    let performed = once(&recipe, &Scratch::temporary(of.path().join("a b")));
    assert_eq!(value(&performed.outcome.unwrap(), "n"), 2.0);
}

fn built_in_numbers() {
    let of = folder();
    let performed = performed(&of, |_| {}, "exit 0");
    assert_eq!(performed.ticket, ticket(0));
    assert_eq!(performed.ending, Some(Ending::Exited(0)));
    assert!(!performed.host.is_empty());
    let seen = performed.outcome.unwrap();
    let names: Vec<&str> = seen.scalars().keys().map(String::as_str).collect();
    let mut expected = built_in_names().to_vec();
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(value(&seen, "runtime"), performed.usage.wall.seconds());
    assert!(value(&seen, "runtime") > 0.0);
    assert_eq!(seen.scalars()["runtime"].unit, Unit::SECONDS);
    assert_eq!(seen.scalars()["peak_memory"].unit, Unit::Bytes);
    assert_eq!(value(&seen, "exit_code"), 0.0);
    assert_eq!(seen.end(), Some(value(&seen, "runtime")));
    assert_eq!(seen.time_unit(), &Unit::SECONDS);
    assert!(!seen.is_cut());
}

fn metrics() {
    let seen = seen(
        "echo 'ipc: 1.5'; printf 't,temp\\n0,60\\n1,61\\n'; echo end 9; \
         printf '{\"a\": {\"b\": 7}}' > {dir}/o.json; printf 'x;y\\n1;2\\n' > s{seed}.csv",
        &[
            "ipc=ipc: ([0-9.]+)",
            "temp[degC]=csv:temp",
            "last=last-number",
            "b=in:{dir}/o.json:json:a.b",
            "y=in:s{seed}.csv:csv:y",
            "x=in:s{seed}.csv:^([0-9]+);",
        ],
    );
    let values = ["ipc", "temp", "last", "b", "y", "x"].map(|name| value(&seen, name));
    assert_eq!(values, [1.5, 61.0, 9.0, 7.0, 2.0, 1.0]);
    assert_eq!(seen.scalars()["temp"].unit, Unit::Other("degC".to_string()));
}

fn user_wins() {
    let seen = seen("echo 42", &["runtime[ms]=last-number"]);
    assert_eq!(value(&seen, "runtime"), 42.0);
    assert_eq!(seen.scalars()["runtime"].unit.symbol(), "ms");
    assert!(seen.end().unwrap() > 0.0 && seen.end().unwrap() < 42.0, "the end is in seconds");
    // Also where it is missing: another number must not replace it.
    let of = folder();
    let change = |recipe: &mut Recipe| {
        recipe.metrics = vec!["runtime=last-number".to_string()];
        recipe.timeout = Some(Duration::from_millis(50));
    };
    let cut = performed(&of, change, "exec sleep 60").outcome.unwrap();
    assert!(value(&cut, "runtime").is_nan());
}

fn traces() {
    let of = folder();
    let csv = "printf 'time [ms],temp\\n0,60\\n5,80\\n9,70\\n'";
    let read = |file: &str| {
        let file = file.to_string();
        move |recipe: &mut Recipe| recipe.files = vec![file]
    };
    let of_output = performed(&of, read("-"), csv).outcome.unwrap();
    let own = format!("{csv} > {{dir}}/trace.csv");
    let of_file = performed(&of, read("{dir}/trace.csv"), &own).outcome.unwrap();
    let relative = format!("{csv} > trace-{{run}}.csv");
    let of_folder = performed(&of, read("trace-{run}.csv"), &relative).outcome.unwrap();
    for seen in [of_output, of_file, of_folder] {
        assert_eq!(seen.signals()["temp"].values(), [60.0, 80.0, 70.0]);
        assert_eq!(seen.signals()["temp"].times(), [0.0, 5.0, 9.0]);
        assert_eq!(seen.time_unit().symbol(), "ms");
        assert_eq!(seen.end(), Some(9.0), "the trace's own");
        assert!(seen.scalars().contains_key("runtime"));
    }
    // JSON says everything about itself; a second file adds to it.
    let change = |recipe: &mut Recipe| {
        recipe.files = vec!["{dir}/a.json".into(), "-".into()];
        recipe.metrics = vec!["two=in:{dir}/a.json:json:end".into()];
    };
    let text = "echo '{\"schema\": \"fathom-execution/1\", \"end\": 100, \"time_unit\": \"cycles\", \
                \"scalars\": {\"peak_memory\": 5}, \"events\": {\"error\": [10, 30]}}' \
                > {dir}/a.json; \
                echo '{\"schema\": \"fathom-execution/1\", \"time_unit\": \"cycles\", \
                \"signals\": {\"x\": {\"times\": [0], \"values\": [1]}}}'";
    let seen = performed(&of, change, text).outcome.unwrap();
    assert_eq!(seen.end(), Some(100.0));
    assert_eq!(seen.time_unit().symbol(), "cycles");
    assert_eq!(seen.events()["error"].times(), [10.0, 30.0]);
    assert_eq!(seen.signals()["x"].values(), [1.0]);
    assert_eq!(value(&seen, "peak_memory"), 5.0, "the file's replaces the built-in one");
    assert_eq!(value(&seen, "two"), 100.0);
}

fn failures() {
    let of = folder();
    let failed =
        performed(&of, |_| {}, "echo fine; echo first >&2; printf 'bad\\033[1m' >&2; exit 3");
    assert_eq!(failed.ending, Some(Ending::Exited(3)));
    assert!(failed.usage.wall > Span::ZERO);
    let failed = failure(failed);
    assert_eq!(failed.how, "exited with status 3");
    assert_eq!(failed.said, ["first", "bad\u{fffd}[1m"]);
    let killed = performed(&of, |_| {}, "kill -SEGV $$");
    assert_eq!(killed.ending, Some(Ending::Signalled(11)));
    assert_eq!(failure(killed).how, "was killed by signal 11 (SIGSEGV)");
}

fn missing() {
    let of = folder();
    let metric = |metric: &str| {
        let metric = metric.to_string();
        move |recipe: &mut Recipe| recipe.metrics = vec![metric]
    };
    let how = |change, text: &str| failure(performed(&of, change, text));
    let failed = how(metric("ipc=ipc: (.*)"), "echo done; echo why >&2");
    assert_eq!(
        failed.how,
        "metric ipc: no match, looking for the regex ipc: (.*) in standard output. Its last line \
         is \"done\"."
    );
    assert_eq!(failed.said, ["why"]);
    let failed = how(metric("ipc=in:{dir}/o:last-number"), "echo none > {dir}/o").how;
    assert!(failed.starts_with("metric ipc: no number, looking for last-number in /"), "{failed}");
    assert!(failed.ends_with("run-000001/o. Its last line is \"none\"."), "{failed}");
    let failed = how(metric("ipc=in:{dir}/o:last-number"), ": > {dir}/o").how;
    assert!(failed.ends_with("run-000001/o is empty, expected last-number"), "{failed}");
    let failed = how(metric("ipc=in:{dir}/o:last-number"), "exit 0");
    assert!(failed.how.starts_with("did not write the file /"), "{failed:?}");
    assert!(failed.how.ends_with("/run-000001/o"), "{failed:?}");
    assert!(failed.hint.unwrap().contains("{dir} is the execution's own folder"));
    let file = |recipe: &mut Recipe| recipe.files = vec!["gone/{run}.csv".to_string()];
    let failed = failure(performed(&of, file, "exit 0"));
    assert!(failed.how.ends_with("/gone/1.csv"), "{failed:?}");
    let file = |recipe: &mut Recipe| recipe.files = vec!["{dir}/p".to_string()];
    let failed = failure(performed(&of, file, "mkfifo {dir}/p"));
    assert!(failed.how.ends_with("/p, which is not a regular file"), "{failed:?}");
    let file = |recipe: &mut Recipe| recipe.files = vec!["{dir}/bad.csv".to_string()];
    let failed = failure(performed(&of, file, "printf 'time,x\\n0,1\\n0,y\\n' > {dir}/bad.csv"));
    assert!(failed.how.contains("bad.csv"), "{failed:?}");
}

fn no_program() {
    let of = folder();
    let mut recipe = recipe(of.path(), "");
    recipe.systems[0].words = vec!["no-such-program-{run}".to_string()];
    let performed = once(&recipe, &Scratch::temporary(of.path()));
    assert_eq!(performed.ending, None);
    let how = failure(performed).how;
    assert!(
        how.starts_with("cannot be started: there is no program \"no-such-program-1\" in PATH"),
        "{how}"
    );
    assert_eq!(fs::read_dir(of.path()).unwrap().count(), 0);
}

fn cut() {
    let of = folder();
    let change = |recipe: &mut Recipe| {
        recipe.timeout = Some(Duration::from_millis(100));
        recipe.metrics = ["ipc=ipc (.*)", "late=late (.*)", "f=in:{dir}/f:last-number"]
            .map(str::to_string)
            .to_vec();
        recipe.files = vec!["-".into(), "{dir}/gone.csv".into()];
    };
    // The last line of its trace is half a line, and looks like a whole one.
    let text = "printf 'time,temp\\n0,60\\n1,7'; printf '%s' 5 > {dir}/f; sleep 60";
    let performed = performed(&of, change, text);
    assert_eq!(performed.ending, Some(Ending::TimedOut));
    let wall = performed.usage.wall.seconds();
    let seen = performed.outcome.unwrap();
    assert!(seen.is_cut());
    let runtime = &seen.scalars()["runtime"];
    assert_eq!((runtime.value, runtime.certainty), (wall.min(0.1), Certainty::AtLeast));
    assert!(value(&seen, "late").is_nan(), "known by name, but missing");
    assert!(value(&seen, "f").is_nan(), "what it had written by then is not final");
    assert!(value(&seen, "exit_code").is_nan());
    assert_eq!(seen.signals()["temp"].values(), [60.0]);
    half_rows(&of);
}

/// `4869,85` cut in the middle is `4869,8`: a row like any other, of standard output, tables and
/// JSON lines alike.
fn half_rows(of: &tempfile::TempDir) {
    let read = |file: &'static str, text: &'static str, tolerated: Tolerated| {
        let change = move |recipe: &mut Recipe| {
            recipe.timeout = Some(Duration::from_millis(100));
            recipe.files = vec![file.to_string()];
            recipe.tolerated = tolerated;
        };
        performed(of, change, text).outcome.unwrap()
    };
    let row = "printf 'time,temp\\n4868,90\\n4869,8'";
    for (file, text) in [
        ("-", "printf 'time,temp\\n4868,90\\n4869,8'; sleep 60"),
        ("{dir}/t.csv", "printf 'time,temp\\n4868,90\\n4869,8' > {dir}/t.csv; sleep 60"),
    ] {
        let seen = read(file, text, Tolerated::Nothing);
        assert_eq!(seen.signals()["temp"].values(), [90.0], "{text}");
        assert_eq!(seen.end(), Some(4868.0), "{text}");
    }
    let text = "printf '{\"time\": 1, \"temp\": 80}\\n{\"time\": 2, \"temp\": 90}\\n{\"time\": 3, \
                \"temp\": 8'; sleep 60";
    let seen = read("-", text, Tolerated::Nothing);
    assert_eq!(seen.signals()["temp"].values(), [80.0, 90.0]);
    // A row per execution is numbers of the whole, which are not known even where the line ends.
    let seen = read("-", "printf 'x,y\\n4869,8\\n'; sleep 60", Tolerated::Nothing);
    assert!(value(&seen, "x").is_nan() && value(&seen, "y").is_nan());
    // One that a signal ended is cut as well, also where a shell reports it.
    for kill in ["; kill -9 $$", "; exit 137"] {
        let text: &'static str = format!("{row}{kill}").leak();
        let seen = read("-", text, Tolerated::Everything);
        assert!(seen.is_cut(), "{kill}");
        assert_eq!(seen.signals()["temp"].values(), [90.0], "{kill}");
        assert_eq!(seen.scalars()["runtime"].certainty, Certainty::AtLeast);
        assert_eq!(value(&seen, "exit_code"), 137.0);
    }
    // One that crashed on its own is complete except for its last line.
    let text: &'static str = format!("{row}; exit 3").leak();
    let seen = read("-", text, Tolerated::Everything);
    assert!(!seen.is_cut());
    assert_eq!(seen.signals()["temp"].values(), [90.0]);
}

fn tolerated() {
    let of = folder();
    let change = |recipe: &mut Recipe| {
        recipe.tolerated = Tolerated::Everything;
        recipe.metrics = vec!["ipc=ipc (.*)".to_string()];
    };
    let exited = performed(&of, change, "exit 4").outcome.unwrap();
    assert_eq!(value(&exited, "exit_code"), 4.0);
    assert!(value(&exited, "ipc").is_nan());
    assert!(!exited.is_cut());
    let killed = performed(&of, change, "echo ipc 2; kill -9 $$").outcome.unwrap();
    assert_eq!(value(&killed, "exit_code"), 137.0);
    assert!(killed.is_cut() && value(&killed, "ipc").is_nan());
    let crashed = performed(&of, change, "echo ipc 2; printf 'ipc 48'; exit 3").outcome.unwrap();
    assert_eq!(value(&crashed, "ipc"), 2.0, "the last line could be half of 485");
    // One that says it went well must have all that is asked for.
    assert!(performed(&of, change, "exit 0").outcome.is_err());
}

fn any_bytes() {
    let seen = seen("printf '\\377\\376\\000 ipc 5 \\377\\n'", &["ipc=ipc (5)"]);
    assert_eq!(value(&seen, "ipc"), 5.0);
    let of = folder();
    let change = |recipe: &mut Recipe| recipe.files = vec!["-".to_string()];
    let failed = failure(performed(&of, change, "printf '\\377\\376\\000\\201'"));
    assert!(failed.how.contains("standard output"), "{failed:?}");
}

fn huge_output() {
    let of = folder();
    let text = "head -c 70000000 /dev/zero";
    let change = |recipe: &mut Recipe| recipe.metrics = vec!["x=last-number".to_string()];
    let failed = failure(performed(&of, change, text));
    assert!(failed.how.contains("printed more than 64 MiB"), "{failed:?}");
    // Where nobody reads it, it may be as long as it likes.
    performed(&of, |_| {}, text).outcome.unwrap();
    let much = seen("seq 300000", &["x=last-number", "y=^(1)$"]);
    assert_eq!((value(&much, "x"), value(&much, "y")), (300_000.0, 1.0));
}

fn stale_file() {
    let of = folder();
    let mut recipe = recipe(of.path(), "test {run} = 2 || echo {run} > out");
    recipe.metrics = vec!["x=in:out:last-number".to_string()];
    let scratch = Scratch::temporary(of.path().join("scratch"));
    let mut laboratory = Local::start(this_program(), of.path()).unwrap();
    let mut outcome = |n| perform(&recipe, ticket(n), &scratch, &mut laboratory).unwrap().outcome;
    assert_eq!(value(&outcome(0).unwrap(), "x"), 1.0);
    let failed = outcome(1).unwrap_err();
    assert!(failed.how.starts_with("did not write /"), "{failed:?}");
    assert!(failed.how.ends_with("/out, which already existed"), "{failed:?}");
    for n in 2..6 {
        assert_eq!(value(&outcome(n).unwrap(), "x"), n as f64 + 1.0);
    }
}

fn folders() {
    let of = folder();
    let mut recipe = recipe(of.path(), "echo out; echo err >&2; echo 3 > {dir}/f; chmod 500 {dir}");
    recipe.metrics = vec!["x=in:{dir}/f:last-number".to_string()];
    once(&recipe, &Scratch::temporary(of.path().join("gone"))).outcome.unwrap();
    assert_eq!(fs::read_dir(of.path().join("gone")).unwrap().count(), 0);
    let text = |path: &str| fs::read_to_string(of.path().join(path)).unwrap();
    // Once with the output sent to its file, once read and written there.
    for metric in ["x=in:{dir}/f:last-number", "x=out"] {
        recipe.metrics = vec![metric.to_string()];
        let performed = once(&recipe, &Scratch::kept(of.path().join("kept")));
        assert_eq!(performed.outcome.is_ok(), metric.contains("in:"), "{performed:?}");
        assert_eq!(text("kept/run-000001/f"), "3\n");
        assert_eq!(text("kept/run-000001.out"), "out\n");
        assert_eq!(text("kept/run-000001.err"), "err\n");
    }
}

fn unwritable() {
    let of = folder();
    fs::write(of.path().join("file"), "").unwrap();
    let recipe = recipe(of.path(), "exit 0");
    let mut laboratory = Local::start(this_program(), of.path()).unwrap();
    let scratch = Scratch::temporary(of.path().join("file"));
    let error = perform(&recipe, ticket(0), &scratch, &mut laboratory).unwrap_err();
    assert!(error.to_string().contains("cannot be created: Not a directory"), "{error}");
    let scratch = Scratch::temporary("/proc/nowhere");
    let error = perform(&recipe, ticket(0), &scratch, &mut laboratory).unwrap_err();
    assert!(matches!(&error, FleetError::Broken(text) if text.contains("TMPDIR")), "{error}");
    let mut bad = recipe.clone();
    bad.metrics = vec!["x=(".to_string()];
    let scratch = Scratch::temporary(of.path());
    let error = perform(&bad, ticket(0), &scratch, &mut laboratory).unwrap_err();
    assert!(error.to_string().contains("unclosed group"), "{error}");
    bad.metrics.clear();
    bad.files = vec![" ".to_string()];
    assert!(perform(&bad, ticket(0), &scratch, &mut laboratory).is_err());
    let nobody = Ticket { system: 5, ..ticket(0) };
    assert!(perform(&recipe, nobody, &scratch, &mut laboratory).is_err());
}

fn systems() {
    let of = folder();
    let mut recipe = recipe(of.path(), "echo 1");
    let words = ["sh", "-c", "echo 2"].map(str::to_string).to_vec();
    recipe.systems.push(System { name: "new".to_string(), words, prepare: None });
    recipe.metrics = vec!["x=last-number".to_string()];
    let mut laboratory = Local::start(this_program(), of.path()).unwrap();
    let scratch = Scratch::kept(of.path().join("kept"));
    for system in [0, 1] {
        let ticket = Ticket { system, ..ticket(0) };
        let performed = perform(&recipe, ticket, &scratch, &mut laboratory).unwrap();
        assert_eq!(performed.ticket, ticket);
        assert_eq!(value(&performed.outcome.unwrap(), "x"), system as f64 + 1.0);
    }
    for name in ["run-000001-it", "run-000001-new"] {
        assert!(of.path().join("kept").join(name).is_dir(), "{name}");
    }
}
