//! Artefacts as bytes: a name, a version, a checksum, then little-endian numbers.
//!
//! Reading never panics and never takes more memory than a small multiple of what it is given.

use thiserror::Error;

use crate::fingerprint::Fingerprint;

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
    #[error("this {0} is damaged: its checksum does not match")]
    Damaged(&'static str),
    #[error("this {what} is not valid: {why}")]
    Invalid {
        what: &'static str,
        why: &'static str,
    },
}

/// What a kind of artefact is called, in its bytes and to people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub magic: [u8; 8],
    pub version: u32,
    pub what: &'static str,
}

const HEAD: usize = 8 + 4 + 16;

/// Collects an artefact's bytes.
pub(crate) struct Writer {
    kind: Kind,
    body: Vec<u8>,
}

impl Writer {
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            body: Vec::new(),
        }
    }

    pub fn u32(&mut self, value: u32) {
        self.body.extend(value.to_le_bytes());
    }

    pub fn u32s<const N: usize>(&mut self, values: [u32; N]) {
        values.into_iter().for_each(|value| self.u32(value));
    }

    pub fn u64(&mut self, value: u64) {
        self.body.extend(value.to_le_bytes());
    }

    pub fn u128(&mut self, value: u128) {
        self.body.extend(value.to_le_bytes());
    }

    pub fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    pub fn i16s(&mut self, values: &[i16]) {
        self.body
            .extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.body.extend(text.as_bytes());
    }

    pub fn count(&mut self, count: usize) {
        self.u32(count as u32);
    }

    pub fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.body.len());
        bytes.extend(self.kind.magic);
        bytes.extend(self.kind.version.to_le_bytes());
        bytes.extend(Fingerprint::of_bytes(&self.body).0.to_le_bytes());
        bytes.extend(self.body);
        bytes
    }
}

/// Takes an artefact's bytes apart.
pub(crate) struct Reader<'a> {
    kind: Kind,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Checks the name, the version and the checksum.
    pub fn new(kind: Kind, bytes: &'a [u8]) -> Result<Self, CodecError> {
        let Some((head, body)) = bytes.split_at_checked(HEAD) else {
            return Err(CodecError::OtherKind(kind.what));
        };
        let mut reader = Self { kind, rest: head };
        if reader.take::<8>()? != kind.magic {
            return Err(CodecError::OtherKind(kind.what));
        }
        let version = reader.u32()?;
        if version != kind.version {
            let (what, expected) = (kind.what, kind.version);
            return Err(CodecError::OtherVersion {
                what,
                found: version,
                expected,
            });
        }
        if reader.u128()? != Fingerprint::of_bytes(body).0 {
            return Err(CodecError::Damaged(kind.what));
        }
        Ok(Self { kind, rest: body })
    }

    pub fn u32(&mut self) -> Result<u32, CodecError> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, CodecError> {
        self.take().map(u64::from_le_bytes)
    }

    pub fn u128(&mut self) -> Result<u128, CodecError> {
        self.take().map(u128::from_le_bytes)
    }

    pub fn f32(&mut self) -> Result<f32, CodecError> {
        let value = f32::from_bits(self.u32()?);
        self.require(value.is_finite(), "a number is not finite")?;
        Ok(value)
    }

    pub fn f64(&mut self) -> Result<f64, CodecError> {
        let value = f64::from_bits(self.u64()?);
        self.require(value.is_finite(), "a number is not finite")?;
        Ok(value)
    }

    /// That many numbers; `None` is more than there can be.
    pub fn i16s(&mut self, count: Option<usize>) -> Result<Vec<i16>, CodecError> {
        let size = count.and_then(|count| count.checked_mul(2));
        let Some((values, rest)) = size.and_then(|size| self.rest.split_at_checked(size)) else {
            return Err(self.invalid("it ends too early"));
        };
        self.rest = rest;
        let (pairs, _) = values.as_chunks::<2>();
        Ok(pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect())
    }

    pub fn text(&mut self) -> Result<String, CodecError> {
        let count = self.count(1)?;
        let (text, rest) = self.rest.split_at(count);
        self.rest = rest;
        let text = str::from_utf8(text).map_err(|_| self.invalid("a text is not UTF-8"))?;
        Ok(text.to_owned())
    }

    /// A number of items of at least `size` bytes each, which must still be there.
    pub fn count(&mut self, size: usize) -> Result<usize, CodecError> {
        let count = self.u32()? as usize;
        self.require(
            count.saturating_mul(size) <= self.rest.len(),
            "it ends too early",
        )?;
        Ok(count)
    }

    pub fn finish(self) -> Result<(), CodecError> {
        self.require(self.rest.is_empty(), "it goes on after its end")
    }

    pub fn require(&self, holds: bool, why: &'static str) -> Result<(), CodecError> {
        if holds {
            Ok(())
        } else {
            Err(self.invalid(why))
        }
    }

    fn invalid(&self, why: &'static str) -> CodecError {
        CodecError::Invalid {
            what: self.kind.what,
            why,
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], CodecError> {
        match self.rest.split_first_chunk::<N>() {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(*taken)
            }
            None => Err(self.invalid("it ends too early")),
        }
    }
}
