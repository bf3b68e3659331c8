//! Ctrl-C: long work sees that it is to stop and does so by itself, so that nothing is left
//! half-written. A second Ctrl-C ends the program at once; files appear whole or not at all even then.

use afoot::Cancel;

/// Starts to listen for Ctrl-C; gives what it sets.
pub fn watch() -> Cancel {
    let cancel = Cancel::default();
    let flag = cancel.clone();
    let set = ctrlc::set_handler(move || {
        if flag.stop() {
            std::process::exit(130);
        }
    });
    // Without a handler Ctrl-C ends the program at once, which is safe too.
    drop(set);
    cancel
}
