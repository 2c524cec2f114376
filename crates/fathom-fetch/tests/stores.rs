//! Series of a made-up store, and what a store that misbehaves leads to.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "made-up numbers")]

mod server;

use fathom_fetch::http::{Client, HttpAddress};
use fathom_fetch::prometheus::{
    NamedExpression, Prometheus, PrometheusErrorKind, SeriesAnswer, SeriesQuestion, load,
};
use fathom_record::Timestamp;
use server::{Asked, NOW, Reply, Server, shop, success};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn store(address: &str) -> Prometheus {
    let address = HttpAddress::parse(address).unwrap();
    Prometheus::new(Client::new(address, Duration::from_secs(2)), false)
}

fn seconds(seconds: i64) -> Timestamp {
    Timestamp::from_nanoseconds(seconds * 1_000_000_000)
}

fn question(selector: &str) -> SeriesQuestion {
    SeriesQuestion {
        matches: vec![selector.to_string()],
        start: seconds(NOW - 3600),
        end: seconds(NOW),
        ..SeriesQuestion::default()
    }
}

fn loaded(server: &Server, question: &SeriesQuestion) -> Result<SeriesAnswer, String> {
    load(&store(&server.address()), question, &|_| true).map_err(|error| error.to_string())
}

#[test]
fn every_sample_of_a_range_is_read() {
    let server = Server::start(|asked, _| shop(asked));
    assert_eq!(store(&server.address()).time(&|| true).unwrap().nanoseconds() / 1_000_000_000, NOW);
    let answer = loaded(&server, &question("{job=\"shop\"}")).unwrap();
    assert_eq!((answer.series.len(), answer.notes.len()), (17, 0), "{:?}", answer.notes);
    for series in &answer.series {
        assert_eq!(series.times.len(), 240, "{:?}", series.labels);
        assert!(series.times.windows(2).all(|pair| pair[1] - pair[0] == 15_000));
        assert_eq!(series.times.last(), Some(&(NOW * 1000)));
    }
    let work = answer.series.iter().find(|one| one.labels["__name__"] == "shop_work").unwrap();
    assert_eq!(work.kind, Some(fathom_record::trace::Kind::Counter));
    assert_eq!(work.about, "Work done.");
    assert!(server.asked().iter().all(|asked| asked.method == "GET"));
}

#[test]
fn expressions_and_steps_are_asked_on_one_grid() {
    let server = Server::start(|asked, _| shop(asked));
    let query = NamedExpression { name: "p99".into(), expression: "sum(rate(x[1m]))".into() };
    let both = SeriesQuestion { queries: vec![query.clone()], ..question("shop_queue_length") };
    let answer = loaded(&server, &both).unwrap();
    let names: Vec<&str> =
        answer.series.iter().map(|one| one.labels["__name__"].as_str()).collect();
    assert_eq!(names, ["shop_queue_length", "p99"]);
    // As often as the series have samples.
    assert_eq!(answer.series[1].times.len(), 240);
    assert!(answer.series[1].is_computed);
    let stepped =
        SeriesQuestion { step: Some(Duration::from_secs(60)), ..question("{job=\"shop\"}") };
    let answer = loaded(&server, &stepped).unwrap();
    assert!(answer.series.iter().all(|one| one.times.len() == 60));
    let range = server.asked().iter().find(|asked| asked.path.ends_with("query_range")).cloned();
    assert_eq!(range.unwrap().parameter("step"), "15.000");
    // A name that a series has already.
    let taken = NamedExpression { name: "shop_queue_length".into(), ..query };
    let error = loaded(&server, &SeriesQuestion { queries: vec![taken], ..both }).unwrap_err();
    assert!(error.contains("a series has this name already"), "{error}");
}

