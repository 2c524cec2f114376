//! Series of a metric store, read as a run.

mod credentials;
mod named;
mod range;

pub(crate) use named::SeriesNames;

use crate::{EngineError, Watch};
use fathom_fetch::http::{Client, HttpAddress};
use fathom_fetch::prometheus::{Loading, NamedExpression, Prometheus, SeriesQuestion, load};
use fathom_formats::trace_imports::{ImportOptions, ImportedRun};
use fathom_record::{Span, Timestamp};
use fathom_request::{MetricStore, TypedSpan};
use fathom_sys::signals::Interrupt;
use range::StoreRange;
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// For how long a store may say nothing. Prometheus gives up on a query after two minutes.
const PATIENCE: Duration = Duration::from_secs(130);

/// What a store had.
pub(crate) struct StoredRun {
    /// The series.
    pub(crate) run: ImportedRun,
    /// What they can be called.
    pub(crate) names: SeriesNames,
}

/// Reads what a request wants of a store. Times in `windows`, and the store's range, become moments that
/// mean the same tomorrow.
pub(crate) fn read(
    store: &mut MetricStore,
    windows: &mut [&mut TypedSpan],
    options: &ImportOptions,
    watch: &mut dyn Watch,
) -> Result<StoredRun, EngineError> {
    if store.address.is_empty() {
        return Err(EngineError::usage(
            "--match, --query, --range, --history, --step, --header and options for credentials are for a \
             metric store: name it with --from http://HOST:9090",
        ));
    }
    if options.time_unit.is_some() || options.format.is_some() {
        return Err(EngineError::usage(
            "a metric store states its times and its format; leave out --trace-time-unit, --time-unit \
             and --input-format",
        ));
    }
    let address = HttpAddress::parse(&store.address)
        .map_err(|error| EngineError::usage(format!("--from: {error}")))?;
    let mut client = Client::new(address.clone(), PATIENCE);
    let secrets = credentials::put_into(&mut client, &store.access)?;
    let prometheus = Prometheus::new(client, secrets);
    let interrupt = Interrupt::install()
        .map_err(|error| EngineError::file(format!("signals cannot be handled: {error}"), error))?;
    let mut notes = Vec::new();
    let now = prometheus.time(&|| !interrupt.requested())?;
    notes.extend(skew(now, this_clock()));
    if secrets && !is_here(&address) {
        notes.push(format!("the credentials went to {} unencrypted", address.authority()));
    }
    let range = StoreRange::resolve(store, windows, now)?;
    let question = SeriesQuestion {
        matches: store.matches.clone(),
        queries: store
            .queries
            .iter()
            .map(|query| NamedExpression {
                name: query.name().to_string(),
                expression: query.expression().to_string(),
            })
            .collect(),
        start: range.start,
        end: range.end,
        step: store.step,
    };
    let told = Mutex::new(&mut *watch);
    let answer = load(&prometheus, &question, &|loading| {
        if let Ok(mut watch) = told.lock() {
            watch.progress(&|| progress(loading));
        }
        !interrupt.requested()
    });
    watch.clear();
    let answer = answer?;
    notes.extend(answer.notes);
    let names: Vec<_> = answer.series.iter().map(|one| one.labels.clone()).collect();
    let authority = address.authority();
    let Some(run) = ImportedRun::of_store(&plain(authority), answer.series, options) else {
        return Err(EngineError::usage(format!("{address} has no samples")));
    };
    let names = SeriesNames::new(names);
    Ok(StoredRun { run: ImportedRun { notes, ..run }, names })
}

/// A run's name is from a file's, whose extension goes: an address has none.
fn plain(authority: &str) -> String {
    authority.replace(['.', ':', '[', ']'], "-")
}

fn progress(loading: Loading) -> String {
    #[allow(clippy::cast_precision_loss, reason = "a rounded number")]
    let millions = |count: usize| count as f64 / 1e6;
    let coming = match loading.bytes {
        0 => String::new(),
        bytes => format!(", {:.1} MB of the next answer", millions(bytes)),
    };
    match loading.series {
        0 => format!("asking for series{coming}"),
        series => format!(
            "loading {series} series: {:.0}%, {:.1} million samples{coming}",
            loading.share * 100.0,
            millions(loading.samples)
        ),
    }
}

/// Now, by this machine.
fn this_clock() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::ZERO + Span::from(since)
}

/// That the clocks differ, if they do by much.
fn skew(theirs: Timestamp, ours: Timestamp) -> Option<String> {
    const MUCH: i64 = 30;
    let ahead = theirs.relative_to(ours).nanoseconds() / 1_000_000_000;
    let direction = if ahead < 0 { "behind" } else { "ahead of" };
    (ahead.abs() >= MUCH).then(|| {
        format!(
            "the store's clock is {} s {direction} this machine's; times here are the store's",
            ahead.abs()
        )
    })
}

fn is_here(address: &HttpAddress) -> bool {
    address.host().eq_ignore_ascii_case("localhost")
        || address.host().parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_that_differ_are_told() {
        let at = |seconds: i64| Timestamp::from_nanoseconds(seconds * 1_000_000_000);
        assert_eq!(skew(at(100), at(120)), None);
        let text = |theirs, ours| skew(at(theirs), at(ours)).unwrap();
        assert!(text(100, 400).starts_with("the store's clock is 300 s behind this machine's"));
        assert!(text(500, 400).starts_with("the store's clock is 100 s ahead of this machine's"));
    }
}
