//! Estimates from data made elsewhere.

mod reading;

use crate::{Answer, Engine, EngineError, provenance};
use fathom_analyze::{EstimateRequest, QuantileProperty, Report, Statistic, Subject, Warning};
use fathom_analyze::{analyze, analyze_work};
use fathom_record::{Series, Unit};
use fathom_request::AnalyzeRequest;
use fathom_stats::quantile::spa::Direction;
use fathom_stats::work_rate::WorkRateError;
use reading::{ReadNotes, read, read_files};

impl Engine<'_> {
    /// Estimates what is asked from files of measurements.
    ///
    /// # Errors
    /// A file cannot be read, or the method does not serve the statistic.
    pub fn analyze(&mut self, request: &AnalyzeRequest) -> Result<Answer<Report>, EngineError> {
        let question = question(request)?;
        let mut notes = ReadNotes::default();
        let subjects = match &request.work_column {
            Some(column) => work(request, column, &question, &mut notes)?,
            None => {
                let series = read(request, &mut notes)?;
                series.into_iter().map(|series| analyze(series, &question)).collect()
            }
        };
        Ok(Answer::of(Report {
            command_line: self.asked_by(&request.clone().into()),
            seed: question.seed,
            environment: provenance::of_files(&request.files, notes.standard_input),
            subjects,
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            comparisons: None,
            warnings: notes.notes.into_iter().map(Warning::from).collect(),
        }))
    }
}

fn question(request: &AnalyzeRequest) -> Result<EstimateRequest, EngineError> {
    let property = request.probability.map(|proportion| QuantileProperty {
        proportion,
        direction: request.direction.unwrap_or(Direction::AtMost),
    });
    let mut statistics: Vec<Statistic> = Vec::new();
    statistics.extend(property.map(|property| property.statistic()));
    for &statistic in &request.statistics {
        if !statistics.contains(&statistic) {
            statistics.push(statistic);
        }
    }
    if statistics.is_empty() {
        statistics.push(Statistic::MEDIAN);
    }
    let question = EstimateRequest {
        statistics,
        confidence: request.confidence,
        method: request.method,
        other_methods: request.other_methods.clone(),
        subsession_range: request.subsession_range.unwrap_or_default(),
        sides: request.sides,
        seed: request.seed,
        property,
        ..request.cleaning.apply(EstimateRequest::default())
    };
    question.check()?;
    Ok(question)
}

/// A rate of work from each file's pairs of work and time.
fn work(
    request: &AnalyzeRequest,
    column: &str,
    question: &EstimateRequest,
    notes: &mut ReadNotes,
) -> Result<Vec<Subject>, EngineError> {
    if request.input.columns.len() > 1 {
        return Err(EngineError::usage(
            "--work-column takes the time from one --column, not several",
        ));
    }
    // With the time's column named, only those two are read; else all, and the rest must be one.
    let mut columns = Vec::new();
    if let Some(time) = request.input.columns.first() {
        columns = vec![column.to_string(), time.clone()];
    }
    let mut subjects = Vec::new();
    for (file, series) in read_files(request, &columns, notes)? {
        let is_work = |place: usize, series: &Series| {
            series.name() == column || column.parse() == Ok(place + 1)
        };
        let place = match columns.is_empty() {
            false => Some(0),
            true => series.iter().enumerate().position(|(place, series)| is_work(place, series)),
        };
        let names: Vec<&str> = series.iter().map(Series::name).collect();
        let (Some(place), 2) = (place, series.len()) else {
            return Err(EngineError::usage(format!(
                "{file}: --work-column {column} needs that column and one with the time, and the \
                 file has {}; name the time with --column",
                names.join(", ")
            )));
        };
        let amounts = series[place].clone().with_unit(match series[place].unit() {
            unit if Some(unit) == request.input.unit.as_ref() => Unit::Unknown,
            unit => unit.clone(),
        });
        let time = series[1 - place].clone();
        let name = if request.files.len() > 1 { file.clone() } else { time.name().to_string() };
        let subject = analyze_work(&amounts, time.renamed(name), question);
        // What no analysis of this file can answer is wrong input.
        if let Some(error) = subject.work.as_ref().and_then(|work| work.found.as_ref().err())
            && matches!(error, WorkRateError::TooFew { .. } | WorkRateError::SameWork)
        {
            return Err(EngineError::from(*error).about(&file));
        }
        subjects.push(subject);
    }
    Ok(subjects)
}
