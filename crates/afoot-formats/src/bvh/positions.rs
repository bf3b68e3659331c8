//! What position channels mean: in metres, and beside a joint's OFFSET.

use afoot_core::{Clip, Vec3};

use crate::bvh::columns::Columns;
use crate::bvh::rows::Rows;
use crate::motion::PositionChannels;

/// Turns positions from file units into metres and fills in what has no channel.
pub(super) fn scale_positions(
    clip: &mut Clip,
    columns: &Columns,
    rows: &Rows,
    warnings: &mut Vec<String>,
) {
    let skeleton = clip.skeleton.clone();
    let scale = rows.metres_per_unit;
    let scaled = |v: Vec3| Vec3::from(v.to_array().map(|v| (f64::from(v) * scale) as f32));
    let fill = |v: Vec3, missing: Vec3| Vec3::select(v.is_nan_mask(), missing, v);
    let root_offset = skeleton.joints()[0].offset;
    clip.root
        .iter_mut()
        .for_each(|v| *v = fill(scaled(*v), root_offset));
    if columns.joints[0].moves() && root_offset.length() > 1e-6 {
        warnings.push("the root has an OFFSET and position channels; the channels count".into());
    }
    for sliding in &mut clip.sliding {
        let joint = skeleton.joint(sliding.joint);
        sliding.offsets.iter_mut().for_each(|v| *v = scaled(*v));
        let known = columns.joints[sliding.joint.index()]
            .position
            .map(|column| column.is_some());
        let shifts = match rows.position_channels {
            PositionChannels::Add => true,
            PositionChannels::Replace => false,
            PositionChannels::Auto => are_shifts(&sliding.offsets, joint.offset, known),
        };
        if shifts {
            warnings.push(format!(
                "the position channels of {:?} are taken as shifts from its OFFSET",
                joint.name
            ));
            sliding
                .offsets
                .iter_mut()
                .for_each(|v| *v = fill(*v, Vec3::ZERO) + joint.offset);
        } else {
            sliding
                .offsets
                .iter_mut()
                .for_each(|v| *v = fill(*v, joint.offset));
        }
    }
}

/// Whether position channels are shifts: their mean is nearer to zero than to the offset, over the
/// axes that have a channel. The writer asks the same, so that what it writes is read as meant.
pub(super) fn are_shifts(values: &[Vec3], offset: Vec3, known: [bool; 3]) -> bool {
    let mask = |v: Vec3| Vec3::from([0, 1, 2].map(|i| if known[i] { v[i] } else { 0.0 }));
    let offset = mask(offset);
    let half = 0.5 * f64::from(offset.length_squared());
    values
        .iter()
        .map(|&v| f64::from(mask(v).dot(offset)) - half)
        .sum::<f64>()
        < 0.0
}
