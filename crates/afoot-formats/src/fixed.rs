//! Numbers with a fixed count of decimals, fast.

/// Appends `value` with `decimals` decimals, rounded half away from zero; zero is `0`.
pub(crate) fn push_fixed(out: &mut Vec<u8>, value: f64, decimals: usize) {
    const POWERS: [f64; 13] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
    ];
    let scaled = value.abs() * POWERS[decimals.min(12)] + 0.5;
    if scaled.is_nan() || scaled >= 1e18 {
        // Too large for the short way; any text that reads back will do.
        return out.extend_from_slice(format!("{value:e}").as_bytes());
    }
    let digits = scaled as i64 as u64;
    if digits == 0 {
        return out.push(b'0');
    }
    if value < 0.0 {
        out.push(b'-');
    }
    push_digits(out, digits, decimals);
}

/// Appends `digits` with a dot before the last `decimals` of them.
fn push_digits(out: &mut Vec<u8>, digits: u64, decimals: usize) {
    let mut buffer = [b'0'; 24];
    let mut start = buffer.len();
    let mut left = digits;
    while left > 0 || buffer.len() - start <= decimals {
        start -= 1;
        buffer[start] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    let (whole, fraction) = buffer[start..].split_at(buffer.len() - start - decimals);
    out.extend_from_slice(whole);
    if decimals > 0 {
        out.push(b'.');
        out.extend_from_slice(fraction);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, decimals: usize, expected: &str) {
        let mut out = Vec::new();
        push_fixed(&mut out, value, decimals);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            expected,
            "{value} to {decimals}"
        );
    }

    #[test]
    fn fixed_numbers() {
        check(0.0, 5, "0");
        check(-0.0000001, 5, "0");
        check(1.0, 5, "1.00000");
        check(-26.92084, 4, "-26.9208");
        check(0.00625, 4, "0.0063");
        check(123.0, 0, "123");
        check(-0.5, 0, "-1");
        check(1e20, 3, "1e20");
        check(999_999.999_999_6, 6, "1000000.000000");
        check(0.000001, 12, "0.000001000000");
    }

    #[test]
    fn agrees_with_format() {
        for step in -5000..5000 {
            let value = f64::from(step) * 0.377_31;
            if step != 0 {
                check(value, 5, &format!("{value:.5}"));
            }
        }
    }
}
