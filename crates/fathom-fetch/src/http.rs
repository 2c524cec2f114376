//! A small HTTP/1.1 client: one request for each connection, one answer. It follows no redirects,
//! because credentials would go with it.

mod address;
mod answer;
mod client;
mod credentials;
mod escape;

pub use address::{AddressError, HttpAddress};
pub use answer::{AnswerError, Head, shown};
pub use client::{Client, FetchError, HttpAnswer};
pub use credentials::basic_authentication;
pub use escape::form;
