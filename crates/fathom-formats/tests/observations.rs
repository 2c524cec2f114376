//! Executions read from files, as `fathom check --data` and `--read` do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::io::Write;
use std::path::{Path, PathBuf};

use fathom_formats::{
    Format, ObservationFormat, ObservationOptions, Together, observations_from_bytes,
    one_from_bytes, read_attempts_by_file, read_observations, read_one,
};
use fathom_record::{Observation, Unit};

fn testdata(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(file)
}

fn read(file: &str) -> Vec<Observation> {
    let path = testdata("observations").join(file);
    read_observations(&path, &ObservationOptions::default()).unwrap()
}

fn read_text(text: &str) -> Vec<Observation> {
    observations_from_bytes("x", text.as_bytes(), &ObservationOptions::default()).unwrap()
}

fn picking(columns: &[&str]) -> ObservationOptions {
    let columns = columns.iter().map(ToString::to_string).collect();
    ObservationOptions { columns, ..ObservationOptions::default() }
}

fn scalars(all: &[Observation], name: &str) -> Vec<f64> {
    all.iter().map(|seen| seen.scalars()[name].value).collect()
}

/// Times and values of a signal; NaN as -1, so that they can be compared.
fn points(seen: &Observation, name: &str) -> Vec<(f64, f64)> {
    let signal = &seen.signals()[name];
    let shown = |value: f64| if value.is_nan() { -1.0 } else { value };
    let values = signal.values().iter().map(|&value| shown(value));
    signal.times().iter().copied().zip(values).collect()
}

#[test]
fn decimal_commas_between_semicolons() {
    let all = read_text("time[ms];power[W]\n0;10\n2,5;12,25\n");
    assert_eq!(points(&all[0], "power"), [(0.0, 10.0), (2.5, 12.25)]);
    assert_eq!(scalars(&read_text("ipc;l1\n1,5;3\n0,125;2\n"), "ipc"), [1.5, 0.125]);
}

#[test]
fn a_table_over_time_is_signals() {
    let all = read("signals.csv");
    assert_eq!(all.len(), 1);
    let seen = &all[0];
    assert_eq!((seen.end(), seen.time_unit().symbol()), (Some(5.0), "ms"));
    let names: Vec<&String> = seen.signals().keys().collect();
    assert_eq!(names, ["power", "queue", "temp"]);
    assert_eq!(points(seen, "power"), [(0.0, 10.0), (2.5, 12.5), (5.0, 11.0)]);
    assert_eq!(points(seen, "temp"), [(0.0, 60.0), (2.5, -1.0), (5.0, 80.0)]);
    assert_eq!(seen.signals()["temp"].unit(), &Unit::Other("degC".into()));
    assert!(seen.scalars().is_empty() && seen.events().is_empty());
}

#[test]
fn a_column_of_runs_divides_a_table() {
    let all = read("runs.csv");
    assert_eq!(all.len(), 2);
    assert_eq!((all[0].end(), all[1].end()), (Some(5.0), Some(8.0)));
    assert_eq!(points(&all[1], "power"), [(0.0, 20.0), (4.0, 22.0), (8.0, 21.0)]);
    // Runs may take turns.
    let all = read_text("time,run,x\n0,b,1\n3,a,2\n1,b,3\n");
    assert_eq!(points(&all[0], "x"), [(0.0, 1.0), (1.0, 3.0)]);
    assert_eq!(points(&all[1], "x"), [(3.0, 2.0)]);
}

#[test]
fn a_table_of_events() {
    let all = read("events.csv");
    let seen = &all[0];
    assert_eq!((all.len(), seen.end(), seen.time_unit().symbol()), (1, Some(80.0), "ns"));
    assert_eq!(seen.events()["error"].times(), [10.0, 10.0]);
    assert!(seen.events()["error"].attributes().is_empty());
    let requests = &seen.events()["R"];
    assert_eq!(requests.times(), [3.0, 41.0]);
    assert_eq!(requests.attributes()["latency"].values, [60.0, 40.0]);
    assert_eq!(requests.attributes()["latency"].unit, Unit::parse("ns"));
    let sizes = &requests.attributes()["size"].values;
    assert!(sizes[0].is_nan() && sizes[1] == 64.0);
    assert!(!seen.events()["S"].attributes().contains_key("size"));
}

