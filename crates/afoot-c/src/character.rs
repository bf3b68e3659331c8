//! Characters: opened at a place, advanced, closed.

use afoot_runtime::{Character, Planar};

use crate::border::{AfootResult, copy_numbers, guarded};
use crate::pack::AfootPack;

/// A steered character.
pub struct AfootCharacter {
    character: Character,
    words: Vec<String>,
}

/// Puts a character at a place on the ground [m], facing a yaw [rad; 0 along +z, a quarter turn along
/// +x]. `variant` says which moment of the motion it begins in, so that many are not in step. Free it with
/// `afoot_character_close`.
///
/// # Safety
/// `pack` is null or open, `character` null or a pointer that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_character_open(
    pack: *const AfootPack,
    x: f64,
    z: f64,
    yaw: f64,
    variant: u32,
    character: *mut *mut AfootCharacter,
) -> AfootResult {
    guarded(|| {
        // SAFETY: the caller's promise.
        let pack = unsafe { pack.as_ref() };
        let Some(pack) = pack.filter(|_| !character.is_null()) else {
            return AfootResult::Null;
        };
        if ![x, z, yaw].iter().all(|number| number.is_finite()) {
            return AfootResult::Value;
        }
        let Ok(opened) = pack.0.character(Planar::new(x, z, yaw), variant) else {
            return AfootResult::Pack;
        };
        let opened = AfootCharacter {
            character: opened,
            words: pack.0.words().to_vec(),
        };
        // SAFETY: the caller's promise.
        unsafe { character.write(Box::into_raw(Box::new(opened))) };
        AfootResult::Ok
    })
}

/// Lets `seconds` pass (at most a quarter) with the wish to move towards `direction`, a yaw [rad], as
/// word number `word` says; -1 leaves the kind of motion open. `pose` gets the root's place (x, y, z in
/// metres, y up), then the rotation of each joint against its parent (x, y, z, w): 3 + 4 × joints numbers.
/// Asks for no memory.
///
/// # Safety
/// `character` is null or open and used by no other thread now, `pose` null or `pose_size` numbers that
/// may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_character_advance(
    character: *mut AfootCharacter,
    seconds: f64,
    direction: f64,
    word: i32,
    pose: *mut f32,
    pose_size: usize,
) -> AfootResult {
    guarded(|| {
        // SAFETY: the caller's promise.
        let own = unsafe { character.as_mut() };
        let Some(own) = own.filter(|_| !pose.is_null()) else {
            return AfootResult::Null;
        };
        if !seconds.is_finite() || !direction.is_finite() {
            return AfootResult::Value;
        }
        let label = match usize::try_from(word) {
            Err(_) => None,
            Ok(word) => match own.words.get(word) {
                None => return AfootResult::None,
                label => label,
            },
        };
        if pose_size < 3 + 4 * own.character.pose().rotations.len() {
            return AfootResult::Short;
        }
        let label = label.map(String::as_str);
        let Ok(made) = own.character.advance(seconds, direction, label) else {
            return AfootResult::None;
        };
        let root = made.root.to_array();
        // SAFETY: the buffer is long enough for these and the rotations behind them.
        unsafe { std::ptr::copy_nonoverlapping(root.as_ptr(), pose, 3) };
        for (joint, rotation) in made.rotations.iter().enumerate() {
            let rotation = rotation.to_array();
            // SAFETY: as above.
            unsafe { std::ptr::copy_nonoverlapping(rotation.as_ptr(), pose.add(3 + 4 * joint), 4) };
        }
        AfootResult::Ok
    })
}

/// Where the character's points are in the world now (x, y, z each, in metres): its joints, then the
/// ends of limbs. 3 × points numbers.
///
/// # Safety
/// As for `afoot_character_advance`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_character_points(
    character: *mut AfootCharacter,
    points: *mut f32,
    size: usize,
) -> AfootResult {
    guarded(|| {
        // SAFETY: the caller's promise.
        let Some(own) = (unsafe { character.as_mut() }) else {
            return AfootResult::Null;
        };
        let places = own.character.points();
        let numbers = (0..3 * places.len()).map(|index| places[index / 3][index % 3]);
        // SAFETY: the caller's promise.
        unsafe { copy_numbers(numbers, points, size) }
    })
}

/// What touched the ground in the captured motion at the last frame, a bit each: 1 left heel, 2 left
/// ball, 4 right heel, 8 right ball. 0 for null.
///
/// # Safety
/// `character` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_character_contacts(character: *const AfootCharacter) -> u32 {
    // SAFETY: the caller's promise.
    let own = unsafe { character.as_ref() };
    own.map_or(0, |own| u32::from(own.character.contacts().0 & 15))
}

/// Frees a character; null is nothing.
///
/// # Safety
/// `character` is null or was opened here and not closed since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afoot_character_close(character: *mut AfootCharacter) {
    if !character.is_null() {
        // SAFETY: it was made by `Box::into_raw` in `afoot_character_open`.
        drop(unsafe { Box::from_raw(character) });
    }
}