#[test]
fn long_selectors_go_as_a_form_and_overlapping_ones_count_once() {
    let server = Server::start(|asked, _| shop(asked));
    let long = format!("{{job=\"shop\",x!=\"{}\"}}", "x".repeat(3000));
    let mut asked = question("shop_work");
    asked.matches.push(long);
    let answer = loaded(&server, &asked).unwrap();
    assert_eq!(answer.series.len(), 17);
    assert!(answer.series.iter().all(|one| one.times.len() == 240));
    assert!(server.asked().iter().any(|asked| asked.method == "POST"));
}

#[test]
fn what_is_too_much_at_once_is_asked_in_halves() {
    let most = 600.0 * 1000.0;
    let server = Server::start(move |asked, _| {
        let query = asked.parameter("query");
        let range: f64 = query
            .rsplit_once('[')
            .and_then(|(_, range)| range.strip_suffix("ms]")?.parse().ok())
            .unwrap_or_default();
        if range <= most {
            return shop(asked);
        }
        let error = r#"{"status":"error","errorType":"execution","error":"query processing would load too many samples into memory in query execution"}"#;
        Reply::Status(
            "422 Unprocessable Entity",
            "Content-Type: application/json\r\n",
            error.to_string(),
        )
    });
    let answer = loaded(&server, &question("{job=\"shop\"}")).unwrap();
    assert!(answer.series.iter().all(|one| one.times.len() == 240));
    // What cannot be asked in halves is an error with the store's words and what to do.
    let server = Server::start(|asked, _| match asked.parameter("query") {
        query if query.contains('[') => Reply::Status(
            "422 Unprocessable Entity",
            "Content-Type: application/json\r\n",
            r#"{"status":"error","error":"too many samples"}"#.to_string(),
        ),
        _ => shop(asked),
    });
    let error = loaded(&server, &question("{job=\"shop\"}")).unwrap_err();
    assert!(error.contains("too many samples") && error.contains("--step"), "{error}");
}

#[test]
fn an_answer_that_is_cut_off_is_asked_for_again() {
    let cut = |asked: &Asked, number: usize| match number {
        n if n % 2 == 0 => {
            Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"sta".to_vec())
        }
        _ => shop(asked),
    };
    let server = Server::start(cut);
    let answer = loaded(&server, &question("shop_work")).unwrap();
    assert_eq!(answer.series[0].times.len(), 240);
    let server = Server::start(|_, _| {
        Reply::Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"st".to_vec())
    });
    let error = store(&server.address()).time(&|| true).unwrap_err();
    assert_eq!(error.kind(), PrometheusErrorKind::Unavailable);
    assert_eq!(server.asked().len(), 3);
    assert!(
        error.to_string().contains("the connection was closed after 4 of 5 bytes 3 times"),
        "{error}"
    );
}

#[test]
fn compressed_answers_are_read() {
    use std::io::Write;
    let server = Server::start(|_, _| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(br#"{"status":"success","data":{"result":[1,"5"]}}"#).unwrap();
        let packed = packed.finish().unwrap();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
            packed.len()
        );
        Reply::Raw([head.as_bytes(), &packed].concat())
    });
    assert_eq!(store(&server.address()).time(&|| true).unwrap(), seconds(5));
    let broken = Server::start(|_, _| {
        Reply::Raw(
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc".to_vec(),
        )
    });
    let error = store(&broken.address()).time(&|| true).unwrap_err().to_string();
    assert!(error.contains("cannot be decompressed"), "{error}");
}

/// What a store that answers the first request so leads to.
fn first_error(reply: impl Fn() -> Reply + Send + Sync + 'static) -> (PrometheusErrorKind, String) {
    let server = Server::start(move |_, _| reply());
    let error = store(&server.address()).time(&|| true).unwrap_err();
    (error.kind(), error.to_string().replace(&server.address(), "STORE"))
}