#[test]
fn an_event_that_did_not_happen_is_there_without_occurrences() {
    let all = read("events-runs.csv");
    assert_eq!(all[0].events()["tlb_miss"].times(), [5.0, 25.0]);
    assert_eq!(all[0].events()["error"].times(), [0.0; 0]);
    assert_eq!(all[1].events()["tlb_miss"].times(), [0.0; 0]);
    assert_eq!(all[1].time_unit().symbol(), "cycles");
    // A log in which nothing happened is an execution.
    let nothing = read_text("time,event,latency\n");
    assert_eq!((nothing.len(), nothing[0].events().len()), (1, 0));
    // Events of different names need not be in one order.
    let apart = read_text("time,event\n5,a\n6,a\n1,b\n");
    assert_eq!(apart[0].events()["b"].times(), [1.0]);
    assert_eq!(apart[0].end(), Some(6.0));
}

#[test]
fn other_tables_have_an_execution_per_row() {
    let all = read("scalars.csv");
    assert_eq!(scalars(&all, "runtime_ms"), [10.5, 11.5, 9.75]);
    assert_eq!(scalars(&all, "run"), [1.0, 2.0, 3.0]);
    assert!(all[1].scalars()["ipc"].value.is_nan());
    assert_eq!(all[0].scalars()["runtime_ms"].unit, Unit::parse("ms"));
    assert_eq!(all[0].scalars()["energy"].unit, Unit::Other("J".into()));
    assert_eq!((all[0].end(), all[0].time_unit()), (None, &Unit::Unknown));
    // Words are not numbers of a run.
    let labelled = read_text("run,ipc\nfirst,1\nsecond,2\n");
    assert_eq!(scalars(&labelled, "ipc"), [1.0, 2.0]);
    assert!(!labelled[0].scalars().contains_key("run"));
    // A time alone is what is measured.
    assert_eq!(scalars(&read_text("time_ms\n5\n4\n"), "time_ms"), [5.0, 4.0]);
    // Elsewhere than first as well.
    assert_eq!(scalars(&read_text("ipc;time\n5;4\n1;2\n"), "time"), [4.0, 2.0]);
}

#[test]
fn columns_are_picked() {
    let path = testdata("formats/csv/text-column.csv");
    assert!(read_observations(&path, &ObservationOptions::default()).is_err());
    let text = b"who,a,b\nme,1,2\nyou,3,4\n";
    let all = observations_from_bytes("x", text, &picking(&["3", "3"])).unwrap();
    assert_eq!(scalars(&all, "b"), [2.0, 4.0]);
    assert_eq!(all[0].scalars().len(), 1);
    let text = b"time,run,a,b\n0,1,x,2\n";
    let all = observations_from_bytes("x", text, &picking(&["b"])).unwrap();
    assert_eq!(points(&all[0], "b"), [(0.0, 2.0)]);
    let text = b"time,a,a\n0,1,2\n";
    let all = observations_from_bytes("x", text, &picking(&["2", "3"])).unwrap();
    assert_eq!(points(&all[0], "a (column 3)"), [(0.0, 2.0)]);
}

#[test]
fn numbers_without_names_are_values() {
    for text in ["1\n2 3\n", "1,2,3\n", "\"1\"\n\"2\"\n3\n"] {
        assert_eq!(scalars(&read_text(text), "value"), [1.0, 2.0, 3.0], "{text}");
    }
    let path = testdata("spa/ferret_3mb_runtime.csv");
    let all = read_observations(&path, &ObservationOptions::default()).unwrap();
    assert!(all.len() > 490);
}

#[test]
fn an_object_is_scalars() {
    let all = read("result.json");
    assert_eq!(all.len(), 1);
    let names: Vec<&String> = all[0].scalars().keys().collect();
    let expected =
        ["cores[0].misses", "cores[1].misses", "ipc", "latency.p50", "latency.p99", "ok"];
    assert_eq!(names, expected);
    assert_eq!(all[0].scalars()["latency.p99"].value, 80.0);
    assert_eq!(all[0].scalars()["latency.p99"].unit, Unit::parse("us"));
    assert_eq!(scalars(&all, "ok"), [1.0]);
    assert!(scalars(&all, "ipc")[0].is_nan());
    assert_eq!(scalars(&read_text("[{\"a\":1},{\"a\":2}]"), "a"), [1.0, 2.0]);
    assert_eq!(scalars(&read_text("{\"a\":1}\n{\"a\":2}\n"), "a"), [1.0, 2.0]);
    // A program's own result, its time among the numbers.
    assert_eq!(scalars(&read_text("{\"time\":3,\"results\":[1]}"), "time"), [3.0]);
}

