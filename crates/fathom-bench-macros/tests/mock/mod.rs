//! Stands in for fathom-bench: the same functions, which only remember what they are given. It
//! compiles in every edition that the attribute is used in.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]
#![allow(
    unused_results,
    clippy::pedantic,
    reason = "the strict lints are for the attribute's code"
)]

use std::cell::RefCell;
use std::fmt::Display;
use std::future::Future;
use std::rc::Rc;

#[doc(hidden)]
pub mod __private {
    pub use inventory;

    pub struct Attributed {
        pub module: &'static str,
        pub line: u32,
        pub written: (u32, u32),
        pub register: fn(&mut super::Suite<'static>),
    }

    inventory::collect!(Attributed);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throughput {
    Bytes(u64),
    Items(u64),
}

pub trait Executor {
    fn block_on<F: Future>(&self, future: F) -> F::Output;
}

/// The short name of a type.
pub fn type_name<T: ?Sized>() -> String {
    let name = std::any::type_name::<T>();
    let part = |part: &str| part.rsplit("::").next().unwrap_or_default().to_string();
    name.split('<').map(part).collect::<Vec<_>>().join("<")
}

#[derive(Default)]
pub struct Bencher<'b> {
    routine: Option<Box<dyn FnMut() + 'b>>,
}

impl<'b> Bencher<'b> {
    pub fn iter<T>(&mut self, mut call: impl FnMut() -> T + 'b) {
        self.routine = Some(Box::new(move || drop(call())));
    }

    pub fn iter_with_setup<I, T>(
        &mut self,
        mut setup: impl FnMut() -> I + 'b,
        mut call: impl FnMut(&mut I) -> T + 'b,
    ) {
        self.iter(move || call(&mut setup()));
    }
}

pub struct Entry<'b> {
    pub name: String,
    pub throughput: Option<Throughput>,
    pub is_ignored: bool,
    /// Which method of the suite it came by.
    pub by: &'static str,
    pub run: Box<dyn FnMut() + 'b>,
}

#[derive(Default)]
pub struct Suite<'b> {
    pub entries: Vec<Entry<'b>>,
    prefix: String,
}

impl<'b> Suite<'b> {
    fn add(&mut self, by: &'static str, name: &str, run: impl FnMut() + 'b) {
        let name = format!("{}{}", self.prefix, name);
        let run = Box::new(run);
        self.entries.push(Entry { name, throughput: None, is_ignored: false, by, run });
    }

    fn last(&mut self, count: usize) -> Added<'_, 'b> {
        let first = self.entries.len() - count;
        Added { entries: &mut self.entries[first..] }
    }

    fn add_built(
        &mut self,
        by: &'static str,
        name: &str,
        build: impl FnOnce(&mut Bencher<'b>) + 'b,
    ) {
        let mut build = Some(build);
        let mut bencher = Bencher::default();
        self.add(by, name, move || {
            if let Some(build) = build.take() {
                build(&mut bencher);
            }
            if let Some(routine) = &mut bencher.routine {
                routine();
            }
        });
    }

    pub fn bench<T>(
        &mut self,
        name: impl Into<String>,
        mut call: impl FnMut() -> T + 'b,
    ) -> Added<'_, 'b> {
        self.add("bench", &name.into(), move || drop(call()));
        self.last(1)
    }

    pub fn bench_with(
        &mut self,
        name: impl Into<String>,
        build: impl FnOnce(&mut Bencher<'b>) + 'b,
    ) -> Added<'_, 'b> {
        self.add_built("bench_with", &name.into(), build);
        self.last(1)
    }

    pub fn bench_args<A: Display + 'b, T>(
        &mut self,
        name: impl Into<String>,
        args: impl IntoIterator<Item = A>,
        call: impl FnMut(&A) -> T + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let call = Rc::new(RefCell::new(call));
        self.for_args(name, args, |suite, name, argument| {
            let call = Rc::clone(&call);
            suite.add("bench_args", name, move || drop((*call.borrow_mut())(&argument)));
        })
    }

    pub fn bench_args_with<A: Display + 'b>(
        &mut self,
        name: impl Into<String>,
        args: impl IntoIterator<Item = A>,
        build: impl FnMut(&mut Bencher<'b>, &A) + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let build = Rc::new(RefCell::new(build));
        self.for_args(name, args, |suite, name, argument| {
            let build = Rc::clone(&build);
            let build = move |bencher: &mut Bencher<'b>| {
                (*build.borrow_mut())(bencher, &argument);
            };
            suite.add_built("bench_args_with", name, build);
        })
    }

    pub fn bench_threads<T>(
        &mut self,
        name: impl Into<String>,
        threads: impl IntoIterator<Item = usize>,
        call: impl Fn() -> T + Sync + 'b,
    ) -> Added<'_, 'b> {
        let name = name.into();
        let call = Rc::new(call);
        let mut count = 0;
        for threads in threads {
            let call = Rc::clone(&call);
            self.add("bench_threads", &format!("{name}/{threads} threads"), move || drop(call()));
            count += 1;
        }
        self.last(count)
    }

