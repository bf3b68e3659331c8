//! Mutated inputs for the readers, and what must hold of each: no panic, memory within bounds, a
//! sound clip or one error. Deterministic by seed. Used by the test and the example of that name.
#![allow(dead_code)] // each user takes its part

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use afoot_formats::{
    Asf, FormatError, Motion, ReadOptions, WriteOptions, read_amc, read_asf, read_bvh, read_gltf,
    write_amc, write_bvh, write_glb,
};

use crate::random::Random;

/// Counts what is allocated, and the most since the last reset.
pub struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; only sizes are added up. Moving a
// block counts as having both, as it may.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(now, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(block, layout) }
    }
}

/// Runs `work` and gives the most memory it had beyond what was there. [bytes]
fn most_memory<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let result = work();
    (result, MOST.load(Relaxed).saturating_sub(before))
}

/// A reader to be fuzzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    Bvh,
    Asf,
    Amc,
    Gltf,
}

impl Reader {
    pub const ALL: [Self; 4] = [Self::Bvh, Self::Asf, Self::Amc, Self::Gltf];

    pub fn from_name(name: &str) -> Option<Self> {
        let lower = |reader: &Self| format!("{reader:?}").to_ascii_lowercase();
        Self::ALL.into_iter().find(|reader| lower(reader) == name)
    }
}

/// What a run has seen.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub inputs: u64,
    pub bytes: u64,
    /// Inputs that gave a clip; the others gave an error.
    pub read: u64,
    /// Most memory over the input's size, over inputs of at least 4 KiB.
    pub memory_ratio: f64,
    /// Most memory of an input below 4 KiB. [bytes]
    pub small_memory: usize,
}

/// Memory that any input may take beside ten times its size: 64 KiB that the readers allow every
/// clip, so that short files with idle joints are read, and tables for usual skeletons. [bytes]
const SLACK: usize = 80 << 10;

/// Feeds one mutated input after the other; panics on what must not be.
pub fn fuzz(reader: Reader, count: u64, seed: u64) -> Tally {
    let corpus = Corpus::new();
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let input = corpus.mutated(reader, &mut random);
        let partial = random.below(4) == 0;
        let options = ReadOptions {
            partial,
            ..ReadOptions::default()
        };
        let (result, memory) = most_memory(|| corpus.read(reader, &input, &options));
        let bound = 10 * input.len() + SLACK;
        let shown = || String::from_utf8_lossy(&input).into_owned();
        assert!(
            memory <= bound,
            "{memory} bytes for {} of input:\n{}",
            input.len(),
            shown()
        );
        tally.add(input.len(), memory, result.is_ok());
        match result {
            Ok(motion) => {
                // Node trees may rest in ways that the text formats can't say.
                let write = random.below(16) == 0 && reader != Reader::Gltf;
                check_motion(&motion, write);
            }
            Err(error) => check_error(&error),
        }
    }
    tally
}

impl Tally {
    fn add(&mut self, length: usize, memory: usize, read: bool) {
        self.inputs += 1;
        self.bytes += length as u64;
        self.read += u64::from(read);
        if length < 4096 {
            self.small_memory = self.small_memory.max(memory);
        } else {
            self.memory_ratio = self.memory_ratio.max(memory as f64 / length as f64);
        }
    }
}

fn check_error(error: &FormatError) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() < 600, "{message}");
}

/// A clip that was read is sound; now and then it must survive being written too.
fn check_motion(motion: &Motion, write: bool) {
    let clip = &motion.clip;
    clip.check().expect("a clip that was read is sound");
    let unit = |q: &afoot_core::Quat| (q.length() - 1.0).abs() < 1e-5;
    assert!(
        clip.rotations.iter().all(unit),
        "rotations have unit length"
    );
    if !write {
        return;
    }
    let options = WriteOptions::like(&motion.source);
    let bvh = write_bvh(clip, &options).expect("what was read can be written");
    let again =
        read_bvh(&bvh.bytes, &ReadOptions::default()).expect("what was written can be read");
    assert_eq!(again.clip.len(), clip.len());
    let amc = write_amc(clip, &options).expect("what was read can be written");
    let (_, asf) = amc.companion.expect("AMC comes with ASF");
    let asf = read_asf(&asf).expect("what was written can be read");
    if !clip.is_empty() {
        let again = read_amc(&amc.bytes, &asf, &ReadOptions::default());
        assert_eq!(
            again.expect("what was written can be read").clip.len(),
            clip.len()
        );
    }
}

struct Corpus {
    bvh: Vec<Vec<u8>>,
    asf: Vec<Vec<u8>>,
    amc: Vec<Vec<u8>>,
    gltf: Vec<Vec<u8>>,
    skeleton: Asf,
}

