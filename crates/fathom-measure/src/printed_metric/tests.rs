use super::*;
use fathom_record::TimeUnit;
use proptest::prelude::*;

fn read(option: &str, output: &str) -> Result<f64, String> {
    PrintedMetric::parse(option).unwrap().read(output.as_bytes()).map_err(|error| error.to_string())
}

fn option_error(option: &str) -> String {
    PrintedMetric::parse(option).unwrap_err().to_string()
}

#[test]
fn a_regex_gives_its_first_group_in_the_last_match() {
    for (option, output, value) in [
        ("rps=/s: ([0-9.]+)", "1/s: 5\n2/s: 7.5\nend", 7.5),
        ("rps=[0-9.]+", "5 then 1e", 1.0),
        ("rps=([0-9]+)-([0-9]+)", "1-2 3-4", 3.0),
        ("rps=a([0-9]+)|b([0-9]+)", "a1 b2", 2.0),
        ("rps=^total (.*)$", "total 1\r\ntotal  2e3 \r\nx total y\n", 2000.0),
        ("rps=^total ([0-9]+)$", "total 1\r\ntotal 2\r\ntotal 3 x\r\n", 2.0),
        ("rps=(?i)TOTAL ([0-9]+)", "Total 3", 3.0),
        ("rps=([0-9.]+) ?[\u{b5}u]s", "12 \u{b5}s", 12.0),
        ("rps=x=(.*)", "x=4", 4.0),
    ] {
        assert_eq!(read(option, output), Ok(value), "{option}");
    }
    let metric = PrintedMetric::parse("x=n ([0-9]+)").unwrap();
    assert_eq!(metric.read(b"\xff\xfe n 5 \xff"), Ok(5.0));
}

#[test]
fn json_and_last_number_are_read() {
    let output = "starting\n{\"p99\": 2.5, \"r\": [{\"t\": \"1e-3\"}]}\nbye 42ms\n";
    assert_eq!(read("p99=json:p99", output), Ok(2.5));
    assert_eq!(read("t=json:r[0].t", output), Ok(1e-3));
    assert_eq!(read("t=json:/r/0/t", output), Ok(1e-3));
    assert_eq!(read("n=last-number", output), Ok(42.0));
    assert_eq!(read("t=csv:ipc", "log\ntime,ipc\n0,1.5\n1,2.5\n"), Ok(2.5));
    assert_eq!(
        read("t=csv:icp", "log\ntime,ipc\n0,1.5\n").unwrap_err(),
        "metric t: no column \"icp\", the columns are \"time\", \"ipc\", looking for csv:icp in \
         standard output. Its last line is \"0,1.5\"."
    );
    // What only resembles them is a regex.
    assert_eq!(read("n=(?:last-number) (.)", "last-number 6"), Ok(6.0));
}

#[test]
fn units_follow_names() {
    let unit = |option: &str| PrintedMetric::parse(option).unwrap().unit().clone();
    assert_eq!(unit("a=last-number"), Unit::Unknown);
    assert_eq!(unit("a[ms]=json:x[0]"), Unit::Time(TimeUnit::Milliseconds));
    assert_eq!(unit("a[requests/s]=[0-9]=(.)"), Unit::Other("requests/s".to_string()));
    let metric = PrintedMetric::parse("a-b_1[B]=x[0-9]]=([0-9])").unwrap();
    assert_eq!((metric.name(), metric.unit()), ("a-b_1", &Unit::Bytes));
    assert_eq!(metric.metric().to_string(), "metric:a-b_1");
    assert_eq!(metric.read(b"x1]=7"), Ok(7.0));
}

#[test]
fn bad_options_say_where() {
    let form = "is not a metric. Use NAME=REGEX, NAME=json:PATH, NAME=csv:COLUMN or \
                NAME=last-number, with [UNIT] after NAME if it has a unit.";
    for bad in ["", "rps", "json:a"] {
        assert_eq!(option_error(bad), format!("{bad:?} {form}"));
    }
    assert_eq!(
        option_error("=x"),
        "invalid metric name: it is empty. Use letters, digits, \"_\" and \"-\"."
    );
    assert!(option_error("a b=x").starts_with("invalid metric name: \"a b\" contains ' '."));
    for bad in ["a[]=x", "a[ ]=x", "a[ms]", "a[ms=x", "a[m[s]=x", "a["] {
        assert_eq!(
            option_error(bad),
            "metric a: expected a unit and \"]=\" after \"[\", as in a[ms]=last-number",
            "{bad}"
        );
    }
    assert_eq!(
        option_error("a=csv: "),
        "metric a: expected a column name after \"csv:\", as in csv:ipc"
    );
    assert!(option_error("a=").starts_with("metric a: nothing follows \"=\"."));
    assert_eq!(
        option_error("a=x: ([0-9.]+"),
        "metric a: \"x: ([0-9.]+\" is not a regex at character 4: unclosed group"
    );
    assert_eq!(
        option_error("a=*"),
        "metric a: \"*\" is not a regex at character 1: repetition operator missing expression"
    );
    assert!(option_error("a=x\n(").starts_with("metric a: \"x\\n(\" is not a regex: unclosed"));
    assert!(option_error(r"a=(\w{1000}){1000}").contains("exceeds size limit"));
    assert!(
        option_error("a=json:").starts_with("metric a: json: is not a path: a name is missing")
    );
}

