//! Recognises body parts from joint names: the method behind `roles`.
//!
//! A name loses its namespace and the prefix that most joints share, is cut into words at case
//! changes, digits and punctuation, and is looked up as a part with a side. Helper joints (twist,
//! IK targets, ends, ...) are known by a word and get no role. Parts are then settled: see `settle`.

use crate::index::JointId;
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;

/// The role of every joint that has one, by its name and place in the hierarchy.
pub fn recognise_roles(skeleton: &Skeleton) -> Vec<Option<Role>> {
    let names: Vec<Vec<String>> = words_of_all(skeleton);
    let parts: Vec<Option<Named>> = names.iter().map(|words| part_of(words)).collect();
    let mut roles = vec![None; skeleton.len()];
    for side in Side::BOTH {
        settle_leg(skeleton, &parts, side, &mut roles);
        settle_arm(skeleton, &parts, side, &mut roles);
    }
    settle_middle(skeleton, &parts, &mut roles);
    roles
}

/// The side that a joint's name tells: `LHipJoint`, `lfemur`, `thigh_l`, `J_Bip_L_Hand` are left.
pub fn name_side(name: &str) -> Option<Side> {
    split_side(&words(name)).0
}

/// The words of every name without the prefix that the joints share; digits are words too.
pub(crate) fn words_of_all(skeleton: &Skeleton) -> Vec<Vec<String>> {
    let mut names: Vec<Vec<String>> = skeleton
        .joints()
        .iter()
        .map(|joint| words(&joint.name))
        .collect();
    while let Some(prefix) = shared_first_word(&names) {
        for words in names.iter_mut().filter(|words| words[0] == prefix) {
            words.remove(0);
        }
    }
    names
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
    for (prefix, side) in [
        ("left", Side::Left),
        ("right", Side::Right),
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
    let candidate = names.last().filter(|words| words.len() > 1)?.first()?;
    let sharing = |words: &&Vec<String>| words.len() > 1 && words[0] == *candidate;
    let count = names.iter().filter(sharing).count();
    let meaningless = lookup(candidate).is_none()
        && !FINGERS.contains(&candidate.as_str())
        && !["l", "r", "left", "right"].contains(&candidate.as_str());
    (names.len() > 2 && count * 5 >= names.len() * 4 && meaningless).then(|| candidate.clone())
}

/// What a name says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
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

type Named = (Part, Option<Side>);

const FINGERS: [&str; 13] = [
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
const NOISE: [&str; 8] = ["joint", "jnt", "bone", "jt", "bend", "c", "center", "m"];

fn part_of(words: &[String]) -> Option<Named> {
    if words.iter().any(|word| HELPERS.contains(&word.as_str())) {
        return None;
    }
    let whole = words.concat();
    if ["l5", "l3", "t12", "t8"].contains(&whole.as_str()) {
        return Some((Part::Spine, None)); // Xsens numbers the vertebrae
    }
    let (side, rest) = split_side(words);
    if side.is_some() && rest.iter().any(|word| FINGERS.contains(&word.as_str())) {
        return Some((Part::Finger, side));
    }
    let says_something =
        |word: &&String| !word.chars().all(char::is_numeric) && !NOISE.contains(&word.as_str());
    let rest: Vec<&str> = rest
        .iter()
        .filter(says_something)
        .map(|word| word.as_str())
        .collect();
    let part = lookup(&rest.concat())?;
    let middle = matches!(part, Part::Hips | Part::Spine | Part::Neck | Part::Head);
    match (part, side) {
        (Part::Hip, None) => Some((Part::Hips, None)),
        (part, side) => (middle != side.is_some()).then_some((part, side)),
    }
}

fn lookup(word: &str) -> Option<Part> {
    Some(match word {
        "hips" | "pelvis" => Part::Hips,
        "spine" | "back" | "lowerback" | "upperback" | "abdomen" | "abdomenlower"
        | "abdomenupper" | "chest" | "chestlower" | "chestupper" | "upperchest" | "lowerchest"
        | "thorax" | "torso" | "waist" | "belly" | "lumbar" | "upperspine" | "lowerspine" => {
            Part::Spine
        }
        "neck" | "lowerneck" | "upperneck" | "necklower" | "neckupper" => Part::Neck,
        "head" => Part::Head,
        "upleg" | "upperleg" | "thigh" | "femur" => Part::Thigh,
        "hip" | "hipjoint" => Part::Hip,
        "leg" | "lowerleg" | "lowleg" | "loleg" | "shin" | "calf" | "tibia" | "knee" | "shank" => {
            Part::Shank
        }
        "ankle" => Part::Ankle,
        "foot" => Part::Foot,
        "toe" | "toes" | "toebase" | "ball" | "forefoot" => Part::Toe,
        "clavicle" | "clav" | "collar" | "collarbone" | "scapula" => Part::Clavicle,
        "shoulder" => Part::Shoulder,
        "arm" | "upperarm" | "uparm" | "humerus" | "shldr" => Part::UpperArm,
        "forearm" | "lowerarm" | "lowarm" | "loarm" | "elbow" | "radius" | "ulna" => Part::ForeArm,
        "hand" | "wrist" => Part::Hand,
        _ => return None,
    })
}

fn settle_leg(
    skeleton: &Skeleton,
    parts: &[Option<Named>],
    side: Side,
    roles: &mut [Option<Role>],
) {
    let first = |part| first_of(parts, (part, Some(side)));
    let (ankle, foot) = (first(Part::Ankle), first(Part::Foot));
    let ball_named_foot = match (ankle, foot) {
        (Some(ankle), Some(foot)) if is_below(skeleton, foot, ankle) => Some(foot),
        _ => None,
    };
    let at_ankle = match ball_named_foot {
        Some(_) => ankle,
        None => foot.or(ankle),
    };
    give(
        roles,
        first(Part::Thigh).or(first(Part::Hip)),
        Role::UpLeg(side),
    );
    give(roles, first(Part::Shank), Role::Leg(side));
    give(roles, at_ankle, Role::Foot(side));
    give(roles, first(Part::Toe).or(ball_named_foot), Role::Toe(side));
}

fn settle_arm(
    skeleton: &Skeleton,
    parts: &[Option<Named>],
    side: Side,
    roles: &mut [Option<Role>],
) {
    let first = |part| first_of(parts, (part, Some(side)));
    let (clavicle, shoulder) = (first(Part::Clavicle), first(Part::Shoulder));
    let shoulder_is_arm = first(Part::UpperArm).is_none();
    let hand = first(Part::Hand);
    let arm = if shoulder_is_arm {
        shoulder
    } else {
        first(Part::UpperArm)
    };
    give(
        roles,
        clavicle.or(shoulder.filter(|_| !shoulder_is_arm)),
        Role::Shoulder(side),
    );
    give(roles, arm, Role::Arm(side));
    give(roles, first(Part::ForeArm), Role::ForeArm(side));
    give(roles, hand, Role::Hand(side));
    // A second hand (`lwrist`, then `lhand`) is where the fingers begin.
    for (index, part) in parts.iter().enumerate() {
        let joint = JointId::from(index);
        let second_hand = *part == Some((Part::Hand, Some(side)))
            && hand.is_some_and(|hand| is_below(skeleton, joint, hand));
        if second_hand || *part == Some((Part::Finger, Some(side))) {
            roles[index] = Some(Role::Finger(side));
        }
    }
}

/// Hips, spine, neck and head, once the limbs are known.
fn settle_middle(skeleton: &Skeleton, parts: &[Option<Named>], roles: &mut [Option<Role>]) {
    let with = |roles: &[Option<Role>], wanted: &[Role]| -> Vec<JointId> {
        let is_wanted = |role: &Option<Role>| role.is_some_and(|role| wanted.contains(&role));
        joints_where(roles, is_wanted)
    };
    let sided = |part: fn(Side) -> Role| Side::BOTH.map(part);
    let thighs = with(roles, &sided(Role::UpLeg));
    let arms = with(roles, &[sided(Role::Shoulder), sided(Role::Arm)].concat());
    let necks = joints_where(parts, |part| *part == Some((Part::Neck, None)));
    let heads = joints_where(parts, |part| *part == Some((Part::Head, None)));
    let spines = joints_where(parts, |part| *part == Some((Part::Spine, None)));

    let hips = find_hips(skeleton, parts, &thighs, &spines);
    give(roles, hips, Role::Hips);
    let above: Vec<JointId> = [&arms[..], &necks, &heads].concat();
    let carries = |spine: &JointId| above.iter().any(|&top| is_below(skeleton, top, *spine));
    let spines: Vec<JointId> = spines
        .into_iter()
        .filter(|spine| Some(*spine) != hips && (above.is_empty() || carries(spine)))
        .collect();
    // Rigify calls everything a spine: what carries no arm is neck, and the last of it the head.
    let carries_arm = |spine: &JointId| arms.iter().any(|&arm| is_below(skeleton, arm, *spine));
    let trunk_end = spines
        .iter()
        .rposition(carries_arm)
        .map_or(spines.len(), |last| last + 1);
    if trunk_end > 1 {
        give(roles, spines.first().copied(), Role::Spine);
    }
    give(roles, spines[..trunk_end].last().copied(), Role::Chest);
    give(roles, necks.first().copied(), Role::Neck);
    give(roles, heads.first().copied(), Role::Head);
    if necks.is_empty() && heads.is_empty() {
        settle_spine_head(skeleton, parts, roles);
    }
}

/// Neck and head of a skeleton that calls both a spine.
fn settle_spine_head(skeleton: &Skeleton, parts: &[Option<Named>], roles: &mut [Option<Role>]) {
    let Some(chest) = joints_where(roles, |role| *role == Some(Role::Chest))
        .first()
        .copied()
    else {
        return;
    };
    let above: Vec<JointId> = joints_where(parts, |part| *part == Some((Part::Spine, None)))
        .into_iter()
        .filter(|&joint| is_below(skeleton, joint, chest))
        .collect();
    give(roles, above.last().copied(), Role::Head);
    if above.len() > 1 {
        give(roles, above.first().copied(), Role::Neck);
    }
}

/// The deepest joint named hips that carries both legs and the spine, else the joint that does.
fn find_hips(
    skeleton: &Skeleton,
    parts: &[Option<Named>],
    thighs: &[JointId],
    spines: &[JointId],
) -> Option<JointId> {
    let named = joints_where(parts, |part| *part == Some((Part::Hips, None)));
    if thighs.len() < 2 {
        return named.first().copied();
    }
    let common = |a, b| lowest_common_ancestor(skeleton, a, b);
    let legs = common(thighs[0], thighs[1]);
    let fork = spines.first().map_or(legs, |&spine| common(legs, spine));
    let carries = |joint: &&JointId| **joint == fork || is_below(skeleton, fork, **joint);
    named.iter().rev().find(carries).copied().or(Some(fork))
}

fn give(roles: &mut [Option<Role>], joint: Option<JointId>, role: Role) {
    if let Some(joint) = joint {
        roles[joint.index()] = Some(role);
    }
}

fn first_of(parts: &[Option<Named>], wanted: Named) -> Option<JointId> {
    parts
        .iter()
        .position(|part| *part == Some(wanted))
        .map(JointId::from)
}

fn joints_where<T>(items: &[T], holds: impl Fn(&T) -> bool) -> Vec<JointId> {
    let indices = items.iter().enumerate().filter(|(_, item)| holds(item));
    indices.map(|(index, _)| JointId::from(index)).collect()
}

fn is_below(skeleton: &Skeleton, joint: JointId, ancestor: JointId) -> bool {
    skeleton.ancestors(joint).any(|above| above == ancestor)
}

fn lowest_common_ancestor(skeleton: &Skeleton, a: JointId, b: JointId) -> JointId {
    let (mut a, mut b) = (a, b);
    while a != b {
        // Parents have smaller numbers, so the larger one is never the common ancestor.
        let deeper = if a > b { &mut a } else { &mut b };
        *deeper = skeleton.joint(*deeper).parent.unwrap_or(JointId(0));
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::tests::skeleton_of;

    /// `tree` lists `name` or `name<parent`; without a parent, a joint hangs on the one before.
    fn check(tree: &[&str], expected: &[(&str, &str)]) {
        let skeleton = skeleton_of(tree);
        let roles = recognise_roles(&skeleton);
        let found: Vec<(&str, &str)> = skeleton
            .joints()
            .iter()
            .zip(&roles)
            .filter_map(|(joint, role)| Some((joint.name.as_str(), (*role)?.name())))
            .collect();
        for pair in expected {
            assert!(found.contains(pair), "{pair:?} is missing in {found:?}");
        }
        for pair in &found {
            assert!(expected.contains(pair), "{pair:?} was not expected");
        }
    }

    #[test]
    fn cmu_bvh() {
        check(
            &[
                "Hips",
                "LHipJoint",
                "LeftUpLeg",
                "LeftLeg",
                "LeftFoot",
                "LeftToeBase",
                "RHipJoint<Hips",
                "RightUpLeg",
                "RightLeg",
                "RightFoot",
                "RightToeBase",
                "LowerBack<Hips",
                "Spine",
                "Spine1",
                "Neck",
                "Neck1",
                "Head",
                "LeftShoulder<Spine1",
                "LeftArm",
                "LeftForeArm",
                "LeftHand",
                "LeftFingerBase",
                "LeftHandIndex1",
                "LThumb<LeftHand",
                "RightShoulder<Spine1",
                "RightArm",
                "RightForeArm",
                "RightHand",
                "RightFingerBase",
                "RightHandIndex1",
                "RThumb<RightHand",
            ],
            &[
                ("Hips", "hips"),
                ("LowerBack", "spine"),
                ("Spine1", "chest"),
                ("Neck", "neck"),
                ("Head", "head"),
                ("LeftUpLeg", "left_up_leg"),
                ("LeftLeg", "left_leg"),
                ("LeftFoot", "left_foot"),
                ("LeftToeBase", "left_toe"),
                ("RightUpLeg", "right_up_leg"),
                ("RightLeg", "right_leg"),
                ("RightFoot", "right_foot"),
                ("RightToeBase", "right_toe"),
                ("LeftShoulder", "left_shoulder"),
                ("LeftArm", "left_arm"),
                ("LeftForeArm", "left_fore_arm"),
                ("LeftHand", "left_hand"),
                ("LeftFingerBase", "left_finger"),
                ("LeftHandIndex1", "left_finger"),
                ("LThumb", "left_finger"),
                ("RightShoulder", "right_shoulder"),
                ("RightArm", "right_arm"),
                ("RightForeArm", "right_fore_arm"),
                ("RightHand", "right_hand"),
                ("RightFingerBase", "right_finger"),
                ("RightHandIndex1", "right_finger"),
                ("RThumb", "right_finger"),
            ],
        );
    }

    #[test]
    fn cmu_asf() {
        check(
            &[
                "root",
                "lhipjoint",
                "lfemur",
                "ltibia",
                "lfoot",
                "ltoes",
                "rhipjoint<root",
                "rfemur",
                "rtibia",
                "rfoot",
                "rtoes",
                "lowerback<root",
                "upperback",
                "thorax",
                "lowerneck",
                "upperneck",
                "head",
                "lclavicle<thorax",
                "lhumerus",
                "lradius",
                "lwrist",
                "lhand",
                "lfingers",
                "lthumb<lwrist",
                "rclavicle<thorax",
                "rhumerus",
                "rradius",
                "rwrist",
                "rhand",
                "rfingers",
                "rthumb<rwrist",
            ],
            &[
                ("root", "hips"),
                ("lowerback", "spine"),
                ("thorax", "chest"),
                ("lowerneck", "neck"),
                ("head", "head"),
                ("lfemur", "left_up_leg"),
                ("ltibia", "left_leg"),
                ("lfoot", "left_foot"),
                ("ltoes", "left_toe"),
                ("rfemur", "right_up_leg"),
                ("rtibia", "right_leg"),
                ("rfoot", "right_foot"),
                ("rtoes", "right_toe"),
                ("lclavicle", "left_shoulder"),
                ("lhumerus", "left_arm"),
                ("lradius", "left_fore_arm"),
                ("lwrist", "left_hand"),
                ("lhand", "left_finger"),
                ("lfingers", "left_finger"),
                ("lthumb", "left_finger"),
                ("rclavicle", "right_shoulder"),
                ("rhumerus", "right_arm"),
                ("rradius", "right_fore_arm"),
                ("rwrist", "right_hand"),
                ("rhand", "right_finger"),
                ("rfingers", "right_finger"),
                ("rthumb", "right_finger"),
            ],
        );
    }

    /// One leg, spine and arm in a convention's names, the other side made by `mirror`.
    fn check_convention(style: fn(&str) -> String) {
        let tree: Vec<String> = [
            "root",
            "hips",
            "spine",
            "spine2",
            "chest",
            "neck",
            "head",
            "headend",
            "shoulder.l<chest",
            "arm.l",
            "forearm.l",
            "hand.l",
            "index.l",
            "shoulder.r<chest",
            "arm.r",
            "forearm.r",
            "hand.r",
            "index.r",
            "upleg.l<hips",
            "leg.l",
            "foot.l",
            "toe.l",
            "upleg.r<hips",
            "leg.r",
            "foot.r",
            "toe.r",
        ]
        .iter()
        .map(|entry| match entry.split_once('<') {
            Some((name, parent)) => format!("{}<{}", style(name), style(parent)),
            None => style(entry),
        })
        .collect();
        let tree: Vec<&str> = tree.iter().map(String::as_str).collect();
        let named = |plain: &str, role: &'static str| (style(plain), role);
        let mut expected = vec![
            named("hips", "hips"),
            named("spine", "spine"),
            named("chest", "chest"),
            named("neck", "neck"),
            named("head", "head"),
        ];
        for (side, roles) in [
            (
                "l",
                [
                    "left_shoulder",
                    "left_arm",
                    "left_fore_arm",
                    "left_hand",
                    "left_finger",
                    "left_up_leg",
                    "left_leg",
                    "left_foot",
                    "left_toe",
                ],
            ),
            (
                "r",
                [
                    "right_shoulder",
                    "right_arm",
                    "right_fore_arm",
                    "right_hand",
                    "right_finger",
                    "right_up_leg",
                    "right_leg",
                    "right_foot",
                    "right_toe",
                ],
            ),
        ] {
            let parts = [
                "shoulder", "arm", "forearm", "hand", "index", "upleg", "leg", "foot", "toe",
            ];
            expected.extend(
                parts
                    .iter()
                    .zip(roles)
                    .map(|(part, role)| (style(&format!("{part}.{side}")), role)),
            );
        }
        let expected: Vec<(&str, &str)> = expected
            .iter()
            .map(|(name, role)| (name.as_str(), *role))
            .collect();
        check(&tree, &expected);
    }

    fn motion_builder(plain: &str) -> String {
        let (part, side) = plain.split_once('.').unwrap_or((plain, ""));
        let side = match side {
            "l" => "Left",
            "r" => "Right",
            _ => "",
        };
        let part = match part {
            "root" => "Reference",
            "hips" => "Hips",
            "spine" => "Spine",
            "spine2" => "Spine1",
            "chest" => "Spine2",
            "neck" => "Neck",
            "head" => "Head",
            "headend" => "HeadTop_End",
            "shoulder" => "Shoulder",
            "arm" => "Arm",
            "forearm" => "ForeArm",
            "hand" => "Hand",
            "index" => "HandIndex1",
            "upleg" => "UpLeg",
            "leg" => "Leg",
            "foot" => "Foot",
            _ => "ToeBase",
        };
        format!("{side}{part}")
    }

    #[test]
    fn motion_builder_and_mixamo_with_their_prefixes() {
        check_convention(motion_builder);
        check_convention(|plain| format!("Character1:{}", motion_builder(plain)));
        check_convention(|plain| format!("Character1_{}", motion_builder(plain)));
        check_convention(|plain| format!("mixamorig:{}", motion_builder(plain)));
        check_convention(|plain| format!("mixamorig1:{}", motion_builder(plain)));
        check_convention(|plain| format!("mixamorig_{}", motion_builder(plain)));
        check_convention(|plain| format!("mixamorig{}", motion_builder(plain)));
    }

    #[test]
    fn unreal() {
        check_convention(|plain| {
            let (part, side) = plain
                .split_once('.')
                .map_or((plain, String::new()), |(part, side)| {
                    (part, format!("_{side}"))
                });
            let part = match part {
                "hips" => "pelvis",
                "spine" => "spine_01",
                "spine2" => "spine_02",
                "chest" => "spine_03",
                "neck" => "neck_01",
                "headend" => "ik_hand_root",
                "shoulder" => "clavicle",
                "arm" => "upperarm",
                "forearm" => "lowerarm",
                "index" => "index_01",
                "upleg" => "thigh",
                "leg" => "calf",
                "toe" => "ball",
                same => same,
            };
            format!("{part}{side}")
        });
    }

    #[test]
    fn rokoko() {
        check_convention(|plain| match plain.split_once('.') {
            Some(("upleg", side)) => format!("{}Thigh", if side == "l" { "Left" } else { "Right" }),
            Some(("leg", side)) => format!("{}Shin", if side == "l" { "Left" } else { "Right" }),
            Some(("toe", side)) => format!("{}Toe", if side == "l" { "Left" } else { "Right" }),
            _ => motion_builder(plain),
        });
    }

    #[test]
    fn vrm_in_both_spellings() {
        fn part_name(part: &str) -> &str {
            match part {
                "root" => "Root",
                "hips" => "Hips",
                "spine" => "Spine",
                "spine2" => "Chest",
                "chest" => "UpperChest",
                "neck" => "Neck",
                "head" => "Head",
                "headend" => "HeadEnd",
                "shoulder" => "Shoulder",
                "arm" => "UpperArm",
                "forearm" => "LowerArm",
                "hand" => "Hand",
                "index" => "IndexProximal",
                "upleg" => "UpperLeg",
                "leg" => "LowerLeg",
                "foot" => "Foot",
                _ => "Toes",
            }
        }
        check_convention(|plain| match plain.split_once('.') {
            Some((part, side)) => format!("J_Bip_{}_{}", side.to_uppercase(), part_name(part)),
            None => format!("J_Bip_C_{}", part_name(plain)),
        });
        check_convention(|plain| match plain.split_once('.') {
            Some((part, "l")) => format!("left{}", part_name(part)),
            Some((part, _)) => format!("right{}", part_name(part)),
            None => {
                let name = part_name(plain);
                name[..1].to_lowercase() + &name[1..]
            }
        });
    }

    #[test]
    fn rigify_calls_the_whole_trunk_a_spine() {
        check(
            &[
                "DEF-spine",
                "DEF-spine.001",
                "DEF-spine.002",
                "DEF-spine.003",
                "DEF-spine.004",
                "DEF-spine.005",
                "DEF-spine.006",
                "DEF-shoulder.L<DEF-spine.003",
                "DEF-upper_arm.L",
                "DEF-forearm.L",
                "DEF-hand.L",
                "DEF-f_index.01.L",
                "DEF-thigh.L<DEF-spine",
                "DEF-shin.L",
                "DEF-foot.L",
                "DEF-toe.L",
                "DEF-thigh.R<DEF-spine",
                "DEF-shin.R",
                "DEF-foot.R",
                "DEF-toe.R",
            ],
            &[
                ("DEF-spine", "hips"),
                ("DEF-spine.001", "spine"),
                ("DEF-spine.003", "chest"),
                ("DEF-spine.004", "neck"),
                ("DEF-spine.006", "head"),
                ("DEF-shoulder.L", "left_shoulder"),
                ("DEF-upper_arm.L", "left_arm"),
                ("DEF-forearm.L", "left_fore_arm"),
                ("DEF-hand.L", "left_hand"),
                ("DEF-f_index.01.L", "left_finger"),
                ("DEF-thigh.L", "left_up_leg"),
                ("DEF-shin.L", "left_leg"),
                ("DEF-foot.L", "left_foot"),
                ("DEF-toe.L", "left_toe"),
                ("DEF-thigh.R", "right_up_leg"),
                ("DEF-shin.R", "right_leg"),
                ("DEF-foot.R", "right_foot"),
                ("DEF-toe.R", "right_toe"),
            ],
        );
    }

    #[test]
    fn joints_named_after_the_joint_not_the_bone() {
        check(
            &[
                "Pelvis",
                "L_Hip",
                "L_Knee",
                "L_Ankle",
                "L_Foot",
                "R_Hip<Pelvis",
                "R_Knee",
                "R_Ankle",
                "R_Foot",
                "Spine1<Pelvis",
                "Spine2",
                "Spine3",
                "Neck",
                "Head",
                "L_Collar<Spine3",
                "L_Shoulder",
                "L_Elbow",
                "L_Wrist",
                "L_Hand",
            ],
            &[
                ("Pelvis", "hips"),
                ("L_Hip", "left_up_leg"),
                ("L_Knee", "left_leg"),
                ("L_Ankle", "left_foot"),
                ("L_Foot", "left_toe"),
                ("R_Hip", "right_up_leg"),
                ("R_Knee", "right_leg"),
                ("R_Ankle", "right_foot"),
                ("R_Foot", "right_toe"),
                ("Spine1", "spine"),
                ("Spine3", "chest"),
                ("Neck", "neck"),
                ("Head", "head"),
                ("L_Collar", "left_shoulder"),
                ("L_Shoulder", "left_arm"),
                ("L_Elbow", "left_fore_arm"),
                ("L_Wrist", "left_hand"),
                ("L_Hand", "left_finger"),
            ],
        );
    }

    #[test]
    fn biped_and_helpers() {
        check(
            &[
                "Bip01",
                "Bip01 Pelvis",
                "Bip01 Spine",
                "Bip01 Head",
                "Bip01 L Thigh<Bip01 Pelvis",
                "Bip01 L Calf",
                "Bip01 L Foot",
                "Bip01 L Toe0",
                "Bip01 L Toe0Nub",
                "Bip01 R Thigh<Bip01 Pelvis",
                "Bip01 R Calf",
                "Bip01 R ThighTwist<Bip01 R Thigh",
            ],
            &[
                ("Bip01 Pelvis", "hips"),
                ("Bip01 Spine", "chest"),
                ("Bip01 Head", "head"),
                ("Bip01 L Thigh", "left_up_leg"),
                ("Bip01 L Calf", "left_leg"),
                ("Bip01 L Foot", "left_foot"),
                ("Bip01 L Toe0", "left_toe"),
                ("Bip01 R Thigh", "right_up_leg"),
                ("Bip01 R Calf", "right_leg"),
            ],
        );
    }

    #[test]
    fn strange_names_have_no_role_and_do_no_harm() {
        check(
            &["a", "", "::", "l", "Größe", "123", "leg", "lefthand"],
            &[("lefthand", "left_hand")],
        );
    }
}
