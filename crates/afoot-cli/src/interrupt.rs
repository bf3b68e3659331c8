//! Ctrl-C: long work looks at a flag and stops by itself, so that nothing is left half-written.
//! A second Ctrl-C ends the program at once; files appear whole or not at all even then.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Starts to listen for Ctrl-C.
pub fn watch() {
    let set = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    // Without a handler Ctrl-C ends the program at once, which is safe too.
    drop(set);
}

/// Whether the user wants to stop.
pub fn stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Whether long work may go on: the answer to its reports of progress.
pub fn go_on() -> ControlFlow<()> {
    match stopped() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// The flag itself, for work that polls it.
pub fn flag() -> &'static AtomicBool {
    &STOPPED
}

/// The failure that says so.
pub fn failure() -> Failure {
    Failure::failed("stopped; nothing was written")
}
