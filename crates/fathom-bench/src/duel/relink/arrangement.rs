//! Ways to put the same code elsewhere.

use std::ffi::OsString;

/// How a linker is made to choose another layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// Every function and every datum gets another place: lld's `--shuffle-sections`.
    Sections,
    /// Mold's option of the same name, which knows no patterns.
    AllSections,
    /// Everything moves by the same number of bytes: for linkers that cannot shuffle.
    Padding,
}

/// What is shuffled. Not everything: the order of constructors and of notes may matter.
const SHUFFLED: [&str; 4] = [".text*", ".rodata*", ".data*", ".bss*"];
/// The most bytes that code moves by: several pages.
const MOST_PADDING: u64 = 16 * 1024;
/// Functions begin at such addresses.
const ALIGNMENT: u64 = 16;

impl Arrangement {
    /// From the one that moves most to the one that moves least.
    pub(crate) const ALL: [Arrangement; 3] =
        [Arrangement::Sections, Arrangement::AllSections, Arrangement::Padding];

    /// The words that the linker needs for this layout. `driver` is whether it is a compiler that
    /// passes words on.
    pub(super) fn words(self, seed: u64, driver: bool) -> Vec<OsString> {
        // Linkers take 32 bits, and lld takes 0 for "choose one".
        let seed = seed % u64::from(u32::MAX) + 1;
        let passed_on =
            |word: String| OsString::from(if driver { format!("-Wl,{word}") } else { word });
        match self {
            Arrangement::Sections => SHUFFLED
                .iter()
                .map(|pattern| passed_on(format!("--shuffle-sections={pattern}={seed}")))
                .collect(),
            Arrangement::AllSections => vec![passed_on(format!("--shuffle-sections={seed}"))],
            Arrangement::Padding => Vec::new(),
        }
    }

    /// By how many bytes code moves, where padding is needed for it.
    pub(super) fn padding(self, seed: u64) -> Option<u64> {
        (self == Arrangement::Padding).then(|| {
            // Neighbouring seeds must not give neighbouring layouts.
            let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            ALIGNMENT * (1 + mixed % (MOST_PADDING / ALIGNMENT))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_fit_the_linkers() {
        for seed in [0, 1, u64::from(u32::MAX), u64::MAX] {
            for word in Arrangement::Sections.words(seed, true) {
                let word = word.into_string().unwrap();
                let given: u32 = word.rsplit_once('=').unwrap().1.parse().unwrap();
                assert!(given > 0, "{word}");
                assert!(word.starts_with("-Wl,--shuffle-sections=."), "{word}");
            }
        }
        assert_eq!(Arrangement::AllSections.words(6, false), ["--shuffle-sections=7"]);
    }

    #[test]
    fn padding_is_aligned_and_varies() {
        let paddings: Vec<u64> =
            (0..50).map(|seed| Arrangement::Padding.padding(seed).unwrap()).collect();
        assert!(
            paddings.iter().all(|bytes| bytes % 16 == 0 && (16..=MOST_PADDING).contains(bytes))
        );
        let distinct: std::collections::BTreeSet<_> = paddings.iter().collect();
        assert!(distinct.len() > 40, "{distinct:?}");
        assert_eq!(Arrangement::Sections.padding(1), None);
    }
}
