//! HTTP by hand, so that a test can say what no browser would.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A request that can be bent.
pub(crate) struct Asking {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// What came back.
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: String,
}

impl Asking {
    pub(crate) fn new(method: &str, target: &str, at: SocketAddr) -> Asking {
        Asking {
            method: method.to_string(),
            target: target.to_string(),
            headers: vec![("Host".to_string(), at.to_string())],
            body: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Asking {
        self.headers.push((name.to_string(), value.to_string()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Asking {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn json(mut self, body: &serde_json::Value) -> Asking {
        self.body = body.to_string().into_bytes();
        self.with("Content-Type", "application/json")
    }

    /// Sends it and leaves the connection open.
    pub(crate) fn send(&self, at: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !self.body.is_empty() {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        head += "Connection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses early may have closed already.
        let _ = stream.write_all(&self.body);
        stream
    }

    pub(crate) fn answer(&self, at: SocketAddr) -> Answered {
        read(&mut BufReader::new(self.send(at)))
    }
}

impl Answered {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    /// Each line's value.
    pub(crate) fn lines(&self) -> Vec<serde_json::Value> {
        self.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// What an error says.
    pub(crate) fn message(&self) -> String {
        self.json()["message"].as_str().unwrap().to_string()
    }
}

fn read(stream: &mut impl BufRead) -> Answered {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.unwrap_or_else(|| panic!("no answer: {line:?}"));
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_string());
    }
    let is_chunked = headers.get("transfer-encoding").is_some_and(|kind| kind == "chunked");
    let body =
        if is_chunked { chunks(stream) } else { rest(stream, headers.get("content-length")) };
    Answered { status, headers, body: String::from_utf8(body).unwrap() }
}

fn rest(stream: &mut impl Read, length: Option<&String>) -> Vec<u8> {
    let length = length.map_or(u64::MAX, |length| length.parse().unwrap());
    let mut body = Vec::new();
    stream.take(length).read_to_end(&mut body).unwrap();
    body
}

fn chunks(stream: &mut impl BufRead) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let mut length = String::new();
        stream.read_line(&mut length).unwrap();
        let length = usize::from_str_radix(length.trim(), 16).unwrap();
        let mut chunk = vec![0; length + 2];
        stream.read_exact(&mut chunk).unwrap();
        if length == 0 {
            return body;
        }
        body.extend_from_slice(&chunk[..length]);
    }
}

/// A value for behind the question mark.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
