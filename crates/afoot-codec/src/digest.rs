//! A 128-bit digest of bytes: the name of contents, and the check that stored bytes are whole.
//!
//! Two 64-bit lanes, each word folded in by a 64×64→128-bit multiplication whose halves are joined
//! (the step of wyhash and its kin). Guards against accidents, not against an adversary. About
//! 2.5 gigabytes a second, and 6.5 where four parts are hashed side by side. The numbers are part of the file format: they may never change.

use std::fmt;

/// The digest of some contents. Equal contents have equal hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 16]);

impl ContentHash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut digest = Digest::default();
        digest.add(bytes);
        digest.finish()
    }

    /// The hashes of four parts of equal length. A hash waits for each of its multiplications; four side by side
    /// wait together, and take little longer than one.
    pub(crate) fn of_four(parts: [&[u8]; 4]) -> [Self; 4] {
        let length = parts[0].len();
        assert!(parts.iter().all(|part| part.len() == length));
        let mut digests = [const { Digest::START }; 4];
        let [a, b, c, d] = parts.map(|part| part.as_chunks::<8>().0);
        for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
            for (digest, word) in digests.iter_mut().zip([a, b, c, d]) {
                digest.word(u64::from_le_bytes(*word));
            }
        }
        for (digest, part) in digests.iter_mut().zip(parts) {
            digest.end_part(part.as_chunks::<8>().1, length);
        }
        digests.map(Digest::finish)
    }

    /// The hash of several hashes, in their order: what an artefact was made from.
    pub fn of_all<'a>(hashes: impl IntoIterator<Item = &'a Self>) -> Self {
        Self::of_parts(hashes.into_iter().map(|hash| &hash.0[..]))
    }

    /// The hash of several parts, in their order; where one ends counts too.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut digest = Digest::default();
        parts.into_iter().for_each(|part| digest.add(part));
        digest.finish()
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

const KEYS: [u64; 3] = [
    0x9e37_79b9_7f4a_7c15,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
];

/// Collects parts one after the other; where one ends and the next begins counts too.
#[derive(Clone, Debug)]
pub struct Digest {
    lanes: [u64; 2],
}

impl Default for Digest {
    fn default() -> Self {
        Self::START
    }
}

impl Digest {
    const START: Self = Self {
        lanes: [KEYS[0], KEYS[1]],
    };

    /// The next part.
    pub fn add(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        self.end_part(rest, bytes.len());
    }

    /// What is left of a part behind its last whole word, and how long it was.
    fn end_part(&mut self, rest: &[u8], length: usize) {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last));
        self.word(length as u64);
    }

    /// The hash of all parts.
    pub fn finish(mut self) -> ContentHash {
        self.word(KEYS[2]);
        self.word(KEYS[0]);
        let mut hash = [0; 16];
        hash[..8].copy_from_slice(&self.lanes[0].to_le_bytes());
        hash[8..].copy_from_slice(&self.lanes[1].to_le_bytes());
        ContentHash(hash)
    }

    fn word(&mut self, word: u64) {
        self.lanes[0] = fold(self.lanes[0] ^ word, KEYS[1]);
        self.lanes[1] = fold(self.lanes[1].rotate_left(23) ^ word, KEYS[2]);
    }
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64 ^ a.rotate_left(32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_numbers_of_the_format_stay_as_they_are() {
        let found = [&b""[..], b"afoot", &[7; 1000]].map(|b| ContentHash::of(b).to_string());
        assert_eq!(found, GOLDEN);
    }

    #[test]
    fn four_side_by_side_are_four_one_by_one() {
        for length in [0, 1, 7, 8, 9, 1000] {
            let parts: Vec<Vec<u8>> = (0..4u32)
                .map(|part| (0..length).map(|at| (at * 31 + part * 7) as u8).collect())
                .collect();
            let parts = [0, 1, 2, 3].map(|part| parts[part].as_slice());
            assert_eq!(ContentHash::of_four(parts), parts.map(ContentHash::of));
        }
    }

    const GOLDEN: [&str; 3] = [
        "b13b048747b14546086dd103869274f7",
        "79722e47908a0b2a1ce2022b5a1967e6",
        "32d8812cfc78a394ff864d55987e45fe",
    ];

    #[test]
    fn every_flipped_bit_and_every_length_gives_another_hash() {
        let bytes: Vec<u8> = (0..100u8).collect();
        let mut seen = HashSet::from([ContentHash::of(&bytes)]);
        for bit in 0..800 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(seen.insert(ContentHash::of(&changed)), "bit {bit}");
        }
        for length in 0..200 {
            assert!(
                seen.insert(ContentHash::of(&vec![0; length])),
                "{length} zeros"
            );
        }
    }

    #[test]
    fn order_and_borders_of_parts_count() {
        let parts = |parts: &[&[u8]]| {
            let mut digest = Digest::default();
            parts.iter().for_each(|part| digest.add(part));
            digest.finish()
        };
        assert_ne!(parts(&[b"ab", b"c"]), parts(&[b"a", b"bc"]));
        assert_ne!(parts(&[b"a", b"b"]), parts(&[b"b", b"a"]));
    }
}
