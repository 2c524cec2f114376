//! Recording for real: programs, their own metrics, kills, bad cases.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// Work in a shell that lasts a while, with children.
const WORK: &str = "for i in 1 2 3 4 5 6; do sleep 0.05; echo tps=$((i * 100)); done";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn manifest(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Records it into a folder of its own; the folder.
fn recorded(name: &str, options: &[&str], command: &[&str]) -> PathBuf {
    let folder = scratch(&format!("record-{name}")).join("traces");
    let mut words = vec!["record", "-o", text(&folder)];
    words.extend(options);
    words.push("--");
    words.extend(command);
    let output = run(&words);
    assert!(output.status.success(), "{}", transcript(&words, &output));
    folder
}

/// What it prints, which is JSON.
fn plan(words: &[&str]) -> Value {
    document(&run(words))
}

fn names(manifest: &Value) -> Vec<&str> {
    let metrics = manifest["metrics"].as_array().unwrap().iter();
    metrics.map(|metric| metric["name"].as_str().unwrap()).collect()
}

/// The values of a metric in the exported table of a sampler; empty where there is none.
fn exported(folder: &Path, run: &str, sampler: &str, metric: &str) -> Vec<String> {
    let table = stdout(&["export", text(folder), "--run", run, "--sampler", sampler]);
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = head.iter().position(|name| *name == metric).unwrap();
    lines.map(|line| line[column].to_string()).collect()
}

#[test]
fn a_program_is_recorded_shown_exported_and_imported_again() {
    let folder = recorded("whole", &["--every", "5ms"], &["sh", "-c", WORK]);
    let manifest = manifest(&folder);
    assert_eq!(manifest["schema"], "fathom-trace/1");
    assert_eq!(manifest["command"][0], "sh");
    let common = manifest["common"].as_str().unwrap();
    let runs = manifest["runs"].as_array().unwrap();
    assert!(runs.len() >= 2, "{runs:?}");
    for run in runs {
        assert_eq!(run["ending"]["exited"], 0);
        let clock = &run["clock"];
        assert!(clock["monotonic_ns"].as_i64().unwrap() > 0);
        assert!(clock["wall_ns"].as_i64().unwrap() > 1_600_000_000_000_000_000);
        let fast = &run["samplers"][0];
        assert_eq!(fast["interval_ns"], 5_000_000);
        assert!(fast["rows"].as_u64().unwrap() > 1, "{fast}");
        for probe in fast["probes"].as_array().unwrap() {
            assert!(probe["ns_per_sample"].as_f64().unwrap() > 0.0, "{probe}");
        }
        let id = run["id"].as_str().unwrap();
        let values = exported(&folder, id, "fast", common);
        assert!(values.iter().filter(|value| !value.is_empty()).count() > 1, "{values:?}");
    }
    let (metrics, shown) = (names(&manifest), json(&["show", text(&folder)]));
    assert!(metrics.len() >= 50, "{metrics:?}");
    assert_eq!(shown["traces"], manifest);
    let page = stdout(&["show", text(&folder), "--run", "run-1", "--filter", "process.stat."]);
    assert!(page.contains("process.stat (os)") && !page.contains("process.statm"), "{page}");

    // Out and in again: the same metrics of the same runs, with all that is known of them.
    let csv = folder.with_file_name("csv");
    stdout(&["export", text(&folder), "-o", text(&csv)]);
    let files = |folder: &Path, ending: &str| -> Vec<PathBuf> {
        let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> = all.filter(|path| text(path).ends_with(ending)).collect();
        files.sort();
        files
    };
    let of_csv = imported(&folder, "again", &files(&csv, ""));
    assert_eq!(described(&of_csv), described(&manifest));
    let of_folder = imported(&folder, "again-folder", std::slice::from_ref(&csv));
    assert_eq!(described(&of_folder), described(&manifest));
    let of_parquet = imported(&folder, "again-parquet", &files(&folder, ".parquet"));
    assert_eq!(described(&of_parquet), described(&manifest));
    let kinds = manifest["metrics"].as_array().unwrap().iter();
    assert!(kinds.filter(|metric| metric["kind"] == "counter").count() > 10);
    // Values, times and gaps too.
    let again = folder.with_file_name("csv-again");
    stdout(&["export", text(&folder.with_file_name("again")), "-o", text(&again)]);
    for (first, second) in files(&csv, ".csv").iter().zip(files(&again, ".csv")) {
        let read = |path: &Path| sorted_columns(&std::fs::read_to_string(path).unwrap());
        assert_eq!(read(first), read(&second), "{}", first.display());
    }
    // A table alone cannot say it, and that is said.
    let alone = folder.with_file_name("alone.csv");
    std::fs::copy(&files(&csv, ".csv")[0], &alone).unwrap();
    let said = stdout(&["import", text(&alone), "-o", text(&folder.with_file_name("guessed"))]);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("guessed kinds, units and layers from the names"), "{said}");
}

