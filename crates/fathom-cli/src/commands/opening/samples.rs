//! Samples for the page: analysed again as often as options change there.

use fathom_analyze::Report;
use fathom_engine::opening::{Reanalysis, ReanalysisOptions};
use fathom_ui::SessionSource;
use fathom_ui::session::SessionOptions;

pub(super) struct SamplesToShow(pub(super) Reanalysis);

impl SessionSource for SamplesToShow {
    fn options(&self) -> SessionOptions {
        let ReanalysisOptions { confidence, outliers, outlier_method, steady_state, statistic } =
            self.0.options();
        SessionOptions { confidence, outliers, outlier_method, steady_state, statistic }
    }

    fn report(&self, options: &SessionOptions) -> Result<Report, String> {
        let SessionOptions { confidence, outliers, outlier_method, steady_state, statistic } =
            *options;
        let options =
            ReanalysisOptions { confidence, outliers, outlier_method, steady_state, statistic };
        self.0.report(&options).map_err(|error| error.to_string())
    }
}