#[test]
fn objects_with_times_are_a_trace() {
    let all = read("trace.jsonl");
    let seen = &all[0];
    assert_eq!((all.len(), seen.end(), seen.time_unit().symbol()), (1, Some(4.0), "ms"));
    assert_eq!(points(seen, "power"), [(0.0, 10.0), (2.0, 12.0)]);
    assert_eq!(points(seen, "load.cpu"), [(0.0, 0.5), (4.0, -1.0)]);
    assert_eq!(points(seen, "busy"), [(2.0, 1.0)]);
    assert_eq!(seen.signals()["power"].unit(), &Unit::Other("W".into()));
    let requests = &seen.events()["R"];
    assert_eq!(requests.times(), [1.0, 2.0]);
    let latency = &requests.attributes()["latency_ms"];
    assert!(latency.values[0] == 0.25 && latency.values[1].is_nan());
    assert_eq!(latency.unit, Unit::parse("ms"));
    assert!(!requests.attributes().contains_key("id"));

    let late = read_text("{\"t\":1,\"event\":\"R\"}\n{\"t\":2,\"event\":\"R\",\"size\":7}\n");
    let sizes = &late[0].events()["R"].attributes()["size"].values;
    assert!(sizes[0].is_nan() && sizes[1] == 7.0);
    let event = read_text("{\"t\": 3, \"event\": \"error\"}\n");
    assert_eq!(event[0].events()["error"].times(), [3.0]);
    let runs = read_text(
        "{\"t\":0,\"run\":\"a\",\"x\":1}\n{\"t\":0,\"run\":2,\"x\":5}\n{\"t\":1,\"run\":\"a\",\"x\":2}",
    );
    assert_eq!(points(&runs[0], "x"), [(0.0, 1.0), (1.0, 2.0)]);
    assert_eq!(points(&runs[1], "x"), [(0.0, 5.0)]);
}

#[test]
fn our_own_executions() {
    let all = read("execution.json");
    assert_eq!((all.len(), all[0].end(), all[0].clock_hz()), (1, Some(100.0), Some(2e9)));
    assert_eq!(all[0].signals()["mispredict"].times(), [0.0, 20.0, 30.0, 60.0, 65.0]);
    assert_eq!(scalars(&read("executions.jsonl"), "ipc"), [1.5, 1.25, 1.0]);
    let list = r#"[{"schema":"fathom-execution/1","scalars":{"a":1}},
                   {"schema":"fathom-execution/1","scalars":{"a":2}}]"#;
    assert_eq!(scalars(&read_text(list), "a"), [1.0, 2.0]);
}

/// The first is of before journals said what was asked.
#[test]
fn journals_are_read_in_the_order_of_numbers() {
    for name in ["journal.jsonl", "journal-with-request.jsonl"] {
        a_journal_is_read_in_the_order_of_numbers(name);
    }
}

fn a_journal_is_read_in_the_order_of_numbers(name: &str) {
    let path = testdata(&format!("observations/{name}"));
    let mut files = read_attempts_by_file(&path, &ObservationOptions::default()).unwrap();
    let file = files.pop().unwrap();
    assert_eq!((files.len(), file.left_out_of_journal), (0, Some(0)));
    let attempts = file.attempts;
    let ipcs: Vec<Result<f64, String>> = attempts
        .iter()
        .map(|attempt| {
            attempt.map(|seen| seen.scalars()["ipc"].value).map_err(|error| error.to_string())
        })
        .collect();
    let failed = Err("exited with status 3".to_string());
    assert_eq!(ipcs, [Ok(1.5), Ok(1.25), failed, Ok(1.0)]);
    let error = read_observations(&path, &ObservationOptions::default()).unwrap_err().to_string();
    assert!(
        error.ends_with(
            ".jsonl: 1 of 4 executions failed: the first exited with \
             status 3. Skip failed executions with --on-failure skip, or count them as false with \
             --on-failure count-as-false."
        ),
        "{error}"
    );
}