impl Corpus {
    fn new() -> Self {
        let asf = vec![asf_text(24), asf_text(3)];
        let skeleton = read_asf(&asf[0]).expect("the corpus is sound");
        let glb = |text: Vec<u8>| {
            let motion = read_bvh(&text, &ReadOptions::default());
            write_glb(&motion.expect("the corpus is sound").clip)
        };
        Self {
            gltf: vec![
                glb(bvh_text(20, 5)),
                glb(bvh_text(3, 30)),
                glb(bvh_text(1, 2)),
                of_another_program(glb(bvh_text(12, 4))),
                of_another_program(glb(bvh_text(2, 3))),
            ],
            bvh: vec![
                bvh_text(20, 5),
                bvh_text(3, 30),
                bvh_text(1, 2),
                odd_bvh(),
                starved_bvh(),
            ],
            amc: vec![amc_text(24, 4), amc_text(24, 1), amc_text(24, 12)],
            asf,
            skeleton,
        }
    }

    fn read(
        &self,
        reader: Reader,
        input: &[u8],
        options: &ReadOptions,
    ) -> Result<Motion, FormatError> {
        match reader {
            Reader::Bvh => read_bvh(input, options),
            // One frame in which only the root moves: enough to make a clip of any skeleton.
            Reader::Asf => read_amc(b"1\nroot 0 0 0 0 0 0\n", &read_asf(input)?, options),
            Reader::Amc => read_amc(input, &self.skeleton, options),
            Reader::Gltf => read_gltf(input, options, &|_| Err("no file".into())),
        }
    }

    /// One of the texts after one to eight changes, mostly few.
    fn mutated(&self, reader: Reader, random: &mut Random) -> Vec<u8> {
        let texts = match reader {
            Reader::Bvh => &self.bvh,
            Reader::Asf => &self.asf,
            Reader::Amc => &self.amc,
            Reader::Gltf => &self.gltf,
        };
        let mut text = texts[random.below(texts.len())].clone();
        for _ in 0..1 + (random.next() % 128).leading_zeros() - 57 {
            let other = &texts[random.below(texts.len())];
            mutate(&mut text, other, random);
        }
        text
    }
}

/// The same file under another name, so that its mesh is read.
fn of_another_program(mut glb: Vec<u8>) -> Vec<u8> {
    let (own, other) = (b"\"Afoot\"", b"\"Other\"");
    let at = glb.windows(own.len()).position(|part| part == own);
    let at = at.expect("the writer names itself");
    glb[at..at + other.len()].copy_from_slice(other);
    glb
}

/// Words that readers may stumble over.
const WORDS: [&str; 44] = [
    "nan",
    "-inf",
    "1e308",
    "1e-400",
    "99999999999999999999",
    "-1",
    "0",
    "1.#IND",
    ".",
    "-",
    "+",
    "{",
    "}",
    "(",
    ")",
    "#",
    ":",
    ",",
    "\r",
    "\n",
    "\t",
    "\0",
    "\u{feff}",
    "JOINT",
    "ROOT",
    "End",
    "OFFSET",
    "CHANNELS 999999999",
    "CHANNELS 1 Xposition",
    "MOTION",
    "Frames: 999999999999",
    "Frame Time: 1e-9",
    "begin",
    "end",
    "root",
    "dof",
    "limits",
    "axis 1 2 3 XXX",
    ":hierarchy",
    ":units",
    "length 1e-300",
    "Frames: 0",
    "CHANNELS 0",
    "id",
];

