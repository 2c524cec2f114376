//! What programs say while they run: standard output, a named pipe, a log; all of them real.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_measure::recording::application::{
    AppMetric, AppSource, ApplicationPlan, ApplicationRow, Heard, Listening, PassOn, Prepared,
};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

fn plan(metrics: &[&str], json: bool, source: AppSource) -> ApplicationPlan {
    let metrics = AppMetric::parse_all(metrics).unwrap();
    ApplicationPlan { metrics, json, sources: vec![source], interval: Duration::from_millis(2) }
}

fn start(prepared: Prepared) -> (Listening, Receiver<ApplicationRow>) {
    let (sender, said) = sync_channel(100_000);
    (prepared.start(&sender).unwrap(), said)
}

/// Waits for this many rows. It fails when they do not come, and passes however long they take.
fn wait_for(said: &Receiver<ApplicationRow>, rows: usize) -> Vec<ApplicationRow> {
    let mut all = Vec::new();
    while all.len() < rows {
        match said.recv_timeout(Duration::from_secs(60)) {
            Ok(one) => all.push(one),
            Err(_) => panic!("{} rows instead of {rows}: {:?}", all.len(), values(&all)),
        }
    }
    all
}

fn finish(listening: Listening, said: &Receiver<ApplicationRow>) -> (Heard, Vec<ApplicationRow>) {
    let mut heard = listening.finish();
    assert_eq!(heard.len(), 1);
    (heard.remove(0), said.try_iter().collect())
}

fn values(said: &[ApplicationRow]) -> Vec<f64> {
    said.iter().flat_map(|one| &one.readings).filter_map(|(_, value)| value.real()).collect()
}

/// Runs a shell's script with its standard output listened to.
fn run(plan: &ApplicationPlan, script: &str) -> (Heard, Vec<ApplicationRow>) {
    let mut prepared = plan.prepare().unwrap();
    let output = prepared.take_output().map_or(Stdio::null(), Stdio::from);
    let variables = prepared.variables();
    let (listening, said) = start(prepared);
    let mut command = Command::new("sh");
    command.args(["-c", script]).envs(variables).stdout(output).stdin(Stdio::null());
    let status = command.status().unwrap();
    assert!(status.success());
    drop(command);
    finish(listening, &said)
}

#[test]
fn standard_output_is_read_and_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let source = AppSource::Output(PassOn::File(copy.clone()));
    let plan = plan(&["tps=tps ([0-9.]+)", "lat[ms]=lat ([0-9.]+)"], false, source);
    let script = r"printf 'start\ntps 5 lat 1.5\r\nat 10%%\rtps \033[32m6\033[0m\rtps x\nlat 2'";
    let (heard, said) = run(&plan, script);
    let rows: Vec<Vec<(&str, Option<f64>)>> = said
        .iter()
        .map(|one| one.readings.iter().map(|(m, v)| (m.name.as_str(), v.real())).collect())
        .collect();
    let (tps, lat) = ("app.tps", "app.lat");
    assert_eq!(
        rows,
        [vec![(tps, Some(5.0)), (lat, Some(1.5))], vec![(tps, Some(6.0))], vec![(lat, Some(2.0))]]
    );
    assert!(said.is_sorted_by_key(|one| one.at));
    assert_eq!((heard.lines, heard.matched, heard.unparsable), (6, 3, 0), "{heard:?}");
    assert_eq!(heard.notes, Vec::<String>::new());
    assert_eq!(
        fs::read(&copy).unwrap(),
        b"start\ntps 5 lat 1.5\r\nat 10%\rtps \x1b[32m6\x1b[0m\rtps x\nlat 2"
    );
}

#[test]
fn values_that_are_no_numbers_are_told_once() {
    let plan = plan(&["t=took (.*)"], false, AppSource::Output(PassOn::Nowhere));
    let (heard, said) = run(&plan, "echo took 1; echo took long; echo took nan; echo took 1,5");
    assert_eq!(values(&said), [1.0]);
    assert_eq!((heard.unparsable, heard.first_unparsable.unwrap().line), (3, 2));
    assert_eq!(
        heard.notes,
        ["standard output: 3 values were not numbers, first in line 2, \"took long\": \"long\" \
          is not a number"]
    );
}

