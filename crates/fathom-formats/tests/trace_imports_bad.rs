//! Bad traces, and exactly what is said about each.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use fathom_formats::trace_imports::{
    ImportFormat, ImportOptions, read_trace_bytes, read_trace_file, read_traces,
};
use fathom_record::TimeUnit;

struct Case {
    what: &'static str,
    bytes: Vec<u8>,
    options: ImportOptions,
}

fn case(what: &'static str, bytes: impl AsRef<[u8]>) -> Case {
    Case { what, bytes: bytes.as_ref().to_vec(), options: ImportOptions::default() }
}

impl Case {
    fn forced(mut self, format: ImportFormat) -> Case {
        self.options.format = Some(format);
        self
    }

    fn time_unit(mut self, unit: TimeUnit) -> Case {
        self.options.time_unit = Some(unit);
        self
    }
}

fn check(name: &str, cases: Vec<Case>) {
    let mut report = String::new();
    for case in cases {
        match read_trace_bytes("trace", &case.bytes, &case.options) {
            Ok(run) => panic!("{}: read as {run:?}", case.what),
            Err(error) => write!(report, "{}\n    error: {error}\n", case.what).unwrap(),
        }
    }
    insta::assert_snapshot!(name, report);
}

#[test]
fn bytes() {
    check(
        "bytes",
        vec![
            case("empty", ""),
            case("blank", " \r\n\n"),
            case("only comments", "# a\n# b\n"),
            case("only comments, forced", "# a\n").forced(ImportFormat::PerfStat),
            case("UTF-16", [0xff, 0xfe, b't', 0]),
            case("binary", [1, 2, 0, 3]),
            case("Latin-1", b"time,d\xe9bit\n0,1\n"),
            case("Parquet", b"PAR1xx"),
            case("half a gzip", [0x1f, 0x8b, 8, 0]),
            case("prose", "No metrics where matched to query."),
            case("a single word, forced", "hello\n").forced(ImportFormat::GcLog),
            case("time unit where it has no place", "[0.1s] GC(0) Pause Remark 0.1ms\n")
                .time_unit(TimeUnit::Milliseconds),
        ],
    );
}

#[test]
fn tables() {
    check(
        "tables",
        vec![
            case("no header", "0,1\n1,2\n"),
            case("no time", "latency,load\n1,2\n"),
            case("time not first", "latency,time\n1,2\n"),
            case("no metric", "time\n1\n"),
            case("start without end", "start_ns,latency\n1,2\n"),
            case("end first", "end,start,a\n1,2,3\n"),
            case("no unit of time", "time[W],a\n1,2\n"),
            case("header only", "time,a\n"),
            case("column without name", "time,a,,b\n0,1,2,3\n"),
            case("value in a column without name", "time,a,\n0,1,\n1,2,3\n"),
            case("two columns of one name", "time,a,b,a\n0,1,2,3\n"),
            case("two columns that differ in their unit only", "time,a[s],a[ms]\n0,1,2\n"),
            case("short row", "time,a,b\n0,1,2\n1,2\n"),
            case("long row", "time,a\n0,1\n1,2,3\n"),
            case("text", "time,a\n0,1\n1,fast\n"),
            case("unit", "time,a\n0,1ms\n"),
            case("infinite", "time,a\n0,inf\n"),
            case("too large", "time,a\n0,1e999\n"),
            case("comma of thousands", "time;a\n0;1,500\n"),
            case("decimal comma and point", "time;a\n0.5;1,5\n"),
            case("decimal comma between commas", "time,a\n0,1,5\n"),
            case("decimal comma in times", "time,a\n0,5,1\n1,5,2\n"),
            case("no time in a row", "time,a\n0,1\n,2\n"),
            case("a word for a time", "time,a\nsoon,1\n"),
            case("time with unit", "time,a\n1s,1\n"),
            case("time again", "time,a\n0,1\n1,2\n1,3\n"),
            case("time goes back", "time,a\n0,1\n2,2\n\n# c\n1,3\n"),
            case("date after number", "time,a\n0,1\n2026-11-16T01:40:51Z,2\n"),
            case(
                "date without zone after one with",
                "time,a\n2026-11-16T01:40:51Z,1\n2026-11-16T01:40:52,2\n",
            ),
            case("no such date", "time,a\n2026-02-30T01:40:51Z,1\n"),
            case("milliseconds since 1970 as seconds", "time,a\n1794793615250,1\n"),
            case("nanoseconds since 1970 as seconds", "timestamp,a\n1794793615250000000,1\n"),
            case("far too late", "time,a\n1e40,1\n"),
            case("start after end", "start_ns,end_ns,a\n5,3,1\n"),
            case("ends go back", "start_ns,end_ns,a\n0,5,1\n1,3,1\n"),
            case("open quote", "time,a\n0,\"1\n1,2\n"),
            case("newest first, but no Netdata", "time,a\n3,1\n2,2\n"),
            case(
                "Netdata out of order",
                "time,a\n2026-11-16 01:47:14,1\n2026-11-16 01:47:12,1\n2026-11-16 01:47:13,1\n",
            ),
        ],
    );
}

