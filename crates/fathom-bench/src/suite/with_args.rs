//! Benches of one function with several arguments.

use super::{Suite, in_words};
use crate::added::AddedForArgs;
use crate::bencher::Bencher;
use crate::routine::{Awaited, CallsWith, Executor, ThreadedWith};
use std::cell::RefCell;
use std::fmt::Display;
use std::rc::Rc;

/// Arguments live as long as the program, so that results and futures may borrow from them.
impl<'b> Suite<'b> {
    /// Times a closure with each of several arguments; their names are "NAME/ARGUMENT".
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_args("sum", [10, 1000], |n| (0..*n).sum::<u64>());
    /// assert_eq!(suite.names(), ["sum/10", "sum/1000"]);
    /// ```
    pub fn bench_args<A: Display + 'b, T>(
        &mut self,
        name: impl Into<String>,
        args: impl IntoIterator<Item = A>,
        call: impl FnMut(&'b A) -> T + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let args = args.into_iter().map(|argument| (argument.to_string(), argument));
        self.bench_inputs(name, args, call)
    }

    /// Times a closure with each of several inputs, which have names of their own: slices, or values
    /// that are too large to be a name.
    ///
    /// ```
    /// let numbers: Vec<u64> = (0..1000).collect();
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite
    ///     .bench_inputs(
    ///         "sum",
    ///         [("short", &numbers[..10]), ("long", &numbers[..])],
    ///         |numbers| numbers.iter().sum::<u64>(),
    ///     )
    ///     .throughput(|numbers| fathom_bench::Throughput::Items(numbers.len() as u64));
    /// assert_eq!(suite.names(), ["sum/short", "sum/long"]);
    /// ```
    pub fn bench_inputs<N: Display, A: 'b, T>(
        &mut self,
        name: impl Into<String>,
        inputs: impl IntoIterator<Item = (N, A)>,
        call: impl FnMut(&'b A) -> T + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let call = Rc::new(RefCell::new(call));
        self.for_inputs(name, inputs, |argument| {
            let call = Rc::clone(&call);
            move |bencher: &mut Bencher<'b>| bencher.take(CallsWith { call, argument })
        })
    }

    /// As [`bench_with`](Suite::bench_with), for each of several arguments.
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_args_with("lookup", [10, 1000], |bencher, n| {
    ///     let table: Vec<u64> = (0..*n).collect();
    ///     bencher.iter(move || table.binary_search(&7));
    /// });
    /// assert_eq!(suite.names(), ["lookup/10", "lookup/1000"]);
    /// ```
    pub fn bench_args_with<A: Display + 'b>(
        &mut self,
        name: impl Into<String>,
        args: impl IntoIterator<Item = A>,
        build: impl FnMut(&mut Bencher<'b>, &'b A) + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let build = Rc::new(RefCell::new(build));
        let args = args.into_iter().map(|argument| (argument.to_string(), argument));
        self.for_inputs(name, args, |argument| {
            let build = Rc::clone(&build);
            move |bencher: &mut Bencher<'b>| (*build.borrow_mut())(bencher, argument)
        })
    }

    /// As [`bench_threads`](Suite::bench_threads), with each of several arguments; the names are
    /// "NAME/ARGUMENT/4 threads".
    ///
    /// ```
    /// use std::sync::RwLock;
    /// let table = RwLock::new(vec![0_u64; 1000]);
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_threads_args("read", [1, 4], [7, 900], |place| {
    ///     table.read().map(|table| table[*place]).ok()
    /// });
    /// let names = ["read/7/1 thread", "read/7/4 threads", "read/900/1 thread", "read/900/4 threads"];
    /// assert_eq!(suite.names(), names);
    /// ```
    pub fn bench_threads_args<A: Display + Sync + 'b, T>(
        &mut self,
        name: impl Into<String>,
        threads: impl IntoIterator<Item = usize>,
        args: impl IntoIterator<Item = A>,
        call: impl Fn(&'b A) -> T + Sync + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let name = name.into();
        let call = Rc::new(call);
        let threads: Vec<usize> = threads.into_iter().collect();
        // One for each bench, so that arguments repeat.
        let mut of_benches = Vec::new();
        let mut families = Vec::new();
        for argument in args {
            let argument = self.keep(argument);
            for &threads in &threads {
                let call = Rc::clone(&call);
                of_benches.push(argument);
                // Each number of threads has a line of its own over the arguments.
                families.push(format!("{}/{}", self.full_name(&name), in_words(threads)));
                let full_name = format!("{name}/{argument}/{}", in_words(threads));
                self.bench_with(full_name, move |bencher| {
                    bencher.take(ThreadedWith { threads: threads.max(1), call, argument });
                });
            }
        }
        AddedForArgs::new(self, of_benches, families)
    }

    /// Times futures with each of several arguments.
    ///
    /// ```
    /// struct Tokio(/* tokio::runtime::Runtime */);
    ///
    /// impl fathom_bench::Executor for Tokio {
    ///     fn block_on<F: Future>(&self, future: F) -> F::Output {
    ///         // self.0.block_on(future)
    /// #       let mut future = std::pin::pin!(future);
    /// #       let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// #       loop {
    /// #           if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
    /// #               return output;
    /// #           }
    /// #       }
    ///     }
    /// }
    ///
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_async_args("length", Tokio(), ["one", "two"], |text| async move { text.len() });
    /// assert_eq!(suite.names(), ["length/one", "length/two"]);
    /// ```
    pub fn bench_async_args<A: Display + 'b, E: Executor + 'b, F: Future>(
        &mut self,
        name: impl Into<String>,
        executor: E,
        args: impl IntoIterator<Item = A>,
        call: impl FnMut(&'b A) -> F + 'b,
    ) -> AddedForArgs<'_, 'b, A> {
        let executor = Rc::new(executor);
        let call = Rc::new(RefCell::new(call));
        let args = args.into_iter().map(|argument| (argument.to_string(), argument));
        self.for_inputs(name, args, |argument| {
            let (executor, call) = (Rc::clone(&executor), Rc::clone(&call));
            move |bencher: &mut Bencher<'b>| {
                let call = move || (*call.borrow_mut())(argument);
                bencher.take(Awaited { executor, call });
            }
        })
    }

    /// Inputs live as long as the program, so that results may borrow from them.
    fn for_inputs<N: Display, A: 'b, B: FnOnce(&mut Bencher<'b>) + 'b>(
        &mut self,
        name: impl Into<String>,
        inputs: impl IntoIterator<Item = (N, A)>,
        mut build: impl FnMut(&'b A) -> B,
    ) -> AddedForArgs<'_, 'b, A> {
        let name = name.into();
        let mut args = Vec::new();
        for (of_input, input) in inputs {
            let input = self.keep(input);
            self.bench_with(format!("{name}/{of_input}"), build(input));
            args.push(input);
        }
        let families = vec![self.full_name(&name); args.len()];
        AddedForArgs::new(self, args, families)
    }
}
