//! A run as a row of the table `runs`.

use crate::StoreError;
use crate::fields::{Fields, Flaw, count, sealed};
use fathom_record::{BlockSlot, Ending, Phase, Reading, Run, Span, Timestamp, Usage};
use rusqlite::types::{Value, ValueRef};

pub(crate) const TABLE: &str = "runs";
/// How many columns the table has.
pub(crate) const COLUMNS: usize = 19;

/// Marks a run of the empty shell. It is kept as a warm-up with this reading, so that an older
/// Fathom, which does not know such runs, leaves them out instead of taking the row for damage.
const EMPTY_SHELL: &str = "phase:empty-shell";

/// A run and its key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RunRow {
    pub(crate) session: i64,
    pub(crate) number: i64,
    pub(crate) run: Run,
}

/// The columns of a run in the order of the table.
pub(crate) fn encode(session: i64, number: i64, run: &Run) -> Result<Vec<Value>, StoreError> {
    // JSON has no infinity: it would come back as nothing at all.
    if let Some(bad) = run.readings.iter().find(|reading| !reading.value.is_finite()) {
        return Err(StoreError::NotFinite { name: bad.name.clone(), value: bad.value });
    }
    let mut readings = run.readings.clone();
    if run.phase == Phase::EmptyShell {
        readings.push(Reading { name: EMPTY_SHELL.to_string(), value: 1.0 });
    }
    let readings = match readings.as_slice() {
        [] => Value::Null,
        some => Value::Text(serde_json::to_string(some).map_err(StoreError::json)?),
    };
    let (ending, ending_value) = match run.ending {
        Ending::Exited(status) => ("exited", Value::Integer(status.into())),
        Ending::Signalled(signal) => ("signalled", Value::Integer(signal.into())),
        Ending::TimedOut => ("timed_out", Value::Null),
    };
    let place = |part: fn(&BlockSlot) -> usize| {
        run.place.as_ref().map_or(Value::Null, |place| count(part(place) as u64))
    };
    let phase = match run.phase {
        Phase::Warmup | Phase::EmptyShell => "warmup",
        Phase::Measured => "measured",
    };
    let usage = &run.usage;
    Ok(sealed(
        TABLE,
        vec![
            Value::Integer(session),
            Value::Integer(number),
            count(run.subject as u64),
            Value::Text(phase.into()),
            place(|place| place.block),
            place(|place| place.slot),
            Value::Integer(run.began.nanoseconds()),
            Value::Text(ending.into()),
            ending_value,
            count(usage.wall.nanoseconds()),
            count(usage.user.nanoseconds()),
            count(usage.system.nanoseconds()),
            count(usage.peak_memory),
            count(usage.minor_faults),
            count(usage.major_faults),
            count(usage.voluntary_switches),
            count(usage.involuntary_switches),
            readings,
        ],
    ))
}

/// Reads what [`encode`] wrote.
pub(crate) fn decode(values: &[ValueRef<'_>]) -> Result<RunRow, Flaw> {
    let mut fields = Fields::checked(TABLE, values)?;
    let session = fields.integer("session")?;
    let number = fields.integer("number")?;
    let subject = size(&mut fields, "subject")?;
    let phase = match fields.text("phase")? {
        "warmup" => Phase::Warmup,
        "measured" => Phase::Measured,
        _ => return Err(fields.flaw("phase")),
    };
    let place = match (fields.maybe_integer("block")?, fields.maybe_integer("slot")?) {
        (Some(block), Some(slot)) => {
            let size = |number: i64, column| {
                usize::try_from(number.cast_unsigned())
                    .map_err(|_| Flaw::Column { table: TABLE, column })
            };
            Some(BlockSlot { block: size(block, "block")?, slot: size(slot, "slot")? })
        }
        (None, None) => None,
        _ => return Err(fields.flaw("slot")),
    };
    let began = Timestamp::from_nanoseconds(fields.integer("began_ns")?);
    let ending = fields.text("ending")?;
    let value = fields.maybe_integer("ending_value")?.map(i32::try_from);
    let ending = match (ending, value) {
        ("exited", Some(Ok(status))) => Ending::Exited(status),
        ("signalled", Some(Ok(signal))) => Ending::Signalled(signal),
        ("timed_out", None) => Ending::TimedOut,
        _ => return Err(fields.flaw("ending")),
    };
    let mut span = |column| fields.count(column).map(Span::from_nanoseconds);
    let usage = Usage {
        wall: span("wall_ns")?,
        user: span("user_ns")?,
        system: span("system_ns")?,
        peak_memory: fields.count("peak_memory")?,
        minor_faults: fields.count("minor_faults")?,
        major_faults: fields.count("major_faults")?,
        voluntary_switches: fields.count("voluntary_switches")?,
        involuntary_switches: fields.count("involuntary_switches")?,
    };
    let mut readings: Vec<Reading> = match fields.maybe_text("readings")? {
        Some(text) => serde_json::from_str(text).map_err(|_| fields.flaw("readings"))?,
        None => Vec::new(),
    };
    let mut phase = phase;
    if phase == Phase::Warmup && readings.iter().any(|reading| reading.name == EMPTY_SHELL) {
        phase = Phase::EmptyShell;
        readings.retain(|reading| reading.name != EMPTY_SHELL);
    }
    let run = Run { subject, phase, place, began, ending, usage, readings };
    Ok(RunRow { session, number, run })
}

fn size(fields: &mut Fields<'_>, column: &'static str) -> Result<usize, Flaw> {
    let number = fields.count(column)?;
    usize::try_from(number).map_err(|_| fields.flaw(column))
}
