//! Series of a metric store: explained, imported, repeated; with secrets that nobody sees.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "a test that does not run says so")]
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "made-up numbers")]

mod harness;
#[path = "../../fathom-fetch/tests/server/mod.rs"]
mod server;

use harness::{fathom, scratch};
use serde_json::Value;
use server::{Reply, Server, shop};
use std::path::Path;
use std::process::Output;

const SELECTOR: &str = "{job=\"shop\"}";

/// In UTC, without a home.
fn run(words: &[&str], folder: &Path) -> Output {
    let mut process = fathom(words);
    process.current_dir(folder).env("TZ", "UTC").env("XDG_DATA_HOME", folder);
    process.env("FATHOM_TEST_TOKEN", "s3cret-token").output().unwrap()
}

/// Both outputs and the exit code, each word after a blank: pages are folded to their width.
fn told(words: &[&str], folder: &Path) -> String {
    let output = run(words, folder);
    let text = format!(
        "{}{}[exit {}]",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        output.status.code().unwrap()
    );
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn question<'a>(address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["explain", "--from", address, "--match", SELECTOR];
    words.extend(["--target", "shop_queue_length", "--window", "14:02..14:05"]);
    words.extend(more);
    words
}

#[test]
fn an_anomaly_of_today_is_explained_by_its_times_of_day() {
    let folder = scratch("metric-stores-explain");
    let server = Server::start(|asked, _| shop(asked));
    let address = server.address();
    let text = told(&question(&address, &[]), &folder);
    // Local time, and the labels that tell series apart.
    let first = "shop_queue_length rises";
    assert!(text.contains(first), "{text}");
    assert!(text.contains("between 2026-11-16 14:02:00 and 2026-11-16 14:05:00"), "{text}");
    assert!(text.contains("1 shop_requests_total{code=\"500\"} app"), "{text}");
    // 3 hours before the window, and a quarter as much after it, but not after now.
    let ranges: Vec<_> =
        server.asked().iter().filter(|one| one.path.ends_with("series")).cloned().collect();
    assert_eq!(ranges[0].parameter("start"), "1794826920.000");
    assert_eq!(ranges[0].parameter("end"), "1794840600.000");
}

#[test]
fn the_answer_holds_a_request_that_means_the_same_tomorrow() {
    let folder = scratch("metric-stores-again");
    let server = Server::start(|asked, _| shop(asked));
    let address = server.address();
    let output = run(&question(&address, &["--format", "json"]), &folder);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let request = &answer["request"];
    assert_eq!(request["windows"][0], "2026-11-16T14:02Z..2026-11-16T14:05Z");
    let store = &request["traces"]["store"];
    assert_eq!(store["range"], "2026-11-16T11:02Z..2026-11-16T14:50Z");
    assert_eq!(store["address"], address.as_str());
    // The same request, typed with what it says.
    let (windows, range) =
        (request["windows"][0].as_str().unwrap(), store["range"].as_str().unwrap());
    let words = [
        "explain",
        "--from",
        &address,
        "--match",
        SELECTOR,
        "--target",
        "shop_queue_length",
        "--window",
        windows,
        "--range",
        range,
        "--format",
        "json",
    ];
    let again = run(&words, &folder);
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["request"], *request);
    assert_eq!(again["ranking"], answer["ranking"]);
}

#[test]
fn windows_are_suggested_as_they_are_asked() {
    let folder = scratch("metric-stores-suggest");
    let server = Server::start(|asked, _| shop(asked));
    let address = server.address();
    let words = [
        "explain",
        "--from",
        &address,
        "--match",
        SELECTOR,
        "--target",
        "shop_queue_length",
        "--range",
        "12:00..14:55",
        "--suggest",
    ];
    let text = told(&words, &folder);
    assert!(text.contains("--window 2026-11-16T14:02"), "{text}");
    assert!(text.contains("--range 2026-11-16T12:00Z..2026-11-16T14:55Z"), "{text}");
}

