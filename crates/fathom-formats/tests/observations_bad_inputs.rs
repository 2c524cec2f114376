//! Bad executions, and exactly what is said about each.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fmt::Write;

use fathom_formats::{
    Format, ObservationFormat, ObservationOptions, observations_from_bytes, one_from_bytes,
};

/// The first line of a check's journal.
const HEADER: &str = "{\"request\":{\"question\":\"check\",\"version\":1}}\n";

/// A file's bytes, what is asked of it, and whether it should be one execution.
struct Case {
    what: &'static str,
    bytes: Vec<u8>,
    options: ObservationOptions,
    is_one: bool,
}

fn case(what: &'static str, bytes: impl AsRef<[u8]>) -> Case {
    let bytes = bytes.as_ref().to_vec();
    Case { what, bytes, options: ObservationOptions::default(), is_one: false }
}

impl Case {
    fn column(mut self, column: &str) -> Case {
        self.options.columns.push(column.to_string());
        self
    }

    fn forced(mut self, format: ObservationFormat) -> Case {
        self.options.format = Some(format);
        self
    }

    fn one(mut self) -> Case {
        self.is_one = true;
        self
    }
}

fn check(name: &str, cases: Vec<Case>) {
    let mut report = String::new();
    for case in cases {
        let seen = if case.is_one {
            one_from_bytes("trace", &case.bytes, &case.options).map(|seen| vec![seen])
        } else {
            observations_from_bytes("trace", &case.bytes, &case.options)
        };
        match seen {
            Ok(seen) => panic!("{}: read as {seen:?}", case.what),
            Err(error) => write!(report, "{}\n    error: {error}\n", case.what).unwrap(),
        }
    }
    insta::assert_snapshot!(name, report);
}

#[test]
fn tables_over_time() {
    check(
        "tables_over_time",
        vec![
            case("empty", ""),
            case("only comments, forced", "# x\n").forced(ObservationFormat::Of(Format::Csv)),
            case("no rows", "time,power\n"),
            case("no rows, runs of events", "run,time,event\n"),
            case("backwards", "time,power\n0,1\n5,2\n3,4\n"),
            case("starts again", "time,power\n0,1\n5,2\n0,4\n"),
            case("twice", "time,power\n0,1\n0,2\n"),
            case("negative", "time,power\n-1,1\n0,2\n"),
            case("no time", "time,power\n0,1\n,2\n"),
            case("nan time", "time,power\nnan,2\n"),
            case("time with a unit", "time,power\n0ms,1\n"),
            case("a word for a time", "time,power\nstart,1\n"),
            case("infinite time", "time,power\n1e999,1\n"),
            case("ragged, short", "time,power\n0\n"),
            case("ragged, long", "time,power\n0,1\n1,2,3\n"),
            case("text", "time,power\n0,1\n1,high\n"),
            case("infinite", "time,power\n0,inf\n"),
            case("too large", "time,power\n0,-1e999\n"),
            case("value with a unit", "time,power\n0,12W\n"),
            case("commas of thousands", "time;power\n0;1,500\n"),
            case("decimal commas and points", "time;power\n0.5;1,5\n"),
            case("decimal commas between commas", "time,power\n0,1,5\n"),
            case("not a unit of time", "time[W],power\n0,1\n"),
            case("two of a name", "time,power[W],power[mW]\n0,1,2\n"),
            case("only the time picked", "time,power\n0,1\n").column("time"),
            case("unknown column", "time,power\n0,1\n").column("powr"),
            case("no run", "run,time,power\n1,0,1\n,1,2\n"),
            case("open quote", "time,power\n0,\"1\n"),
            case("no names", "0,1\n1,2\n"),
            case("several runs", "run,time,x\n1,0,1\n2,0,1\n").one(),
            case("unit without time", "# nothing\ntime (),x\n0,y\n"),
        ],
    );
}

