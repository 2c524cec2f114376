//! The address of a server, and where below it the interface is.

use std::fmt;

/// An address such as `http://host:9090/prefix`. It holds no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpAddress {
    host: String,
    port: u16,
    /// Host and port as they stand in the address.
    authority: String,
    /// The path before every request's own: empty, or with a slash before it and none behind it.
    prefix: String,
}

/// Why an address cannot be used. Its text never repeats the address, which may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

const EXAMPLE: &str = "Write an address such as http://localhost:9090";

impl HttpAddress {
    /// Reads `http://HOST:PORT/PREFIX`; without a port it is 80.
    ///
    /// # Errors
    /// It is not such an address.
    pub fn parse(url: &str) -> Result<HttpAddress, AddressError> {
        HttpAddress::read(url.trim()).map_err(AddressError)
    }

    fn read(url: &str) -> Result<HttpAddress, String> {
        if url.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            return Err(format!("the address contains a space. {EXAMPLE}"));
        }
        if !url.is_ascii() {
            return Err(
                "the address contains characters that are not allowed in one. Write names \
                        in their ASCII form, and paths with %-codes"
                    .to_string(),
            );
        }
        let (scheme, rest) = url
            .split_once("://")
            .ok_or_else(|| format!("the address does not begin with http://. {EXAMPLE}"))?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if authority.contains('@') {
            return Err("the address contains a user name or a password, which would be shown \
                        and stored with it. Leave it out, and use --user NAME with --password-file \
                        FILE or --password-env VARIABLE"
                .to_string());
        }
        let (host, port) = split_port(authority)
            .ok_or_else(|| format!("{authority:?} is not a host and a port. {EXAMPLE}"))?;
        if scheme.eq_ignore_ascii_case("https") {
            let port = port.unwrap_or(443);
            return Err(format!(
                "Fathom has no TLS, so it cannot ask https://{authority}. Open a tunnel and ask its \
                 end on this machine: `kubectl port-forward service/NAME 9090`, `ssh -L \
                 9090:{host}:PORT GATEWAY` to a port that speaks http, or `socat \
                 TCP-LISTEN:9090,bind=127.0.0.1,fork,reuseaddr OPENSSL:{host}:{port}` with --from \
                 http://127.0.0.1:9090{} --header 'Host: {authority}'",
                path.trim_end_matches('/')
            ));
        }
        if !scheme.eq_ignore_ascii_case("http") {
            return Err(format!("{scheme:?} is not http. {EXAMPLE}"));
        }
        if path.contains(['?', '#']) {
            return Err(format!(
                "the address contains a ? or a #. Write only the part before the pages: \
                 http://{authority}"
            ));
        }
        // The address of the interface itself means the same.
        let prefix = path.trim_end_matches('/');
        let prefix = prefix.strip_suffix("/api/v1").unwrap_or(prefix).trim_end_matches('/');
        Ok(HttpAddress {
            host: host.to_string(),
            port: port.unwrap_or(80),
            authority: authority.to_string(),
            prefix: prefix.to_string(),
        })
    }

    /// The host, without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Host and port, for the header `Host`.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The path before every request's own.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl fmt::Display for HttpAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.authority, self.prefix)
    }
}

/// The host, without brackets, and the port if there is one.
fn split_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => {
            let end = authority.find(':').unwrap_or(authority.len());
            authority.split_at_checked(end)?
        }
    };
    let port = match port.strip_prefix(':') {
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => Some(port.parse().ok()?),
        None if port.is_empty() => None,
        _ => return None,
    };
    (!host.is_empty() && port != Some(0)).then_some((host, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_a_port_and_a_prefix() {
        for (url, host, port, prefix) in [
            ("http://localhost:9090", "localhost", 9090, ""),
            ("http://localhost:9090/", "localhost", 9090, ""),
            ("HTTP://mimir/prometheus/", "mimir", 80, "/prometheus"),
            ("http://[::1]:9090/a/b", "::1", 9090, "/a/b"),
            ("http://vm:8481/select/0/prometheus/api/v1/", "vm", 8481, "/select/0/prometheus"),
        ] {
            let address = HttpAddress::parse(url).unwrap();
            let found = (address.host(), address.port(), address.prefix());
            assert_eq!(found, (host, port, prefix), "{url}");
        }
        let shown = HttpAddress::parse("http://[::1]:9090/a/").unwrap();
        assert_eq!(shown.to_string(), "http://[::1]:9090/a");
        assert_eq!(shown.authority(), "[::1]:9090");
    }

    #[test]
    fn everything_else_is_refused_with_what_to_do() {
        for (url, why) in [
            ("localhost:9090", "the address does not begin with http://."),
            ("ftp://a", "\"ftp\" is not http."),
            ("http://", "\"\" is not a host and a port."),
            ("http://a:b", "\"a:b\" is not a host and a port."),
            ("http://a:0", "\"a:0\" is not a host and a port."),
            ("http://a:70000", "\"a:70000\" is not a host and a port."),
            ("http://a b", "the address contains a space."),
            ("http://a\r\nX: y", "the address contains a space."),
            ("http://b\u{fc}cher:1", "the address contains characters"),
            ("http://a:9090/graph?g0.expr=up", "the address contains a ?"),
            ("https://a/b", "Fathom has no TLS"),
        ] {
            let error = HttpAddress::parse(url).unwrap_err().to_string();
            assert!(error.starts_with(why), "{url}: {error}");
        }
        let tunnel =
            HttpAddress::parse("https://mimir.example/prometheus/").unwrap_err().to_string();
        assert!(
            tunnel.contains("OPENSSL:mimir.example:443")
                && tunnel.contains(
                    "--from http://127.0.0.1:9090/prometheus --header 'Host: mimir.example'"
                ),
            "{tunnel}"
        );
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_repeated() {
        for url in ["http://me:secret@host:1/x", "https://secret@host", "http://a:secret@b@c"] {
            let error = HttpAddress::parse(url).unwrap_err().to_string();
            assert!(error.contains("--password-file") && !error.contains("secret"), "{error}");
        }
    }
}
