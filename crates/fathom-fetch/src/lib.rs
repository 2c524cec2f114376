//! What other programs are asked over the network: [`prometheus`] reads the series of a metric store as
//! a run of a trace, [`http`] is the client for it. Nothing else in Fathom connects to other machines.
//!
//! There is no TLS here: addresses with `https` are refused, with how to tunnel.

pub mod http;
pub mod prometheus;
