//! What the text writers share.

use afoot_core::Clip;

use crate::error::{FormatError, Problem};
use crate::motion::WriteOptions;

/// Decimals of an angle in degrees: with lengths to 10⁻⁷ m, joints stay well within 0.1 mm.
pub(crate) const ANGLE_DECIMALS: usize = 5;

/// Decimals of a length in file units, for steps of at most 10⁻⁷ m.
pub(crate) fn length_decimals(metres_per_unit: f64) -> usize {
    (metres_per_unit.log10() + 7.0).ceil().clamp(0.0, 12.0) as usize
}

/// Whether clip and options are sound.
pub(crate) fn check_writable(clip: &Clip, options: &WriteOptions) -> Result<(), FormatError> {
    let unsupported = |what: String| FormatError::new(Problem::Unsupported(what));
    clip.check()
        .map_err(|error| unsupported(error.to_string()))?;
    let unit = options.metres_per_unit;
    match unit.is_finite() && (1e-9..=1e6).contains(&unit) {
        true => Ok(()),
        false => Err(unsupported(format!(
            "a unit of {unit} m is not within 1e-9 to 1e6"
        ))),
    }
}
