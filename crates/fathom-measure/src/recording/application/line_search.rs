//! What Fathom looks for in lines, and what it found.

use super::escape_codes::plain_text;
use super::heard::{Example, Heard, counted};
use super::json_members;
use super::registry::{Registry, Row};
use super::{AppMetric, ApplicationRow};
use fathom_record::Timestamp;
use fathom_record::trace::{Kind, Value};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};

/// Where rows go; it never waits.
#[derive(Debug, Clone)]
pub(super) struct Outlet {
    sender: SyncSender<ApplicationRow>,
    dropped: u64,
}

impl Outlet {
    pub(super) fn new(sender: SyncSender<ApplicationRow>) -> Outlet {
        Outlet { sender, dropped: 0 }
    }

    pub(super) fn send(&mut self, said: ApplicationRow) {
        // After the recording failed, no rows are needed; the program continues.
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) =
            self.sender.try_send(said)
        {
            self.dropped += 1;
        }
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }
}

/// Looks for metrics in lines, one after the other.
#[derive(Debug)]
pub(super) struct LineSearch {
    metrics: Vec<AppMetric>,
    has_json_metrics: bool,
    has_events: bool,
    /// Whether all numbers of JSON lines are taken.
    takes_json: bool,
    row: Row,
    /// Kept for its room.
    name: String,
    outlet: Outlet,
    lines: u64,
    matched: u64,
    unparsable: u64,
    first_unparsable: Option<Example>,
    not_json: u64,
    time_member: Option<&'static str>,
    elements: u64,
}

impl LineSearch {
    pub(super) fn new(
        metrics: &[AppMetric],
        takes_json: bool,
        registry: Arc<Registry>,
        outlet: Outlet,
    ) -> LineSearch {
        LineSearch {
            metrics: metrics.to_vec(),
            has_json_metrics: metrics.iter().any(AppMetric::reads_json),
            has_events: metrics.iter().any(|metric| metric.metric().kind == Kind::Event),
            takes_json,
            row: Row::new(metrics, registry),
            name: String::new(),
            outlet,
            lines: 0,
            matched: 0,
            unparsable: 0,
            first_unparsable: None,
            not_json: 0,
            time_member: None,
            elements: 0,
        }
    }

    /// Takes a line that arrived then.
    pub(super) fn line(&mut self, line: &[u8], at: Timestamp) {
        self.lines += 1;
        let text = plain_text(line);
        if text.is_empty() {
            return;
        }
        let json = match text.trim_ascii_start().as_bytes() {
            [b'{' | b'[', ..] if self.has_json_metrics => serde_json::from_str(&text).ok(),
            _ => None,
        };
        for (n, metric) in self.metrics.iter().enumerate() {
            match metric.in_line(text.as_bytes(), json.as_ref()) {
                Ok(Some(value)) => self.row.add_option(n, Value::from(value)),
                Ok(None) => {}
                Err(why) => {
                    self.unparsable += 1;
                    let lines = self.lines;
                    self.first_unparsable.get_or_insert_with(|| Example::new(lines, &text, why));
                }
            }
        }
        if self.takes_json {
            match json_members::read(&text, &mut self.name, &mut self.row) {
                Some(passed_over) => {
                    self.time_member = self.time_member.or(passed_over.time);
                    self.elements += passed_over.elements;
                }
                None => self.not_json += 1,
            }
        }
        if self.row.len() > 0 {
            self.matched += 1;
            self.send(at);
        }
    }

    fn send(&mut self, at: Timestamp) {
        let readings = self.row.take();
        if !self.has_events {
            self.outlet.send(ApplicationRow { at, readings });
            return;
        }
        // Rows of events have intervals of their own.
        let (events, levels): (Vec<_>, Vec<_>) =
            readings.into_iter().partition(|(metric, _)| metric.kind == Kind::Event);
        for readings in [events, levels] {
            if !readings.is_empty() {
                self.outlet.send(ApplicationRow { at, readings });
            }
        }
    }

    /// Tells what was found.
    pub(super) fn tell(&self, heard: &mut Heard) {
        heard.lines = self.lines;
        heard.matched = self.matched;
        heard.unparsable = self.unparsable;
        heard.first_unparsable = self.first_unparsable.clone();
        heard.dropped = self.outlet.dropped();
        heard.note_counts();
        if self.matched == 0 && self.unparsable == 0 {
            heard.note(match self.lines {
                0 => "no lines arrived".to_string(),
                lines => format!("none of {} contained a metric", counted(lines, "line", "lines")),
            });
        } else if self.not_json > 0 {
            let count = counted(self.not_json, "line was", "lines were");
            heard.note(format!("{count} not a JSON object and skipped by --app-json"));
        }
        if let Some(member) = self.time_member {
            let name = member.trim_start_matches('@');
            let is_kept = self.metrics.iter().any(|metric| metric.name() == name);
            let how = format!(" (to keep it, use --app-metric {name}=json:{member})");
            heard.note(format!(
                "lines have a member {member:?}, which --app-json skips; rows have the time at \
                 which they arrived{}",
                if is_kept { "" } else { &how }
            ));
        }
        if self.elements > 0 {
            let count = counted(self.elements, "element", "elements");
            heard.note(format!(
                "{count} of arrays beyond the first {} were skipped",
                json_members::MOST_ELEMENTS
            ));
        }
        note_left_out(&self.row, heard);
    }
}

