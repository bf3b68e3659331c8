//! Decimal numbers from bytes, fast: nine tenths of a motion file are numbers.
//!
//! Written by hand because of speed. Up to eight characters without exponent (nearly all captured
//! motion) are read as one 64-bit word with bit tricks and no loop; up to 19 digits by a loop;
//! anything odd by the standard library. Results are within one unit in the last place of f64,
//! and exact wherever the standard library is asked. A number ends at white space, a bracket, a
//! comma or the end of the text.

/// The largest magnitude that any reader accepts: sums and products of a few stay finite in f32.
const LARGEST: f64 = 1e30;

/// Why there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotANumber {
    /// The text is something else.
    Malformed,
    /// It is written as a number, but is infinite, not a number, or above [`LARGEST`].
    NotFinite,
}

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
const INVERSE_POWERS: [f64; 8] = [1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

/// The number that starts at `start`, and where it ends.
#[inline(always)]
pub(crate) fn number_at(text: &[u8], start: usize) -> Result<(f64, usize), NotANumber> {
    match short_number(text, start) {
        Some(found) => Ok(found),
        None => long_number(text, start),
    }
}

/// A sign, then at most 7 digits and a dot, then a blank within the next 8 bytes.
#[inline(always)]
fn short_number(text: &[u8], start: usize) -> Option<(f64, usize)> {
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let window: &[u8; 9] = text.get(start..start + 9)?.try_into().ok()?;
    let negative = usize::from(window[0] == b'-');
    let word: &[u8; 8] = window[negative..negative + 8].try_into().ok()?;
    let values = u64::from_le_bytes(*word) ^ ZEROS;
    // The high bit of each byte that is no digit; right up to and including the second such byte,
    // because neither a digit nor a dot carries into its neighbour.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & HIGH_BITS;
    let first = (others.trailing_zeros() / 8) as usize;
    let has_dot = word.get(first) == Some(&b'.');
    let after_dot = if has_dot {
        others & (others - 1)
    } else {
        others
    };
    let length = (after_dot.trailing_zeros() / 8) as usize;
    let digits = length - usize::from(has_dot);
    if length >= 8 || digits == 0 || !ends_number(word[length]) {
        return None;
    }
    let before_dot = (1_u64 << (8 * first)) - 1;
    let joined = match has_dot {
        true => values & before_dot | (values >> 8) & !before_dot,
        false => values,
    };
    let mantissa = eight_digits(joined << (64 - 8 * digits));
    let magnitude = f64::from(mantissa) * INVERSE_POWERS[(length - first).saturating_sub(1) & 7];
    let sign = (negative as u64) << 63;
    let value = f64::from_bits(magnitude.to_bits() | sign);
    Some((value, start + negative + length))
}

/// Eight digit values, the most significant in the lowest byte, as a number.
#[inline(always)]
fn eight_digits(values: u64) -> u32 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8);
    let high = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let low = ((pairs >> 16) & PAIRS).wrapping_mul(1 + (10_000 << 32));
    (high.wrapping_add(low) >> 32) as u32
}

#[inline(always)]
pub(crate) fn ends_number(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'{' | b'}' | b'(' | b')' | b',')
}

/// Any number, digit by digit.
#[inline(never)]
#[cold]
fn long_number(text: &[u8], start: usize) -> Result<(f64, usize), NotANumber> {
    let token = token_at(text, start);
    let (negative, unsigned) = match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let magnitude = magnitude_of(unsigned)?;
    if magnitude.is_nan() || magnitude > LARGEST {
        return Err(NotANumber::NotFinite);
    }
    let value = if negative { -magnitude } else { magnitude };
    Ok((value, start + token.len()))
}

/// The bytes from `start` up to what ends a number.
pub(crate) fn token_at(text: &[u8], start: usize) -> &[u8] {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest.iter().position(|&byte| ends_number(byte));
    &rest[..length.unwrap_or(rest.len())]
}

