//! Series of a metric store.

use crate::arguments::MetricStoreArguments;
use fathom_request::{MetricStore, StoreAccess};

impl MetricStoreArguments {
    /// The store, if there is anything about one. An address that is missing is refused when it is asked.
    pub(crate) fn store(&self) -> Option<MetricStore> {
        let store = MetricStore {
            address: self.address.clone().unwrap_or_default(),
            matches: self.matches.clone(),
            queries: self.queries.clone(),
            range: self.range.clone(),
            history: self.history,
            step: self.step,
            access: StoreAccess {
                token_file: self.token_file.clone(),
                token_env: self.token_env.clone(),
                user: self.user.clone(),
                password_file: self.password_file.clone(),
                password_env: self.password_env.clone(),
                headers: self.headers.clone(),
                header_file: self.header_file.clone(),
            },
        };
        (store != MetricStore::default()).then_some(store)
    }
}
