//! What is said between the process that compares and the bench executables that work for it: one
//! line each way.

use crate::executions::{Part, PartOrder};
use serde_json::{Value, json};

/// The language's version.
const VERSION: u64 = 1;

/// What an executable says first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hello {
    pub(crate) functions: Vec<String>,
    /// What is measured instead of time.
    pub(crate) measured: Option<MeasuredUnit>,
}

/// What batches measure, if it is not time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MeasuredUnit {
    pub(crate) name: String,
    pub(crate) unit: String,
}

/// What it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Work on this processor from now on.
    Pin(usize),
    /// How many calls make a batch of this function?
    Size(usize),
    /// Make a batch of this many calls.
    Batch(usize, u64),
    /// Where is the machine code of this function?
    Code(usize),
    /// Make many batches of a function, back to back.
    Measure(PartOrder),
    /// How many instructions does this function execute?
    Count(usize),
}

/// What it answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    /// It is done.
    Done,
    /// This many calls.
    Size(u64),
    /// No number of them: the calls take no time.
    Zero,
    /// The seconds per call.
    PerCall(f64),
    /// At this address, as the linker chose it.
    Code(u64),
    /// What many batches took.
    Measured(Box<Part>),
    /// The instructions per call, count by count, each of this many calls.
    Counts(u64, Vec<f64>),
    /// The function measures something else than time.
    NotTime,
    /// The function cannot be measured, and why.
    Broken(String),
}

impl Hello {
    pub(crate) fn line(&self) -> String {
        let mut hello = json!({ "fathom-bench": VERSION, "functions": self.functions });
        if let Some(MeasuredUnit { name, unit }) = &self.measured {
            hello["measured"] = json!({ "name": name, "unit": unit });
        }
        format!("{hello}\n")
    }

    /// Reads it; what is wrong, if it is none.
    pub(crate) fn read(line: &str) -> Result<Hello, String> {
        let value: Value = serde_json::from_str(line).map_err(|_| {
            let said: String = line.trim().chars().take(60).collect();
            if said.is_empty() {
                "it wrote nothing".to_string()
            } else {
                format!("it wrote {said:?}")
            }
        })?;
        match value["fathom-bench"].as_u64() {
            Some(VERSION) => (),
            Some(other) => {
                return Err(format!(
                    "it uses version {other} of the protocol between benches, this is {VERSION}; \
                     build both with the same fathom-bench"
                ));
            }
            None => return Err("it wrote something else".to_string()),
        }
        let names = value["functions"].as_array().cloned().unwrap_or_default();
        let functions = names.iter().filter_map(|name| name.as_str().map(String::from)).collect();
        let text = |key: &str| value["measured"][key].as_str().map(String::from);
        let measured =
            text("name").zip(text("unit")).map(|(name, unit)| MeasuredUnit { name, unit });
        Ok(Hello { functions, measured })
    }
}

impl Order {
    /// The number of the function that it is for; `None` if it is for all of them.
    pub(crate) fn function(self) -> Option<usize> {
        match self {
            Order::Pin(_) => None,
            Order::Size(function)
            | Order::Batch(function, _)
            | Order::Code(function)
            | Order::Count(function) => Some(function),
            Order::Measure(order) => Some(order.function),
        }
    }

    /// The same, for another function.
    pub(crate) fn for_function(self, function: usize) -> Order {
        match self {
            Order::Pin(cpu) => Order::Pin(cpu),
            Order::Size(_) => Order::Size(function),
            Order::Batch(_, calls) => Order::Batch(function, calls),
            Order::Code(_) => Order::Code(function),
            Order::Measure(order) => Order::Measure(PartOrder { function, ..order }),
            Order::Count(_) => Order::Count(function),
        }
    }

    pub(crate) fn line(self) -> String {
        match self {
            Order::Pin(cpu) => format!("pin {cpu}\n"),
            Order::Size(function) => format!("size {function}\n"),
            Order::Batch(function, calls) => format!("batch {function} {calls}\n"),
            Order::Code(function) => format!("code {function}\n"),
            Order::Measure(order) => order.line(),
            Order::Count(function) => format!("count {function}\n"),
        }
    }

    pub(crate) fn read(line: &str) -> Option<Order> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["pin", cpu] => Some(Order::Pin(cpu.parse().ok()?)),
            ["size", function] => Some(Order::Size(function.parse().ok()?)),
            ["measure", words @ ..] => PartOrder::read(words).map(Order::Measure),
            ["code", function] => Some(Order::Code(function.parse().ok()?)),
            ["count", function] => Some(Order::Count(function.parse().ok()?)),
            ["batch", function, calls] => {
                Some(Order::Batch(function.parse().ok()?, calls.parse().ok()?))
            }
            _ => None,
        }
    }
}