#[test]
fn what_is_not_there_is_shown_with_the_last_line() {
    assert_eq!(
        read("rps=/s: ([0-9]+)", "a\nDone.\n\n").unwrap_err(),
        "metric rps: no match, looking for the regex /s: ([0-9]+) in standard output. Its last \
         line is \"Done.\"."
    );
    assert_eq!(
        read("rps=last-number", " \n").unwrap_err(),
        "metric rps: standard output is empty, expected last-number. Fathom does not read \
         standard error."
    );
    assert_eq!(
        read("rps=json:a.b", "{\"a\": {\"c\": 1}}").unwrap_err(),
        "metric rps: \"a\" has no \"b\", it has \"c\", looking for json:a.b in standard output. \
         Its last line is \"{\\\"a\\\": {\\\"c\\\": 1}}\"."
    );
    assert!(read("r=: (.*)", "x: 1,234").unwrap_err().starts_with(
        "metric r: \"1,234\" has separators, and a comma may separate thousands or decimals; \
         print it with a decimal point only, looking for"
    ));
    assert!(read("r=: (.*)", "x: nan").unwrap_err().contains("\"nan\" is not a finite number"));
    assert!(read("r=[0-9]*", "5 x").unwrap_err().contains("\"\" is not a number"));
}

#[test]
fn output_cannot_steer_the_terminal_or_flood_it() {
    let message = read("r=last-number", &format!("\u{1b}]x;\u{7}{}", "x".repeat(100_000)));
    let message = message.unwrap_err();
    assert!(message.contains("\\u{1b}]x;\\u{7}xxx"), "{message}");
    assert!(message.len() < 300, "{}", message.len());
    assert!(message.contains("xxx\"..."), "{message}");
}

#[test]
fn names_are_distinct() {
    let of = |option: &str| PrintedMetric::parse(option).unwrap();
    assert_eq!(check_distinct(&[of("a=x"), of("b=x")]), Ok(()));
    assert_eq!(
        check_distinct(&[of("a=x"), of("b=x"), of("a[s]=y")]).unwrap_err().to_string(),
        "metric a is defined twice. Use a different name for each --metric."
    );
}

proptest! {
    #[test]
    fn printed_numbers_come_back(value in any::<f64>(), noise in "[a-z :\n]{0,20}") {
        prop_assume!(value.is_finite());
        for printed in [format!("{value}"), format!("{value:e}")] {
            prop_assert_eq!(read("x=last-number", &format!("1 {noise} {printed} {noise}")), Ok(value));
            prop_assert_eq!(read("x=V (.*)", &format!("V 1\nV {printed}\n{noise}")), Ok(value));
            prop_assert_eq!(
                read("x=json:a.b", &format!("{noise}\n{{\"a\":{{\"b\":\"{printed}\"}}}}\n")), Ok(value)
            );
        }
        let json = serde_json::json!([{"b": value}]);
        prop_assert_eq!(read("x=json:[0].b", &format!("{noise}\n{json:#}")), Ok(value));
    }

    #[test]
    fn no_option_panics(option in any::<String>(), json in r"[a.\[\]0-9/~]{0,12}") {
        let _ = PrintedMetric::parse(&option);
        let _ = PrintedMetric::parse(&format!("a={option}"));
        if let Ok(metric) = PrintedMetric::parse(&format!("a=json:{json}")) {
            let _ = metric.read(br#"{"a": [0, [1, {"a": 2}]]}"#);
        }
    }

    #[test]
    fn whatever_is_read_is_finite(output in proptest::collection::vec(any::<u8>(), 0..60)) {
        for option in ["a=.*", "a=[-0-9.e]+", "a=json:a", "a=csv:,", "a=last-number"] {
            if let Ok(value) = PrintedMetric::parse(option).unwrap().read(&output) {
                prop_assert!(value.is_finite());
            }
        }
    }

    #[test]
    fn number_like_output_is_finite(output in "[-+.,_'0-9eEnaif \\[\\]{}\n:\"\u{1b}m]{0,30}") {
        for option in ["a=.*", "a=json:[0]", "a=last-number"] {
            if let Ok(value) = read(option, &output) {
                prop_assert!(value.is_finite());
            }
        }
    }
}
