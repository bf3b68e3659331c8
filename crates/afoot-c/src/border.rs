//! What every function does at the border: codes instead of panics, texts into buffers.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfootResult {
    /// Done.
    Ok = 0,
    /// A pointer that must not be null is.
    Null = 1,
    /// A buffer is too short; nothing was written to it.
    Short = 2,
    /// A file can't be read.
    File = 3,
    /// These bytes are no pack, or damaged, or of another version; the message says which.
    Pack = 4,
    /// There is no such joint, point or word.
    None = 5,
    /// A number is not finite or a text no UTF-8.
    Value = 6,
    /// A fault of the library itself; the character is not to be used any more.
    Fault = 7,
}

/// Runs a call; a panic is a fault that ends here.
pub(crate) fn guarded(call: impl FnOnce() -> AfootResult) -> AfootResult {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or(AfootResult::Fault)
}

/// Copies a text with a closing zero into a buffer of `size` bytes, cut where it is longer.
///
/// # Safety
/// `to` is null or points to `size` bytes that may be written.
pub(crate) unsafe fn copy_text(text: &str, to: *mut c_char, size: usize) {
    if to.is_null() || size == 0 {
        return;
    }
    let mut end = text.len().min(size - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // SAFETY: `end` and the zero fit into the `size` bytes that the caller gives.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), to.cast::<u8>(), end);
        to.add(end).write(0);
    }
}

/// Copies numbers into a buffer that holds `size` of them.
///
/// # Safety
/// `to` is null or points to `size` numbers that may be written.
pub(crate) unsafe fn copy_numbers(
    numbers: impl ExactSizeIterator<Item = f32>,
    to: *mut f32,
    size: usize,
) -> AfootResult {
    if to.is_null() {
        return AfootResult::Null;
    }
    if numbers.len() > size {
        return AfootResult::Short;
    }
    for (index, number) in numbers.enumerate() {
        // SAFETY: there are no more numbers than the buffer holds.
        unsafe { to.add(index).write(number) };
    }
    AfootResult::Ok
}
