//! What a move can do from the middle of a cell, tabulated for each move and heading (§5.1, §5.2).
//!
//! Cells are alike, so where a move may end, seen from the cell it starts in, depends on nothing but
//! the move and the heading. Each such end is a stencil: it is laid over all cells at once, and a bit
//! for each says whether it may start there. What would be a list of links elsewhere is that bit map:
//! a thirty-second of a list's size, and filled row by row.

use std::f64::consts::TAU;

use afoot_core::{Planar, wrap_angle};
use rayon::prelude::*;

use crate::edit::{Connect, EditOptions, Limits, bend, turned};
use crate::grid::Grid;
use crate::moves::{ChoiceId, Move, MoveId, Moves};

/// A move from one heading to one end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stencil {
    /// The move.
    pub step: MoveId,
    /// The heading that it starts with.
    pub heading: u32,
    /// The choice that it leads to, and the heading there.
    pub to: (ChoiceId, u32),
    /// Columns and rows from the cell it starts in to that where it ends.
    pub offset: [i32; 2],
    /// Whether it is bent within the limits.
    pub within: bool,
    /// Frames that it plays.
    pub frames: u32,
}

/// All stencils, and what there are none for.
#[derive(Clone, Debug, Default)]
pub struct Stencils {
    /// Sorted by the choice that they start from, then heading.
    pub list: Vec<Stencil>,
    /// Where those of each choice and heading start in `list`; one more entry than those.
    pub first: Vec<u32>,
    /// Pairs of move and heading.
    pub regions: u64,
    /// Of them, pairs whose edit region holds no cell's middle.
    pub empty_regions: u64,
}

/// Tabulates all stencils.
pub fn tabulate(moves: &Moves, grid: &Grid, options: &EditOptions) -> Stencils {
    let frame_time = moves.rate.frame_time();
    let of_move = |(index, step): (usize, &Move)| {
        let limits = options.limits(step, frame_time);
        let table = Table {
            step: MoveId(index as u32),
            motion: step,
            limits: &limits,
            grid,
            options,
        };
        let each = (0..grid.headings).map(|heading| table.ends(heading));
        each.collect::<Vec<_>>()
    };
    let each: Vec<Vec<(Vec<Stencil>, bool)>> =
        moves.list.par_iter().enumerate().map(of_move).collect();
    let mut stencils = Stencils {
        regions: (moves.list.len() * grid.headings) as u64,
        ..Stencils::default()
    };
    let rows = moves.nodes.len() * grid.headings;
    let mut list: Vec<Stencil> = Vec::new();
    for (found, was_empty) in each.into_iter().flatten() {
        stencils.empty_regions += u64::from(was_empty);
        list.extend(found);
    }
    let row = |stencil: &Stencil| {
        moves.of(stencil.step).from.0 as usize * grid.headings + stencil.heading as usize
    };
    list.sort_by_key(row);
    stencils.first = (0..=rows)
        .map(|at| list.partition_point(|stencil| row(stencil) < at) as u32)
        .collect();
    stencils.list = list;
    stencils
}

impl Stencil {
    /// The way of its root from the middle of a cell at the origin.
    pub fn way(&self, moves: &Moves, grid: &Grid, options: &EditOptions) -> Vec<Planar> {
        Ways::new(moves, grid, options).of(self)
    }

    /// Where it ends, seen from the middle of the cell it starts in.
    pub fn end(&self, grid: &Grid) -> Planar {
        Planar::new(
            f64::from(self.offset[0]) * grid.cell[0],
            f64::from(self.offset[1]) * grid.cell[1],
            f64::from(self.to.1) * grid.yaw_step(),
        )
    }
}

/// One move's ends.
struct Table<'a> {
    step: MoveId,
    motion: &'a Move,
    limits: &'a Limits,
    grid: &'a Grid,
    options: &'a EditOptions,
}

