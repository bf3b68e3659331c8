//! Requests in as many threads as their run asks for.

use afoot_run::Run;

use crate::failure::Failure;

/// Stack of a thread that works on a request: as large as a program's main thread usually has. [bytes]
const STACK: usize = 8 << 20;

/// Does some work in as many threads as the run asks for. Requests do so themselves; a program need
/// not, unless it works in between.
pub fn in_threads<T: Send>(
    run: &Run,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let Some(threads) = run.threads else {
        return work();
    };
    let is_there = rayon::current_thread_index().is_some();
    if is_there && rayon::current_num_threads() == threads.get() {
        return work();
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.get())
        .stack_size(STACK)
        .build();
    match pool {
        Ok(pool) => pool.install(work),
        Err(error) => Err(Failure::failed(format!("{threads} threads: {error}"))),
    }
}
