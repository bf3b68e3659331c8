//! What a joint's name says by itself: its words, a side, a body part.
//!
//! A name loses its namespace and the prefix that most joints share, and is cut into words at case
//! changes, digits and punctuation. A side may be a word or glued to a known one (`lfemur`). Helper
//! joints (twist, IK targets, ends, ...) are known by a word and are no part.

use std::collections::BTreeSet;

use crate::roles::Side;
use crate::skeleton::Skeleton;

/// The side that a joint's name tells: `LHipJoint`, `lfemur`, `thigh_l`, `J_Bip_L_Hand` are left.
pub fn name_side(name: &str) -> Option<Side> {
    split_side(&words(name)).0
}

/// The words of every name without the prefix that the joints share and without running numbers at their ends
/// (`LeftLeg01_015`, as Sketchfab has them); other digits are words too.
pub(crate) fn words_of_all(skeleton: &Skeleton) -> Vec<Vec<String>> {
    let mut names: Vec<Vec<String>> = skeleton
        .joints()
        .iter()
        .map(|joint| words(&joint.name))
        .collect();
    while let Some(prefix) = shared_first_word(&names) {
        // A name of punctuation alone has no words.
        let sharing = |words: &&mut Vec<String>| words.first() == Some(&prefix);
        for words in names.iter_mut().filter(sharing) {
            words.remove(0);
        }
    }
    if have_running_numbers(&names) {
        names.iter_mut().for_each(|words| drop(words.pop()));
    }
    names
}

/// Whether every name ends with a number, behind something else, and no two with the same one.
fn have_running_numbers(names: &[Vec<String>]) -> bool {
    let is_number = |word: &String| word.chars().all(|letter| letter.is_ascii_digit());
    let number = |words: &Vec<String>| {
        words
            .last()
            .filter(|word| words.len() > 1 && is_number(word))
            .cloned()
    };
    let numbers: Option<BTreeSet<String>> = names.iter().map(number).collect();
    names.len() > 2 && numbers.is_some_and(|numbers| numbers.len() == names.len())
}

/// A name's side and its other words; a side glued to a known word (`lfemur`) counts.
pub(crate) fn split_side(words: &[String]) -> (Option<Side>, Vec<String>) {
    let side_of = |word: &str| match word {
        "l" | "left" => Some(Side::Left),
        "r" | "right" => Some(Side::Right),
        _ => None,
    };
    if let Some(at) = words.iter().position(|word| side_of(word).is_some()) {
        let rest = words.iter().enumerate().filter(|&(index, _)| index != at);
        return (
            side_of(&words[at]),
            rest.map(|(_, word)| word.clone()).collect(),
        );
    }
    let whole = words.concat();
    for (prefix, side) in [
        ("left", Side::Left),
        ("right", Side::Right),
        ("左", Side::Left),
        ("右", Side::Right),
        ("l", Side::Left),
        ("r", Side::Right),
    ] {
        let known = |rest: &&str| lookup(rest).is_some() || FINGERS.contains(rest);
        let glued = words.first().and_then(|word| word.strip_prefix(prefix));
        if let Some(rest) = glued.filter(known) {
            let mut others = words.to_vec();
            others[0] = rest.into();
            return (Some(side), others);
        }
        // `LUArm` is cut into `lu` and `arm`.
        if let Some(rest) = whole.strip_prefix(prefix).filter(known) {
            return (Some(side), vec![rest.into()]);
        }
    }
    (None, words.to_vec())
}

/// Cuts a name at case changes, digits and punctuation, in lower case, without its namespace and
/// the prefixes of known exporters.
fn words(name: &str) -> Vec<String> {
    let local = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    let mut letters = local.chars().peekable();
    while let Some(letter) = letters.next() {
        let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
        let starts = previous.is_numeric() != letter.is_numeric()
            || !previous.is_alphanumeric()
            || (letter.is_uppercase() && (previous.is_lowercase() || next_is_lower));
        if letter.is_alphanumeric() {
            match words.last_mut() {
                Some(word) if !starts => word.extend(letter.to_lowercase()),
                _ => words.push(letter.to_lowercase().collect()),
            }
        }
        previous = letter;
    }
    without_exporter_prefix(words)
}

