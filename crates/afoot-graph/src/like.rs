//! Stretches of a library that do the same as an example (Kovar and Gleicher 2004, §3).
//!
//! Frames are compared as clusters compare them; a stretch is like another where a time alignment,
//! which never runs more than twice as fast or slow, keeps the mean error of its frames below a bound,
//! and that of every third of a second, flights being told from stances, below `MOMENT` times the
//! bound: else a stand is like a jump, most of which is standing. What is found is asked for in turn, so that motion too far from the example
//! is found through what lies between them, but not beyond `DRIFT` times the bounds from the example
//! itself. Kovar and Gleicher keep a web of all alignments of all pairs of clips and look the example
//! up in it; here the grid of each question is searched anew, exactly, which keeps nothing. Of
//! alignments that overlap the best is taken. Cost: frames of the example times frames of the
//! library, for every question.

use afoot_core::{ClipId, FrameId};
use afoot_run::{Run, Stopped};
use rayon::prelude::*;

use crate::clusters::{LibraryFrames, PlantState, Rows, Stretch};

/// How alike stretches are to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikeOptions {
    /// Mean error of the frames of a stretch and of what it was found by. [m, > 0]
    pub error: f32,
    /// How often what was found is asked for in turn; 0 compares with the example alone.
    pub steps: u32,
    /// Most stretches that are looked for. [1..]
    pub most: usize,
}

impl Default for LikeOptions {
    fn default() -> Self {
        Self {
            error: 0.1,
            steps: 2,
            most: 500,
        }
    }
}

/// A stretch that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Likeness {
    /// Which.
    pub stretch: Stretch,
    /// Mean error of its frames and those of what it was found by. [m]
    pub error: f32,
    /// What it was found by: a position among those found, or the example.
    pub by: Option<usize>,
    /// How many lie between it and the example.
    pub steps: u32,
}

/// Two stretches of a clip are one where they share more than this of the shorter.
const SAME: f32 = 0.5;
/// What counts as a moment of an alignment, either way of a frame. [s]
const HALF_MOMENT: f64 = 1.0 / 6.0;
/// Largest mean error of a moment, of the bound for whole stretches.
const MOMENT: f32 = 2.0;
/// What is added to the error of a frame in flight and one that is not, within moments: the body of who
/// jumps high stays near where it stands. [m]
const FLIGHT: f32 = 0.3;
/// How far from the example itself what is found through others may be, of what is allowed at once.
const DRIFT: f32 = 1.5;

/// All stretches like an example, which has frames: by how many lie between, then by error.
pub fn find_like(
    frames: &LibraryFrames,
    example: &Stretch,
    options: &LikeOptions,
    run: &Run,
) -> Result<Vec<Likeness>, Stopped> {
    let grids = Grids::new(frames);
    let mut found: Vec<Likeness> = Vec::new();
    let mut asked: Vec<Option<usize>> = vec![None];
    // What may still be found: all that is alike enough to the example itself.
    let mut near: Vec<Stretch> = Vec::new();
    for steps in 0..=options.steps {
        let mut met: Vec<Likeness> = Vec::new();
        for by in asked {
            run.check()?;
            let question = by.map_or(example, |index| &found[index].stretch);
            let answers = grids.stretches_like(question, options.error);
            met.extend(answers.into_iter().map(|(stretch, error)| Likeness {
                stretch,
                error,
                by,
                steps,
            }));
        }
        if steps == 1 {
            let all = grids.stretches_like(example, DRIFT * options.error);
            near = all.into_iter().map(|(stretch, _)| stretch).collect();
        }
        met.sort_by(|x, y| x.error.total_cmp(&y.error).then(place(x).cmp(&place(y))));
        let before = found.len();
        for likeness in met {
            let known = found.iter().map(|known| &known.stretch);
            let new = known
                .chain([example])
                .all(|known| !same(known, &likeness.stretch));
            let near = steps == 0 || near.iter().any(|near| same(near, &likeness.stretch));
            let wanted = new && near && as_long(example, &likeness.stretch);
            if wanted && found.len() < options.most {
                found.push(likeness);
            }
        }
        asked = (before..found.len()).map(Some).collect();
    }
    Ok(found)
}

fn place(likeness: &Likeness) -> (ClipId, u32) {
    (likeness.stretch.clip, likeness.stretch.frames.start)
}

/// Whether a stretch is half to twice as long as the example: over several questions it could shrink to a
/// moment that is like anything.
fn as_long(example: &Stretch, stretch: &Stretch) -> bool {
    let (asked, found) = (example.frames.len(), stretch.frames.len());
    found * 2 >= asked && found <= asked * 2
}

/// Whether two stretches are the same motion.
fn same(a: &Stretch, b: &Stretch) -> bool {
    let start = a.frames.start.max(b.frames.start);
    let end = a.frames.end.min(b.frames.end);
    let shorter = a.frames.len().min(b.frames.len());
    a.clip == b.clip && end.saturating_sub(start) as f32 > SAME * shorter as f32
}

