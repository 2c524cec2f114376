//! `fathom ui`: traces or a session in the browser.

use super::opening::{self, explained, opened_traces};
use super::redirect_file::RedirectFile;
use crate::arguments::{Color, UiArguments};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use fathom_sys::signals::Interrupt;
use fathom_ui::serve::{Address, ServeOptions, serve};
use fathom_ui::{Opened, Page};
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) fn run(arguments: &UiArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let opened = opened(arguments, color)?;
    let page = Page::built().map_err(Failure::input)?;
    let interrupt = Interrupt::install().map_err(Failure::input)?;
    if !arguments.bind.is_loopback() {
        output::print_warning(
            &format!(
                "warning: the data can be read from other machines through {}, by whoever has the \
                 address or sees it on its way: it is not encrypted",
                arguments.bind
            ),
            color,
        );
    }
    let options =
        ServeOptions { ip: arguments.bind, port: arguments.port, hosts: arguments.hosts.clone() };
    let mut printed = Ok(());
    // Until the end: nobody knows how long a browser takes to start.
    let mut redirect = None;
    let ready = |address: &Address| {
        printed = output::print(&format!("{address}\n"), color);
        if !arguments.no_open {
            redirect = RedirectFile::to(&address.to_string()).ok();
            if let Some(file) = &redirect {
                open_browser(file.path());
            }
        }
        output::print_warning("the page is served until Ctrl-C", color);
    };
    serve(&page, opened, &options, ready, move || interrupt.requested()).map_err(Failure::input)?;
    drop(redirect);
    printed?;
    Ok(CommandOutcome::Done)
}

fn opened(arguments: &UiArguments, color: Color) -> Result<Opened, Failure> {
    if !arguments.question.ranking.metrics.is_empty() {
        return Err(Failure::input("--filter is for explain and report; the page has a search"));
    }
    let Some(explanation) = explained(&arguments.open, &arguments.question)? else {
        let question = arguments.question.request(arguments.open.traces())?;
        return opening::open(&arguments.open, question.as_ref(), color);
    };
    let request = &explanation.request;
    if !request.ranking.filter.is_empty() {
        let only = request.ranking.filter.join(", ");
        output::print_warning(&format!("note: all metrics are ranked, not only {only}"), color);
    }
    let opened = opened_traces(&request.traces, Some(request), &arguments.open, color)?;
    Ok(Opened::Traces(Box::new(opened)))
}

/// Hands a file that leads to the address to what opens files here; if nothing does, the address was
/// printed.
fn open_browser(file: &Path) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // It may be the browser itself, which runs for long.
        let waiting = std::thread::Builder::new().spawn(move || child.wait());
        // Without a thread for it, it is waited for when this process ends.
        drop(waiting);
    }
}
