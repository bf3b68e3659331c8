//! A motion graph unrolled into a world (Reitsma and Pollard 2004, §5).
//!
//! A state is a cell, a heading and a choice of the graph: the paper indexes by the clip that leads
//! there, of which only the choice at its end matters for what can follow, so there are fewer states and
//! no path is lost. Links are stencils (`stencil`) laid over the cells (`lay`), culled where the bent way would
//! touch an obstacle or pass an area that its words are not allowed in. What is kept is the largest
//! strongly connected component (`strong`): who is in it never comes to a dead end. What can be asked of it
//! is in `states`; what is taken over from an earlier graph in `kept`. Cost: linear in stencils times
//! cells, 64 cells at once; some two bits of memory for each.

mod checks;
mod kept;
mod lay;
mod states;
mod strong;

use afoot_run::Run;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::checks::EmbedError;
use self::checks::{check_memory, check_moves};
pub use self::kept::LaidMoves;
use self::lay::{FreeCells, Grounds, Laid, lay};
use self::states::Leaving;
use self::strong::{Linked, largest_component};
use crate::edit::EditOptions;
use crate::grid::{CellId, Grid};
use crate::moves::Moves;
use crate::paths::BYTES_PER_STATE;
use crate::room::{Room, Standing};
use crate::stencil::{Stencil, Stencils, tabulate};
use crate::world::World;

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
    laid: Laid,
    /// For each choice and heading the cells whose states are in the component.
    alive: Vec<u64>,
    leaving: Leaving,
}

/// Embeds moves into a world.
pub fn embed<'a>(
    moves: &'a Moves,
    world: &'a World,
    options: &EmbedOptions,
    run: &Run,
) -> Result<Embedding<'a>, EmbedError> {
    embed_more(moves, world, options, None, run)
}

/// Embeds moves into a world in which some of them were laid before, in the same way.
pub fn embed_more<'a>(
    moves: &'a Moves,
    world: &'a World,
    options: &EmbedOptions,
    before: Option<&LaidMoves>,
    run: &Run,
) -> Result<Embedding<'a>, EmbedError> {
    options.check()?;
    let Spread {
        grid,
        free,
        stencils,
        estimate,
        laid,
    } = Spread::new(moves, world, options, before, run)?;
    let linked = Linked::new(moves, &grid, &stencils, &laid);
    let largest = largest_component(&linked, &free);
    let Some(alive) = largest.states else {
        return Err(EmbedError::NoLoop);
    };
    let (leaving, links) = Leaving::new(&linked, &alive);
    Ok(Embedding {
        moves,
        world,
        options: *options,
        nodes: largest.sizes[0],
        links,
        components: largest.sizes,
        culled: Culled::of(&laid, links),
        estimate,
        alive,
        leaving,
        grid,
        free,
        stencils,
        laid,
    })
}

/// Lays moves in a world, to be embedded later, with others that were laid before.
pub fn lay_moves(
    moves: &Moves,
    world: &World,
    options: &EmbedOptions,
    before: Option<&LaidMoves>,
    run: &Run,
) -> Result<LaidMoves, EmbedError> {
    options.check()?;
    let spread = Spread::new(moves, world, options, before, run)?;
    let Spread { stencils, laid, .. } = &spread;
    Ok(LaidMoves::of(moves, world, options, stencils, laid))
}

/// Moves spread over the cells, not yet cut down to what has no dead ends.
struct Spread {
    grid: Grid,
    free: Vec<bool>,
    stencils: Stencils,
    estimate: Estimate,
    laid: Laid,
}

