//! How much one call does, in criterion's words.

/// How much one call does, so that its time becomes a rate as well.
///
/// ```
/// use fathom_bench::criterion::{Criterion, Throughput};
///
/// fn count(c: &mut Criterion) {
///     let text = "one two three ".repeat(1000);
///     let mut group = c.benchmark_group("words");
///     group.throughput(Throughput::Bytes(text.len() as u64));
///     group.bench_function("split", |b| b.iter(|| text.split(' ').count()));
///     group.finish();
/// }
/// # let _ = count;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Throughput {
    /// This many bits; shown as bytes if that is a whole number, else as items.
    Bits(u64),
    /// This many bytes, shown in powers of 1000.
    Bytes(u64),
    /// The same.
    BytesDecimal(u64),
    /// This many items.
    Elements(u64),
    /// Items and bytes; the rate is that of the items.
    ElementsAndBytes {
        /// How many items.
        elements: u64,
        /// How many bytes, which Fathom does not show.
        bytes: u64,
    },
}

impl Throughput {
    pub(super) fn in_our_words(&self) -> fathom_record::Throughput {
        use fathom_record::Throughput as Ours;
        match *self {
            Throughput::Bits(bits) if bits.is_multiple_of(8) => Ours::Bytes(bits / 8),
            Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes) => Ours::Bytes(bytes),
            Throughput::Bits(items)
            | Throughput::Elements(items)
            | Throughput::ElementsAndBytes { elements: items, .. } => Ours::Items(items),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Throughput as Ours;

    #[test]
    fn every_kind_has_its_rate() {
        for (criterion, ours) in [
            (Throughput::Bytes(5), Ours::Bytes(5)),
            (Throughput::BytesDecimal(5), Ours::Bytes(5)),
            (Throughput::Bits(16), Ours::Bytes(2)),
            (Throughput::Bits(15), Ours::Items(15)),
            (Throughput::Elements(7), Ours::Items(7)),
            (Throughput::ElementsAndBytes { elements: 7, bytes: 9 }, Ours::Items(7)),
        ] {
            assert_eq!(criterion.in_our_words(), ours);
        }
    }
}
