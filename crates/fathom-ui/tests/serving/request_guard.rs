//! Which requests are allowed, and what browsers are told.

use super::client::Asking;
use super::made_up::MadeUp;
use super::running::{PAGE, Running};
use fathom_ui::Opened;
use fathom_ui::serve::{ServeError, ServeOptions};
use std::net::{IpAddr, Ipv4Addr};

fn running() -> Running {
    Running::traces(MadeUp::new(&["run-1"], &["ipc", "cpu"], 100).opened())
}

#[test]
fn the_page_is_given_to_who_has_the_address() {
    let running = running();
    assert_eq!(running.path.len(), 34);
    let page = running.get("");
    assert_eq!((page.status, page.body.as_str()), (200, PAGE));
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let without_slash = running.path.trim_end_matches('/');
    let redirected = Asking::new("GET", without_slash, running.at).answer(running.at);
    assert_eq!((redirected.status, &redirected.headers["location"]), (308, &running.path));
}

/// The file that `fathom ui` gives the browser is of another origin, and only opens the page.
#[test]
fn a_file_may_open_the_page_and_nothing_else() {
    let running = running();
    let from_file = |path: &str, mode: &str, dest: &str| {
        Asking::new("GET", &format!("{}{path}", running.path), running.at)
            .with("Sec-Fetch-Site", "cross-site")
            .with("Sec-Fetch-Mode", mode)
            .with("Sec-Fetch-Dest", dest)
            .answer(running.at)
            .status
    };
    assert_eq!(from_file("", "navigate", "document"), 200);
    assert_eq!(from_file("", "navigate", "iframe"), 403);
    assert_eq!(from_file("", "no-cors", "image"), 403);
    assert_eq!(from_file("api/overview", "navigate", "document"), 403);
    let wrong = Asking::new("GET", &format!("/{}/", "0".repeat(32)), running.at)
        .with("Sec-Fetch-Site", "cross-site")
        .with("Sec-Fetch-Mode", "navigate")
        .with("Sec-Fetch-Dest", "document");
    assert_eq!(wrong.answer(running.at).status, 403);
}

/// Each has a while to send its request; otherwise the connection is closed.
#[test]
fn half_a_request_is_not_waited_for_forever() {
    use std::io::{Read, Write};
    let running = running();
    let mut silent: Vec<std::net::TcpStream> = (0..300)
        .map(|n| {
            let mut stream = std::net::TcpStream::connect(running.at).unwrap();
            stream.set_read_timeout(Some(std::time::Duration::from_secs(120))).unwrap();
            let words: &[u8] = if n % 2 == 0 { b"" } else { b"GET / HTTP/1.1\r\nHost: x" };
            stream.write_all(words).unwrap();
            stream
        })
        .collect();
    assert_eq!(running.get("").status, 200, "others are answered");
    for stream in &mut silent {
        // It may say that the request was late; then it hangs up.
        let mut said = Vec::new();
        let ended = stream.read_to_end(&mut said).map_err(|error| error.kind());
        assert!(matches!(ended, Ok(_) | Err(std::io::ErrorKind::ConnectionReset)), "{ended:?}");
        assert!(said.is_empty() || said.starts_with(b"HTTP/1.1 408"), "{said:?}");
    }
}

#[test]
fn every_answer_has_the_policy() {
    let running = running();
    let wrong = Asking::new("GET", "/", running.at).answer(running.at);
    for answered in [running.get(""), running.get("api/overview"), running.get("x"), wrong] {
        let header = |name: &str| answered.headers.get(name).cloned().unwrap_or_default();
        assert_eq!(
            header("content-security-policy"),
            "default-src 'none'; script-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='; \
             style-src 'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='; \
             img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'"
        );
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
        assert_eq!(header("access-control-allow-origin"), "");
    }
}

