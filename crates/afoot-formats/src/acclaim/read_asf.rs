//! Reading the skeleton file.

use glam::{DQuat, Vec3};

use crate::acclaim::asf::{Asf, AsfBone, AsfRoot, Dof, DofKind, turn_about};
use crate::acclaim::bones;
use crate::acclaim::words::{Word, Words};
use crate::error::FormatError;
use crate::euler::Axis;

/// Reads a skeleton file.
pub fn read_asf(text: &[u8]) -> Result<Asf, FormatError> {
    let mut reader = AsfReader::new(text);
    loop {
        let word = reader.words.next();
        match word.text {
            [] => return reader.finish(),
            [b':', keyword @ ..] => reader.section(&keyword.to_ascii_lowercase())?,
            _ => {
                return Err(reader
                    .words
                    .expected(word.place, "a section such as :units or :root"));
            }
        }
    }
}

struct AsfReader<'a> {
    words: Words<'a>,
    asf: Asf,
    bones: bones::BoneTable<'a>,
    /// The root's preset orientation as it stands, until its order is known.
    root_angles: [f64; 3],
    root_axes: [Axis; 3],
    has_root: bool,
    has_hierarchy: bool,
}

const XYZ: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

impl<'a> AsfReader<'a> {
    fn new(text: &'a [u8]) -> Self {
        let root = AsfRoot {
            order: Vec::new(),
            position: Vec3::ZERO,
            orientation: DQuat::IDENTITY,
        };
        let asf = Asf {
            name: String::new(),
            length_unit: 1.0,
            mass_unit: 1.0,
            degrees: true,
            root,
            bones: Vec::new(),
        };
        Self {
            words: Words::new(text),
            asf,
            bones: bones::BoneTable::default(),
            root_angles: [0.0; 3],
            root_axes: XYZ,
            has_root: false,
            has_hierarchy: false,
        }
    }

    /// Reads what belongs to `:keyword`.
    fn section(&mut self, keyword: &[u8]) -> Result<(), FormatError> {
        match keyword {
            b"name" => self.asf.name = self.words.next_in_line().to_name(),
            b"units" => return self.units(),
            b"root" => return self.root(),
            b"bonedata" => return self.bone_data(),
            b"hierarchy" => return self.hierarchy(),
            _ => {}
        }
        // The rest of the line may say anything, and so may sections that nobody needs.
        self.words.skip_line();
        self.words.skip_section();
        Ok(())
    }

    fn units(&mut self) -> Result<(), FormatError> {
        while !self.at_section_end() {
            let word = self.words.next();
            if word.is("length") {
                self.asf.length_unit = self.positive("the unit of length, a positive number")?;
            } else if word.is("mass") {
                self.asf.mass_unit = self.positive("the unit of mass, a positive number")?;
            } else if word.is("angle") {
                let unit = self.words.next();
                self.asf.degrees = !unit.is("rad");
                if !unit.is("deg") && !unit.is("rad") {
                    return Err(self.words.expected(unit.place, "deg or rad"));
                }
            } else {
                self.words.skip_line();
            }
        }
        Ok(())
    }

    fn positive(&mut self, what: &str) -> Result<f64, FormatError> {
        let place = self.words.peek().place;
        let value = self.words.number(what)?;
        match (1e-9..=1e9).contains(&value) {
            true => Ok(value),
            false => Err(self.words.expected(place, what)),
        }
    }

    fn at_section_end(&self) -> bool {
        matches!(self.words.peek().text, [] | [b':', ..])
    }

    fn root(&mut self) -> Result<(), FormatError> {
        self.has_root = true;
        while !self.at_section_end() {
            let word = self.words.next();
            if word.is("order") {
                self.asf.root.order = self.dof_kinds()?;
            } else if word.is("axis") {
                self.root_axes = self.axis_order()?;
            } else if word.is("position") {
                let [x, y, z] = self.words.vector("a number of position's three")?;
                self.asf.root.position = Vec3::new(x as f32, y as f32, z as f32);
            } else if word.is("orientation") {
                self.root_angles = self.words.vector("a number of orientation's three")?;
            } else {
                self.words.skip_line();
            }
        }
        Ok(())
    }

    /// The degrees of freedom on the rest of the line, each at most once.
    fn dof_kinds(&mut self) -> Result<Vec<DofKind>, FormatError> {
        let mut kinds = Vec::new();
        loop {
            let word = self.words.next_in_line();
            if word.text.is_empty() {
                return Ok(kinds);
            }
            match DofKind::of_word(word) {
                Some(kind) if !kinds.contains(&kind) => kinds.push(kind),
                _ => {
                    let what = "a degree of freedom (tx ty tz rx ry rz l), each once";
                    return Err(self.words.expected(word.place, what));
                }
            }
        }
    }

    /// Three different axes, such as `XYZ`.
    fn axis_order(&mut self) -> Result<[Axis; 3], FormatError> {
        let word = self.words.next();
        let axis = |letter: &u8| match letter.to_ascii_lowercase() {
            b'x' => Some(Axis::X),
            b'y' => Some(Axis::Y),
            b'z' => Some(Axis::Z),
            _ => None,
        };
        let axes: Vec<Axis> = word.text.iter().take(4).filter_map(axis).collect();
        match axes[..] {
            [a, b, c] if a != b && b != c && a != c && word.text.len() == 3 => Ok([a, b, c]),
            _ => Err(self
                .words
                .expected(word.place, "an order of axes such as XYZ")),
        }
    }

