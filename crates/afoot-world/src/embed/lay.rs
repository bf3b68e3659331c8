//! Stencils laid over the cells: where each may start without touching anything (§5.3).
//!
//! A way is a row of points so close that each stands for the stretch around it. For every place within a
//! cell that a point may have there are two sets of cells, made once: those where the stretch is clear
//! whatever it does, and those where it may be. 64 cells are asked at once; only the few between the two
//! are swept one by one (`room`), so that what comes out is what sweeping all would give. Ways that carry
//! other words than an area asks for are held against its outline the same way.

use std::ops::Range;

use afoot_core::Planar;
use afoot_graph::LabelSet;
use afoot_run::{Run, Stopped};
use rayon::prelude::*;
use serde::Serialize;

use super::EmbedOptions;
use super::kept::LaidMoves;
use crate::cell_bits::{CellBits, count, holds, keep, members, remove};
use crate::edit::way_length;
use crate::grid::{CellId, Grid};
use crate::moves::{Move, Moves};
use crate::room::{Outside, Room, Standing};
use crate::rules::RuleLabels;
use crate::stencil::{Stencil, Stencils, Ways};
use crate::world::World;

/// Places within a cell that points are taken to, along each side.
const PER_CELL: usize = 16;
/// A point stands for that much of its way, to either side. [m]
const STRETCH: f64 = 0.0125;

/// Why a stencil may not start in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hindered {
    /// They start where nobody may stand.
    pub no_start: u32,
    /// They end outside, or where nobody may stand.
    pub no_end: u32,
    /// The way touches an obstacle or the bounds.
    pub collision: u32,
    /// The way passes an area where its words are not allowed.
    pub rule: u32,
}

/// Stencils as they lie.
pub struct Laid {
    /// How the sets are laid out.
    pub layout: CellBits,
    /// For each stencil the cells that it may start in.
    pub starts: Vec<u64>,
    /// For each stencil the length of its way. [m]
    pub lengths: Vec<f32>,
    /// For each stencil why it may not start elsewhere.
    pub hindered: Vec<Hindered>,
}

/// Lays all stencils over the cells; those of moves that were laid before are taken as they are.
pub(super) fn lay(
    ground: &Grounds,
    moves: &Moves,
    stencils: &Stencils,
    before: Option<&LaidMoves>,
    run: &Run,
) -> Result<Laid, Stopped> {
    let reach = stencils
        .list
        .iter()
        .flat_map(|stencil| stencil.offset)
        .map(|steps| steps.unsigned_abs() as usize + 2);
    let layout = CellBits::new(
        ground.grid,
        reach.max().unwrap_or(0).max(ground.reach(moves)),
    );
    let count = stencils.list.len();
    let words = layout.words;
    let mut laid = Laid {
        starts: vec![0; count * words],
        lengths: vec![0.0; count],
        hindered: vec![Hindered::default(); count],
        layout,
    };
    let known = before.map(|before| before.known(moves, stencils));
    let fresh = known.as_ref().map_or(count, |known| known.fresh());
    let maps = (fresh > 0).then(|| ground.maps(&laid.layout));
    let chunk = 64;
    let rows = laid.starts.par_chunks_mut((chunk * words).max(1));
    let rows = rows.zip(laid.lengths.par_chunks_mut(chunk));
    let rows = rows.zip(laid.hindered.par_chunks_mut(chunk)).enumerate();
    rows.for_each(|(index, ((starts, lengths), hindered))| {
        if run.check().is_err() {
            return;
        }
        let layer = maps.as_ref();
        let mut layer = layer.map(|maps| Layer::new(ground, maps, moves, &laid.layout));
        for (at, row) in starts.chunks_mut(words).enumerate() {
            let stencil = index * chunk + at;
            let known = known.as_ref().and_then(|known| known.row(stencil));
            (lengths[at], hindered[at]) = match (known, &mut layer) {
                (Some(known), _) => {
                    row.copy_from_slice(known.starts);
                    (known.length, known.hindered)
                }
                (None, Some(layer)) => layer.lay(&stencils.list[stencil], row),
                (None, None) => continue, // there are maps for what is not known
            };
        }
    });
    run.check()?;
    Ok(laid)
}

