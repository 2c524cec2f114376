//! Which stretch of another run is the one that was selected.