fn without_exporter_prefix(mut words: Vec<String>) -> Vec<String> {
    const PREFIXES: [&str; 5] = ["mixamorig", "bip", "def", "org", "bind"];
    let starts = |words: &[String], prefix: &str| words.first().is_some_and(|word| word == prefix);
    if starts(&words, "j") && words.get(1).is_some_and(|word| word == "bip") {
        words.remove(0);
    }
    if words.len() > 1 && PREFIXES.iter().any(|prefix| starts(&words, prefix)) {
        words.remove(0);
        if words.len() > 1 && words[0].chars().all(char::is_numeric) {
            words.remove(0);
        }
    }
    words
}

/// The first word of at least four fifths of the joints, if it says nothing by itself.
fn shared_first_word(names: &[Vec<String>]) -> Option<String> {
    // If four fifths have it, one of the first fifth and one has.
    let longer = names.iter().filter(|words| words.len() > 1);
    let sharing = |candidate: &String| {
        let shares = |words: &&Vec<String>| words.len() > 1 && words[0] == *candidate;
        names.iter().filter(shares).count()
    };
    let firsts = longer
        .map(|words| &words[0])
        .take(names.len().div_ceil(5) + 1);
    let candidate = firsts.max_by_key(|first| sharing(first))?;
    let count = sharing(candidate);
    let meaningless = lookup(candidate).is_none()
        && !FINGERS.contains(&candidate.as_str())
        && !["l", "r", "left", "right"].contains(&candidate.as_str());
    (names.len() > 2 && count * 5 >= names.len() * 4 && meaningless).then(|| candidate.clone())
}

/// What a name says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Hips,
    Spine,
    Neck,
    Head,
    Thigh,
    /// `LeftHip`: a thigh, or the bone that leads to it.
    Hip,
    Shank,
    Ankle,
    /// `LeftFoot`: an ankle, or the ball after a `LeftAnkle`.
    Foot,
    Toe,
    Clavicle,
    /// `LeftShoulder`: a clavicle, or the upper arm after a `LeftCollar`.
    Shoulder,
    UpperArm,
    ForeArm,
    Hand,
    Finger,
}

/// A part and its side.
pub(crate) type Named = (Part, Option<Side>);

const FINGERS: [&str; 18] = [
    "finger",
    "fingers",
    "thumb",
    "index",
    "middle",
    "mid",
    "ring",
    "pinky",
    "pinkie",
    "little",
    "carpal",
    "metacarpal",
    "knuckle",
    "親指",
    "人指",
    "中指",
    "薬指",
    "小指",
];

/// Words of joints that help or end a limb without being one.
const HELPERS: &[&str] = &[
    "twist",
    "roll",
    "ik",
    "fk",
    "pole",
    "target",
    "goal",
    "ctrl",
    "control",
    "end",
    "nub",
    "site",
    "tip",
    "top",
    "sec",
    "adj",
    "mch",
    "wgt",
    "vb",
    "prop",
    "weapon",
    "attach",
    "socket",
    "helper",
    "dummy",
    "corrective",
    "gun",
    "effector",
];

/// Words that say nothing about the part.
const NOISE: [&str; 11] = [
    "skeleton", "joint", "jnt", "bone", "jt", "bend", "stretch", "c", "center", "m", "x",
];

/// The part that a name's words say it is.
pub(crate) fn part_of(words: &[String]) -> Option<Named> {
    if words.iter().any(|word| HELPERS.contains(&word.as_str())) {
        return None;
    }
    let whole = words.concat();
    if let Some(part) = vertebra(&whole) {
        return Some((part, None));
    }
    let (side, rest) = split_side(words);
    if side.is_some() && rest.iter().any(|word| FINGERS.contains(&word.as_str())) {
        let on_foot = rest.iter().any(|word| word == "foot" || word == "toe");
        return Some((if on_foot { Part::Toe } else { Part::Finger }, side));
    }
    let says_something =
        |word: &&String| !word.chars().all(char::is_numeric) && !NOISE.contains(&word.as_str());
    let rest: Vec<&str> = rest
        .iter()
        .filter(says_something)
        .map(|word| word.as_str())
        .collect();
    // A joint between two bones (`lTorso_Clavicle`) is where the second begins.
    let all_known = rest.iter().all(|word| lookup(word).is_some());
    let last = rest
        .last()
        .filter(|_| all_known)
        .and_then(|word| lookup(word));
    let part = lookup(&rest.concat()).or(last)?;
    let middle = matches!(part, Part::Hips | Part::Spine | Part::Neck | Part::Head);
    match (part, side) {
        (Part::Hip, None) => Some((Part::Hips, None)),
        (part, side) => (middle != side.is_some()).then_some((part, side)),
    }
}