impl Reply {
    pub(crate) fn line(&self) -> String {
        match self {
            Reply::Done => "done \n".to_string(),
            Reply::Zero => "zero \n".to_string(),
            Reply::Size(calls) => format!("size {calls}\n"),
            Reply::Code(address) => format!("code {address}\n"),
            // As many digits as it takes to read back the same number.
            Reply::PerCall(seconds) => format!("took {seconds:e}\n"),
            Reply::Measured(part) => part.line(),
            Reply::Counts(calls, counts) => {
                let counts: String = counts.iter().map(|count| format!(" {count:e}")).collect();
                format!("counts {calls}{counts}\n")
            }
            Reply::NotTime => "not-time \n".to_string(),
            Reply::Broken(why) => format!("broken {}\n", Value::from(why.as_str())),
        }
    }

    pub(crate) fn read(line: &str) -> Option<Reply> {
        let (word, rest) = line.trim_end_matches('\n').split_once(' ')?;
        match word {
            "done" => Some(Reply::Done),
            "zero" => Some(Reply::Zero),
            "not-time" => Some(Reply::NotTime),
            "size" => rest.parse().ok().map(Reply::Size),
            "code" => rest.parse().ok().map(Reply::Code),
            "measured" => Part::read(rest).map(Box::new).map(Reply::Measured),
            "counts" => {
                let (calls, counts) = rest.split_once(' ')?;
                let counts = counts.split(' ').map(|count| count.parse().ok());
                let counts: Option<Vec<f64>> = counts.collect();
                let are_counts = |count: &f64| count.is_finite() && *count >= 0.0;
                let counts = counts.filter(|counts| counts.iter().all(are_counts))?;
                Some(Reply::Counts(calls.parse().ok()?, counts))
            }
            "took" => {
                let seconds: f64 = rest.parse().ok()?;
                (seconds.is_finite() && seconds > 0.0).then_some(Reply::PerCall(seconds))
            }
            "broken" => {
                let why: Value = serde_json::from_str(rest).ok()?;
                Some(Reply::Broken(why.as_str()?.to_string()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_said_is_understood() {
        let measured = MeasuredUnit { name: "CPU time".into(), unit: "ns".into() };
        let functions = vec!["a/b".into(), "odd \"name\"\n".into()];
        let hello = Hello { functions, measured: Some(measured) };
        assert_eq!(Hello::read(&hello.line()).unwrap(), hello);
        assert_eq!(hello.line().lines().count(), 1);
        let part = PartOrder {
            function: 5,
            calls: 7,
            warm_up: Duration::from_millis(3),
            time: Duration::from_millis(20),
            fewest: 2,
            counts_allocations: true,
            instrument: [1, 2, 3, 4],
        };
        let of_functions = [
            (Order::Size(3), 3),
            (Order::Batch(0, 12), 0),
            (Order::Code(2), 2),
            (Order::Count(4), 4),
            (Order::Measure(part), 5),
        ];
        for (order, function) in of_functions {
            assert_eq!(Order::read(&order.line()), Some(order));
            assert_eq!(order.function(), Some(function));
            let other = order.for_function(9);
            assert_eq!(other.function(), Some(9));
            assert_eq!(other.for_function(function), order);
        }
        let pin = Order::Pin(1);
        assert_eq!(Order::read(&pin.line()), Some(pin));
        assert_eq!((pin.function(), pin.for_function(9)), (None, pin));
        let broken = Reply::Broken("two\nlines".to_string());
        let counts = Reply::Counts(3, vec![100.0, 0.0, 1.5e9]);
        let numbers = [Reply::Size(8), Reply::Code(0x1f00), Reply::PerCall(1.25e-9), counts];
        for reply in numbers.into_iter().chain([Reply::Done, Reply::Zero, Reply::NotTime, broken]) {
            assert_eq!(Reply::read(&reply.line()), Some(reply));
        }
    }

    #[test]
    fn nonsense_is_not_understood() {
        for line in ["counts 3 -1", "counts 3 NaN", "counts 3 1 inf", "counts 3", "counts x 1"] {
            assert_eq!(Reply::read(line), None, "{line}");
        }
        for line in [
            "", "took", "took 0", "took NaN", "took -1", "took inf", "size x", "broken x",
            "hello 1",
        ] {
            assert_eq!(Reply::read(line), None, "{line}");
        }
        assert_eq!(Order::read("batch 1"), None);
        assert_eq!(Hello::read("usage: x").unwrap_err(), "it wrote \"usage: x\"");
        assert!(Hello::read(r#"{"fathom-bench": 2}"#).unwrap_err().contains("version 2"));
        assert!(Hello::read("{}").is_err() && Hello::read("").is_err());
    }
}
