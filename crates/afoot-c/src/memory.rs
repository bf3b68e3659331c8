//! Memory for a page, which sees nothing but this module's own.

use std::alloc::{Layout, alloc, dealloc};

/// Some bytes at a multiple of 8, to be filled or read by the page; null if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn afoot_memory_take(size: usize) -> *mut u8 {
    match Layout::from_size_align(size.max(1), 8) {
        // SAFETY: the size is not 0.
        Ok(layout) => unsafe { alloc(layout) },
        Err(_) => std::ptr::null_mut(),
    }
}

/// Gives them back.
///
/// # Safety
/// `at` came from `afoot_memory_take` with this size and was not given back since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_memory_free(at: *mut u8, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size.max(1), 8) {
        // SAFETY: the caller's promise.
        unsafe { dealloc(at, layout) };
    }
}
