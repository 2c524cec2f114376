//! `fathom ui`: traces or a session in the browser.

use super::opening;
use crate::arguments::{Color, UiArguments};
use crate::failure::{Failure, Outcome};
use crate::output;
use fathom_sys::signals::Interrupt;
use fathom_ui::Page;
use fathom_ui::serve::{Address, ServeOptions, serve};
use std::process::{Command, Stdio};

pub(crate) fn run(arguments: &UiArguments, color: Color) -> Result<Outcome, Failure> {
    let page = Page::built().map_err(Failure::input)?;
    let opened = opening::open(&arguments.open, color)?;
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
    let ready = |address: &Address| {
        printed = output::print(&format!("{address}\n"), color);
        if !arguments.no_open {
            open_browser(&address.to_string());
        }
        output::print_warning("the page is served until Ctrl-C", color);
    };
    serve(&page, opened, &options, ready, move || interrupt.requested()).map_err(Failure::input)?;
    printed?;
    Ok(Outcome::Done)
}

/// Hands the address to what opens addresses here; if nothing does, the address was printed.
fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // It may be the browser itself, which runs for long.
        std::thread::spawn(move || child.wait());
    }
}
