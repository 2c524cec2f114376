//! The attribute of `fathom-bench`, which exports it: use it from there.
//!
//! `Arguments` are what stands in its parentheses, a `Signature` what it sees of the function,
//! and a `BenchPlan` the two after they were found to agree, from which `expansion` writes code. There
//! is no parser of Rust in it: the body of the function and the values of arguments are handed on.

mod agreement;
mod arguments;
mod bench_plan;
mod expansion;
mod failure;
mod generics;
mod instance;
mod parameter;
mod signature;
mod suggestion;
mod template;
mod tokens;

use arguments::Arguments;
use bench_plan::BenchPlan;
use failure::Failure;
use proc_macro::{Span, TokenStream};
use signature::Signature;

#[doc = include_str!("bench.md")]
#[proc_macro_attribute]
pub fn bench(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let beside = registration(arguments, item.clone()).unwrap_or_else(Failure::into_compile_error);
    let mut tokens = item;
    tokens.extend(beside);
    tokens
}

fn registration(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Failure> {
    let signature = Signature::parse(item)?;
    let arguments = Arguments::parse(arguments)?;
    let plan = BenchPlan::new(arguments, signature)?;
    plan.expand().map_err(|error| {
        let message = format!("`#[bench]` wrote code that is none ({error}): please report this");
        Failure::at(Span::call_site(), message)
    })
}

#[cfg(doctest)]
#[doc = include_str!("../tests/editions/README.md")]
mod editions {}
