//! The errors of two clips as a matrix.

use afoot_graph::{Candidates, error_matrix, find_candidates};
use afoot_run::Run;

use crate::support::wandering;
use crate::{alike, at};

#[test]
fn a_matrix_shows_the_errors_and_minima_of_two_clips() {
    let clips = alike(2);
    let matrix = error_matrix(&clips[0], &clips[1], &at(4.0)).unwrap();
    assert_eq!(
        (matrix.rows, matrix.cols),
        (clips[0].len() - 9, clips[1].len() - 9)
    );
    let known = find_candidates(&clips, &at(4.0), &Candidates::none(), &Run::quiet()).unwrap();
    let cross = known
        .list
        .iter()
        .filter(|c| (c.a, c.b) == (0, 1) && c.error_cm <= 4.0);
    let cross: Vec<_> = cross.map(|c| ([c.i, c.s], c.error_cm)).collect();
    assert_eq!(matrix.minima, cross.iter().map(|c| c.0).collect::<Vec<_>>());
    for ([row, col], error) in cross {
        assert_eq!(
            matrix.values[row as usize * matrix.cols + col as usize],
            error
        );
    }
    let own = error_matrix(&clips[0], &clips[0], &at(4.0)).unwrap();
    for row in 0..own.rows {
        for col in 0..own.cols {
            assert_eq!(
                own.values[row * own.cols + col],
                own.values[col * own.cols + row]
            );
        }
        assert!(own.values[row * own.cols + row] <= 0.051);
    }
    assert!(own.minima.iter().all(|[row, col]| row.abs_diff(*col) >= 10));
    assert!(
        own.minima
            .iter()
            .all(|[row, col]| own.minima.contains(&[*col, *row]))
    );
    let short = error_matrix(&wandering("short", 5, 1), &clips[0], &at(4.0)).unwrap();
    assert_eq!((short.rows, short.values.len()), (0, 0));
}
