//! Baked characters for programs in C: open a pack, advance characters, poses into the caller's buffers.
//!
//! `include/afoot.h` is what C sees; a test holds it and these functions together. A pack and a character
//! are opaque pointers, owned by the caller. Every function returns a code ([`AfootResult`]); panics end
//! here as [`AfootResult::Fault`], null pointers and buffers that are too short are told, not used. No
//! global state: different characters may be advanced on different threads, one of them on one at a time.
//! The same functions are what a page calls when this is built as WebAssembly.

mod border;
mod character;
mod pack;

pub use border::AfootResult;
pub use character::{
    AfootCharacter, afoot_character_advance, afoot_character_close, afoot_character_contacts,
    afoot_character_open, afoot_character_points,
};
#[cfg(not(target_family = "wasm"))]
pub use pack::afoot_pack_open_file;
pub use pack::{
    AfootPack, afoot_pack_close, afoot_pack_fps, afoot_pack_joint_count, afoot_pack_joint_name,
    afoot_pack_joint_parent, afoot_pack_open_bytes, afoot_pack_point_count,
    afoot_pack_point_parent, afoot_pack_word, afoot_pack_word_count,
};

/// Bytes that the caller fills, where the caller has no other memory to share: pages in a browser.
#[cfg(target_family = "wasm")]
mod memory;
#[cfg(target_family = "wasm")]
pub use memory::{afoot_memory_free, afoot_memory_take};
