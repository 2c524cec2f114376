//! Bad inputs, and exactly what is said about each.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fmt::Write;
use std::io::Write as _;

use fathom_formats::{DecimalMark, Format, ReadOptions, read_bytes};

/// A file's bytes, and the command line's `--input-format` and `--column`.
struct Case {
    what: &'static str,
    bytes: Vec<u8>,
    options: ReadOptions,
}

fn case(what: &'static str, bytes: impl AsRef<[u8]>) -> Case {
    Case { what, bytes: bytes.as_ref().to_vec(), options: ReadOptions::default() }
}

impl Case {
    fn column(mut self, column: &str) -> Case {
        self.options.columns.push(column.to_string());
        self
    }

    fn decimal(mut self, mark: DecimalMark) -> Case {
        self.options.decimal = Some(mark);
        self
    }

    fn forced(mut self, format: Format) -> Case {
        self.options.format = Some(format);
        self
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Other tools have options, too.
fn names_options_of_analyze(text: &str) -> bool {
    let (_, advice) = text.rsplit_once(" (read as").unwrap_or(("", text));
    let options = ["--column", "--decimal", "--input-format", "--unit"];
    let remedies = advice.split_once(". ").map_or("", |(_, remedies)| remedies);
    options.iter().any(|option| remedies.contains(option)) || advice.len() < text.len()
}

fn check(name: &str, cases: Vec<Case>) {
    let mut report = String::new();
    for case in cases {
        match read_bytes("results", &case.bytes, &case.options) {
            Ok(contents) => panic!("{}: read as {contents:?}", case.what),
            Err(error) => {
                let text = error.to_string();
                assert_eq!(error.names_options(), names_options_of_analyze(&text), "{text}");
                write!(report, "{}\n    error: {text}\n", case.what).unwrap();
            }
        }
    }
    insta::assert_snapshot!(name, report);
}

#[test]
fn bytes() {
    let whole = gzip(b"1\n2\n3\n");
    let mut damaged = whole.clone();
    let middle = damaged.len() - 6;
    damaged[middle] ^= 0xff;
    let mut trailing = whole.clone();
    trailing.extend(b"more");
    check(
        "bytes",
        vec![
            case("empty", ""),
            case("blank", " \r\n\n"),
            case("empty, forced", "").forced(Format::Pyperf),
            case("empty gzip", gzip(b"")),
            case("truncated gzip", &whole[..whole.len() - 4]),
            case("only the gzip magic", [0x1f, 0x8b]),
            case("damaged gzip", damaged),
            case("bytes behind a gzip", trailing),
            case("gzip in gzip", gzip(&whole)),
            case("UTF-16", [0xff, 0xfe, b'1', 0, b'\n', 0]),
            case("UTF-16 without mark", [b'1', 0, b'\n', 0]),
            case("Latin-1", b"1\n2\nd\xe9bit\n"),
            case("binary", [1, 2, 0, 3]),
            case("zstd", b"\x28\xb5\x2f\xfdxx"),
            case("spreadsheet", b"PK\x03\x04xx"),
            case("Parquet", b"PAR1xx"),
        ],
    );
}

#[test]
fn plain_numbers() {
    check(
        "plain_numbers",
        vec![
            case("only comments", "# nothing\n\n# here\n"),
            case("a word", "1.5\n2.5 abc\n"),
            case("nan", "1\nNaN\n"),
            case("inf first", "inf\n1\n"),
            case("-Infinity", "1\n2\n-Infinity\n"),
            case("overflow", "1\n1e999\n"),
            case("unit", "12ms\n13ms\n"),
            case("unit later", "1\n1.5 us\n"),
            case("decimal comma", "1\n2,5\n"),
            case("control characters", "1\n\u{1b}[31mred\n"),
            case("a long word", format!("1\n{}\n", "x".repeat(5000))),
            case("a column", "1\n2\n").column("time"),
            case("commas, forced", "1,2\n").forced(Format::Numbers),
            case("JSON, forced", "{\"results\":[]}").forced(Format::Numbers),
        ],
    );
}

#[test]
fn decimal_marks() {
    let comma = DecimalMark::Comma;
    check(
        "decimal_marks",
        vec![
            case("decimal commas or two columns", "12,24\n13,1\n12,9\n"),
            case("one line", "12,24\n"),
            case("decimal commas or thousands", "# ns\n1,234\n5,678\n"),
            case("thousands or columns", "1,234,567\n2,345,678\n"),
            case("printf's decimal commas", "1,12,05\n2,12,24\n"),
            case("decimal commas in one line", "0,012,0,013,0,011\n"),
            case("under one name", "time_ms\n12,24\n13,1\n"),
            case("under too few names", "run,time\n1,12,24\n2,13,1\n"),
            case("some without", "12,24\n5\n13,1\n"),
            case("first without", "5\n12,24\n"),
            case("pairs between spaces", "12,24 13,1\n"),
            case("three digits behind every comma", "a;b\n1,234;5,678\n"),
            case("points and commas", "a;b\n1,5;2.5\n"),
            case("points and commas, chosen", "a;b\n1,5;2.5\n").decimal(comma),
            case("thousands, chosen", "1.234,5\n").decimal(comma),
            case("several commas, chosen", "1,12,24\n").decimal(comma),
            case("a comma where points are chosen", "a;b\n1,5;2\n").decimal(DecimalMark::Point),
            case("JSON", "{\"results\":[]}").decimal(comma),
        ],
    );
}

#[test]
fn tables() {
    let three = "name,time_ms,size\na,1.5,10\nb,2.5,20\n";
    check(
        "tables",
        vec![
            case("text column, picked", three).column("name"),
            case("only text", "name,host\na,b\nc,d\n"),
            case("only text, one column", "name\na\nb\n"),
            case("text before numbers", "name,x\na,1\n7,2\n"),
            case("nothing before numbers", "a,b\n,1\n2,3\n"),
            case("text without a header", "a,1.5\nb,2.5\n"),
            case("units", "name,time\na,12ms\nb,13ms\n"),
            case("text later", "a,b\n1,2\n3,x\n"),
            case("text later, picked", "a,b\n1,2\n3,x\n").column("b"),
            case("text later, no header", "1,2\n3,x\n"),
            case("text later, one column", "time\n1\nabc\n"),
            case("text in one long line", "1,2,abc,4\n"),
            case("unknown column", three).column("tme_ms"),
            case("unknown column, part", three).column("time"),
            case("unknown column number", three).column("4"),
            case("column 0", three).column("0"),
            case("one good and one bad column", three).column("size").column("nothing alike"),
            case("shared name", "x,y,x\n1,2,3\n"),
            case("shared name, picked", "x,y,x\n1,2,3\n").column("x"),
            case("header only", "time\n"),
            case("header only, several", "a;b;c\n\n# end\n"),
            case("ragged, short", "a,b\n1,2\n3\n"),
            case("ragged, long", "1,2\n3,4,5\n"),
            case("ragged after a comment", "a,b\n# c\n\n1,2\n3,4,5\n"),
            case("empty cell", "a,b\n1,2\n3,\n"),
            case("empty cell, one column", "a\n1\n\"\"\n"),
            case("only empty cells", "a,b\n,\n,\n"),
            case("trailing comma in one line", "1,2,3,\n"),
            case("thousands separators", "a;b\n\"1,234.5\";1\n"),
            case("nan", "a,b\n1,2\n3,nan\n"),
            case("overflow", "a,b\n1,-1e400\n"),
            case("unit in the cell", "a,b\n1,12ms\n"),
            case("open quote", "a,b\n1,2\n\"3,4\n"),
            case("text behind a quote", "a,b\n\"1\"x,2\n"),
            case("JSON, forced", "{\"results\": [1, 2]}\n").forced(Format::Csv),
            case(
                "many columns",
                format!("{}\n{}\n", vec!["abc"; 40].join("1,x"), vec!["1"; 40].join(",")),
            ),
        ],
    );
}

#[test]
fn json() {
    check(
        "json",
        vec![
            case("truncated", "{\"results\": [\n{\"command\": \"x\", \"ti"),
            case("only a brace", "{"),
            case("wrong", "{\"results\" [1]}"),
            case("two documents", "{\"results\":[]}\n{\"results\":[]}"),
            case("another tool", r#"{"a":1,"b":2}"#),
            case("no keys", "{}"),
            case("numbers in an array, a column", "[1, 2, 3]").column("a"),
            case("numbers and text in an array", "[1, 2, \"x\"]"),
            case("numbers and null in an array", "[1, null]"),
            case("lists in an array", "[[1], [2], [3]]"),
            case("empty array", "[]"),
            case("empty objects in an array", "[{}]"),
            case("objects of text", "{\"a\":\"x\"}\n{\"a\":\"y\"}\n"),
            case("a field is missing", "{\"a\":1,\"b\":2}\n{\"b\":3}\n"),
            case("a field is null", "{\"a\":1,\"b\":2}\n{\"a\":null,\"b\":3}\n"),
            case("a field is text", "[{\"a\":1},{\"a\":\"slow\"}]"),
            case("a field comes late", "{\"a\":1}\n{\"a\":2,\"b\":3}\n"),
            case("a field twice", "{\"a\":1,\"a\":2}\n{\"a\":3}\n"),
            case("lines, the last cut off", "{\"a\":1}\n{\"a\":2}\n{\"a\""),
            case("unknown field", "{\"latency\":1}\n{\"latency\":2}\n").column("latncy"),
            case("a list with null", "{\"a\":[1,null]}"),
            case("criterion's estimates", r#"{"mean":1,"median_abs_dev":{}}"#),
            case("NaN", "{\"benchmarks\":[{\n\"real_time\": NaN}]}"),
            case("number too large", "{\"results\":[{\"command\":\"x\",\n\"times\":[1e999]}]}"),
            case("CSV, forced", "a,b\n1,2\n").forced(Format::Hyperfine),
        ],
    );
}

#[test]
fn hyperfine() {
    let one = |rest: &str| format!("{{\"results\":[{{\"command\":\"sleep 1\",{rest}}}]}}");
    let two = |measurements: &str| {
        format!(
            "{{\"schema_version\":2,\"results\":[{{\"command\":\"x\",\"measurements\":[{measurements}]}}]}}"
        )
    };
    let wall = r#"{"time_wall_clock":{"value":1.5,"unit":"second"},"exit_code":0}"#;
    check(
        "hyperfine",
        vec![
            case("no results", r#"{"results":[]}"#),
            case("only a summary", one("\"mean\":1.0")),
            case("no times", one("\"times\":[]")),
            case("a word among the times", one("\n\"times\":[1, \"x\"]")),
            case("unknown metric", one("\"times\":[1],\"memory_usage_byte\":[1]")).column("memory"),
            case("newer schema", r#"{"schema_version":3,"results":[]}"#),
            case("2: no measurements", two("")),
            case("2: unknown metric", two(wall)).column("time_wal_clock"),
            case("2: not a metric", two(wall)).column("exit_code"),
            case("2: no wall time", two(r#"{"time_cpu":{"value":1}}"#)),
            case("2: a metric that stops", two(&format!("{wall},{{\"exit_code\":1}}"))),
            case("2: no value", two(r#"{"time_wall_clock":{"value":null}}"#)),
            case("pyperf, forced", r#"{"version":"1.0","benchmarks":[]}"#)
                .forced(Format::Hyperfine),
        ],
    );
}

#[test]
fn pyperf_and_criterion_and_fathom() {
    check(
        "pyperf_and_criterion_and_fathom",
        vec![
            case("pyperf: none", r#"{"version":"1.0","benchmarks":[]}"#),
            case(
                "pyperf: only calibration",
                r#"{"version":"1.0","benchmarks":[{"metadata":{"name":"b"},"runs":[{"warmups":[[1,2.0]]}]}]}"#,
            ),
            case("pyperf: a column", r#"{"version":"1.0","benchmarks":[]}"#).column("values"),
            case(
                "pyperf: wrong type",
                r#"{"version":"1.0","benchmarks":[{"runs":[{"values":1}]}]}"#,
            ),
            case("criterion: lengths", r#"{"iters":[1,2],"times":[1]}"#),
            case("criterion: no iterations", r#"{"iters":[1,0],"times":[1,2]}"#),
            case("criterion: nothing", "[[],[]]"),
            case("criterion: overflow", "[[1e-300],[1e300]]"),
            case("criterion: words", r#"[["a"],[1]]"#),
            case("fathom: other schema", r#"{"schema":"fathom/9","subjects":[]}"#),
            case("fathom: no subjects", r#"{"schema":"fathom/1","subjects":[]}"#),
            case("fathom: no values", r#"{"schema":"fathom/1","subjects":[{"name":"a","n":3}]}"#),
            case(
                "fathom: empty values",
                r#"{"schema":"fathom/1","subjects":[{"name":"a","values":[]}]}"#,
            ),
            case(
                "fathom: no metrics",
                r#"{"schema":"fathom/1","subjects":[{"name":"a","values":[1]}]}"#,
            )
            .column("time"),
            case(
                "fathom: unknown metric",
                r#"{"schema":"fathom/1","subjects":[{"name":"a","metric":"time","values":[1]}]}"#,
            )
            .column("tim"),
            case("fathom: truncated", "{\"schema\":\"fathom/1\",\n\"subjects\":[")
                .forced(Format::Fathom),
        ],
    );
}

#[test]
fn google_benchmark() {
    let file = |rows: &str| format!("{{\"context\":{{}},\"benchmarks\":[{rows}]}}");
    let row = |rest: &str| {
        format!("{{\"name\":\"a\",\"run_type\":\"iteration\",\"time_unit\":\"ns\"{rest}}}")
    };
    let timed = row(",\"real_time\":1.5,\"cpu_time\":1.0,\"iterations\":7");
    check(
        "google_benchmark",
        vec![
            case("none", file("")),
            case(
                "only aggregates",
                file(r#"{"name":"a_mean","run_type":"aggregate","real_time":1}"#),
            ),
            case(
                "an error",
                file(&row(
                    ",\"error_occurred\":true,\"error_message\":\"no such device\",\"real_time\":0",
                )),
            ),
            case("skipped", file(&row(",\"skipped\":true,\"skip_message\":\"too slow\""))),
            case("unknown metric", file(&timed)).column("cpu_tim"),
            case("not a metric", file(&timed)).column("iterations"),
            case("a metric that stops", file(&format!("{timed},{}", row("")))),
            case(
                "mixed units",
                file(&format!(
                    "{timed},{{\"name\":\"a\",\"real_time\":1,\"time_unit\":\"parsecs\"}}"
                )),
            ),
        ],
    );
}

#[test]
fn gem5() {
    let begin = "---------- Begin Simulation Statistics ----------\n";
    let end = "\n---------- End Simulation Statistics   ----------\n";
    let dump = |body: &str| format!("\n{begin}{body}{end}");
    let many: String = (0..20).map(|i| format!("system.cpu{i}.ipc {i} # d\n")).collect();
    check(
        "gem5",
        vec![
            case("cut off", format!("{}\n{begin}simTicks 1\n", dump("simTicks 1"))),
            case("cut off in the middle", format!("\n{begin}simTicks 1{}", dump("simTicks 1"))),
            case("an end too many", format!("{}{end}", dump("simTicks 1"))),
            case("text between", format!("{}hello\n{}", dump("simTicks 1"), dump("simTicks 2"))),
            case("no statistics", dump("")),
            case("too many", dump(&many)),
            case("unknown", dump(&many)).column("ipc"),
            case("unknown, near", dump(&many)).column("system.cpu3.ipcc"),
            case("missing in the first", dump("a 1\nb 1") + &dump("a 1")).column("b"),
            case("missing in a later one", dump("a 1") + &dump("a 1\nb 1")).column("b"),
            case("nan", dump("a 1") + &dump("a nan # (Second)")),
            case("inf", dump("a 1") + &dump("a inf")).column("a"),
            case("no value", dump("a # nothing")),
            case("twice", dump("a 1\na 2")),
            case("not gem5, forced", "1\n2\n").forced(Format::Gem5),
        ],
    );
}