#[test]
fn json_lines_give_all_their_numbers() {
    let plan = plan(&[], true, AppSource::Output(PassOn::Nowhere));
    let script =
        r#"echo start; echo '{"ts": 5, "a": 1, "b": {"c": [2, 3]}}'; echo '{"a": 4, "d": true}'"#;
    let (heard, said) = run(&plan, script);
    let names = |one: &ApplicationRow| -> Vec<String> {
        one.readings.iter().map(|(metric, _)| metric.name.clone()).collect()
    };
    assert_eq!(names(&said[0]), ["app.a", "app.b.c[0]", "app.b.c[1]"]);
    assert_eq!(names(&said[1]), ["app.a", "app.d"]);
    assert_eq!(values(&said), [1.0, 2.0, 3.0, 4.0, 1.0]);
    assert_eq!(
        heard.notes,
        [
            "standard output: 1 line was not a JSON object and skipped by --app-json",
            "standard output: lines have a member \"ts\", which --app-json skips; rows have the \
             time at which they arrived (to keep it, use --app-metric ts=json:ts)",
        ]
    );
}

#[test]
fn a_program_that_prints_much_is_read_to_its_end() {
    let plan = plan(&["n=n=([0-9]+)"], false, AppSource::Output(PassOn::Nowhere));
    let (heard, said) = run(&plan, "seq 30000 | sed s/^/n=/");
    assert_eq!(values(&said), (1..=30_000).map(f64::from).collect::<Vec<f64>>());
    assert_eq!((heard.lines, heard.matched, heard.dropped), (30_000, 30_000, 0));
}

#[test]
fn rows_that_nobody_takes_are_dropped_and_the_program_goes_on() {
    let plan = plan(&["n=n=([0-9]+)"], false, AppSource::Output(PassOn::Nowhere));
    let mut prepared = plan.prepare().unwrap();
    let mut output = prepared.take_output().unwrap();
    let (sender, said) = sync_channel(10);
    let listening = prepared.start(&sender).unwrap();
    for n in 0..50_000 {
        writeln!(output, "n={n} {}", "x".repeat(50)).unwrap();
    }
    drop(output);
    let (heard, rows) = finish(listening, &said);
    assert_eq!((rows.len(), heard.lines, heard.dropped), (10, 50_000, 49_990));
    let dropped =
        "standard output: 49,990 rows were dropped because Fathom could not write them fast enough";
    assert!(heard.notes.iter().any(|note| note == dropped), "{heard:?}");
}

#[test]
fn nobody_takes_rows_any_more_and_the_program_goes_on() {
    let plan = plan(&["n=last-number"], false, AppSource::Output(PassOn::Nowhere));
    let mut prepared = plan.prepare().unwrap();
    let mut output = prepared.take_output().unwrap();
    let (listening, said) = start(prepared);
    drop(said);
    for n in 0..50_000 {
        writeln!(output, "{n} {}", "x".repeat(50)).unwrap();
    }
    drop(output);
    assert_eq!(listening.finish()[0].dropped, 50_000);
}

#[test]
fn whoever_holds_standard_output_open_is_not_waited_for() {
    let plan = plan(&["n=last-number"], false, AppSource::Output(PassOn::Nowhere));
    let mut prepared = plan.prepare().unwrap();
    let mut output = prepared.take_output().unwrap();
    let (listening, said) = start(prepared);
    output.write_all(b"1\n2\nunfinished 3").unwrap();
    let (heard, said) = finish(listening, &said);
    assert_eq!((values(&said), heard.lines), (vec![1.0, 2.0, 3.0], 3));
    drop(output);
}

