//! The distance of every sample from the nearest one that is marked (Felzenszwalb and Huttenlocher
//! 2012), over x, z and heading.
//!
//! Exact, an axis at a time: headings go around, and so do x and z in a world that wraps around. Linear
//! in the samples, about 10 ns each.

use rayon::prelude::*;

/// Samples over x and z, and headings of which there may be one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Samples {
    /// Along x, z and the heading.
    pub size: [usize; 3],
    /// How far neighbours are apart along each. [m]
    pub step: [f64; 3],
    /// Whether x and z go around.
    pub wrap: bool,
}

impl Samples {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.size.iter().product()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A sample's number: headings of a place lie together, places row after row.
    #[inline]
    pub fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (j * self.size[0] + i) * self.size[2] + k
    }

    /// A sample's column, row and heading.
    pub fn place(&self, index: usize) -> [usize; 3] {
        let (at, k) = (index / self.size[2], index % self.size[2]);
        [at % self.size[0], at / self.size[0], k]
    }
}

/// The distance of each sample from the nearest marked one; infinite where nothing is marked. [m]
pub fn distances(samples: &Samples, marked: &[bool]) -> Vec<f32> {
    let [width, depth, headings] = samples.size;
    let mut squared: Vec<f32> = marked
        .iter()
        .map(|marked| if *marked { 0.0 } else { f32::INFINITY })
        .collect();
    let around = Pass {
        step: samples.step[2],
        circular: true,
    };
    squared
        .par_chunks_mut(headings.max(1))
        .for_each(|line| around.line(line));
    // Along x: a row of places holds all that is needed.
    let along = |axis: usize| Pass {
        step: samples.step[axis],
        circular: samples.wrap,
    };
    let pass = along(0);
    squared
        .par_chunks_mut((width * headings).max(1))
        .for_each(|row| pass.strided(row, width, headings));
    // Along z: turned over, so that lines lie together.
    let mut turned = turn(&squared, depth, width * headings);
    let pass = along(1);
    turned
        .par_chunks_mut(depth.max(1))
        .for_each(|line| pass.line(line));
    let squared = turn(&turned, width * headings, depth);
    squared.into_par_iter().map(f32::sqrt).collect()
}

/// Rows as columns.
fn turn(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let mut turned = vec![0.0; values.len()];
    turned
        .par_chunks_mut(rows.max(1))
        .enumerate()
        .for_each(|(column, line)| {
            for (row, value) in line.iter_mut().enumerate() {
                *value = values[row * columns + column];
            }
        });
    turned
}

#[derive(Clone, Copy)]
struct Pass {
    step: f64,
    circular: bool,
}

impl Pass {
    fn strided(self, row: &mut [f32], count: usize, stride: usize) {
        let mut line = vec![0.0; count];
        for k in 0..stride {
            for (i, value) in line.iter_mut().enumerate() {
                *value = row[i * stride + k];
            }
            self.line(&mut line);
            for (i, value) in line.iter().enumerate() {
                row[i * stride + k] = *value;
            }
        }
    }

    /// The lower envelope of the parabolas over a line.
    fn line(self, line: &mut [f32]) {
        if line.len() < 2 || line.iter().all(|value| *value == 0.0) {
            return;
        }
        match self.circular {
            false => envelope(line, self.step),
            true => {
                let mut thrice = [&*line, line, line].concat();
                envelope(&mut thrice, self.step);
                line.copy_from_slice(&thrice[line.len()..2 * line.len()]);
            }
        }
    }
}

fn envelope(line: &mut [f32], step: f64) {
    let scale = step * step;
    let mut parabolas: Vec<(f64, f64, f64)> = Vec::with_capacity(line.len()); // place, height, from where on
    for (at, value) in line.iter().enumerate() {
        if !value.is_finite() {
            continue;
        }
        let (at, height) = (at as f64, f64::from(*value) / scale);
        let mut from = f64::NEG_INFINITY;
        while let Some(&(other, other_height, other_from)) = parabolas.last() {
            from = ((height + at * at) - (other_height + other * other)) / (2.0 * (at - other));
            if from > other_from {
                break;
            }
            parabolas.pop();
            from = f64::NEG_INFINITY;
        }
        parabolas.push((at, height, from));
    }
    if parabolas.is_empty() {
        return;
    }
    let mut current = 0;
    for (at, value) in line.iter_mut().enumerate() {
        let at = at as f64;
        while current + 1 < parabolas.len() && parabolas[current + 1].2 <= at {
            current += 1;
        }
        let (place, height, _) = parabolas[current];
        *value = (scale * ((at - place) * (at - place) + height)) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_search::Random;

    #[test]
    fn distances_are_those_of_a_search_of_all() {
        let mut random = Random::new(9);
        for wrap in [false, true] {
            let samples = Samples {
                size: [9, 7, 6],
                step: [0.1, 0.15, 0.2],
                wrap,
            };
            let marked: Vec<bool> = (0..samples.len()).map(|_| random.below(40) == 0).collect();
            let found = distances(&samples, &marked);
            let apart = |a: usize, b: usize, axis: usize| {
                let (p, q) = (samples.place(a)[axis], samples.place(b)[axis]);
                let far = p.abs_diff(q);
                let around = axis == 2 || wrap;
                let far = if around {
                    far.min(samples.size[axis] - far)
                } else {
                    far
                };
                far as f64 * samples.step[axis]
            };
            for (index, found) in found.iter().enumerate() {
                let all = (0..samples.len()).filter(|other| marked[*other]);
                let nearest = all
                    .map(|other| {
                        (0..3)
                            .map(|axis| apart(index, other, axis).powi(2))
                            .sum::<f64>()
                    })
                    .fold(f64::INFINITY, f64::min);
                assert!((f64::from(*found) - nearest.sqrt()).abs() < 1e-5, "{index}");
            }
        }
    }
}
