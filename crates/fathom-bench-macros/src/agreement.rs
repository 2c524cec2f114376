//! Whether the arguments go together and with the function. Every refusal says what to do.

use crate::arguments::Argument;
use crate::bench_plan::BenchPlan;
use crate::failure::Failure;
use crate::generics::GenericKind;
use crate::parameter::ParameterKind;
use crate::tokens::{is_punct, is_word};
use proc_macro::TokenTree;

pub(crate) fn check(plan: &BenchPlan) -> Result<(), Failure> {
    check_parameters(plan)?;
    check_inputs(plan)?;
    check_generics(plan, GenericKind::Type)?;
    check_generics(plan, GenericKind::Const)?;
    check_executor(plan)?;
    check_threads(plan)?;
    check_compare(plan)?;
    check_throughput(plan)
}

fn refuse(argument: &Argument, message: &str) -> Result<(), Failure> {
    Err(Failure::at(argument.key.span(), message))
}

fn check_parameters(plan: &BenchPlan) -> Result<(), Failure> {
    for (place, parameter) in plan.signature.parameters.iter().enumerate() {
        let message = match parameter.kind {
            ParameterKind::Receiver => {
                "there is no `self` to call a method with: put `#[bench]` on a function that makes \
                 the value and calls the method"
            }
            ParameterKind::OtherBencher => {
                "a bencher is handed over as `&mut Bencher`: write `bencher: &mut Bencher`"
            }
            ParameterKind::Bencher if place > 0 => {
                "there is one bencher, and it comes first: make it the first parameter"
            }
            _ => continue,
        };
        return Err(Failure::about(&parameter.tokens, message));
    }
    Ok(())
}

fn check_inputs(plan: &BenchPlan) -> Result<(), Failure> {
    match (plan.inputs(), &plan.arguments.args) {
        ([], None) => Ok(()),
        ([], Some(args)) => refuse(
            args,
            "the function takes no argument: give it a parameter, as in `fn f(n: u64)`, or remove \
             `args`",
        ),
        ([_, second, ..], _) => Err(Failure::about(
            &second.tokens,
            "a function takes one argument at most: put the two into one type that implements \
             `Display`, or make this one in the function",
        )),
        ([input], None) => Err(Failure::about(
            &input.tokens,
            "nothing says what to pass here: add `args = [...]` to the attribute, or remove the \
             parameter",
        )),
        ([input], Some(_)) if input.kind == ParameterKind::Exclusive => Err(Failure::about(
            &input.tokens,
            "an argument comes by value or as `&T`, because calls must not change it for one \
             another: take it by value, or take `bencher: &mut Bencher` and `&T` and call \
             `bencher.iter_with_setup`",
        )),
        ([_], Some(_)) => Ok(()),
    }
}

fn check_generics(plan: &BenchPlan, kind: GenericKind) -> Result<(), Failure> {
    let (what, key, example) = match kind {
        GenericKind::Type => ("type", "types", "types = [u32, String]"),
        GenericKind::Const => ("const", "consts", "consts = [1, 64]"),
        GenericKind::Lifetime => return Ok(()),
    };
    let mut generics = plan.generics(kind);
    match (generics.next(), generics.next(), plan.list(kind)) {
        (None, _, Some(list)) => Err(Failure::at(
            list.key.span(),
            format!("the function has no {what} parameter: give it one, or remove `{key}`"),
        )),
        (Some(_), Some(second), _) => Err(Failure::at(
            second.name.span(),
            format!("a function has one {what} parameter at most: `{key}` cannot fill two"),
        )),
        (Some(generic), None, None) => Err(Failure::at(
            generic.name.span(),
            format!(
                "nothing says what `{}` is: add `{example}` to the attribute, or remove the \
                 parameter",
                generic.name
            ),
        )),
        _ => Ok(()),
    }
}

fn check_executor(plan: &BenchPlan) -> Result<(), Failure> {
    match (plan.signature.asynchronous, &plan.arguments.executor) {
        (Some(span), _) if plan.takes_bencher => Err(Failure::at(
            span,
            "a function with a bencher is not `async`: remove `async`, and hand the future over \
             with `bencher.iter_async`",
        )),
        (None, Some(executor)) if plan.takes_bencher => refuse(
            executor,
            "a function with a bencher brings its own executor: remove `executor`, and give it to \
             `bencher.iter_async`",
        ),
        // With `threads` there is more to say: see there.
        (Some(span), None) if plan.arguments.threads.is_none() => Err(Failure::at(
            span,
            "an `async` function needs something that drives it: add `executor = ...`, a value \
             that implements `fathom_bench::Executor`",
        )),
        (None, Some(executor)) if !plan.signature.returns => refuse(
            executor,
            "`executor` is for functions that are `async` or return a future: make the function \
             one, or remove `executor`",
        ),
        _ => Ok(()),
    }
}

fn check_threads(plan: &BenchPlan) -> Result<(), Failure> {
    let Some(threads) = &plan.arguments.threads else { return Ok(()) };
    let is_future = plan.signature.asynchronous.is_some() || plan.arguments.executor.is_some();
    if is_future {
        return refuse(
            threads,
            "`threads` cannot drive futures: remove `threads`, or call an executor in a function \
             that is not `async`",
        );
    }
    if plan.takes_bencher {
        return refuse(
            threads,
            "a function with a bencher brings its own threads: remove `threads`, and call \
             `bencher.iter_threads`",
        );
    }
    Ok(())
}

fn check_compare(plan: &BenchPlan) -> Result<(), Failure> {
    let Some(compare) = &plan.arguments.compare else { return Ok(()) };
    if plan.arguments.threads.is_some() {
        return refuse(
            compare,
            "`compare` and `threads` do not go together: remove `threads`, take \
             `bencher: &mut Bencher`, and call `bencher.iter_threads`",
        );
    }
    if plan.arguments.args.is_some() {
        return refuse(
            compare,
            "`compare` and `args` do not go together: remove `args`, and write a function for each \
             argument",
        );
    }
    if plan.signature.asynchronous.is_some() || plan.arguments.executor.is_some() {
        return refuse(
            compare,
            "`compare` does not go with futures: remove `async` and `executor`, take \
             `bencher: &mut Bencher`, and call `bencher.iter_async`",
        );
    }
    Ok(())
}

fn check_throughput(plan: &BenchPlan) -> Result<(), Failure> {
    if let (Some(_), Some(items)) = (&plan.arguments.bytes, &plan.arguments.items) {
        return refuse(items, "`bytes` and `items` do not go together: remove one of the two");
    }
    let Some((_, amount)) = plan.throughput() else { return Ok(()) };
    let key = &amount.key;
    let is_literal = matches!(amount.value.first(), Some(TokenTree::Literal(_)));
    if plan.arguments.args.is_some() && is_literal {
        let message = format!(
            "with `args`, `{key}` is a closure from an argument: `{key} = |_| {}`",
            amount.tokens()
        );
        return Err(Failure::about(&amount.value, message));
    }
    if plan.arguments.args.is_none() && is_closure(&amount.value) {
        let message = format!("without `args`, `{key}` is a number: `{key} = 1024`");
        return Err(Failure::about(&amount.value, message));
    }
    Ok(())
}

fn is_closure(value: &[TokenTree]) -> bool {
    is_punct(value.first(), '|') || (is_word(value.first(), "move") && is_punct(value.get(1), '|'))
}