#[test]
fn tables_of_events_and_rows() {
    check(
        "tables_of_events_and_rows",
        vec![
            case("events without times", "event,latency\nR,3\n"),
            case("events backwards", "time,event\n5,R\n3,R\n"),
            case("no event", "time,event\n5,R\n6,\n"),
            case("negative", "time,event\n-5,R\n"),
            case("attribute of text", "time,event,latency\n5,R,slow\n"),
            case("attribute with a unit", "time,event,latency\n5,R,3ms\n"),
            case("infinite attribute", "time,event,latency\n5,R,inf\n"),
            case("text", "name,ipc\nfft,1.5\n"),
            case("ragged", "a,b\n1,2\n3\n"),
            case("no rows", "a,b\n"),
            case("rows, one wanted", "a,b\n1,2\n3,4\n").one(),
            case("numbers, one wanted", "1\n2\n").one(),
            case("a word among numbers", "1\nabc\n"),
            case("nan among numbers", "1\nnan\n"),
            case("numbers with units", "12ms\n13ms\n"),
            case("numbers, a column", "1\n2\n").column("x"),
            case("only comments", "# a\n"),
            case("decimal commas or two columns", "12,24\n13,1\n"),
            case("a decimal comma or two numbers", "12,24\n"),
            case("one line, a word", "1,2,abc\n"),
            case("one line, a column", "1,2\n").column("ipc"),
            case("ragged numbers", "1\n2,3\n").forced(ObservationFormat::Of(Format::Csv)),
            case("binary", [1, 0, 2]),
        ],
    );
}

