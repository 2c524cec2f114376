//! Metrics of a server on loopback: real connections to servers of every kind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_measure::recording::application::{
    AppSource, ApplicationPlan, ApplicationRow, Endpoint, Heard, Listening,
};
use fathom_record::trace::Kind;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

/// Serves in a thread of its own; each connection's number, from 0, goes to `serve` after its
/// request was read.
fn server(listener: TcpListener, serve: impl Fn(usize, &mut TcpStream) + Send + 'static) -> String {
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for (n, connection) in listener.incoming().enumerate() {
            let Ok(mut connection) = connection else { return };
            let request = BufReader::new(connection.try_clone().unwrap());
            let lines = request.lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            if head.first().is_some_and(|line| line == "GET /metrics HTTP/1.1") {
                serve(n, &mut connection);
            }
        }
    });
    format!("http://{address}/metrics")
}

fn serve(serve: impl Fn(usize, &mut TcpStream) + Send + 'static) -> String {
    server(TcpListener::bind("127.0.0.1:0").unwrap(), serve)
}

fn plan(url: &str) -> ApplicationPlan {
    let source = AppSource::Endpoint(Endpoint::parse(url).unwrap());
    let interval = Duration::from_millis(1);
    ApplicationPlan { metrics: Vec::new(), json: false, sources: vec![source], interval }
}

fn start(url: &str) -> (Listening, Receiver<ApplicationRow>) {
    let (sender, said) = sync_channel(10_000);
    (plan(url).prepare().unwrap().start(&sender).unwrap(), said)
}

fn next(said: &Receiver<ApplicationRow>) -> Vec<(String, Kind, Option<f64>)> {
    let said = said.recv_timeout(Duration::from_secs(60)).unwrap();
    let readings = said.readings.iter();
    readings.map(|(metric, value)| (metric.name.clone(), metric.kind, value.real())).collect()
}

fn finish(listening: Listening) -> Heard {
    listening.finish().remove(0)
}

fn named(name: &str, kind: Kind, value: f64) -> (String, Kind, Option<f64>) {
    (name.to_string(), kind, Some(value))
}

#[test]
fn every_answer_is_a_row_and_series_may_come_later() {
    let url = serve(|n, connection| {
        let later = if n == 0 { "" } else { "late{a=\"b\"} NaN\n" };
        let body = format!("# TYPE jobs_total counter\njobs_total {n}\n{later}bad\n");
        let length = body.len();
        let answer =
            format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nX: y\r\n\r\n{body}ignored");
        let _ = connection.write_all(answer.as_bytes());
    });
    let (listening, said) = start(&url);
    assert_eq!(next(&said), [named("app.jobs_total", Kind::Counter, 0.0)]);
    let late = ("app.late{a=\"b\"}".to_string(), Kind::Gauge, None);
    assert_eq!(next(&said), [named("app.jobs_total", Kind::Counter, 1.0), late]);
    let heard = finish(listening);
    assert!(heard.lines >= 2 && heard.matched == heard.lines, "{heard:?}");
    assert_eq!((heard.unparsable, heard.notes.len()), (heard.lines, 1), "{heard:?}");
    let note = format!("{url}: {} lines of its answers could not be read, ", heard.lines);
    assert!(heard.notes[0].starts_with(&note), "{heard:?}");
    assert!(heard.notes[0].ends_with("first line 3, \"bad\": a series without a value"));
}

#[test]
fn chunks_come_slowly() {
    let url = serve(|_, connection| {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\
                    Content-Type: application/openmetrics-text; version=1.0.0\r\n\r\n";
        let body = "5\r\nspeed\r\n4\r\n 12.\r\n8\r\n5\n# EOF\n\r\n0\r\n\r\n";
        for byte in format!("{head}{body}").bytes() {
            if connection.write_all(&[byte]).and_then(|()| connection.flush()).is_err() {
                return;
            }
        }
    });
    let (listening, said) = start(&url);
    assert_eq!(next(&said), [named("app.speed", Kind::Gauge, 12.5)]);
    assert_eq!(finish(listening).notes, Vec::<String>::new());
}

#[test]
fn the_other_loopback_is_reached_by_name() {
    let Ok(listener) = TcpListener::bind("[::1]:0") else { return };
    let port = listener.local_addr().unwrap().port();
    // Another process may have this port on the other address.
    if TcpStream::connect(("127.0.0.1", port)).is_ok() {
        return;
    }
    server(listener, |_, connection| {
        let _ = connection.write_all(b"HTTP/1.0 200 OK\r\n\r\na 1\n");
    });
    for host in ["localhost", "[::1]"] {
        let (listening, said) = start(&format!("http://{host}:{port}/metrics"));
        assert_eq!(next(&said), [named("app.a", Kind::Gauge, 1.0)], "{host}");
        assert_eq!(finish(listening).notes, Vec::<String>::new());
    }
}

