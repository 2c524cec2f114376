//! Asks, waits as long as there is hope, and gives up when it is told to.

use super::{AnswerError, Head, HttpAddress};
use flate2::read::MultiGzDecoder;
use std::cell::Cell;
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long a connection may take.
const CONNECTING: Duration = Duration::from_secs(5);

/// How long a read waits before it looks whether it should go on.
const TICK: Duration = Duration::from_millis(100);

/// An answer that is no success is only read for its message.
const LARGEST_MESSAGE: usize = 256 * 1024;

/// A server, and what every request to it carries.
pub struct Client {
    address: HttpAddress,
    /// Names and values. They may be secrets, so that a client has no `Debug`.
    headers: Vec<(String, String)>,
    /// For how long nothing may come.
    patience: Duration,
}

/// A whole answer, decoded.
#[derive(Debug)]
pub struct HttpAnswer {
    /// What came before the body.
    pub head: Head,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The name of the host is not known.
    #[error("the host {0:?} is not known")]
    UnknownHost(String),
    /// Nothing listens there.
    #[error("the connection was refused")]
    Refused,
    /// There is no way there.
    #[error("it cannot be reached ({0})")]
    Unreachable(io::Error),
    /// Nothing came for too long.
    #[error("nothing came for {} s", .0.as_secs())]
    TimedOut(Duration),
    /// What came is not a whole answer.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The body is in an encoding that was not asked for.
    #[error("the answer is in the encoding {0:?}, which Fathom did not request")]
    Encoding(String),
    /// The body cannot be decompressed.
    #[error("the answer cannot be decompressed ({0})")]
    Gzip(io::Error),
    /// The user ended it.
    #[error("interrupted")]
    Stopped,
}

impl Client {
    /// A client without headers of its own.
    #[must_use]
    pub fn new(address: HttpAddress, patience: Duration) -> Client {
        Client { address, headers: Vec::new(), patience }
    }

    /// Adds a header to every request. Line ends in it are left out.
    pub fn header(&mut self, name: &str, value: &str) {
        let clean = |text: &str| text.chars().filter(|letter| !letter.is_control()).collect();
        self.headers.push((clean(name), clean(value)));
    }

    /// Whom it asks.
    #[must_use]
    pub fn address(&self) -> &HttpAddress {
        &self.address
    }

