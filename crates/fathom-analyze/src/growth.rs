//! How functions grow with the size of their input.

use crate::report::Subject;
use fathom_stats::growth::{GrowthError, GrowthFit, SizedTime, growth};
use fathom_stats::{Confidence, Interval};

/// How large a function's input is, and with which other functions that makes a line.
#[derive(Debug, Clone, PartialEq)]
pub struct InputSize {
    /// What the functions of the line have in common: the name without the argument.
    pub family: String,
    /// The size.
    pub size: f64,
    /// Its time as it was judged when it was measured, where that was saved: values that are analysed
    /// again, with other options, may give another.
    pub measured: Option<MeasuredTime>,
}

/// A time as it was judged when it was measured, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredTime {
    /// The median.
    pub value: f64,
    /// Its interval, if it has one.
    pub interval: Option<Interval>,
    /// The confidence of the interval.
    pub confidence: Confidence,
}

impl InputSize {
    /// A size of a family.
    #[must_use]
    pub fn new(family: &str, size: f64) -> InputSize {
        InputSize { family: family.to_string(), size, measured: None }
    }

    /// That of an argument which is a number; `None` if it is something else.
    ///
    /// ```
    /// use fathom_analyze::InputSize;
    /// assert_eq!(InputSize::of_argument("sort", "1000").map(|input| input.size), Some(1000.0));
    /// assert_eq!(InputSize::of_argument("parse", "large.txt"), None);
    /// ```
    #[must_use]
    pub fn of_argument(family: &str, argument: &str) -> Option<InputSize> {
        let size: f64 = argument.trim().parse().ok().filter(|size: &f64| size.is_finite())?;
        Some(InputSize::new(family, size))
    }

    /// That of a bench whose name ends with a number: "sort/1000".
    ///
    /// ```
    /// use fathom_analyze::InputSize;
    /// let input = InputSize::of_name("vectors/sort/1000").unwrap();
    /// assert_eq!((input.family.as_str(), input.size), ("vectors/sort", 1000.0));
    /// ```
    #[must_use]
    pub fn of_name(name: &str) -> Option<InputSize> {
        let (family, argument) = name.rsplit_once('/')?;
        InputSize::of_argument(family, argument)
    }
}

/// The times of a function over the sizes of its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// What was measured: the name without the argument.
    pub name: String,
    /// One point per size, the smallest first.
    pub points: Vec<GrowthPoint>,
    /// The confidence of the intervals, and of the laws.
    pub confidence: Confidence,
    /// Which laws are possible, or why nothing can be said.
    pub found: Result<GrowthFit, GrowthError>,
}

/// A size and its time.
#[derive(Debug, Clone, PartialEq)]
pub struct GrowthPoint {
    /// The name of the function with its argument.
    pub subject: String,
    /// The size.
    pub size: f64,
    /// The median, in seconds.
    pub time: f64,
    /// Its interval, if it has one.
    pub interval: Option<Interval>,
    /// Whether growth could be judged by it: not if the function was optimised away, or if it has no
    /// interval.
    pub is_used: bool,
}