#[test]
fn targets_are_named_by_any_of_their_labels() {
    let folder = scratch("metric-stores-target");
    let server = Server::start(|asked, _| shop(asked));
    let address = server.address();
    let of = |target: &str, more: &[&str]| {
        let mut words = vec!["explain", "--from", &address, "--match", SELECTOR, "-q"];
        words.extend(["--window", "14:02..14:05", "--target", target]);
        words.extend(more);
        told(&words, &folder)
    };
    let text = of("shop_requests_total{instance=\"shop-1:8080\",code=\"500\"}", &[]);
    assert!(text.starts_with("shop_requests_total{code=\"500\"} rises"), "{text}");
    let text = of("shop_requests_total", &[]);
    assert!(
        text.contains("shop_requests_total names 2 series: shop_requests_total{code=\"200\"}")
            || text
                .contains("shop_requests_total names 2 series: shop_requests_total{code=\"500\"}"),
        "{text}"
    );
    assert!(
        text.contains("--query 'total=sum(shop_requests_total)'") && text.ends_with("[exit 2]"),
        "{text}"
    );
    // An expression is a target, too.
    let text = of("waiting", &["--query", "waiting=max(queue)"]);
    assert!(text.starts_with("waiting rises"), "{text}");
    let text = of("shop_que", &[]);
    assert!(text.contains("shop_queue_length"), "{text}");
}

