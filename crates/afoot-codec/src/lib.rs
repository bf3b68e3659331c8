//! What is kept, as bytes.
//!
//! One codec ([`Writer`], [`Reader`]: little-endian, counts before lists), one content hash
//! ([`ContentHash`]), one way to say what a kept thing is ([`Artefact`]: its kind, its version, its
//! codec), and tables that are used where they lie instead of being parsed ([`Flat`], [`Table`]).
//! Knows nothing of motion, files or databases.

pub mod artefact;
pub mod codec;
pub mod digest;
pub mod flat;
pub mod table;

pub use artefact::{Artefact, CodecError, Kind};
pub use codec::{Malformed, Reader, Writer};
pub use digest::{ContentHash, Digest};
pub use flat::{Bytes, Flat, FlatWriter};
pub use table::Table;