#[test]
fn listeners_end_when_they_are_dropped() {
    let plan = plan(&["n=last-number"], false, AppSource::Output(PassOn::Nowhere));
    let mut prepared = plan.prepare().unwrap();
    let _output = prepared.take_output().unwrap();
    let (sender, said) = sync_channel(10);
    let listening = prepared.start(&sender).unwrap();
    drop(sender);
    drop(listening);
    // The channel ends when the last listener has ended; without that this waits for ever.
    assert_eq!(said.iter().count(), 0);
}

#[test]
fn blocks_are_told_of() {
    let plan = plan(&["n=last-number"], false, AppSource::Output(PassOn::Nowhere));
    let mut prepared = plan.prepare().unwrap();
    let mut output = prepared.take_output().unwrap();
    let (listening, said) = start(prepared);
    // As the C library prints to pipes.
    let text = "progress 12345\n".repeat(2_000);
    for block in text.as_bytes().chunks(4096) {
        output.write_all(block).unwrap();
        // Read before the next one comes; the last is shorter.
        if block.len() == 4096 {
            wait_for(&said, 273);
        }
    }
    drop(output);
    let (heard, _) = finish(listening, &said);
    let blocks = "standard output: lines arrived in blocks of 4096 bytes";
    assert!(heard.notes.iter().any(|note| note.starts_with(blocks)), "{heard:?}");
}

#[test]
fn long_lines_are_cut() {
    let plan = plan(&["n=^n=([0-9]+)"], false, AppSource::Output(PassOn::Nowhere));
    let mut prepared = plan.prepare().unwrap();
    let mut output = prepared.take_output().unwrap();
    let (listening, said) = start(prepared);
    output.write_all(format!("n=1 {}\nn=2\n", "x".repeat(3_000_000)).as_bytes()).unwrap();
    drop(output);
    let (heard, said) = finish(listening, &said);
    assert_eq!((values(&said), heard.lines), (vec![1.0, 2.0], 2));
    let cut = "standard output: 1 line was longer than 1000000 bytes; 2,000,004 bytes were dropped";
    assert!(heard.notes.iter().any(|note| note == cut), "{heard:?}");
}

#[test]
fn a_named_pipe_is_made_listened_to_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let plan = plan(&["n=n=([0-9.]+)"], true, AppSource::Pipe(path.clone()));
    // Three writers, one after the other, and the last line has no end.
    let script = r#"echo n=1 > "$FATHOM_PIPE"; echo '{"j": 2}' > "$FATHOM_PIPE"
        printf 'n=3' >> "$FATHOM_PIPE""#;
    let (heard, said) = run(&plan, script);
    assert_eq!(values(&said), [1.0, 2.0, 3.0]);
    assert_eq!((heard.source, heard.lines), (format!("the pipe {}", path.display()), 3));
    assert!(!path.exists());
    // A second run makes it again; a program may never use it.
    let (heard, said) = run(&plan, "exit 0");
    assert_eq!((said.len(), heard.lines), (0, 0));
    assert_eq!(heard.notes, [format!("the pipe {}: no lines arrived", path.display())]);
    assert!(!path.exists());
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_log_is_followed_from_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    // The last line was not complete before.
    fs::write(&path, "n=1\nn=2\nn=3").unwrap();
    let plan = plan(&["n=n=([0-9]+)"], false, AppSource::Log(path.clone()));
    let prepared = plan.prepare().unwrap();
    append(&path, "4\n");
    let (listening, said) = start(prepared);
    assert_eq!(values(&wait_for(&said, 1)), [34.0]);
    append(&path, "n=5\nn=");
    assert_eq!(values(&wait_for(&said, 1)), [5.0]);
    append(&path, "6\nn=7");
    let (heard, said) = finish(listening, &said);
    assert_eq!(values(&said), [6.0, 7.0]);
    assert_eq!((heard.lines, heard.notes), (4, Vec::new()));
}