#[test]
fn perf() {
    check(
        "perf",
        vec![
            case("program's output between", "     1.000000000,5,,faults,1,100.00,,\nhello\n"),
            case("too few fields", "     1.000000000,5,\n"),
            case("comma in a number", "     1.000000000;0,68;msec;task-clock;1;100,00;;\n"),
            case("no number", "     1.000000000,CPU0,abc,,faults,1,100.00,,\n"),
            case("other words in angles", "     1.000000000,<not here>,,faults,1,100.00,,\n"),
            case(
                "event twice",
                "     1.000000000,5,,faults,1,100.00,,\n     1.000000000,5,,faults,1,100.00,,\n",
            ),
            case(
                "time goes back",
                "     2.000000000,5,,faults,1,100.00,,\n     1.000000000,5,,faults,1,100.00,,\n",
            ),
            case("time 0", "     0.000000000,5,,faults,1,100.00,,\n"),
            case(
                "total too large",
                "     1.000000000,9223372036854775807,,faults,1,100.00,,\n     2.000000000,1,,faults,1,100.00,,\n",
            ),
            case(
                "unit changes",
                "     1.000000000,5,,faults,1,100.00,,\n     2.000000000,5,msec,faults,1,100.00,,\n",
            ),
            case("derived metric is no number", "     1.000000000,5,,cycles,1,100.00,abc,GHz\n"),
            case("divided by blanks", "     1.000000000 5  faults\n"),
            case("no times, forced", "5,,faults,1,100.00,,\n").forced(ImportFormat::PerfStat),
        ],
    );
}

