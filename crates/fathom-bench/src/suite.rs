//! A suite: what to time and compare.

mod with_args;

use crate::added::{Added, Comparing};
use crate::bencher::Bencher;
use crate::function::Function;
use crate::measurement::Measurement;
use crate::meter::{Meter, kept};
use crate::registered::Attributed;
use crate::routine::{Executor, Threaded};
use fathom_analyze::InputSize;
use std::mem::ManuallyDrop;
use std::process::ExitCode;
use std::rc::Rc;

/// Functions to be timed, and functions to be compared with each other.
///
/// `'b` is what closures may borrow: data that lives until [`run`](Suite::run).
///
/// ```no_run
/// use fathom_bench::{Suite, black_box};
///
/// fn main() -> std::process::ExitCode {
///     let text = "one two three ".repeat(1000);
///     let mut suite = Suite::new();
///     suite.bench("count", || black_box(&text).split(' ').count());
///     suite
///         .compare("find")
///         .with("str", || black_box(&text).find("four"))
///         .with("bytes", || black_box(&text).as_bytes().windows(4).position(|w| w == b"four"));
///     suite.run()
/// }
/// ```
#[derive(Default)]
pub struct Suite<'b> {
    /// Dropped by [`run`](Suite::run). If the suite dropped them, data would have to be made before
    /// it.
    pub(crate) entries: ManuallyDrop<Vec<Entry<'b>>>,
    /// The groups that are open.
    prefix: String,
    /// What is measured instead of time.
    pub(crate) meter: Option<&'static dyn Meter>,
}

/// A line of the suite's list.
pub(crate) struct Entry<'b> {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) functions: Vec<Function<'b>>,
    pub(crate) is_ignored: bool,
}

/// What is wanted of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// How long its function takes.
    Bench,
    /// Whether its functions differ from the first.
    Comparison,
}

impl Entry<'_> {
    /// The name of its function, if there is no other to compare it with.
    pub(crate) fn single(&self) -> Option<&str> {
        match self.functions.as_slice() {
            [function] => Some(&function.name),
            _ => None,
        }
    }
}

