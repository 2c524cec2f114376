//! A bench that takes orders: which function, how many calls.
//!
//! The functions of a suite can be called in any order. Here the bench itself decides which function
//! it comes to, and when. So a worker goes on through the bench until it comes to the function of its
//! order, and stays there for as long as orders are for that function. Orders are given in the order
//! of the functions; if one is for a function that is behind, the program starts itself again.

use super::{Run, Task, attempt, check_unit, names};
use crate::command_line::WORKER;
use crate::criterion::current_task::{ReachedFunction, leave};
use crate::criterion::routines::Lent;
use crate::criterion::words::RESUME;
use crate::duel::dialogue::{Hello, Order, Reply};
use crate::executions::own_program;
use crate::function::{Broken, Function};
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use crate::worker::{WorkerInstrument, answer};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Orders from another process, one at a time.
pub(super) struct Orders {
    input: BufReader<File>,
    output: File,
    functions: Vec<String>,
    instrument: WorkerInstrument,
    /// For a function that is yet to come.
    pending: PendingOrder,
    word: Option<&'static str>,
}

/// An order and the number of its function.
#[derive(Debug, Clone, Copy)]
struct PendingOrder {
    order: Order,
    function: usize,
}

impl Orders {
    /// Says what there is, unless the same program has said it before, and waits for the first order.
    pub(super) fn begin(selection: &BenchFilters, resume: Option<&str>) -> Result<Orders, String> {
        let problem = |error: std::io::Error| format!("cannot take orders: {error}");
        let (input, mut output) = fathom_sys::standard_streams::claim().map_err(problem)?;
        let functions = names::of_this_program(selection)?;
        if resume.is_none() {
            let hello = Hello { functions: functions.clone(), measured: None };
            output.write_all(hello.line().as_bytes()).map_err(problem)?;
        }
        let instrument = WorkerInstrument::new(None);
        let mut orders = Orders {
            // Byte by byte: what follows a line is left to the program that may take this one's place.
            input: BufReader::with_capacity(1, input),
            output,
            functions,
            instrument,
            pending: PendingOrder { order: Order::Size(0), function: 0 },
            word: selection.word_for_workers(),
        };
        let resumed = resume.and_then(Order::read);
        let resumed = resumed.and_then(|order| Some((order, order.function()?)));
        orders.pending = match resumed {
            Some((order, function)) => PendingOrder { order, function },
            None => orders.next(),
        };
        Ok(orders)
    }

    /// The next order that is for a function. Others are carried out at once.
    fn next(&mut self) -> PendingOrder {
        loop {
            let mut line = String::new();
            match self.input.read_line(&mut line) {
                // Whoever gave orders is gone.
                Ok(0) | Err(_) => leave(BenchOutcome::Done),
                Ok(_) => (),
            }
            let order = Order::read(&line);
            if let Some((order, function)) =
                order.and_then(|order| Some((order, order.function()?)))
            {
                return PendingOrder { order, function };
            }
            self.reply(answer(&line, &mut [], &self.instrument));
        }
    }

    fn reply(&mut self, reply: Result<Reply, String>) {
        let line = reply.unwrap_or_else(Reply::Broken).line();
        if self.output.write_all(line.as_bytes()).is_err() {
            leave(BenchOutcome::Done);
        }
    }

    /// Carries out orders for a function until there is one for another.
    fn serve(&mut self, here: usize, function: &mut Function<'_>) {
        while self.pending.function == here {
            // The only function that can be called now.
            let line = self.pending.order.for_function(0).line();
            self.reply(answer(&line, std::slice::from_mut(function), &self.instrument));
            self.pending = self.next();
        }
    }

    /// Refuses orders for a function that cannot be called.
    fn refuse(&mut self, here: usize, why: &str) {
        self.answer_all(here, || Err(why.to_string()));
    }

    /// Gives the same answer to all orders for a function until there is one for another.
    fn answer_all(&mut self, here: usize, reply: impl Fn() -> Result<Reply, String>) {
        while self.pending.function == here {
            self.reply(reply());
            self.pending = self.next();
        }
    }

    /// Starts this program again, because the bench has passed the function of its order.
    fn start_again(&mut self) {
        let files = self.input.get_ref().try_clone().and_then(|input| {
            let output = self.output.try_clone()?;
            Ok((input, output, own_program().map_err(std::io::Error::other)?))
        });
        let error = match files {
            Ok((input, output, program)) => become_program(
                Command::new(program)
                    .arg(WORKER)
                    .args(self.word)
                    .args([RESUME, self.pending.order.line().trim_end()])
                    .stdin(Stdio::from(input))
                    .stdout(Stdio::from(output)),
            ),
            Err(error) => error,
        };
        let function = self.pending.function;
        self.refuse(function, &format!("cannot start the bench again: {error}"));
    }
}

/// Puts a program in the place of this one; returns only if that failed.
#[cfg(unix)]
fn become_program(command: &mut Command) -> std::io::Error {
    use std::os::unix::process::CommandExt;
    command.exec()
}

#[cfg(not(unix))]
fn become_program(_command: &mut Command) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::Unsupported, "this system has no exec")
}

impl Task for Orders {
    fn reach(&mut self, reached: &ReachedFunction<'_>, run: Run<'_>) {
        let Some(here) = self.functions.iter().position(|name| *name == reached.name) else {
            return;
        };
        let is_measured = matches!(self.pending.order, Order::Measure(_));
        if is_measured && self.pending.function == here && reached.foreign_unit.is_some() {
            self.answer_all(here, || Ok(Reply::NotTime));
        }
        if self.pending.function == here {
            let is_timed = !matches!(self.pending.order, Order::Count(_));
            let checked = if is_timed { check_unit(reached) } else { Ok(()) };
            let served = checked.and_then(|()| {
                attempt(run, |routine| {
                    let mut function =
                        Function::new(reached.name.clone(), |bencher| bencher.take(Lent(routine)));
                    function.asked = reached.asked();
                    self.serve(here, &mut function);
                    Ok::<(), Broken>(())
                })
            });
            if let Err(broken) = served {
                self.refuse(here, &broken.to_string());
            }
        }
        while self.pending.function < here {
            self.start_again();
        }
    }

    fn end(&mut self, _names: &[String]) -> BenchOutcome {
        loop {
            let function = self.pending.function;
            if let Some(name) = self.functions.get(function) {
                // It may come again, in a process of its own.
                let why =
                    format!("the bench did not come to {name}, which it did when it was listed");
                self.reply(Err(why));
            } else {
                self.reply(Err(format!("function {function} does not exist")));
            }
            self.pending = self.next();
            self.start_again();
        }
    }

    fn broke_elsewhere(&mut self) {
        let why = "the bench panicked between its functions".to_string();
        self.reply(Err(why));
        leave(BenchOutcome::Panicked);
    }
}
