//! What a kernel asks of a register: several rows of a strip side by side.

/// Room for the lanes of the widest register.
pub(crate) type Slot = [f64; 8];

/// A register of `LANES` numbers, none of them NaN.
///
/// The two constructors are unsafe because the processor must have the instructions of the type.
/// Everything else starts from a value, which proves that it has.
pub(super) trait Lanes: Copy {
    /// How many rows stand side by side; at most eight.
    const LANES: usize;

    /// The answer to a comparison in each lane.
    type Mask: Copy;

    /// The value in every lane.
    ///
    /// # Safety
    /// The processor has the instructions of this type.
    unsafe fn splat(value: f64) -> Self;

    /// The first `LANES` numbers of a slot.
    ///
    /// # Safety
    /// The processor has the instructions of this type.
    unsafe fn read(slot: &Slot) -> Self;

    /// Into the first `LANES` numbers of a slot.
    fn write(self, slot: &mut Slot);

    /// |self - other|.
    fn gap(self, other: Self) -> Self;

    /// self + other.
    fn plus(self, other: Self) -> Self;

    /// The smaller.
    fn least(self, other: Self) -> Self;

    /// Where self <= other.
    fn at_most(self, other: Self) -> Self::Mask;

    /// `yes` where the mask is set, `no` elsewhere.
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// One bit per lane, the first lane lowest.
    fn bits(mask: Self::Mask) -> u8;

    /// Every lane moves on to the next, the last to the first.
    fn rotated(self) -> Self;

    /// The first lane.
    fn first(self) -> f64;

    /// The same with another first lane.
    fn with_first(self, value: f64) -> Self;
}
