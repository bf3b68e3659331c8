//! A motion graph unrolled into a world (Reitsma and Pollard 2004, §5).
//!
//! A state is a cell, a heading and a choice of the graph: the paper indexes by the clip that leads
//! there, of which only the choice at its end matters for what can follow, so there are fewer states and
//! no path is lost. Links are stencils laid over the cells (`stencil`), culled where the bent way would
//! touch an obstacle or pass an area that its words are not allowed in. What is kept is the largest
//! strongly connected component: who is in it never comes to a dead end. Cost: linear in the links that
//! are tried, some 30 ns each; a bit of memory for each, and 16 bytes a state while components are found.

use afoot_core::Planar;
use afoot_run::{Run, Stopped};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::components::{Links, NONE, components};
use crate::edit::EditOptions;
use crate::grid::{CellId, Grid};
use crate::moves::{ChoiceId, Moves};
use crate::room::{Discs, RoomField};
use crate::rules::RuleLabels;
use crate::stencil::{Stencil, Stencils, tabulate};
use crate::world::{World, WorldError};

/// How a graph is embedded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbedOptions {
    /// Width of a cell. [m, > 0]
    pub cell: f64,
    /// Angle between headings. [rad, > 0, at most a third of a turn]
    pub yaw: f64,
    /// How far moves may be bent.
    pub edit: EditOptions,
    /// Room that is kept beyond the world's radius: planting feet moves roots. [m, >= 0]
    pub margin: f64,
    /// Most memory that may be used. [bytes]
    pub memory: u64,
}

impl Default for EmbedOptions {
    /// 20 cm and 20 degrees: Reitsma and Pollard 2004, §6.
    fn default() -> Self {
        Self {
            cell: 0.2,
            yaw: 20f64.to_radians(),
            edit: EditOptions::default(),
            margin: 0.0,
            memory: 4 << 30,
        }
    }
}

/// Why nothing was embedded.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum EmbedError {
    #[error(transparent)]
    World(#[from] WorldError),
    #[error("{what} is {found}; expected {expected}")]
    BadOption {
        what: &'static str,
        found: f64,
        expected: &'static str,
    },
    #[error("the world has no free ground for a character of radius {radius} m")]
    NoGround { radius: f64 },
    #[error("the graph has no place where one may choose between ways on")]
    NoChoices,
    #[error("no motion of the graph leads anywhere: the farthest goes {longest:.2} m")]
    NoLocomotion { longest: f64 },
    #[error(
        "{states} states and {stencils} stencils would take {} MB, and {} MB are allowed; larger \
         cells or a shorter graph take less", .needed >> 20, .allowed >> 20
    )]
    TooLarge {
        states: u64,
        stencils: u64,
        needed: u64,
        allowed: u64,
    },
    #[error("no motion of the graph fits into the world and goes on for ever")]
    NoLoop,
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl EmbedError {
    /// Whether the request itself is wrong; else the library holds no motion for it.
    pub fn is_bad_request(&self) -> bool {
        !matches!(
            self,
            Self::NoChoices | Self::NoLocomotion { .. } | Self::NoLoop
        )
    }
}

/// A state of an embedded graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

/// What an embedding takes, known before it is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// States of all cells, headings and choices.
    pub states: u64,
    /// Stencils that are laid over the cells.
    pub stencils: u64,
    /// Links that are tried at most.
    pub links: u64,
    /// Bytes at the most.
    pub bytes: u64,
}

/// Why links that the graph has are not in the embedded graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Culled {
    /// They start where nobody may stand.
    pub no_start: u64,
    /// They end outside, or where nobody may stand.
    pub no_end: u64,
    /// The way touches an obstacle or the bounds.
    pub collision: u64,
    /// The way passes an area where its words are not allowed.
    pub rule: u64,
    /// They lead out of the strongly connected component.
    pub dead_end: u64,
}

