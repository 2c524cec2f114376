//! A line, or a parabola, through points by least squares.

/// What least squares makes of points: every number of it is a weighted sum of the times.
#[derive(Debug, Clone)]
pub(super) struct Fitted {
    pub(super) slope: f64,
    pub(super) intercept: f64,
    /// In the order of the points.
    pub(super) residuals: Vec<f64>,
    /// What the model can do, as columns of unit length at right angles: a fitted time is the
    /// projection on them.
    pub(super) columns: Vec<Vec<f64>>,
    /// The amounts of work.
    pub(super) work: Vec<f64>,
    x_mean: f64,
    /// The root of the squared distances of work from its mean.
    x_spread: f64,
}

impl Fitted {
    /// A line; `None` if all work is the same.
    pub(super) fn line(x: &[f64], y: &[f64]) -> Option<Fitted> {
        let size = x.len() as f64;
        let (x_mean, y_mean) = (mean(x), mean(y));
        let spread: f64 = x.iter().map(|x| (x - x_mean).powi(2)).sum();
        if spread <= size * f64::EPSILON * f64::EPSILON {
            return None;
        }
        let slope = x.iter().zip(y).map(|(x, y)| (x - x_mean) * (y - y_mean)).sum::<f64>() / spread;
        let x_spread = spread.sqrt();
        Some(Fitted {
            slope,
            intercept: y_mean - slope * x_mean,
            residuals: x.iter().zip(y).map(|(x, y)| y - y_mean - slope * (x - x_mean)).collect(),
            columns: vec![
                vec![size.sqrt().recip(); x.len()],
                x.iter().map(|x| (x - x_mean) / x_spread).collect(),
            ],
            work: x.to_vec(),
            x_mean,
            x_spread,
        })
    }

    /// The same points with a square in addition, and the weights that give its factor; `None`
    /// with fewer than four points or three different amounts.
    pub(super) fn with_square(&self, x: &[f64], y: &[f64]) -> Option<(Fitted, Vec<f64>)> {
        if x.len() < 4 {
            return None;
        }
        // What is left of the square of work after a line is fitted to it.
        let square: Vec<f64> = x.iter().map(|x| (x - self.x_mean).powi(2)).collect();
        let bent = Fitted::line(x, &square)?.residuals;
        let spread: f64 = bent.iter().map(|b| b * b).sum();
        if spread <= 1e-18 * x.len() as f64 {
            return None;
        }
        let weights: Vec<f64> = bent.iter().map(|b| b / spread).collect();
        let factor: f64 = weights.iter().zip(y).map(|(w, y)| w * y).sum();
        let mut curve = self.clone();
        curve.residuals.iter_mut().zip(&bent).for_each(|(r, b)| *r -= factor * b);
        curve.columns.push(bent.iter().map(|b| b / spread.sqrt()).collect());
        Some((curve, weights))
    }

    /// The weights of the times in the slope.
    pub(super) fn slope_weights(&self) -> Vec<f64> {
        self.columns[1].iter().map(|u| u / self.x_spread).collect()
    }

    /// The weights of the times in the intercept.
    pub(super) fn intercept_weights(&self) -> Vec<f64> {
        let share = 1.0 / self.residuals.len() as f64;
        self.columns[1].iter().map(|u| share - self.x_mean * u / self.x_spread).collect()
    }

    /// How far each fitted time follows its own point: 1 if it goes through it whatever it is.
    pub(super) fn leverages(&self) -> Vec<f64> {
        (0..self.residuals.len())
            .map(|i| self.columns.iter().map(|column| column[i] * column[i]).sum())
            .collect()
    }

    /// The sum of squared residuals.
    pub(super) fn squares(&self) -> f64 {
        self.residuals.iter().map(|r| r * r).sum()
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
