//! Time that k-means and support vector machines take on rows in a file: see README.md beside this file.

use std::error::Error;
use std::time::Instant;

use afoot_learn::{Examples, KMeansOptions, Kernel, Rows, SvmOptions, kmeans, train};

/// Rows are told so often, for the time of one to be measured.
const TELLINGS: u32 = 11;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["kmeans", file, width, clusters] => cluster(file, width.parse()?, clusters.parse()?),
        ["svm", file, sides, width, cost, gamma, told, out] => {
            let kernel = Kernel::gaussian(width.parse()?, gamma.parse()?);
            learn([file, sides, told, out], &kernel, cost.parse()?)
        }
        _ => Err(
            "rows kmeans FILE WIDTH CLUSTERS | rows svm FILE SIDES WIDTH C GAMMA TOLD OUT".into(),
        ),
    }
}

fn floats(file: &str) -> Result<Vec<f32>, Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap_or_default());
    Ok(bytes.chunks_exact(4).map(float).collect())
}

/// Time that all threads were on a processor, as the system counts it; 0 where it does not. [s]
fn spent() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return 0.0;
    };
    let nanoseconds = threads.filter_map(|thread| {
        let told = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        told.split_whitespace().next()?.parse::<f64>().ok()
    });
    1e-9 * nanoseconds.sum::<f64>()
}

fn cluster(file: &str, width: usize, clusters: usize) -> Result<(), Box<dyn Error>> {
    let values = floats(file)?;
    let start = spent();
    let found = kmeans(
        Rows::new(&values, width)?,
        clusters,
        0,
        &KMeansOptions::default(),
    );
    println!(
        r#"{{"seconds": {}, "inertia": {}, "rounds": {}}}"#,
        spent() - start,
        found.inertia,
        found.rounds
    );
    Ok(())
}

fn learn(
    [file, sides, told, out]: [&str; 4],
    kernel: &Kernel,
    cost: f32,
) -> Result<(), Box<dyn Error>> {
    let width = kernel.parts[0].columns.end;
    let (values, told) = (floats(file)?, floats(told)?);
    let labels: Vec<bool> = floats(sides)?.iter().map(|side| *side > 0.0).collect();
    let examples = Examples {
        rows: Rows::new(&values, width)?,
        labels: &labels,
        costs: &vec![cost; labels.len()],
    };
    let start = spent();
    let options = SvmOptions {
        cache_bytes: 2 << 30,
        ..SvmOptions::default()
    };
    let trained = train(examples, kernel, &options)?;
    let training = spent() - start;
    let told = Rows::new(&told, width)?;
    let decisions = trained.svm.decide(told);
    let (start, begun) = (spent(), Instant::now());
    (1..TELLINGS).for_each(|_| drop(trained.svm.decide(told)));
    println!(
        r#"{{"training": {training}, "telling": {}, "telling_by_clock": {}, "support_vectors": {}, "steps": {}}}"#,
        (spent() - start) / f64::from(TELLINGS - 1),
        begun.elapsed().as_secs_f64() / f64::from(TELLINGS - 1),
        trained.svm.support_vectors(),
        trained.steps
    );
    let bytes: Vec<u8> = decisions.iter().flat_map(|d| d.to_le_bytes()).collect();
    Ok(std::fs::write(out, bytes)?)
}