    pub fn bench_threads_args<A: Display + Sync + 'b, T>(
        &mut self,
        name: impl Into<String>,
        threads: impl IntoIterator<Item = usize>,
        args: impl IntoIterator<Item = A>,
        call: impl Fn(&A) -> T + Sync + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let call = Rc::new(call);
        let threads: Vec<usize> = threads.into_iter().collect();
        // As often as there are numbers of threads.
        let args = args.into_iter().map(Rc::new).flat_map(|argument| vec![argument; threads.len()]);
        let mut numbers = threads.iter().cycle();
        let name = name.into();
        let args: Vec<Rc<A>> = args.collect();
        for argument in &args {
            let (call, argument) = (Rc::clone(&call), Rc::clone(argument));
            let full_name = format!("{name}/{argument}/{} threads", numbers.next().unwrap());
            self.add("bench_threads_args", &full_name, move || drop(call(&argument)));
        }
        let count = args.len();
        let first = self.entries.len() - count;
        AddedForArgs { entries: &mut self.entries[first..], args }
    }

    pub fn bench_async<E: Executor + 'b, F: Future>(
        &mut self,
        name: impl Into<String>,
        executor: E,
        mut call: impl FnMut() -> F + 'b,
    ) -> Added<'_, 'b> {
        self.add("bench_async", &name.into(), move || drop(executor.block_on(call())));
        self.last(1)
    }

    pub fn bench_async_args<A: Display + 'b, E: Executor + 'b, F: Future>(
        &mut self,
        name: impl Into<String>,
        executor: E,
        args: impl IntoIterator<Item = A>,
        call: impl FnMut(&A) -> F + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let shared = Rc::new((executor, RefCell::new(call)));
        self.for_args(name, args, |suite, name, argument| {
            let shared = Rc::clone(&shared);
            suite.add("bench_async_args", name, move || {
                let future = (*shared.1.borrow_mut())(&argument);
                drop(shared.0.block_on(future));
            });
        })
    }

    pub fn compare(&mut self, name: impl Into<String>) -> Comparing<'_, 'b> {
        Comparing { name: name.into(), suite: self }
    }

    pub fn group(&mut self, name: impl Into<String>, add: impl FnOnce(&mut Suite<'b>)) {
        let outer = self.prefix.clone();
        self.prefix = format!("{}{}/", outer, name.into());
        add(self);
        self.prefix = outer;
    }

    pub fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.name.clone()).collect()
    }

    pub fn run(mut self) -> std::process::ExitCode {
        self.entries.iter_mut().for_each(|entry| (entry.run)());
        std::process::ExitCode::SUCCESS
    }

    fn for_args<A>(
        &mut self,
        name: impl Into<String>,
        args: impl IntoIterator<Item = A>,
        mut add: impl FnMut(&mut Self, &str, Rc<A>),
    ) -> AddedForArgs<'_, 'b, A>
    where
        A: Display + 'b,
    {
        let name = name.into();
        let args: Vec<Rc<A>> = args.into_iter().map(Rc::new).collect();
        for argument in &args {
            add(self, &format!("{name}/{argument}"), Rc::clone(argument));
        }
        let first = self.entries.len() - args.len();
        AddedForArgs { entries: &mut self.entries[first..], args }
    }
}

impl Suite<'static> {
    pub fn of_attributes() -> Self {
        let mut all: Vec<&__private::Attributed> =
            inventory::iter::<__private::Attributed>.into_iter().collect();
        all.sort_by_key(|one| (one.module, one.line, one.written));
        let mut suite = Suite::default();
        all.iter().for_each(|one| (one.register)(&mut suite));
        suite
    }
}

pub struct Added<'s, 'b> {
    entries: &'s mut [Entry<'b>],
}

impl Added<'_, '_> {
    pub fn throughput(self, throughput: Throughput) -> Self {
        self.entries.iter_mut().for_each(|entry| entry.throughput = Some(throughput));
        self
    }

    pub fn ignore(self) -> Self {
        self.entries.iter_mut().for_each(|entry| entry.is_ignored = true);
        self
    }
}

pub struct AddedForArgs<'s, 'b, A> {
    entries: &'s mut [Entry<'b>],
    args: Vec<Rc<A>>,
}

impl<A> AddedForArgs<'_, '_, A> {
    pub fn throughput(self, mut of: impl FnMut(&A) -> Throughput) -> Self {
        for (entry, argument) in self.entries.iter_mut().zip(&self.args) {
            entry.throughput = Some(of(argument));
        }
        self
    }

    pub fn ignore(self) -> Self {
        self.entries.iter_mut().for_each(|entry| entry.is_ignored = true);
        self
    }
}

pub struct Comparing<'s, 'b> {
    name: String,
    suite: &'s mut Suite<'b>,
}

impl<'b> Comparing<'_, 'b> {
    pub fn with<T>(self, name: impl Into<String>, mut call: impl FnMut() -> T + 'b) -> Self {
        let name = format!("{} of {}", name.into(), self.name);
        self.suite.add("compare.with", &name, move || drop(call()));
        self
    }

    pub fn with_bencher(
        self,
        name: impl Into<String>,
        build: impl FnOnce(&mut Bencher<'b>) + 'b,
    ) -> Self {
        let name = format!("{} of {}", name.into(), self.name);
        self.suite.add_built("compare.with_bencher", &name, build);
        self
    }

    pub fn throughput(self, throughput: Throughput) -> Self {
        self.suite.last(1).throughput(throughput);
        self
    }

    pub fn ignore(self) -> Self {
        self.suite.last(1).ignore();
        self
    }
}