    /// Asks for a path below the address, with parameters. A long request goes as a form, because
    /// servers limit the length of addresses. `keep_on` is called about ten times a second with how
    /// many bytes came so far; if it says `false`, this gives up.
    ///
    /// # Errors
    /// No whole answer comes, or it has more than `largest` bytes. Every status is an answer.
    pub fn ask(
        &self,
        path: &str,
        parameters: &str,
        largest: usize,
        keep_on: &dyn Fn(usize) -> bool,
    ) -> Result<HttpAnswer, FetchError> {
        let stream = self.connect(keep_on)?;
        let request = self.request(path, parameters);
        let is_stopped = Cell::new(false);
        let patient = Patient {
            stream: &stream,
            patience: self.patience,
            keep_on,
            is_stopped: &is_stopped,
            got: 0,
        };
        let mut patient = BufReader::with_capacity(64 * 1024, patient);
        let sent = (&stream).write_all(request.as_bytes());
        let answer = match sent {
            // A server that refuses early may close while it is written to, and still have answered.
            Ok(()) => read(&mut patient, largest),
            Err(error) => read(&mut patient, largest).map_err(|_| AnswerError::from(error).into()),
        };
        answer.map_err(|error| match error {
            _ if is_stopped.get() => FetchError::Stopped,
            FetchError::Answer(AnswerError::Io(error))
                if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) =>
            {
                FetchError::TimedOut(self.patience)
            }
            error => error,
        })
    }

    fn connect(&self, keep_on: &dyn Fn(usize) -> bool) -> Result<TcpStream, FetchError> {
        let host = self.address.host();
        let unknown = || FetchError::UnknownHost(host.to_string());
        let found = (host, self.address.port()).to_socket_addrs().map_err(|_| unknown())?;
        let found: Vec<SocketAddr> = found.collect();
        let mut result = Err(if found.is_empty() { unknown() } else { FetchError::Refused });
        for address in &found {
            if !keep_on(0) {
                return Err(FetchError::Stopped);
            }
            match TcpStream::connect_timeout(address, CONNECTING) {
                Ok(stream) => {
                    let prepared = stream
                        .set_nodelay(true)
                        .and_then(|()| stream.set_read_timeout(Some(TICK)))
                        .and_then(|()| stream.set_write_timeout(Some(self.patience)));
                    return prepared.map(|()| stream).map_err(FetchError::Unreachable);
                }
                // Of several addresses, one that is refused says the least.
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {}
                Err(error) => result = Err(FetchError::Unreachable(error)),
            }
        }
        result
    }

    /// The whole request.
    fn request(&self, path: &str, parameters: &str) -> String {
        const LONGEST_ADDRESS: usize = 2_000;
        let prefix = self.address.prefix();
        let is_form = parameters.len() > LONGEST_ADDRESS;
        let mut text = match (is_form, parameters) {
            (true, _) => format!("POST {prefix}{path} HTTP/1.1\r\n"),
            (false, "") => format!("GET {prefix}{path} HTTP/1.1\r\n"),
            (false, parameters) => format!("GET {prefix}{path}?{parameters} HTTP/1.1\r\n"),
        };
        let has = |name: &str| self.headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        let length = parameters.len().to_string();
        let agent = format!("fathom/{}", env!("CARGO_PKG_VERSION"));
        let mut usual = vec![
            ("Host", self.address.authority()),
            ("User-Agent", &agent),
            ("Accept", "application/json"),
            ("Accept-Encoding", self.encoding()),
            ("Connection", "close"),
        ];
        if is_form {
            usual.push(("Content-Type", "application/x-www-form-urlencoded"));
            usual.push(("Content-Length", &length));
        }
        let own = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in usual.into_iter().filter(|(name, _)| !has(name)).chain(own) {
            text.extend([name, ": ", value, "\r\n"]);
        }
        text.push_str("\r\n");
        if is_form {
            text.push_str(parameters);
        }
        text
    }

    /// Compressing costs a server on this machine more than it saves.
    fn encoding(&self) -> &'static str {
        let host = self.address.host();
        let is_here = host.eq_ignore_ascii_case("localhost")
            || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        if is_here { "identity" } else { "gzip" }
    }
}

fn read(stream: &mut BufReader<Patient<'_>>, largest: usize) -> Result<HttpAnswer, FetchError> {
    let head = Head::read(stream)?;
    let is_gzip = match head.encoding.as_deref() {
        None => false,
        Some(encoding) if encoding.eq_ignore_ascii_case("gzip") => true,
        Some(encoding) => return Err(FetchError::Encoding(encoding.to_string())),
    };
    let is_success = head.code == 200;
    let room = if is_success { largest } else { LARGEST_MESSAGE };
    let body = match head.read_body(stream, room) {
        Err(AnswerError::TooLarge(_)) if !is_success => Vec::new(),
        body => body?,
    };
    let body = if is_gzip { inflated(&body, room)? } else { body };
    Ok(HttpAnswer { head, body })
}

fn inflated(body: &[u8], largest: usize) -> Result<Vec<u8>, FetchError> {
    let mut text = Vec::new();
    let limit = largest as u64 + 1;
    MultiGzDecoder::new(body).take(limit).read_to_end(&mut text).map_err(FetchError::Gzip)?;
    if text.len() > largest {
        return Err(AnswerError::TooLarge(largest).into());
    }
    Ok(text)
}

/// A connection that is read as long as something comes now and then.
struct Patient<'a> {
    stream: &'a TcpStream,
    patience: Duration,
    keep_on: &'a dyn Fn(usize) -> bool,
    is_stopped: &'a Cell<bool>,
    got: usize,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let since = Instant::now();
        loop {
            if !(self.keep_on)(self.got) {
                self.is_stopped.set(true);
                return Err(io::Error::other("stopped"));
            }
            match self.stream.read(buffer) {
                Ok(count) => {
                    self.got += count;
                    return Ok(count);
                }
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock
                            | io::ErrorKind::TimedOut
                            | io::ErrorKind::Interrupted
                    ) =>
                {
                    if since.elapsed() >= self.patience {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}
