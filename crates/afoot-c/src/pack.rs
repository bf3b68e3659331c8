//! Packs: opened from a mapped file or from bytes, asked about, closed.

use std::ffi::c_char;
use std::sync::Arc;

use afoot_runtime::{Bytes, Pack};

use crate::border::{AfootResult, copy_text, guarded};

/// A baked character's motion. Characters keep what they need of it: it may be closed before them.
pub struct AfootPack(pub(crate) Pack);

/// Opens a pack's file, which is mapped, not read. Free it with `afoot_pack_close`. `message` gets what
/// is wrong, if something is; it may be null.
///
/// # Safety
/// `path` is null or a text that ends with a zero, `pack` null or a pointer that may be written,
/// `message` null or `message_size` bytes that may be written. The file must not change while it is open.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_open_file(
    path: *const c_char,
    pack: *mut *mut AfootPack,
    message: *mut c_char,
    message_size: usize,
) -> AfootResult {
    guarded(|| {
        if path.is_null() || pack.is_null() {
            return AfootResult::Null;
        }
        // SAFETY: the caller says that it ends with a zero.
        let path = unsafe { std::ffi::CStr::from_ptr(path) };
        let Ok(path) = path.to_str() else {
            return AfootResult::Value;
        };
        let file = std::fs::File::open(path);
        // SAFETY: the caller says that the file does not change while it is mapped.
        let mapped = file.and_then(|file| unsafe { memmap2::Mmap::map(&file) });
        match mapped {
            // SAFETY: pointers are as this function asks for them.
            Ok(bytes) => unsafe { open(Arc::new(bytes), pack, (message, message_size)) },
            Err(error) => {
                // SAFETY: as above.
                unsafe { copy_text(&format!("{path}: {error}"), message, message_size) };
                AfootResult::File
            }
        }
    })
}

/// The same from bytes, which are copied.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; the rest as for `afoot_pack_open_file`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_open_bytes(
    bytes: *const u8,
    size: usize,
    pack: *mut *mut AfootPack,
    message: *mut c_char,
    message_size: usize,
) -> AfootResult {
    guarded(|| {
        if bytes.is_null() || pack.is_null() {
            return AfootResult::Null;
        }
        // SAFETY: the caller says that there are so many.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, size) };
        // SAFETY: pointers are as this function asks for them.
        unsafe { open(Arc::new(bytes.to_vec()), pack, (message, message_size)) }
    })
}

/// # Safety
/// `pack` may be written, `message` is null or so many bytes that may be.
unsafe fn open(
    bytes: Bytes,
    pack: *mut *mut AfootPack,
    (message, message_size): (*mut c_char, usize),
) -> AfootResult {
    match Pack::open(bytes) {
        Ok(opened) => {
            // SAFETY: the caller's promise.
            unsafe { pack.write(Box::into_raw(Box::new(AfootPack(opened)))) };
            AfootResult::Ok
        }
        Err(error) => {
            // SAFETY: the caller's promise.
            unsafe { copy_text(&error.to_string(), message, message_size) };
            AfootResult::Pack
        }
    }
}

/// Frees a pack; null is nothing.
///
/// # Safety
/// `pack` is null or was opened here and not closed since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_close(pack: *mut AfootPack) {
    if !pack.is_null() {
        // SAFETY: it was made by `Box::into_raw` in `open`.
        drop(unsafe { Box::from_raw(pack) });
    }
}

/// How many joints a pose has; 0 for null.
///
/// # Safety
/// `pack` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_joint_count(pack: *const AfootPack) -> usize {
    // SAFETY: the caller's promise.
    unsafe { pack.as_ref() }.map_or(0, |pack| pack.0.skeleton().len())
}

/// How many points a character has: its joints, then the ends of limbs; 0 for null.
///
/// # Safety
/// `pack` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_point_count(pack: *const AfootPack) -> usize {
    // SAFETY: the caller's promise.
    unsafe { pack.as_ref() }.map_or(0, |pack| pack.0.skeleton().point_count())
}

/// Frames per second of the captured motion; characters are advanced at any rate. 0 for null.
///
/// # Safety
/// `pack` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_fps(pack: *const AfootPack) -> f64 {
    // SAFETY: the caller's promise.
    unsafe { pack.as_ref() }.map_or(0.0, |pack| pack.0.fps())
}

/// How many words can be wished for; 0 for null.
///
/// # Safety
/// `pack` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_word_count(pack: *const AfootPack) -> usize {
    // SAFETY: the caller's promise.
    unsafe { pack.as_ref() }.map_or(0, |pack| pack.0.words().len())
}

/// The joint that a joint hangs on; -1 for the root, and where there is no such joint.
///
/// # Safety
/// `pack` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_joint_parent(pack: *const AfootPack, joint: usize) -> i32 {
    // SAFETY: the caller's promise.
    let joints = unsafe { pack.as_ref() }.map(|pack| pack.0.skeleton().joints());
    let joint = joints.and_then(|joints| joints.get(joint));
    let parent = joint.and_then(|joint| joint.parent);
    parent.map_or(-1, |parent| parent.index() as i32)
}

/// The joint that a point hangs on, joints first, then ends of limbs; -1 as above.
///
/// # Safety
/// `pack` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_point_parent(pack: *const AfootPack, point: usize) -> i32 {
    // SAFETY: the caller's promise.
    let Some(open) = (unsafe { pack.as_ref() }) else {
        return -1;
    };
    let skeleton = open.0.skeleton();
    match point.checked_sub(skeleton.len()) {
        // SAFETY: the caller's promise.
        None => unsafe { afoot_pack_joint_parent(pack, point) },
        Some(site) => {
            let site = skeleton.end_sites().get(site);
            site.map_or(-1, |site| site.parent.index() as i32)
        }
    }
}

/// The name of a joint, with a closing zero, cut where the buffer is shorter.
///
/// # Safety
/// `pack` is null or open, `name` null or `size` bytes that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_joint_name(
    pack: *const AfootPack,
    joint: usize,
    name: *mut c_char,
    size: usize,
) -> AfootResult {
    let find = |pack: &Pack| Some(pack.skeleton().joints().get(joint)?.name.clone());
    // SAFETY: the caller's promise.
    unsafe { tell(pack, find, (name, size)) }
}

/// A word that can be wished for, in the same way.
///
/// # Safety
/// `pack` is null or open, `word` null or `size` bytes that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_pack_word(
    pack: *const AfootPack,
    index: usize,
    word: *mut c_char,
    size: usize,
) -> AfootResult {
    let find = |pack: &Pack| pack.words().get(index).cloned();
    // SAFETY: the caller's promise.
    unsafe { tell(pack, find, (word, size)) }
}

/// # Safety
/// `pack` is null or open, `to` null or so many bytes that may be written.
unsafe fn tell(
    pack: *const AfootPack,
    find: impl FnOnce(&Pack) -> Option<String>,
    (to, size): (*mut c_char, usize),
) -> AfootResult {
    guarded(|| {
        // SAFETY: the caller's promise.
        let pack = unsafe { pack.as_ref() };
        let Some(pack) = pack.filter(|_| !to.is_null()) else {
            return AfootResult::Null;
        };
        let Some(text) = find(&pack.0) else {
            return AfootResult::None;
        };
        if size == 0 {
            return AfootResult::Short;
        }
        // SAFETY: the caller's promise.
        unsafe { copy_text(&text, to, size) };
        AfootResult::Ok
    })
}