/// Which cells one may stand in.
#[derive(Clone, Copy)]
pub(super) struct FreeCells<'a> {
    pub(super) grid: &'a Grid,
    pub(super) free: &'a [bool],
}

/// What ways are held against.
pub(super) struct Grounds<'a> {
    grid: &'a Grid,
    options: &'a EmbedOptions,
    free: &'a [bool],
    need: f64,
    room: &'a Standing<'a>,
    rules: Vec<(RuleLabels, Outside<'a>)>,
}

impl<'a> Grounds<'a> {
    pub(super) fn new(
        world: &'a World,
        moves: &Moves,
        FreeCells { grid, free }: FreeCells<'a>,
        room: &'a Standing<'a>,
        options: &'a EmbedOptions,
    ) -> Self {
        let area = |rule: crate::rules::Rule| {
            let labels = rule.labels(&moves.vocabulary);
            (labels, Outside::new(world, rule))
        };
        Self {
            grid,
            options,
            free,
            need: world.radius + options.margin,
            room,
            rules: world.rules().into_iter().map(area).collect(),
        }
    }

    /// Columns and rows that a way may stray from its start, at most.
    fn reach(&self, moves: &Moves) -> usize {
        let edit = &self.options.edit;
        let frame_time = moves.rate.frame_time();
        let stray = |step: &Move| {
            let limits = edit.limits(step, frame_time);
            step.length() + limits.shift.last().copied().unwrap_or(0.0)
        };
        let longest = moves.list.iter().map(stray).fold(0.0, f64::max);
        let cell = self.grid.cell[0].min(self.grid.cell[1]);
        (longest / cell).ceil() as usize + 2
    }

    fn maps(&self, layout: &CellBits) -> Maps {
        let rules = self.rules.iter();
        Maps {
            free: layout.set_of(|cell| self.free[cell.0 as usize]),
            room: ClearMaps::new(self.room, self.grid, self.need),
            rules: rules
                .map(|(_, area)| ClearMaps::new(area, self.grid, 0.0))
                .collect(),
        }
    }
}

/// What is known of all cells before any way is laid.
struct Maps {
    free: Vec<u64>,
    room: ClearMaps,
    rules: Vec<ClearMaps>,
}

/// For each place within a cell, the cells in which a stretch around it is clear, and in which it may be.
struct ClearMaps {
    words: usize,
    surely: Vec<u64>,
    maybe: Vec<u64>,
}

impl ClearMaps {
    fn new(field: &impl Room, grid: &Grid, need: f64) -> Self {
        let words = grid.cells().div_ceil(64);
        let [width, depth] = grid.cell.map(|cell| cell / PER_CELL as f64);
        let off = width.hypot(depth) / 2.0 + 1e-6;
        let corner = grid.cell[0].hypot(grid.cell[1]) / 2.0;
        let (clear, blocked) = (need + off + STRETCH, need - off);
        let places = PER_CELL * PER_CELL;
        let of_cell = |cell: usize| {
            let cell = CellId(cell as u32);
            let ([x, z], room) = (grid.centre(cell), field.room(grid.centre(cell)));
            if room - corner >= clear {
                return Places::All;
            }
            if room + corner < blocked {
                return Places::None;
            }
            let at = |place: usize, step: f64| (place as f64 + 0.5) * step;
            let rooms = (0..places).map(|place| {
                field.room([
                    x - grid.cell[0] / 2.0 + at(place % PER_CELL, width),
                    z - grid.cell[1] / 2.0 + at(place / PER_CELL, depth),
                ])
            });
            Places::Each(rooms.collect())
        };
        let cells: Vec<Places> = (0..grid.cells()).into_par_iter().map(of_cell).collect();
        let mut maps = Self {
            words,
            surely: vec![0; places * words],
            maybe: vec![0; places * words],
        };
        for (cell, rooms) in cells.iter().enumerate() {
            for place in 0..places {
                let (word, bit) = (place * words + cell / 64, cell % 64);
                let [surely, maybe] = rooms.between(place, [clear, blocked]);
                maps.surely[word] |= u64::from(surely) << bit;
                maps.maybe[word] |= u64::from(maybe) << bit;
            }
        }
        maps
    }

