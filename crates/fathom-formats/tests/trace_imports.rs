//! Traces of other tools, with values worked out by hand from the files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use fathom_formats::trace_imports::{
    ImportFormat, ImportOptions, ImportedRun, detect, read_trace_bytes, read_trace_file,
    read_trace_folder, read_traces,
};
use fathom_record::trace::{Kind, Layer, Number, Rows, TraceMetric, Value, Values};
use fathom_record::{TimeUnit, Timestamp};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/traces").join(name)
}

fn file(name: &str) -> ImportedRun {
    read_trace_file(&path(name), &ImportOptions::default()).unwrap()
}

fn text(text: &str) -> ImportedRun {
    read_trace_bytes("t.csv", text.as_bytes(), &ImportOptions::default()).unwrap()
}

fn sampler<'a>(run: &'a ImportedRun, name: &str) -> &'a Rows {
    let found = run.samplers.iter().find(|(known, _)| known == name);
    &found.unwrap_or_else(|| panic!("no {name}")).1
}

/// In nanoseconds, as the files say them.
fn ns(times: &[Timestamp]) -> Vec<i64> {
    times.iter().map(|time| time.nanoseconds()).collect()
}

/// When the run's times begin, in nanoseconds since 1970.
fn wall(run: &ImportedRun) -> Option<i64> {
    run.clock.map(|clock| clock.wall.nanoseconds())
}

