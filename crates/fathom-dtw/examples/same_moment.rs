//! Finds a moment of one run in another run that was slower:
//!
//!     cargo run -p fathom-dtw --example same_moment
#![allow(clippy::print_stdout, reason = "it prints its result")]

use fathom_dtw::{Warp, WarpError};

fn main() -> Result<(), WarpError> {
    // The same work twice: the queue fills, empties, and fills again. The second run takes longer.
    let first = [0.0, 4.0, 9.0, 4.0, 0.0, 0.0, 5.0, 5.0, 0.0];
    let second = [0.0, 0.0, 4.0, 4.0, 9.0, 9.0, 4.0, 0.0, 0.0, 0.0, 5.0, 5.0, 5.0, 0.0];
    let alignment = Warp::new().align(&first, &second)?;
    let peak = 2..=2;
    println!("distance {}", alignment.distance);
    if let Some(there) = alignment.path.window(peak.clone()) {
        println!("samples {peak:?} of the first run are samples {there:?} of the second");
    }
    Ok(())
}
