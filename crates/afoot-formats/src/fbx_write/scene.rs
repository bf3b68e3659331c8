//! What an FBX file says about the scene: its settings, and the skeleton as LimbNodes.

use afoot_core::{Clip, Quat, Vec3};

use super::animation::{last_time, ticks};
use super::record::{Record, Value, object_name, property, record, text};
use super::{ATTRIBUTES, MODELS};
use crate::euler::{Axis, three_angles, unit_quat64};
use crate::motion::WriteOptions;
use crate::scene::END_SUFFIX;

pub fn settings(clips: &[Clip], options: &WriteOptions) -> Record {
    let int = |name, value| property(name, ["int", "Integer", ""], vec![Value::Int(value)]);
    let real = |name, value| property(name, ["double", "Number", ""], vec![Value::Real(value)]);
    let time = |name, seconds: f64| {
        property(
            name,
            ["KTime", "Time", ""],
            vec![Value::Long(ticks(seconds))],
        )
    };
    let longest = clips.iter().map(last_time).fold(0.0, f64::max);
    let centimetres = options.metres_per_unit * 100.0;
    record(
        "GlobalSettings",
        vec![],
        vec![
            record("Version", vec![Value::Int(1000)], vec![]),
            record(
                "Properties70",
                vec![],
                vec![
                    int("UpAxis", 1),
                    int("UpAxisSign", 1),
                    int("FrontAxis", 2),
                    int("FrontAxisSign", 1),
                    int("CoordAxis", 0),
                    int("CoordAxisSign", 1),
                    int("OriginalUpAxis", 1),
                    int("OriginalUpAxisSign", 1),
                    real("UnitScaleFactor", centimetres),
                    real("OriginalUnitScaleFactor", centimetres),
                    // A rate of its own: programs that know only a few take it as it is.
                    property("TimeMode", ["enum", "", ""], vec![Value::Int(14)]),
                    property(
                        "CustomFrameRate",
                        ["double", "Number", ""],
                        vec![Value::Real(clips[0].rate.fps())],
                    ),
                    time("TimeSpanStart", 0.0),
                    time("TimeSpanStop", longest),
                ],
            ),
        ],
    )
}

/// A node of the file.
pub struct Body {
    name: String,
    pub parent: Option<usize>,
    /// In the file's unit.
    place: Vec3,
    rest: Quat,
}

/// Joints, then end sites.
pub fn bodies_of(clip: &Clip, units: f32) -> Vec<Body> {
    let skeleton = &clip.skeleton;
    let joint = |(index, joint): (usize, &afoot_core::Joint)| Body {
        name: joint.name.clone(),
        parent: joint.parent.map(|parent| parent.index()),
        place: units
            * match index {
                0 => clip.root.first().copied().unwrap_or(joint.offset),
                _ => joint.offset,
            },
        rest: joint.rest,
    };
    let mut bodies: Vec<Body> = skeleton.joints().iter().enumerate().map(joint).collect();
    for (index, site) in skeleton.end_sites().iter().enumerate() {
        let earlier = &skeleton.end_sites()[..index];
        let number = earlier
            .iter()
            .filter(|other| other.parent == site.parent)
            .count();
        let number = if number == 0 {
            String::new()
        } else {
            format!("{}", number + 1)
        };
        bodies.push(Body {
            name: format!("{}{END_SUFFIX}{number}", skeleton.joint(site.parent).name),
            parent: Some(site.parent.index()),
            place: units * site.offset,
            rest: Quat::IDENTITY,
        });
    }
    bodies
}

/// Every node's attribute and model.
pub fn models(bodies: &[Body]) -> Vec<Record> {
    let mut records = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        records.push(record(
            "NodeAttribute",
            vec![
                Value::Long(ATTRIBUTES + index as i64),
                object_name(&body.name, "NodeAttribute"),
                text("LimbNode"),
            ],
            vec![record("TypeFlags", vec![text("Skeleton")], vec![])],
        ));
        records.push(model(index, body));
    }
    records
}

fn model(index: usize, body: &Body) -> Record {
    let vector = |name, v: [f64; 3]| property(name, [name, "", "A"], v.map(Value::Real).into());
    let place = body.place.to_array().map(f64::from);
    let [z, y, x] = three_angles(
        unit_quat64(body.rest),
        [Axis::Z, Axis::Y, Axis::X],
        [0.0; 3],
    );
    let below = vec![
        record("Version", vec![Value::Int(232)], vec![]),
        record(
            "Properties70",
            vec![],
            vec![
                property("InheritType", ["enum", "", ""], vec![Value::Int(1)]),
                vector("Lcl Translation", place),
                vector("Lcl Rotation", [x, y, z].map(f64::to_degrees)),
                vector("Lcl Scaling", [1.0; 3]),
            ],
        ),
    ];
    let values = vec![
        Value::Long(MODELS + index as i64),
        object_name(&body.name, "Model"),
        text("LimbNode"),
    ];
    record("Model", values, below)
}
