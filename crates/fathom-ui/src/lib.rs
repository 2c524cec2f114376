//! Fathom's explorer in the browser, and reports of one file.
//!
//! ```text
//! Opened ──► traces, session ──► JSON ──► serve: page on loopback
//!                                  └────► report: page with its data inside
//! ```
//!
//! Nothing here opens a file that a request names: the caller opens the data and passes them as
//! [`Opened`]. The page is in `web/`; the build script makes it, where there is Node.

mod opened;
mod page;
pub mod report;
pub mod serve;
pub mod session;
pub mod traces;

pub use opened::{Opened, OpenedSession, OpenedTraces, SessionSource};
pub use page::{Page, PageMissing};
