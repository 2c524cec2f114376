//! A server for tests, which answers as it is told, and a made-up metric store to answer with.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) parameters: Vec<(String, String)>,
    pub(crate) headers: Vec<(String, String)>,
}

impl Asked {
    pub(crate) fn parameter(&self, name: &str) -> &str {
        let found = self.parameters.iter().find(|(own, _)| own == name);
        found.map_or("", |(_, value)| value)
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }
}

/// What is sent back.
pub(crate) enum Reply {
    /// Status 200 with this JSON.
    Json(String),
    /// A status line's rest, further headers with their line ends, and a body.
    Status(&'static str, &'static str, String),
    /// These bytes, and then the end of the connection.
    Raw(Vec<u8>),
    /// Nothing, for a while.
    Silence(Duration),
}

/// It listens until it goes.
pub(crate) struct Server {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// On any port, answering each request with its number.
    pub(crate) fn start(answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Server {
        Server::at(0, answer)
    }

    pub(crate) fn at(
        port: u16,
        answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (all, answer) = (Arc::clone(&asked), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { continue };
                let (all, answer) = (Arc::clone(&all), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let Some(request) = read(&stream) else { return };
                    let number = {
                        let mut all = all.lock().unwrap();
                        all.push(request.clone());
                        all.len() - 1
                    };
                    send(&stream, answer(&request, number));
                });
            }
        });
        Server { port, asked }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let mut asked = Asked { method: words.next()?.to_string(), ..Asked::default() };
    let (path, query) = words.next().map(|word| word.split_once('?').unwrap_or((word, "")))?;
    asked.path = path.to_string();
    let mut query = query.to_string();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => {
                asked.headers.push((name.to_string(), value.trim().to_string()));
            }
            None => break,
        }
    }
    if let Ok(length) = asked.header("content-length").parse() {
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        query = String::from_utf8(body).ok()?;
    }
    asked.parameters = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect();
    Some(asked)
}

fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first == b'%' {
            let code = std::str::from_utf8(&rest[..2]).unwrap();
            bytes.push(u8::from_str_radix(code, 16).unwrap());
            rest = &rest[2..];
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn send(mut stream: &TcpStream, reply: Reply) {
    let head = |status: &str, headers: &str, length: usize| {
        format!(
            "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
        )
    };
    let bytes = match reply {
        Reply::Json(text) => {
            let headers = "Content-Type: application/json\r\n";
            (head("200 OK", headers, text.len()) + &text).into_bytes()
        }
        Reply::Status(status, headers, text) => {
            (head(status, headers, text.len()) + &text).into_bytes()
        }
        Reply::Raw(bytes) => bytes,
        Reply::Silence(time) => {
            std::thread::sleep(time);
            return;
        }
    };
    // A client that has seen enough is no failure.
    let _ = stream.write_all(&bytes);
}

/// When it is in the made-up store: 2026-11-16, 15:00 UTC.
pub(crate) const NOW: i64 = 1_794_841_200;

/// When its errors begin, and when they end: 14:02 to 14:05.
pub(crate) const WINDOW: (i64, i64) = (1_794_837_720, 1_794_837_900);

/// How often its series have a sample, in seconds.
const INTERVAL: i64 = 15;

const QUIET: usize = 12;

/// A metric store of a shop whose errors make a queue grow, as Prometheus answers.
pub(crate) fn shop(asked: &Asked) -> Reply {
    match asked.path.as_str() {
        "/api/v1/query" if asked.parameter("query") == "time()" => {
            success(&format!(r#"{{"resultType":"scalar","result":[{NOW}.5,"{NOW}.5"]}}"#))
        }
        "/api/v1/query" => raw(asked),
        "/api/v1/query_range" => computed(asked),
        "/api/v1/series" => {
            let found = matching(asked.parameter("match[]"));
            let all: Vec<&str> = found.iter().map(|(labels, _)| labels.as_str()).collect();
            success(&format!("[{}]", all.join(",")))
        }
        "/api/v1/metadata" => success(
            r#"{"shop_work":[{"type":"counter","help":"Work done.","unit":""}],
                "shop_queue_length":[{"type":"gauge","help":"Requests that wait.","unit":""}]}"#,
        ),
        "/api/v1/label/job/values" => success(r#"["node","shop"]"#),
        _ => Reply::Status(
            "404 Not Found",
            "Content-Type: text/plain\r\n",
            "404 page not found\n".to_string(),
        ),
    }
}

pub(crate) fn success(data: &str) -> Reply {
    Reply::Json(format!(r#"{{"status":"success","data":{data}}}"#))
}

/// A kind of course over time.
#[derive(Clone, Copy)]
enum Course {
    Queue,
    Errors,
    Requests,
    Work,
    Memory,
    Quiet(usize),
}

fn all_series() -> Vec<(String, Course)> {
    let of = |name: &str, more: &str, course| {
        let labels =
            format!(r#"{{"__name__":"{name}","job":"shop","instance":"shop-1:8080"{more}}}"#);
        (labels, course)
    };
    let mut all = vec![
        of("shop_queue_length", "", Course::Queue),
        of("shop_requests_total", r#","code":"500""#, Course::Errors),
        of("shop_requests_total", r#","code":"200""#, Course::Requests),
        of("shop_work", "", Course::Work),
        of("process_resident_memory_bytes", "", Course::Memory),
    ];
    let quiet = |n: usize| of("shop_gauge", &format!(r#","n":"{n}""#), Course::Quiet(n));
    all.extend((0..QUIET).map(quiet));
    all
}

/// By name, or all of the job.
fn matching(selector: &str) -> Vec<(String, Course)> {
    let name = selector.split('{').next().unwrap();
    let mut all = all_series();
    if name.is_empty() {
        all.retain(|_| selector.contains("shop"));
    } else {
        all.retain(|(labels, _)| labels.contains(&format!("\"__name__\":\"{name}\"")));
    }
    all
}

/// Some number from 0 to 1 that looks random.
fn chance(time: i64, salt: usize) -> f64 {
    let mut x = u64::try_from(time).unwrap() ^ (salt as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3 {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^= x >> 31;
    }
    (x >> 11) as f64 / (1u64 << 53) as f64
}

fn value(course: Course, time: i64) -> String {
    // Its time as a wave over the window.
    let is_odd = time > WINDOW.0 && time <= WINDOW.1;
    let rise = if is_odd { 20.0 + 10.0 * chance(time, 99) } else { 0.0 };
    let since = (time - 1_794_700_000) as f64;
    let errors_before = 3.0 * ((time.clamp(WINDOW.0, WINDOW.1) - WINDOW.0) as f64);
    match course {
        Course::Queue => format!("{:.3}", 3.0 + chance(time, 1) + rise),
        Course::Errors => format!("{}", (since * 0.01 + errors_before + chance(time, 2)).floor()),
        Course::Requests => format!("{}", (since * 90.0 + 100.0 * chance(time, 3)).floor()),
        Course::Work => format!("{}", (since * 7.0 + 10.0 * chance(time, 4)).floor()),
        Course::Memory => format!("{}", (5e8 + 1e6 * chance(time, 5)).floor()),
        Course::Quiet(n) => format!("{:.4}", chance(time, 10 + n)),
    }
}

fn points(course: Course, after: f64, until: f64) -> String {
    let mut text = String::new();
    let mut time = ((after as i64) / INTERVAL) * INTERVAL;
    while (time as f64) <= until.min(NOW as f64) {
        if time as f64 > after {
            let comma = if text.is_empty() { "" } else { "," };
            write!(text, "{comma}[{time},\"{}\"]", value(course, time)).unwrap();
        }
        time += INTERVAL;
    }
    text
}

fn raw(asked: &Asked) -> Reply {
    let query = asked.parameter("query");
    let Some((selector, range)) = query.strip_suffix("ms]").and_then(|rest| rest.rsplit_once('['))
    else {
        return Reply::Status(
            "400 Bad Request",
            "Content-Type: application/json\r\n",
            r#"{"status":"error","errorType":"bad_data","error":"invalid parameter \"query\": 1:5: parse error: unexpected character"}"#.to_string(),
        );
    };
    let (range, end): (f64, f64) =
        (range.parse().unwrap(), asked.parameter("time").parse().unwrap());
    let series: Vec<String> = matching(selector)
        .into_iter()
        .map(|(labels, course)| {
            let values = points(course, end - range / 1000.0, end);
            format!(r#"{{"metric":{labels},"values":[{values}]}}"#)
        })
        .collect();
    success(&format!(r#"{{"resultType":"matrix","result":[{}]}}"#, series.join(",")))
}

fn computed(asked: &Asked) -> Reply {
    let number = |name| asked.parameter(name).parse::<f64>().unwrap();
    let (start, end, step) = (number("start"), number("end"), number("step"));
    let query = asked.parameter("query");
    let found = matching(query);
    let mut series = Vec::new();
    let all = if found.is_empty() { vec![("{}".to_string(), Course::Queue)] } else { found };
    for (labels, course) in all {
        let mut values = Vec::new();
        let mut time = start;
        while time <= end {
            values.push(format!("[{time},\"{}\"]", value(course, time as i64)));
            time += step;
        }
        series.push(format!(r#"{{"metric":{labels},"values":[{}]}}"#, values.join(",")));
    }
    success(&format!(r#"{{"resultType":"matrix","result":[{}]}}"#, series.join(",")))
}