fn metric<'a>(rows: &'a Rows, name: &str) -> (&'a TraceMetric, &'a Values) {
    let mut all = rows.metrics().iter().zip(rows.columns());
    all.find(|(metric, _)| metric.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn integers(rows: &Rows, name: &str) -> Vec<Option<i64>> {
    match metric(rows, name).1 {
        Values::Integers(values) => values.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

fn reals(rows: &Rows, name: &str) -> Vec<Option<f64>> {
    match metric(rows, name).1 {
        Values::Reals(values) => values.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

fn is(rows: &Rows, name: &str, layer: Layer, kind: Kind, unit: &str) {
    let (metric, _) = metric(rows, name);
    let found = (metric.layer, metric.kind, metric.unit.symbol());
    assert_eq!(found, (layer, kind, unit), "{name}");
}

#[test]
fn a_table_is_a_run() {
    let run = text(
        "# a comment\ntime_ms,latency [ms],requests_total,free_bytes\n0,1.5,10,4096\n\n10,NA,9007199254740993,\n12.5,2,12,null\n",
    );
    assert_eq!((run.id.as_str(), run.format, run.clock), ("t", ImportFormat::Csv, None));
    let rows = sampler(&run, "csv");
    assert_eq!(ns(rows.starts()), [0, 0, 10_000_000]);
    assert_eq!(ns(rows.ends()), [0, 10_000_000, 12_500_000]);
    assert_eq!(reals(rows, "latency"), [Some(1.5), None, Some(2.0)]);
    assert_eq!(integers(rows, "requests_total"), [Some(10), Some(9_007_199_254_740_993), Some(12)]);
    assert_eq!(integers(rows, "free_bytes"), [Some(4096), None, None]);
    is(rows, "latency", Layer::Application, Kind::Gauge, "ms");
    is(rows, "requests_total", Layer::Application, Kind::Gauge, "");
    is(rows, "free_bytes", Layer::Application, Kind::Gauge, "B");
}

#[test]
fn options_change_what_is_read() {
    let bytes = b"time;a_total;b\n1;1;2\n2;3;4\n";
    let options = ImportOptions {
        time_unit: Some(TimeUnit::Microseconds),
        counters: vec!["*_total".into(), "slip".into()],
        format: None,
    };
    let run = read_trace_bytes("x", bytes, &options).unwrap();
    let rows = sampler(&run, "csv");
    assert_eq!(ns(rows.ends()), [1_000, 2_000]);
    is(rows, "a_total", Layer::Application, Kind::Counter, "");
    is(rows, "b", Layer::Application, Kind::Gauge, "");
    let seconds = read_trace_bytes("x", bytes, &ImportOptions::default()).unwrap();
    assert_eq!(ns(sampler(&seconds, "csv").ends()), [1_000_000_000, 2_000_000_000]);
}

#[test]
fn times_of_tables_have_many_forms() {
    let ends = |table: &str| {
        let run = text(table);
        (ns(sampler(&run, "csv").ends()), wall(&run))
    };
    let zoned = 1_794_793_634_000_000_000;
    for (table, end, clock) in [
        ("t,a\n-1,1\n0.25,1\n", vec![-1_000_000_000, 250_000_000], None),
        ("time [min],a\n1,1\n", vec![60_000_000_000], None),
        ("seconds,a\n1,1\n", vec![1_000_000_000], None),
        ("timestamp,a\n1794793634,1\n1794793635.5,1\n", vec![0, 1_500_000_000], Some(zoned)),
        ("time_ms,a\n1794793634000,1\n1794793634001,1\n", vec![0, 1_000_000], Some(zoned)),
        (
            "time,a\n2026-11-16T01:47:14Z,1\n2026-11-16T02:47:14.000000001+01:00,1\n",
            vec![0, 1],
            Some(zoned),
        ),
        ("Date,a\n2026-11-16 01:47:14,1\n2026-11-16 01:47:15,1\n", vec![0, 1_000_000_000], None),
        ("start_ns,end_ns,a\n3,3,1\n3,9,2\n", vec![3, 9], None),
        ("time,a,\n1,1,\n", vec![1_000_000_000], None),
    ] {
        assert_eq!(ends(table), (end, clock), "{table}");
    }
    let unzoned = text("Date,a\n2026-11-16 01:47:14,1\n");
    assert!(unzoned.notes[0].contains("no time zone"), "{:?}", unzoned.notes);
}

#[test]
fn rows_with_intervals_of_their_own_are_events() {
    let events = text("start [ms],end [ms],pause\n10,12,5\n20,25,6\n21,25,7\n");
    let rows = sampler(&events, "csv");
    is(rows, "pause", Layer::Application, Kind::Event, "");
    assert_eq!(ns(rows.starts()), [10_000_000, 20_000_000, 21_000_000]);
    let levels = text("start [ms],end [ms],level\n10,10,5\n10,25,6\n");
    is(sampler(&levels, "csv"), "level", Layer::Application, Kind::Gauge, "");
}

#[test]
fn a_folder_of_tables_is_a_run_each() {
    let runs = read_trace_folder(&path("csv/runs"), &ImportOptions::default()).unwrap();
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, ["run-1", "run-2", "run-10"]);
    // Whole in two of the files, and not in the third.
    for run in &runs {
        let (metric, _) = metric(sampler(run, "csv"), "load");
        assert_eq!(metric.number, Number::Real, "{}", run.id);
    }
    let twice = [path("csv/runs/run-2.csv"), path("csv/runs/run-2.csv"), path("csv/runs")];
    let runs = read_traces(&twice, &ImportOptions::default()).unwrap();
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, ["run-2", "run-2-2", "run-1", "run-2-3", "run-10"]);
}

#[test]
fn perf_counts_are_added_up() {
    let run = file("perf/dd-semicolon.csv");
    assert_eq!((run.id.as_str(), run.format), ("dd-semicolon", ImportFormat::PerfStat));
    let rows = sampler(&run, "perf");
    assert_eq!(ns(rows.starts()), [0, 0, 200_340_809, 400_891_109]);
    assert_eq!(ns(rows.ends()), [0, 200_340_809, 400_891_109, 405_208_896]);
    // 199.13 ms, then 200.52 ms and 3.98 ms more.
    let clock = [Some(0), Some(199_130_000), Some(399_650_000), Some(403_630_000)];
    assert_eq!(integers(rows, "perf.task-clock"), clock);
    assert_eq!(integers(rows, "perf.context-switches"), [Some(0), Some(5), Some(6), Some(6)]);
    assert_eq!(integers(rows, "perf.page-faults"), [Some(0), Some(334), Some(334), Some(338)]);
    assert_eq!(integers(rows, "perf.cycles"), [None; 4]);
    let utilized = [None, Some(0.996), Some(1.003), Some(0.020)];
    assert_eq!(reals(rows, "perf.task-clock.cpus-utilized"), utilized);
    is(rows, "perf.task-clock", Layer::Os, Kind::Counter, "ns");
    is(rows, "perf.cycles", Layer::Hardware, Kind::Counter, "");
    is(rows, "perf.task-clock.cpus-utilized", Layer::Os, Kind::Gauge, "CPUs utilized");
    assert_eq!(run.notes, ["perf did not count \"perf.cycles\", \"perf.instructions\""]);
}

#[test]
fn what_perf_did_not_count_is_missing() {
    let rows = file("perf/sleep.csv");
    let rows = sampler(&rows, "perf");
    let switches = [Some(0), Some(2), None, None, None, Some(2)];
    assert_eq!(integers(rows, "perf.context-switches"), switches);
    let clock = [Some(0), Some(680_000), None, None, None, Some(750_000)];
    assert_eq!(integers(rows, "perf.task-clock"), clock);
}

#[test]
fn places_of_perf_are_in_the_names() {
    let cpus = file("perf/per-cpu.csv");
    let rows = sampler(&cpus, "perf");
    let two = |name, values: [i64; 3]| {
        assert_eq!(integers(rows, name)[..3], values.map(Some), "{name}");
    };
    two("perf.context-switches@CPU0", [0, 28, 42]);
    two("perf.context-switches@CPU1", [0, 7, 14]);
    two("perf.task-clock@CPU1", [0, 200_590_000, 401_440_000]);
    for (name, metric) in [
        ("perf/per-socket.csv", "perf.context-switches@S0"),
        ("perf/per-core.csv", "perf.cpu-migrations@S0-D0-C1"),
        ("perf/per-thread.csv", "perf.faults@bash-1859"),
    ] {
        let run = file(name);
        is(sampler(&run, "perf"), metric, Layer::Os, Kind::Counter, "");
    }
    let sockets = file("perf/per-socket.csv");
    assert_eq!(integers(sampler(&sockets, "perf"), "perf.context-switches@S0")[1], Some(31));
}

#[test]
fn variances_summaries_and_odd_events_of_perf_are_understood() {
    let repeated = file("perf/repeated.csv");
    let rows = sampler(&repeated, "perf");
    assert_eq!(integers(rows, "perf.faults"), [Some(0), Some(75), None, None, Some(75)]);
    let summary = file("perf/summary.csv");
    is(sampler(&summary, "perf"), "perf.duration_time", Layer::Os, Kind::Counter, "ns");
    assert_eq!(sampler(&summary, "perf").len(), 4);
    let run = text(
        "1.000000000,12.34,Joules,power/energy-pkg/,1,100.00,,\n\
         1.000000000,200,,cpu/event=0x3c,umask=0x1/,1,100.00,0.55,insn per cycle\n\
         1.000000000,,,,,,0.25,stalled cycles per insn\n\
         2.000000000,0.66,Joules,power/energy-pkg/,1,100.00,,\n",
    );
    let rows = sampler(&run, "perf");
    assert_eq!(reals(rows, "perf.power/energy-pkg/"), [Some(0.0), Some(12.34), Some(13.0)]);
    assert_eq!(integers(rows, "perf.cpu/event=0x3c,umask=0x1/"), [Some(0), Some(200), None]);
    is(rows, "perf.power/energy-pkg/", Layer::Hardware, Kind::Counter, "Joules");
    let name = "perf.cpu/event=0x3c,umask=0x1/.insn-per-cycle";
    assert_eq!(reals(rows, name), [None, Some(0.55), None]);
    assert_eq!(reals(rows, "perf.stalled-cycles-per-insn"), [None, Some(0.25), None]);
}

#[test]
fn a_range_query_is_a_run() {
    let run = file("prometheus/node.json");
    assert_eq!(run.format, ImportFormat::Prometheus);
    assert_eq!(wall(&run), Some(1_794_793_615_250_000_000));
    assert_eq!(run.samplers.len(), 1);
    let rows = sampler(&run, "prometheus");
    assert_eq!(ns(rows.ends())[..3], [0, 1_000_000_000, 2_000_000_000]);
    assert_eq!(rows.len(), 21);
    let load = "node_load1{instance=\"localhost:9100\",job=\"node\"}";
    is(rows, load, Layer::Os, Kind::Gauge, "");
    let idle =
        "node_cpu_seconds_total{cpu=\"0\",instance=\"localhost:9100\",job=\"node\",mode=\"idle\"}";
    is(rows, idle, Layer::Os, Kind::Counter, "s");
    let resident = "process_resident_memory_bytes{instance=\"localhost:9090\",job=\"prometheus\"}";
    is(rows, resident, Layer::Os, Kind::Gauge, "B");
    let collections =
        "go_gc_duration_seconds_count{instance=\"localhost:9090\",job=\"prometheus\"}";
    is(rows, collections, Layer::Vm, Kind::Counter, "");
    let counts = integers(rows, collections);
    assert_eq!((counts[11], counts[12]), (Some(5), Some(6)));
}

#[test]
fn series_with_other_times_are_other_samplers() {
    let run = file("prometheus/raw.json");
    let names: Vec<&str> = run.samplers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["prometheus", "prometheus-2"]);
    let (node, own) = (sampler(&run, "prometheus"), sampler(&run, "prometheus-2"));
    assert_eq!(ns(node.ends())[..2], [0, 1_000_000_000]);
    // 644.510 s after the first sample at 644.122 s.
    assert_eq!(ns(own.ends())[..2], [388_000_000, 1_388_000_000]);
    assert_eq!((node.metrics().len(), own.metrics().len()), (3, 2));
    let cpu = "process_cpu_seconds_total{instance=\"localhost:9090\",job=\"prometheus\"}";
    let seconds = [0.35, 0.36, 0.36, 0.36, 0.37].map(Some);
    assert_eq!(reals(own, cpu), seconds);
}

#[test]
fn infinities_and_gaps_of_prometheus_are_missing_and_pieces_are_joined() {
    let nan = file("prometheus/nan.json");
    let name = "{instance=\"localhost:9100\",job=\"node\"}";
    assert_eq!(integers(sampler(&nan, "prometheus"), name), [None; 5]);
    let response = |series: &str| {
        format!(
            r#"{{"status":"success","warnings":["slow"],"data":{{"resultType":"matrix","result":[{series}]}}}}"#
        )
    };
    let first = response(
        r#"{"metric":{"__name__":"a"},"values":[[10,"1"],[11.5,"+Inf"],[13,"-Inf"]]},{"metric":{},"values":[[10,"1e3"],[13,"2"]]}"#,
    );
    let second = response(r#"{"metric":{"__name__":"a"},"values":[[14,"4"]]}"#);
    for joined in [format!("[{first},{second}]"), format!("{first}\n{second}\n")] {
        let run = text(&joined);
        assert_eq!(run.notes, ["Prometheus warned: slow", "Prometheus warned: slow"]);
        assert_eq!(run.clock, None, "10 s are not since 1970");
        let rows = sampler(&run, "prometheus");
        assert_eq!(
            ns(rows.ends()),
            [10, 11, 13, 14].map(|s| s * 1_000_000_000 + i64::from(s == 11) * 500_000_000)
        );
        assert_eq!(integers(rows, "a"), [Some(1), None, None, Some(4)]);
        assert_eq!(reals(rows, "value"), [Some(1000.0), None, Some(2.0), None]);
    }
    let bare = text(
        r#"[{"metric":{"__name__":"x_total","b":"q\"","a":"1"},"values":[[1794793634,"7"]]}]"#,
    );
    let name = r#"x_total{a="1",b="q\""}"#;
    is(sampler(&bare, "prometheus"), name, Layer::Application, Kind::Counter, "");
}

#[test]
fn histograms_of_prometheus_are_counters() {
    let run = file("prometheus/histogram.json");
    for rows in run.samplers.iter().map(|(_, rows)| rows) {
        assert!(rows.metrics().iter().all(|metric| metric.kind == Kind::Counter));
    }
    let expression = file("prometheus/rate.json");
    let name = "{instance=\"localhost:9100\",job=\"node\"}";
    let rows = sampler(&expression, "prometheus");
    assert_eq!(reals(rows, name)[..2], [Some(1137.5), Some(1178.75)]);
    assert_eq!(ns(rows.ends())[1], 2_000_000_000);
}

#[test]
fn decimal_commas_between_semicolons() {
    let run = text("time [ms];load;count\n0;0,5;1\n2,5;0,75;2\n5;1;3\n");
    let rows = sampler(&run, "csv");
    assert_eq!(ns(rows.ends()), [0, 2_500_000, 5_000_000]);
    assert_eq!(reals(rows, "load"), [Some(0.5), Some(0.75), Some(1.0)]);
    assert_eq!(integers(rows, "count"), [Some(1), Some(2), Some(3)]);
    assert!(run.notes.iter().any(|note| note.contains("decimal commas")), "{:?}", run.notes);
}

#[test]
fn every_form_of_netdata_says_the_same() {
    let oldest = 1_794_793_623_000_000_000;
    for (name, prefix, clock) in [
        ("netdata/cpu.csv", "", None),
        ("netdata/cpu.tsv", "", None),
        ("netdata/cpu-seconds.csv", "", Some(oldest)),
        ("netdata/cpu.json", "", Some(oldest)),
        ("netdata/cpu-ms.json", "", Some(oldest)),
        ("netdata/cpu-objects.json", "", Some(oldest)),
        ("netdata/cpu-wrapped.json", "", Some(oldest)),
    ] {
        let run = file(name);
        assert_eq!(run.format, ImportFormat::Netdata, "{name}");
        assert_eq!(wall(&run), clock, "{name}");
        let rows = sampler(&run, "netdata");
        assert_eq!(rows.len(), 12, "{name}");
        assert_eq!(ns(rows.ends())[..2], [0, 1_000_000_000], "{name}");
        // The last lines of the files: 01:47:03 and 01:47:04.
        let nice = reals(rows, &format!("{prefix}nice"));
        assert_eq!(nice[..2], [Some(88.0597), Some(87.5)], "{name}");
        assert_eq!(nice[11], Some(96.5), "{name}");
    }
    let forced = ImportOptions { format: Some(ImportFormat::Netdata), ..Default::default() };
    let run = read_trace_file(&path("netdata/cpu-ms-oldest-first.csv"), &forced).unwrap();
    assert_eq!(wall(&run), Some(oldest));
    assert_eq!(reals(sampler(&run, "netdata"), "nice")[..2], [Some(88.0597), Some(87.5)]);
}

#[test]
fn charts_units_and_gaps_of_netdata_are_kept() {
    let gaps = file("netdata/load-gaps.csv");
    let rows = sampler(&gaps, "netdata");
    let load = reals(rows, "load1");
    assert_eq!(load[..3], [None, None, None]);
    assert!(load.contains(&Some(5.05)));
    let wrapped = text(
        r#"{"api":1,"id":"x://y","chart_ids":["system.cpu","app.web"],"result":{"labels":["time","user","hits"],"data":[[1794793635,2,null],[1794793634,1,7]]}}"#,
    );
    let rows = sampler(&wrapped, "netdata");
    assert_eq!(integers(rows, "system.cpu.user"), [Some(1), Some(2)]);
    assert_eq!(integers(rows, "app.web.hits"), [Some(7), None]);
    is(rows, "system.cpu.user", Layer::Os, Kind::Gauge, "");
    is(rows, "app.web.hits", Layer::Application, Kind::Gauge, "");
    let old = text(
        r#"{"api":1,"id":"disk.sda","result":{"labels":["time","reads"],"data":[[1794793634,1.5]]}}"#,
    );
    is(sampler(&old, "netdata"), "disk.sda.reads", Layer::Os, Kind::Gauge, "");
    // As the documentation of version 2 has it.
    let second = text(
        r#"{"api":2,"view":{"units":"percentage","dimensions":{"names":["host1","host2"],"units":["percentage","KiB/s"]}},
            "result":{"labels":["time","host1","host2"],"point":{"value":0,"arp":1,"pa":2},
            "data":[[1700000060,[5.23,0,0],[3.15,0,0]],[1700000120,[4.87,0,0],[null,0,1]]]}}"#,
    );
    let rows = sampler(&second, "netdata");
    assert_eq!(ns(rows.ends()), [0, 60_000_000_000]);
    assert_eq!(reals(rows, "host1"), [Some(5.23), Some(4.87)]);
    assert_eq!(reals(rows, "host2"), [Some(3.15), None]);
    is(rows, "host1", Layer::Application, Kind::Gauge, "percentage");
    is(rows, "host2", Layer::Application, Kind::Gauge, "KiB/s");
}

/// The first collection of the file.
#[test]
fn a_log_of_g1_is_read() {
    let run = file("gc/g1.log");
    assert_eq!((run.format, run.clock), (ImportFormat::GcLog, None));
    let names: Vec<&str> = run.samplers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["pauses", "concurrent", "heap", "safepoints"]);
    let pauses = sampler(&run, "pauses");
    // "[0.041s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 6M->2M(18M) 2.306ms"
    assert_eq!((ns(pauses.starts())[0], ns(pauses.ends())[0]), (38_694_000, 41_000_000));
    for (name, ns) in [
        ("gc.pause", 2_306_000),
        ("gc.pause.young", 2_306_000),
        ("gc.pause.young.normal", 2_306_000),
        ("gc.cause.g1-evacuation-pause", 2_306_000),
        ("gc.phase.evacuate-collection-set", 1_700_000),
        ("gc.phase.other", 300_000),
        ("gc.cpu.user", 0),
    ] {
        assert_eq!(integers(pauses, name)[0], Some(ns), "{name}");
        is(pauses, name, Layer::Vm, Kind::Event, "ns");
    }
    // "[0.044s] GC(1) User=0.00s Sys=0.01s Real=0.00s"
    assert_eq!(integers(pauses, "gc.cpu.sys")[..2], [Some(0), Some(10_000_000)]);
    assert_eq!(integers(pauses, "gc.pause.full")[0], None);
    let heap = sampler(&run, "heap");
    for (name, value, unit) in [
        ("gc.heap.before", 6 << 20, "B"),
        ("gc.heap.after", 2 << 20, "B"),
        ("gc.heap.capacity", 18 << 20, "B"),
        ("gc.regions.eden.before", 6, "regions"),
        ("gc.regions.eden.after", 0, "regions"),
        ("gc.regions.eden.capacity", 4, "regions"),
        ("gc.regions.old.after", 1, "regions"),
        ("gc.metaspace.after", 75 << 10, "B"),
        ("gc.metaspace.capacity", 320 << 10, "B"),
        ("gc.metaspace.nonclass.after", 71 << 10, "B"),
        ("gc.metaspace.class.after", 3 << 10, "B"),
    ] {
        assert_eq!(integers(heap, name)[0], Some(value), "{name}");
        is(heap, name, Layer::Vm, Kind::Gauge, unit);
    }
    assert_eq!((ns(&heap.starts()[..2]), ns(heap.ends())[0]), (vec![41_000_000; 2], 41_000_000));
    let safepoints = sampler(&run, "safepoints");
    for (name, ns) in [
        ("safepoint.since-last", 18_643_020),
        ("safepoint.reaching", 4_206),
        ("safepoint.cleanup", 4_487),
        ("safepoint.at", 2_661_920),
        ("safepoint.total", 2_670_613),
        ("safepoint.for.G1CollectForAllocation", 2_670_613),
    ] {
        let first = integers(safepoints, name).iter().flatten().next().copied();
        assert_eq!(first, Some(ns), "{name}");
    }
    let concurrent = sampler(&run, "concurrent");
    // "[0.054s] GC(6) Concurrent Clear Claimed Marks 0.008ms"
    assert_eq!((ns(concurrent.starts())[0], ns(concurrent.ends())[0]), (53_992_000, 54_000_000));
    assert_eq!(integers(concurrent, "gc.concurrent.clear-claimed-marks")[0], Some(8_000));
}

/// How many lines of the log end a pause, counted with grep.
#[test]
fn no_pause_and_no_safepoint_of_any_collector_is_lost() {
    for (name, collector) in [
        ("gc/g1.log", "gc.pause.remark"),
        ("gc/parallel.log", "gc.cause.ergonomics"),
        ("gc/serial.log", "gc.cause.system.gc"),
        ("gc/z.log", "gc.pause.relocate-start"),
        ("gc/shenandoah-begin.log", "gc.pause.init-mark"),
    ] {
        let log = std::fs::read_to_string(path(name)).unwrap();
        let ends = |start: &str| {
            let lines = log.lines().filter(|line| line.contains(start) && line.ends_with("ms"));
            lines.count()
        };
        let run = file(name);
        let rows = sampler(&run, "pauses");
        let count = |name: &str| integers(rows, name).iter().flatten().count();
        assert_eq!(count("gc.pause"), ends(") Pause "), "{name}");
        assert!(count(collector) > 0, "{name}");
        let safepoints = log.lines().filter(|line| line.contains("Safepoint \"")).count();
        assert_eq!(sampler(&run, "safepoints").len(), safepoints, "{name}");
        assert!(run.notes[0].ends_with("lines were not recognized"), "{:?}", run.notes);
    }
}

#[test]
fn generations_stalls_and_cycles_are_read() {
    let serial = file("gc/serial.log");
    let heap = sampler(&serial, "heap");
    assert_eq!(integers(heap, "gc.heap.defnew.before")[0], Some(4410 << 10));
    assert_eq!(integers(heap, "gc.heap.eden.capacity")[0], Some(4416 << 10));
    assert_eq!(integers(heap, "gc.heap.tenured.after")[0], Some(851 << 10));
    let parallel = file("gc/parallel.log");
    assert_eq!(integers(sampler(&parallel, "heap"), "gc.heap.paroldgen.after")[0], Some(841 << 10));
    let phases = integers(sampler(&parallel, "pauses"), "gc.phase.marking-phase");
    assert_eq!(phases[5], Some(3_179_000), "of GC(5), the first full one");
    let z = file("gc/z.log");
    let heap = sampler(&z, "heap");
    assert_eq!(integers(heap, "gc.heap.before")[0], Some(48 << 20));
    assert_eq!(integers(heap, "gc.heap.after")[0], Some(16 << 20));
    let stalls = integers(sampler(&z, "pauses"), "gc.stall.allocation");
    assert_eq!(stalls.iter().flatten().next(), Some(&15_927_000));
    let mark = integers(sampler(&z, "concurrent"), "gc.concurrent.mark");
    assert_eq!(mark[0], Some(5_734_000));
    let shenandoah = file("gc/shenandoah-begin.log");
    let heap = sampler(&shenandoah, "heap");
    assert_eq!(integers(heap, "gc.heap.after")[..2], [Some(12 << 20), Some(5 << 20)]);
}

#[test]
fn dates_of_a_log_say_when_the_machine_started() {
    let run = file("gc/g1-dates.log");
    // "[2026-11-16T02:08:21.321+0000][0.005s]": 5 ms before.
    assert_eq!(wall(&run), Some(1_794_794_901_316_000_000));
    let run = file("gc/serial-only-dates.log");
    // The first line, "[2026-11-16T02:08:21.714+0000] Using Serial".
    assert_eq!(wall(&run), Some(1_794_794_901_714_000_000));
    assert!(sampler(&run, "pauses").starts()[0] > Timestamp::ZERO);
}

#[test]
fn a_log_that_was_cut_off_keeps_what_it_said() {
    let run = text("[0.041s] GC(0)   Other: 0.3ms\n[0.042s] GC(0) Eden regions: 6->0(4)\n[0.0");
    assert_eq!(integers(sampler(&run, "pauses"), "gc.phase.other"), [Some(300_000)]);
    assert_eq!(integers(sampler(&run, "heap"), "gc.regions.eden.after"), [Some(0)]);
    assert_eq!(run.notes, ["1 of 3 lines were not recognized"]);
}

#[test]
fn gzip_and_windows_line_ends_are_read() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(b"\xef\xbb\xbftime,a\r\n0,1\r\n").unwrap();
    let bytes = encoder.finish().unwrap();
    let run = read_trace_bytes("x/y.csv.gz", &bytes, &ImportOptions::default()).unwrap();
    assert_eq!(run.id, "y");
    assert_eq!(sampler(&run, "csv").columns()[0].get(0), Value::Integer(1));
    assert_eq!(detect("x", &bytes).unwrap(), ImportFormat::Csv);
}
