//! The code next to a measured function: it registers the function in a suite.

use crate::bench_plan::{BenchPlan, Passing};
use crate::generics::GenericKind;
use crate::template::Filling;
use proc_macro::{Ident, LexError, Literal, Span, TokenStream, TokenTree};

/// A constant without a name, so that nothing in it can be met from outside. `submit!` has unsafe
/// code in it; it is a macro of another crate, so that `forbid(unsafe_code)` does not mind.
const REGISTRATION: &str = "
    const _: () = {
        fn __fathom_bench_register(suite: &mut $krate::Suite<'static>) { $register }
        $helpers
        $krate::__private::inventory::submit! {
            $krate::__private::Attributed {
                module: ::core::module_path!(),
                line: ::core::line!(),
                written: ($line, $column),
                register: __fathom_bench_register,
            }
        }
    };
";

/// Adds one instance of a generic function. Being generic in the same way, it lets the arguments
/// name the parameters: `bytes = N`.
const INSTANCE: &str = "
    fn __fathom_bench_instance<$generics>(suite: &mut $krate::Suite<'static>) $conditions { $add; }
";

/// Arguments that functions take by reference live as long as the program, so that results and
/// futures may borrow from them.
const KEPT: &str = "
    fn __fathom_bench_kept<A: 'static>(
        args: impl ::core::iter::IntoIterator<Item = A>,
    ) -> impl ::core::iter::Iterator<Item = &'static A> {
        ::core::iter::Iterator::map(
            ::core::iter::IntoIterator::into_iter(args),
            |argument| &*::std::boxed::Box::leak(::std::boxed::Box::new(argument)),
        )
    }
";

/// Tells the compiler the type of a closure's parameter before it looks into the closure.
const AMOUNT: &str = "
    fn __fathom_bench_amount<A, N>(argument: &A, of: impl ::core::ops::FnOnce(&A) -> N) -> N {
        of(argument)
    }
";

impl BenchPlan {
    /// The registration of the function.
    pub(crate) fn expand(&self) -> Result<TokenStream, LexError> {
        let mut filling = self.filling()?;
        let case = filling.fill(self.case())?;
        filling.set("case", case);
        let add = self.add(&mut filling)?;
        filling.set("add", add);

        let mut helpers = TokenStream::new();
        if self.passing == Some(Passing::Shared) {
            helpers.extend(filling.fill(KEPT)?);
        }
        if self.passing.is_some() && self.throughput().is_some() {
            helpers.extend(filling.fill(AMOUNT)?);
        }
        let register = if self.is_generic() {
            helpers.extend(filling.fill(INSTANCE)?);
            let mut calls = TokenStream::new();
            for instance in self.instances() {
                filling.set("instance", instance);
                calls.extend(filling.fill("__fathom_bench_instance::<$instance>(suite);")?);
            }
            filling.set("calls", calls);
            // A comparison has its name and is not a group.
            match self.arguments.compare {
                Some(_) => "$calls",
                None => "$krate::Suite::group(suite, $name, |suite| { $calls });",
            }
        } else {
            "$add;"
        };
        let register = filling.fill(register)?;
        filling.set("register", register);
        filling.set("helpers", helpers);
        filling.fill(REGISTRATION)
    }

    /// What the user wrote, by the names that the templates use.
    fn filling(&self) -> Result<Filling, LexError> {
        let mut filling = Filling::default();
        let arguments = &self.arguments;
        for (name, argument) in [
            ("args", &arguments.args),
            ("threads", &arguments.threads),
            ("executor", &arguments.executor),
            ("compare", &arguments.compare),
            ("krate", &arguments.krate),
            ("name", &arguments.name),
        ] {
            if let Some(argument) = argument {
                filling.set(name, argument.tokens());
            }
        }
        if arguments.krate.is_none() {
            let path = filling.fill("::fathom_bench")?;
            filling.set("krate", path);
        }
        if arguments.name.is_none() {
            filling.set("name", TokenTree::from(Literal::string(&self.signature.plain_name())));
        }
        let written = self.signature.name.span();
        for (name, number) in [("line", written.line()), ("column", written.column())] {
            filling.set(name, TokenTree::from(Literal::usize_unsuffixed(number)));
        }
        filling.set("generics", self.copied_generics());
        filling.set("conditions", self.copied_conditions()?);
        for (name, kind) in [("type", GenericKind::Type), ("const", GenericKind::Const)] {
            if let Some(generic) = self.generics(kind).next() {
                filling.set(name, TokenTree::from(generic.name.clone()));
            }
        }
        filling.set("function", self.function()?);
        Ok(filling)
    }

