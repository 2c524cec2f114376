//! A sequence as straight lines.
