//! What to measure, once the arguments and the function are known to agree.

use crate::agreement;
use crate::arguments::{Argument, Arguments, List};
use crate::failure::Failure;
use crate::generics::{Generic, GenericKind};
use crate::parameter::{Parameter, ParameterKind};
use crate::signature::Signature;

/// A function and how to measure it: all that its registration is written from.
#[derive(Debug)]
pub(crate) struct BenchPlan {
    pub(crate) signature: Signature,
    pub(crate) arguments: Arguments,
    /// Whether the function's first parameter is a `Bencher`.
    pub(crate) takes_bencher: bool,
    /// How the function takes what comes from `args`, if it does.
    pub(crate) passing: Option<Passing>,
}

/// How a function takes an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    /// By value: each call gets a clone.
    Cloned,
    /// By reference.
    Shared,
}

impl BenchPlan {
    pub(crate) fn new(arguments: Arguments, signature: Signature) -> Result<Self, Failure> {
        let takes_bencher = signature
            .parameters
            .first()
            .is_some_and(|parameter| parameter.kind == ParameterKind::Bencher);
        let mut plan = Self { signature, arguments, takes_bencher, passing: None };
        agreement::check(&plan)?;
        plan.passing = plan.inputs().first().map(|input| match input.kind {
            ParameterKind::Shared => Passing::Shared,
            _ => Passing::Cloned,
        });
        Ok(plan)
    }

    /// The parameters that `args` must fill.
    pub(crate) fn inputs(&self) -> &[Parameter] {
        &self.signature.parameters[usize::from(self.takes_bencher)..]
    }

    /// The generic parameters of a kind.
    pub(crate) fn generics(&self, kind: GenericKind) -> impl Iterator<Item = &Generic> {
        self.signature.generics.iter().filter(move |generic| generic.kind == kind)
    }

    /// The list of values of a kind of generic parameter.
    pub(crate) fn list(&self, kind: GenericKind) -> Option<&List> {
        match kind {
            GenericKind::Type => self.arguments.types.as_ref(),
            GenericKind::Const => self.arguments.consts.as_ref(),
            GenericKind::Lifetime => None,
        }
    }

    /// How much a call does, with the variant of `Throughput` that says it.
    pub(crate) fn throughput(&self) -> Option<(&'static str, &Argument)> {
        let bytes = self.arguments.bytes.as_ref().map(|bytes| ("Bytes", bytes));
        bytes.or_else(|| self.arguments.items.as_ref().map(|items| ("Items", items)))
    }
}
