//! Support vector machines against what must hold of them, and against a slow solver.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::sync::atomic::AtomicBool;

use afoot_learn::{Examples, Kernel, Part, Rows, Shape, SvmError, SvmOptions, Trained, train};
use afoot_search::Random;

const WIDTH: usize = 6;

/// Two clouds that overlap.
fn clouds(count: usize, seed: u64) -> (Vec<f32>, Vec<bool>) {
    let mut random = Random::new(seed);
    let labels: Vec<bool> = (0..count).map(|row| row * 5 % 7 < 3).collect();
    let mut value = |at: usize| {
        let spread: f64 = (0..3).map(|_| random.between(-1.0, 1.0)).sum();
        (spread + if labels[at / WIDTH] { 0.5 } else { -0.5 }) as f32
    };
    let values = (0..count * WIDTH).map(&mut value).collect();
    (values, labels)
}

fn kernels() -> Vec<Kernel> {
    let part = |columns, gamma| Part { columns, gamma };
    vec![
        Kernel::gaussian(WIDTH, 0.2),
        Kernel {
            shape: Shape::Exponential,
            ..Kernel::gaussian(WIDTH, 0.2)
        },
        Kernel {
            shape: Shape::Gaussian,
            parts: vec![part(0..2, 0.8), part(2..6, 0.3)],
        },
    ]
}

fn tight() -> SvmOptions<'static> {
    SvmOptions {
        tolerance: 1e-5,
        ..SvmOptions::default()
    }
}

/// Σβ − ½ΣΣββk, in f64.
fn objective(rows: Rows, labels: &[bool], weights: &[f32], kernel: &Kernel) -> f64 {
    let mut sum = 0.0;
    for (a, (weight, label)) in weights.iter().zip(labels).enumerate() {
        let weight = f64::from(*weight);
        sum += if *label { weight } else { -weight };
        for (b, other) in weights.iter().enumerate() {
            sum -= 0.5 * weight * f64::from(*other) * kernel.value(rows.row(a), rows.row(b));
        }
    }
    sum
}

/// Every condition of the optimum, from decisions computed the slow way.
fn check(examples: Examples, kernel: &Kernel, trained: &Trained, tolerance: f64) {
    let Examples {
        rows,
        labels,
        costs,
    } = examples;
    let weights = &trained.weights;
    let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
    assert!(sum.abs() < 1e-3, "weights sum to {sum}");
    for row in 0..rows.len() {
        let says: f64 = (0..rows.len())
            .map(|k| f64::from(weights[k]) * kernel.value(rows.row(row), rows.row(k)))
            .sum();
        let sign = if labels[row] { 1.0 } else { -1.0 };
        let margin = sign * (says + f64::from(trained.svm.bias));
        let weight = sign * f64::from(weights[row]);
        let cost = f64::from(costs[row]);
        assert!((-1e-6..=cost + 1e-6).contains(&weight), "{weight}");
        if weight < cost - 1e-6 {
            assert!(margin > 1.0 - tolerance, "row {row}: {margin}");
        }
        if weight > 1e-6 {
            assert!(margin < 1.0 + tolerance, "row {row}: {margin}");
        }
    }
    let found = trained.svm.decide(rows);
    for (row, decision) in found.iter().enumerate() {
        let slow: f64 = (0..rows.len())
            .map(|k| f64::from(weights[k]) * kernel.value(rows.row(row), rows.row(k)))
            .sum();
        assert!((f64::from(*decision) - slow - f64::from(trained.svm.bias)).abs() < 1e-3);
    }
}

#[test]
fn the_optimum_is_one_for_every_kernel() {
    let (values, labels) = clouds(150, 1);
    let costs: Vec<f32> = (0..150)
        .map(|row| if row % 3 == 0 { 0.5 } else { 4.0 })
        .collect();
    let rows = Rows::new(&values, WIDTH).unwrap();
    let examples = Examples {
        rows,
        labels: &labels,
        costs: &costs,
    };
    for kernel in kernels() {
        let trained = train(examples, &kernel, &tight()).unwrap();
        assert!(trained.converged);
        check(examples, &kernel, &trained, 2e-3);
    }
}