/// Notes values for which there was no metric.
pub(super) fn note_left_out(row: &Row, heard: &mut Heard) {
    if let (count @ 1.., Some(name)) = row.left_out() {
        let count = counted(count, "value was", "values were");
        heard.note(format!(
            "{count} skipped, first that of {name:?}: names have at most 300 characters, and at \
             most {} metrics are kept besides those of --app-metric",
            super::MOST_METRICS
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, sync_channel};

    fn search(
        options: &[&str],
        takes_json: bool,
        room: usize,
    ) -> (LineSearch, Receiver<ApplicationRow>) {
        let (sender, receiver) = sync_channel(room);
        let metrics = AppMetric::parse_all(options).unwrap();
        let outlet = Outlet::new(sender);
        (LineSearch::new(&metrics, takes_json, Arc::default(), outlet), receiver)
    }

    fn row(said: &ApplicationRow) -> Vec<(&str, Option<f64>)> {
        said.readings.iter().map(|(metric, value)| (metric.name.as_str(), value.real())).collect()
    }

    #[test]
    fn several_metrics_of_a_line_are_one_row() {
        let (mut search, said) =
            search(&["tps=tps ([0-9.]+)", "lat[ms]=lat ([^ ]+)", "j=json:a.b"], false, 9);
        for (n, line) in
            ["\u{1b}[1mtps\u{1b}[0m 5, lat 1.5 ms", "x", "", "lat nan", "{\"a\": {\"b\": 2}}"]
                .iter()
                .enumerate()
        {
            search.line(line.as_bytes(), Timestamp::from_nanoseconds(n as i64));
        }
        let mut heard = Heard { source: "s".to_string(), ..Heard::default() };
        search.tell(&mut heard);
        let said: Vec<ApplicationRow> = said.try_iter().collect();
        assert_eq!(row(&said[0]), [("app.tps", Some(5.0)), ("app.lat", Some(1.5))]);
        assert_eq!((row(&said[1]), said[1].at.nanoseconds()), (vec![("app.j", Some(2.0))], 4));
        assert_eq!((heard.lines, heard.matched, heard.unparsable), (5, 2, 1));
        assert_eq!(
            heard.notes,
            ["s: 1 value was not a number, first in line 4, \"lat nan\": \"nan\" is not a finite \
              number"]
        );
    }

    #[test]
    fn events_are_rows_of_their_own() {
        let (mut search, said) =
            search(&["pause[ms,event]=pause ([0-9]+)", "heap=heap ([0-9]+)"], false, 9);
        search.line(b"pause 3 heap 70", Timestamp::from_nanoseconds(10_000_000));
        let said: Vec<ApplicationRow> = said.try_iter().collect();
        assert_eq!(row(&said[0]), [("app.pause", Some(3.0))]);
        assert_eq!(said[0].began(), Some(Timestamp::from_nanoseconds(7_000_000)));
        assert_eq!(row(&said[1]), [("app.heap", Some(70.0))]);
        assert_eq!(said[1].began(), None);
    }

    #[test]
    fn options_go_before_what_json_has() {
        let (mut search, said) = search(&["time[ms]=json:time", "a=json:b"], true, 9);
        search.line(br#"{"time": 7, "a": 1, "b": 2}"#, Timestamp::ZERO);
        search.line(b"text", Timestamp::ZERO);
        let mut heard = Heard { source: "s".to_string(), ..Heard::default() };
        search.tell(&mut heard);
        let said: Vec<ApplicationRow> = said.try_iter().collect();
        assert_eq!(
            row(&said[0]),
            [("app.time", Some(7.0)), ("app.a", Some(2.0)), ("app.b", Some(2.0))]
        );
        assert_eq!(
            heard.notes,
            [
                "s: 1 line was not a JSON object and skipped by --app-json",
                "s: lines have a member \"time\", which --app-json skips; rows have the time \
                 at which they arrived"
            ]
        );
    }

    #[test]
    fn rows_without_room_are_dropped_and_counted() {
        let (mut search, said) = search(&["a=last-number"], false, 2);
        for n in 0..5 {
            search.line(format!("{n}").as_bytes(), Timestamp::from_nanoseconds(n));
        }
        let mut heard = Heard { source: "s".to_string(), ..Heard::default() };
        search.tell(&mut heard);
        assert_eq!((said.try_iter().count(), heard.dropped, heard.matched), (2, 3, 5));
    }

    #[test]
    fn silence_is_told() {
        let (search, _said) = search(&["a=last-number"], false, 2);
        let mut heard = Heard { source: "s".to_string(), ..Heard::default() };
        search.tell(&mut heard);
        assert_eq!(heard.notes, ["s: no lines arrived"]);
    }
}
