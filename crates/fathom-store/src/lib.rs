//! Sessions kept in SQLite, durable run by run.