    fn bone_data(&mut self) -> Result<(), FormatError> {
        while !self.at_section_end() {
            self.words.expect("begin")?;
            let (name, bone) = self.bone()?;
            self.bones.add(&self.words, name, bone)?;
        }
        Ok(())
    }

    /// From behind `begin` to behind `end`.
    fn bone(&mut self) -> Result<(Word<'a>, AsfBone), FormatError> {
        let begin = self.words.peek().place;
        let (mut name, mut direction, mut length) = (None, None, None);
        let (mut axis, mut dofs) = (DQuat::IDENTITY, Vec::new());
        loop {
            let word = self.words.next();
            if word.is("end") {
                break;
            } else if word.is("name") {
                name = Some(self.words.next_in_line());
            } else if word.is("direction") {
                direction = Some(self.words.vector("a number of direction's three")?);
            } else if word.is("length") {
                length = Some(self.words.number("the bone's length")?);
            } else if word.is("axis") {
                let angles = self.words.vector("a number of axis's three")?;
                axis = rotation_of(self.radians(angles), self.axis_order()?);
            } else if word.is("dof") {
                dofs = self.dof_kinds()?.into_iter().map(Dof::free).collect();
            } else if word.is("limits") {
                self.limits(&mut dofs)?;
            } else if word.text.is_empty() || word.text[0] == b':' {
                return Err(self.words.expected(word.place, "end, closing the bone"));
            } else {
                self.words.skip_line();
            }
        }
        let lacks = |what: &str| self.words.expected(begin, &format!("a bone with a {what}"));
        let name = name
            .filter(|name| !name.text.is_empty())
            .ok_or_else(|| lacks("name"))?;
        let direction = direction.ok_or_else(|| lacks("direction"))?;
        let length = length.ok_or_else(|| lacks("length"))?;
        let bone = AsfBone {
            name: name.to_name(),
            parent: None,
            vector: Vec3::from(direction.map(|v| (v * length) as f32)),
            axis,
            dofs: dofs.into_boxed_slice(),
            place: u32::try_from(name.place).unwrap_or(u32::MAX),
        };
        Ok((name, bone))
    }

    /// A pair for each degree of freedom, on as many lines as it likes; stops where they stop.
    fn limits(&mut self, dofs: &mut [Dof]) -> Result<(), FormatError> {
        for dof in dofs {
            for index in 0..2 {
                let sign = [-1.0, 1.0][index];
                let word = self.words.peek();
                let unlimited = word.text.to_ascii_lowercase().ends_with(b"inf");
                let starts = word.text.first().copied().unwrap_or_default();
                if starts.is_ascii_alphabetic() && !unlimited {
                    return Ok(());
                }
                if unlimited {
                    self.words.next();
                    dof.limits[index] = sign * f32::INFINITY;
                    continue;
                }
                let value = self.words.number("a limit")?;
                let turns = matches!(dof.kind, DofKind::Turn(_));
                let value = if turns { self.radian(value) } else { value };
                dof.limits[index] = value as f32;
            }
        }
        Ok(())
    }

    fn hierarchy(&mut self) -> Result<(), FormatError> {
        self.has_hierarchy = true;
        self.words.expect("begin")?;
        loop {
            let parent = self.words.next();
            if parent.is("end") {
                return Ok(());
            }
            if parent.text.is_empty() || parent.text[0] == b':' {
                return Err(self
                    .words
                    .expected(parent.place, "end, closing the hierarchy"));
            }
            loop {
                let child = self.words.next_in_line();
                if child.text.is_empty() {
                    break;
                }
                self.bones.join(&self.words, parent, child)?;
            }
        }
    }

    fn finish(mut self) -> Result<Asf, FormatError> {
        let end = self.words.peek().place;
        if !self.has_root || !self.has_hierarchy {
            let missing = if self.has_root { ":hierarchy" } else { ":root" };
            return Err(self.words.expected(end, &format!("a section {missing}")));
        }
        if self.asf.root.order.is_empty() {
            let all = XYZ
                .map(DofKind::Shift)
                .into_iter()
                .chain(XYZ.map(DofKind::Turn));
            self.asf.root.order = all.collect();
        }
        let angles = self.radians(self.root_angles);
        self.asf.root.orientation = rotation_of(angles, self.root_axes);
        self.asf.bones = self.bones.parents_first(&self.words)?;
        Ok(self.asf)
    }

    fn radian(&self, angle: f64) -> f64 {
        if self.asf.degrees {
            angle.to_radians()
        } else {
            angle
        }
    }

    fn radians(&self, angles: [f64; 3]) -> [f64; 3] {
        angles.map(|angle| self.radian(angle))
    }
}

/// Turns by angles about x, y and z, applied in the given order about fixed axes. [rad]
fn rotation_of(angles: [f64; 3], order: [Axis; 3]) -> DQuat {
    let turn = |rotation, axis: Axis| turn_about(axis, angles[axis as usize]) * rotation;
    order.into_iter().fold(DQuat::IDENTITY, turn)
}
