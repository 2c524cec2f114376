use super::*;

fn series(exposed: &Exposed) -> Vec<(&str, Kind, &str, Option<f64>)> {
    let samples = exposed.samples.iter();
    samples
        .map(|one| (one.series.as_str(), one.kind, one.unit.symbol(), one.value.real()))
        .collect()
}

/// The examples of the OpenMetrics 1.0 specification, put together.
#[test]
fn openmetrics_is_understood() {
    let text = r##"# TYPE acme_http_router_request_seconds summary
# UNIT acme_http_router_request_seconds seconds
# HELP acme_http_router_request_seconds Latency though all of ACME's HTTP request router.
acme_http_router_request_seconds_sum{path="/api/v1",method="GET"} 9036.32
acme_http_router_request_seconds_count{path="/api/v1",method="GET"} 807283.0
acme_http_router_request_seconds_created{path="/api/v1",method="GET"} 1605281325.0
# TYPE go_goroutines gauge
# HELP go_goroutines Number of goroutines that currently exist.
go_goroutines 69
# TYPE process_cpu_seconds counter
# UNIT process_cpu_seconds seconds
# HELP process_cpu_seconds Total user and system CPU time spent in seconds.
process_cpu_seconds_total 4.20072246e+06
# TYPE foo histogram
foo_bucket{le="0.01"} 0
foo_bucket{le="0.1"} 8 # {} 0.054
foo_bucket{le="1"} 11 # {trace_id="KOO5S4vxi0o"} 0.67
foo_bucket{le="10"} 17 # {trace_id="oHg5SJYRHA0"} 9.8 1520879607.789
foo_bucket{le="+Inf"} 17
foo_count 17
foo_sum 324789.3
foo_created  1520430000.123
# TYPE bar gaugehistogram
bar_bucket{le="+Inf"} 3
bar_gcount 3
bar_gsum 5.5
# TYPE rpc summary
rpc{quantile="0.95"} 123.7
rpc_count 12
# TYPE build info
build_info{entity="controller",name="pretty",version="8.2.7"} 1
# TYPE a_state stateset
a_state{a_state="x"} 0
# TYPE untold unknown
untold 1 1520879607.789
# EOF
this is not read any more
"##;
    let exposed = read(text);
    assert_eq!((exposed.unreadable, exposed.has_end), (0, true), "{exposed:?}");
    let (counter, gauge) = (Kind::Counter, Kind::Gauge);
    let router = r#"{method="GET",path="/api/v1"}"#;
    let of_router = |suffix: &str| format!("acme_http_router_request_seconds_{suffix}{router}");
    let expected = [
        (of_router("sum"), counter, "s", 9036.32),
        (of_router("count"), counter, "", 807_283.0),
        (of_router("created"), gauge, "s", 1_605_281_325.0),
        ("go_goroutines".into(), gauge, "", 69.0),
        ("process_cpu_seconds_total".into(), counter, "s", 4_200_722.46),
        ("foo_bucket{le=\"0.01\"}".into(), counter, "", 0.0),
        ("foo_bucket{le=\"0.1\"}".into(), counter, "", 8.0),
        ("foo_bucket{le=\"1\"}".into(), counter, "", 11.0),
        ("foo_bucket{le=\"10\"}".into(), counter, "", 17.0),
        ("foo_bucket{le=\"+Inf\"}".into(), counter, "", 17.0),
        ("foo_count".into(), counter, "", 17.0),
        ("foo_sum".into(), counter, "", 324_789.3),
        ("foo_created".into(), gauge, "s", 1_520_430_000.123),
        ("bar_bucket{le=\"+Inf\"}".into(), gauge, "", 3.0),
        ("bar_gcount".into(), gauge, "", 3.0),
        ("bar_gsum".into(), gauge, "", 5.5),
        ("rpc{quantile=\"0.95\"}".into(), gauge, "", 123.7),
        ("rpc_count".into(), counter, "", 12.0),
        (
            "build_info{entity=\"controller\",name=\"pretty\",version=\"8.2.7\"}".into(),
            gauge,
            "",
            1.0,
        ),
        ("a_state{a_state=\"x\"}".into(), gauge, "", 0.0),
        ("untold".into(), gauge, "", 1.0),
    ];
    let expected: Vec<(&str, Kind, &str, Option<f64>)> = expected
        .iter()
        .map(|(name, kind, unit, value)| (name.as_str(), *kind, *unit, Some(*value)))
        .collect();
    assert_eq!(series(&exposed), expected);
    assert_eq!(exposed.samples[3].about, "Number of goroutines that currently exist.");
}

