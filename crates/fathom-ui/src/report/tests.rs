//! Whole reports.

use super::example_session::session;
use super::example_traces::{HOSTILE, request, shop};
use super::{Limit, ReportStamp, WrittenReport, session_report, trace_report};
use crate::page::PageMissing;
use crate::session::SessionOptions;
use crate::traces::Traces;
use crate::{OpenedSession, SessionSource};
use serde_json::Value;

const MADE: ReportStamp<'static> = ReportStamp { by: "fathom 0.1.0", at: "2026-11-16 09:00 UTC" };
const PAGE: &str = "<!doctype html><html lang=\"en\"><head><title>Fathom</title></head>\
    <body><div id=\"app\"></div></body></html>";

fn of_traces(rows: usize, bytes: usize) -> WrittenReport {
    let traces = Traces::new(shop(rows));
    let limit = Limit { bytes };
    trace_report::in_page(Ok(PAGE), &traces, &request(rows), MADE, limit, &|_| Ok(())).unwrap()
}

/// Reports are made of views; nothing is computed for them.
struct Unasked;

impl SessionSource for Unasked {
    fn options(&self) -> SessionOptions {
        unreachable!("a report was told its options")
    }

    fn report(&self, _: &SessionOptions) -> Result<fathom_analyze::Report, String> {
        Err("a report was told its view".to_string())
    }
}

fn of_session(samples: usize, bytes: usize) -> WrittenReport {
    let limit = Limit { bytes };
    session_report::in_page(Ok(PAGE), &opened(HOSTILE), &session(samples), MADE, limit).unwrap()
}

fn opened(title: &str) -> OpenedSession {
    let (title, words) = (title.to_string(), vec![title.to_string()]);
    OpenedSession { title, words, source: Box::new(Unasked) }
}

/// What is read without scripts.
fn document(html: &str) -> &str {
    let start = html.find("<main ").unwrap();
    let end = html.find("</main>").unwrap() + "</main>".len();
    &html[start..end]
}

/// The same without the coordinates of its pictures.
fn words_of(document: &str) -> String {
    let mut pieces = document.split(" d=\"");
    let mut text = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        text.push_str(" d=\"…\"");
        text.push_str(piece.split_once('"').unwrap().1);
    }
    text
}

/// The data inside, as they stand there.
fn raw_data(html: &str) -> &str {
    let (_, rest) = html.split_once("id=\"fathom-report\">").unwrap();
    rest.split_once("</script>").unwrap().0
}

fn data(html: &str) -> Value {
    serde_json::from_str(raw_data(html)).unwrap()
}