/// Errors of frames against those of whole clips.
struct Grids<'a> {
    frames: &'a LibraryFrames,
    /// All frames of the library; those that are not to be played are infinitely far.
    rows: Rows,
    /// Frames either way that make a moment.
    half_moment: usize,
}

impl<'a> Grids<'a> {
    fn new(frames: &'a LibraryFrames) -> Self {
        let all = (0..frames.len()).flat_map(|index| frames.vector(index));
        let mut rows = Rows::new(frames.width(), &all.copied().collect::<Vec<f32>>());
        (0..frames.len())
            .filter(|index| frames.state(*index).is_none())
            .for_each(|index| rows.remove(index));
        Self {
            frames,
            rows,
            half_moment: (HALF_MOMENT * frames.rate().fps()).round() as usize,
        }
    }

    /// The stretches of all clips that a question is aligned with, each with its mean error.
    fn stretches_like(&self, question: &Stretch, error: f32) -> Vec<(Stretch, f32)> {
        let of_clip = |clip: u32| {
            let clip = ClipId(clip);
            let mut grid = self.errors(question, clip);
            let apart = self.flights_apart(question, clip);
            bar_unlike_moments(&mut grid, self.half_moment, MOMENT * error, &apart);
            let stretch = move |Alignment { start, end, error }: Alignment| {
                let frames = start..end;
                (Stretch { clip, frames }, error)
            };
            let ends = best_alignments(&grid);
            choose_apart(ends, error).into_iter().map(stretch)
        };
        let clips = (0..self.frames.clips() as u32).into_par_iter();
        clips.flat_map_iter(of_clip).collect()
    }

    fn flights_apart(&self, question: &Stretch, clip: ClipId) -> impl Fn(usize, usize) -> bool {
        let flies = |clip: ClipId, frame: u32| {
            let state = self.frames.state(self.frames.index(clip, FrameId(frame)));
            state.is_some_and(PlantState::is_flight)
        };
        let asked = question.frames.clone();
        let asked: Vec<bool> = asked.map(|frame| flies(question.clip, frame)).collect();
        let own = 0..self.frames.frames_of(clip);
        let own: Vec<bool> = own.map(|frame| flies(clip, frame)).collect();
        move |row, column| asked[row] != own[column]
    }

    /// Errors of a question's frames, a row each, and a clip's. [m]
    fn errors(&self, question: &Stretch, clip: ClipId) -> Vec<Vec<f32>> {
        let frames = self.frames;
        let start = frames.index(clip, FrameId(0));
        let own = start..start + frames.frames_of(clip) as usize;
        let block = start / afoot_core::LANES * afoot_core::LANES;
        let mut squared = Vec::new();
        let mut row = |frame: u32| {
            let asked = frames.vector(frames.index(question.clip, FrameId(frame)));
            self.rows
                .squared_distances(asked, own.clone(), &mut squared);
            let inside = squared[start - block..][..own.len()].iter();
            inside.map(|square| square.sqrt()).collect()
        };
        question.frames.clone().map(&mut row).collect()
    }
}

/// Makes cells infinite whose moment, at equal pace, has a mean above a bound.
///
/// Frames that are not to be played count as the bound in the moments around them.
fn bar_unlike_moments(grid: &mut [Vec<f32>], half: usize, bound: f32, apart: Apart) {
    let (rows, columns) = (grid.len(), grid.first().map_or(0, Vec::len));
    // Sums along diagonals, up to and without a cell.
    let mut sums = vec![vec![0.0; columns + 1]; rows + 1];
    for (row, errors) in grid.iter().enumerate() {
        for (column, error) in errors.iter().enumerate() {
            let counted = if error.is_finite() { *error } else { bound };
            let apart = if apart(row, column) { FLIGHT } else { 0.0 };
            sums[row + 1][column + 1] = sums[row][column] + counted + apart;
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let back = half.min(row).min(column);
            let ahead = (half + 1).min(rows - row).min(columns - column);
            let sum = sums[row + ahead][column + ahead] - sums[row - back][column - back];
            if sum > bound * (back + ahead) as f32 {
                grid[row][column] = f32::INFINITY;
            }
        }
    }
}

/// Whether of a row's and a column's frame one is in flight and the other is not.
type Apart<'a> = &'a dyn Fn(usize, usize) -> bool;

/// The best alignment of a whole question that ends with a frame of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Alignment {
    start: u32,
    /// Half-open.
    end: u32,
    /// Mean over the question's frames. [m]
    error: f32,
}

/// A sum of errors, and the column that it began with.
type Sum = (f32, u32);
const NOWHERE: Sum = (f32::INFINITY, 0);

