//! Facts about the host that decide how well it measures, and what they mean.
//!
//! Facts come from files of `/proc` and `/sys` below a root folder, "/" on a real machine. What is
//! missing, unreadable or odd is unknown, never guessed. Each fact has a file here, together with
//! its judgement: a [`Finding`] says what is, why it matters, and what to do.

#![cfg_attr(
    not(feature = "commands"),
    allow(dead_code, reason = "judgements live with their facts; without findings nobody asks")
)]

#[cfg(feature = "commands")]
mod aslr;
mod brief;
pub(crate) mod cgroup;
#[cfg(feature = "commands")]
mod clock;
#[cfg(feature = "commands")]
mod container;
mod cpu_list;
mod cpu_quota;
mod cpu_times;
#[cfg(feature = "commands")]
mod findings;
#[cfg(feature = "commands")]
mod frequency;
mod governor;
#[cfg(feature = "commands")]
mod huge_pages;
#[cfg(feature = "commands")]
mod interruptions;
#[cfg(feature = "commands")]
mod isolation;
#[cfg(feature = "commands")]
mod kernel;
mod load;
#[cfg(feature = "commands")]
mod memory;
#[cfg(feature = "commands")]
mod perf_events;
mod power;
mod pressure;
mod processor;
#[cfg(feature = "commands")]
pub mod program;
#[cfg(feature = "commands")]
mod smt;
mod tree;
#[cfg(feature = "commands")]
mod turbo;
#[cfg(feature = "commands")]
mod unequal_cpus;
#[cfg(feature = "commands")]
mod virtual_machine;
mod warnings;
#[cfg(feature = "commands")]
mod whole;

#[cfg(feature = "commands")]
pub use aslr::Aslr;
pub use brief::Brief;
#[cfg(feature = "commands")]
pub use clock::ClockSource;
#[cfg(feature = "commands")]
pub use container::Container;
pub use cpu_quota::CpuQuota;
pub use cpu_times::{CpuTimes, Shares};
pub use fathom_record::finding::{Finding, Level, Topic};
#[cfg(feature = "commands")]
pub use findings::{Tried, findings};
#[cfg(feature = "commands")]
pub use frequency::{CpuFrequency, HostFrequency};
pub use governor::{CpuGovernor, Governor};
#[cfg(feature = "commands")]
pub use huge_pages::HugePages;
#[cfg(feature = "commands")]
pub use interruptions::InterruptionCounts;
#[cfg(feature = "commands")]
pub use isolation::Isolation;
#[cfg(feature = "commands")]
pub use kernel::{HostKernel, Mitigation};
pub use load::Load;
#[cfg(feature = "commands")]
pub use memory::HostMemory;
#[cfg(feature = "commands")]
pub use perf_events::{Access, Counter, PerfEvents};
pub use power::Power;
pub use pressure::Pressure;
pub use processor::Processor;
#[cfg(feature = "commands")]
pub use smt::Smt;
#[cfg(feature = "commands")]
pub use turbo::{Switch, Turbo};
#[cfg(feature = "commands")]
pub use unequal_cpus::Strength;
#[cfg(feature = "commands")]
pub use virtual_machine::VirtualMachine;
pub use warnings::{warnings_before, warnings_between};
#[cfg(feature = "commands")]
pub use whole::Host;
