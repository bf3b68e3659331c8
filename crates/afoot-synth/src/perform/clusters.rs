//! Blocks of frames that are alike, at one block length.

use afoot_codec::{Malformed, Reader, Writer};
use afoot_learn::{KMeansOptions, Rows, kmeans};
use afoot_run::{Run, Stopped};

use super::footage::{DIMENSIONS, Feature};

/// Clusters of the longest blocks (§3.3: small enough for interaction, large enough for variety).
const TOP: usize = 100;
/// Blocks of a cluster of shorter ones, in the mean.
const MEMBERS: usize = 100;
/// Clusters are strata to draw from: where exactly they end does not matter.
const ROUGHLY: KMeansOptions = KMeansOptions {
    rounds: 30,
    tolerance: 1e-3,
    sample: 40,
    cancel: None,
};
/// What is kept does not depend on who asked first.
const SEED: u64 = 1;
/// A frame at which no block starts.
const NONE: u32 = u32::MAX;

/// All blocks of one length, in clusters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Level {
    /// Frames of a block.
    pub(crate) block: u32,
    /// First frames of the blocks, cluster after cluster, each in ascending order.
    order: Vec<u32>,
    /// Where each cluster starts in `order`, and the end.
    bounds: Vec<u32>,
    /// The cluster of the block that starts at each frame.
    cluster_of: Vec<u32>,
}

impl Level {
    /// How many clusters there are.
    pub fn clusters(&self) -> usize {
        self.bounds.len() - 1
    }

    /// First frames of a cluster's blocks.
    pub fn members(&self, cluster: usize) -> &[u32] {
        &self.order[self.bounds[cluster] as usize..self.bounds[cluster + 1] as usize]
    }

    /// First frames of all blocks, cluster after cluster.
    pub fn blocks(&self) -> &[u32] {
        &self.order
    }

    /// First frames of the blocks that are like the one that starts there.
    pub fn like(&self, frame: u32) -> &[u32] {
        match self.cluster_of.get(frame as usize) {
            Some(&cluster) if cluster != NONE => self.members(cluster as usize),
            _ => &[],
        }
    }

    fn of(block: u32, frames: usize, starts: &[u32], assigned: &[u32]) -> Self {
        // Clusters that nothing was put into are passed over, so that each has a block to draw.
        let mut known = assigned.to_vec();
        known.sort_unstable();
        known.dedup();
        let number = |cluster: &u32| known.partition_point(|other| other < cluster) as u32;
        let assigned: Vec<u32> = assigned.iter().map(number).collect();
        let clusters = known.len();
        let mut bounds = vec![0u32; clusters + 1];
        assigned
            .iter()
            .for_each(|cluster| bounds[*cluster as usize + 1] += 1);
        for cluster in 0..clusters {
            bounds[cluster + 1] += bounds[cluster];
        }
        let mut next = bounds.clone();
        let mut order = vec![0; starts.len()];
        let mut cluster_of = vec![NONE; frames];
        for (&start, &cluster) in starts.iter().zip(&assigned) {
            order[next[cluster as usize] as usize] = start;
            next[cluster as usize] += 1;
            cluster_of[start as usize] = cluster;
        }
        Self {
            block,
            order,
            bounds,
            cluster_of,
        }
    }

    pub fn write(&self, writer: &mut Writer) {
        writer.u32(self.block);
        writer.count(self.cluster_of.len());
        self.cluster_of
            .iter()
            .for_each(|cluster| writer.u32(*cluster));
    }

    pub fn read(reader: &mut Reader<'_>, frames: usize) -> Result<Self, Malformed> {
        let block = reader.u32()?;
        let cluster_of = reader.list(4, Reader::u32)?;
        reader.require(cluster_of.len() == frames, "a level of other frames")?;
        let starts = (0..frames as u32).filter(|frame| cluster_of[*frame as usize] != NONE);
        let starts: Vec<u32> = starts.collect();
        let assigned: Vec<u32> = starts
            .iter()
            .map(|start| cluster_of[*start as usize])
            .collect();
        let sound = assigned.iter().all(|cluster| (*cluster as usize) < frames);
        reader.require(sound, "more clusters than frames")?;
        Ok(Self::of(block, frames, &starts, &assigned))
    }

    /// Whether every block can be played.
    pub fn fits(&self, left: &[u32]) -> bool {
        let fits = |start: &u32| left[*start as usize] >= self.block;
        self.block > 0 && self.order.iter().all(fits)
    }
}

/// The blocks of a level.
#[derive(Clone, Copy)]
pub(crate) struct Blocks {
    /// Frames of each.
    pub(crate) frames: u32,
    /// Those of the top are clustered into a fixed number.
    pub(crate) is_top: bool,
}

/// Clusters all blocks of a level.
pub(crate) fn cluster_blocks(
    features: &[Feature],
    left: &[u32],
    blocks: Blocks,
    run: &Run,
) -> Result<Level, Stopped> {
    let Blocks {
        frames: block,
        is_top,
    } = blocks;
    let starts = (0..features.len() as u32).filter(|start| left[*start as usize] >= block);
    let starts: Vec<u32> = starts.collect();
    let wanted = if is_top { TOP } else { starts.len() / MEMBERS };
    let count = wanted.clamp(1, (starts.len() / 2).max(1));
    let width = block as usize * DIMENSIONS;
    let mut rows = Vec::with_capacity(starts.len() * width);
    for &start in &starts {
        let frames = &features[start as usize..(start + block) as usize];
        rows.extend(frames.iter().flatten());
    }
    run.check()?;
    let options = KMeansOptions {
        cancel: Some(run.cancel().flag()),
        ..ROUGHLY
    };
    let assigned = match Rows::new(&rows, width) {
        Ok(rows) if !rows.is_empty() => kmeans(rows, count, SEED, &options).clusters,
        _ => Vec::new(),
    };
    run.check()?;
    Ok(Level::of(block, features.len(), &starts, &assigned))
}