impl Growth {
    /// Every function that was measured with at least two sizes, in the order of its first.
    #[must_use]
    pub fn of_all<'s>(subjects: impl IntoIterator<Item = &'s Subject>) -> Vec<Growth> {
        let mut families: Vec<(&str, Confidence, Vec<GrowthPoint>)> = Vec::new();
        for subject in subjects {
            // The laws are about time.
            let Some(function) =
                subject.function.as_ref().filter(|_| subject.series.is_wall_time())
            else {
                continue;
            };
            let Some(input) = &function.input else { continue };
            let judged_now = subject.estimates.first().map(|estimate| MeasuredTime {
                value: estimate.value,
                interval: estimate.interval(),
                confidence: estimate.confidence,
            });
            let Some(time) = input.measured.or(judged_now) else { continue };
            let sized = SizedTime {
                size: input.size,
                time: time.value,
                interval: time.interval.unwrap_or(Interval::EVERYTHING),
            };
            let point = GrowthPoint {
                subject: subject.series.name().to_string(),
                size: input.size,
                time: time.value,
                interval: time.interval,
                is_used: !function.is_zero && sized.is_usable(),
            };
            match families.iter_mut().find(|(name, ..)| *name == input.family) {
                Some((.., points)) => points.push(point),
                None => families.push((&input.family, time.confidence, vec![point])),
            }
        }
        families
            .into_iter()
            .map(|(name, confidence, points)| Growth::of(name, confidence, points))
            .filter(|growth| growth.sizes() > 1)
            .collect()
    }

    fn of(name: &str, confidence: Confidence, mut points: Vec<GrowthPoint>) -> Growth {
        points.sort_by(|one, other| one.size.total_cmp(&other.size));
        let times: Vec<SizedTime> = points
            .iter()
            .filter(|one| one.is_used)
            .filter_map(|one| {
                Some(SizedTime { size: one.size, time: one.time, interval: one.interval? })
            })
            .collect();
        let found = growth(&times, confidence);
        Growth { name: name.to_string(), points, confidence, found }
    }

    /// How many different sizes there are.
    #[must_use]
    pub fn sizes(&self) -> usize {
        self.points.chunk_by(|one, other| one.size == other.size).count()
    }

    /// Whether to say something about growth: two sizes show none, and may not be meant to.
    #[must_use]
    pub fn is_line(&self) -> bool {
        const FEWEST: usize = 3;
        self.sizes() >= FEWEST
    }

    /// The points that growth was judged by.
    pub fn used(&self) -> impl Iterator<Item = &GrowthPoint> {
        self.points.iter().filter(|one| one.is_used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EstimateRequest, Function, analyze};
    use fathom_record::{Series, Unit};
    use fathom_stats::growth::GrowthLaw;

    fn subject(name: &str, seconds: f64) -> Subject {
        let values = (0..50).map(|i| seconds * (1.0 + 0.001 * f64::from(i % 7))).collect();
        let series = Series::new(name, Unit::SECONDS, values).unwrap();
        let mut subject = analyze(series, &EstimateRequest::default());
        subject.function = Some(Function {
            calls_per_batch: 1,
            is_zero: false,
            timing: None,
            executions: None,
            throughput: None,
            input: InputSize::of_name(name),
            allocations: None,
            stolen: None,
            others: None,
        });
        subject
    }

    #[test]
    fn functions_of_a_name_make_a_line_in_the_order_of_their_sizes() {
        let line = |name: &str, power: i32| {
            [1000, 10, 100, 10_000]
                .map(|n| subject(&format!("{name}/{n}"), 1e-9 * f64::from(n).powi(power)))
        };
        let mut subjects = line("a", 1).to_vec();
        subjects.extend(line("b", 2));
        subjects.extend([subject("c/7", 1.0), subject("d", 1.0), subject("e/x", 1.0)]);
        let found = Growth::of_all(&subjects);
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        let sizes: Vec<f64> = found[0].points.iter().map(|one| one.size).collect();
        assert_eq!(sizes, [10.0, 100.0, 1000.0, 10_000.0]);
        let laws = |growth: &Growth| -> Vec<GrowthLaw> {
            growth.found.as_ref().unwrap().possible().map(|one| one.law).collect()
        };
        assert_eq!(laws(&found[0]), [GrowthLaw::Linear]);
        assert_eq!(laws(&found[1]), [GrowthLaw::Quadratic]);
    }

    #[test]
    fn what_was_optimised_away_is_not_judged_by() {
        let mut subjects =
            [1, 10, 100, 1000, 10_000].map(|n| subject(&format!("a/{n}"), 1e-9 * f64::from(n)));
        if let Some(function) = &mut subjects[0].function {
            function.is_zero = true;
        }
        let found = Growth::of_all(&subjects);
        assert_eq!(found[0].used().count(), 4);
        assert_eq!(found[0].found.as_ref().unwrap().used, 4);
    }
}