#[test]
fn one_dump_of_gem5_is_scalars() {
    let seen = &read("gem5-one-dump.txt")[0];
    assert_eq!((seen.end(), seen.time_unit()), (Some(0.002), &Unit::SECONDS));
    assert_eq!(seen.scalars().len(), 10);
    assert_eq!(seen.scalars()["system.mem.rdQLenPdf::0-3"].value, 7.0);
    assert!(seen.scalars()["system.mem.rdQLenPdf::4-7"].value.is_nan());
    for (name, unit) in [
        ("simSeconds", "s"),
        ("simTicks", "ticks"),
        ("simInsts", ""),
        ("system.cpu.ipc", "Count/Cycle"),
        ("system.cpu.numCycles", "cycles"),
        ("system.cpu.power", "W"),
    ] {
        assert_eq!(seen.scalars()[name].unit.symbol(), unit, "{name}");
    }
}

#[test]
fn dumps_of_gem5_are_signals_and_folders_are_executions() {
    let all = read("gem5");
    assert_eq!(all.len(), 3, "run-1, run-2, run-10");
    let insts: Vec<_> = all.iter().map(|seen| points(seen, "simInsts")).collect();
    assert_eq!(insts[0], [(0.0, 1000.0), (0.002, 400.0)]);
    assert_eq!(insts[1], [(0.0, 1000.0), (0.002, 1400.0)]);
    assert_eq!(insts[2], [(0.0, 1000.0), (0.002, -1.0), (0.003, 400.0)]);
    let ends: Vec<_> = all.iter().map(|seen| seen.end().unwrap()).collect();
    assert_eq!(ends, [0.003, 0.003, 0.004]);
    // A folder of gem5 itself, and the file in it.
    let options = ObservationOptions::default();
    let folder = read_one(&testdata("observations/gem5/run-2"), &options).unwrap();
    let file = read_one(&testdata("observations/gem5/run-2/stats.txt"), &options).unwrap();
    assert_eq!(serde_json::to_string(&file).unwrap(), serde_json::to_string(&folder).unwrap());
    let error = read_one(&testdata("observations/gem5"), &options).unwrap_err().to_string();
    assert!(error.ends_with(
        "gem5: the folder contains several executions, but only one is allowed here. Use one of \
         the files in it."
    ));
    let picked = read_one(&testdata("formats/gem5/stats.txt"), &picking(&["system.cpu.ipc"]));
    assert_eq!(picked.unwrap().signals().len(), 1);
}

#[test]
fn measurements_of_other_tools_are_run_times() {
    let read = |file: &str, columns: &[&str]| {
        read_observations(&testdata("formats").join(file), &picking(columns))
    };
    let sorts = read("pyperf/sort.json.gz", &[]).unwrap();
    assert_eq!(sorts[0].scalars()["runtime"].unit, Unit::SECONDS);
    let samples = read("criterion/0.8/alone/new/sample.json", &[]).unwrap();
    assert!(samples.len() > 1 && samples[0].scalars().contains_key("runtime"));
    let error = read("hyperfine/v1-two-commands.json", &[]).unwrap_err().to_string();
    let start = "v1-two-commands.json: the file contains 2 series of measurements, but only one \
                 is allowed here. Choose one with --column: ";
    let name = error.split_once(start).unwrap().1.split('"').nth(1).unwrap().to_string();
    assert!(read("hyperfine/v1-two-commands.json", &[&name]).unwrap().len() > 1);
    let benches = read("criterion/0.8", &["alone"]).unwrap();
    assert_eq!(benches.len(), samples.len());
    assert!(
        read("criterion/0.8", &[]).unwrap_err().to_string().contains("Choose one with --column")
    );
    assert!(read("criterion/0.8", &["alon"]).unwrap_err().to_string().contains("mean \"alone\""));
}