/// Vertebrae by their numbers: `L5` and `T8` (Xsens), `vl5`, `vt12`, `vc4` (H-Anim).
fn vertebra(word: &str) -> Option<Part> {
    if ["l5", "l3", "t12", "t8"].contains(&word) {
        return Some(Part::Spine);
    }
    let (kind, number) = word.split_at_checked(2)?;
    let numbered = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    match kind {
        "vl" | "vt" if numbered => Some(Part::Spine),
        "vc" if numbered => Some(Part::Neck),
        _ => None,
    }
}

fn lookup(word: &str) -> Option<Part> {
    Some(match word {
        "hips" | "pelvis" | "humanoidroot" | "sacrum" | "センター" | "腰" => Part::Hips,
        "spine" | "back" | "lowerback" | "upperback" | "abdomen" | "abdomenlower"
        | "abdomenupper" | "chest" | "chestlower" | "chestupper" | "upperchest" | "lowerchest"
        | "thorax" | "torso" | "waist" | "belly" | "lumbar" | "upperspine" | "lowerspine"
        | "ab" | "上半身" => Part::Spine,
        "neck" | "首" | "lowerneck" | "upperneck" | "necklower" | "neckupper" => Part::Neck,
        "head" | "skull" | "skullbase" | "頭" => Part::Head,
        "upleg" | "upperleg" | "thigh" | "femur" | "足" => Part::Thigh,
        "hip" | "hipjoint" => Part::Hip,
        "leg" | "lowerleg" | "lowleg" | "loleg" | "shin" | "calf" | "tibia" | "knee" | "shank"
        | "ひざ" => Part::Shank,
        "ankle" | "talocrural" | "足首" => Part::Ankle,
        "foot" => Part::Foot,
        "toe" | "toes" | "toebase" | "ball" | "forefoot" | "midtarsal" | "metatarsal"
        | "つま先" => Part::Toe,
        "clavicle" | "clav" | "collar" | "collarbone" | "scapula" | "sternoclavicular" | "肩" => {
            Part::Clavicle
        }
        "shoulder" => Part::Shoulder,
        "arm" | "upperarm" | "uparm" | "uarm" | "humerus" | "shldr" | "腕" => Part::UpperArm,
        "forearm" | "lowerarm" | "lowarm" | "loarm" | "farm" | "elbow" | "radius" | "ulna"
        | "ひじ" => Part::ForeArm,
        "hand" | "wrist" | "手首" => Part::Hand,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::Joint;
    use crate::{JointId, Vec3};

    fn words_of(names: &[&str]) -> Vec<Vec<String>> {
        let parent = |index: usize| (index > 0).then_some(JointId(0));
        let joints = names.iter().enumerate();
        let joints = joints.map(|(index, name)| Joint::new(*name, parent(index), Vec3::Y));
        words_of_all(&Skeleton::new(joints.collect(), Vec::new()).unwrap())
    }

    #[test]
    fn running_numbers_say_nothing() {
        let found = words_of(&["Hip_01", "LeftLeg01_015", "RightLeg01_019"]);
        assert_eq!(found[1], ["left", "leg", "01"]);
        let kept = words_of(&["Hip_01", "LeftLeg_01", "RightLeg_02"]);
        assert_eq!(kept[2], ["right", "leg", "02"]);
    }

    #[test]
    fn a_name_without_words_does_not_hinder_the_others() {
        let names = ["a_Hips", "--", "a_LeftLeg", "a_RightLeg", "a_Head"];
        let words = words_of(&names);
        assert!(words[1].is_empty());
        assert_eq!(words[0], ["hips"]);
    }
}
