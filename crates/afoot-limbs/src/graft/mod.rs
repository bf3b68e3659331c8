//! Grafts.
