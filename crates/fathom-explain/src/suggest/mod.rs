//! Anomalies worth a look.