#[test]
fn a_log_that_comes_later_is_read_from_its_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later/log");
    let plan = plan(&["n=n=([0-9]+)"], false, AppSource::Log(path.clone()));
    let (listening, said) = start(plan.prepare().unwrap());
    fs::create_dir(folder.path().join("later")).unwrap();
    append(&path, "n=1\nn=2\n");
    assert_eq!(values(&wait_for(&said, 2)), [1.0, 2.0]);
    assert_eq!(finish(listening, &said).0.notes, Vec::<String>::new());
    let (listening, said) = start(
        ApplicationPlan { sources: vec![AppSource::Log(folder.path().join("never"))], ..plan }
            .prepare()
            .unwrap(),
    );
    let notes = finish(listening, &said).0.notes;
    assert!(notes.iter().any(|note| note.ends_with("the file was never created")), "{notes:?}");
}

#[test]
fn what_a_log_got_at_the_very_end_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let plan = plan(&["n=n=([0-9]+)"], false, AppSource::Log(path.clone()));
    for n in 0..20 {
        let _ = fs::remove_file(&path);
        let (listening, said) = start(plan.prepare().unwrap());
        append(&path, &format!("n={n}\n"));
        assert_eq!(values(&finish(listening, &said).1), [f64::from(n)]);
    }
}

#[test]
fn an_emptied_log_is_read_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let plan = plan(&["n=n=([0-9]+)"], false, AppSource::Log(path.clone()));
    let (listening, said) = start(plan.prepare().unwrap());
    append(&path, "n=1\nn=2\nn=99");
    assert_eq!(values(&wait_for(&said, 2)), [1.0, 2.0]);
    // The listener must have seen the unfinished line; a complete one after it tells.
    append(&path, "\nn=88");
    wait_for(&said, 1);
    OpenOptions::new().write(true).open(&path).unwrap().set_len(0).unwrap();
    append(&path, "n=3\n");
    assert_eq!(values(&wait_for(&said, 1)), [3.0]);
    let (heard, said) = finish(listening, &said);
    assert_eq!(said.len(), 0);
    let place = format!("the log {}", path.display());
    assert_eq!(
        heard.notes,
        [
            format!(
                "{place}: it was truncated 1 time while Fathom read it; Fathom continued from \
                 there"
            ),
            format!("{place}: 1 line that had not ended when it was truncated: skipped"),
        ]
    );
}

#[test]
fn a_replaced_log_is_read_to_its_end_and_then_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let plan = plan(&["n=n=([0-9]+)"], false, AppSource::Log(path.clone()));
    let (listening, said) = start(plan.prepare().unwrap());
    let mut written = 0_u32;
    for turn in 0..20 {
        let mut old = File::create(&path).unwrap();
        for _ in 0..50 {
            writeln!(old, "n={written}").unwrap();
            written += 1;
        }
        // The listener has it before it is replaced again; replacing a file twice between two looks
        // leaves no trace of the one in between.
        wait_until_followed(&said, &mut old, &mut written);
        fs::rename(&path, folder.path().join(format!("log.{turn}"))).unwrap();
        // Written to the renamed file.
        writeln!(old, "n={written}").unwrap();
        written += 1;
    }
    let (heard, rest) = finish(listening, &said);
    let last = values(&rest).last().copied();
    assert_eq!(last, Some(f64::from(written - 1)), "{heard:?}");
    assert_eq!(heard.matched, u64::from(written));
    let replaced = format!(
        "the log {}: it was replaced 19 times by a new file; Fathom continued with that",
        path.display()
    );
    assert_eq!(heard.notes, [replaced]);
}

/// Writes until a line of this file is heard.
fn wait_until_followed(said: &Receiver<ApplicationRow>, file: &mut File, written: &mut u32) {
    let began = Instant::now();
    let first = f64::from(*written);
    loop {
        writeln!(file, "n={written}").unwrap();
        *written += 1;
        std::thread::sleep(Duration::from_millis(2));
        if values(&said.try_iter().collect::<Vec<_>>()).iter().any(|&value| value >= first) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "the log is not followed");
    }
}
