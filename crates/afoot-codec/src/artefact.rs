//! Artefacts: things made from others and kept, each with its kind, version and codec said by its
//! type. As bytes: a name, a version, the hash of what follows, then the values.

use thiserror::Error;

use crate::codec::{Malformed, Reader, Writer};
use crate::digest::ContentHash;

/// What a kind of artefact is called: in its bytes, in a library, by people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The first bytes of everything of this kind.
    pub magic: [u8; 8],
    /// What is written.
    pub version: u32,
    /// The oldest version that is still read.
    pub oldest: u32,
    /// Versions up to this carry a hash of another make, which is not looked at: rows of a library
    /// have their own.
    pub other_hash: u32,
    /// What a library files it under.
    pub name: &'static str,
    /// What messages call it.
    pub what: &'static str,
}

/// Why bytes can't be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum CodecError {
    #[error("this is no {0}")]
    OtherKind(&'static str),
    #[error("this {what} has format version {found}; this program reads version {expected}")]
    OtherVersion {
        what: &'static str,
        found: u32,
        expected: u32,
    },
    #[error("this {0} was made from something else")]
    OtherSources(&'static str),
    #[error("this {0} is damaged: its checksum does not match")]
    Damaged(&'static str),
    #[error("this {what} is not valid: {why}")]
    Invalid {
        what: &'static str,
        why: &'static str,
    },
}

/// Something that is kept as bytes.
pub trait Artefact: Sized {
    /// What it is.
    const KIND: Kind;

    /// Its values; equal ones give equal bytes.
    fn write(&self, writer: &mut Writer);

    /// The values again, from bytes of `version`; what is inconsistent is refused.
    fn read(reader: &mut Reader<'_>, version: u32) -> Result<Self, Malformed>;

    /// As bytes that [`Artefact::from_bytes`] reads.
    fn to_bytes(&self) -> Vec<u8> {
        let kind = Self::KIND;
        let mut writer = Writer::default();
        writer.bytes.extend(kind.magic);
        writer.u32(kind.version);
        writer.bytes.extend([0; SUM]);
        self.write(&mut writer);
        let ContentHash(sum) = ContentHash::of(&writer.bytes[HEAD..]);
        writer.bytes[HEAD - SUM..HEAD].copy_from_slice(&sum);
        writer.bytes
    }

    /// What [`Artefact::to_bytes`] wrote; damaged or inconsistent bytes are refused.
    fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let kind = Self::KIND;
        let invalid = |Malformed(why)| CodecError::Invalid {
            what: kind.what,
            why,
        };
        let Some((head, body)) = bytes.split_at_checked(HEAD) else {
            return Err(CodecError::OtherKind(kind.what));
        };
        let mut head = Reader::new(head);
        if head.array().map_err(invalid)? != kind.magic {
            return Err(CodecError::OtherKind(kind.what));
        }
        let version = head.u32().map_err(invalid)?;
        kind.check_version(version)?;
        let sum = ContentHash(head.array().map_err(invalid)?);
        if version > kind.other_hash && sum != ContentHash::of(body) {
            return Err(CodecError::Damaged(kind.what));
        }
        let mut reader = Reader::new(body);
        let read = Self::read(&mut reader, version).map_err(invalid)?;
        reader.end().map_err(invalid)?;
        Ok(read)
    }
}

const SUM: usize = 16;
const HEAD: usize = 8 + 4 + SUM;

impl Kind {
    pub(crate) fn check_version(&self, found: u32) -> Result<(), CodecError> {
        match (self.oldest..=self.version).contains(&found) {
            true => Ok(()),
            false => Err(CodecError::OtherVersion {
                what: self.what,
                found,
                expected: self.version,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Names(Vec<String>);

    impl Artefact for Names {
        const KIND: Kind = Kind {
            magic: *b"afootnam",
            version: 3,
            oldest: 2,
            other_hash: 2,
            name: "names",
            what: "list of names",
        };

        fn write(&self, writer: &mut Writer) {
            writer.count(self.0.len());
            self.0.iter().for_each(|name| writer.text(name));
        }

        fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
            reader.list(4, Reader::text).map(Self)
        }
    }

    fn names() -> Names {
        Names(vec!["walk".into(), "run".into()])
    }

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let bytes = names().to_bytes();
        assert_eq!(Names::from_bytes(&bytes), Ok(names()));
        for cut in 0..bytes.len() {
            assert!(Names::from_bytes(&bytes[..cut]).is_err(), "{cut} bytes");
        }
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 0x10;
            assert!(Names::from_bytes(&changed).is_err(), "byte {index}");
        }
    }

    #[test]
    fn versions_are_read_or_refused_by_number() {
        let mut bytes = names().to_bytes();
        let mut read = |version: u8, sum: u8| {
            (bytes[8], bytes[12]) = (version, sum);
            Names::from_bytes(&bytes)
        };
        assert_eq!(read(2, 0), Ok(names()), "another hash is not looked at");
        let refused = |found| CodecError::OtherVersion {
            what: "list of names",
            found,
            expected: 3,
        };
        assert_eq!(read(1, 0), Err(refused(1)));
        assert_eq!(read(4, 0), Err(refused(4)));
    }
}
