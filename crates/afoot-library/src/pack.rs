//! Tracks of floats in little space, without loss.
//!
//! Each channel becomes the differences of its values from frame to frame, taken on the bits in the
//! order of the numbers, so that small changes are small integers; their bytes are stored by weight
//! (all lowest bytes, then all second ones, ...) and LZ4 packs the result. Motion takes about two
//! thirds of its size, still joints next to nothing. Every bit pattern comes back as it was.

use afoot_codec::{Malformed, Reader, Writer};

const TOO_MANY: Malformed = Malformed("it claims more values than it can hold");
const UNPACKED: Malformed = Malformed("it can't be unpacked");

/// Packs frames of `channels` values each.
pub(crate) fn pack_floats(values: &[f32], channels: usize) -> Vec<u8> {
    let frames = values.len().checked_div(channels).unwrap_or(0);
    assert_eq!(values.len(), frames * channels, "whole frames");
    let mut planes = vec![0u8; values.len() * 4];
    let mut index = 0;
    for channel in 0..channels {
        let mut before = 0u32;
        for value in values.iter().skip(channel).step_by(channels) {
            let now = ordered(value.to_bits());
            let change = folded(now.wrapping_sub(before));
            for (weight, byte) in change.to_le_bytes().into_iter().enumerate() {
                planes[weight * values.len() + index] = byte;
            }
            before = now;
            index += 1;
        }
    }
    let mut writer = Writer::default();
    writer.u32(frames as u32);
    writer.u32(channels as u32);
    writer.bytes.extend(lz4_flex::compress(&planes));
    writer.bytes
}

/// The values again, and how many channels a frame has.
pub(crate) fn unpack_floats(packed: &[u8]) -> Result<(Vec<f32>, usize), Malformed> {
    let mut reader = Reader::new(packed);
    let (frames, channels) = (reader.u32()? as usize, reader.u32()? as usize);
    let count = frames.checked_mul(channels).ok_or(TOO_MANY)?;
    let planes = decompress(&packed[8..], count.checked_mul(4).ok_or(TOO_MANY)?)?;
    let mut values = vec![0f32; count];
    let (low, rest) = planes.split_at(count);
    let (second, rest) = rest.split_at(count);
    let (third, high) = rest.split_at(count);
    let mut index = 0;
    for channel in 0..channels {
        let mut now = 0u32;
        for value in values.iter_mut().skip(channel).step_by(channels) {
            let bytes = [low[index], second[index], third[index], high[index]];
            now = now.wrapping_add(unfolded(u32::from_le_bytes(bytes)));
            *value = f32::from_bits(disordered(now));
            index += 1;
        }
    }
    Ok((values, channels))
}

/// Packs plain bytes.
pub(crate) fn pack_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.u32(bytes.len() as u32);
    writer.bytes.extend(lz4_flex::compress(bytes));
    writer.bytes
}

/// The bytes again.
pub(crate) fn unpack_bytes(packed: &[u8]) -> Result<Vec<u8>, Malformed> {
    let length = Reader::new(packed).u32()? as usize;
    decompress(&packed[4..], length)
}

fn decompress(packed: &[u8], length: usize) -> Result<Vec<u8>, Malformed> {
    // LZ4 can't make more than 255 bytes of one: a greater length is a lie.
    if length > packed.len().saturating_mul(255) {
        return Err(TOO_MANY);
    }
    let bytes = lz4_flex::decompress(packed, length).map_err(|_| UNPACKED)?;
    match bytes.len() == length {
        true => Ok(bytes),
        false => Err(UNPACKED),
    }
}

/// Bits of a float to an integer that rises with it.
fn ordered(bits: u32) -> u32 {
    if bits >> 31 == 1 {
        !bits
    } else {
        bits | 1 << 31
    }
}

fn disordered(value: u32) -> u32 {
    if value >> 31 == 1 {
        value & !(1 << 31)
    } else {
        !value
    }
}

/// Small changes of either sign to small numbers.
fn folded(change: u32) -> u32 {
    (change << 1) ^ ((change as i32 >> 31) as u32)
}

fn unfolded(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[f32], channels: usize) -> usize {
        let packed = pack_floats(values, channels);
        let (back, found) = unpack_floats(&packed).unwrap();
        let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!((bits(&back), found), (bits(values), channels));
        packed.len()
    }

    #[test]
    fn every_bit_pattern_comes_back() {
        let odd = [
            0.0,
            -0.0,
            f32::NAN,
            -f32::NAN,
            f32::INFINITY,
            f32::MIN_POSITIVE,
            1e-45,
            -1e38,
        ];
        check(&odd, 1);
        check(&odd, 4);
        check(&[], 3);
        check(&[], 0);
        let mut state = 1u32;
        let noise: Vec<f32> = (0..3003)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f32::from_bits(state)
            })
            .collect();
        check(&noise, 7);
    }

    #[test]
    fn smooth_tracks_take_less_and_still_ones_hardly_anything() {
        let smooth: Vec<f32> = (0..4000).map(|i| (i as f32 / 4.0 * 0.01).sin()).collect();
        assert!(check(&smooth, 4) < 4 * 4000 * 3 / 4);
        assert!(check(&[0.3; 4000], 4) < 200);
    }

    #[test]
    fn cut_or_changed_bytes_are_refused_or_give_the_same_count() {
        let packed = pack_floats(&[1.0; 600], 6);
        for length in 0..packed.len() {
            let refused = unpack_floats(&packed[..length]).is_err();
            assert!(refused, "{length} bytes");
        }
        for index in 0..packed.len() {
            let mut changed = packed.clone();
            changed[index] ^= 0x55;
            if let Ok((values, channels)) = unpack_floats(&changed) {
                assert_eq!(values.len() % channels.max(1), 0);
            }
        }
    }
}
