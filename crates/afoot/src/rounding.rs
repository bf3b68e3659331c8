//! Numbers as reports give them: finer than what is measured, without digits that nobody reads.

/// Lengths and shares of what is surveyed.
pub(crate) fn to_millionths(value: impl Into<f64>) -> f64 {
    (value.into() * 1e6).round() / 1e6
}

/// Times, lengths, scores: a tenth of a millisecond or millimetre.
pub(crate) fn to_ten_thousandths(value: impl Into<f64>) -> f64 {
    (value.into() * 1e4).round() / 1e4
}