/// A graph embedded into a world.
pub struct Embedding<'a> {
    /// What was embedded.
    pub moves: &'a Moves,
    /// Into what.
    pub world: &'a World,
    /// How.
    pub options: EmbedOptions,
    /// The cells.
    pub grid: Grid,
    /// The stencils.
    pub stencils: Stencils,
    /// Whether the middle of each cell is free.
    pub free: Vec<bool>,
    /// States in the component.
    pub nodes: u64,
    /// Links in it.
    pub links: u64,
    /// Components with more than one state, largest first: how many states each has.
    pub components: Vec<u64>,
    /// What is not in it, and why.
    pub culled: Culled,
    /// What it was said to take.
    pub estimate: Estimate,
    words: usize,
    /// For each stencil a bit a cell: it may start there.
    bits: Vec<u64>,
    /// For each choice and heading a bit a cell: the state is in the component.
    alive: Vec<u64>,
}

/// Embeds moves into a world.
pub fn embed<'a>(
    moves: &'a Moves,
    world: &'a World,
    options: &EmbedOptions,
    run: &Run,
) -> Result<Embedding<'a>, EmbedError> {
    world.check()?;
    check_options(options)?;
    check_moves(moves)?;
    let grid = Grid::new(world, options.cell, options.yaw);
    let need = world.radius + options.margin;
    // Before anything is laid out over its cells: a world of kilometres is refused at once.
    check_memory(estimate(moves, &grid, 0), options.memory)?;
    let room = RoomField::new(world, options.cell / 8.0, |point| world.clearance(point));
    let cells = 0..grid.cells() as u32;
    let free: Vec<bool> = cells
        .map(|cell| room.room(grid.centre(CellId(cell))) >= need)
        .collect();
    if !free.contains(&true) {
        let radius = world.radius;
        return Err(EmbedError::NoGround { radius });
    }
    let stencils = tabulate(moves, &grid, &options.edit);
    let estimate = check_memory(estimate(moves, &grid, stencils.list.len()), options.memory)?;
    run.check()?;
    let ground = Grounds::new(world, moves, &room, options);
    let words = grid.cells().div_ceil(64);
    let mut embedding = Embedding {
        moves,
        world,
        options: *options,
        grid,
        stencils,
        free,
        nodes: 0,
        links: 0,
        components: Vec::new(),
        culled: Culled::default(),
        estimate,
        words,
        bits: Vec::new(),
        alive: Vec::new(),
    };
    embedding.lay(&ground, need, run)?;
    embedding.keep_largest();
    if embedding.nodes == 0 {
        return Err(EmbedError::NoLoop);
    }
    Ok(embedding)
}

/// What embedding would take, with that many stencils.
pub fn estimate(moves: &Moves, grid: &Grid, stencils: usize) -> Estimate {
    let cells = grid.cells() as u64;
    let states = (moves.nodes.len() * grid.headings) as u64 * cells;
    let count = stencils as u64;
    let bits = (count + (moves.nodes.len() * grid.headings) as u64) * cells.div_ceil(64) * 8;
    let table = count * size_of::<Stencil>() as u64;
    Estimate {
        states,
        stencils: count,
        links: count * cells,
        bytes: bits + table + 20 * states,
    }
}

fn check_memory(estimate: Estimate, allowed: u64) -> Result<Estimate, EmbedError> {
    let Estimate {
        states,
        stencils,
        bytes,
        ..
    } = estimate;
    if bytes > allowed || states >= u64::from(u32::MAX) {
        return Err(EmbedError::TooLarge {
            states,
            stencils,
            needed: bytes,
            allowed,
        });
    }
    Ok(estimate)
}

fn check_options(options: &EmbedOptions) -> Result<(), EmbedError> {
    let edit = &options.edit;
    let third = std::f64::consts::TAU / 3.0;
    let at_least_0 = |value: f64| value.is_finite() && value >= 0.0;
    let checks = [
        (
            "the cell's width",
            options.cell,
            options.cell > 0.0 && options.cell.is_finite(),
            "metres above 0",
        ),
        (
            "the angle between headings",
            options.yaw,
            options.yaw > 0.0 && options.yaw <= third,
            "above 0 and at most 120 degrees",
        ),
        (
            "the margin",
            options.margin,
            at_least_0(options.margin),
            "0 m or more",
        ),
        (
            "the shift per metre",
            edit.shift,
            at_least_0(edit.shift),
            "0 or more",
        ),
        (
            "the turn per metre",
            edit.turn,
            at_least_0(edit.turn),
            "0 or more",
        ),
        (
            "the shift per second",
            edit.shift_in_time,
            at_least_0(edit.shift_in_time),
            "0 or more",
        ),
        (
            "the turn per second",
            edit.turn_in_time,
            at_least_0(edit.turn_in_time),
            "0 or more",
        ),
    ];
    match checks.into_iter().find(|(_, _, fits, _)| !fits) {
        None => Ok(()),
        Some((what, found, _, expected)) => Err(EmbedError::BadOption {
            what,
            found,
            expected,
        }),
    }
}

