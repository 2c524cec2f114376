//! How much one call of a function does.

/// What one call works through, so that its time becomes a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throughput {
    /// This many bytes.
    Bytes(u64),
    /// This many things: rows, requests, keys.
    Items(u64),
}

impl Throughput {
    /// All of them, each with its number.
    pub const ALL: [fn(u64) -> Throughput; 2] = [Throughput::Bytes, Throughput::Items];

    /// The name in JSON of what it counts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Throughput::Bytes(_) => "bytes",
            Throughput::Items(_) => "items",
        }
    }

    /// How many.
    #[must_use]
    pub fn per_call(self) -> u64 {
        match self {
            Throughput::Bytes(count) | Throughput::Items(count) => count,
        }
    }

    /// How many per second, if a call takes this many seconds; `None` if it takes none.
    ///
    /// ```
    /// use fathom_record::Throughput;
    /// assert_eq!(Throughput::Bytes(1000).per_second(0.5), Some(2000.0));
    /// assert_eq!(Throughput::Bytes(1000).per_second(0.0), None);
    /// ```
    #[must_use]
    pub fn per_second(self, seconds_per_call: f64) -> Option<f64> {
        #[allow(clippy::cast_precision_loss, reason = "a rate needs no last bits")]
        let rate = self.per_call() as f64 / seconds_per_call;
        (seconds_per_call > 0.0 && rate.is_finite()).then_some(rate)
    }
}
