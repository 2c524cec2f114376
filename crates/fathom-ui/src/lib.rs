//! Fathom's explorer in the browser, and reports of one file.
//!
//! ```text
//! Opened ──► traces, session, check ──► JSON ──► serve: page on loopback
//!                      └──► figure       └────► report: page with its data inside
//! ```
//!
//! Nothing here opens a file that a request names: the caller opens the data and passes them as
//! [`Opened`]. The page is in `web/`; the build script makes it, where there is Node.

pub mod check;
pub mod figure;
mod opened;
mod page;
pub mod report;
pub mod serve;
pub mod session;
pub mod traces;

pub use opened::{Opened, OpenedSession, OpenedTraces, SessionSource};
pub use page::{Page, PageMissing};
