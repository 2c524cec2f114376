//! What starting a command through the spawner adds to its measured time, compared with a bare loop
//! of posix_spawn and wait4: `cargo run --release -p fathom-sys --example spawn_cost [RUNS]`.
#![allow(unsafe_code, reason = "posix_spawn is what we compare with")]
#![allow(clippy::print_stdout, reason = "it prints its result")]

use fathom_record::Span;
use fathom_sys::clock::monotonic;
use fathom_sys::resolve::resolve;
use fathom_sys::spawner::{Order, Spawner, Stream, Wait, serve_if_asked};
use std::error::Error;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    serve_if_asked();
    let runs: usize = match std::env::args().nth(1) {
        Some(runs) => runs.parse()?,
        None => 2000,
    };
    let path = std::env::var_os("PATH");
    let program = resolve(OsStr::new("true"), path.as_deref(), Path::new("."))?;
    let name = CString::new(program.as_os_str().as_bytes())?;
    let mut order = Order::new(&program, vec!["true".into()]);
    order.errors = Stream::Null;
    let mut piped = Order::new(&program, vec!["true".into()]);
    piped.output = Stream::Discard;
    let mut spawner = Spawner::start(Path::new("/proc/self/exe"))?;
    let mut times: [Vec<Span>; 5] = [const { Vec::new() }; 5];
    for _ in 0..runs {
        let wait = &mut |_| Wait::Continue;
        times[0].push(bare(&name)?);
        times[1].push(spawner.execute(&order, None, wait)?.usage.wall);
        times[2].push(spawner.execute(&piped, None, wait)?.usage.wall);
        let began = monotonic();
        spawner.execute(&order, None, wait)?;
        times[3].push(monotonic() - began);
        times[4].push(creation());
    }
    let names = [
        "bare posix_spawn",
        "spawner",
        "spawner, pipes",
        "whole call of execute",
        "posix_spawn of nothing",
    ];
    let base = median(&mut times[0]);
    for (name, times) in names.iter().zip(&mut times) {
        let median = median(times);
        println!("{name:22} median {median:8.1} us, {:+8.1} us", median - base);
    }
    println!("floor under peak memory: {} KiB", spawner.peak_memory_floor() / 1024);
    let peak = spawner.execute(&order, None, &mut |_| Wait::Continue)?.usage.peak_memory;
    println!("peak memory of true:     {} KiB", peak / 1024);
    Ok(())
}

fn median(times: &mut [Span]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(f64::NAN, |time| time.nanoseconds_f64() / 1000.0)
}

/// Makes a process and finds nothing to execute in it: the part of `bare` before exec, which the
/// spawner leaves out.
fn creation() -> Span {
    let arguments = [c"nothing".as_ptr().cast_mut(), std::ptr::null_mut()];
    let mut pid = 0;
    let began = monotonic();
    // SAFETY: the strings are NUL-ended, the lists null-ended, the result has room.
    unsafe {
        libc::posix_spawn(
            &raw mut pid,
            c"/no/such/program".as_ptr(),
            std::ptr::null(),
            std::ptr::null(),
            arguments.as_ptr(),
            [std::ptr::null_mut()].as_ptr(),
        );
    }
    monotonic() - began
}

/// Runs it with no streams changed; the time from before the spawn to after the wait.
fn bare(program: &CString) -> Result<Span, Box<dyn Error>> {
    let mut pid = 0;
    let mut status = 0;
    unsafe extern "C" {
        static environ: *const *mut libc::c_char;
    }
    let arguments = [c"true".as_ptr().cast_mut(), std::ptr::null_mut()];
    let began = monotonic();
    // SAFETY: the strings are NUL-ended, the lists null-ended, the results have room.
    let failed = unsafe {
        libc::posix_spawn(
            &raw mut pid,
            program.as_ptr(),
            std::ptr::null(),
            std::ptr::null(),
            arguments.as_ptr(),
            environ,
        ) != 0
            || libc::wait4(pid, &raw mut status, 0, std::ptr::null_mut()) != pid
    };
    let ended = monotonic();
    if failed || status != 0 {
        return Err("true did not run".into());
    }
    Ok(ended - began)
}
