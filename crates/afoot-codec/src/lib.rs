//! What is kept, as bytes.
//!
//! One codec ([`Writer`], [`Reader`]: little-endian, counts before lists), one content hash
//! ([`ContentHash`]), one way to say what a kept thing is ([`Artefact`]: its kind, its version, its
//! codec), and tables that are used where they lie instead of being parsed ([`Flat`], [`Table`]).
//! Knows nothing of motion, files or databases.
//!
//! ```
//! use afoot_codec::{Artefact, CodecError, Kind, Malformed, Reader, Writer};
//!
//! #[derive(Debug, PartialEq)]
//! struct Names(Vec<String>);
//!
//! impl Artefact for Names {
//!     const KIND: Kind = Kind {
//!         magic: *b"somename",
//!         version: 1,
//!         oldest: 1,
//!         other_hash: 0,
//!         name: "names",
//!         what: "list of names",
//!     };
//!
//!     fn write(&self, writer: &mut Writer) {
//!         writer.count(self.0.len());
//!         self.0.iter().for_each(|name| writer.text(name));
//!     }
//!
//!     fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
//!         Ok(Self(reader.list(4, |reader| reader.text())?)) // a name takes 4 bytes or more
//!     }
//! }
//!
//! let names = Names(vec!["walk".into(), "run".into()]);
//! let mut bytes = names.to_bytes();
//! assert_eq!(Names::from_bytes(&bytes), Ok(names));
//! *bytes.last_mut().unwrap() ^= 1;
//! assert_eq!(Names::from_bytes(&bytes), Err(CodecError::Damaged("list of names")));
//! ```

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
