//! From a question to series.

use super::answers::Labels;
use super::error::PrometheusError;
use super::interface::Prometheus;
use super::kinds::Kinds;
use super::pool::{Pool, Pooled};
use super::refusal::{Asked, NARROW};
use super::slices::Slices;
use super::{PrometheusErrorKind, jobs};
use fathom_formats::trace_imports::StoredSeries;
use fathom_record::trace::Kind;
use fathom_record::{CalendarMoment, Timestamp};
use std::time::Duration;

/// What is asked of a store.
#[derive(Debug, Clone, Default)]
pub struct SeriesQuestion {
    /// Selectors of series.
    pub matches: Vec<String>,
    /// Expressions, each with the name of its series.
    pub queries: Vec<NamedExpression>,
    /// Samples after this moment.
    pub start: Timestamp,
    /// Samples up to this moment.
    pub end: Timestamp,
    /// One sample so often instead of every sample; milliseconds count.
    pub step: Option<Duration>,
}

/// An expression of Prometheus' language, and what its value is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedExpression {
    /// The name.
    pub name: String,
    /// The expression.
    pub expression: String,
}

/// How far it is.
#[derive(Debug, Clone, Copy)]
pub struct Loading {
    /// How many series match what is being loaded; 0 while that is not known.
    pub series: usize,
    /// Samples so far.
    pub samples: usize,
    /// The share of the range that has been loaded, of what is being loaded.
    pub share: f64,
    /// Bytes of the answer that is coming.
    pub bytes: usize,
}

/// What the store had.
#[derive(Debug)]
pub struct SeriesAnswer {
    /// Series with samples.
    pub series: Vec<StoredSeries>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// More series are not loaded.
const MOST_SERIES: usize = 100_000;

/// More samples are not held: about 2 GB.
const MOST_SAMPLES: usize = 40_000_000;

/// How often a store is asked for an expression's value where nothing says how often it changes.
const USUAL_STEP: i64 = 15_000;

/// Prometheus answers no more points of a series at once.
const MOST_POINTS: i64 = 10_000;

/// Loads series. `watch` says whether to keep on.
///
/// # Errors
/// The store does not answer, has no such series, or too many.
pub fn load(
    store: &Prometheus,
    question: &SeriesQuestion,
    watch: &dyn Fn(Loading) -> bool,
) -> Result<SeriesAnswer, PrometheusError> {
    let mut loader = Loader { store, question, watch, pool: Pool::default(), notes: Vec::new() };
    if question.matches.is_empty() && question.queries.is_empty() {
        return Err(jobs::nothing_asked(store, &|_| loader.keep_on(0, 0.0, 0)));
    }
    let kinds = loader.kinds()?;
    loader.load_matches()?;
    loader.load_queries()?;
    loader.finish(&kinds)
}

struct Loader<'a> {
    store: &'a Prometheus,
    question: &'a SeriesQuestion,
    watch: &'a dyn Fn(Loading) -> bool,
    pool: Pool,
    notes: Vec<String>,
}