/// Elements are closed in the order they were opened, and attributes are in quotes.
fn assert_well_formed(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').unwrap_or_else(|| panic!("no end: {piece}"));
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_document_of_traces_says_everything() {
    let report = of_traces(200, 10_000_000);
    assert_eq!(report.thinned, None);
    let document = document(&report.html);
    assert_well_formed(document);
    insta::assert_snapshot!(words_of(document));
}

#[test]
fn the_document_of_a_session_says_everything() {
    let report = of_session(200, 10_000_000);
    assert_eq!(report.thinned, None);
    let document = document(&report.html);
    assert_well_formed(document);
    insta::assert_snapshot!(words_of(document));
}

#[test]
fn data_have_all_that_the_page_asks_for() {
    let data = data(&of_traces(200, 10_000_000).html);
    assert_eq!(data["overview"]["kind"], "traces");
    assert_eq!(data["overview"]["opens"], "fathom ui 'traces/<shop>'");
    let pearson = &data["commands"]["pearson"];
    let asked = "'traces/<shop>' --target latency --window 120..140";
    assert_eq!(pearson["ui"], format!("fathom ui {asked} --correlator pearson"));
    assert_eq!(data["commands"]["combined"]["explain"], data["answer"]["command"]);
    assert_eq!(data["question"]["run"], "run-1");
    assert_eq!(data["question"]["windows"], serde_json::json!([[120.0, 140.0]]));
    assert_eq!(data["answer"]["seconds"], 0.0);
    assert_eq!(data["ribbons"].as_array().unwrap().len(), 1);
    assert_eq!(data["labels"]["saved_in"], Value::Null);
    let series = data["series"].as_array().unwrap();
    let of = |metric: &str| series.iter().filter(|one| one["metric"] == metric).count();
    assert_eq!(
        (of("latency"), of("requests")),
        (2, 2),
        "the target and the common metric, in both runs"
    );
    assert!(of("gc.pause") > 0 && of(HOSTILE) > 0);
    assert_eq!(of("threads"), 1, "what is excluded too");
    let ranked = data["answer"]["explanation"]["ranking"].as_array().unwrap();
    assert!(ranked.iter().all(|row| row["says"].is_string()));
    let session = self::data(&of_session(200, 10_000_000).html);
    assert_eq!(session["overview"]["kind"], "session");
    assert_eq!(session["overview"]["title"], HOSTILE);
    assert_eq!(session["overview"]["view"]["subjects"][0]["samples"]["n"], 200);
}

#[test]
fn hostile_names_stay_text() {
    for report in [of_traces(200, 10_000_000), of_session(200, 10_000_000)] {
        assert!(!report.html.contains("<img"));
        assert!(!report.html.contains("<!--"));
        assert_eq!(report.html.matches("</script>").count(), 1);
        assert!(!document(&report.html).contains('\u{202e}'));
    }
}

#[test]
fn the_same_input_is_the_same_file() {
    assert_eq!(of_traces(200, 10_000_000), of_traces(200, 10_000_000));
    assert_eq!(of_session(200, 10_000_000), of_session(200, 10_000_000));
}

#[test]
fn large_traces_are_thinned_until_they_fit_and_tables_are_whole() {
    let whole = of_traces(6000, 10_000_000);
    let full = raw_data(&whole.html).len();
    assert_eq!(whole.thinned, None);
    let mut before = usize::MAX;
    for bytes in [full / 2, full / 3, full / 4] {
        let report = of_traces(6000, bytes);
        let data = data(&report.html);
        assert!(raw_data(&report.html).len() <= bytes, "{bytes}");
        let words = report.thinned.unwrap();
        assert_eq!(data["thinned"], words.as_str());
        assert!(document(&report.html).contains(&format!("<p class=\"thinned\">{words}</p>")));
        let points = |series: &Value| series["time"].as_array().unwrap().len();
        let others =
            data["series"].as_array().unwrap().iter().filter(|one| one["metric"] != "latency");
        let most = others.map(points).max().unwrap();
        assert!(most <= before && most < 6000, "{most} {before}");
        before = most;
        let rows = |html: &str| document(html).matches("<tr>").count();
        assert_eq!(rows(&report.html), rows(&whole.html));
        assert_eq!(data["answer"], self::data(&whole.html)["answer"]);
    }
}

#[test]
fn what_never_fits_has_the_target_at_least() {
    let report = of_traces(3000, 1);
    let data = data(&report.html);
    let series = data["series"].as_array().unwrap();
    assert!(series.iter().all(|one| one["metric"] == "latency" || one["metric"] == "requests"));
    let words = report.thinned.unwrap();
    assert!(words.contains("none of 5 metrics has a line"), "{words}");
}

#[test]
fn thinned_lines_are_finer_around_the_window() {
    let report = of_traces(3000, 300_000);
    let data = data(&report.html);
    let of_target: Vec<&Value> = data["series"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["metric"] == "latency" && one["run"] == "run-2")
        .collect();
    let [whole, near] = of_target[..] else { panic!("{}", of_target.len()) };
    let step = |one: &Value| one["time"][6].as_f64().unwrap() - one["time"][5].as_f64().unwrap();
    assert!(step(near) * 4.0 < step(whole), "{} {}", step(near), step(whole));
    let reach = |one: &Value, place: usize| one["time"][place].as_f64().unwrap();
    assert!(reach(near, 0) < 1800.0 && reach(near, 0) > 1500.0);
}

#[test]
fn long_sessions_keep_their_outliers() {
    let whole = of_session(3000, 10_000_000);
    let report = of_session(3000, whole.html.len() / 2);
    let words = report.thinned.clone().unwrap();
    assert!(words.contains("one sample in "), "{words}");
    let samples = |report: &WrittenReport| {
        data(&report.html)["overview"]["view"]["subjects"][0]["samples"].clone()
    };
    let (all, few) = (samples(&whole), samples(&report));
    let outliers = |samples: &Value| {
        samples["label"].as_array().unwrap().iter().filter(|label| *label == "outlier").count()
    };
    assert!(outliers(&all) > 0);
    assert_eq!(outliers(&all), outliers(&few));
    assert!(few["values"].as_array().unwrap().len() < all["values"].as_array().unwrap().len());
    assert_eq!(few["thinned"], true);
}

#[test]
fn without_a_page_the_tables_are_there_and_it_says_so() {
    let view = session(200);
    let report =
        session_report::in_page(Err(PageMissing), &opened("12"), &view, MADE, Limit::default())
            .unwrap();
    assert!(!report.has_charts);
    assert!(report.html.contains("Charts are missing"));
    assert!(report.html.contains("<th scope=\"row\"><bdi>new</bdi></th>"), "{}", report.html);
    assert!(!report.html.contains("<script"));
}
