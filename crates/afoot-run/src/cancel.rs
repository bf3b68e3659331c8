//! The flag that stops work, and the word for having been stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// A flag that is set once and seen by all its clones.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// The work was stopped from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Error)]
#[error("stopped")]
pub struct Stopped;

impl Cancel {
    /// Asks the work to stop; says whether it had been asked before.
    pub fn stop(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether the work is to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether the work was to stop, and lets it go on: for work that has something to show when it is
    /// stopped, and has to finish that. The next call of [`Cancel::stop`] is the first again.
    pub fn take_stop(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }

    /// [`Stopped`] once the work is to stop.
    pub fn check(&self) -> Result<(), Stopped> {
        match self.is_stopped() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// The flag itself, for searches, which know nothing of runs.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_see_the_flag_and_the_second_call_knows_of_the_first() {
        let cancel = Cancel::default();
        let clone = cancel.clone();
        assert_eq!(clone.check(), Ok(()));
        assert!(!cancel.stop());
        assert_eq!(clone.check(), Err(Stopped));
        assert!(clone.stop());
        assert!(cancel.take_stop());
        assert_eq!(clone.check(), Ok(()));
    }
}
