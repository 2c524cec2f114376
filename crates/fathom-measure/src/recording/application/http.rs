//! A small HTTP/1.1 client: one request, one answer, on loopback.

use super::Endpoint;
use super::listening::Bell;
use fathom_record::foreign_text::is_steering;
use fathom_record::{Span, Timestamp};
use fathom_sys::clock;
use fathom_sys::pipes;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::time::Duration;

/// The largest body that is read, in bytes.
pub(super) const LARGEST_BODY: usize = 16 * 1024 * 1024;

/// The largest status line and headers, in bytes.
const LARGEST_HEAD: usize = 64 * 1024;

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// A body, with status 200.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HttpBody {
    pub(super) body: Vec<u8>,
    /// Whether the answer is OpenMetrics rather than the older format.
    pub(super) is_openmetrics: bool,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// Nothing listens there: not yet, or no longer.
    #[error("the connection was refused")]
    Refused,
    #[error("the connection failed: {0}")]
    Io(io::Error),
    #[error("it took longer than {} s to answer", PATIENCE.as_secs())]
    TimedOut,
    #[error("the connection was closed {}", closed_after(*got, *of))]
    Closed { got: usize, of: Option<usize> },
    #[error("the answer is not HTTP: {0}")]
    NotHttp(String),
    #[error("it answered with status {code}{}", reason(reason_phrase))]
    Status { code: u16, reason_phrase: String },
    #[error(
        "it answered with a redirect (status {code}) to {location:?}, which Fathom does not \
         follow. Use that address if it is on this machine."
    )]
    Redirect { code: u16, location: String },
    #[error("the answer is larger than {} MB", LARGEST_BODY / 1024 / 1024)]
    TooLarge,
    #[error("it answered in the encoding {0:?}, which Fathom did not request")]
    Encoding(String),
}

fn closed_after(got: usize, of: Option<usize>) -> String {
    match of {
        Some(of) => format!("after {got} of {of} bytes"),
        None if got == 0 => "before any data arrived".to_string(),
        None => "before the end of the answer".to_string(),
    }
}

fn reason(phrase: &str) -> String {
    if phrase.is_empty() { String::new() } else { format!(" ({phrase})") }
}

impl From<io::Error> for FetchError {
    fn from(error: io::Error) -> FetchError {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => FetchError::Refused,
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => FetchError::TimedOut,
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof => FetchError::Closed { got: 0, of: None },
            _ => FetchError::Io(error),
        }
    }
}

/// Asks once. When the bell rings it gives up.
pub(super) fn fetch(endpoint: &Endpoint, bell: &Bell) -> Result<HttpBody, FetchError> {
    let mut result = Err(FetchError::Refused);
    for address in endpoint.addresses() {
        match TcpStream::connect_timeout(address, PATIENCE) {
            Ok(mut stream) => {
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(PATIENCE))?;
                stream.write_all(endpoint.request().as_bytes())?;
                let until = clock::monotonic() + PATIENCE.into();
                return read_answer(BufReader::new(Patient { stream: &stream, bell, until }));
            }
            Err(error) => {
                // Of several addresses, one that is refused says the least.
                let error = FetchError::from(error);
                if !matches!(error, FetchError::Refused) {
                    result = Err(error);
                }
            }
        }
    }
    result
}

/// A connection that is read until a moment, or until the bell rings.
struct Patient<'a> {
    stream: &'a TcpStream,
    bell: &'a Bell,
    until: Timestamp,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.until - clock::monotonic();
            if left == Span::ZERO {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let files = [self.stream.as_fd(), self.bell.as_fd()];
            let [ready, rings] = pipes::wait_readable(files, Some(left.into()))?;
            if rings {
                return Err(io::ErrorKind::TimedOut.into());
            }
            if ready {
                return self.stream.read(buffer);
            }
        }
    }
}

/// Reads an answer; the same wherever the pieces in which it comes end.
pub(super) fn read_answer(mut stream: impl BufRead) -> Result<HttpBody, FetchError> {
    let mut room = LARGEST_HEAD;
    let head = loop {
        let head = Head::read(&mut stream, &mut room)?;
        // 100 Continue and the like come before the answer.
        if !(100..200).contains(&head.code) {
            break head;
        }
    };
    match head.code {
        200 => {}
        300..400 if head.code != 304 => {
            let location = head.location.unwrap_or_default();
            return Err(FetchError::Redirect { code: head.code, location });
        }
        code => return Err(FetchError::Status { code, reason_phrase: head.reason }),
    }
    if let Some(encoding) = head.encoding {
        return Err(FetchError::Encoding(encoding));
    }
    let body = match head.length {
        Length::Chunked => read_chunks(&mut stream, &mut room)?,
        Length::Bytes(length) if length > LARGEST_BODY => return Err(FetchError::TooLarge),
        Length::Bytes(length) => {
            let mut body = Vec::new();
            read_exactly(&mut stream, length, &mut body)?;
            body
        }
        Length::UntilClosed => {
            let mut body = Vec::new();
            stream.take(LARGEST_BODY as u64 + 1).read_to_end(&mut body)?;
            if body.len() > LARGEST_BODY {
                return Err(FetchError::TooLarge);
            }
            body
        }
    };
    Ok(HttpBody { body, is_openmetrics: head.is_openmetrics })
}