/// The example of the text format 0.0.4.
#[test]
fn the_older_format_is_understood() {
    let text = r##"
# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\DIR\\FILE.TXT",error="Cannot find file:\n\"FILE.TXT\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320

# HELP rpc_duration_seconds A summary of the \\ RPC\nduration.
# TYPE rpc_duration_seconds summary
rpc_duration_seconds{quantile="0.01"} NaN
rpc_duration_seconds_sum 1.7560473e+07
	 tabs { a = "b" , } 	5	
{"dotted.name",x="y"} 6
# TYPE "dotted.total" counter
{"dotted.total"} 7
process_resident_memory_bytes 8
"##;
    let exposed = read(text);
    assert_eq!((exposed.unreadable, exposed.has_end), (0, false), "{exposed:?}");
    let (counter, gauge) = (Kind::Counter, Kind::Gauge);
    let requests = |code| format!("http_requests_total{{code=\"{code}\",method=\"post\"}}");
    assert_eq!(
        series(&exposed),
        [
            (requests(200).as_str(), counter, "", Some(1027.0)),
            (requests(400).as_str(), counter, "", Some(3.0)),
            (
                r#"msdos_file_access_time_seconds{error="Cannot find file:\n\"FILE.TXT\"",path="C:\\DIR\\FILE.TXT"}"#,
                gauge,
                "s",
                Some(1_458_255_915.0)
            ),
            ("metric_without_timestamp_and_labels", gauge, "", Some(12.47)),
            ("something_weird{problem=\"division by zero\"}", gauge, "", None),
            (r#"http_request_duration_seconds_bucket{le="0.05"}"#, counter, "", Some(24054.0)),
            (r#"http_request_duration_seconds_bucket{le="+Inf"}"#, counter, "", Some(144_320.0)),
            ("http_request_duration_seconds_sum", counter, "s", Some(53423.0)),
            ("http_request_duration_seconds_count", counter, "", Some(144_320.0)),
            (r#"rpc_duration_seconds{quantile="0.01"}"#, gauge, "s", None),
            ("rpc_duration_seconds_sum", counter, "s", Some(17_560_473.0)),
            ("tabs{a=\"b\"}", gauge, "", Some(5.0)),
            ("dotted.name{x=\"y\"}", gauge, "", Some(6.0)),
            ("dotted.total", counter, "", Some(7.0)),
            ("process_resident_memory_bytes", gauge, "B", Some(8.0)),
        ]
    );
    assert_eq!(exposed.samples[9].about, "A summary of the \\ RPC duration.");
}

#[test]
fn lines_that_cannot_be_read_are_told_and_the_others_count() {
    for (line, why) in [
        ("a", "a series without a value"),
        ("a one", "a value that is not a number"),
        ("a 1 two", "a time that is not a number"),
        ("a 1 2 3", "more than a value and a time"),
        ("1a 1", "a name with invalid characters"),
        ("a-b 1", "a name with invalid characters"),
        ("ü 1", "a name with invalid characters"),
        ("{} 1", "a value without a name"),
        ("a{ 1", "labels without a closing brace"),
        ("a{b=\"c\" 1", "labels without a comma between them"),
        ("a{b=\"c\"", "labels without a closing brace"),
        ("a{b=\"c 1", "a text without a closing quote"),
        ("a{b=\"c\\", "a text without a closing quote"),
        ("a{b=c} 1", "a label value without quotes"),
        ("a{b} 1", "a label without a value"),
        ("a{\"b\"} 1", "a label without a value"),
        ("a{b:c=\"d\"} 1", "a label with invalid characters"),
        ("a{,} 1", "a label with invalid characters"),
        ("a{b=\"c\",b=\"d\"} 1", "a duplicate label"),
        ("# TYPE a speed", "an unknown type"),
        ("# HELP", "a comment without a metric name"),
        ("# TYPE \"a gauge", "a text without a closing quote"),
    ] {
        let exposed = read(&format!("first 1\n{line}\nlast 2"));
        let names: Vec<&str> = exposed.samples.iter().map(|one| one.series.as_str()).collect();
        assert_eq!(names, ["first", "last"], "{line}");
        let example = exposed.first_unreadable.unwrap();
        assert_eq!((example.line, example.why.as_str()), (2, why), "{line}");
        assert_eq!((example.text.as_str(), exposed.unreadable), (line, 1));
    }
}
