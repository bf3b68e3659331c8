//! Plain values as bytes and back: little-endian, counts before lists. Reading never panics and
//! never asks for more memory than the bytes at hand can fill.

/// The bytes end too early or hold a value that can't be: why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

const TOO_SHORT: Malformed = Malformed("it ends too early");

/// Collects values.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    /// What was written so far.
    pub bytes: Vec<u8>,
}

#[allow(missing_docs)] // each writes what it is named after
impl Writer {
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub fn u32s<const N: usize>(&mut self, values: [u32; N]) {
        values.into_iter().for_each(|value| self.u32(value));
    }

    pub fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub fn f32s(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.f32(*value));
    }

    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    pub fn count(&mut self, count: usize) {
        self.u32(count as u32);
    }

    /// A count, then the bytes.
    pub fn block(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.bytes.extend(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.block(text.as_bytes());
    }
}

/// Takes values out of bytes.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

#[allow(missing_docs)] // each reads what it is named after
impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(TOO_SHORT)?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(TOO_SHORT)?;
        self.rest = rest;
        Ok(*taken)
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        self.array().map(|[byte]| byte)
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Malformed> {
        self.array().map(u64::from_le_bytes)
    }

    /// Any bit pattern.
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

    /// A number that is neither infinite nor none.
    pub fn finite(&mut self) -> Result<f32, Malformed> {
        let value = self.f32()?;
        self.require(value.is_finite(), "a number is not finite")?;
        Ok(value)
    }

    /// [`Reader::finite`] of twice the length.
    pub fn finite64(&mut self) -> Result<f64, Malformed> {
        let value = f64::from_bits(self.u64()?);
        self.require(value.is_finite(), "a number is not finite")?;
        Ok(value)
    }

    pub fn block(&mut self) -> Result<&'a [u8], Malformed> {
        let count = self.u32()?;
        self.take(count as usize)
    }

    pub fn text(&mut self) -> Result<String, Malformed> {
        let text = str::from_utf8(self.block()?);
        let text = text.map_err(|_| Malformed("a text is not UTF-8"))?;
        Ok(text.to_owned())
    }

    /// A number of items of at least `size` bytes each, which must still be there.
    pub fn count(&mut self, size: usize) -> Result<usize, Malformed> {
        let count = self.u32()? as usize;
        let there = count.saturating_mul(size.max(1)) <= self.rest.len();
        self.require(there, TOO_SHORT.0)?;
        Ok(count)
    }

    /// A counted list of items of at least `size` bytes each.
    pub fn list<T>(
        &mut self,
        size: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let count = self.count(size)?;
        (0..count).map(|_| read(self)).collect()
    }

    /// Refuses what does not hold.
    pub fn require(&self, holds: bool, why: &'static str) -> Result<(), Malformed> {
        match holds {
            true => Ok(()),
            false => Err(Malformed(why)),
        }
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<(), Malformed> {
        self.require(self.rest.is_empty(), "it goes on after its end")
    }
}
