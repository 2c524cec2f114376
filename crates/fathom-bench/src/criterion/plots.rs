//! Settings of plots and samples, which have no effect here: `fathom report` draws results later, and
//! Fathom decides how many samples it takes.

/// How the axis of a plot grows. Accepted without effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AxisScale {
    /// Evenly.
    #[default]
    Linear,
    /// By factors.
    Logarithmic,
}

/// How a group is plotted. Accepted without effect.
///
/// ```
/// use fathom_bench::criterion::{AxisScale, Criterion, PlotConfiguration};
///
/// fn sums(c: &mut Criterion) {
///     let mut group = c.benchmark_group("sum");
///     group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
/// }
/// # let _ = sums;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlotConfiguration {
    summary_scale: AxisScale,
}

impl PlotConfiguration {
    /// The axis of the summary.
    #[must_use]
    pub fn summary_scale(mut self, new_scale: AxisScale) -> PlotConfiguration {
        self.summary_scale = new_scale;
        self
    }
}

/// What draws plots. Accepted without effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlottingBackend {
    /// The program gnuplot.
    Gnuplot,
    /// The crate plotters.
    Plotters,
    /// No plots.
    None,
}

/// How many calls samples have. Accepted without effect: Fathom chooses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SamplingMode {
    /// As criterion thinks best.
    #[default]
    Auto,
    /// More and more.
    Linear,
    /// The same in each.
    Flat,
}