impl<'b> Suite<'b> {
    /// An empty suite.
    #[must_use]
    pub fn new() -> Suite<'b> {
        Suite { entries: ManuallyDrop::default(), prefix: String::new(), meter: None }
    }

    /// The functions of this program that have the attribute [`bench`](macro@crate::bench), by
    /// module and line. To add closures to them, which may borrow as in any suite:
    ///
    /// ```no_run
    /// fn main() -> std::process::ExitCode {
    ///     let text = "one two three ".repeat(100);
    ///     let mut suite = fathom_bench::Suite::of_attributes();
    ///     suite.bench("find", || text.find("three"));
    ///     suite.run()
    /// }
    /// ```
    #[must_use]
    pub fn of_attributes() -> Suite<'b> {
        let mut suite: Suite<'static> = Suite::new();
        for attributed in Attributed::all() {
            match attributed.group() {
                Some(group) => suite.group(group, attributed.register),
                None => (attributed.register)(&mut suite),
            }
        }
        suite
    }

    /// Measures something else than time, such as [`ProcessCpuTime`](crate::ProcessCpuTime). It is
    /// for all benches of the suite, those that were added before as well.
    ///
    /// ```
    /// use fathom_bench::{ProcessCpuTime, Suite};
    /// let mut suite = Suite::new().with_measurement(ProcessCpuTime);
    /// suite.bench("sum", || (0..1000_u64).sum::<u64>());
    /// ```
    #[must_use]
    pub fn with_measurement<M: Measurement + 'static>(self, measurement: M) -> Suite<'b> {
        Suite { meter: Some(kept(measurement)), ..self }
    }

    /// Keeps a value until the program ends, for benches that borrow from it. Data that is made
    /// before the suite needs no keeping.
    ///
    /// ```
    /// use fathom_bench::Suite;
    ///
    /// fn add(suite: &mut Suite<'_>, length: usize) {
    ///     let text = suite.keep("one two three ".repeat(length));
    ///     suite.bench(format!("words/{length}"), || text.split(' ').count());
    ///     suite.bench(format!("bytes/{length}"), || text.bytes().filter(|b| *b == b' ').count());
    /// }
    ///
    /// let mut suite = Suite::new();
    /// add(&mut suite, 10);
    /// add(&mut suite, 1000);
    /// # assert_eq!(suite.names().len(), 4);
    /// ```
    pub fn keep<T: 'b>(&self, value: T) -> &'b T {
        Box::leak(Box::new(value))
    }

    /// Times a closure. Its result is dropped in the timing; where that matters, see
    /// [`bench_consuming`](Suite::bench_consuming).
    pub fn bench<T>(
        &mut self,
        name: impl Into<String>,
        call: impl FnMut() -> T + 'b,
    ) -> Added<'_, 'b> {
        self.bench_with(name, |bencher| bencher.iter(call))
    }

    /// Times calls with an input of their own, which they may change. All inputs of a batch are
    /// made before it; they and the results are dropped after it. A batch has as many as fit in
    /// 128 MiB, and at least one.
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_with_setup("sort", || vec![3, 1, 2], |numbers| numbers.sort());
    /// ```
    pub fn bench_with_setup<I: 'b, T: 'b>(
        &mut self,
        name: impl Into<String>,
        setup: impl FnMut() -> I + 'b,
        call: impl FnMut(&mut I) -> T + 'b,
    ) -> Added<'_, 'b> {
        self.bench_with(name, |bencher| bencher.iter_with_setup(setup, call))
    }

    /// Times calls that take an input of their own. All inputs of a batch are made before it;
    /// results are dropped after it.
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_consuming("boxed", || vec![3, 1, 2], |numbers| numbers.into_boxed_slice());
    /// ```
    pub fn bench_consuming<I: 'b, T: 'b>(
        &mut self,
        name: impl Into<String>,
        setup: impl FnMut() -> I + 'b,
        call: impl FnMut(I) -> T + 'b,
    ) -> Added<'_, 'b> {
        self.bench_with(name, |bencher| bencher.iter_consuming(setup, call))
    }

    /// Times calls that wait for each other: each takes what the one before returned, and the first
    /// of a batch takes `first`. That is the function's latency. The calls of the other benches may
    /// overlap in the processor: that is its throughput.
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_chained("square root", 2.0, |x: f64| (x + 1.0).sqrt());
    /// ```
    pub fn bench_chained<X: Clone + 'b>(
        &mut self,
        name: impl Into<String>,
        first: X,
        call: impl FnMut(X) -> X + 'b,
    ) -> Added<'_, 'b> {
        self.bench_with(name, |bencher| bencher.iter_chained(first, call))
    }

    /// Times what a function hands to its [`Bencher`]. The function is called right before it is
    /// measured, and only if it is.
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_with("lookup", |bencher| {
    ///     let table: Vec<u64> = (0..1000).map(|i| i * i).collect();
    ///     bencher.iter(move || table.binary_search(&250_000));
    /// });
    /// ```
    pub fn bench_with(
        &mut self,
        name: impl Into<String>,
        build: impl FnOnce(&mut Bencher<'b>) + 'b,
    ) -> Added<'_, 'b> {
        let mut function = Function::new(self.full_name(&name.into()), build);
        function.input = InputSize::of_name(&function.name);
        self.add(Kind::Bench, function.name.clone(), vec![function]);
        Added::last(self, 1)
    }

    /// Times a closure that several threads call at once, for each number of threads. The time is
    /// from the first thread's first call to the last thread's last, per call of one thread.
    ///
    /// ```
    /// use std::sync::Mutex;
    /// let counter = Mutex::new(0);
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.bench_threads("lock", [1, 4], || counter.lock().map(|mut count| *count += 1).is_ok());
    /// assert_eq!(suite.names(), ["lock/1 thread", "lock/4 threads"]);
    /// ```
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
            self.bench_with(format!("{name}/{}", in_words(threads)), move |bencher| {
                bencher.take(Threaded { threads: threads.max(1), call });
            });
            count += 1;
        }
        Added::last(self, count)
    }

    /// Times futures, one after the other, driven by an [`Executor`].
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
    /// suite.bench_async("answer", Tokio(), || async { 6 * 7 });
    /// suite.bench_async_args("double", Tokio(), [1, 2], |n| {
    ///     let n = *n;
    ///     async move { 2 * n }
    /// });
    /// assert_eq!(suite.names(), ["answer", "double/1", "double/2"]);
    /// ```
    pub fn bench_async<E: Executor + 'b, F: Future>(
        &mut self,
        name: impl Into<String>,
        executor: E,
        call: impl FnMut() -> F + 'b,
    ) -> Added<'_, 'b> {
        self.bench_with(name, |bencher| bencher.iter_async(executor, call))
    }

    /// Compares functions with each other, the first being the reference. Goes on with the
    /// comparison of that name if there is one.
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.compare("sum").with("loop", || (0..9).sum::<u64>()).with("formula", || 9 * 8 / 2);
    /// ```
    pub fn compare(&mut self, name: impl Into<String>) -> Comparing<'_, 'b> {
        let name = self.full_name(&name.into());
        let known = self
            .entries
            .iter()
            .position(|entry| entry.name == name && entry.kind == Kind::Comparison);
        let place = known.unwrap_or_else(|| {
            self.add(Kind::Comparison, name, Vec::new());
            self.entries.len() - 1
        });
        Comparing::new(&mut self.entries[place])
    }

    /// Adds what `add` adds under a common name: "NAME/...".
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite.group("parse", |suite| {
    ///     suite.bench("integer", || "42".parse::<u8>());
    ///     suite.bench("float", || "4.2".parse::<f64>());
    /// });
    /// assert_eq!(suite.names(), ["parse/integer", "parse/float"]);
    /// ```
    pub fn group(&mut self, name: impl Into<String>, add: impl FnOnce(&mut Suite<'b>)) {
        let outer = self.prefix.clone();
        self.prefix = format!("{}/", self.full_name(&name.into()));
        add(self);
        self.prefix = outer;
    }

    /// The names of what will be measured, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.name.clone()).collect()
    }

    /// Does what the command line of this process says, as `main` of a bench with
    /// `harness = false`.
    #[must_use]
    pub fn run(self) -> ExitCode {
        crate::run::run(self, std::env::args_os().skip(1).collect())
    }

    fn add(&mut self, kind: Kind, name: String, functions: Vec<Function<'b>>) {
        self.entries.push(Entry { name, kind, functions, is_ignored: false });
    }

    fn full_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}

/// "1 thread", "4 threads".
fn in_words(threads: usize) -> String {
    format!("{threads} {}", if threads == 1 { "thread" } else { "threads" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Throughput;
    use std::cell::RefCell;

    #[test]
    fn names_have_their_groups() {
        let mut suite = Suite::new();
        suite.group("a", |suite| {
            suite.bench("x", || ());
            suite.group("b", |suite| {
                suite.bench_args("y", [1, 2], |_| ());
            });
            suite.bench_threads("z", [1, 2], || ());
        });
        suite.bench("last", || ());
        let names = ["a/x", "a/b/y/1", "a/b/y/2", "a/z/1 thread", "a/z/2 threads", "last"];
        assert_eq!(suite.names(), names);
    }

    #[test]
    fn threads_share_an_argument() {
        let seen = std::sync::Mutex::new(Vec::new());
        let mut suite = Suite::new();
        suite
            .bench_threads_args("f", [1, 2], [3_u64, 5], |n| seen.lock().unwrap().push(*n))
            .throughput(|n| Throughput::Items(2 * n));
        let names = ["f/3/1 thread", "f/3/2 threads", "f/5/1 thread", "f/5/2 threads"];
        assert_eq!(suite.names(), names);
        for entry in suite.entries.iter_mut() {
            entry.functions[0].batch(1).unwrap();
        }
        let throughputs = suite.entries.iter().map(|entry| entry.functions[0].asked.throughput);
        assert!(throughputs.eq([6, 6, 10, 10].map(|n| Some(Throughput::Items(n)))));
        drop(suite);
        assert_eq!(seen.into_inner().unwrap(), [3, 3, 3, 5, 5, 5]);
    }

    #[test]
    fn a_comparison_may_be_added_to_later() {
        let mut suite = Suite::new();
        suite.compare("c").with("first", || 1);
        suite.bench("other", || ());
        suite.compare("c").with("second", || 2);
        assert_eq!(suite.names(), ["c", "other"]);
        let names: Vec<&str> =
            suite.entries[0].functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["c/first", "c/second"]);
    }

    #[test]
    fn a_size_may_differ_from_what_is_shown() {
        let mut suite = Suite::new();
        suite.bench_args("words", ["a/b", "bcd"], |text| text.len()).size(|text| text.len() as f64);
        suite.bench("one/short", || ()).size(5.0);
        suite.bench("alone", || ());
        suite.compare("pair").with("8", || ()).with("16", || ());
        let inputs: Vec<Option<(&str, f64)>> = suite
            .entries
            .iter()
            .map(|entry| {
                entry.functions[0].input.as_ref().map(|input| (input.family.as_str(), input.size))
            })
            .collect();
        let words = |size: f64| Some(("words", size));
        assert_eq!(inputs, [words(3.0), words(3.0), Some(("one", 5.0)), None, None]);
    }

    #[test]
    fn arguments_reach_the_function_and_its_throughput() {
        let seen = RefCell::new(Vec::new());
        let mut suite = Suite::new();
        suite
            .bench_args("f", [3_u64, 5], |n| seen.borrow_mut().push(*n))
            .throughput(|n| Throughput::Items(2 * n));
        for entry in suite.entries.iter_mut() {
            entry.functions[0].batch(2).unwrap();
        }
        let sizes: Vec<f64> = suite
            .entries
            .iter()
            .filter_map(|entry| entry.functions[0].input.as_ref())
            .filter(|input| input.family == "f")
            .map(|input| input.size)
            .collect();
        assert_eq!(sizes, [3.0, 5.0]);
        assert_eq!(*seen.borrow(), [3, 3, 5, 5]);
        let throughputs = suite.entries.iter().map(|entry| entry.functions[0].asked.throughput);
        assert!(throughputs.eq([6, 10].map(|n| Some(Throughput::Items(n)))));
        drop(suite);
    }
}