#[test]
fn a_small_cache_and_a_warm_start_give_the_same_boundary() {
    let (values, labels) = clouds(400, 2);
    let costs = vec![2.0; 400];
    let rows = Rows::new(&values, WIDTH).unwrap();
    let examples = Examples {
        rows,
        labels: &labels,
        costs: &costs,
    };
    let kernel = Kernel::gaussian(WIDTH, 0.3);
    let whole = train(examples, &kernel, &tight()).unwrap();
    let small = train(
        examples,
        &kernel,
        &SvmOptions {
            cache_bytes: 0,
            ..tight()
        },
    )
    .unwrap();
    assert_eq!(whole, small);
    let again = SvmOptions {
        start: Some(&whole.weights),
        ..tight()
    };
    let warm = train(examples, &kernel, &again).unwrap();
    assert!(
        warm.steps * 10 < whole.steps,
        "{} of {}",
        warm.steps,
        whole.steps
    );
    // From a solution of other labels, with weights that make no sense.
    let mut odd = whole.weights.clone();
    odd[3] = f32::NAN;
    odd.iter_mut().step_by(7).for_each(|weight| *weight *= -9.0);
    let from_odd = train(
        examples,
        &kernel,
        &SvmOptions {
            start: Some(&odd),
            ..tight()
        },
    )
    .unwrap();
    let best = objective(rows, &labels, &whole.weights, &kernel);
    for other in [warm, from_odd] {
        let found = objective(rows, &labels, &other.weights, &kernel);
        assert!(
            (found - best).abs() < 1e-3 * best.abs(),
            "{found} against {best}"
        );
    }
}

#[test]
fn the_same_on_one_thread_and_on_many() {
    let (values, labels) = clouds(2500, 3);
    let costs = vec![1.0; 2500];
    let examples = Examples {
        rows: Rows::new(&values, WIDTH).unwrap(),
        labels: &labels,
        costs: &costs,
    };
    let kernel = Kernel::gaussian(WIDTH, 0.3);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| train(examples, &kernel, &SvmOptions::default()).unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn equal_rows_on_both_sides_end() {
    let values = [1.0; 4 * WIDTH];
    let examples = Examples {
        rows: Rows::new(&values, WIDTH).unwrap(),
        labels: &[true, false, true, false],
        costs: &[1.0; 4],
    };
    let trained = train(
        examples,
        &Kernel::gaussian(WIDTH, 1.0),
        &SvmOptions::default(),
    )
    .unwrap();
    assert!(trained.converged);
}

#[test]
fn what_can_not_be_learned_is_said() {
    let (values, labels) = clouds(10, 1);
    let rows = Rows::new(&values, WIDTH).unwrap();
    let kernel = Kernel::gaussian(WIDTH, 0.3);
    let failed = |labels: &[bool], costs: &[f32], kernel: &Kernel| {
        train(
            Examples {
                rows,
                labels,
                costs,
            },
            kernel,
            &SvmOptions::default(),
        )
        .unwrap_err()
    };
    assert_eq!(
        failed(&[true; 10], &[1.0; 10], &kernel),
        SvmError::OneSided("counter-example")
    );
    assert_eq!(
        failed(&[false; 10], &[1.0; 10], &kernel),
        SvmError::OneSided("example")
    );
    assert!(matches!(
        failed(&labels, &[1.0; 3], &kernel),
        SvmError::Lengths { costs: 3, .. }
    ));
    assert_eq!(
        failed(&labels, &[0.0; 10], &kernel),
        SvmError::Cost { row: 0 }
    );
    assert_eq!(
        failed(&labels, &[1.0; 10], &Kernel::gaussian(7, 0.3)),
        SvmError::Kernel(WIDTH)
    );
    assert_eq!(
        failed(&labels, &[1.0; 10], &Kernel::gaussian(6, 0.0)),
        SvmError::Kernel(WIDTH)
    );
}

#[test]
fn a_set_flag_ends_it() {
    let (values, labels) = clouds(300, 1);
    let flag = AtomicBool::new(true);
    let options = SvmOptions {
        cancel: Some(&flag),
        ..SvmOptions::default()
    };
    let examples = Examples {
        rows: Rows::new(&values, WIDTH).unwrap(),
        labels: &labels,
        costs: &[1.0; 300],
    };
    let trained = train(examples, &Kernel::gaussian(WIDTH, 0.3), &options).unwrap();
    assert!(!trained.converged && trained.steps == 0);
}