impl Table<'_> {
    /// The stencils of a heading, and whether the edit region held no cell's middle.
    fn ends(&self, heading: usize) -> (Vec<Stencil>, bool) {
        let yaw = heading as f64 * self.grid.yaw_step();
        let end = self.motion.end();
        let [x, z] = Planar::new(0.0, 0.0, yaw).point([end.x, end.z]);
        let end = [x, z, yaw + end.yaw];
        let held = self.held(end);
        let is_empty = held.is_empty();
        let nearest = || {
            let column = (x / self.grid.cell[0]).round() as i32;
            let row = (z / self.grid.cell[1]).round() as i32;
            ([column, row], self.grid.heading_of(end[2]))
        };
        let ends = match (is_empty, self.options.connect) {
            (true, Connect::Always) => vec![nearest()],
            _ => held,
        };
        let stencil =
            |(offset, to): ([i32; 2], usize)| self.stencil(heading, offset, to, !is_empty);
        (ends.into_iter().map(stencil).collect(), is_empty)
    }

    /// The cells and headings whose middles the edit region around `end` holds.
    fn held(&self, end: [f64; 3]) -> Vec<([i32; 2], usize)> {
        let last = self.limits.shift.len() - 1;
        let (shift, turn) = (
            self.limits.shift[last],
            self.limits.turn[last].min(TAU / 2.0),
        );
        let around = |middle: f64, reach: f64, step: f64| {
            let low = ((middle - reach) / step - 1e-9).ceil() as i32;
            let high = ((middle + reach) / step + 1e-9).floor() as i32;
            low..=high
        };
        let headings = self.grid.headings as i32;
        let yaw_step = self.grid.yaw_step();
        let mut yaws: Vec<i32> = around(end[2], turn, yaw_step).collect();
        yaws.truncate(headings as usize); // a full turn has them all
        let mut held = Vec::new();
        for row in around(end[1], shift, self.grid.cell[1]) {
            for column in around(end[0], shift, self.grid.cell[0]) {
                for &yaw in &yaws {
                    let off = [
                        f64::from(column) * self.grid.cell[0] - end[0],
                        f64::from(row) * self.grid.cell[1] - end[1],
                        wrap_angle(f64::from(yaw) * yaw_step - end[2]),
                    ];
                    if self.options.is_within(off, shift, turn) {
                        held.push(([column, row], yaw.rem_euclid(headings) as usize));
                    }
                }
            }
        }
        held
    }

    fn stencil(&self, heading: usize, offset: [i32; 2], to: usize, within: bool) -> Stencil {
        Stencil {
            step: self.step,
            heading: heading as u32,
            to: (self.motion.to, to as u32),
            offset,
            within,
            frames: self.motion.frames() as u32,
        }
    }
}

/// The bent ways of stencils, one after the other: those of a move with a heading share its start.
pub struct Ways<'a> {
    moves: &'a Moves,
    grid: &'a Grid,
    options: &'a EditOptions,
    limits: Limits,
    straight: Vec<Planar>,
    of: Option<(MoveId, u32)>,
}

impl<'a> Ways<'a> {
    /// Of stencils of these moves.
    pub fn new(moves: &'a Moves, grid: &'a Grid, options: &'a EditOptions) -> Self {
        Self {
            moves,
            grid,
            options,
            limits: Limits::default(),
            straight: Vec::new(),
            of: None,
        }
    }

    /// The way of its root from the middle of a cell at the origin.
    pub fn of(&mut self, stencil: &Stencil) -> Vec<Planar> {
        let step = self.moves.of(stencil.step);
        if self.of.is_none_or(|(known, _)| known != stencil.step) {
            self.limits = self.options.limits(step, self.moves.rate.frame_time());
        }
        if self.of != Some((stencil.step, stencil.heading)) {
            let heading = f64::from(stencil.heading) * self.grid.yaw_step();
            self.straight = turned(step, heading);
            self.of = Some((stencil.step, stencil.heading));
        }
        let end = stencil.end(self.grid);
        bend(&self.straight, end, &self.limits)
    }
}