/// A graph must have choices, and moves that lead somewhere.
fn check_moves(moves: &Moves) -> Result<(), EmbedError> {
    if moves.nodes.is_empty() || moves.list.is_empty() {
        return Err(EmbedError::NoChoices);
    }
    let ends = moves.list.iter().map(|step| step.end());
    let longest = ends.map(|end| end.x.hypot(end.z)).fold(0.0, f64::max);
    match longest > LOCOMOTION {
        true => Ok(()),
        false => Err(EmbedError::NoLocomotion { longest }),
    }
}

/// Moves that lead nowhere are no locomotion. [m]
const LOCOMOTION: f64 = 0.3;

/// What ways are held against.
struct Grounds<'a> {
    room: &'a RoomField<'a>,
    rules: Vec<(RuleLabels, RoomField<'a>)>,
}

impl<'a> Grounds<'a> {
    fn new(
        world: &'a World,
        moves: &Moves,
        room: &'a RoomField<'a>,
        options: &EmbedOptions,
    ) -> Self {
        let field = |rule: crate::rules::Rule| {
            let labels = rule.labels(&moves.vocabulary);
            let exact = move |point: [f64; 2]| rule.room(world.fold(point));
            let field = RoomField::new(world, options.cell / 8.0, exact);
            (labels, field)
        };
        Self {
            room,
            rules: world.rules().into_iter().map(field).collect(),
        }
    }
}

/// A way ready to be held against many places.
struct Laid {
    whole: Discs,
    /// Stretches that may not be in a rule's area: the rule's number, and the stretch.
    barred: Vec<(usize, Discs)>,
}

impl Laid {
    fn new(way: &[Planar], labels: &[afoot_graph::LabelSet], ground: &Grounds) -> Self {
        let mut barred = Vec::new();
        for (index, (rule, _)) in ground.rules.iter().enumerate() {
            let mut frame = 0;
            while frame < labels.len() {
                let end = frame + run_of(&labels[frame..], |set| !rule.allow(set));
                if end > frame {
                    barred.push((index, Discs::new(&way[frame..=end])));
                }
                frame = end + run_of(&labels[end..], |set| rule.allow(set));
            }
        }
        Self {
            whole: Discs::new(way),
            barred,
        }
    }
}

/// How many of the first frames are like that.
fn run_of(labels: &[afoot_graph::LabelSet], is: impl Fn(afoot_graph::LabelSet) -> bool) -> usize {
    labels.iter().take_while(|set| is(**set)).count()
}

