//! A clip's curves over time: speed, heights of the feet, joint angles, contacts.

use afoot_core::{Clip, FrameId, JointId, Positions, Quat, Role, Side, forward_kinematics};

use crate::canvas::DrawError;
use crate::colour::Colour;
use crate::figure::{feet, ground_of};
use crate::path_plot::{foot_parts, spans_of};
use crate::plot::{Band, Panel, Plot, Series, SeriesStyle, draw_plot};

/// What the curves of a clip show.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipPlotOptions {
    /// Joints whose angle away from rest is drawn; empty takes thighs and knees.
    pub joints: Vec<JointId>,
    /// Width of the picture. [px, 200 to 8000]
    pub width: u32,
}

impl Default for ClipPlotOptions {
    fn default() -> Self {
        Self {
            joints: Vec::new(),
            width: 1000,
        }
    }
}

/// Speed, foot heights, joint angles and contacts of a clip, as PNG.
pub fn plot_clip(clip: &Clip, options: &ClipPlotOptions) -> Result<Vec<u8>, DrawError> {
    if clip.is_empty() {
        return Err(DrawError::Empty(format!(
            "clip {:?} has no frames",
            clip.name
        )));
    }
    let positions = forward_kinematics(clip);
    let mut panels = vec![
        speed_panel(clip),
        foot_panel(clip, &positions),
        angle_panel(clip, &options.joints),
    ];
    if clip.contacts.len() == clip.len() {
        panels.push(contact_panel(clip));
    }
    if !clip.labels.is_empty() {
        panels.push(label_panel(clip));
    }
    draw_plot(&Plot {
        title: format!("{}   {:.2} s   {}", clip.name, clip.seconds(), clip.rate),
        x_label: "time [s]".into(),
        x_range: Some([0.0, clip.seconds()]),
        panels,
        width: options.width,
        ..Plot::default()
    })
}

fn over_time(clip: &Clip, values: impl Iterator<Item = f64>) -> Vec<[f64; 2]> {
    let step = clip.rate.frame_time();
    values
        .enumerate()
        .map(|(frame, value)| [frame as f64 * step, value])
        .collect()
}

fn speed_panel(clip: &Clip) -> Panel {
    let fps = clip.rate.fps();
    let last = clip.len() - 1;
    let speed = (0..clip.len()).map(|frame| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        let way = clip.root[after] - clip.root[before];
        f64::from(way.x.hypot(way.z)) * fps / (after - before).max(1) as f64
    });
    Panel {
        y_label: "speed of the root over the ground [m/s]".into(),
        height: 130,
        series: vec![Series::line("", over_time(clip, speed)).coloured(Colour::TRACE)],
        ..Panel::default()
    }
}

fn foot_panel(clip: &Clip, positions: &Positions) -> Panel {
    let ground = ground_of(clip, positions);
    let parts = foot_parts();
    let series = feet(&clip.skeleton).into_iter().map(|(joint, part)| {
        let heights = positions
            .track(joint)
            .map(|p| f64::from(p.y - ground.height_at(p.x, p.z)));
        let named = parts.iter().find(|(_, bits, _)| *bits == part);
        let (name, side) = named.map_or(("", Side::Left), |&(name, _, side)| (name, side));
        let is_heel = name.ends_with("heel");
        Series::line(name, over_time(clip, heights))
            .coloured(side_colour(side))
            .styled(if is_heel {
                SeriesStyle::Dashed
            } else {
                SeriesStyle::Line
            })
    });
    Panel {
        y_label: "height of foot joints [m]".into(),
        series: series.collect(),
        ..Panel::default()
    }
}

fn angle_panel(clip: &Clip, joints: &[JointId]) -> Panel {
    let usual = || {
        Side::BOTH
            .into_iter()
            .flat_map(|side| [Role::UpLeg(side), Role::Leg(side)])
            .filter_map(|role| clip.skeleton.with_role(role))
            .collect()
    };
    let joints: Vec<JointId> = if joints.is_empty() {
        usual()
    } else {
        joints.to_vec()
    };
    let series = joints.into_iter().map(|joint| {
        let rest = clip.skeleton.joint(joint).rest.inverse();
        let angles =
            (0..clip.len()).map(|frame| angle(rest * clip.rotation(FrameId::from(frame), joint)));
        Series::line(
            clip.skeleton.joint(joint).name.clone(),
            over_time(clip, angles),
        )
    });
    Panel {
        y_label: "angle from rest [deg]".into(),
        series: series.collect(),
        ..Panel::default()
    }
}

/// Size of a rotation. [deg, 0 to 180]
fn angle(rotation: Quat) -> f64 {
    let sine = f64::from(rotation.xyz().length());
    (2.0 * sine.atan2(f64::from(rotation.w.abs()))).to_degrees()
}

fn contact_panel(clip: &Clip) -> Panel {
    let step = clip.rate.frame_time();
    let bands = foot_parts().map(|(name, part, side)| Band {
        name: name.into(),
        spans: spans_of(&clip.contacts, part)
            .into_iter()
            .map(|span| span.map(|frame| frame as f64 * step))
            .collect(),
        colour: side_colour(side),
    });
    Panel {
        y_label: "contacts".into(),
        height: 90,
        bands: bands.into(),
        ..Panel::default()
    }
}

fn label_panel(clip: &Clip) -> Panel {
    let step = clip.rate.frame_time();
    let mut bands: Vec<Band> = Vec::new();
    for span in &clip.labels {
        let times = [span.frames.start, span.frames.end].map(|frame| f64::from(frame) * step);
        match bands.iter_mut().find(|band| band.name == span.label) {
            Some(band) => band.spans.push(times),
            None => bands.push(Band {
                name: span.label.clone(),
                spans: vec![times],
                colour: Colour::GREY,
            }),
        }
    }
    Panel {
        y_label: "labels".into(),
        height: 20 + 18 * bands.len() as u32,
        bands,
        ..Panel::default()
    }
}

fn side_colour(side: Side) -> Colour {
    match side {
        Side::Left => Colour::LEFT,
        Side::Right => Colour::RIGHT,
    }
}
