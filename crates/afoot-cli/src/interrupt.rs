//! Ctrl-C, and being asked to end by another program (SIGTERM, SIGHUP): long work sees that it is to stop and
//! does so by itself, so that nothing is left half-written. A second time ends the program at once; files
//! appear whole or not at all even then.

use afoot::Cancel;

/// Starts to listen; gives what is set then.
pub fn watch() -> Cancel {
    let cancel = Cancel::default();
    let flag = cancel.clone();
    let set = ctrlc::set_handler(move || {
        if flag.stop() {
            std::process::exit(130);
        }
    });
    // Without a handler a signal ends the program at once, which is safe too.
    drop(set);
    cancel
}
