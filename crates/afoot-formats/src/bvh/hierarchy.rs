//! The HIERARCHY part. Read with a stack of open braces, so that depth costs no recursion.

use afoot_core::{Channel, EndSite, Joint, JointId, Skeleton, SkeletonError, Vec3};

use crate::error::{FormatError, Problem};
use crate::scan::Scanner;

/// Joints in file order, in file units, and where their names stand.
pub(super) struct Hierarchy {
    joints: Vec<Joint>,
    name_places: Vec<u32>,
    end_sites: Vec<EndSite>,
}

/// The shortest joint: `JOINT a{OFFSET 0 0 0}`. Bounds how many a text can hold.
const SHORTEST_JOINT: usize = 20;

/// Few figures have more.
const USUAL_JOINTS: usize = 64;

pub(super) fn read_hierarchy(scanner: &mut Scanner) -> Result<Hierarchy, FormatError> {
    scanner.expect("HIERARCHY")?;
    let mut hierarchy = Hierarchy::new();
    let mut open: Vec<JointId> = Vec::new();
    scanner.skip_space();
    let mut start = scanner.pos;
    scanner.expect("ROOT")?;
    loop {
        let joint = hierarchy.read_joint(scanner, open.last().copied(), start)?;
        open.push(joint);
        // Close what closes; whatever opens next is a joint.
        loop {
            scanner.skip_space();
            start = scanner.pos;
            let word = scanner.word();
            if word == b"}" {
                open.pop();
                if open.is_empty() {
                    return hierarchy.without_second_root(scanner);
                }
            } else if word.eq_ignore_ascii_case(b"End") {
                let parent = *open.last().expect("the loop ends when the root closes");
                hierarchy.read_end_site(scanner, parent)?;
            } else if word.eq_ignore_ascii_case(b"JOINT") {
                break;
            } else {
                return Err(scanner.expected_at(start, "JOINT, End Site or }"));
            }
        }
    }
}

impl Hierarchy {
    fn new() -> Self {
        Self {
            joints: Vec::with_capacity(USUAL_JOINTS),
            name_places: Vec::with_capacity(USUAL_JOINTS),
            end_sites: Vec::new(),
        }
    }

    /// Room for one more joint; a file with many gets room for all of them at once.
    fn make_room(&mut self, scanner: &Scanner) {
        if self.joints.len() < self.joints.capacity() {
            return;
        }
        let rest = &scanner.text[scanner.pos..];
        let braces = rest.iter().filter(|&&byte| byte == b'{').count();
        let more = braces.min(rest.len() / SHORTEST_JOINT) + 1;
        self.joints.reserve_exact(more);
        self.name_places.reserve_exact(more);
    }

    /// From behind `ROOT` or `JOINT` (which stands at `start`) to before its first child.
    fn read_joint(
        &mut self,
        scanner: &mut Scanner,
        parent: Option<JointId>,
        start: usize,
    ) -> Result<JointId, FormatError> {
        let index = self.joints.len();
        if index >= usize::from(u16::MAX) {
            let problem = Problem::Skeleton(SkeletonError::TooMany(index + 1));
            return Err(FormatError::at(scanner.text, start, problem));
        }
        scanner.skip_blanks();
        let name_at = scanner.pos;
        let name = scanner.name();
        if name.is_empty() {
            return Err(scanner.expected_at(name_at, "the joint's name"));
        }
        scanner.expect("{")?;
        scanner.expect("OFFSET")?;
        let mut joint = Joint::new(name, parent, read_vector(scanner)?);
        if scanner.peek_word().eq_ignore_ascii_case(b"CHANNELS") {
            scanner.word();
            joint.channels = read_channels(scanner)?;
        }
        self.make_room(scanner);
        self.joints.push(joint);
        self.name_places
            .push(u32::try_from(name_at).unwrap_or(u32::MAX));
        Ok(JointId::from(index))
    }

    /// From behind `End` to behind its brace; the word `Site` and any name are skipped.
    fn read_end_site(&mut self, scanner: &mut Scanner, parent: JointId) -> Result<(), FormatError> {
        scanner.name();
        scanner.expect("{")?;
        scanner.expect("OFFSET")?;
        let offset = read_vector(scanner)?;
        scanner.expect("}")?;
        self.end_sites.push(EndSite { parent, offset });
        Ok(())
    }

    fn without_second_root(self, scanner: &Scanner) -> Result<Self, FormatError> {
        if !scanner.peek_word().eq_ignore_ascii_case(b"ROOT") {
            return Ok(self);
        }
        let mut place = scanner.clone();
        place.skip_space();
        let problem = "a second ROOT: files with several figures are not supported".to_owned();
        Err(FormatError::at(
            place.text,
            place.pos,
            Problem::Unsupported(problem),
        ))
    }

    /// The joints as a skeleton, in file units.
    pub(super) fn skeleton(mut self, text: &[u8]) -> Result<Skeleton, FormatError> {
        self.end_sites.sort_by_key(|site| site.parent);
        let places = self.name_places;
        let joints = self.joints;
        Skeleton::new(joints, self.end_sites).map_err(|error| match error {
            SkeletonError::DuplicateName { name } => duplicate(text, &places, name),
            other => FormatError::new(Problem::Skeleton(other)),
        })
    }
}

/// The error at the second place where `name` stands.
fn duplicate(text: &[u8], places: &[u32], name: String) -> FormatError {
    let name_at = |&&place: &&u32| {
        let mut scanner = Scanner::new(text);
        scanner.pos = place as usize;
        scanner.name() == name
    };
    let second = places.iter().filter(name_at).nth(1);
    let problem = Problem::DuplicateName { name: name.clone() };
    match second {
        Some(&place) => FormatError::at(text, place as usize, problem),
        None => FormatError::new(problem),
    }
}

fn read_vector(scanner: &mut Scanner) -> Result<Vec3, FormatError> {
    let mut vector = Vec3::ZERO;
    for axis in 0..3 {
        vector[axis] = scanner.number("a number of OFFSET's three")? as f32;
    }
    Ok(vector)
}

fn read_channels(scanner: &mut Scanner) -> Result<Vec<Channel>, FormatError> {
    let count = scanner.count("the number of channels")?;
    let mut channels = Vec::new();
    for _ in 0..count {
        scanner.skip_space();
        let start = scanner.pos;
        let channel = channel_named(scanner.word()).ok_or_else(|| {
            let what = "a channel such as Xposition or Zrotation, as many as CHANNELS says";
            scanner.expected_at(start, what)
        })?;
        channels.push(channel);
    }
    Ok(channels)
}

fn channel_named(word: &[u8]) -> Option<Channel> {
    const NAMES: [(&[u8], Channel); 6] = [
        (b"Xposition", Channel::Xposition),
        (b"Yposition", Channel::Yposition),
        (b"Zposition", Channel::Zposition),
        (b"Xrotation", Channel::Xrotation),
        (b"Yrotation", Channel::Yrotation),
        (b"Zrotation", Channel::Zrotation),
    ];
    let named = NAMES
        .iter()
        .find(|(name, _)| word.eq_ignore_ascii_case(name));
    named.map(|&(_, channel)| channel)
}
