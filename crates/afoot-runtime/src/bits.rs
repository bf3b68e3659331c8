//! Numbers that are mostly small, as few bits each: Rice codes (Rice 1979) in one run of bits.
//!
//! A number is folded to be positive, its low `k` bits are written as they are, what is above them as so
//! many ones and a zero; from [`LONGEST`] ones on the whole number follows instead. Reading never panics and ends where the bytes end.

use afoot_codec::Malformed;

/// So many ones say that a number follows as it is.
const LONGEST: u32 = 20;
/// Bits of such a number.
const WHOLE: u32 = 40;
/// Numbers must be less than this far from 0.
pub(crate) const FARTHEST: i64 = 1 << (WHOLE - 2);

/// Collects bits, lowest first.
#[derive(Default)]
pub(crate) struct BitWriter {
    pub(crate) bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl BitWriter {
    /// The low `count` bits, at most 40.
    pub(crate) fn bits(&mut self, value: u64, count: u32) {
        self.held |= (value & ((1 << count) - 1)) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    pub(crate) fn rice(&mut self, value: i64, k: u32) {
        let folded = fold(value);
        let high = folded >> k;
        if high >= u64::from(LONGEST) {
            self.bits((1 << LONGEST) - 1, LONGEST);
            self.bits(folded, WHOLE);
            return;
        }
        let ones = high as u32;
        self.bits((1 << ones) - 1, ones + 1);
        self.bits(folded, k);
    }

    /// Fills the last byte.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.bits(0, (8 - self.count) % 8);
        self.bytes
    }
}

/// How many bits a number takes.
pub(crate) fn rice_length(value: i64, k: u32) -> u64 {
    match fold(value) >> k {
        high if high >= u64::from(LONGEST) => u64::from(LONGEST + WHOLE),
        high => high + 1 + u64::from(k),
    }
}

/// Reads what a [`BitWriter`] wrote.
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    held: u64,
    count: u32,
}

const CUT: Malformed = Malformed("a clip ends too early");

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            held: 0,
            count: 0,
        }
    }

    pub(crate) fn bits(&mut self, count: u32) -> Result<u64, Malformed> {
        while self.count < count {
            let (first, rest) = self.bytes.split_first().ok_or(CUT)?;
            self.held |= u64::from(*first) << self.count;
            self.count += 8;
            self.bytes = rest;
        }
        let value = self.held & ((1 << count) - 1);
        self.held >>= count;
        self.count -= count;
        Ok(value)
    }

    pub(crate) fn rice(&mut self, k: u32) -> Result<i64, Malformed> {
        let mut ones = 0;
        while ones < LONGEST && self.bits(1)? == 1 {
            ones += 1;
        }
        let folded = match ones {
            LONGEST => self.bits(WHOLE)?,
            _ => u64::from(ones) << k | self.bits(k)?,
        };
        Ok((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }
}

/// 0, -1, 1, -2 … as 0, 1, 2, 3 …
fn fold(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_take_what_is_said() {
        let numbers = [0, 1, -1, 5, -6, 300, -70_000, FARTHEST - 1, 1 - FARTHEST];
        for k in [0, 1, 4, 12, 24] {
            let mut writer = BitWriter::default();
            numbers.iter().for_each(|number| writer.rice(*number, k));
            let length: u64 = numbers.iter().map(|number| rice_length(*number, k)).sum();
            let bytes = writer.finish();
            assert_eq!(bytes.len() as u64, length.div_ceil(8), "k {k}");
            let mut reader = BitReader::new(&bytes);
            for number in numbers {
                assert_eq!(reader.rice(k), Ok(number), "k {k}");
            }
        }
    }

    #[test]
    fn what_is_cut_is_told() {
        let mut writer = BitWriter::default();
        (0..100).for_each(|number| writer.rice(number, 2));
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes[..bytes.len() - 2]);
        let read = (0..100).map(|_| reader.rice(2));
        assert!(read.collect::<Result<Vec<_>, _>>().is_err());
        assert!(BitReader::new(&[]).rice(3).is_err());
    }
}