#[test]
fn objects() {
    check(
        "objects",
        vec![
            case("truncated", "{\"ipc\": 1,\n"),
            case("wrong", "{\"ipc\" 1}"),
            case("commas between objects", "{\"a\":1},\n{\"a\":2}\n"),
            case("NaN", "{\"ipc\": NaN}"),
            case("too large", "{\"ipc\": 1e999}"),
            case("no numbers", "{\"name\": \"fft\"}"),
            case("no numbers on a line", "{\"a\": 1}\n{\"name\": \"fft\"}\n"),
            case("nothing", "{}"),
            case("twice", "{\"a\": 1, \"a\": 2}"),
            case("twice under one path", "{\"a.b\": 1, \"a\": {\"b\": 2}}"),
            case("two units", "{\"p[W]\": 1, \"p[mW]\": 2}"),
            case("an empty list", "[]"),
            case("a list of numbers", "[1, 2]"),
            case("a list of texts", "[\"a\"]"),
            case("a number in a list", "[{\"a\": 1}, 2]"),
            case("no number in a list", "[{\"a\": 1}, {}]"),
            case("a number on a line", "{\"a\": 1}\n5\n"),
            case("no time", "{\"time\": 0, \"a\": 1}\n{\"a\": 2}\n"),
            case("time is text", "{\"time\": 0, \"a\": 1}\n{\"time\": \"1\", \"a\": 2}\n"),
            case("time is null", "{\"time\": 0, \"a\": 1}\n{\"time\": null, \"a\": 2}\n"),
            case("backwards", "{\"time\": 3, \"a\": 1}\n{\"time\": 1, \"a\": 2}\n"),
            case("same time", "{\"time\": 3, \"a\": 1}\n{\"time\": 3, \"a\": 2}\n"),
            case("negative", "{\"t\": -3, \"a\": 1}\n{\"t\": 1, \"a\": 2}\n"),
            case("not a unit of time", "{\"time[kg]\": 3, \"a\": 1}\n{\"time[kg]\": 4}\n"),
            case("event is a number", "{\"t\": 0, \"event\": 3}\n{\"t\": 1, \"event\": 4}\n"),
            case("signal and event", "{\"t\": 0, \"R\": 3}\n{\"t\": 1, \"event\": \"R\"}\n"),
            case("one wanted", "{\"a\": 1}\n{\"a\": 2}\n").one(),
            case("one wanted, runs", "{\"t\":1,\"run\":1,\"a\":1}\n{\"t\":1,\"run\":2,\"a\":1}")
                .one(),
            case("a column", "{\"a\": 1}").column("a"),
            case("criterion's estimates", r#"{"mean":1,"median_abs_dev":{}}"#),
        ],
    );
}

#[test]
fn our_own_executions() {
    let of = |rest: &str| format!("{{\"schema\": \"fathom-execution/1\",\n{rest}}}");
    let performed = |number: u32, system: u32| {
        let outcome = r#"{"Ok":{"schema":"fathom-execution/1","scalars":{"a":1}}}"#;
        format!(
            "{{\"ticket\":{{\"number\":{number},\"system\":{system},\"seed\":1}},\"outcome\":{outcome}}}\n"
        )
    };
    let failed = r#"{"ticket":{"number":9,"system":0,"seed":1},"outcome":{"Err":{"how":"was killed by signal 9","said":[],"hint":null}}}"#;
    check(
        "our_own_executions",
        vec![
            case("newer", r#"{"schema": "fathom-execution/2"}"#),
            case("unknown field", of("\"sclars\": {}")),
            case(
                "times do not increase",
                of(r#""signals": {"t": {"times": [1, 1], "values": [1, 2]}}"#),
            ),
            case("lengths", of(r#""signals": {"t": {"times": [1, 2], "values": [1]}}"#)),
            case("negative", of(r#""events": {"e": [-1]}"#)),
            case("events backwards", of(r#""events": {"e": [2, 1]}"#)),
            case("after the end", of(r#""end": 1, "events": {"e": [2]}"#)),
            case("no length", of(r#""states": {"s": [[3, 3]]}"#)),
            case("two meanings", of(r#""scalars": {"x": 1}, "events": {"x": [2]}"#)),
            case("a name with a full stop", of(r#""events": {"Mr. X": [2, 1]}"#)),
            case("clock", of(r#""clock_hz": 0"#)),
            case("wrong type", of(r#""end": "late""#)),
            case("truncated", of("\"end\": 3").trim_end_matches('}')),
            case("the second", format!("{}\n{}", of("\"end\": 3"), of("\"end\": -3"))),
            case("in a list", format!("[{},\n{}]", of("\"end\": 3"), of("\"end\": -3"))),
            case("another schema in the list", format!("[{}, {{\"a\": 1}}]", of("\"end\": 3"))),
            case("one wanted", format!("{0}\n{0}", of("\"end\": 3"))).one(),
            case("a column", of("\"end\": 3")).column("x"),
            case("not ours, forced", "{\"a\": 1}").forced(ObservationFormat::Execution),
            case("empty list, forced", "[]").forced(ObservationFormat::Execution),
            case("journal: failed", performed(3, 0) + failed),
            case("journal: failed, one wanted", failed).one(),
            case(
                "journal: times do not increase",
                performed(0, 0)
                    + &performed(1, 0).replace("\"scalars\":{\"a\":1}", "\"events\":{\"e\":[2,1]}"),
            ),
            case(
                "journal: negative",
                performed(0, 0).replace("\"scalars\"", "\"end\":-1,\"scalars\""),
            ),
            case("journal: two systems", performed(0, 0) + &performed(1, 1)),
            case("journal: cut off", performed(0, 0) + &performed(1, 0)[..40]),
            case("journal: a list", format!("[{}]", performed(0, 0))),
            case("journal: another object", performed(0, 0) + "{\"a\": 1}"),
            case("journal: only what was asked", HEADER),
            case("journal: what was asked is cut off", &HEADER[..30]),
            case("journal: what was asked twice", HEADER.to_string() + HEADER),
            case("journal: two systems, asked", {
                HEADER.to_string() + &performed(0, 0) + &performed(1, 1)
            }),
            case("journal: cut off, asked", HEADER.to_string() + &performed(0, 0)[..40]),
        ],
    );
}

#[test]
fn gem5_and_measurements() {
    let begin = "---------- Begin Simulation Statistics ----------\n";
    let end = "\n---------- End Simulation Statistics   ----------\n";
    let dump = |body: &str| format!("\n{begin}{body}{end}");
    check(
        "gem5_and_measurements",
        vec![
            case("cut off", format!("\n{begin}simTicks 1\n")),
            case("no statistics", dump("")),
            case("no dumps, forced", "\n \n x").forced(ObservationFormat::Of(Format::Gem5)),
            case("text", dump("a what")),
            case("no value", dump("a # nothing")),
            case("two values", dump("a 1\na 2")),
            case("unknown", dump("system.cpu.ipc 1")).column("system.cpu.icp"),
            case("untimed dumps", dump("a 1") + &dump("a 2")),
            case("growing", dump("simSeconds 1\na 1") + &dump("simSeconds 2\na 2")),
            case("one end missing", dump("finalTick 1") + &dump("a 2")),
            case("one length missing", dump("simTicks 1") + &dump("a 2")),
            case("backwards", dump("finalTick 5") + &dump("finalTick 3")),
            case("no time", dump("finalTick 0") + &dump("finalTick 0")),
            case(
                "two commands",
                r#"{"results":[{"command":"a","times":[1]},{"command":"b","times":[2]}]}"#,
            ),
            case("unknown metric", r#"{"results":[{"command":"a","times":[1]}]}"#).column("tims"),
            case("one wanted", r#"{"results":[{"command":"a","times":[1,2]}]}"#).one(),
            case("no values", r#"{"schema":"fathom/1","subjects":[{"name":"a","n":3}]}"#),
        ],
    );
}
