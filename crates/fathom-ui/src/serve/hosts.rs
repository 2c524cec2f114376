//! Which names the server goes by.
//!
//! A page of another site can have its own name resolve to this machine and then ask, as if it were
//! the same site (DNS rebinding). It cannot choose what the browser says is the name it asks for.

use std::net::{IpAddr, SocketAddr};

/// The names that may be asked for, with the port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hosts {
    names: Vec<String>,
    port: u16,
    /// Whether every number is one of this machine's: then no other machine can have a name for it.
    any_number: bool,
}

impl Hosts {
    pub(super) fn new(at: SocketAddr, hosts: &[String]) -> Hosts {
        let number = match at.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let mut names = vec![number, "localhost".to_string()];
        names.extend(hosts.iter().map(|host| host.to_ascii_lowercase()));
        Hosts { names, port: at.port(), any_number: at.ip().is_unspecified() }
    }

    /// Whether a `Host` header is one of them.
    pub(super) fn accept(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let with_port = format!(":{}", self.port);
        // Browsers leave the usual port out.
        let name = match host.strip_suffix(&with_port) {
            Some(name) => name,
            None if self.port == 80 => host.as_str(),
            None => return false,
        };
        self.names.iter().any(|known| known == name) || (self.any_number && is_number(name))
    }
}

fn is_number(name: &str) -> bool {
    let plain = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    plain.unwrap_or(name).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(at: &str, hosts: &[&str], host: &str) -> bool {
        let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
        Hosts::new(at.parse().unwrap(), &hosts).accept(host)
    }

    #[test]
    fn only_its_own_names_with_its_port() {
        let loopback = |host| accepted("127.0.0.1:8080", &[], host);
        for good in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080"] {
            assert!(loopback(good), "{good}");
        }
        for bad in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:80",
            "127.0.0.1:18080",
            "evil.example:8080",
            "localhost.evil.example:8080",
            "127.0.0.1:8080:8080",
            "127.0.0.2:8080",
            "0.0.0.0:8080",
            "[::1]:8080",
            "localhost:8080/",
            "a@localhost:8080",
        ] {
            assert!(!loopback(bad), "{bad}");
        }
    }

    #[test]
    fn other_addresses_and_names() {
        assert!(accepted("[::1]:9", &[], "[::1]:9"));
        assert!(accepted("127.0.0.1:80", &[], "127.0.0.1"));
        assert!(accepted("10.0.0.5:9", &["Lab.example"], "lab.EXAMPLE:9"));
        assert!(accepted("0.0.0.0:9", &[], "10.0.0.5:9"));
        assert!(accepted("[::]:9", &[], "[fe80::1]:9"));
        assert!(!accepted("0.0.0.0:9", &[], "evil.example:9"));
        assert!(!accepted("10.0.0.5:9", &[], "10.0.0.6:9"));
    }
}
