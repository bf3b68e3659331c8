//! Plain values as bytes and back: little-endian, counts before lists. Reading never panics and
//! never asks for more memory than the bytes at hand can fill.

/// The bytes end too early or hold a value that can't be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

#[derive(Default)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub fn f32s(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.u32(value.to_bits()));
    }

    /// A count, then the bytes.
    pub fn block(&mut self, bytes: &[u8]) {
        self.u32(bytes.len() as u32);
        self.bytes.extend(bytes);
    }
}

pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        let bytes = self.take(4)?;
        bytes
            .try_into()
            .map(u32::from_le_bytes)
            .map_err(|_| Malformed)
    }

    pub fn f32(&mut self) -> Result<f32, Malformed> {
        self.u32().map(f32::from_bits)
    }

    pub fn f32s<const N: usize>(&mut self) -> Result<[f32; N], Malformed> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.f32()?;
        }
        Ok(values)
    }

    pub fn block(&mut self) -> Result<&'a [u8], Malformed> {
        let count = self.u32()?;
        self.take(count as usize)
    }

    pub fn text(&mut self) -> Result<String, Malformed> {
        let bytes = self.block()?.to_vec();
        String::from_utf8(bytes).map_err(|_| Malformed)
    }

    /// A count of things that take at least `least` bytes each.
    pub fn count(&mut self, least: usize) -> Result<usize, Malformed> {
        let count = self.u32()? as usize;
        match count.saturating_mul(least.max(1)) <= self.rest.len() {
            true => Ok(count),
            false => Err(Malformed),
        }
    }

    pub fn end(&self) -> Result<(), Malformed> {
        match self.rest {
            [] => Ok(()),
            _ => Err(Malformed),
        }
    }
}