fn mutate(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(text.len() + 1);
    let scale = 1 << random.below(10);
    let length = 1 + random.below(scale);
    let range = at..(at + length).min(text.len());
    match random.below(12) {
        0 => text.truncate(at),
        1 => drop(text.drain(range)),
        2 => {
            let copy = text[range].to_vec();
            drop(text.splice(at..at, copy));
        }
        3 => {
            let from = random.below(other.len());
            let part = &other[from..(from + length).min(other.len())];
            drop(text.splice(at..at, part.iter().copied()));
        }
        4 | 5 => {
            let word = WORDS[random.below(WORDS.len())].bytes();
            drop(text.splice(at..at, word));
        }
        6 | 7 => replace_word(text, at, random),
        8 => remove_line(text, at),
        9 => {
            if let Some(byte) = text.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        10 => {
            if let Some(byte) = text.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        _ => {
            let count = random.below(300);
            drop(text.splice(at..at, std::iter::repeat_n(random.next() as u8, count)));
        }
    }
}

fn replace_word(text: &mut Vec<u8>, at: usize, random: &mut Random) {
    let blank = |byte: &u8| *byte <= b' ';
    let start = text[..at]
        .iter()
        .rposition(blank)
        .map_or(0, |place| place + 1);
    let end = text[at..]
        .iter()
        .position(blank)
        .map_or(text.len(), |length| at + length);
    let word = WORDS[random.below(WORDS.len())].bytes();
    drop(text.splice(start..end, word));
}

fn remove_line(text: &mut Vec<u8>, at: usize) {
    let is_end = |byte: &u8| *byte == b'\n';
    let start = text[..at]
        .iter()
        .rposition(is_end)
        .map_or(0, |place| place + 1);
    let end = text[at..]
        .iter()
        .position(is_end)
        .map_or(text.len(), |length| at + length + 1);
    text.drain(start..end);
}

/// A chain of joints, moving.
fn bvh_text(joints: usize, frames: usize) -> Vec<u8> {
    let mut text = String::from("HIERARCHY\r\n");
    for joint in 0..joints {
        let word = if joint == 0 { "ROOT" } else { "JOINT" };
        let positions = if joint == 0 {
            "6 Xposition Yposition Zposition"
        } else {
            "3"
        };
        text += &format!(
            "{word} joint{joint}\n{{\n\tOFFSET 0.1 {joint}.5 -0.25\n\tCHANNELS {positions} \
             Zrotation Yrotation Xrotation \n"
        );
    }
    text += "End Site\n{\nOFFSET 0 0 1\n}\n";
    text += &"}\n".repeat(joints);
    text += &format!("MOTION\nFrames: {frames}\nFrame Time: .0083333\n");
    for frame in 0..frames {
        let number = |column: usize| format!("{:.4}", (frame * 7 + column) as f64 * 1.37 - 20.0);
        let row: Vec<String> = (0..3 + 3 * joints).map(number).collect();
        text += &format!("{} \r\n", row.join(" "));
    }
    text.into_bytes()
}

/// Sliding joints, one channel, none, several children, numbers of every kind.
fn odd_bvh() -> Vec<u8> {
    b"hierarchy root a{offset 0 0 0 channels 4 Xposition Xrotation Yrotation Xrotation joint b\n\
      {OFFSET 1e1 -.5 +2.5E-01 CHANNELS 2 Yposition Zrotation end site{OFFSET 0 0 0}}\n\
      joint c{OFFSET 0 0 0}joint d{OFFSET 1 1 1 CHANNELS 0 joint e{OFFSET 0 1 0 CHANNELS 1 \
      Yrotation}}}\nmotion frames 3 frame time 0.1\n1 2 3 4 5 6 7\n1e0 -2.5 3 400000 5 6. .7\n\n\
      0.12345678901234567890 2 3 4 5 6 77777777777.1234567\n"
        .to_vec()
}

/// Many joints that share one channel, and many frames: little text for much memory.
fn starved_bvh() -> Vec<u8> {
    let mut text = String::from("HIERARCHY\nROOT r{OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
    (0..12).for_each(|joint| text += &format!("JOINT j{joint}{{OFFSET 0 1 0}}\n"));
    text += "}\nMOTION\nFrames: 200\nFrame Time: 1\n";
    text += &"0\n".repeat(200);
    text.into_bytes()
}

fn asf_text(bones: usize) -> Vec<u8> {
    let mut text = String::from(
        "# made up\n:version 1.10\n:name x\n:units\n mass 1.0\n length 0.45\n angle deg\n\
         :documentation\n any text\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n\
         orientation 0 0 0\n:bonedata\n",
    );
    for bone in 0..bones {
        let dofs = ["rx ry rz", "rx", "rz ry", "ty rx"][bone % 4];
        text += &format!(
            "begin\n id {bone}\n name bone{bone}\n direction 0 -1 0.1\n length 2.{bone}\n axis 0 \
             {bone} 20 XYZ\n dof {dofs}\n limits (-160.0 20.0)\n (-70 inf)\nend\n"
        );
    }
    text += ":hierarchy\n begin\n  root bone0\n";
    for bone in 1..bones {
        text += &format!("  bone{} bone{bone}\n", bone / 2);
    }
    text += " end\n";
    text.into_bytes()
}

fn amc_text(bones: usize, frames: usize) -> Vec<u8> {
    let mut text = String::from("#!OML\n:FULLY-SPECIFIED\n:DEGREES\n");
    for frame in 0..frames {
        text += &format!("{}\nroot 1 17.5 -3 {frame} 2 3\n", frame + 10);
        for bone in 0..bones {
            let count = [3, 1, 2, 2][bone % 4];
            let values = ["-12.345", "1e-014", "90"][..count].join(" ");
            text += &format!("bone{bone} {values}\n");
        }
    }
    text.into_bytes()
}