#[test]
fn processes_count_once() {
    let run = |values: &str| format!("{{\"values\":[{values}]}}");
    let runs = [run("1, 3, 2"), run("5, 6")].join(",");
    let text = format!(
        "{{\"version\":\"1.0\",\"benchmarks\":[{{\"metadata\":{{\"name\":\"b\"}},\"runs\":[{runs}]}}]}}"
    );
    assert_eq!(scalars(&read_text(&text), "runtime"), [2.0, 5.5]);
}

#[test]
fn gzip_and_forced_formats() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(b"time,x\n0,1\n").unwrap();
    let bytes = encoder.finish().unwrap();
    let seen = one_from_bytes("x.gz", &bytes, &ObservationOptions::default()).unwrap();
    assert_eq!(points(&seen, "x"), [(0.0, 1.0)]);

    let force =
        |format| ObservationOptions { format: Some(format), ..ObservationOptions::default() };
    let text = br#"{"benchmarks":[{"real_time":1}],"context":{}}"#;
    let options = force(ObservationFormat::Json);
    let seen = one_from_bytes("x", text, &options).unwrap();
    assert_eq!(seen.scalars()["benchmarks[0].real_time"].value, 1.0);
    let error = one_from_bytes("x", text, &force(ObservationFormat::Of(Format::Gem5)));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("(read as gem5 because of --input-format)"), "{error}");
}

#[test]
fn a_folder_is_read_file_by_file() {
    let folder = std::env::temp_dir().join(format!("fathom-observations-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in
        [("run-10.csv", "a\n3\n"), ("run-9.csv", "a\n1\n2\n"), (".hidden", "what is this\n")]
    {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let all = read_observations(&folder, &ObservationOptions::default()).unwrap();
    assert_eq!(scalars(&all, "a"), [1.0, 2.0, 3.0]);
    let errors = |folder: &Path| {
        let error = read_observations(folder, &ObservationOptions::default()).unwrap_err();
        error.to_string().replace(&folder.display().to_string(), "F")
    };
    std::fs::create_dir_all(folder.join("m5out")).unwrap();
    std::fs::write(folder.join("m5out/stats.txt"), "").unwrap();
    assert_eq!(
        errors(&folder),
        "F: the folder contains both files such as \"run-9.csv\" and gem5 folders such as \
         \"m5out\". Use only the files, or only the folders."
    );
    std::fs::create_dir_all(folder.join("empty/in/it")).unwrap();
    assert_eq!(
        errors(&folder.join("empty/in/it")),
        "F: the folder contains no files. Check the path."
    );
    assert!(
        errors(&folder.join("empty"))
            .starts_with("F: the folder contains no files, no folder with")
    );
    assert!(errors(&folder.join("gone")).starts_with("F: cannot read it"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn files_of_one_execution_come_together() {
    let options = ObservationOptions::default();
    let one = |text: &str| one_from_bytes("x", text.as_bytes(), &options).unwrap();
    let mut together = Together::default();
    together.add("numbers.json", one(r#"{"ipc":1.5}"#)).unwrap();
    together.add("power.csv", one("time_ms,power\n0,1\n5,2\n")).unwrap();
    together.add("log.csv", one("time[s],event\n0.004,stop\n0.007,stop\n")).unwrap();
    let errors = [
        ("again.csv", "time_ms,power\n0,1\n"),
        ("cycles.csv", "cycle,busy\n0,1\n"),
        ("steps.csv", "time,busy\n0,1\n"),
        ("clash.json", r#"{"stop":1}"#),
    ]
    .map(|(file, text)| together.add(file, one(text)).unwrap_err().to_string());
    assert_eq!(
        errors,
        [
            "again.csv: \"power\" is in this file and in \"power.csv\" as well. Rename one of the \
             two, or read only one of the files.",
            "cycles.csv: the times are in cycles, but those of \"power.csv\" are in ms. Use one \
             unit in both files and name it, as in time[ms].",
            "steps.csv: the times are in an unnamed unit, but those of \"power.csv\" are in ms. \
             Use one unit in both files and name it, as in time[ms].",
            "clash.json: \"stop\" is in this file and in \"log.csv\" as well. Rename one of the \
             two, or read only one of the files.",
        ]
    );
    let seen = together.into_observation();
    assert_eq!(seen.end(), Some(7.0));
    assert_eq!(seen.events()["stop"].times(), [4.0, 7.0]);
    assert_eq!(seen.scalars()["ipc"].value, 1.5);
}
