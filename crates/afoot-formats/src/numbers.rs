//! Decimal numbers from bytes, fast: nine tenths of a motion file are numbers.
//!
//! Written by hand because of speed. Up to 8 characters without exponent (nearly all captured
//! motion) are read as one word, up to 16 as one double word, with bit tricks and without loops;
//! other numbers of up to 19 digits by a loop; anything odd by the standard library. Results are
//! within two units in the last place of f64.

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
/// What a mantissa of 8 places is multiplied with, by the place of the dot, plus 16 if negative: a
/// factor that brings the sign along leaves no branch to mispredict.
const SIGNED_POWERS: [f64; 32] = signed_powers(7);
/// The same for 16 places.
const SIGNED_WIDE_POWERS: [f64; 32] = signed_powers(15);

const fn signed_powers(last: usize) -> [f64; 32] {
    const INVERSE: [f64; 16] = [
        1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13,
        1e-14, 1e-15,
    ];
    let mut signed = [0.0; 32];
    let mut place = 0;
    while place <= last {
        signed[place] = INVERSE[last - place];
        signed[place + 16] = -INVERSE[last - place];
        place += 1;
    }
    signed
}

/// The number that starts at `start`, and where it ends.
pub(crate) fn number_at(text: &[u8], start: usize) -> Result<(f64, usize), NotANumber> {
    let token = token_at(text, start);
    let value = number_in(token)?;
    Ok((value, start + token.len()))
}

/// The number that is all of `text[begin..end]`, if after its sign it is a dot among at most 7
/// digits, or at most 8 digits, and at least 8 bytes stand before `end`.
#[inline(always)]
pub(crate) fn short_number(text: &[u8], [begin, end]: [usize; 2]) -> Option<f64> {
    let word: &[u8; 8] = text.get(..end)?.last_chunk()?;
    let negative = usize::from(*text.get(begin)? == b'-');
    let length = (end - begin - negative) as u32;
    if length.wrapping_sub(1) >= 8 {
        return None;
    }
    // As wide as the number, at the top: the first characters are in the low bytes.
    let values = (u64::from_le_bytes(*word) ^ ZEROS) & u64::MAX << (64 - 8 * length);
    let others = (values.wrapping_add(NOT_DIGIT) | values) & HIGH_BITS;
    if others == 0 {
        return Some(f64::from(eight_digits(values)) * SIGNED_POWERS[7 + 16 * negative]);
    }
    let place = (others.trailing_zeros() / 8) as usize;
    let is_dot = (values >> (8 * place)) as u8 == DOT;
    if others & (others - 1) != 0 || !is_dot || length == 1 {
        return None;
    }
    let (before, behind) = ((others >> 7) - 1, !(others << 1).wrapping_sub(1));
    let mantissa = eight_digits(values & behind | (values & before) << 8);
    Some(f64::from(mantissa) * SIGNED_POWERS[(place + 16 * negative) & 31])
}

/// The same for a dot among at most 15 digits, or at most 16 digits.
#[inline(always)]
pub(crate) fn wide_number(text: &[u8], [begin, end]: [usize; 2]) -> Option<f64> {
    let word: &[u8; 16] = text.get(..end)?.last_chunk()?;
    let negative = usize::from(*text.get(begin)? == b'-');
    let length = (end - begin - negative) as u32;
    if length.wrapping_sub(1) >= 16 {
        return None;
    }
    let (zeros, not_digit, high_bits) = (twice(ZEROS), twice(NOT_DIGIT), twice(HIGH_BITS));
    let values = (u128::from_le_bytes(*word) ^ zeros) & u128::MAX << (128 - 8 * length);
    let others = (values.wrapping_add(not_digit) | values) & high_bits;
    if others == 0 {
        return Some(sixteen_digits(values) * SIGNED_WIDE_POWERS[15 + 16 * negative]);
    }
    let place = (others.trailing_zeros() / 8) as usize;
    let is_dot = (values >> (8 * place)) as u8 == DOT;
    if others & (others - 1) != 0 || !is_dot || length == 1 {
        return None;
    }
    let (before, behind) = ((others >> 7) - 1, !(others << 1).wrapping_sub(1));
    let mantissa = sixteen_digits(values & behind | (values & before) << 8);
    Some(mantissa * SIGNED_WIDE_POWERS[(place + 16 * negative) & 31])
}

const ZEROS: u64 = 0x3030_3030_3030_3030;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
/// Added to a digit's value it leaves the high bit clear, to anything above it doesn't. Only bytes
/// above 0x89 carry into their neighbour, and those are no part of a number anyway.
const NOT_DIGIT: u64 = 0x7676_7676_7676_7676;
/// What a dot becomes by the exclusive or with `ZEROS`.
const DOT: u8 = b'.' ^ b'0';

const fn twice(word: u64) -> u128 {
    (word as u128) << 64 | word as u128
}

/// Sixteen digit values, the most significant in the lowest byte, as a number.
#[inline(always)]
fn sixteen_digits(values: u128) -> f64 {
    let high = u64::from(eight_digits(values as u64));
    let low = u64::from(eight_digits((values >> 64) as u64));
    (high * 100_000_000 + low) as i64 as f64
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

fn ends_number(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'{' | b'}' | b'(' | b')' | b',')
}

/// The number that is all of `token`, digit by digit.
pub(crate) fn number_in(token: &[u8]) -> Result<f64, NotANumber> {
    let (negative, unsigned) = match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let magnitude = magnitude_of(unsigned)?;
    if magnitude.is_nan() || magnitude > LARGEST {
        return Err(NotANumber::NotFinite);
    }
    Ok(if negative { -magnitude } else { magnitude })
}

/// The bytes from `start` up to what ends a number.
fn token_at(text: &[u8], start: usize) -> &[u8] {
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

    /// All ways to read a token agree, whatever stands around it.
    fn check(token: &str, expected: Result<f64, NotANumber>) {
        for after in ["", " ", "\n1 2 3 4 5 6 7 8 9", "\t-12.5 13.25 2"] {
            let text = format!("-9.75 12345678 {token}{after}");
            let (text, begin) = (text.as_bytes(), 15);
            let end = begin + token.len();
            let found = number_at(text, begin);
            let short = short_number(text, [begin, end]).map(|value| Ok((value, end)));
            let wide = wide_number(text, [begin, end]).map(|value| Ok((value, end)));
            for found in [Some(found), short, wide].into_iter().flatten() {
                let Ok((value, found_end)) = found else {
                    assert_eq!(found.map(|found| found.0), expected, "{token:?}");
                    continue;
                };
                let expected = expected.unwrap_or(f64::NAN);
                let close = (value - expected).abs() <= 2.0 * expected.abs() * f64::EPSILON;
                assert!(close, "{token:?} gave {value:e}");
                assert_eq!(
                    value.is_sign_negative(),
                    expected.is_sign_negative(),
                    "{token:?}"
                );
                assert_eq!(found_end, end, "{token:?} before {after:?}");
            }
        }
    }

    #[test]
    fn usual_numbers_are_read_the_short_way() {
        let short = |token: &str| {
            let text = format!("00000000 {token}");
            short_number(text.as_bytes(), [9, 9 + token.len()])
        };
        for (token, value) in [
            ("0.0000", 0.0),
            ("-123.456", -123.456),
            ("12345678", 12345678.0),
        ] {
            assert_eq!(short(token), Some(value));
        }
        for token in ["123456789", "1e5", "+5", "1-2", "", "-", "\u{ff}1"] {
            assert_eq!(short(token), None, "{token:?}");
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
            check(&token, Ok(token.parse().unwrap()));
        }
    }
}