    /// The statement that adds the function, without its semicolon.
    fn add(&self, filling: &mut Filling) -> Result<TokenStream, LexError> {
        filling.set("call", self.call(filling)?);
        if self.passing == Some(Passing::Shared) {
            let kept = filling.fill("__fathom_bench_kept($args)")?;
            filling.set("args", kept);
        }
        let is_future = self.arguments.executor.is_some();
        let is_compared = self.arguments.compare.is_some();
        let start = if is_compared && self.takes_bencher {
            "suite.compare($compare).with_bencher($case, $call)"
        } else if is_compared {
            "suite.compare($compare).with($case, $call)"
        } else if self.arguments.threads.is_some() && self.passing.is_some() {
            "suite.bench_threads_args($case, $threads, $args, $call)"
        } else if self.arguments.threads.is_some() {
            "suite.bench_threads($case, $threads, $call)"
        } else {
            match (self.passing.is_some(), self.takes_bencher, is_future) {
                (false, _, true) => "suite.bench_async($case, $executor, $call)",
                (true, _, true) => "suite.bench_async_args($case, $executor, $args, $call)",
                (false, true, _) => "suite.bench_with($case, $call)",
                (true, true, _) => "suite.bench_args_with($case, $args, $call)",
                (false, false, _) => "suite.bench($case, $call)",
                (true, false, _) => "suite.bench_args($case, $args, $call)",
            }
        };
        let mut add = filling.fill(start)?;
        if let Some((variant, amount)) = self.throughput() {
            filling.set("amount", amount.tokens());
            filling.set("variant", TokenTree::from(Ident::new(variant, Span::mixed_site())));
            let template = match self.passing {
                None => ".throughput($krate::Throughput::$variant(($amount) as u64))",
                Some(Passing::Cloned) => {
                    ".throughput(|argument| $krate::Throughput::$variant(
                        __fathom_bench_amount(argument, $amount) as u64))"
                }
                Some(Passing::Shared) => {
                    ".throughput(|argument| $krate::Throughput::$variant(
                        __fathom_bench_amount(*argument, $amount) as u64))"
                }
            };
            add.extend(filling.fill_at(amount.key.span(), template)?);
        }
        if self.arguments.ignore.is_some() {
            add.extend(filling.fill(".ignore()")?);
        }
        Ok(add)
    }

    /// The closure that calls the function. The function itself would not do: one that is `extern`
    /// is not an `FnMut`.
    fn call(&self, filling: &Filling) -> Result<TokenStream, LexError> {
        let template = match (self.passing, self.takes_bencher) {
            (None, false) => "|| $function()",
            (None, true) => "|bencher| $function(bencher)",
            (Some(Passing::Cloned), false) => {
                "|argument| $function(::core::clone::Clone::clone(argument))"
            }
            (Some(Passing::Cloned), true) => {
                "|bencher, argument| $function(bencher, ::core::clone::Clone::clone(argument))"
            }
            (Some(Passing::Shared), false) => "|argument| $function(*argument)",
            (Some(Passing::Shared), true) => "|bencher, argument| $function(bencher, *argument)",
        };
        // An argument of the wrong type is an error at the parameter.
        let parameter = self.inputs().first().and_then(|input| input.tokens.first());
        let place = parameter.map_or_else(|| self.signature.name.span(), TokenTree::span);
        filling.fill_at(place, template)
    }
}