/// The manifest of what was imported from files.
fn imported(folder: &Path, name: &str, files: &[PathBuf]) -> Value {
    let into = folder.with_file_name(name);
    let mut words = vec!["import", "-o", text(&into)];
    words.extend(files.iter().map(|path| text(path)));
    let said = stdout(&words);
    assert!(!said.contains("guessed"), "{said}");
    manifest(&into)
}

/// What has to come back: metrics with their kinds, units and layers; runs with clocks and samplers.
fn described(manifest: &Value) -> (Vec<String>, Vec<String>) {
    let metrics = manifest["metrics"].as_array().unwrap().iter().map(ToString::to_string);
    let samplers = |run: &Value| {
        let all = run["samplers"].as_array().unwrap().iter();
        let mut all: Vec<String> =
            all.map(|one| format!("{} {}", one["name"], one["rows"])).collect();
        all.sort();
        all
    };
    let runs = manifest["runs"].as_array().unwrap().iter();
    let runs = runs.map(|run| format!("{} {} {:?}", run["id"], run["clock"], samplers(run)));
    let (mut metrics, mut runs): (Vec<String>, Vec<String>) = (metrics.collect(), runs.collect());
    metrics.sort();
    runs.sort();
    (metrics, runs)
}

fn sorted_columns(table: &str) -> Vec<Vec<String>> {
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let mut columns: Vec<Vec<String>> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].to_string()).collect())
        .collect();
    columns.sort();
    columns
}

#[test]
fn totals_are_those_of_the_whole_tree() {
    let write = "for i in 1 2 3 4; do head -c 100000 /dev/zero > /dev/null; done; sleep 0.1";
    let options = ["--probe", "process.io,process.stat", "--every", "2ms"];
    let folder = recorded("tree", &options, &["sh", "-c", write]);
    let number = |value: &String| value.parse::<i64>().ok();
    let read: Vec<i64> =
        exported(&folder, "run-1", "fast", "process.io.rchar").iter().filter_map(number).collect();
    assert!(read.last().unwrap() - read[0] >= 400_000, "{read:?}");
    assert!(read.windows(2).all(|pair| pair[0] <= pair[1]), "{read:?}");
    // The level of the process before its exec is not the program's.
    let rss = exported(&folder, "run-1", "fast", "process.stat.rss");
    assert_eq!(rss[0], "");
    assert!(rss.iter().any(|value| !value.is_empty()), "{rss:?}");
}

