//! Work off the interpreter's lock: on a thread of its own, while the caller's thread hears Ctrl-C and the
//! watcher is called with each event. What the watcher raises stops the work and is raised again.

use std::num::NonZeroUsize;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use afoot::{Event, Failure, Run};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failures::raised;

/// How often Ctrl-C is looked for. [s]
const EVERY: Duration = Duration::from_millis(50);
/// As the main thread of a program has it.
const STACK: usize = 8 << 20;

/// How work is run: seed, threads, and who watches.
#[pyclass(frozen)]
pub(crate) struct Asked {
    seed: u64,
    threads: Option<NonZeroUsize>,
    watcher: Option<Py<PyAny>>,
}

#[pymethods]
impl Asked {
    #[new]
    #[pyo3(signature = (seed=1, threads=None, watcher=None))]
    fn new(seed: u64, threads: Option<NonZeroUsize>, watcher: Option<Py<PyAny>>) -> Self {
        Self {
            seed,
            threads,
            watcher,
        }
    }
}

/// What is heard while work runs.
#[derive(Default)]
struct Heard {
    /// What the watcher or a signal raised.
    error: Option<PyErr>,
    warnings: Vec<String>,
}

/// Runs `work` and gives what it gives; warnings are Python's warnings.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    asked: &Asked,
    work: impl FnOnce(&Run) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let heard = Arc::new(Mutex::new(Heard::default()));
    let run = watched(py, asked, &heard);
    let ended = py.detach(|| on_its_own_thread(&run, &heard, work));
    let heard = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(error) = heard.error {
        return Err(error);
    }
    let warn = py.import("warnings")?.getattr("warn")?;
    for words in heard.warnings {
        warn.call1((words,))?;
    }
    ended?.map_err(|failure| raised(py, &failure))
}

fn watched(py: Python<'_>, asked: &Asked, heard: &Arc<Mutex<Heard>>) -> Run {
    let (heard, watcher) = (Arc::clone(heard), asked.watcher.as_ref());
    let watcher = watcher.map(|watcher| watcher.clone_ref(py));
    let cancel = afoot::Cancel::default();
    let flag = cancel.clone();
    let hear = move |event: &Event| {
        let noted = |note: &dyn Fn(&mut Heard)| {
            note(&mut heard.lock().unwrap_or_else(PoisonError::into_inner));
        };
        if let Event::Warning(words) = event {
            noted(&|heard| heard.warnings.push(words.clone()));
        }
        let Some(watcher) = &watcher else { return };
        if let Err(error) = Python::attach(|py| call(py, watcher, event)) {
            flag.stop();
            let error = Mutex::new(Some(error));
            noted(&|heard| {
                let error = error.lock().unwrap_or_else(PoisonError::into_inner).take();
                heard.error = heard.error.take().or(error);
            });
        }
    };
    let mut run = Run::watched(hear).with_cancel(cancel).with_seed(asked.seed);
    run.threads = asked.threads;
    run
}

fn call(py: Python<'_>, watcher: &Py<PyAny>, event: &Event) -> PyResult<()> {
    let told = PyDict::new(py);
    match event {
        Event::Progress(progress) => {
            told.set_item("kind", "progress")?;
            told.set_item("stage", progress.stage)?;
            told.set_item("done", progress.done)?;
            told.set_item("total", progress.total)?;
        }
        Event::Note(words) => {
            told.set_item("kind", "note")?;
            told.set_item("words", words)?;
        }
        Event::Warning(words) => {
            told.set_item("kind", "warning")?;
            told.set_item("words", words)?;
        }
        Event::Partial(_) => return Ok(()),
    }
    watcher.call1(py, (told,)).map(drop)
}

fn on_its_own_thread<T: Send>(
    run: &Run,
    heard: &Mutex<Heard>,
    work: impl FnOnce(&Run) -> Result<T, Failure> + Send,
) -> PyResult<Result<T, Failure>> {
    let (done, ended) = channel();
    std::thread::scope(|scope| {
        let worker = Builder::new().stack_size(STACK);
        let worker = worker.spawn_scoped(scope, move || {
            let result = work(run);
            done.send(()).ok(); // nobody waits any more: the result is still joined
            result
        })?;
        while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                heard.lock().unwrap_or_else(PoisonError::into_inner).error = Some(error);
                run.cancel().stop();
            }
        }
        let gone =
            |_| PyRuntimeError::new_err("the work ended in a panic; this is a fault of Afoot");
        worker.join().map_err(gone)
    })
}
