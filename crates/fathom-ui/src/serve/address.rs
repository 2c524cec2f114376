//! The address to open.

use super::token::Token;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The address to open. Everyone who has it can read the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    url: String,
    at: SocketAddr,
}

impl Address {
    /// By the first name it may be called, else by its number; loopback replaces all of a machine's
    /// addresses.
    pub(super) fn new(at: SocketAddr, hosts: &[String], token: &Token) -> Address {
        let ip = match at.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        let port = at.port();
        let host = match hosts.first() {
            Some(name) => format!("{name}:{port}"),
            None => SocketAddr::new(ip, port).to_string(),
        };
        Address { url: format!("http://{host}/{token}/"), at }
    }

    /// Where it is served.
    #[must_use]
    pub fn socket(&self) -> SocketAddr {
        self.at
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_can_be_opened() {
        let token = Token::random().unwrap();
        let of = |at: &str, hosts: &[&str]| {
            let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
            let url = Address::new(at.parse().unwrap(), &hosts, &token).to_string();
            url.replace(&token.to_string(), "T")
        };
        assert_eq!(of("127.0.0.1:80", &[]), "http://127.0.0.1:80/T/");
        assert_eq!(of("0.0.0.0:8080", &[]), "http://127.0.0.1:8080/T/");
        assert_eq!(of("[::]:8080", &[]), "http://[::1]:8080/T/");
        assert_eq!(of("0.0.0.0:8080", &["lab", "other"]), "http://lab:8080/T/");
    }
}