    fn at(&self, place: usize) -> [&[u64]; 2] {
        let range = place * self.words..(place + 1) * self.words;
        [&self.maybe[range.clone()], &self.surely[range]]
    }
}

/// Room at the places within a cell.
enum Places {
    All,
    None,
    Each(Vec<f64>),
}

impl Places {
    /// Whether a place has at least each of some rooms.
    fn between(&self, place: usize, needs: [f64; 2]) -> [bool; 2] {
        match self {
            Self::All => [true; 2],
            Self::None => [false; 2],
            Self::Each(rooms) => needs.map(|need| rooms[place] >= need),
        }
    }
}

/// A point of a way, and what it stands for.
#[derive(Clone, Copy)]
struct Spot {
    /// Its place within a cell.
    place: usize,
    /// How many columns and rows that cell is away.
    offset: [i32; 2],
    /// The first and the last pose of the steps that it stands for.
    poses: [usize; 2],
}

/// Lays one stencil after the other.
struct Layer<'a> {
    ground: &'a Grounds<'a>,
    maps: &'a Maps,
    moves: &'a Moves,
    layout: &'a CellBits,
    ways: Ways<'a>,
    seen: Vec<u64>,
    surely: Vec<u64>,
}

impl<'a> Layer<'a> {
    fn new(
        ground: &'a Grounds<'a>,
        maps: &'a Maps,
        moves: &'a Moves,
        layout: &'a CellBits,
    ) -> Self {
        Self {
            ground,
            maps,
            moves,
            layout,
            ways: Ways::new(moves, ground.grid, &ground.options.edit),
            seen: vec![0; layout.words],
            surely: vec![0; layout.words],
        }
    }

    /// The cells that a stencil may start in, the length of its way, and what hinders it elsewhere.
    fn lay(&mut self, stencil: &Stencil, row: &mut [u64]) -> (f32, Hindered) {
        let way = self.ways.of(stencil);
        row.copy_from_slice(&self.maps.free);
        let standing = count(row);
        let end = self.maps.free.as_slice();
        self.layout.seen_from(stencil.offset, end, &mut self.seen);
        keep(row, &self.seen);
        let joined = count(row);
        let (maps, ground) = (self.maps, self.ground);
        let obstacles = Obstacles {
            maps: &maps.room,
            exact: ground.room,
            need: ground.need,
        };
        self.clear(row, &way, obstacles);
        let clear = count(row);
        let labels = &self.moves.of(stencil.step).labels;
        for (index, (rule, area)) in ground.rules.iter().enumerate() {
            for stretch in barred(labels, *rule) {
                let way = &way[stretch.start..=stretch.end];
                let outside = Obstacles {
                    maps: &maps.rules[index],
                    exact: area,
                    need: 0.0,
                };
                self.clear(row, way, outside);
            }
        }
        let hindered = Hindered {
            no_start: ground.free.len() as u32 - standing as u32,
            no_end: (standing - joined) as u32,
            collision: (joined - clear) as u32,
            rule: (clear - count(row)) as u32,
        };
        (way_length(&way) as f32, hindered)
    }

