//! Every file of the fuzzer's corpus is read or refused.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "corpus/manifest.rs"]
mod manifest;
#[path = "corpus/observations.rs"]
mod observations;
#[path = "corpus/parquet.rs"]
mod parquet;
#[path = "corpus/read_bytes.rs"]
mod read_bytes;
#[path = "corpus/trace_imports.rs"]
mod trace_imports;

use fathom_testkit::corpus::replay;

#[test]
fn samples() {
    replay("read_bytes", read_bytes::check).unwrap();
}

#[test]
fn executions() {
    replay("observations", observations::check).unwrap();
}

#[test]
fn imported_traces() {
    replay("trace_imports", trace_imports::check).unwrap();
}

#[test]
fn manifests() {
    replay("manifest", manifest::check).unwrap();
}

#[test]
fn parquet_files() {
    replay("parquet", parquet::check).unwrap();
}
