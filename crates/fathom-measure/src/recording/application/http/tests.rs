use super::*;

/// As much as a status line and headers may have.
const LARGEST_HEAD: usize = 64 * 1024;

fn answer(text: &str) -> Result<(String, bool), String> {
    let answer = read_answer(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok((String::from_utf8(answer.body).unwrap(), answer.is_openmetrics))
}

#[test]
fn bodies_end_in_three_ways() {
    for text in [
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef",
        "HTTP/1.0 200\r\n\r\nabc",
        "HTTP/1.1 200 OK\ncontent-type: text/plain\n\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 99\r\n\r\n\
         2;x=y\r\nab\r\n01\r\nc\r\n0\r\nTrailer: x\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc",
    ] {
        assert_eq!(answer(text), Ok(("abc".to_string(), false)), "{text}");
    }
    let text = "HTTP/1.1 200 OK\r\nContent-Type: Application/OpenMetrics-Text; version=1.0.0\
                \r\nContent-Encoding: identity\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(answer(text), Ok((String::new(), true)));
}

#[test]
fn what_is_no_answer_says_why() {
    let head = "HTTP/1.1 200 OK\r\n";
    for (text, why) in [
        (String::new(), "the connection was closed before any data arrived"),
        ("HTTP/1.1 2".to_string(), "the connection was closed before the end of the answer"),
        (head.to_string(), "the connection was closed before any data arrived"),
        ("SSH-2.0-x\r\n".to_string(), "the answer is not HTTP: it begins with \"SSH-2.0-x\""),
        ("HTTP/1.1 20 OK\r\n".into(), "the answer is not HTTP: it begins with \"HTTP/1.1 20 OK\""),
        ("HTTP/2 200\r\n".to_string(), "the answer is not HTTP: it begins with \"HTTP/2 200\""),
        (format!("{head}nonsense\r\n\r\n"), "the answer is not HTTP: the header \"nonsense\""),
        (
            format!("{head}Content-Length: -1\r\n\r\n"),
            "the answer is not HTTP: a Content-Length of \"-1\"",
        ),
        (
            format!("{head}Content-Length: 9\r\n\r\nabc"),
            "the connection was closed after 3 of 9 bytes",
        ),
        (
            format!("{head}Content-Length: 99999999999999999999999\r\n\r\nabc"),
            "the answer is larger than 16 MB",
        ),
        (
            format!("{head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n"),
            "the answer is not HTTP: a chunk length of \"xyz\"",
        ),
        (
            format!("{head}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n"),
            "the answer is not HTTP: a chunk that is longer than its length",
        ),
        (
            format!("{head}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"),
            "the connection was closed before any data arrived",
        ),
        (
            format!("{head}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n"),
            "the answer is larger than 16 MB",
        ),
        (
            format!("{head}Content-Encoding: gzip\r\n\r\nabc"),
            "it answered in the encoding \"gzip\", which Fathom did not request",
        ),
        (
            "HTTP/1.1 404 Not Found\r\n\r\nabc".to_string(),
            "it answered with status 404 (Not Found)",
        ),
        ("HTTP/1.1 304\r\n\r\n".to_string(), "it answered with status 304"),
        (
            "HTTP/1.1 302 Found\r\nLocation: http://example.org/\r\n\r\n".to_string(),
            "it answered with a redirect (status 302) to \"http://example.org/\", which Fathom \
             does not follow. Use that address if it is on this machine.",
        ),
        (
            format!("{head}X: {}\r\n\r\n", "x".repeat(LARGEST_HEAD)),
            "the answer is not HTTP: its head has more than 65536 bytes",
        ),
    ] {
        assert_eq!(answer(&text).unwrap_err(), why, "{text:.80}");
    }
    let huge = format!("{head}\r\n{}", "x".repeat(LARGEST_BODY + 1));
    assert_eq!(answer(&huge).unwrap_err(), "the answer is larger than 16 MB");
}