#[test]
fn plans_say_what_would_be_recorded() {
    let usual = plan(&["record", "--dry-run", "--format", "json", "--", "true"]);
    let runs = usual["plan"]["runs"].as_array().unwrap();
    let groups: Vec<&str> = runs.iter().map(|run| run["group"].as_str().unwrap()).collect();
    assert!(groups.contains(&"process") && groups.contains(&"system"), "{groups:?}");
    let one = plan(&["record", "--dry-run", "--format", "json", "--runs", "1", "--", "true"]);
    assert_eq!(one["plan"]["runs"].as_array().unwrap().len(), 1);
    let options =
        ["record", "--dry-run", "--group", "process.stat", "--group", "process.io,system.stat"];
    let words = [&options[..], &["--common", "process.stat.utime", "--format", "json", "--", "x"]];
    let grouped = plan(&words.concat());
    let runs = grouped["plan"]["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!(grouped["plan"]["common_metric"], "process.stat.utime");
    for run in runs {
        let probes: Vec<&str> = run["probes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|probe| probe["probe"].as_str().unwrap())
            .collect();
        assert!(probes.contains(&"process.stat"), "{probes:?}");
    }
    let human = stdout(&["record", "--dry-run", "--probe", "process", "--", "true"]);
    assert!(human.starts_with("Would record "), "{human}");
    assert!(human.contains("per sample") && human.contains("% of a core"), "{human}");
    let verbose = stdout(&["record", "--dry-run", "--probe", "process", "-v", "--", "true"]);
    assert!(verbose.contains("process.stat.utime"), "{verbose}");
    let quiet = stdout(&["record", "--dry-run", "--probe", "process", "-q", "--", "true"]);
    assert!(quiet.starts_with("Would record "), "{quiet}");
    assert!(human.starts_with(&quiet) && quiet.trim_end().ends_with('.'), "{quiet}");
}

#[test]
fn a_program_says_things_of_itself() {
    let app = |options: &[&str], command: &str| {
        let mut all = vec!["--probe", "process.stat"];
        all.extend(options);
        recorded("app", &all, &["sh", "-c", command])
    };
    let folder = app(&["--app-metric", "tps[1/s]=tps=([0-9]+)"], WORK);
    let values = exported(&folder, "run-1", "app", "app.tps");
    assert_eq!(values, ["100.0", "200.0", "300.0", "400.0", "500.0", "600.0"]);
    assert_eq!(
        manifest(&folder)["metrics"].as_array().unwrap().last().unwrap()["unit"],
        Value::from("1/s")
    );

    let folder = app(&["--app-json"], r#"echo '{"heap": {"used": 7}, "ok": true}'; echo no json"#);
    assert_eq!(exported(&folder, "run-1", "app", "app.heap.used"), ["7.0"]);
    assert_eq!(exported(&folder, "run-1", "app", "app.ok"), ["1.0"]);

    let pipe = ["--app-metric", "x=x=([0-9]+)", "--app-from", "pipe"];
    let folder = app(&pipe, r#"echo x=41 > "$FATHOM_PIPE"; echo x=42 > "$FATHOM_PIPE""#);
    assert_eq!(exported(&folder, "run-1", "app", "app.x"), ["41.0", "42.0"]);

    let log = scratch("record-app-log").join("program.log");
    let from = ["--app-metric", "x=x=([0-9]+)", "--app-from", text(&log)];
    let folder = app(&from, &format!("echo x=1 > {0}; sleep 0.2; echo x=2 >> {0}", text(&log)));
    assert_eq!(exported(&folder, "run-1", "app", "app.x"), ["1.0", "2.0"]);

    // What is read is still passed on where it was to go.
    let out = scratch("record-app-out").join("out");
    let folder = app(&["--app-metric", "x=x=([0-9]+)", "--stdout", text(&out)], "echo x=5");
    assert_eq!(exported(&folder, "run-1", "app", "app.x"), ["5.0"]);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "x=5\n");
}

#[test]
fn an_endpoint_is_asked() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/metrics", server.local_addr().unwrap());
    std::thread::spawn(move || {
        for (n, stream) in server.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let body = format!("# TYPE served counter\nserved_total {n}\n# EOF\n");
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    let options = ["--probe", "process.stat", "--app-from", &address];
    let folder = recorded("endpoint", &options, &["sleep", "0.6"]);
    let values = exported(&folder, "run-1", "app", "app.served_total");
    assert!(values.len() >= 2 && values[0] == "0.0" && values[1] == "1.0", "{values:?}");
}

#[test]
fn a_kill_loses_no_more_than_the_last_second() {
    let folder = scratch("record-killed").join("traces");
    let words = ["record", "-o", text(&folder), "--every", "5ms", "--runs", "1", "--"];
    let mut child = fathom(&[&words[..], &["sleep", "60"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let has_rows = || {
        let output = run(&["show", text(&folder), "--format", "json"]);
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let metrics = shown["metrics"].as_array().cloned().unwrap_or_default();
        metrics.iter().any(|one| one["samples"].as_u64().unwrap() > 300)
    };
    for _ in 0..300 {
        if has_rows() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(has_rows(), "nothing is left");
    let page = stdout(&["show", text(&folder)]);
    assert!(page.contains("cut off"), "{page}");
    assert!(!exported(&folder, "run-1", "fast", "process.stat.utime").is_empty());
}

#[test]
fn ctrl_c_keeps_what_was_recorded() {
    let folder = scratch("record-interrupted").join("traces");
    let words = ["record", "-o", text(&folder), "--probe", "process.stat", "--", "sleep", "60"];
    let child = fathom(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for _ in 0..300 {
        if folder.join("manifest.json").exists() && !manifest(&folder)["metrics"][0].is_null() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(300));
    let status =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("interrupted"), "{page}");
    let run = &manifest(&folder)["runs"][0];
    assert!(run["ended_ns"].as_i64().unwrap() > 0 && run["ending"].is_null(), "{run}");
    assert!(exported(&folder, "run-1", "fast", "process.stat.utime").len() > 1);
}

#[test]
fn a_process_that_runs_is_recorded() {
    let mut sleeper = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let folder = scratch("record-attached").join("traces");
    let pid = sleeper.id().to_string();
    let words =
        ["record", "--pid", &pid, "--duration", "300ms", "--runs", "1", "-o", text(&folder)];
    let output = run(&words);
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    assert!(output.status.success(), "{}", transcript(&words, &output));
    let rss = exported(&folder, "run-1", "fast", "process.stat.rss");
    assert!(rss.iter().all(|value| value.parse::<u64>().unwrap_or(0) > 0), "{rss:?}");
}

#[test]
fn commands_that_end_oddly() {
    let options = ["--probe", "process.stat", "--every", "1s"];
    let folder = recorded("at-once", &options, &["true"]);
    let notes = manifest(&folder)["runs"][0]["notes"].to_string();
    assert!(notes.contains("shorter --every"), "{notes}");

    let left = ["sh", "-c", "sleep 5 > /dev/null 2>&1 & exit 0"];
    let folder = recorded("forked", &["--probe", "process.stat"], &left);
    let notes = manifest(&folder)["runs"][0]["notes"].to_string();
    assert!(notes.contains("left processes running") && notes.contains("--pid"), "{notes}");

    let folder = scratch("record-failing").join("traces");
    let words = ["record", "--probe", "process.stat", "-o", text(&folder), "--runs", "2", "--"];
    let command = ["sh", "-c", "echo broken >&2; exit 3"];
    let (code, errors) = errors(&[&words[..], &command].concat());
    assert_eq!(code, Some(4));
    assert!(errors.contains("exited with status 3") && errors.contains("| broken"), "{errors}");
    assert_eq!(manifest(&folder)["runs"].as_array().unwrap().len(), 1);
    let tolerant = ["record", "--probe", "process.stat", "-o", text(&folder), "--runs", "2"];
    stdout(&[&tolerant[..], &["--force", "-i=3", "--"], &command].concat());
    assert_eq!(manifest(&folder)["runs"].as_array().unwrap().len(), 2);

    let options = ["--probe", "process.stat", "--timeout", "200ms"];
    let folder = recorded("timeout", &options, &["sleep", "60"]);
    assert_eq!(manifest(&folder)["runs"][0]["ending"], "timed_out");
    // Also later, when nobody remembers the option.
    let page = stdout(&["show", text(&folder)]);
    assert!(page.contains("exceeded its time limit of 200ms"), "{page}");

    let mark = scratch("record-hooks").join("mark");
    let prepare = format!("echo p >> {}", text(&mark));
    let conclude = format!("echo c >> {}", text(&mark));
    let options =
        ["--probe", "process.stat", "--runs", "2", "--prepare", &prepare, "-C", &conclude];
    recorded("hooked", &options, &["true"]);
    assert_eq!(std::fs::read_to_string(mark).unwrap(), "p\nc\np\nc\n");
}

/// The second run found the disk full, or lost its file later; the first is shown all the same.
#[test]
fn a_run_without_its_file_does_not_hide_the_others() {
    let options = ["--probe", "process.stat", "--runs", "2", "--every", "20ms"];
    let folder = recorded("without-file", &options, &["sleep", "0.1"]);
    std::fs::remove_file(folder.join("run-2.fast.parquet")).unwrap();
    let output = run(&["show", text(&folder)]);
    let said = transcript(&["show"], &output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("run-1") && said.contains("process.stat"), "{said}");
    assert!(said.contains("run-2.fast.parquet is missing"), "{said}");

    let mut changed = manifest(&folder);
    changed["runs"][1]["samplers"][0]["rows"] = 0.into();
    std::fs::write(folder.join("manifest.json"), changed.to_string()).unwrap();
    let page = stdout(&["show", text(&folder)]);
    assert!(page.contains("run-1") && page.contains("run-2"), "{page}");
}

/// A limit on the size of files simulates a full disk: everybody can set it.
#[test]
fn a_full_disk_is_not_wrong_usage() {
    let folder = scratch("record-full");
    let (one, other) = (folder.join("imported"), folder.join("recorded"));
    let import = ["import", "testdata/traces/shop/run-1.csv", "-o", text(&one)];
    let record = ["record", "-o", text(&other), "--probe", "process.stat", "--", "sleep", "0.1"];
    for words in [&import[..], &record[..]] {
        let output = std::process::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_fathom"))
            .args(words)
            .current_dir(top())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", transcript(words, &output));
    }
}

#[test]
fn whoever_closes_the_output_of_an_export_has_seen_enough() {
    let folder = scratch("export-closed").join("traces");
    stdout(&["import", "testdata/traces/shop/run-1.csv", "-o", text(&folder)]);
    let words = ["export", text(&folder)];
    let mut child = fathom(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", transcript(&words, &output));
}

/// Eight times as many columns take about eight times as long, and not sixty-four.
#[test]
fn wide_tables_take_time_in_proportion() {
    let folder = scratch("record-wide");
    let processor_seconds = |columns: usize| {
        let table = folder.join(format!("{columns}.csv"));
        let row = |of: &dyn Fn(usize) -> String| (0..columns).map(of).collect::<Vec<_>>().join(",");
        let mut lines = format!("time,{}\n", row(&|n| format!("metric.{n}")));
        for second in 0..3 {
            lines += &format!("{second},{}\n", row(&|n| (n % 7 + second).to_string()));
        }
        std::fs::write(&table, lines).unwrap();
        let traces = folder.join(columns.to_string());
        let script = "\"$0\" import \"$1\" -o \"$2\" && \"$0\" show \"$2/\" && times";
        let words = [env!("CARGO_BIN_EXE_fathom"), text(&table), text(&traces)];
        let output =
            std::process::Command::new("sh").args(["-c", script]).args(words).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        // The last line: user and system time of what the shell ran, as 0m1.230s 0m0.040s.
        let printed = String::from_utf8(output.stdout).unwrap();
        let user = printed.lines().last().unwrap().split(' ').next().unwrap();
        let (minutes, seconds) = user.trim_end_matches('s').split_once('m').unwrap();
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    };
    let (narrow, wide) = (processor_seconds(4000), processor_seconds(32_000));
    assert!(wide < 16.0 * narrow, "{narrow} s and {wide} s");
}

#[test]
fn wrong_usage_says_what_to_do() {
    let folder = scratch("record-wrong");
    std::fs::write(folder.join("precious"), "data").unwrap();
    let precious = text(&folder);
    let missing = folder.join("new");
    let new = text(&missing);
    let cases: &[(&[&str], i32)] = &[
        (&["record"], 2),
        (&["record", "--", "true"], 2),
        (&["record", "-o", new, "--", "no-such-program"], 4),
        (&["record", "-o", precious, "--", "true"], 2),
        (&["record", "-o", precious, "--force", "--", "true"], 2),
        (&["record", "-o", new, "--every", "10us", "--", "true"], 2),
        (&["record", "-o", new, "--every", "soon", "--", "true"], 2),
        (&["record", "-o", new, "--probe", "process", "--common", "utime", "--", "true"], 2),
        (&["record", "-o", new, "--pid", "4194305"], 2),
        (&["record", "-o", new, "--pid", "1", "--", "true"], 2),
        (&["record", "-o", new, "--duration", "1s", "--", "true"], 2),
        (&["record", "-o", new, "--app-metric", "tps", "--", "true"], 2),
        (&["record", "-o", new, "--app-from", "stdout", "--", "true"], 2),
        (&["record", "-o", new, "--app-from", "http://example.org/", "--", "true"], 2),
        (&["show", new], 2),
        (&["show", precious, "--run", "x"], 2),
        (&["export", new], 2),
        (&["import", new, "-o", new], 2),
        (&["import", "testdata/prose.md", "-o", new], 2),
    ];
    let mut all = String::new();
    for (words, code) in cases {
        let output = run(words);
        assert_eq!(output.status.code(), Some(*code), "{}", transcript(words, &output));
        assert!(output.stdout.is_empty(), "{}", transcript(words, &output));
        assert!(!missing.exists(), "{words:?}");
        all += &transcript(words, &output).replace(precious, "FOLDER");
    }
    assert_eq!(std::fs::read_to_string(folder.join("precious")).unwrap(), "data");
    // Which probes there are depends on the machine.
    let (code, text) = errors(&["record", "-o", new, "--probe", "proces", "--", "true"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("did you mean process") && text.contains("system.vmstat"), "{text}");
    insta::assert_snapshot!(all);
}

/// The page of a folder whose numbers are known.
#[test]
fn the_page_of_traces() {
    let folder = scratch("record-page");
    let mut table = String::from("time_ms,latency [ms],requests_total,heap [B],version,gone\n");
    for n in 0..200 {
        let latency = if n % 50 < 5 { 80 } else { 10 + n % 3 };
        let heap = if (60..80).contains(&n) { String::new() } else { (n * 4096).to_string() };
        table += &format!("{},{latency},{},{heap},3,\n", n * 10, n * n);
    }
    std::fs::write(folder.join("web.csv"), &table).unwrap();
    let short = table.lines().take(50).collect::<Vec<_>>().join("\n");
    std::fs::write(folder.join("web-2.csv"), short).unwrap();
    // In the folder: lines break where paths are long.
    let here =
        |words: &[&str]| transcript(words, &fathom(words).current_dir(&folder).output().unwrap());
    let mut all = here(&["import", "web.csv", "web-2.csv", "-o", "traces", "--counter", "*_total"]);
    all += &here(&["show", "traces"]);
    all += &here(&["show", "traces", "--run", "web-2", "--filter", "latency", "-v"]);
    all += &here(&["show", "traces", "-q"]);
    all += &here(&["show", "traces", "--run", "web-2", "--format", "markdown"]);
    insta::assert_snapshot!(all);
}
