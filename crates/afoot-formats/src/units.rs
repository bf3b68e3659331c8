//! Units of length, and guessing a file's unit from the legs.
//!
//! BVH and ASF files don't say what a unit is. A human thigh and shank together measure 0.6 to
//! 1.2 m; the five units in use are so far apart that at most one of them makes that true. The leg
//! is found by shape: on the way from the root to any tip, the two successive bones that are
//! longest together. Arms are shorter than legs, so the longest over all tips is a leg. Where that
//! is of no human length in any unit, the joints' names are asked which is the leg.
//! Weakness: figures that are not human-sized (children below 0.6 m of leg, giants, animals).

use afoot_core::{EndSite, Joint, Skeleton};

use crate::error::{FormatError, Problem};
use crate::motion::UnitOrigin;

/// A unit of length in which motion files come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Unit {
    Metre,
    Centimetre,
    Millimetre,
    Inch,
    /// 1/0.45 inch, the unit of the CMU database.
    Cmu,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Metre,
        Self::Centimetre,
        Self::Millimetre,
        Self::Inch,
        Self::Cmu,
    ];

    /// Its length. [m]
    pub const fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
            Self::Inch => 0.0254,
            Self::Cmu => 0.0254 / 0.45,
        }
    }

    /// The word for it on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Centimetre => "cm",
            Self::Millimetre => "mm",
            Self::Inch => "in",
            Self::Cmu => "cmu",
        }
    }

    /// The unit of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }
}

/// How long a file's unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum UnitOption {
    /// What the file states; else guessed from the length of the legs.
    #[default]
    Auto,
    /// This unit.
    Unit(Unit),
    /// This many metres. [> 0, finite]
    Metres(f64),
}

impl UnitOption {
    /// The length given, if one was. [m]
    pub fn metres(self) -> Option<f64> {
        match self {
            Self::Auto => None,
            Self::Unit(unit) => Some(unit.metres()),
            Self::Metres(metres) => Some(metres),
        }
    }
}

/// A human thigh and shank together. [m]
const LEG_RANGE: std::ops::RangeInclusive<f64> = 0.6..=1.2;

/// The middle of `LEG_RANGE` by ratio. [m]
const LEG_TYPICAL: f64 = 0.85;

/// The unit in which a skeleton (in file units) has legs of human length, and whether it really
/// does; `false` goes with the unit that comes nearest. `None` if there is no length at all.
pub fn guess_unit(skeleton: &Skeleton) -> Option<(Unit, bool)> {
    let by_shape = guess_from_leg(leg_length(skeleton.joints(), skeleton.end_sites()));
    if let Some((_, true)) = by_shape {
        return by_shape;
    }
    let named = skeleton.clone().with_recognised_roles().leg_length();
    let by_name = named.and_then(|leg| guess_from_leg(f64::from(leg)));
    by_name.filter(|&(_, sure)| sure).or(by_shape)
}

/// The length of a file's unit: as given, else guessed, with a warning where no unit fits.
pub(crate) fn resolve(
    skeleton: &Skeleton,
    option: UnitOption,
    warnings: &mut Vec<String>,
) -> Result<(f64, UnitOrigin), FormatError> {
    if let Some(metres) = option.metres() {
        return match metres.is_finite() && (1e-9..=1e6).contains(&metres) {
            true => Ok((metres, UnitOrigin::Given)),
            false => Err(FormatError::new(Problem::Expected {
                expected: "a unit between 1e-9 and 1e6 metres".into(),
                found: format!("{metres}"),
            })),
        };
    }
    let (unit, origin) = match guess_unit(skeleton) {
        Some((unit, true)) => return Ok((unit.metres(), UnitOrigin::Guessed)),
        Some((unit, false)) => (unit, UnitOrigin::Assumed),
        None => (Unit::Centimetre, UnitOrigin::Assumed),
    };
    warnings.push(format!(
        "no unit gives legs of human length; taken as {}",
        unit.name()
    ));
    Ok((unit.metres(), origin))
}

