//! Stretches of a library that do the same as an example (Kovar and Gleicher 2004, §3).
//!
//! Frames are compared as clusters compare them; a stretch is like another where a time alignment,
//! which never runs more than twice as fast or slow, keeps the mean error of its frames below a bound.
//! What is found is asked for in turn, so that motion too far from the example is found through
//! what lies between them. Kovar and Gleicher keep a web of all alignments of all pairs of clips and
//! look the example up in it; here the grid of each question is searched anew, exactly, which takes
//! milliseconds and keeps nothing. Of alignments that end near each other the best is taken. Cost:
//! frames of the example times frames of the library, for every question.

use afoot_core::{ClipId, FrameId};
use afoot_run::{Run, Stopped};
use rayon::prelude::*;

use crate::clusters::{LibraryFrames, Rows, Stretch};

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

/// All stretches like an example, which has frames: by how many lie between, then by error.
pub fn find_like(
    frames: &LibraryFrames,
    example: &Stretch,
    options: &LikeOptions,
    run: &Run,
) -> Result<Vec<Likeness>, Stopped> {
    let rows = comparable_rows(frames);
    let mut found: Vec<Likeness> = Vec::new();
    let mut asked: Vec<Option<usize>> = vec![None];
    for steps in 0..=options.steps {
        let mut met: Vec<Likeness> = Vec::new();
        for by in asked {
            run.check()?;
            let question = by.map_or(example, |index| &found[index].stretch);
            let answers = aligned_stretches(frames, &rows, question, options.error);
            met.extend(answers.into_iter().map(|(stretch, error)| Likeness {
                stretch,
                error,
                by,
                steps,
            }));
        }
        met.sort_by(|x, y| x.error.total_cmp(&y.error).then(place(x).cmp(&place(y))));
        let before = found.len();
        for likeness in met {
            let known = found.iter().map(|known| &known.stretch);
            let new = known
                .chain([example])
                .all(|known| !same(known, &likeness.stretch));
            if new && as_long(example, &likeness.stretch) && found.len() < options.most {
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

/// All frames of the library; those that are not to be played are infinitely far.
fn comparable_rows(frames: &LibraryFrames) -> Rows {
    let all = (0..frames.len()).flat_map(|index| frames.vector(index));
    let mut rows = Rows::new(frames.width(), &all.copied().collect::<Vec<f32>>());
    (0..frames.len())
        .filter(|index| frames.state(*index).is_none())
        .for_each(|index| rows.remove(index));
    rows
}

/// The stretches of all clips that a question is aligned with, each with its mean error.
fn aligned_stretches(
    frames: &LibraryFrames,
    rows: &Rows,
    question: &Stretch,
    error: f32,
) -> Vec<(Stretch, f32)> {
    let of_clip = |clip: u32| {
        let clip = ClipId(clip);
        let ends = best_alignments(&error_grid(frames, rows, question, clip));
        let stretch = move |Alignment { start, end, error }: Alignment| {
            let frames = start..end;
            (Stretch { clip, frames }, error)
        };
        choose_apart(ends, error).into_iter().map(stretch)
    };
    let clips = (0..frames.clips() as u32).into_par_iter();
    clips.flat_map_iter(of_clip).collect()
}

/// Errors of a question's frames, a row each, and a clip's. [m]
fn error_grid(
    frames: &LibraryFrames,
    rows: &Rows,
    question: &Stretch,
    clip: ClipId,
) -> Vec<Vec<f32>> {
    let start = frames.index(clip, FrameId(0));
    let own = start..start + frames.frames_of(clip) as usize;
    let block = start / afoot_core::LANES * afoot_core::LANES;
    let mut squared = Vec::new();
    let mut row = |frame: u32| {
        let asked = frames.vector(frames.index(question.clip, FrameId(frame)));
        rows.squared_distances(asked, own.clone(), &mut squared);
        let inside = squared[start - block..][..own.len()].iter();
        inside.map(|square| square.sqrt()).collect()
    };
    question.frames.clone().map(&mut row).collect()
}

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
