//! Asks a server on loopback: one request, one answer.

use super::Endpoint;
use super::listening::Bell;
use fathom_fetch::http::{AnswerError, Head};
use fathom_record::{Span, Timestamp};
use fathom_sys::clock;
use fathom_sys::pipes;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::time::Duration;

/// The largest body that is read, in bytes.
pub(super) const LARGEST_BODY: usize = 16 * 1024 * 1024;

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
    #[error("it took longer than {} s to answer", PATIENCE.as_secs())]
    TimedOut,
    #[error(transparent)]
    Answer(AnswerError),
    #[error("it answered with status {code}{}", reason(reason_phrase))]
    Status { code: u16, reason_phrase: String },
    #[error(
        "it answered with a redirect (status {code}) to {location:?}, which Fathom does not \
         follow. Use that address if it is on this machine."
    )]
    Redirect { code: u16, location: String },
    #[error("it answered in the encoding {0:?}, which Fathom did not request")]
    Encoding(String),
}

fn reason(phrase: &str) -> String {
    if phrase.is_empty() { String::new() } else { format!(" ({phrase})") }
}

impl From<io::Error> for FetchError {
    fn from(error: io::Error) -> FetchError {
        FetchError::from(AnswerError::from(error))
    }
}

impl From<AnswerError> for FetchError {
    fn from(error: AnswerError) -> FetchError {
        match &error {
            AnswerError::Io(io) => match io.kind() {
                io::ErrorKind::ConnectionRefused => FetchError::Refused,
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => FetchError::TimedOut,
                _ => FetchError::Answer(error),
            },
            _ => FetchError::Answer(error),
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
    let head = Head::read(&mut stream)?;
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
    let is_openmetrics = head.content_type.eq_ignore_ascii_case("application/openmetrics-text");
    Ok(HttpBody { body: head.read_body(&mut stream, LARGEST_BODY)?, is_openmetrics })
}

#[cfg(test)]
mod tests;