#[test]
fn series_are_imported_as_a_trace_folder() {
    let folder = scratch("metric-stores-import");
    let server = Server::start(|asked, _| shop(asked));
    let address = server.address();
    let words = [
        "import",
        "--from",
        &address,
        "--match",
        SELECTOR,
        "--range",
        "12:00..14:55",
        "-o",
        "shop",
    ];
    let text = told(&words, &folder);
    assert!(text.starts_with("Imported 17 metrics in 1 run to shop, 700 rows."), "{text}");
    let shown = told(&["show", "shop"], &folder);
    assert!(shown.starts_with("17 metrics in 1 run"), "{shown}");
    let manifest = std::fs::read_to_string(folder.join("shop/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let work = manifest["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "shop_work")
        .unwrap();
    assert_eq!(work["kind"], "counter");
    assert_eq!(work["about"], "Work done. (shop_work{instance=\"shop-1:8080\",job=\"shop\"})");
    // A folder of traces that knows its clock takes times of day as well.
    let words =
        ["explain", "shop", "--target", "shop_queue_length", "--window", "14:02..14:05", "-q"];
    let text = told(&words, &folder);
    assert!(text.contains("1. shop_requests_total{code=\"500\"}"), "{text}");
}

#[test]
fn secrets_reach_the_store_and_nothing_else() {
    let folder = scratch("metric-stores-secrets");
    std::fs::write(folder.join("password"), "s3cret-password\n").unwrap();
    std::fs::write(folder.join("headers"), "X-Key: s3cret-header\n").unwrap();
    let server = Server::start(|asked, _| match asked.header("authorization") {
        "Bearer s3cret-token" | "Basic bWU6czNjcmV0LXBhc3N3b3Jk" => shop(asked),
        _ => Reply::Status("401 Unauthorized", "", String::new()),
    });
    let address = server.address();
    let without = told(&question(&address, &[]), &folder);
    assert!(without.contains("asks for credentials") && without.ends_with("[exit 2]"), "{without}");
    for access in [
        &["--token-env", "FATHOM_TEST_TOKEN"][..],
        &["--user", "me", "--password-file", "password", "--header-file", "headers"],
    ] {
        let more =
            [access, &["--header", "X-Scope-OrgID: a", "--export-json", "why.json"]].concat();
        let text = told(&question(&address, &more), &folder);
        assert!(text.ends_with("[exit 0]"), "{text}");
        let written = std::fs::read_to_string(folder.join("why.json")).unwrap();
        assert!(!text.contains("s3cret") && !written.contains("s3cret"), "{text}");
        assert!(written.contains("X-Scope-OrgID: a"), "what is no secret is repeated");
        let last = server.asked().pop().unwrap();
        assert_eq!(last.header("x-scope-orgid"), "a");
    }
    assert_eq!(server.asked().pop().unwrap().header("x-key"), "s3cret-header");
    // Nor where they are typed in the wrong place.
    for wrong in [
        &["--from", "http://me:s3cret@localhost:9090"][..],
        &["--from", "https://s3cret@localhost"],
        &["--from", &address, "--token-env", "s3cret.s3cret"],
        &["--from", &address, "--header", "Authorization: Bearer s3cret"],
        &["--from", &address, "--header", "X-Api-Key: s3cret"],
    ] {
        let mut words = vec!["explain", "--target", "x"];
        words.extend(wrong);
        let text = told(&words, &folder);
        assert!(text.ends_with("[exit 2]") && !text.contains("s3cret"), "{text}");
    }
}

#[test]
fn what_cannot_be_asked_says_what_to_do() {
    let folder = scratch("metric-stores-errors");
    let server = Server::start(|asked, _| shop(asked));
    let address = server.address();
    for (words, part) in [
        ("--target x", "its jobs are node, shop"),
        ("--target x --match '{job=\"none\"}'", "no series of"),
        ("--target x --match shop_work --window 120..130", "120..130 does not say when"),
        ("--target x --match shop_work --window ..14:00", "say where it begins"),
        (
            "--target x --match shop_work --window 14:05..14:02Z --range 14:00..14:10",
            "is outside of --range",
        ),
        ("--target x --match shop_work --trace-time-unit ms", "leave out --trace-time-unit"),
        ("--target x --match shop_work --range 14:00..14:10 --history 1h", "leave out --history"),
        ("--target x --match shop_work --query a=b=c --query '=x'", "write NAME=EXPRESSION"),
        ("--target x --match shop_work run.csv", "cannot be used with"),
    ] {
        let mut all = vec!["explain".to_string(), "--from".to_string(), address.clone()];
        all.extend(shlex::split(words).unwrap());
        let text = told(&all.iter().map(String::as_str).collect::<Vec<_>>(), &folder);
        assert!(text.contains(part) && text.ends_with("[exit 2]"), "{words}: {text}");
    }
    let refused = told(&["explain", "--from", "http://127.0.0.1:1", "--target", "x"], &folder);
    assert!(
        refused.contains("the connection was refused. Check the port")
            && refused.ends_with("[exit 5]"),
        "{refused}"
    );
    let tunnel = told(&["explain", "--from", "https://mimir.example", "--target", "x"], &folder);
    assert!(tunnel.contains("Fathom has no TLS") && tunnel.ends_with("[exit 2]"), "{tunnel}");
    let alone = told(&["explain", "traces", "--match", "x", "--target", "x"], &folder);
    assert!(alone.contains("name it with --from http://HOST:9090"), "{alone}");
}

/// Against the Prometheus that `scripts/prometheus-loopback` starts.
#[test]
fn a_real_prometheus_is_explained_and_imported() {
    let Ok(address) = std::env::var("FATHOM_PROMETHEUS") else {
        eprintln!(
            "SKIPPED: there is no Prometheus here; scripts/prometheus-loopback run cargo test ..."
        );
        return;
    };
    let folder = scratch("metric-stores-real");
    let words = [
        "import",
        "--from",
        &address,
        "--match",
        "{job=\"node\"}",
        "--match",
        "{job=\"prometheus\"}",
        "--range",
        "-10min..",
        "-o",
        "node",
    ];
    let text = told(&words, &folder);
    assert!(text.ends_with("[exit 0]"), "{text}");
    let manifest = std::fs::read_to_string(folder.join("node/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let metrics = manifest["metrics"].as_array().unwrap();
    assert!(metrics.len() > 300, "{}", metrics.len());
    let kind =
        |name: &str| metrics.iter().find(|one| one["name"] == name).map(|one| one["kind"].clone());
    assert_eq!(kind("node_load1"), Some("gauge".into()));
    assert_eq!(kind("node_context_switches_total"), Some("counter".into()));
    let has =
        |part: &str| metrics.iter().any(|one| one["name"].as_str().unwrap().starts_with(part));
    assert!(
        has("node_cpu_seconds_total{cpu=\"0\",mode=\"")
            && has("prometheus_http_request_duration_seconds_bucket{")
    );
    // An expression, and a load that the script made half a minute ago.
    let words = [
        "explain",
        "--from",
        &address,
        "--match",
        "{job=\"node\"}",
        "--query",
        "switches=sum(rate(node_context_switches_total[5s]))",
        "--target",
        "switches",
        "--range",
        "-10min..",
        "--format",
        "json",
    ];
    let output = run(&words, &folder);
    let answer: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert!(answer["ranking"].as_array().unwrap().len() > 100);
    let wrong =
        told(&["explain", "--from", &address, "--match", "{job=", "--target", "x"], &folder);
    assert!(wrong.contains("parse error") && wrong.contains("Correct --match"), "{wrong}");
    let prefix = format!("{address}/nowhere");
    let wrong = told(&["explain", "--from", &prefix, "--match", "up", "--target", "x"], &folder);
    assert!(wrong.contains("has no Prometheus interface"), "{wrong}");
}
