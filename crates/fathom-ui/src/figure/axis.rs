//! From values to places in a figure.

use super::Sketch;
use fathom_record::Unit;
use fathom_render::Scale;

/// A linear axis with round ticks in a unit that fits.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    step: f64,
}

/// Where an axis stands upright: its left edge, the right edge of the lines across, its title.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Upright<'t> {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) title: &'t str,
}

impl Axis {
    /// Over all finite values, with some room around them; `None` if there are none.
    pub(crate) fn over(
        values: impl IntoIterator<Item = f64>,
        unit: &Unit,
        [from, to]: [f64; 2],
        about: f64,
    ) -> Option<Axis> {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (least, greatest) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| {
                (low.min(one), high.max(one))
            });
        if least > greatest {
            return None;
        }
        let room = match greatest / 2.0 - least / 2.0 {
            half if half > 0.0 => half * 0.12,
            _ if least == 0.0 => 1.0,
            _ => least.abs() * 0.05,
        };
        // A share of the smallest numbers is none.
        let room = room.max(f64::MIN_POSITIVE);
        let (low, high) =
            ((least - room).max(f64::MIN / 4.0), (greatest + room).min(f64::MAX / 4.0));
        Some(Axis::between([low, high], unit, [from, to], about))
    }

    /// From one value to another.
    pub(crate) fn between(
        [low, high]: [f64; 2],
        unit: &Unit,
        [from, to]: [f64; 2],
        about: f64,
    ) -> Axis {
        let scale = Scale::new(unit, low.abs().max(high.abs()), None);
        let (low, high) = (scale.converted(low), scale.converted(high));
        let step = round_step((high / about.max(1.0)) - (low / about.max(1.0)));
        Axis { scale, low, high, from, to, step }
    }

    /// Counting from 1: ticks are whole numbers.
    pub(crate) fn counting(count: usize, [from, to]: [f64; 2], about: f64) -> Axis {
        let high = if count > 1 { count as f64 } else { 1.5 };
        let low = if count > 1 { 1.0 } else { 0.5 };
        let axis = Axis::between([low, high], &Unit::Unknown, [from, to], about);
        Axis { step: axis.step.max(1.0), ..axis }
    }

    /// Where a value is; those beyond the axis are at its edge.
    pub(crate) fn place(&self, value: f64) -> f64 {
        self.from + self.share(value).clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Whether the axis does not reach to a value.
    pub(crate) fn is_beyond(&self, value: f64) -> bool {
        !(-1e-9..=1.0 + 1e-9).contains(&self.share(value))
    }

    fn share(&self, value: f64) -> f64 {
        // Halves first: the difference of large values would overflow.
        let (value, low) = (self.scale.converted(value) / 2.0, self.low / 2.0);
        match value - low {
            away if away.is_nan() => 0.0,
            away => away / (self.high / 2.0 - low),
        }
    }

    /// The unit of the ticks; empty if there is none.
    pub(crate) fn unit(&self) -> &str {
        self.scale.symbol()
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        const MOST: usize = 40;
        let first = (self.low / self.step - 1e-9).ceil();
        let decimals = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        let is_large = self.low.abs().max(self.high.abs()) >= 1e7 || self.step < 1e-9;
        let mut all = Vec::new();
        for count in 0..MOST {
            let value = (first + count as f64) * self.step;
            if value > self.high + 1e-9 * self.step || !value.is_finite() {
                break;
            }
            let share = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
            let text = match is_large && value != 0.0 {
                true => format!("{value:.3e}").replace(".000e", "e"),
                // Adding zero turns -0 into 0.
                false => format!("{:.decimals$}", value + 0.0),
            };
            all.push((self.from + share * (self.to - self.from), minus(&text)));
        }
        all
    }

    /// Ticks below a figure, and lines up from them.
    pub(crate) fn draw_below(&self, sketch: &mut Sketch, top: f64, bottom: f64, title: &str) {
        for (x, text) in self.ticks() {
            sketch.line("grid", (x, top), (x, bottom));
            let class = if x > self.to - 12.0 { "label end" } else { "label middle" };
            sketch.text(class, x, bottom + 15.0, text);
        }
        sketch.line("axis", (self.from, bottom), (self.to, bottom));
        let title = if self.unit().is_empty() {
            title.to_string()
        } else {
            format!("{title} ({})", self.unit())
        };
        sketch.text("label end", self.to, bottom + 31.0, format!("{title} →"));
    }

    /// Ticks left of a figure, and lines across from them.
    pub(crate) fn draw_left(&self, sketch: &mut Sketch, at: Upright<'_>) {
        for (y, text) in self.ticks() {
            sketch.line("grid", (at.left, y), (at.right, y));
            sketch.text("label end", at.left - 6.0, y + 3.5, text);
        }
        let title = match self.unit() {
            "" => at.title.to_string(),
            unit => format!("{} ({unit})", at.title),
        };
        let top = self.from.min(self.to);
        sketch.text("label start", 2.0, top - 8.0, format!("↑ {title}"));
    }
}

fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// 1, 2 or 5 times a power of ten, not below this.
fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|lead| lead * power >= least * (1.0 - 1e-9));
    let step = step.unwrap_or(10.0) * power;
    if step.is_normal() { step } else { least }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::TimeUnit;

    fn texts(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_in_a_unit_that_fits() {
        let seconds = Unit::Time(TimeUnit::Seconds);
        let axis = Axis::between([0.0121, 0.0126], &seconds, [0.0, 100.0], 5.0);
        assert_eq!(axis.unit(), "ms");
        assert_eq!(texts(&axis), ["12.1", "12.2", "12.3", "12.4", "12.5", "12.6"]);
        assert!((axis.place(0.0126) - 100.0).abs() < 1e-6);
        let axis = Axis::between([-0.3, 0.3], &Unit::Unknown, [100.0, 0.0], 3.0);
        assert_eq!(texts(&axis), ["−0.2", "0.0", "0.2"]);
    }

    #[test]
    fn counts_are_whole() {
        assert_eq!(texts(&Axis::counting(3, [0.0, 100.0], 8.0)), ["1", "2", "3"]);
        assert_eq!(texts(&Axis::counting(1, [0.0, 100.0], 8.0)), ["1"]);
    }

    #[test]
    fn extreme_values_have_an_axis() {
        for values in [
            [f64::MIN, f64::MAX],
            [f64::MIN_POSITIVE, f64::MIN_POSITIVE],
            [0.0, 0.0],
            [1e300, 1e300],
            [5e-324, 5e-324],
        ] {
            let axis = Axis::over(values, &Unit::Unknown, [0.0, 100.0], 5.0).unwrap();
            for value in values.into_iter().chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]) {
                let place = axis.place(value);
                assert!((0.0..=100.0).contains(&place), "{values:?}: {place}");
            }
            assert!(axis.ticks().len() <= 40);
        }
        assert!(Axis::over([f64::NAN], &Unit::Unknown, [0.0, 1.0], 5.0).is_none());
    }
}
