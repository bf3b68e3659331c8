//! One run of a piece of work: whether to go on, who hears how far it is, seed and threads.
//!
//! Long work takes a [`Run`], tells it how far it is, and asks it now and then whether to go on. A
//! terminal, a WebSocket and a Python callback watch the same [`Event`]s, and stop the work by the
//! same [`Cancel`]. Being stopped has one word, [`Stopped`], in every error of the crates above.
//!
//! ```
//! use std::sync::{Arc, Mutex};
//! use afoot_run::{Event, Run, Stopped};
//!
//! fn add_up(run: &Run) -> Result<u64, Stopped> {
//!     (1..=100).try_fold(0, |sum, number| {
//!         run.progress("adding", number, 100);
//!         run.check().map(|()| sum + number)
//!     })
//! }
//!
//! let heard = Arc::new(Mutex::new(0));
//! let counter = Arc::clone(&heard);
//! let run = Run::watched(move |event| {
//!     if let Event::Progress(progress) = event {
//!         *counter.lock().unwrap() = progress.done;
//!     }
//! });
//! assert_eq!(add_up(&run), Ok(5050));
//! assert_eq!(*heard.lock().unwrap(), 100);
//! run.cancel().stop();
//! assert_eq!(add_up(&run), Err(Stopped));
//! ```

mod cancel;
mod event;

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

pub use cancel::{Cancel, Stopped};
pub use event::{Event, Partial, Progress};

/// What a piece of work is run with. Cheap to clone; clones share the cancel flag and the watcher.
#[derive(Clone)]
pub struct Run {
    cancel: Cancel,
    watcher: Option<Arc<Watcher>>,
    /// Seed of everything random; the same seed gives the same bytes.
    pub seed: u64,
    /// Threads to work with; `None` is one per core. The result does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

/// Hears events, from any thread.
type Watcher = dyn Fn(&Event) + Send + Sync;

impl Run {
    /// Nobody watches, and nobody but a holder of [`Run::cancel`] stops it.
    pub fn quiet() -> Self {
        Self {
            cancel: Cancel::default(),
            watcher: None,
            seed: 1,
            threads: None,
        }
    }

    /// Watched from any thread, between pieces of work: what is done there delays them.
    pub fn watched(watcher: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        Self {
            watcher: Some(Arc::new(watcher)),
            ..Self::quiet()
        }
    }

    /// The same run, whose events `watcher` hears too.
    pub fn and_watched(&self, watcher: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        let first = self.watcher.clone();
        let both = move |event: &Event| {
            watcher(event);
            if let Some(first) = &first {
                first(event);
            }
        };
        Self {
            watcher: Some(Arc::new(both)),
            ..self.clone()
        }
    }

    /// The same run, of which only warnings are heard: for work whose parts would be noise.
    pub fn warnings_only(&self) -> Self {
        let watcher = self.watcher.clone().map(|heard| {
            let warned = move |event: &Event| {
                if matches!(event, Event::Warning(_)) {
                    heard(event);
                }
            };
            Arc::new(warned) as Arc<Watcher>
        });
        Self {
            watcher,
            ..self.clone()
        }
    }

    /// The same run, of which nothing is heard; it is still stopped.
    pub fn silent(&self) -> Self {
        Self {
            watcher: None,
            ..self.clone()
        }
    }

    /// Stopped by that flag.
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// With another seed.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// With that many threads.
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// What stops it.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether work may go on: asked at least every tenth of a second of it.
    pub fn check(&self) -> Result<(), Stopped> {
        self.cancel.check()
    }

    /// Says that `done` of `total` units of a stage are done.
    pub fn progress(&self, stage: &'static str, done: u64, total: u64) {
        let progress = Progress { stage, done, total };
        self.tell(|| Event::Progress(progress));
    }

    /// Says something that is good to know.
    pub fn note(&self, words: impl fmt::Display) {
        self.tell(|| Event::Note(words.to_string()));
    }

    /// Says something that a person should know whatever happens.
    pub fn warn(&self, words: impl fmt::Display) {
        self.tell(|| Event::Warning(words.to_string()));
    }

    /// Hands over a part of the result, made only if somebody watches.
    pub fn partial<T: Send + Sync + 'static>(&self, part: impl FnOnce() -> T) {
        self.tell(|| Event::Partial(Partial::new(part())));
    }

    fn tell(&self, event: impl FnOnce() -> Event) {
        if let Some(watcher) = &self.watcher {
            watcher(&event());
        }
    }
}

impl Default for Run {
    fn default() -> Self {
        Self::quiet()
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("stopped", &self.cancel.is_stopped())
            .field("watched", &self.watcher.is_some())
            .field("seed", &self.seed)
            .field("threads", &self.threads)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_run_is_not_heard_and_is_still_stopped() {
        let run = Run::watched(|_| panic!("something was heard")).with_seed(7);
        let silent = run.silent();
        silent.warn("nothing");
        assert_eq!(silent.seed, 7);
        run.cancel().stop();
        assert_eq!(silent.check(), Err(Stopped));
    }
}
