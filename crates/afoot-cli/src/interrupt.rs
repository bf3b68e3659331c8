//! Ctrl-C: long work looks at a flag and stops by itself, so that nothing is left half-written.
//! A second Ctrl-C ends the program at once; files appear whole or not at all even then.

use std::sync::LazyLock;

use afoot_run::{Cancel, Run};

use crate::failure::Failure;

static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);

/// Starts to listen for Ctrl-C.
pub fn watch() {
    let set = ctrlc::set_handler(|| {
        if CANCEL.stop() {
            std::process::exit(130);
        }
    });
    // Without a handler Ctrl-C ends the program at once, which is safe too.
    drop(set);
}

/// Whether the user wants to stop.
pub fn stopped() -> bool {
    CANCEL.is_stopped()
}

/// A run that Ctrl-C stops.
pub fn run() -> Run {
    Run::quiet().with_cancel(CANCEL.clone())
}

/// The flag itself.
pub fn cancel() -> Cancel {
    CANCEL.clone()
}

/// The failure that says so.
pub fn failure() -> Failure {
    Failure::failed("stopped; nothing was written")
}