impl Spread {
    fn new(
        moves: &Moves,
        world: &World,
        options: &EmbedOptions,
        before: Option<&LaidMoves>,
        run: &Run,
    ) -> Result<Self, EmbedError> {
        world.check()?;
        check_moves(moves)?;
        let grid = Grid::new(world, options.cell, options.yaw);
        // Before anything is laid out over its cells: a world of kilometres is refused at once.
        check_memory(estimate(moves, &grid, 0), options.memory)?;
        let room = Standing::new(world);
        let free = free_cells(&room, &grid, world.radius + options.margin);
        if !free.contains(&true) {
            let radius = world.radius;
            return Err(EmbedError::NoGround { radius });
        }
        let stencils = tabulate(moves, &grid, &options.edit);
        let estimate = check_memory(estimate(moves, &grid, stencils.list.len()), options.memory)?;
        run.check()?;
        let area = FreeCells {
            grid: &grid,
            free: &free,
        };
        let ground = Grounds::new(world, moves, area, &room, options);
        let before = before.filter(|before| before.fits(moves, world, options));
        let laid = lay(&ground, moves, &stencils, before, run)?;
        drop(ground);
        Ok(Self {
            grid,
            free,
            stencils,
            estimate,
            laid,
        })
    }
}

fn free_cells(room: &Standing, grid: &Grid, need: f64) -> Vec<bool> {
    let cells = (0..grid.cells() as u32).into_par_iter();
    cells
        .map(|cell| room.room(grid.centre(CellId(cell))) >= need)
        .collect()
}

/// What embedding moves into a world would take, told before it is done.
pub fn estimate_embedding(
    moves: &Moves,
    world: &World,
    options: &EmbedOptions,
) -> Result<Estimate, EmbedError> {
    options.check()?;
    world.check()?;
    let grid = Grid::new(world, options.cell, options.yaw);
    check_memory(estimate(moves, &grid, 0), options.memory)?;
    let stencils = tabulate(moves, &grid, &options.edit).list.len();
    Ok(estimate(moves, &grid, stencils))
}

/// What embedding would take, with that many stencils.
fn estimate(moves: &Moves, grid: &Grid, stencils: usize) -> Estimate {
    // Whoever asks for cells of next to no width is told by these numbers, so they may not overflow.
    let cells = grid.cells() as u128;
    let rows = (moves.nodes.len() as u128).saturating_mul(grid.headings as u128);
    let count = stencils as u128;
    let words = cells.div_ceil(64);
    // Where stencils start, once more where that is kept; what leaves each state, in whole words; four sets of
    // states at work; a search.
    let laid = 2 * count * words * 8;
    let leaving = (count.div_ceil(64) + rows).saturating_mul(cells * 8);
    let at_work = rows.saturating_mul(4 * 8 * words);
    let table = count * (size_of::<Stencil>() as u128 + 40);
    let search = rows
        .saturating_mul(cells)
        .saturating_mul(BYTES_PER_STATE.into());
    let bytes = [leaving, at_work, table, search]
        .iter()
        .fold(laid, |sum, part| sum.saturating_add(*part));
    let fitting = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
    Estimate {
        states: fitting(rows.saturating_mul(cells)),
        stencils: fitting(count),
        links: fitting(count.saturating_mul(cells)),
        bytes: fitting(bytes),
    }
}

impl Embedding<'_> {
    /// What it takes while nothing is searched in it, at most. [bytes]
    pub(crate) fn held_bytes(&self) -> u64 {
        let search = self.estimate.states.saturating_mul(BYTES_PER_STATE);
        self.estimate.bytes.saturating_sub(search)
    }

    /// How many searches fit side by side into the memory that is allowed; one always does.
    pub(crate) fn searches_at_once(&self) -> usize {
        let further = self.options.memory.saturating_sub(self.estimate.bytes);
        let one = self.estimate.states.saturating_mul(BYTES_PER_STATE).max(1);
        1 + usize::try_from(further / one).unwrap_or(usize::MAX - 1)
    }
}

impl Culled {
    /// What is not among `links`, with what hindered it.
    fn of(laid: &Laid, links: u64) -> Self {
        let mut culled = Self::default();
        for row in &laid.hindered {
            culled.no_start += u64::from(row.no_start);
            culled.no_end += u64::from(row.no_end);
            culled.collision += u64::from(row.collision);
            culled.rule += u64::from(row.rule);
        }
        culled.dead_end = crate::cell_bits::count(&laid.starts) - links;
        culled
    }
}
