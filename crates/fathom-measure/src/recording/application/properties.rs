//! Whatever bytes come: nothing panics, and it does not matter in which pieces they come.

use super::escape_codes::plain_text;
use super::exposition;
use super::http::read_answer;
use super::line_search::{LineSearch, Outlet};
use super::lines::LineSplitter;
use super::{AppMetric, Endpoint};
use fathom_record::Timestamp;
use proptest::prelude::*;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

/// Bytes with many line ends, escapes and braces.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => any::<u8>(),
        4 => proptest::sample::select(b"\n\r\n\r\x1b[];m{}\"\\=,:#.-0159eE \tax_".to_vec()),
    ];
    proptest::collection::vec(byte, 0..300)
}

/// Cuts bytes at these places.
fn pieces<'a>(mut bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for cut in cuts {
        let (piece, rest) = bytes.split_at(cut % (bytes.len() + 1));
        pieces.push(piece);
        bytes = rest;
    }
    pieces.push(bytes);
    pieces
}

fn split(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut splitter = LineSplitter::new();
    let mut lines = Vec::new();
    for piece in pieces {
        splitter.push(piece, &mut |line| lines.push(line.to_vec()));
    }
    splitter.finish(&mut |line| lines.push(line.to_vec()));
    lines
}

/// The lines in the plainest way.
fn plainly(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new()];
    let mut before = None;
    for &byte in bytes {
        match byte {
            b'\n' if before == Some(b'\r') => {}
            b'\n' | b'\r' => lines.push(Vec::new()),
            other => lines.last_mut().unwrap().push(other),
        }
        before = Some(byte);
    }
    if lines.last().unwrap().is_empty() {
        lines.pop();
    }
    lines
}

/// Gives what it has in pieces.
struct InPieces<'a>(Vec<&'a [u8]>);

impl Read for InPieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.retain(|piece| !piece.is_empty());
        self.0.first_mut().map_or(Ok(0), |piece| piece.read(buffer))
    }
}

/// An answer that is nearly right.
fn answer() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![
        Just("HTTP/1.1 200 OK\r\n".to_string()),
        Just("HTTP/1.1 100 x\r\n\r\nHTTP/1.0 200 OK\n".to_string()),
        "HTTP/1\\.[0-9] [0-9]{2,4} [a-z]{0,3}\r\n",
    ];
    let header = prop_oneof![
        Just("Transfer-Encoding: chunked\r\n".to_string()),
        (0..300_usize).prop_map(|length| format!("Content-Length: {length}\r\n")),
        "[a-zA-Z-]{0,9}:? ?[ -~]{0,9}\r?\n",
    ];
    let chunk = (0..40_usize, bytes()).prop_map(|(claimed, data)| {
        let mut chunk = format!("{claimed:x}\r\n").into_bytes();
        chunk.extend(data.into_iter().chain(std::iter::repeat(b'x')).take(claimed));
        chunk.extend_from_slice(b"\r\n");
        chunk
    });
    let chunks = proptest::collection::vec(chunk, 0..5).prop_map(|chunks| {
        let mut body = chunks.concat();
        body.extend_from_slice(b"0\r\n\r\n");
        body
    });
    let body = prop_oneof![bytes(), chunks];
    (head, proptest::collection::vec(header, 0..3), body).prop_map(|(head, headers, body)| {
        let mut answer = (head + &headers.concat() + "\r\n").into_bytes();
        answer.extend(body);
        answer
    })
}

proptest! {
    #[test]
    fn lines_do_not_depend_on_pieces(
        bytes in bytes(),
        cuts in proptest::collection::vec(any::<usize>(), 0..9),
    ) {
        let whole = split(&[&bytes]);
        prop_assert_eq!(&split(&pieces(&bytes, &cuts)), &whole);
        prop_assert_eq!(whole, plainly(&bytes));
    }

    #[test]
    fn any_line_can_be_searched(lines in proptest::collection::vec(bytes(), 0..9)) {
        let options = ["a=a(.*)", "b=[0-9.e-]+", "c=json:x[0].a", "d[event]=last-number"];
        let (sender, said) = sync_channel(100);
        let metrics = AppMetric::parse_all(&options).unwrap();
        let outlet = Outlet::new(sender);
        let mut search = LineSearch::new(&metrics, true, Arc::default(), outlet);
        for line in &lines {
            prop_assert!(!plain_text(line).as_bytes().contains(&27));
            search.line(line, Timestamp::ZERO);
        }
        for one in said.try_iter() {
            prop_assert!(!one.readings.is_empty());
            for (n, (metric, value)) in one.readings.iter().enumerate() {
                prop_assert!(value.real().is_some_and(f64::is_finite));
                let earlier = one.readings.get(..n).unwrap();
                prop_assert!(earlier.iter().all(|(other, _)| other.name != metric.name));
            }
        }
    }

    #[test]
    fn any_text_can_be_exposed(text in bytes(), lines in proptest::collection::vec(
        "(# (TYPE|HELP|UNIT) )?[a-z_]{1,3}(\\{[a-z=\",\\\\]{0,9}\\})? [0-9eE.+-]{0,5}( [0-9]{0,3})?( # .*)?",
        0..9,
    )) {
        let text = format!("{}\n{}", String::from_utf8_lossy(&text), lines.join("\n"));
        let exposed = exposition::read(&text);
        prop_assert!(exposed.samples.len() as u64 + exposed.unreadable <= text.lines().count() as u64);
    }

    #[test]
    fn answers_do_not_depend_on_pieces(
        answer in prop_oneof![answer(), bytes()],
        cuts in proptest::collection::vec(any::<usize>(), 0..9),
    ) {
        let words = |result: Result<_, super::http::FetchError>| result.map_err(|e| e.to_string());
        let whole = words(read_answer(answer.as_slice()));
        let in_pieces = InPieces(pieces(&answer, &cuts));
        prop_assert_eq!(words(read_answer(BufReader::new(in_pieces))), whole);
    }

    #[test]
    fn any_option_and_address_is_read_or_refused(text in "\\PC{0,40}", url in "(http://)?[\\[\\]0-9a-z:./?@#]{0,20}") {
        let _ = AppMetric::parse(&text);
        let _ = AppMetric::parse(&format!("a[{text}"));
        if let Ok(endpoint) = Endpoint::parse(&url) {
            prop_assert!(endpoint.addresses().iter().all(|address| address.ip().is_loopback()));
            prop_assert_eq!(endpoint.request().matches("\r\n\r\n").count(), 1);
        }
    }
}
