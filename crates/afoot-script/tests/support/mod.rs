//! A world outside that exists only in tests.

use afoot_script::outside::{ClipFacts, Missing, Outside};
use afoot_script::program::ActorFiles;

/// Clips by the names of their files, without folders and endings; `lib.afoot` has `stroll` and `run`.
pub struct Props;

const CLIPS: [(&str, u32); 6] = [
    ("08_02", 400),
    ("08_07", 300),
    ("11_01", 500),
    ("16_36", 160),
    ("walk", 120),
    ("wave", 90),
];

const JOINTS: [&str; 24] = [
    "root",
    "lhipjoint",
    "lfemur",
    "ltibia",
    "lfoot",
    "ltoes",
    "rhipjoint",
    "rfemur",
    "rtibia",
    "rfoot",
    "rtoes",
    "thorax",
    "lclavicle",
    "lhumerus",
    "lradius",
    "lwrist",
    "rclavicle",
    "rhumerus",
    "rradius",
    "rwrist",
    "lhand",
    "rhand",
    "head",
    "lowerneck",
];

fn stem(file: &str) -> &str {
    let name = file.rsplit(['\\', '/']).next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

impl Outside for Props {
    fn script(&self, name: &str, _: &str) -> Result<(String, String), Missing> {
        match name {
            "gaits.play" => Ok((
                name.into(),
                "let pace 0.8\ndefine slow(motion, by) { alterwalk { motion stride by } }\n".into(),
            )),
            "ring.play" => Ok((name.into(), "import \"ring.play\"\n".into())),
            _ => Err(Missing::new(format!("there is no script {name:?}"))),
        }
    }

    fn clip(&self, _: &ActorFiles, file: &str) -> Result<ClipFacts, Missing> {
        let found = CLIPS.iter().find(|(name, _)| *name == stem(file));
        let missing = || Missing::new(format!("there is no motion file {file:?}"));
        found
            .map(|(_, frames)| ClipFacts { frames: *frames })
            .ok_or_else(missing)
    }

    fn library(&self, actor: &ActorFiles) -> Result<(), Missing> {
        match actor.library.as_deref() {
            Some(file) if stem(file) == "nowhere" => {
                Err(Missing::new(format!("there is no file {file:?}")))
            }
            _ => Ok(()),
        }
    }

    fn library_clip(&self, _: &ActorFiles, name: &str) -> Result<Option<ClipFacts>, Missing> {
        let known = ["stroll", "run"].contains(&name);
        Ok(known.then_some(ClipFacts { frames: 200 }))
    }

    fn skeleton(&self, actor: &ActorFiles) -> Result<(), Missing> {
        match actor.hierarchy.as_deref() {
            Some(file) if stem(file) == "nobody" => {
                Err(Missing::new(format!("there is no skeleton {file:?}")))
            }
            _ => Ok(()),
        }
    }

    fn body(&self, actor: &ActorFiles) -> Result<(), Missing> {
        match actor.geometry.as_deref() {
            Some(file) if file.ends_with(".glb") => Ok(()),
            _ => Err(Missing::new("a body is a .glb file")),
        }
    }

    fn joint(&self, _: &ActorFiles, joint: &str) -> Result<(), Missing> {
        match JOINTS.contains(&joint.to_lowercase().as_str()) {
            true => Ok(()),
            false => Err(Missing::new(format!("the skeleton has no joint {joint:?}"))),
        }
    }

    fn file(&self, name: &str) -> Result<(), Missing> {
        match name.starts_with("no") {
            true => Err(Missing::new(format!("there is no file {name:?}"))),
            false => Ok(()),
        }
    }
}
