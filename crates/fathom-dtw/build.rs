//! Says whether the compiler knows the AVX-512 instructions, which are stable since Rust 1.89.
//! With an older one the crate is complete without that kernel.
#![allow(clippy::print_stdout, reason = "it is how a build script speaks to cargo")]

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(avx512_instructions)");
    if minor_version().is_some_and(|minor| minor >= 89) {
        println!("cargo::rustc-cfg=avx512_instructions");
    }
}

/// The 95 of `rustc 1.95.0 (59807616e 2026-04-14)`.
fn minor_version() -> Option<u32> {
    let said = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let said = String::from_utf8(said.stdout).ok()?;
    let version = said.split_whitespace().nth(1)?;
    let mut parts = version.split('.');
    if parts.next()? != "1" {
        return Some(u32::MAX);
    }
    parts.next()?.parse().ok()
}