/// Listens until a request has been answered as described.
fn note_about(serving: impl Fn(&mut TcpStream) + Send + 'static) -> String {
    let (answered, is_answered) = sync_channel(1_000);
    let url = serve(move |_, connection| {
        serving(connection);
        let _ = connection.shutdown(std::net::Shutdown::Both);
        let _ = answered.try_send(());
    });
    let (listening, said) = start(&url);
    // A second request: the first was reported by then.
    for _ in 0..2 {
        is_answered.recv_timeout(Duration::from_secs(60)).unwrap();
    }
    let heard = finish(listening);
    assert_eq!((heard.matched, said.try_iter().count()), (0, 0), "{heard:?}");
    assert_eq!(heard.notes.len(), 1, "{heard:?}");
    heard.notes[0].clone()
}

#[test]
fn wrong_answers_are_told_of() {
    for (answer, why) in [
        ("HTTP/1.1 404 Not Found\r\n\r\n", "it answered with status 404 (Not Found)"),
        (
            "HTTP/1.1 301 Moved\r\nLocation: http://example.org/\r\n\r\n",
            "it answered with a redirect (status 301) to \"http://example.org/\", which Fathom \
             does not follow. Use that address if it is on this machine.",
        ),
        ("220 smtp\r\n", "the answer is not HTTP: it begins with \"220 smtp\""),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\na 1\n",
            "the connection was closed after 4 of 50 bytes",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\na 1\n",
            "the answer is larger than 16 MB",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text\r\n\r\na 1\n",
            "an answer does not end with \"# EOF\" and may be cut off",
        ),
        ("", "the connection was closed before any data arrived"),
    ] {
        let note = note_about(move |connection| {
            let _ = connection.write_all(answer.as_bytes());
        });
        assert!(note.ends_with(&format!("failed, the first because {why}")), "{note}");
    }
    let empty = note_about(|connection| {
        let _ = connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n# nothing\n");
    });
    assert!(empty.ends_with("its answers contained no metrics"), "{empty}");
}

#[test]
fn endless_answers_end() {
    let note = note_about(|connection| {
        let block = "a 1\n".repeat(16 * 1024);
        let _ = connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while connection.write_all(block.as_bytes()).is_ok() {}
    });
    // On a machine that has other things to do the time may be up before.
    let ways = ["the answer is larger than 16 MB", "it took longer than 5 s to answer"];
    assert!(ways.iter().any(|way| note.ends_with(way)), "{note}");
}

#[test]
fn a_server_that_says_nothing_does_not_hold_up_the_end() {
    let (asked, is_asked) = sync_channel(1);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/metrics", listener.local_addr().unwrap());
    // The connection stays open until the test ends, without an answer.
    std::thread::spawn(move || {
        let connection = listener.accept();
        let _ = asked.send(());
        std::thread::park();
        drop(connection);
    });
    let (listening, _said) = start(&url);
    is_asked.recv_timeout(Duration::from_secs(60)).unwrap();
    let heard = finish(listening);
    assert_eq!(heard.lines, 0);
    let notes = heard.notes.join("\n");
    assert!(notes.contains("accepted a request but had not answered"), "{notes}");
    assert!(!notes.contains("nothing listened"), "{notes}");
}

#[test]
fn a_server_may_come_late_or_never() {
    // Nobody listens on a port that was just given back.
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let url = format!("http://{address}/metrics");
    let (listening, said) = start(&url);
    std::thread::sleep(Duration::from_millis(50));
    if let Ok(listener) = TcpListener::bind(address) {
        server(listener, |_, connection| {
            let _ = connection.write_all(b"HTTP/1.0 200 OK\r\n\r\na 1\n");
        });
        assert_eq!(next(&said), [named("app.a", Kind::Gauge, 1.0)]);
        assert_eq!(finish(listening).notes, Vec::<String>::new());
    }
    // Port 1 is no one's, and privileged.
    if TcpStream::connect("127.0.0.1:1").is_ok() {
        return;
    }
    let (listening, said) = start("http://127.0.0.1:1/metrics");
    std::thread::sleep(Duration::from_millis(20));
    let heard = finish(listening);
    assert_eq!((heard.lines, said.try_iter().count()), (0, 0));
    let never = "http://127.0.0.1:1/metrics: it never answered: nothing listened there while the \
                 program ran";
    assert_eq!(heard.notes, [never]);
}

#[test]
fn metrics_are_bounded() {
    let url = serve(|n, connection| {
        let body: String = (0..700).map(|m| format!("m{{n=\"{}\"}} 1\n", n * 700 + m)).collect();
        let _ = connection.write_all(format!("HTTP/1.0 200 OK\r\n\r\n{body}").as_bytes());
    });
    let (listening, said) = start(&url);
    assert_eq!((next(&said).len(), next(&said).len()), (700, 300));
    let heard = finish(listening);
    let note = format!("{url}: ");
    let left_out = heard.notes.iter().find(|note| note.contains("at most 1000 metrics")).unwrap();
    assert!(left_out.starts_with(&note), "{left_out}");
    assert!(left_out.contains("first that of \"app.m{n=\\\"1000\\\"}\": "), "{left_out}");
    assert!(left_out.contains("at most 1000 metrics"), "{left_out}");
}
