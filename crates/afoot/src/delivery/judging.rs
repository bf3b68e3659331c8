//! A motion judged as it was written: read back piece by piece, held against what it was made from.

use std::ops::Range;

use afoot_analyze::judge::{Limit, bar_of};
use afoot_analyze::{Judge, JudgeOptions, Quality, Verdict};
use afoot_core::{Clip, FrameRate};
use afoot_formats::{PieceLength, read_in_pieces};
use afoot_run::Run;
use afoot_world::World;

use super::Aim;
use super::outlet::Ended;
use super::sinks::WrittenFile;
use crate::failure::Failure;
use crate::motion_files::read_back_options;
use crate::rounding::to_ten_thousandths;

/// What is made, and what is read back and judged, together; and for how long plants are followed
/// beyond it: long plants are a few seconds, and three minutes of motion are some 20 MB. [s]
const PIECE: f64 = 180.0;
const CONTEXT: f64 = 10.0;

/// Frames of a piece of motion that is written while the next is made.
pub(crate) fn piece_frames(rate: FrameRate) -> usize {
    rate.frames_in(PIECE)
}

/// Judges a file against what its motion was made from and the path that it was to follow.
pub(super) fn judge_file(
    file: &WrittenFile,
    made: &Ended,
    aim: &Aim,
    run: &Run,
) -> Result<Quality, Failure> {
    let Ended {
        header, account, ..
    } = made;
    let made_from = account.made_from(header);
    let mut judge = Judge::new(JudgeOptions {
        source: header.clips.statistics(),
        made_from: Some(&made_from),
        floor: header.clips.floor(),
        ground: header.clips.ground(),
        terrain: made.terrain.as_ref().or(header.clips.terrain()),
        legs_anyhow: made.legs.is_some(),
        path: aim.path.as_deref(),
        faces_anyhow: !made.faces_ahead,
        stands: made.stands,
    });
    let length = PieceLength {
        frames: piece_frames(file.rate),
        context: file.rate.frames_in(CONTEXT),
    };
    let (mut done, mut room) = (0, f64::INFINITY);
    let look = |clip: &Clip, new: Range<usize>| -> Result<(), Failure> {
        run.check()?;
        done += new.len() as u64;
        if let Some(world) = &aim.world {
            room = room.min(least_room(clip, new.clone(), world));
        }
        judge.add(clip, new);
        run.progress("judging", done.min(header.frames), header.frames);
        Ok(())
    };
    let read = read_back_options(file.path, &file.options, file.rate);
    read_in_pieces(file.path, &read, length, look)?;
    let mut quality = judge.finish();
    if let Some(LegsAsked::So(asked)) = made.legs {
        let verdicts = verdicts_of_legs(&quality, &asked);
        quality.verdicts.extend(verdicts);
    }
    if let Some(other) = &made.feet_of {
        hold_feet_against(&mut quality, other);
    }
    quality.took(made.seconds);
    quality.clearance_m = room.is_finite().then_some(room);
    Ok(quality)
}

/// How legs were asked to be otherwise than captured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LegsAsked {
    /// As the ground wants them: how far they are off is told, but no bar is set.
    AsTheyCome,
    /// So far off, beyond which the bars are those of captured legs.
    So(LegChanges),
}

/// How far hips and knees are asked to be from the captured ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LegChanges {
    /// In the mean, and at most. [cm]
    pub hips: [f64; 2],
    /// [degrees]
    pub knees: [f64; 2],
}

/// The measures of hips and knees against their bars, which begin where what was asked for ends.
fn verdicts_of_legs(quality: &Quality, asked: &LegChanges) -> Vec<Verdict> {
    let measures = [
        ("hip_change_cm", quality.hip_change_cm, asked.hips[0]),
        ("knee_change_deg", quality.knee_change_deg, asked.knees[0]),
        ("hip_off_cm", quality.hip_off_cm, asked.hips[1]),
        ("knee_off_deg", quality.knee_off_deg, asked.knees[1]),
    ];
    let verdict = |(measure, value, asked): (&str, Option<f64>, f64)| {
        let (bar, value) = (bar_of(measure)?, value?);
        let most = to_ten_thousandths(bar.limit.value() + asked);
        let kept = value <= most;
        let words = format!(
            "{} {value:.1} {}, of which the steps ask for {asked:.1}",
            bar.name, bar.unit
        );
        Some(Verdict {
            measure: bar.measure,
            name: bar.name,
            value,
            unit: bar.unit,
            bar: most,
            kept,
            at_s: None,
            made_only: bar.made_only,
            words: if kept { String::new() } else { words },
        })
    };
    measures.into_iter().filter_map(verdict).collect()
}

/// What feet and facing may differ by that were to stay as they are: what files round. [share]
const THE_SAME: f64 = 0.05;

/// Feet and facing that were to stay as they are in another motion are held against it: what is as bad there is not
/// the fault of what was made.
fn hold_feet_against(quality: &mut Quality, other: &Quality) {
    let broken = quality.verdicts.iter_mut();
    for verdict in broken.filter(|verdict| verdict.made_only && !verdict.kept) {
        let mut own = other.verdicts.iter();
        let own = own.find(|own| own.measure == verdict.measure && !own.kept);
        let (Some(own), Some(bar)) = (own, bar_of(verdict.measure)) else {
            continue;
        };
        verdict.kept = match bar.limit {
            Limit::AtMost(_) => verdict.value <= own.value * (1.0 + THE_SAME),
            Limit::AtLeast(_) => verdict.value >= own.value * (1.0 - THE_SAME),
        };
        verdict.bar = to_ten_thousandths(own.value);
        verdict.words = match verdict.kept {
            true => "as in the base".into(),
            false => format!("{}, more than in the base", verdict.words),
        };
    }
}

/// The least distance of the root from what stands in a world, over some frames. [m]
pub(crate) fn least_room(clip: &Clip, frames: Range<usize>, world: &World) -> f64 {
    let roots = clip.root[frames].iter();
    let rooms = roots.map(|root| world.clearance([f64::from(root.x), f64::from(root.z)]));
    rooms.fold(f64::INFINITY, f64::min)
}