impl Loader<'_> {
    fn keep_on(&self, series: usize, share: f64, bytes: usize) -> bool {
        (self.watch)(Loading { series, samples: self.pool.samples(), share, bytes })
    }

    /// In milliseconds.
    fn range(&self) -> (i64, i64) {
        let ms = |moment: Timestamp| moment.nanoseconds().div_euclid(1_000_000);
        (ms(self.question.start), ms(self.question.end))
    }

    fn in_words(&self) -> String {
        let of = |moment: Timestamp| CalendarMoment::of(moment).text();
        format!("between {} and {}", of(self.question.start), of(self.question.end))
    }

    /// A store without metadata is no failure: names tell most.
    fn kinds(&mut self) -> Result<Kinds, PrometheusError> {
        if self.question.matches.is_empty() {
            return Ok(Kinds::default());
        }
        match self.store.metadata(&|bytes| self.keep_on(0, 0.0, bytes)) {
            Ok(metadata) => Ok(Kinds::new(metadata)),
            Err(error) if error.kind() == PrometheusErrorKind::Stopped => Err(error),
            Err(error) => {
                self.notes.push(format!(
                    "the store gives no metadata ({error}): counters are told by their names; \
                     --counter NAME marks others"
                ));
                Ok(Kinds::default())
            }
        }
    }

    fn load_matches(&mut self) -> Result<(), PrometheusError> {
        let (start, end) = self.range();
        let times = [seconds(start), seconds(end)];
        let limit = (MOST_SERIES + 1).to_string();
        let mut counts = Vec::new();
        for selector in &self.question.matches {
            let parameters = [
                ("match[]", selector.as_str()),
                ("start", &times[0]),
                ("end", &times[1]),
                ("limit", &limit),
            ];
            let found = self.store.series(&parameters, &|bytes| self.keep_on(0, 0.0, bytes))?;
            counts.push(found.len());
        }
        let all: usize = counts.iter().sum();
        if all == 0 && !self.question.matches.is_empty() {
            let (range, keep_on) = (self.in_words(), |_| self.keep_on(0, 0.0, 0));
            return Err(jobs::nothing_matches(
                self.store,
                &self.question.matches,
                &range,
                &keep_on,
            ));
        }
        if all > MOST_SERIES {
            return Err(PrometheusError::mistake(format!(
                "{} has more than {MOST_SERIES} series that match. Narrow --match, for example to a \
                 job or an instance",
                self.store.address()
            )));
        }
        for (source, (selector, series)) in self.question.matches.iter().zip(counts).enumerate() {
            if series == 0 {
                self.notes.push(format!("no series match --match {selector}"));
                continue;
            }
            match self.question.step {
                None => self.load_raw(source, selector, series)?,
                Some(step) => {
                    let step = milliseconds(step);
                    self.load_steps(source, selector, series, step, Asked::Match, None)?;
                }
            }
        }
        Ok(())
    }

    /// Every sample of a selector's series.
    fn load_raw(
        &mut self,
        source: usize,
        selector: &str,
        series: usize,
    ) -> Result<(), PrometheusError> {
        let (first, last) = self.range();
        let mut slices = Slices::new(first, last, series);
        let before = self.pool.samples();
        while let Some((start, end)) = slices.next() {
            let share = share(first, start, last);
            let query = format!("{selector}[{}ms]", end - start);
            let parameters = [("query", query.as_str()), ("time", &seconds(end))];
            let keep_on = |bytes| self.keep_on(series, share, bytes);
            match self.store.matrix("/api/v1/query", &parameters, Asked::Match, &keep_on) {
                Ok((found, warnings)) => {
                    self.note_warnings(warnings);
                    let samples = self.pool.take(found.result, source, (start, end));
                    slices.done(samples);
                    self.check_size(before, series, self::share(first, end, last))?;
                }
                Err(error) if error.is_too_much && slices.halve() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The value of an expression, or of a selector's series, so often.
    fn load_steps(
        &mut self,
        source: usize,
        expression: &str,
        series: usize,
        step: i64,
        asked: Asked,
        name: Option<&str>,
    ) -> Result<(), PrometheusError> {
        let (first, last) = self.range();
        let mut slices = Slices::new(first, last, series);
        let before = self.pool.samples();
        let step_text = seconds(step);
        while let Some((start, longest)) = slices.next() {
            // Both ends of a slice are on the same grid of steps as those of all others.
            let at = first + (start - first + step) / step * step;
            let end = longest.min(at + (MOST_POINTS - 1) * step);
            if at > last {
                break;
            }
            let end = if end < at { at } else { end };
            let share = share(first, start, last);
            let (from, to) = (seconds(at), seconds(end));
            let parameters =
                [("query", expression), ("start", &from), ("end", &to), ("step", &step_text)];
            let keep_on = |bytes| self.keep_on(series, share, bytes);
            match self.store.matrix("/api/v1/query_range", &parameters, asked, &keep_on) {
                Ok((mut found, warnings)) => {
                    self.note_warnings(warnings);
                    for one in &mut found.result {
                        if let Some(name) = name {
                            one.metric.insert(NAME.to_string(), name.to_string());
                        }
                    }
                    let samples = self.pool.take(found.result, source, (start, end));
                    slices.done_until(end, samples);
                    self.check_size(before, series, self::share(first, end, last))?;
                }
                Err(error) if error.is_too_much && slices.halve() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn load_queries(&mut self) -> Result<(), PrometheusError> {
        let step = match self.question.step {
            Some(step) => milliseconds(step),
            None => self.pool.interval().unwrap_or(USUAL_STEP).max(1),
        };
        for (n, NamedExpression { name, expression }) in self.question.queries.iter().enumerate() {
            let source = self.question.matches.len() + n;
            self.load_steps(source, expression, 1, step, Asked::Query, Some(name))?;
        }
        Ok(())
    }

    fn note_warnings(&mut self, warnings: Vec<String>) {
        for warning in warnings {
            let note = format!("the store warned: {}", crate::http::shown(&warning));
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// What is loaded has to fit into memory; what will not is said early.
    fn check_size(&self, before: usize, series: usize, share: f64) -> Result<(), PrometheusError> {
        let now = self.pool.samples();
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let expected = before as f64 + (now - before) as f64 / share.max(1e-6);
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let is_too_much = now > MOST_SAMPLES || expected > 1.2 * MOST_SAMPLES as f64;
        if !is_too_much {
            return Ok(());
        }
        Err(PrometheusError::mistake(format!(
            "{} has about {:.0} million samples of {series} series {}, and Fathom holds {} million. \
             {NARROW}",
            self.store.address(),
            expected / 1e6,
            self.in_words(),
            MOST_SAMPLES / 1_000_000,
        )))
    }

    fn finish(mut self, kinds: &Kinds) -> Result<SeriesAnswer, PrometheusError> {
        let histograms = self.pool.histograms();
        if histograms > 0 {
            let noun = if histograms == 1 { "histogram" } else { "histograms" };
            self.notes.push(format!(
                "left out {histograms} native {noun}, which cannot be ranked; use --query with \
                 histogram_quantile or histogram_count"
            ));
        }
        let of_matches = self.question.matches.len();
        let (range, address) = (self.in_words(), self.store.address().to_string());
        let series: Vec<StoredSeries> =
            self.pool.into_series().map(|pooled| stored(pooled, of_matches, kinds)).collect();
        for query in &self.question.queries {
            let mut named = series.iter().filter(|one| one.labels.get(NAME) == Some(&query.name));
            if named.clone().any(|one| !one.is_computed) {
                return Err(PrometheusError::mistake(format!(
                    "--query {}: a series has this name already. Choose another one",
                    query.name
                )));
            }
            if named.next().is_none() {
                return Err(PrometheusError::mistake(format!(
                    "--query {}: the expression has no value {range}. Check it on the store's own page",
                    query.name
                )));
            }
        }
        if series.is_empty() {
            return Err(PrometheusError::mistake(format!(
                "series of {address} match, but none has a sample {range}. Check the times, and the \
                 clock and the time zone of this machine"
            )));
        }
        Ok(SeriesAnswer { series, notes: self.notes })
    }
}

const NAME: &str = "__name__";

fn stored(pooled: Pooled, of_matches: usize, kinds: &Kinds) -> StoredSeries {
    let Pooled { labels, points, source } = pooled;
    let is_computed = source >= of_matches;
    let name = labels.get(NAME).map_or("", String::as_str);
    let known = if is_computed { super::kinds::Known::default() } else { kinds.of(name) };
    let kind = if is_computed { Some(Kind::Gauge) } else { kind_of(&labels, known.kind) };
    StoredSeries {
        about: known.help,
        kind,
        times: points.times,
        values: points.values,
        is_computed,
        labels,
    }
}

/// A series with a quantile is a level, whatever its name ends with.
fn kind_of(labels: &Labels, known: Option<Kind>) -> Option<Kind> {
    match (labels.contains_key("quantile"), known) {
        (true, None) => Some(Kind::Gauge),
        (_, known) => known,
    }
}

/// `1794793200.123`, of milliseconds.
fn seconds(milliseconds: i64) -> String {
    format!("{}.{:03}", milliseconds.div_euclid(1000), milliseconds.rem_euclid(1000))
}

fn milliseconds(step: Duration) -> i64 {
    i64::try_from(step.as_millis()).unwrap_or(i64::MAX).max(1)
}

#[allow(clippy::cast_precision_loss, reason = "a share")]
fn share(first: i64, at: i64, last: i64) -> f64 {
    (at - first) as f64 / (last - first).max(1) as f64
}
