//! What a server answers: a status line, headers, and a body that ends in one of three ways.

use fathom_record::foreign_text::is_steering;
use std::io::{self, BufRead, Read};

/// The largest status line and headers, in bytes.
const LARGEST_HEAD: usize = 64 * 1024;

/// Why there is no whole answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// Reading failed.
    #[error("the connection failed: {0}")]
    Io(io::Error),
    /// It ended too early.
    #[error("the connection was closed {}", closed_after(*got, *of))]
    Closed {
        /// How many bytes came of what was being read.
        got: usize,
        /// How many were announced.
        of: Option<usize>,
    },
    /// It is something else.
    #[error("the answer is not HTTP: {0}")]
    NotHttp(String),
    /// The body has more bytes than are wanted.
    #[error("the answer is larger than {} MB", .0 / 1024 / 1024)]
    TooLarge(usize),
}

fn closed_after(got: usize, of: Option<usize>) -> String {
    match of {
        Some(of) => format!("after {got} of {of} bytes"),
        None if got == 0 => "before any data arrived".to_string(),
        None => "before the end of the answer".to_string(),
    }
}

impl From<io::Error> for AnswerError {
    fn from(error: io::Error) -> AnswerError {
        match error.kind() {
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof => AnswerError::Closed { got: 0, of: None },
            _ => AnswerError::Io(error),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Length {
    Bytes(usize),
    Chunked,
    UntilClosed,
}

/// What comes before the body. Texts in it are cut and cannot steer a terminal.
#[derive(Debug, Clone)]
pub struct Head {
    /// The status.
    pub code: u16,
    /// What the server calls it; often empty.
    pub reason: String,
    /// Where a redirect leads.
    pub location: Option<String>,
    /// How the body is encoded, if it is.
    pub encoding: Option<String>,
    /// What the body is, without parameters.
    pub content_type: String,
    /// After how many seconds it should be asked again.
    pub retry_after: Option<u64>,
    length: Length,
}

impl Head {
    /// Reads the head of an answer; `100 Continue` and the like, which come before it, are skipped.
    ///
    /// # Errors
    /// The connection ends before the head does, or it is not HTTP.
    pub fn read(stream: &mut impl BufRead) -> Result<Head, AnswerError> {
        let mut room = LARGEST_HEAD;
        loop {
            let head = Head::read_one(stream, &mut room)?;
            if !(100..200).contains(&head.code) {
                return Ok(head);
            }
        }
    }

    fn read_one(stream: &mut impl BufRead, room: &mut usize) -> Result<Head, AnswerError> {
        let line = read_line(stream, room)?;
        let (code, reason) = status(&line)
            .ok_or_else(|| AnswerError::NotHttp(format!("it begins with {:?}", shown(&line))))?;
        let mut head = Head {
            code,
            reason: shown(reason),
            location: None,
            encoding: None,
            content_type: String::new(),
            retry_after: None,
            length: Length::UntilClosed,
        };
        loop {
            let line = read_line(stream, room)?;
            if line.is_empty() {
                return Ok(head);
            }
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| AnswerError::NotHttp(format!("the header {:?}", shown(&line))))?;
            head.take(name, value.trim())?;
        }
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), AnswerError> {
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                let is_number = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
                if !is_number {
                    let value = shown(value);
                    return Err(AnswerError::NotHttp(format!("a Content-Length of {value:?}")));
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
                self.content_type = shown(value.split(';').next().unwrap_or_default());
            }
            "location" => self.location = Some(shown(value)),
            "retry-after" => self.retry_after = value.parse().ok(),
            _ => {}
        }
        Ok(())
    }

    /// Reads the body; the same wherever the pieces in which it comes end.
    ///
    /// # Errors
    /// The connection ends before the body does, or the body is larger than `largest` bytes.
    pub fn read_body(
        &self,
        stream: &mut impl BufRead,
        largest: usize,
    ) -> Result<Vec<u8>, AnswerError> {
        match self.length {
            Length::Chunked => read_chunks(stream, largest),
            Length::Bytes(length) if length > largest => Err(AnswerError::TooLarge(largest)),
            Length::Bytes(length) => {
                let mut body = Vec::new();
                read_exactly(stream, length, &mut body)?;
                Ok(body)
            }
            Length::UntilClosed => {
                let mut body = Vec::new();
                stream.take(largest as u64 + 1).read_to_end(&mut body)?;
                if body.len() > largest { Err(AnswerError::TooLarge(largest)) } else { Ok(body) }
            }
        }
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
fn read_line(stream: &mut impl BufRead, room: &mut usize) -> Result<String, AnswerError> {
    let mut line = Vec::new();
    let got = stream.by_ref().take(*room as u64).read_until(b'\n', &mut line)?;
    *room -= got.min(*room);
    if line.pop() != Some(b'\n') {
        return Err(match (got, *room) {
            (_, 0) => AnswerError::NotHttp(format!("its head has more than {LARGEST_HEAD} bytes")),
            (got, _) => AnswerError::Closed { got, of: None },
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
) -> Result<(), AnswerError> {
    let got = stream.by_ref().take(length as u64).read_to_end(body)?;
    if got < length { Err(AnswerError::Closed { got, of: Some(length) }) } else { Ok(()) }
}

fn read_chunks(stream: &mut impl BufRead, largest: usize) -> Result<Vec<u8>, AnswerError> {
    let mut body = Vec::new();
    let mut room;
    loop {
        // There may be many chunks, each with a line of its own.
        room = LARGEST_HEAD;
        let line = read_line(stream, &mut room)?;
        let digits = line.split(';').next().unwrap_or_default().trim();
        let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return Err(AnswerError::NotHttp(format!("a chunk length of {:?}", shown(digits))));
        }
        let length = usize::from_str_radix(digits, 16).unwrap_or(usize::MAX);
        if length > largest - body.len() {
            return Err(AnswerError::TooLarge(largest));
        }
        if length == 0 {
            break;
        }
        read_exactly(stream, length, &mut body)?;
        if !read_line(stream, &mut room)?.is_empty() {
            return Err(AnswerError::NotHttp("a chunk that is longer than its length".to_string()));
        }
    }
    // Trailers, until an empty line.
    while !read_line(stream, &mut room)?.is_empty() {}
    Ok(body)
}

/// The beginning of what a server sent, without what could steer a terminal.
#[must_use]
pub fn shown(text: &str) -> String {
    const SHOWN: usize = 60;
    text.trim().chars().take(SHOWN).filter(|&letter| !is_steering(letter)).collect()
}