#[test]
fn refusals_say_what_to_do() {
    use PrometheusErrorKind::{Mistake, Unavailable};
    let json = "Content-Type: application/json\r\n";
    let html = "Content-Type: text/html\r\n";
    let status = |line: &'static str, headers: &'static str, body: &'static str| {
        move || Reply::Status(line, headers, body.to_string())
    };
    let location = "Location: https://sso.example/login?x=1\r\n";
    let moved = "Location: http://new:9090/prom/api/v1/query?query=time()\r\n";
    for ((kind, text), (expected, parts)) in [
        (
            first_error(status("401 Unauthorized", html, "<html>")),
            (Mistake, ["asks for credentials (status 401, Unauthorized)", "--token-file"]),
        ),
        (
            first_error(status("401 Unauthorized", "", "no org id")),
            (Mistake, ["wants to know the tenant", "X-Scope-OrgID"]),
        ),
        (
            first_error(status("403 Forbidden", "", "no\x1b[2Jpe")),
            (Mistake, ["does not allow this (status 403, Forbidden: no[2Jpe)", "--header"]),
        ),
        (
            first_error(status("404 Not Found", "", "404 page not found")),
            (Mistake, ["there is no /api/v1/query", "/select/0/prometheus"]),
        ),
        (
            first_error(status(
                "400 Bad Request",
                "",
                "Client sent an HTTP request to an HTTPS server.",
            )),
            (Mistake, ["speaks https", "tunnel"]),
        ),
        (
            first_error(status("302 Found", location, "")),
            (Mistake, ["redirects to https://sso.example/login?x=1", "log in"]),
        ),
        (
            first_error(status("301 Moved", moved, "")),
            (Mistake, ["redirects", "--from http://new:9090/prom"]),
        ),
        (
            first_error(status(
                "500 Internal Server Error",
                json,
                r#"{"status":"error","error":"disk"}"#,
            )),
            (Unavailable, ["failed (status 500, Internal Server Error: disk)", "log"]),
        ),
        (
            first_error(status(
                "503 Service Unavailable",
                json,
                r#"{"status":"error","error":"query timed out"}"#,
            )),
            (Unavailable, ["query timed out", "--step"]),
        ),
        (
            first_error(status("200 OK", html, "<!doctype html><title>Log in</title>")),
            (Mistake, ["gave no JSON; it begins with \"<!doctype html>", "log in"]),
        ),
        (
            first_error(status("200 OK", json, r#"{"status":"success","data":"#)),
            (Unavailable, ["gave JSON that Fathom cannot read", "interface"]),
        ),
        (
            first_error(status("200 OK", json, r#"{"status":"success"}"#)),
            (Unavailable, ["gave no data", "Check"]),
        ),
        (
            first_error(status("200 OK", json, r#"{"status":"success","data":{"result":[]}}"#)),
            (Mistake, ["not as Prometheus does", "Check"]),
        ),
        (
            first_error(status("418 Teapot", "", "")),
            (Unavailable, ["does not know (status 418, Teapot)", ""]),
        ),
        (
            first_error(|| Reply::Raw(b"SSH-2.0-x\r\n".to_vec())),
            (Mistake, ["the answer is not HTTP: it begins with \"SSH-2.0-x\"", "port"]),
        ),
        (
            first_error(|| Reply::Silence(Duration::from_secs(4))),
            (Unavailable, ["nothing came for 2 s", "Try again"]),
        ),
    ] {
        assert_eq!(kind, expected, "{text}");
        for part in parts {
            assert!(text.contains(part), "{text:?} lacks {part:?}");
        }
        assert!(!text.contains('\x1b'), "{text:?}");
    }
    let error = store("http://127.0.0.1:1").time(&|| true).unwrap_err();
    assert_eq!(error.kind(), Unavailable);
    assert!(
        error.to_string().contains("http://127.0.0.1:1: the connection was refused"),
        "{error}"
    );
}

#[test]
fn questions_that_find_nothing_name_what_there_is() {
    let server = Server::start(|asked, _| shop(asked));
    let error = loaded(&server, &SeriesQuestion::default()).unwrap_err();
    assert!(error.contains("its jobs are node, shop"), "{error}");
    let error = loaded(&server, &question("{job=\"wrong\"}")).unwrap_err();
    assert!(
        error.contains("match {job=\"wrong\"} between 2026-11-16T14:00Z and 2026-11-16T15:00Z"),
        "{error}"
    );
    assert!(error.contains("its jobs are node, shop"), "{error}");
    let early = SeriesQuestion {
        start: seconds(NOW + 3600),
        end: seconds(NOW + 7200),
        ..question("{job=\"shop\"}")
    };
    let error = loaded(&server, &early).unwrap_err();
    assert!(error.contains("none has a sample between"), "{error}");
    // One of several is a note.
    let mut two = question("shop_work");
    two.matches.push("nothing".to_string());
    assert_eq!(loaded(&server, &two).unwrap().notes, ["no series match --match nothing"]);
}

#[test]
fn metadata_and_native_histograms_may_be_missing() {
    let server = Server::start(|asked, _| match asked.path.as_str() {
        "/api/v1/metadata" => Reply::Status("404 Not Found", "", String::new()),
        "/api/v1/query" => success(
            r#"{"resultType":"matrix","result":[{"metric":{"__name__":"h"},"histograms":[[1,{}]]},
                {"metric":{"__name__":"x_total"},"values":[[1794841100,"1"],[1794841115,"NaN"]]}]}"#,
        ),
        _ => shop(asked),
    });
    let answer = loaded(&server, &question("{job=\"shop\"}")).unwrap();
    assert_eq!(answer.series.len(), 1);
    assert_eq!(answer.series[0].kind, None);
    assert!(answer.notes[0].contains("counters are told by their names"), "{:?}", answer.notes);
    assert!(answer.notes[1].contains("left out 1 native histogram"), "{:?}", answer.notes);
}

#[test]
fn too_much_for_memory_is_said_before_it_is_loaded() {
    let server = Server::start(|asked, _| match asked.path.as_str() {
        "/api/v1/series" => {
            let series: Vec<String> = (0..100_001).map(|n| format!(r#"{{"n":"{n}"}}"#)).collect();
            success(&format!("[{}]", series.join(",")))
        }
        _ => shop(asked),
    });
    let error = loaded(&server, &question("{job=\"shop\"}")).unwrap_err();
    assert!(error.contains("more than 100000 series"), "{error}");
    // A year of a sample each 15 s: known after the first slice.
    let server = Server::start(|asked, _| match asked.path.as_str() {
        "/api/v1/query" if asked.parameter("query").contains('[') => {
            let end: f64 = asked.parameter("time").parse().unwrap();
            let one = |n: usize| {
                let times: Vec<String> =
                    (0..100).map(|k| format!("[{},\"1\"]", end - 15.0 * k as f64)).rev().collect();
                format!(r#"{{"metric":{{"n":"{n}"}},"values":[{}]}}"#, times.join(","))
            };
            let all: Vec<String> = (0..100).map(one).collect();
            success(&format!(r#"{{"resultType":"matrix","result":[{}]}}"#, all.join(",")))
        }
        "/api/v1/series" => {
            let series: Vec<String> = (0..20_000).map(|n| format!(r#"{{"n":"{n}"}}"#)).collect();
            success(&format!("[{}]", series.join(",")))
        }
        _ => shop(asked),
    });
    let year = SeriesQuestion { start: seconds(NOW - 365 * 86_400), ..question("{job=\"shop\"}") };
    let error = loaded(&server, &year).unwrap_err();
    assert!(error.contains("million samples") && error.contains("--step"), "{error}");
}

#[test]
fn the_user_can_end_it_while_a_store_is_slow() {
    let server = Server::start(|_, _| Reply::Silence(Duration::from_secs(30)));
    let ticks = AtomicUsize::new(0);
    let keep_on = || ticks.fetch_add(1, Ordering::Relaxed) < 3;
    let patient = HttpAddress::parse(&server.address()).unwrap();
    let patient = Prometheus::new(Client::new(patient, Duration::from_secs(600)), false);
    let error = patient.time(&keep_on).unwrap_err();
    assert_eq!(error.kind(), PrometheusErrorKind::Stopped);
}
