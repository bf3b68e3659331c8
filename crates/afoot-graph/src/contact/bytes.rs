//! Graphs of contact changes as bytes, with every index checked on reading.

use afoot_codec::{Artefact, Kind, Malformed, Reader, Writer};
use afoot_core::{ClipId, FrameId, Planar, Range32, Side};

use super::phases::{Event, EventKind, Phase};
use super::{BodySample, CompressionReport, ContactGraph, ContactState, ContactStep, Piece};
use crate::motion_graph::Place;

impl Artefact for ContactGraph {
    const KIND: Kind = Kind {
        magic: *b"afootcon",
        // 2: placed by planted feet; the body at the end of each step.
        version: 2,
        oldest: 2,
        other_hash: 0,
        name: "contact graph",
        what: "graph of contact changes",
    };

    fn write(&self, writer: &mut Writer) {
        write_report(writer, &self.report);
        for value in [self.cost_per_metre, self.cheapest_metre] {
            writer.f64(value);
        }
        writer.count(self.states.len());
        self.states
            .iter()
            .for_each(|state| write_state(writer, state));
        writer.count(self.first.len());
        self.first.iter().for_each(|first| writer.u32(*first));
        writer.count(self.steps.len());
        self.steps.iter().for_each(|step| write_step(writer, step));
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let report = read_report(reader)?;
        let (cost_per_metre, cheapest_metre) = (reader.finite64()?, reader.finite64()?);
        let states = reader.list(12, read_state)?;
        let first = reader.list(4, Reader::u32)?;
        let steps = reader.list(40, read_step)?;
        let in_order = first.len() == states.len() + 1
            && first.is_sorted()
            && first.first() == Some(&0)
            && first
                .last()
                .is_some_and(|last| *last as usize == steps.len());
        reader.require(in_order, "its steps are not in order")?;
        let inside = steps.iter().all(|step| (step.to as usize) < states.len());
        reader.require(inside, "a step leads nowhere")?;
        Ok(Self {
            states,
            first,
            steps,
            cost_per_metre,
            cheapest_metre,
            report,
        })
    }
}

fn write_report(writer: &mut Writer, report: &CompressionReport) {
    let CompressionReport {
        frames,
        transitions,
        culled_states,
        culled_steps,
        states,
        steps,
        end_spread,
        turn_spread,
    } = report;
    for count in [
        frames,
        transitions,
        culled_states,
        culled_steps,
        states,
        steps,
    ] {
        writer.u64(*count);
    }
    end_spread
        .iter()
        .chain(turn_spread)
        .for_each(|value| writer.f64(*value));
}

fn read_report(reader: &mut Reader<'_>) -> Result<CompressionReport, Malformed> {
    Ok(CompressionReport {
        frames: reader.u64()?,
        transitions: reader.u64()?,
        culled_states: reader.u64()?,
        culled_steps: reader.u64()?,
        states: reader.u64()?,
        steps: reader.u64()?,
        end_spread: [reader.finite64()?, reader.finite64()?],
        turn_spread: [reader.finite64()?, reader.finite64()?],
    })
}

fn write_state(writer: &mut Writer, state: &ContactState) {
    writer.u32s([state.place.clip.0, state.place.frame.0]);
    for byte in [state.phase.0, state.before.0, u8::from(state.stands)] {
        writer.u8(byte);
    }
    writer.u8(match state.event.map(|event| event.kind) {
        None => 0,
        Some(EventKind::Pick(side)) => 1 + side.index() as u8,
        Some(EventKind::Sit) => 3,
    });
    if let Some(event) = state.event {
        event.point.iter().for_each(|value| writer.f64(*value));
    }
    writer.count(state.feet.len());
    state.feet.iter().for_each(|foot| writer.f32s(foot));
}

fn read_state(reader: &mut Reader<'_>) -> Result<ContactState, Malformed> {
    let place = Place {
        clip: ClipId(reader.u32()?),
        frame: FrameId(reader.u32()?),
    };
    let (phase, before) = (Phase(reader.u8()?), Phase(reader.u8()?));
    let stands = reader.u8()? != 0;
    let kind = match reader.u8()? {
        0 => None,
        1 => Some(EventKind::Pick(Side::Left)),
        2 => Some(EventKind::Pick(Side::Right)),
        3 => Some(EventKind::Sit),
        _ => return Err(Malformed("an event is of no kind")),
    };
    let event = match kind {
        None => None,
        Some(kind) => {
            let point = [reader.finite64()?, reader.finite64()?, reader.finite64()?];
            Some(Event { kind, point })
        }
    };
    Ok(ContactState {
        place,
        phase,
        before,
        event,
        stands,
        feet: reader.list(12, |reader| reader.f32s())?,
    })
}

fn write_planar(writer: &mut Writer, planar: Planar) {
    for value in [planar.x, planar.z, planar.yaw] {
        writer.f64(value);
    }
}

fn read_planar(reader: &mut Reader<'_>) -> Result<Planar, Malformed> {
    Ok(Planar::new(
        reader.finite64()?,
        reader.finite64()?,
        reader.finite64()?,
    ))
}

fn write_step(writer: &mut Writer, step: &ContactStep) {
    writer.u32(step.to);
    for value in [step.cost, step.seconds, step.length] {
        writer.f64(value);
    }
    write_planar(writer, step.motion);
    writer.count(step.pieces.len());
    for piece in &step.pieces {
        writer.u32s([piece.clip, piece.frames.start, piece.frames.end]);
        write_planar(writer, piece.placement);
    }
    writer.count(step.samples.len());
    for sample in &step.samples {
        writer.f32s(&sample.root);
        writer.f32(sample.head);
        sample.feet.iter().for_each(|foot| writer.f32s(foot));
    }
}

fn read_step(reader: &mut Reader<'_>) -> Result<ContactStep, Malformed> {
    let to = reader.u32()?;
    let (cost, seconds, length) = (reader.finite64()?, reader.finite64()?, reader.finite64()?);
    reader.require(cost > 0.0, "a step costs nothing")?;
    Ok(ContactStep {
        to,
        cost,
        seconds,
        length,
        motion: read_planar(reader)?,
        pieces: reader.list(36, |reader| {
            let clip = reader.u32()?;
            let (start, end) = (reader.u32()?, reader.u32()?);
            reader.require(start < end, "a piece has no frames")?;
            Ok(Piece {
                clip,
                frames: Range32 { start, end },
                placement: read_planar(reader)?,
            })
        })?,
        samples: reader.list(36, |reader| {
            Ok(BodySample {
                root: reader.f32s()?,
                head: reader.finite()?,
                feet: [reader.f32s()?, reader.f32s()?],
            })
        })?,
    })
}