fn matrix(series: &str) -> String {
    format!(r#"{{"status":"success","data":{{"resultType":"matrix","result":[{series}]}}}}"#)
}

#[test]
fn prometheus() {
    let one =
        |values: &str| matrix(&format!(r#"{{"metric":{{"__name__":"up"}},"values":[{values}]}}"#));
    check(
        "prometheus",
        vec![
            case("cut off", &one("[1,\"1\"]")[..60]),
            case("error without message", r#"{"status":"error"}"#),
            case(
                "string",
                r#"{"status":"success","data":{"resultType":"string","result":[1,"a"]}}"#,
            ),
            case(
                "unknown type",
                r#"{"status":"success","data":{"resultType":"streams","result":[]}}"#,
            ),
            case("no data", r#"{"status":"success"}"#),
            case("no samples", one("")),
            case("value is a number", one("[1,1]")),
            case("value is no number", one("[1,\"many\"]")),
            case("value is empty", one("[1,\"\"]")),
            case("time again", one("[1,\"1\"],[1,\"2\"]")),
            case("time far too late", one("[1e30,\"1\"]")),
            case("responses overlap", format!("[{0},{0}]", one("[1,\"1\"],[2,\"1\"]"))),
            case("histograms", matrix(r#"{"metric":{},"histograms":[[1,{"count":"1"}]]}"#)),
            case("no metric", matrix(r#"{"values":[[1,"1"]]}"#)),
            case(
                "second response is an error",
                format!(
                    "{}\n{}",
                    one("[1,\"1\"]"),
                    r#"{"status":"error","errorType":"timeout","error":"too slow"}"#
                ),
            ),
            case("empty object", "{}"),
            case("empty list", "[]"),
            case("other keys", r#"{"a":1,"b":2}"#),
            case("Fathom's manifest", r#"{"schema":"fathom-trace/1"}"#),
            case("NaN without quotes", one("[NaN,\"1\"]")),
        ],
    );
}

#[test]
fn netdata() {
    check(
        "netdata",
        vec![
            case("no data", r#"{"labels":["time","a"]}"#),
            case("no rows", r#"{"labels":["time","a"],"data":[]}"#),
            case("no labels", r#"{"labels":[],"data":[[1]]}"#),
            case("no time", r#"{"labels":["a","b"],"data":[[1,2]]}"#),
            case("no dimension", r#"{"labels":["time"],"data":[[1]]}"#),
            case("two dimensions of one name", r#"{"labels":["time","a","a"],"data":[[1,2,3]]}"#),
            case("short row", r#"{"labels":["time","a","b"],"data":[[1,2]]}"#),
            case("row is a number", r#"{"labels":["time","a"],"data":[1]}"#),
            case("text", r#"{"labels":["time","a"],"data":[[1,"x"]]}"#),
            case("no time in a row", r#"{"labels":["time","a"],"data":[[null,1]]}"#),
            case("time again", r#"{"labels":["time","a"],"data":[[1,1],[1,2]]}"#),
            case("cut off", r#"{"labels":["time","a"],"data":[[1,1],"#),
            case("labels are numbers", r#"{"labels":[1],"data":[]}"#),
        ],
    );
}

#[test]
fn gc_logs() {
    check(
        "gc_logs",
        vec![
            case(
                "JDK 8",
                "0.123: [GC (Allocation Failure)  33280K->5120K(125952K), 0.0061 secs]\n",
            ),
            case("nothing known", "[0.1s][info][gc,init] CPUs: 2 total\n"),
            case("only starts", "[0.1s][info][gc,start] GC(0) Pause Young (Normal) (x)\n"),
            case("no times", "[info][gc] GC(0) Pause Remark 0.1ms\n").forced(ImportFormat::GcLog),
            case(
                "two machines",
                "[0.1s][gc] Using G1\n[9.1s] GC(0) Pause Remark 0.1ms\n[0.1s][gc] Using G1\n",
            ),
            case(
                "times go back",
                "[9.1s] GC(0) Pause Remark 0.1ms\n[0.1s] GC(0) Pause Remark 0.1ms\n",
            ),
        ],
    );
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/traces").join(name)
}

#[test]
fn real_files_that_are_no_traces() {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder("bad")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut report = String::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&file).unwrap();
        let error = read_trace_bytes(&name, &bytes, &ImportOptions::default()).unwrap_err();
        writeln!(report, "{error}").unwrap();
    }
    insta::assert_snapshot!("real_files_that_are_no_traces", report);
}

#[test]
fn files_that_are_not_there_or_do_not_agree() {
    let options = ImportOptions::default();
    let error = |path: &Path| read_trace_file(path, &options).unwrap_err().to_string();
    let missing = error(&folder("no/such.csv"));
    assert!(
        missing.ends_with("(No such file or directory (os error 2)). Check the path."),
        "{missing}"
    );
    assert!(error(&folder("csv")).ends_with(": this is a folder. Name the files in it."));

    let place = std::env::temp_dir().join(format!("fathom-trace-imports-{}", std::process::id()));
    let within = |files: &[(&str, &str)]| {
        std::fs::create_dir_all(&place).unwrap();
        for (name, text) in files {
            std::fs::write(place.join(name), text).unwrap();
        }
        let error = read_traces(&[&place], &options).map(|runs| format!("{runs:?}"));
        std::fs::remove_dir_all(&place).unwrap();
        error.unwrap_err().to_string().replace(&place.display().to_string(), "DIR")
    };
    assert_eq!(
        within(&[("a.csv", "time,x[s]\n0,1\n"), ("b.csv", "time,x[ms]\n0,1\n")]),
        "DIR/b.csv: \"x\" is a gauge in ms here, but a gauge in s in run \"a\". Rename it in one \
         of the files, or use the same unit in both."
    );
    assert_eq!(
        within(&[("a.csv", "time,x\n0,1\n"), ("b.csv", "time,x\n0,?\n")]),
        "DIR/b.csv:2: column \"x\": \"?\" is not a number. Correct it, leave the cell empty if \
         the value is missing, or remove the column."
    );
    assert_eq!(
        within(&[("manifest.json", "{}")]),
        "DIR: the folder was written by fathom record or fathom import. Open it directly with \
         fathom show or fathom explain."
    );
    assert_eq!(within(&[(".hidden", "x")]), "DIR: the folder contains no files. Check the path.");
}