/// The length of a unit that the format states as a metre: as given, else a metre, unless legs would
/// be longer than any giant's; then centimetres, or the unit in which they come nearest to a person's.
pub(crate) fn resolve_stated(
    skeleton: &Skeleton,
    option: UnitOption,
    warnings: &mut Vec<String>,
) -> (f64, UnitOrigin) {
    if let Some(metres) = option.metres() {
        return (metres, UnitOrigin::Given);
    }
    let by_shape = || leg_length(skeleton.joints(), skeleton.end_sites());
    let leg = skeleton.leg_length().map_or_else(by_shape, f64::from);
    if STATED_RANGE.contains(&leg) || leg == 0.0 {
        return (1.0, UnitOrigin::Stated);
    }
    // Who forgets to convert has worked in centimetres; other units only where those don't do.
    let centimetres = STATED_RANGE.contains(&(leg * Unit::Centimetre.metres()));
    let metres = match guess_from_leg(leg) {
        Some(_) if leg > *STATED_RANGE.end() && centimetres => Unit::Centimetre.metres(),
        Some((unit, sure)) if sure || leg > *STATED_RANGE.end() => unit.metres(),
        _ => {
            warnings.push(format!("the legs are {leg:.3} m long, which is not human"));
            return (1.0, UnitOrigin::Stated);
        }
    };
    warnings.push(format!(
        "the legs would be {leg:.0} m long; one unit is taken as {metres} m"
    ));
    (metres, UnitOrigin::Guessed)
}

/// Legs from a doll's to a giant's: within this a format that states its unit is believed. [m]
const STATED_RANGE: std::ops::RangeInclusive<f64> = 0.1..=6.0;

fn guess_from_leg(leg: f64) -> Option<(Unit, bool)> {
    if !(leg > 0.0 && leg.is_finite()) {
        return None;
    }
    let distance = |unit: Unit| (leg * unit.metres() / LEG_TYPICAL).ln().abs();
    let nearest = Unit::ALL
        .into_iter()
        .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
    Some((nearest, LEG_RANGE.contains(&(leg * nearest.metres()))))
}

/// The longest two successive bones on any way from the root to a tip, joints in one place counted
/// once; the bones at the root, which only spread the limbs, are left out where there are others.
pub fn leg_length(joints: &[Joint], end_sites: &[EndSite]) -> f64 {
    // Per joint: the last bone of some length above it, and its distance from the root in bones.
    let mut above: Vec<(f64, u32)> = Vec::with_capacity(joints.len());
    let mut longest = [0.0_f64; 2];
    let mut add = |(last, depth): (f64, u32), length: f64| {
        if length < 1e-6 {
            return (last, depth);
        }
        let spread = usize::from(depth < 2);
        longest[spread] = longest[spread].max(last + length);
        (length, depth + 1)
    };
    for joint in joints {
        let here = match joint.parent {
            None => (0.0, 0),
            Some(parent) => add(above[parent.index()], f64::from(joint.offset.length())),
        };
        above.push(here);
    }
    for site in end_sites {
        add(above[site.parent.index()], f64::from(site.offset.length()));
    }
    if longest[0] > 0.0 {
        longest[0]
    } else {
        longest[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::{JointId, Vec3};

    fn figure(unit: Unit) -> Skeleton {
        let bones: [(&str, Option<u16>, [f32; 3]); 9] = [
            ("Hips", None, [0.0, 0.0, 0.0]),
            ("HipJoint", Some(0), [0.0, 0.0, 0.0]),
            ("UpLeg", Some(1), [0.1, -0.05, 0.0]),
            ("Leg", Some(2), [0.0, -0.42, 0.0]),
            ("Foot", Some(3), [0.0, -0.41, 0.0]),
            ("Toe", Some(4), [0.0, -0.05, 0.15]),
            ("Spine", Some(0), [0.0, 0.12, 0.0]),
            ("Chest", Some(6), [0.0, 0.25, 0.0]),
            ("Head", Some(7), [0.0, 0.25, 0.0]),
        ];
        let joint = |(name, parent, offset): (&str, Option<u16>, [f32; 3])| {
            Joint::new(name, parent.map(JointId), Vec3::from(offset))
        };
        let joints = bones.into_iter().map(joint).collect();
        let skeleton = Skeleton::new(joints, Vec::new()).unwrap();
        skeleton.scaled(1.0 / unit.metres() as f32)
    }

    #[test]
    fn the_unit_is_found_from_the_leg() {
        for unit in Unit::ALL {
            assert_eq!(
                guess_unit(&figure(unit)),
                Some((unit, true)),
                "{}",
                unit.name()
            );
        }
    }

    #[test]
    fn a_figure_of_no_human_size_is_not_certain() {
        let giant = figure(Unit::Metre).scaled(5.0);
        assert_eq!(guess_unit(&giant).map(|(_, sure)| sure), Some(false));
        let point = figure(Unit::Metre).scaled(0.0);
        assert_eq!(guess_unit(&point), None);
    }
}
