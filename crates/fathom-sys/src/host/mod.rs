//! What the host says of itself: facts that decide how well it measures.