enum Length {
    Bytes(usize),
    Chunked,
    UntilClosed,
}

struct Head {
    code: u16,
    reason: String,
    length: Length,
    location: Option<String>,
    encoding: Option<String>,
    is_openmetrics: bool,
}

impl Head {
    fn read(stream: &mut impl BufRead, room: &mut usize) -> Result<Head, FetchError> {
        let line = read_line(stream, room)?;
        let (code, reason) = status(&line)
            .ok_or_else(|| FetchError::NotHttp(format!("it begins with {:?}", shown(&line))))?;
        let mut head = Head {
            code,
            reason: shown(reason),
            length: Length::UntilClosed,
            location: None,
            encoding: None,
            is_openmetrics: false,
        };
        loop {
            let line = read_line(stream, room)?;
            if line.is_empty() {
                return Ok(head);
            }
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| FetchError::NotHttp(format!("the header {:?}", shown(&line))))?;
            head.take(name, value.trim())?;
        }
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), FetchError> {
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                let is_number = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
                if !is_number {
                    let value = shown(value);
                    return Err(FetchError::NotHttp(format!("a Content-Length of {value:?}")));
                }
                // Chunks say their lengths themselves; what does not fit is too large in any case.
                if !matches!(self.length, Length::Chunked) {
                    self.length = Length::Bytes(value.parse().unwrap_or(usize::MAX));
                }
            }
            "transfer-encoding" if value.eq_ignore_ascii_case("chunked") => {
                self.length = Length::Chunked;
            }
            "transfer-encoding" | "content-encoding"
                if !value.is_empty() && !value.eq_ignore_ascii_case("identity") =>
            {
                self.encoding = Some(shown(value));
            }
            "content-type" => {
                let kind = value.split(';').next().unwrap_or_default().trim();
                self.is_openmetrics = kind.eq_ignore_ascii_case("application/openmetrics-text");
            }
            "location" => self.location = Some(shown(value)),
            _ => {}
        }
        Ok(())
    }
}

/// The code and the reason in `HTTP/1.1 200 OK`.
fn status(line: &str) -> Option<(u16, &str)> {
    let rest = line.strip_prefix("HTTP/1.")?.split_once(' ')?.1;
    let (code, reason) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit());
    is_code.then(|| code.parse().ok()).flatten().map(|code| (code, reason))
}

/// A line of the head, without its end.
fn read_line(stream: &mut impl BufRead, room: &mut usize) -> Result<String, FetchError> {
    let mut line = Vec::new();
    let got = stream.by_ref().take(*room as u64).read_until(b'\n', &mut line)?;
    *room -= got.min(*room);
    if line.pop() != Some(b'\n') {
        return Err(match (got, *room) {
            (_, 0) => FetchError::NotHttp(format!("its head has more than {LARGEST_HEAD} bytes")),
            (got, _) => FetchError::Closed { got, of: None },
        });
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

fn read_exactly(
    stream: &mut impl BufRead,
    length: usize,
    body: &mut Vec<u8>,
) -> Result<(), FetchError> {
    let got = stream.by_ref().take(length as u64).read_to_end(body)?;
    if got < length { Err(FetchError::Closed { got, of: Some(length) }) } else { Ok(()) }
}

fn read_chunks(stream: &mut impl BufRead, room: &mut usize) -> Result<Vec<u8>, FetchError> {
    let mut body = Vec::new();
    loop {
        // There may be many chunks, each with a line of its own.
        *room = LARGEST_HEAD;
        let line = read_line(stream, room)?;
        let digits = line.split(';').next().unwrap_or_default().trim();
        let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return Err(FetchError::NotHttp(format!("a chunk length of {:?}", shown(digits))));
        }
        let length = usize::from_str_radix(digits, 16).unwrap_or(usize::MAX);
        if length > LARGEST_BODY - body.len() {
            return Err(FetchError::TooLarge);
        }
        if length == 0 {
            break;
        }
        read_exactly(stream, length, &mut body)?;
        if !read_line(stream, room)?.is_empty() {
            return Err(FetchError::NotHttp("a chunk that is longer than its length".to_string()));
        }
    }
    // Trailers, until an empty line.
    while !read_line(stream, room)?.is_empty() {}
    Ok(body)
}

/// The beginning of what a server sent.
fn shown(text: &str) -> String {
    const SHOWN: usize = 60;
    text.trim().chars().take(SHOWN).filter(|&letter| !is_steering(letter)).collect()
}

#[cfg(test)]
mod tests;