#[test]
fn without_the_token_there_is_nothing() {
    let running = running();
    let token = running.path.trim_matches('/');
    let mut other = token.to_string();
    let last = if other.ends_with('0') { "1" } else { "0" };
    other.replace_range(31.., last);
    for path in [
        "/".to_string(),
        "/api/overview".to_string(),
        format!("/{other}/api/overview"),
        format!("/{}/api/overview", token.to_uppercase() + "0"),
        format!("/{}/api/overview", &token[..31]),
        format!("//{token}/api/overview"),
        format!("/x/../{token}/api/overview"),
        format!("/?{token}/api/overview"),
        "/favicon.ico".to_string(),
    ] {
        let answered = Asking::new("GET", &path, running.at).answer(running.at);
        assert_eq!(answered.status, 404, "{path}");
        assert!(answered.body.starts_with("Page not found."), "{path}: {}", answered.body);
    }
    let old = Asking::new("GET", &format!("/{other}/"), running.at).answer(running.at);
    assert!(old.body.contains("Open the address it printed this time"), "{}", old.body);
    // Nor is there a file, whatever is asked.
    for what in ["../../etc/passwd", "api/../../Cargo.toml", "%2e%2e/%2e%2e/etc/passwd", "api"] {
        assert_eq!(running.get(what).status, 404, "{what}");
    }
}

#[test]
fn other_names_are_refused() {
    let running = running();
    let port = running.at.port();
    let asked = |host: &str| {
        let asking = running.asking("GET", "api/overview").without("Host");
        asking.with("Host", host).answer(running.at)
    };
    assert_eq!(asked(&format!("localhost:{port}")).status, 200);
    let rebound = asked(&format!("evil.example:{port}"));
    assert_eq!(rebound.status, 403);
    assert!(rebound.body.contains("Open the address that was printed"), "{}", rebound.body);
    for host in ["127.0.0.1", "localhost", "127.0.0.1:1", ""] {
        assert_eq!(asked(host).status, 403, "{host}");
    }
    let twice = running.asking("GET", "api/overview").with("Host", "evil.example");
    assert_ne!(twice.answer(running.at).status, 200);
    let nameless = running.asking("GET", "api/overview").without("Host").answer(running.at);
    assert_ne!(nameless.status, 200);
    let whole = format!("http://evil.example:{port}{}api/overview", running.path);
    let proxied = Asking::new("GET", &whole, running.at).answer(running.at);
    assert_eq!(proxied.status, 403);
}

#[test]
fn other_sites_cannot_read() {
    let running = running();
    let asked = |name: &str, value: &str| {
        running.asking("GET", "api/overview").with(name, value).answer(running.at)
    };
    let own = format!("http://{}", running.at);
    assert_eq!(asked("Origin", &own).status, 200);
    for origin in ["http://evil.example", "null", "", &format!("https://{}", running.at)] {
        assert_eq!(asked("Origin", origin).status, 403, "{origin}");
    }
    // The name must be the same, not just another of its own.
    let other = format!("http://localhost:{}", running.at.port());
    assert_eq!(asked("Origin", &other).status, 403);
    for site in ["same-origin", "none"] {
        assert_eq!(asked("Sec-Fetch-Site", site).status, 200, "{site}");
    }
    for site in ["cross-site", "same-site", "", "same-origin, none"] {
        let refused = asked("Sec-Fetch-Site", site);
        assert_eq!(refused.status, 403, "{site}");
        assert!(refused.body.contains("Other sites"), "{}", refused.body);
    }
}

#[test]
fn names_that_were_allowed_are_known() {
    let opened = MadeUp::new(&["run-1"], &["ipc"], 10).opened();
    let hosts = vec!["lab.example".to_string()];
    let options = ServeOptions { hosts, ..ServeOptions::default() };
    let running = Running::with(Opened::Traces(Box::new(opened)), options);
    let host = format!("LAB.example:{}", running.at.port());
    let asking = running.asking("GET", "").without("Host").with("Host", &host);
    assert_eq!(asking.answer(running.at).status, 200);
}

#[test]
fn a_taken_port_is_told() {
    let running = running();
    let opened = Opened::Traces(Box::new(MadeUp::new(&["run-1"], &["ipc"], 10).opened()));
    let ip = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let options = ServeOptions { ip, port: running.at.port(), hosts: Vec::new() };
    let page = fathom_ui::Page::of(PAGE);
    let refused = fathom_ui::serve::serve(&page, opened, &options, |_| {}, || true).unwrap_err();
    assert!(matches!(refused, ServeError::Bind { .. }));
    assert!(refused.to_string().contains("choose another port"), "{refused}");
}