fn magnitude_of(unsigned: &[u8]) -> Result<f64, NotANumber> {
    let (mut mantissa, mut digits, mut exponent, mut seen_dot) = (0_u64, 0_usize, 0_i32, false);
    for (index, &byte) in unsigned.iter().enumerate() {
        match byte {
            b'0'..=b'9' if digits < 19 => {
                mantissa = 10 * mantissa + u64::from(byte - b'0');
                digits += usize::from(mantissa > 0);
                exponent -= i32::from(seen_dot);
            }
            b'.' if !seen_dot => seen_dot = true,
            _ if index > 0 => return by_standard_library(unsigned),
            _ => return Err(not_a_number(unsigned)),
        }
    }
    let has_digits = unsigned.len() > usize::from(seen_dot);
    match POWERS.get(exponent.unsigned_abs() as usize) {
        _ if !has_digits => Err(NotANumber::Malformed),
        // Both exact in f64: one rounding, as the standard library does it.
        Some(power) if mantissa < 1 << 53 => Ok(mantissa as f64 / power),
        _ => by_standard_library(unsigned),
    }
}

fn by_standard_library(unsigned: &[u8]) -> Result<f64, NotANumber> {
    let allowed = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    if !unsigned.iter().all(allowed) {
        return Err(not_a_number(unsigned));
    }
    let text = std::str::from_utf8(unsigned).map_err(|_| NotANumber::Malformed)?;
    text.parse().map_err(|_| NotANumber::Malformed)
}

/// `nan`, `inf`, and what C programs print for them (`1.#QNAN`), are told from other text.
fn not_a_number(unsigned: &[u8]) -> NotANumber {
    let lower = unsigned.to_ascii_lowercase();
    let written_so = [&b"nan"[..], b"inf", b"1.#"];
    match written_so.iter().any(|start| lower.starts_with(start)) {
        true => NotANumber::NotFinite,
        false => NotANumber::Malformed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(token: &str, expected: Result<f64, NotANumber>) {
        for after in ["", " ", "\n1 2 3 4 5 6 7 8 9", "\t-12.5 13.25 2"] {
            let text = format!("ab {token}{after}");
            let found = number_at(text.as_bytes(), 3);
            match (found, expected) {
                (Ok((value, end)), Ok(expected)) => {
                    let close = (value - expected).abs() <= expected.abs() * f64::EPSILON;
                    assert!(close, "{token:?} gave {value:e}");
                    assert_eq!(
                        value.is_sign_negative(),
                        expected.is_sign_negative(),
                        "{token:?}"
                    );
                    assert_eq!(end, 3 + token.len(), "{token:?} before {after:?}");
                }
                (found, expected) => assert_eq!(found.map(|f| f.0), expected, "{token:?}"),
            }
        }
    }

    #[test]
    fn numbers_in_every_dress() {
        for token in [
            "0",
            "-0",
            "7",
            "-21",
            "+5",
            ".5",
            "-.25",
            "3.",
            ".0083333",
            "1.2293",
            "-26.9208",
            "123.4567",
            "1234567",
            "12345678",
            "123456789",
            "-123.456789",
            "1e3",
            "1E-05",
            "-7.62852e-016",
            "2.43511e+2",
            "00012.50",
            "0.00000000000000000000000001",
            "1e29",
            "12345678901234567890123",
            "0.12345678901234567890123",
            "9007199254740993",
            "1.5e-320",
            "000000000000000000000000000001.5",
        ] {
            check(token, Ok(token.parse().unwrap()));
        }
    }

    #[test]
    fn what_is_no_number_is_told() {
        use NotANumber::{Malformed, NotFinite};
        for token in [
            "", "-", ".", "-.", "+", "x", "1x", "1..2", "1.2.3", "1e", "e5", "--1", "1-2",
        ] {
            check(token, Err(Malformed));
        }
        for token in [
            "nan",
            "-NaN",
            "inf",
            "-Infinity",
            "1e31",
            "1e999",
            "-1.#IND",
            "1.#QNAN00",
        ] {
            check(token, Err(NotFinite));
        }
    }

    #[test]
    fn random_numbers_agree_with_the_standard_library() {
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let (digits, decimals) = ((state >> 60) as u32 % 9 + 1, (state >> 50) as usize % 8);
            let value = (state >> 20) % 10_u64.pow(digits);
            let value = value as f64 / 10_f64.powi(decimals as i32);
            let sign = if state & 1 << 45 != 0 { "-" } else { "" };
            let token = format!("{sign}{value:.decimals$}");
            let text = format!("{token} 123456789");
            let (found, end) = number_at(text.as_bytes(), 0).unwrap();
            let expected: f64 = token.parse().unwrap();
            let close = (found - expected).abs() <= expected.abs() * f64::EPSILON;
            assert!(close && end == token.len(), "{token}: {found}");
        }
    }
}
