//! The address of metrics on this machine.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// An address such as `http://127.0.0.1:9090/metrics`, on loopback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    url: String,
    /// As it stands in the address, with the port.
    authority: String,
    /// The path and the query.
    path: String,
    /// Tried in this order.
    addresses: Vec<SocketAddr>,
}

/// Why an address cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot record {url:?}: {why}")]
pub struct EndpointError {
    /// As given.
    pub url: String,
    /// In words, with what to do.
    pub why: String,
}

impl Endpoint {
    /// Reads `http://HOST:PORT/PATH`, where HOST is `localhost`, `127.0.0.1` or any other address
    /// of 127.0.0.0/8, or `[::1]`. Without a path it is `/metrics`.
    ///
    /// # Errors
    /// It is not such an address: other hosts cannot be recorded, since a trace covers one machine
    /// and the network's delays would be in it.
    pub fn parse(url: &str) -> Result<Endpoint, EndpointError> {
        Endpoint::read(url).map_err(|why| EndpointError { url: url.to_string(), why })
    }

    fn read(url: &str) -> Result<Endpoint, String> {
        const EXAMPLE: &str = "Use an address such as http://127.0.0.1:9090/metrics.";
        if url.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            return Err("it contains a space. Write %20 instead.".to_string());
        }
        if !url.is_ascii() {
            return Err(
                "it contains characters that are not allowed in an address. Write them as %-codes."
                    .to_string(),
            );
        }
        let rest = match url.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some((scheme, _)) if scheme.eq_ignore_ascii_case("https") => {
                return Err("https is not supported on loopback. Have the program serve its \
                            metrics over http as well."
                    .to_string());
            }
            Some((scheme, _)) => return Err(format!("{scheme} is not http. {EXAMPLE}")),
            None => return Err(format!("it does not begin with http://. {EXAMPLE}")),
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if authority.contains('@') {
            return Err("it contains a user name, but Fathom does not send passwords".to_string());
        }
        if path.contains('#') {
            return Err("it contains a #, which servers never see. Remove it.".to_string());
        }
        let (host, port) = split_port(authority)
            .ok_or_else(|| format!("{authority:?} is not a host and a port. {EXAMPLE}"))?;
        let hosts = addresses(host).ok_or_else(|| {
            format!(
                "{host:?} is not this machine. Fathom records metrics only from loopback \
                 (localhost, 127.0.0.1, [::1])."
            )
        })?;
        let path = match path {
            "" => "/metrics".to_string(),
            query if query.starts_with('?') => format!("/{query}"),
            path => path.to_string(),
        };
        Ok(Endpoint {
            url: url.to_string(),
            authority: authority.to_string(),
            path,
            addresses: hosts.into_iter().map(|host| SocketAddr::new(host, port)).collect(),
        })
    }

    /// The whole request.
    pub(super) fn request(&self) -> String {
        format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: fathom/{}\r\n\
             Accept: application/openmetrics-text; version=1.0.0, text/plain; version=0.0.4; q=0.5, \
             */*; q=0.1\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n",
            self.path,
            self.authority,
            env!("CARGO_PKG_VERSION")
        )
    }

    pub(super) fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

/// The host, without brackets, and the port.
fn split_port(authority: &str) -> Option<(&str, u16)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => {
            let end = authority.find(':').unwrap_or(authority.len());
            authority.split_at_checked(end)?
        }
    };
    let port = match port.strip_prefix(':') {
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => port.parse().ok()?,
        None if port.is_empty() => 80,
        _ => return None,
    };
    (!host.is_empty() && port != 0).then_some((host, port))
}

/// The addresses of a host on loopback; `None` for any other. Names are not looked up: they may
/// resolve to another machine.
fn addresses(host: &str) -> Option<Vec<IpAddr>> {
    if host.eq_ignore_ascii_case("localhost") {
        return Some(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
    }
    let address: IpAddr = host.parse().ok()?;
    address.is_loopback().then(|| vec![address])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_understood() {
        for (url, path, first) in [
            ("http://127.0.0.1:9090/metrics", "/metrics", "127.0.0.1:9090"),
            ("HTTP://localhost:1", "/metrics", "127.0.0.1:1"),
            ("http://[::1]:8080/", "/", "[::1]:8080"),
            ("http://127.5.6.7/a/b?x=1", "/a/b?x=1", "127.5.6.7:80"),
            ("http://LocalHost:65535?x=/", "/?x=/", "127.0.0.1:65535"),
        ] {
            let endpoint = Endpoint::parse(url).unwrap();
            assert_eq!(endpoint.path, path, "{url}");
            assert_eq!(endpoint.addresses()[0].to_string(), first, "{url}");
            assert_eq!(endpoint.to_string(), url);
        }
        let request = Endpoint::parse("http://[::1]:8080/x").unwrap().request();
        assert!(request.starts_with("GET /x HTTP/1.1\r\nHost: [::1]:8080\r\n"), "{request}");
        assert!(request.ends_with("\r\n\r\n"), "{request}");
    }

    #[test]
    fn everything_else_is_refused_with_the_reason() {
        let elsewhere = |host: &str| {
            format!(
                "{host:?} is not this machine. Fathom records metrics only from loopback \
                 (localhost, 127.0.0.1, [::1])."
            )
        };
        let example = "Use an address such as http://127.0.0.1:9090/metrics.";
        for (url, why) in [
            ("", format!("it does not begin with http://. {example}")),
            ("127.0.0.1:9090", format!("it does not begin with http://. {example}")),
            ("ftp://127.0.0.1", format!("ftp is not http. {example}")),
            (
                "https://127.0.0.1/metrics",
                "https is not supported on loopback. Have the program serve its metrics over http \
                 as well."
                    .to_string(),
            ),
            ("http://example.org/metrics", elsewhere("example.org")),
            ("http://10.0.0.1:9090/", elsewhere("10.0.0.1")),
            ("http://0.0.0.0:9090/", elsewhere("0.0.0.0")),
            ("http://localhost.example.org/", elsewhere("localhost.example.org")),
            ("http://[::2]:9090/", elsewhere("::2")),
            ("http://", format!("\"\" is not a host and a port. {example}")),
            ("http://:80/", format!("\":80\" is not a host and a port. {example}")),
            ("http://127.0.0.1:0/", format!("\"127.0.0.1:0\" is not a host and a port. {example}")),
            (
                "http://127.0.0.1:65536/",
                format!("\"127.0.0.1:65536\" is not a host and a port. {example}"),
            ),
            (
                "http://127.0.0.1:+80/",
                format!("\"127.0.0.1:+80\" is not a host and a port. {example}"),
            ),
            ("http://[::1/", format!("\"[::1\" is not a host and a port. {example}")),
            (
                "http://me@127.0.0.1/",
                "it contains a user name, but Fathom does not send passwords".to_string(),
            ),
            ("http://127.0.0.1/a b", "it contains a space. Write %20 instead.".to_string()),
            ("http://127.0.0.1/\r\nX: y", "it contains a space. Write %20 instead.".to_string()),
            (
                "http://127.0.0.1/#x",
                "it contains a #, which servers never see. Remove it.".to_string(),
            ),
            (
                "http://127.0.0.1/ü",
                "it contains characters that are not allowed in an address. Write them as %-codes."
                    .to_string(),
            ),
        ] {
            let error = Endpoint::parse(url).unwrap_err();
            assert_eq!(error.why, why, "{url}");
            assert_eq!(error.to_string(), format!("cannot record {url:?}: {why}"));
        }
    }
}
