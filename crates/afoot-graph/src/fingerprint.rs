//! Fingerprints: which results belong to which clips and options.
//!
//! 128 bits from two multiply-and-rotate chains over 64-bit words; no defence against forgery.
//! Part of the stored format: changing it makes old candidates unknown, never wrong.

use afoot_core::{Clip, Side};

/// Stands for some content; equal content has equal ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// Of everything about a clip that distances depend on: motion, skeleton, ground, faults.
    ///
    /// Its name, contacts, types and labels don't count.
    pub fn of_clip(clip: &Clip) -> Self {
        let mut mixer = Mixer::new(1);
        let (numerator, denominator) = clip.rate.parts();
        mixer.words([
            clip.len() as u64,
            u64::from(numerator),
            u64::from(denominator),
        ]);
        for joint in clip.skeleton.joints() {
            mixer.bytes(joint.name.as_bytes());
            mixer.word(joint.parent.map_or(u64::MAX, |parent| u64::from(parent.0)));
            mixer.floats(&joint.offset.to_array());
            mixer.floats(&joint.rest.to_array());
        }
        for site in clip.skeleton.end_sites() {
            mixer.word(u64::from(site.parent.0));
            mixer.floats(&site.offset.to_array());
        }
        mixer.floats(bytemuck::cast_slice(&clip.root));
        mixer.floats(bytemuck::cast_slice(&clip.rotations));
        for sliding in &clip.sliding {
            mixer.word(u64::from(sliding.joint.0));
            mixer.floats(bytemuck::cast_slice(&sliding.offsets));
        }
        for fault in &clip.faults {
            mixer.words([u64::from(fault.start), u64::from(fault.end)]);
        }
        if let Some(ground) = clip.ground {
            mixer.floats(&[ground.height, ground.slope_x, ground.slope_z]);
        }
        mixer.finish()
    }

    /// Of everything that the cleanup of a clip's feet depends on: the same, roles and contacts.
    pub(crate) fn of_steps(clip: &Clip) -> Self {
        let mut mixer = Mixer::new(3);
        let Self(motion) = Self::of_clip(clip);
        mixer.words([motion as u64, (motion >> 64) as u64]);
        mixer.bytes(bytemuck::cast_slice(&clip.contacts));
        for leg in Side::BOTH.map(|side| clip.skeleton.leg(side)) {
            let joints = leg.map(|leg| [leg.hip, leg.knee, leg.ankle, leg.ball]);
            let joints = joints.map_or([0; 4], |joints| joints.map(|j| u64::from(j.0) + 1));
            mixer.words(joints);
        }
        for rest in clip.ground.iter().flat_map(|ground| ground.rest) {
            mixer.floats(&[rest.ankle, rest.ball]);
        }
        mixer.finish()
    }

    /// Of plain bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut mixer = Mixer::new(2);
        mixer.bytes(bytes);
        mixer.finish()
    }
}

struct Mixer {
    first: u64,
    second: u64,
}

impl Mixer {
    fn new(kind: u64) -> Self {
        Self {
            first: 0x9E37_79B9_7F4A_7C15 ^ kind,
            second: 0xD1B5_4A32_D192_ED03,
        }
    }

    fn word(&mut self, word: u64) {
        self.first = (self.first ^ word)
            .wrapping_mul(0xBF58_476D_1CE4_E5B9)
            .rotate_left(27);
        self.second = (self.second.rotate_left(31) ^ word).wrapping_mul(0x94D0_49BB_1331_11EB);
    }

    fn words(&mut self, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    /// The length first, so that pieces can't run into each other.
    fn floats(&mut self, values: &[f32]) {
        self.word(values.len() as u64);
        let pairs = values.chunks(2);
        self.words(pairs.map(|pair| {
            let bits = |at: usize| {
                pair.get(at)
                    .map_or(0, |value: &f32| u64::from(value.to_bits()))
            };
            bits(0) | bits(1) << 32
        }));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        let words = bytes.chunks(8);
        self.words(words.map(|part| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(word)
        }));
    }

    fn finish(self) -> Fingerprint {
        let stir = |word: u64| {
            let word = (word ^ word >> 32).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
            (word ^ word >> 29).wrapping_mul(0xC4CE_B9FE_1A85_EC53) ^ word >> 32
        };
        Fingerprint(u128::from(stir(self.first)) << 64 | u128::from(stir(self.second)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_counts() {
        let bytes = vec![7u8; 100];
        let mut seen = std::collections::BTreeSet::from([Fingerprint::of_bytes(&bytes)]);
        for bit in 0..800 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(seen.insert(Fingerprint::of_bytes(&changed)), "bit {bit}");
        }
        for length in 0..100 {
            assert!(
                seen.insert(Fingerprint::of_bytes(&bytes[..length])),
                "length {length}"
            );
        }
    }
}
