//! How long work takes and how much memory it needs.
#![allow(dead_code)]

use std::time::Instant;

/// Time that some work took; processor time is what counts on a machine that others use too. [s]
#[derive(Clone, Copy)]
pub struct Spent {
    pub wall: f64,
    pub processor: f64,
}

impl Spent {
    pub const MOST: Self = Self {
        wall: f64::MAX,
        processor: f64::MAX,
    };

    pub fn by(work: impl FnOnce()) -> Self {
        let (start, used) = (Instant::now(), processor_seconds());
        work();
        let wall = start.elapsed().as_secs_f64();
        Self {
            wall,
            processor: used.zip(processor_seconds()).map_or(wall, |(a, b)| b - a),
        }
    }

    pub fn and(self, other: Self) -> Self {
        Self {
            wall: self.wall + other.wall,
            processor: self.processor + other.processor,
        }
    }

    pub fn least(self, other: Self) -> Self {
        Self {
            wall: self.wall.min(other.wall),
            processor: self.processor.min(other.processor),
        }
    }
}

/// What all threads of this process have used, where the system tells (Linux).
fn processor_seconds() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(nanoseconds / 1e9)
}

/// The most memory that this process has held so far, where the system tells (Linux). [MiB]
pub fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}