    /// Keeps the cells from which a way is clear.
    fn clear(&mut self, row: &mut [u64], way: &[Planar], obstacles: Obstacles<impl Room>) {
        self.surely.copy_from_slice(row);
        let spots = spots_of(way, self.ground.grid);
        for spot in &spots {
            let [maybe, surely] = obstacles.maps.at(spot.place);
            self.layout.seen_from(spot.offset, maybe, &mut self.seen);
            keep(row, &self.seen);
            if row.iter().all(|word| *word == 0) {
                return;
            }
            self.layout.seen_from(spot.offset, surely, &mut self.seen);
            keep(&mut self.surely, &self.seen);
        }
        let unsure: Vec<u64> = row.iter().zip(&self.surely).map(|(a, b)| a & !b).collect();
        for cell in members(&unsure).map(CellId) {
            if !self.sweep(cell, way, &spots, &obstacles) {
                remove(row, cell);
            }
        }
    }

    /// Whether a way from a cell is clear where its spots do not say so.
    fn sweep(
        &self,
        cell: CellId,
        way: &[Planar],
        spots: &[Spot],
        obstacles: &Obstacles<impl Room>,
    ) -> bool {
        let grid = self.ground.grid;
        let [x, z] = grid.centre(cell);
        let at = |pose: usize| [x + way[pose].x, z + way[pose].z];
        let mut swept = 0;
        spots.iter().all(|spot| {
            let there = grid.shifted(cell, spot.offset);
            if there.is_some_and(|there| holds(obstacles.maps.at(spot.place)[1], there)) {
                return true;
            }
            let [first, last] = spot.poses;
            let steps = first.max(swept)..last.max(first + 1);
            swept = steps.end.max(swept);
            steps.into_iter().all(|pose| {
                let next = (pose + 1).min(way.len() - 1);
                let segment = [at(pose), at(next)];
                obstacles.exact.segment_clears(segment, obstacles.need)
            })
        })
    }
}

/// What a way is to keep clear of.
struct Obstacles<'a, R> {
    /// Where it surely or maybe does.
    maps: &'a ClearMaps,
    /// Where that does not tell.
    exact: &'a R,
    /// [m]
    need: f64,
}

/// Points of a way so close that each stands for [`STRETCH`] to either side.
fn spots_of(way: &[Planar], grid: &Grid) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    let mut put = |[x, z]: [f64; 2], poses: [usize; 2]| {
        let fine = |at: f64, cell: f64| ((at / cell + 0.5) * PER_CELL as f64).floor() as i32;
        let (column, row) = (fine(x, grid.cell[0]), fine(z, grid.cell[1]));
        let per = PER_CELL as i32;
        let place = (column.rem_euclid(per) + per * row.rem_euclid(per)) as usize;
        let offset = [column.div_euclid(per), row.div_euclid(per)];
        match spots.last_mut() {
            Some(last) if last.place == place && last.offset == offset => last.poses[1] = poses[1],
            _ => spots.push(Spot {
                place,
                offset,
                poses,
            }),
        }
    };
    for (pose, pair) in way.windows(2).enumerate() {
        let (dx, dz) = (pair[1].x - pair[0].x, pair[1].z - pair[0].z);
        let pieces = (dx.hypot(dz) / (2.0 * STRETCH)).ceil().max(1.0);
        for piece in 0..pieces as usize {
            let share = (piece as f64 + 0.5) / pieces;
            put(
                [pair[0].x + share * dx, pair[0].z + share * dz],
                [pose, pose + 1],
            );
        }
    }
    if let [only] = way {
        put([only.x, only.z], [0, 0]);
    }
    spots
}

/// The stretches of frames that may not be in a rule's area.
fn barred(labels: &[LabelSet], rule: RuleLabels) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut frame = 0;
    while frame < labels.len() {
        let run = |from: usize, allowed: bool| {
            let rest = labels[from..].iter();
            rest.take_while(|set| rule.allow(**set) == allowed).count()
        };
        let end = frame + run(frame, false);
        if end > frame {
            stretches.push(frame..end);
        }
        frame = end + run(end, true);
    }
    stretches
}