/// For every column of a grid the best alignment that ends there.
///
/// Every row counts once: a step goes a row and one or two columns on, or two rows and one column.
fn best_alignments(grid: &[Vec<f32>]) -> Vec<Alignment> {
    let Some(first) = grid.first() else {
        return Vec::new();
    };
    let began = |(column, error): (usize, &f32)| (*error, column as u32);
    let mut before: Vec<Sum> = vec![NOWHERE; first.len()];
    let mut last: Vec<Sum> = first.iter().enumerate().map(began).collect();
    for row in 1..grid.len() {
        let sum = |column: usize| {
            let here = grid[row][column];
            let from = |sums: &[Sum], back: usize, added: f32| {
                let at = column.checked_sub(back).map_or(NOWHERE, |at| sums[at]);
                (at.0 + added, at.1)
            };
            let ways = [
                from(&last, 1, here),
                from(&last, 2, here),
                from(&before, 1, grid[row - 1][column] + here),
            ];
            ways.into_iter()
                .fold(NOWHERE, |best, way| if way.0 < best.0 { way } else { best })
        };
        let next = (0..first.len()).map(sum).collect();
        before = std::mem::replace(&mut last, next);
    }
    let rows = grid.len() as f32;
    let alignment = |(column, (sum, start)): (usize, &Sum)| Alignment {
        start: *start,
        end: column as u32 + 1,
        error: sum / rows,
    };
    last.iter().enumerate().map(alignment).collect()
}

/// The best alignments of at most an error, each apart from better ones.
fn choose_apart(mut alignments: Vec<Alignment>, error: f32) -> Vec<Alignment> {
    alignments.retain(|alignment| alignment.error <= error);
    alignments.sort_by(|x, y| x.error.total_cmp(&y.error).then(x.end.cmp(&y.end)));
    let mut chosen: Vec<Alignment> = Vec::new();
    for alignment in alignments {
        let stretch = |own: &Alignment| Stretch {
            clip: ClipId(0),
            frames: own.start..own.end,
        };
        if chosen
            .iter()
            .all(|better| !same(&stretch(better), &stretch(&alignment)))
        {
            chosen.push(alignment);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least sum of all alignments from some column to `end`, by trying every one.
    fn least(grid: &[Vec<f32>], row: usize, column: isize) -> f32 {
        let at = |row: usize, column: isize| match column >= 0 {
            true => grid[row][column as usize],
            false => f32::INFINITY,
        };
        let here = at(row, column);
        match row {
            0 => here,
            _ => {
                let one = least(grid, row - 1, column - 1).min(least(grid, row - 1, column - 2));
                let two = match row {
                    1 => f32::INFINITY,
                    _ => least(grid, row - 2, column - 1) + at(row - 1, column),
                };
                here + one.min(two)
            }
        }
    }

    #[test]
    fn alignments_are_the_best_of_all() {
        let mut seed = 7u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as f32
        };
        for rows in 1..7 {
            let grid: Vec<Vec<f32>> = (0..rows)
                .map(|_| (0..9).map(|_| next()).collect())
                .collect();
            for (column, found) in best_alignments(&grid).iter().enumerate() {
                let expected = least(&grid, rows - 1, column as isize) / rows as f32;
                let both_far = found.error.is_infinite() && expected.is_infinite();
                assert!(
                    both_far || (found.error - expected).abs() < 1e-3,
                    "{rows} rows, column {column}: {found:?}, {expected}"
                );
            }
        }
    }

    #[test]
    fn a_moment_that_is_too_unlike_bars_its_cells_and_no_others() {
        // Alike but for five frames, as a stand and a jump are.
        let unlike = |row: usize| if (10..15).contains(&row) { 1.0 } else { 0.0 };
        let mut grid: Vec<Vec<f32>> = (0..30).map(|row| vec![unlike(row); 30]).collect();
        bar_unlike_moments(&mut grid, 2, 0.7, &|_, _| false);
        for (row, cells) in grid.iter().enumerate() {
            let barred = cells[2..28].iter().filter(|error| error.is_infinite());
            // A moment has five frames: four of them unlike are too many.
            let expected = if (11..14).contains(&row) { 26 } else { 0 };
            assert_eq!(barred.count(), expected, "row {row}");
        }
        let ends = best_alignments(&grid);
        assert!(ends.iter().all(|end| end.error.is_infinite()));
    }

    #[test]
    fn of_alignments_that_overlap_the_better_is_chosen() {
        let alignment = |start, end, error| Alignment { start, end, error };
        let all = vec![
            alignment(0, 10, 0.3),
            alignment(1, 11, 0.1),
            alignment(8, 18, 0.2),
            alignment(30, 40, 0.9),
        ];
        let chosen = choose_apart(all.clone(), 0.5);
        assert_eq!(chosen, [all[1], all[2]]);
    }
}
