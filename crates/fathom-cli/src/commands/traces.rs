//! `fathom import`, `fathom export`, and `fathom show` of a folder of traces.

pub(crate) use fathom_engine::traces::is_traces;

use crate::arguments::{Color, ExportArguments, ImportArguments, ShowArguments, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use crate::writer::{self, Forms};
use fathom_engine::EngineError;
use fathom_engine::traces::{self, AlignedExport, ExportChoice, Import};
use fathom_formats::trace_imports::ImportOptions;
use fathom_render::traces::{render, render_imported, table};
use std::path::Path;

pub(crate) fn import(arguments: &ImportArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let import = Import {
        files: arguments.files.clone(),
        store: arguments.metric_store.store(),
        options: ImportOptions {
            format: arguments.input_format,
            time_unit: arguments.time_unit,
            counters: arguments.counters.clone(),
        },
        merge: arguments.merge,
        common: arguments.common.clone(),
        layers: arguments.layers.clone(),
        derived: arguments.derived.clone(),
    };
    let mut terminal = Terminal::new(Style::Auto, arguments.quiet, color);
    let (into, force) = (&arguments.into, arguments.force);
    let manifest = traces::import(&import, into, force, &mut terminal)?;
    if !arguments.quiet {
        output::print(&render_imported(&manifest, &arguments.into, output::width()), color)?;
    }
    Ok(CommandOutcome::Done)
}

pub(crate) fn export(arguments: &ExportArguments) -> Result<CommandOutcome, Failure> {
    let common = arguments.common.as_deref();
    let choice = ExportChoice {
        run: arguments.run.as_deref(),
        sampler: arguments.sampler.as_deref(),
        aligned: arguments.aligned.as_deref().map(|reference| AlignedExport { reference, common }),
    };
    match &arguments.into {
        Some(folder) => traces::export(&arguments.traces, choice, folder)?,
        None => {
            let mut out = std::io::stdout().lock();
            traces::export_table(&arguments.traces, choice, &mut out).map_err(unless_closed)?;
        }
    }
    Ok(CommandOutcome::Done)
}

/// A reader that closes standard output early has seen enough: that is not an error.
fn unless_closed(error: EngineError) -> Failure {
    if error.is_broken_pipe() { Failure::BrokenPipe } else { error.into() }
}

pub(crate) fn show(arguments: &ShowArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let folder = Path::new(&arguments.session);
    let found = traces::summaries(folder, arguments.run.as_deref(), &arguments.metrics)?;
    let output = &arguments.output;
    let forms = Forms {
        human: &|| {
            let (unit, width) = (output.time_unit, output::width());
            render(&found.manifest, &found.runs, output.detail(), unit, width)
        },
        json: &|with_shapes| Ok(found.to_json(with_shapes)?),
        table: &|| table(&found.runs),
        warnings: Vec::new(),
        warnings_if_quiet: Vec::new(),
    };
    writer::write(&forms, output, Style::Auto, color)?;
    // One damaged run does not hide the others; the error comes after them.
    match found.damaged {
        Some(error) => Err(error.into()),
        None => Ok(CommandOutcome::Done),
    }
}