impl Embedding<'_> {
    /// Lays all stencils over the cells.
    fn lay(&mut self, ground: &Grounds, need: f64, run: &Run) -> Result<(), Stopped> {
        let words = self.words;
        let mut bits = vec![0u64; self.stencils.list.len() * words];
        let rows = bits.par_chunks_mut(words.max(1)).zip(&self.stencils.list);
        let culled = rows
            .map(|(row, stencil)| match run.check() {
                Ok(()) => self.lay_one(row, stencil, ground, need),
                Err(_) => Culled::default(),
            })
            .reduce(Culled::default, Culled::with);
        run.check()?;
        self.culled = culled;
        self.bits = bits;
        Ok(())
    }

    /// The cells that a stencil may start in.
    fn lay_one(&self, row: &mut [u64], stencil: &Stencil, ground: &Grounds, need: f64) -> Culled {
        let way = stencil.way(self.moves, &self.grid, &self.options.edit);
        let laid = Laid::new(&way, &self.moves.of(stencil.step).labels, ground);
        let mut culled = Culled::default();
        for cell in 0..self.free.len() {
            if !self.free[cell] {
                culled.no_start += 1;
                continue;
            }
            let cell = CellId(cell as u32);
            let end = self.grid.shifted(cell, stencil.offset);
            if !end.is_some_and(|end| self.free[end.0 as usize]) {
                culled.no_end += 1;
                continue;
            }
            let origin = self.grid.centre(cell);
            if !ground.room.clears(&laid.whole, origin, need) {
                culled.collision += 1;
                continue;
            }
            let allowed =
                |(rule, way): &(usize, Discs)| ground.rules[*rule].1.clears(way, origin, 0.0);
            if !laid.barred.iter().all(allowed) {
                culled.rule += 1;
                continue;
            }
            row[cell.0 as usize / 64] |= 1 << (cell.0 % 64);
        }
        culled
    }

    /// Keeps the largest component.
    fn keep_largest(&mut self) {
        let (component, count) = components(&*self);
        let mut sizes = vec![0u64; count as usize];
        for &of in component.iter().filter(|of| **of != NONE) {
            sizes[of as usize] += 1;
        }
        let largest = (0..count).max_by_key(|of| (sizes[*of as usize], std::cmp::Reverse(*of)));
        let largest = largest.filter(|of| sizes[*of as usize] > 1);
        let cells = self.free.len();
        let mut alive = vec![0u64; self.moves.nodes.len() * self.grid.headings * self.words];
        for (state, of) in component.iter().enumerate() {
            if Some(*of) == largest && *of != NONE {
                alive[state / cells * self.words + state % cells / 64] |= 1 << (state % cells % 64);
            }
        }
        drop(component);
        self.alive = alive;
        self.nodes = largest.map_or(0, |of| sizes[of as usize]);
        sizes.retain(|size| *size > 1);
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        self.components = sizes;
        let mut bits = std::mem::take(&mut self.bits);
        let rows = bits
            .par_chunks_mut(self.words.max(1))
            .zip(&self.stencils.list);
        let counts = rows.map(|(row, stencil)| self.keep_alive(row, stencil));
        let (links, dead) = counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        self.bits = bits;
        self.links = links;
        self.culled.dead_end = dead;
    }

    /// Takes the links of a stencil away that do not join states of the component; counts both.
    fn keep_alive(&self, row: &mut [u64], stencil: &Stencil) -> (u64, u64) {
        let (mut kept, mut dead) = (0, 0);
        let from = self.row(self.moves.of(stencil.step).from, stencil.heading);
        let to = self.row(stencil.to.0, stencil.to.1);
        for (word, bits) in row.iter_mut().enumerate() {
            let mut left = *bits;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let cell = CellId(word as u32 * 64 + bit);
                let end = self.grid.shifted(cell, stencil.offset);
                let stays = self.is_alive_at(from, cell)
                    && end.is_some_and(|end| self.is_alive_at(to, end));
                match stays {
                    true => kept += 1,
                    false => {
                        *bits &= !(1 << bit);
                        dead += 1;
                    }
                }
            }
        }
        (kept, dead)
    }

    #[inline]
    fn is_alive_at(&self, row: usize, cell: CellId) -> bool {
        self.alive[row * self.words + cell.0 as usize / 64] >> (cell.0 % 64) & 1 == 1
    }

    /// The number of a choice with a heading.
    #[inline]
    fn row(&self, choice: ChoiceId, heading: u32) -> usize {
        choice.0 as usize * self.grid.headings + heading as usize
    }

    /// The state of a choice at a cell with a heading.
    #[inline]
    pub fn state(&self, choice: ChoiceId, heading: u32, cell: CellId) -> StateId {
        StateId((self.row(choice, heading) * self.free.len()) as u32 + cell.0)
    }

    /// A state's choice, heading and cell.
    #[inline]
    pub fn parts(&self, state: StateId) -> (ChoiceId, u32, CellId) {
        let (row, cell) = (
            state.0 as usize / self.free.len(),
            state.0 as usize % self.free.len(),
        );
        let headings = self.grid.headings;
        (
            ChoiceId((row / headings) as u32),
            (row % headings) as u32,
            CellId(cell as u32),
        )
    }

    /// Where the root is in a state.
    pub fn pose(&self, state: StateId) -> Planar {
        let (_, heading, cell) = self.parts(state);
        let [x, z] = self.grid.centre(cell);
        Planar::new(x, z, f64::from(heading) * self.grid.yaw_step())
    }

    /// Whether a state is in the component.
    #[inline]
    pub fn holds(&self, state: StateId) -> bool {
        let (row, cell) = (
            state.0 as usize / self.free.len(),
            state.0 as usize % self.free.len(),
        );
        self.is_alive_at(row, CellId(cell as u32))
    }

    /// All states, in the component or not.
    pub fn states(&self) -> u32 {
        (self.moves.nodes.len() * self.grid.headings * self.free.len()) as u32
    }

    /// The states of the component at a cell.
    pub fn states_at(&self, cell: CellId) -> impl Iterator<Item = StateId> + '_ {
        let rows = 0..self.moves.nodes.len() * self.grid.headings;
        let alive = move |row: &usize| self.is_alive_at(*row, cell);
        rows.filter(alive)
            .map(move |row| StateId((row * self.free.len()) as u32 + cell.0))
    }

    /// Whether a stencil may start in a cell.
    #[inline]
    pub fn may_start(&self, stencil: usize, cell: CellId) -> bool {
        self.bits[stencil * self.words + cell.0 as usize / 64] >> (cell.0 % 64) & 1 == 1
    }

    /// The links from a state: the stencil's number, and where it leads.
    #[inline]
    pub fn links_from(&self, state: StateId) -> impl Iterator<Item = (u32, StateId)> + '_ {
        let (row, cell) = (
            state.0 as usize / self.free.len(),
            CellId((state.0 as usize % self.free.len()) as u32),
        );
        let range = self.stencils.first[row]..self.stencils.first[row + 1];
        range.filter_map(move |index| {
            let may = self.may_start(index as usize, cell);
            may.then(|| (index, self.end_of(index, cell)))
        })
    }

    /// Where a stencil that may start in a cell leads from there.
    #[inline]
    pub fn end_of(&self, stencil: u32, cell: CellId) -> StateId {
        let stencil = &self.stencils.list[stencil as usize];
        let end = match self.grid.wrap {
            false => {
                let [columns, rows] = stencil.offset;
                CellId((cell.0 as i32 + columns + rows * self.grid.size[0] as i32) as u32)
            }
            true => self.grid.shifted(cell, stencil.offset).unwrap_or(cell),
        };
        self.state(stencil.to.0, stencil.to.1, end)
    }

    /// The cells that a stencil may start in.
    pub fn starts_of(&self, stencil: usize) -> impl Iterator<Item = CellId> + '_ {
        let words = self.bits[stencil * self.words..(stencil + 1) * self.words].iter();
        words.enumerate().flat_map(|(word, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    CellId(word as u32 * 64 + bit)
                })
            })
        })
    }
}

impl Culled {
    fn with(self, other: Self) -> Self {
        Self {
            no_start: self.no_start + other.no_start,
            no_end: self.no_end + other.no_end,
            collision: self.collision + other.collision,
            rule: self.rule + other.rule,
            dead_end: self.dead_end + other.dead_end,
        }
    }
}

impl Links for Embedding<'_> {
    fn states(&self) -> u32 {
        Embedding::states(self)
    }

    fn takes_part(&self, state: u32) -> bool {
        self.free[state as usize % self.free.len()]
    }

    #[inline]
    fn next(&self, state: u32, cursor: u32) -> Option<(u32, u32)> {
        let (row, cell) = (
            state as usize / self.free.len(),
            CellId((state as usize % self.free.len()) as u32),
        );
        let (first, end) = (self.stencils.first[row], self.stencils.first[row + 1]);
        let mut index = first + cursor;
        while index < end {
            if self.may_start(index as usize, cell) {
                return Some((self.end_of(index, cell).0, index + 1 - first));
            }
            index += 1;
        }
        None
    }
}
